#include "exchange/moving.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/exchange.h"

#include <limits.h>

static const char purpose[] = "a redistribution";

/* ---- making it ------------------------------------------------------------------------------------------ */

/* Local: which messages it has, and room for what is needed to send them. */
static hx_status make_room(const hx_handle *h, hxi_moving *plan)
{
    const hxi_redistribution *r = &plan->r;
    plan->base =
        hxi_memory_get((size_t)r->blocks.blocks * (size_t)r->exchange.fields, sizeof *plan->base, purpose);
    plan->in = hxi_memory_get((size_t)r->receives, sizeof *plan->in, purpose);
    plan->out = hxi_memory_get((size_t)r->sends, sizeof *plan->out, purpose);
    const hx_status status = hxi_peer_round_make(r->sends, r->receives, &plan->round);
    if (!plan->base || !plan->in || !plan->out || status != HX_OK) {
        return HX_ERR_MEMORY;
    }
    plan->round.comm = h->topology.comm;
    plan->round.sends = r->sends;
    plan->round.receives = r->receives;
    for (int i = 0; i < r->sends + r->receives; ++i) {
        const hxi_redistribution_message *m = i < r->sends ? &r->send[i] : &r->receive[i - r->sends];
        hxi_peer_note *note = i < r->sends ? &plan->round.send[i] : &plan->round.receive[i - r->sends];
        *note = (hxi_peer_note){.peer = m->peer, .tag = h->topology.last_tag - 3, .bytes = m->bytes};
        if (m->bytes > INT_MAX) {
            return hxi_fail(HX_ERR_LIMIT,
                            "a redistribution has a message of %zu bytes between ranks %d and %d; MPI counts "
                            "up to %d.  Move fewer fields at a time: give null pointers for the others.",
                            m->bytes, h->topology.rank, m->peer, INT_MAX);
        }
        plan->bytes += hxi_buffers_round(m->bytes);
    }
    return HX_OK;
}

hx_status hxi_moving_make(const hx_handle *h, const hxi_redistribution_task *task, hxi_moving *made)
{
    *made = (hxi_moving){0};
    const hx_status status = hxi_redistribution_make(task, &made->r);
    return status == HX_OK ? make_room(h, made) : status;
}

void hxi_moving_free(hxi_moving *moving)
{
    hxi_redistribution_free(&moving->r);
    hxi_peer_round_free(&moving->round);
    hxi_memory_free(moving->base);
    hxi_memory_free(moving->in);
    hxi_memory_free(moving->out);
}

hx_status hxi_moving_confirm(const hx_handle *h, const hxi_redistribution *r)
{
    hxi_confirmation c = {0};
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_confirmation_make(r->sends, r->receives, &c));
    if (status == HX_OK) {
        for (int i = 0; i < r->sends; ++i) {
            c.send[i] = (hxi_promise){r->send[i].peer, r->send[i].bytes, r->send[i].hash};
        }
        for (int i = 0; i < r->receives; ++i) {
            c.expect[i] = (hxi_promise){r->receive[i].peer, r->receive[i].bytes, r->receive[i].hash};
        }
        status = hxi_topology_agree(h->topology.comm,
                                    hxi_topology_confirm(&h->topology, h->topology.last_tag - 3, &c));
    }
    hxi_confirmation_free(&c);
    return status;
}

/* ---- running it ----------------------------------------------------------------------------------------- */

/* Lays the messages out in the buffer. */
static void set_buffers(hxi_moving *plan, unsigned char *buffer)
{
    for (int i = 0; i < plan->r.sends; ++i) {
        plan->out[i] = plan->round.send[i].data = buffer;
        buffer += hxi_buffers_round(plan->r.send[i].bytes);
    }
    for (int i = 0; i < plan->r.receives; ++i) {
        plan->in[i] = plan->round.receive[i].data = buffer;
        plan->round.receive[i].bytes = plan->r.receive[i].bytes;
        buffer += hxi_buffers_round(plan->r.receive[i].bytes);
    }
}

static hx_status send_all(hxi_moving *plan)
{
    hx_status status = hxi_peer_round_open(&plan->round);
    for (int i = 0; i < plan->r.sends && status == HX_OK; ++i) {
        const hxi_redistribution_message *m = &plan->r.send[i];
        hxi_ops_pack(plan->r.ops.pack + m->op, m->ops, plan->base, plan->out);
        status = hxi_peer_round_send(&plan->round, i);
    }
    return status;
}

/* Unpacks what has come, and waits for the rest; meanwhile exchanges go on, which others may wait for. */
static hx_status take_all(hx_handle *h, hxi_moving *plan, const char *caller)
{
    const double deadline = h->options.deadline > 0.0 ? hxi_clock() + h->options.deadline : 0.0;
    hx_status status = HX_OK;
    for (int left = plan->r.receives; left > 0 && status == HX_OK;) {
        int number = -1;
        status = hxi_peer_round_take(&plan->round, &number);
        if (status == HX_OK && number >= 0) {
            const hxi_redistribution_message *m = &plan->r.receive[number];
            hxi_ops_unpack(plan->r.ops.unpack + m->op, m->ops, plan->base, plan->in);
            --left;
        } else if (status == HX_OK) {
            hxi_exchange_advance(h);
            status = h->broken;
        }
        if (status == HX_OK && number < 0 && deadline > 0.0 && hxi_clock() > deadline) {
            status = hxi_fail(HX_ERR_DEADLINE, "%s: after %g seconds rank %d still waits for %d message%s.",
                              caller, h->options.deadline, h->topology.rank, left, hxi_s(left));
        }
    }
    return status;
}

/* Until what was sent has left: the buffer is needed so long. */
static hx_status wait_for_sends(hx_handle *h, hxi_moving *plan, const char *caller)
{
    const double deadline = h->options.deadline > 0.0 ? hxi_clock() + h->options.deadline : 0.0;
    bool through = false;
    hx_status status = hxi_peer_round_test(&plan->round, &through);
    while (status == HX_OK && !through) {
        hxi_exchange_advance(h);
        status = h->broken == HX_OK ? hxi_peer_round_test(&plan->round, &through) : h->broken;
        if (status == HX_OK && !through && deadline > 0.0 && hxi_clock() > deadline) {
            status =
                hxi_fail(HX_ERR_DEADLINE,
                         "%s: after %g seconds messages of rank %d have not left; their receivers do not "
                         "take them.",
                         caller, h->options.deadline, h->topology.rank);
        }
    }
    return status;
}

static hx_status move(hx_handle *h, hxi_moving *plan, const char *caller)
{
    hx_status status = send_all(plan);
    if (status == HX_OK) {
        hxi_ops_copy_within(&plan->r.ops, plan->base);
        status = take_all(h, plan, caller);
    }
    return status == HX_OK ? wait_for_sends(h, plan, caller) : status;
}

hx_status hxi_moving_run(hx_handle *h, hxi_moving *plan, const char *caller)
{
    void *buffer = NULL;
    hx_status status =
        hxi_topology_agree(h->topology.comm, hxi_buffers_take(&h->buffers, plan->bytes, &buffer));
    if (status == HX_OK) {
        set_buffers(plan, buffer);
        status = move(h, plan, caller);
        h->broken = h->broken == HX_OK ? status : h->broken;
    }
    hxi_buffers_give(&h->buffers, buffer, h->broken != HX_OK);
    return status;
}
