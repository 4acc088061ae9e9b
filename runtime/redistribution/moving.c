#include "redistribution/moving.h"

#include "base/clock.h"
#include "base/hardware.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/alloc.h"
#include "exchange/exchange.h"
#include "redistribution/moving_device.h"

#include <stdatomic.h>
#include <string.h>

static const char purpose[] = "a redistribution";

/* MPI counts up to INT_MAX: longer messages travel in pieces of so many bytes. */
#ifndef HX_MOVING_MOST
#define HX_MOVING_MOST (1 << 30)
#endif

/* ---- making it ------------------------------------------------------------------------------------------ */

hx_status hxi_moving_make(const hx_handle *h, const hxi_redistribution_task *task, hxi_moving *made)
{
    *made = (hxi_moving){0};
    const hx_status status = hxi_redistribution_make(task, &made->r);
    if (status != HX_OK) {
        return status;
    }
    const hxi_redistribution *r = &made->r;
    const size_t slots = (size_t)r->blocks.blocks * (size_t)r->exchange.fields;
    made->base = hxi_memory_get(slots, sizeof *made->base, purpose);
    made->in = hxi_memory_get((size_t)r->receives, sizeof *made->in, purpose);
    made->out = hxi_memory_get((size_t)r->sends, sizeof *made->out, purpose);
    made->send = hxi_memory_get((size_t)r->sends, sizeof *made->send, purpose);
    made->receive = hxi_memory_get((size_t)r->receives, sizeof *made->receive, purpose);
    if (!made->base || !made->in || !made->out || !made->send || !made->receive) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < r->sends; ++i) {
        made->send[i].node_rank = hxi_topology_node_rank(&h->topology, r->send[i].peer);
    }
    for (int i = 0; i < r->receives; ++i) {
        made->receive[i].node_rank = hxi_topology_node_rank(&h->topology, r->receive[i].peer);
    }
    return hxi_moving_device_make(h, task, made);
}

void hxi_moving_free(hxi_moving *moving)
{
    hxi_moving_device_free(moving);
    hxi_redistribution_free(&moving->r);
    hxi_peer_round_free(&moving->round);
    hxi_memory_free(moving->base);
    hxi_memory_free(moving->in);
    hxi_memory_free(moving->out);
    hxi_memory_free(moving->send);
    hxi_memory_free(moving->receive);
    hxi_memory_free(moving->message_of);
}

/* ---- how messages travel -------------------------------------------------------------------------------- */

/*
 * Between ranks of a node a message lies in memory that both reach: its receiver unpacks it from there, and MPI
 * carries only its place.  A rank writes there again in the next call, which begins when all ranks have come, and
 * so have read what was there.
 * What kernels of a device pack MPI carries, from memory that they write.
 */
static bool shares_memory(const hx_handle *h, const hxi_moving *m)
{
    const hxi_transport *chosen = hxi_transport_named(h->options.transport);
    return h->topology.node_ranks > 1 && !m->device && (!chosen || (chosen->flags & HX_TRANSPORT_NODE) != 0);
}

/* Places of those that may lie there; returns bytes of all of them. */
static size_t place_shared(hxi_moving *m)
{
    size_t bytes = 0;
    for (int i = 0; i < m->r.sends; ++i) {
        if (m->send[i].node_rank >= 0) {
            m->send[i].at = bytes;
            bytes += hxi_buffers_round(m->r.send[i].bytes);
        }
    }
    return bytes;
}

/* Collective over the node: has each of its ranks so much room there?  Where some lack it, they get more. */
static hx_status make_shared_room(hx_handle *h, int which, size_t bytes, bool *enough)
{
    hxi_node_memory *moved = &h->moved[which];
    const bool lacks = bytes > (moved->shared ? moved->bytes : 0);
    uint64_t lacking = 0;
    hx_status status =
        hxi_topology_node_agree(&h->topology, hxi_topology_node_sum(&h->topology, lacks, &lacking));
    *enough = status == HX_OK && lacking == 0;
    if (status != HX_OK || lacking == 0) {
        return status;
    }
    hxi_node_memory larger;
    status = hxi_node_memory_open(&h->topology, lacks ? bytes : moved->bytes, true, &larger);
    *enough = status == HX_OK && larger.shared;
    if (status == HX_OK && !larger.shared) {
        hxi_log(&h->options, HX_LOG_WARNING,
                "%s: fields between ranks of this node are moved by MPI, since they share no memory: %s",
                h->spec->name, larger.why);
    }
    if (*enough) {
        hxi_node_memory_close(moved);
        *moved = larger;
    } else {
        hxi_node_memory_close(&larger);
    }
    return status;
}

static int count_notes(const hxi_redistribution_message *message, hxi_moving_message *m, int count)
{
    int notes = 0;
    for (int i = 0; i < count; ++i) {
        const bool shared = m[i].node_rank >= 0;
        m[i].first_note = notes;
        m[i].notes = shared || message[i].bytes == 0 ? 1 : (int)((message[i].bytes - 1) / HX_MOVING_MOST + 1);
        notes += m[i].notes;
    }
    return notes;
}

/* Local: which notes there are, and room for them. */
static hx_status make_notes(const hx_handle *h, hxi_moving *m)
{
    const int sends = count_notes(m->r.send, m->send, m->r.sends);
    const int receives = count_notes(m->r.receive, m->receive, m->r.receives);
    m->message_of = hxi_memory_get((size_t)receives, sizeof *m->message_of, purpose);
    if (!m->message_of || hxi_peer_round_make(sends, receives, &m->round) != HX_OK) {
        return HX_ERR_MEMORY;
    }
    m->round.comm = h->topology.comm;
    m->round.sends = sends;
    m->round.receives = receives;
    for (int i = 0; i < m->r.sends + m->r.receives; ++i) {
        const bool sent = i < m->r.sends;
        const int number = sent ? i : i - m->r.sends;
        const hxi_redistribution_message *message = sent ? &m->r.send[number] : &m->r.receive[number];
        const hxi_moving_message *how = sent ? &m->send[number] : &m->receive[number];
        for (int n = how->first_note; n < how->first_note + how->notes; ++n) {
            hxi_peer_note *note = sent ? &m->round.send[n] : &m->round.receive[n];
            *note =
                (hxi_peer_note){.peer = message->peer, .tag = hxi_topology_tag(&h->topology, HX_TAG_MOVING)};
            if (!sent) {
                m->message_of[n] = number;
            }
        }
        m->bytes += how->node_rank < 0 ? hxi_buffers_round(message->bytes) : 0;
    }
    return HX_OK;
}

/* Collective: do both ends of each message see the same? */
static hx_status confirm(const hx_handle *h, const hxi_redistribution *r, hx_status status)
{
    hxi_confirmation c = {0};
    hxi_first first = {0};
    hxi_first_note(&first, status);
    hxi_first_note(&first, hxi_confirmation_make(r->sends, r->receives, &c));
    status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    if (status == HX_OK) {
        c.advice = "do all ranks give the same source?"; /* each handle agrees with itself since create */
        for (int i = 0; i < r->sends; ++i) {
            c.send[i] = (hxi_promise){r->send[i].peer, r->send[i].bytes, r->send[i].hash};
        }
        for (int i = 0; i < r->receives; ++i) {
            c.expect[i] = (hxi_promise){r->receive[i].peer, r->receive[i].bytes, r->receive[i].hash};
        }
        status = hxi_topology_agree(
            h->topology.comm,
            hxi_topology_confirm(&h->topology, hxi_topology_tag(&h->topology, HX_TAG_MOVING), &c));
    }
    hxi_confirmation_free(&c);
    return status;
}

static void carry_by_mpi(hxi_moving_message *m, int count)
{
    for (int i = 0; i < count; ++i) {
        m[i].node_rank = -1;
    }
}

hx_status hxi_moving_open(hx_handle *h, hxi_moving *m)
{
    bool shared = false;
    hx_status status = shares_memory(h, m) ? make_shared_room(h, m->which, place_shared(m), &shared) : HX_OK;
    if (!shared) {
        carry_by_mpi(m->send, m->r.sends);
        carry_by_mpi(m->receive, m->r.receives);
    }
    status = status == HX_OK ? make_notes(h, m) : status;
    status = status == HX_OK ? hxi_moving_hold(h, m) : status;
    return confirm(h, &m->r, status);
}

/* Where messages lie: in memory of the device, in pinned memory, or in any. */
static hxi_buffers buffers_of(const hx_handle *h, const hxi_moving *m)
{
    hxi_buffers buffers = m->device ? h->device->buffers : h->buffers;
    if (m->aware) {
        hxi_buffers_put(&h->device->buffers, h->device->calls, &buffers);
    }
    return buffers;
}

hx_status hxi_moving_hold(hx_handle *h, hxi_moving *m)
{
    hxi_buffers buffers = buffers_of(h, m);
    return m->aware && m->bytes > 0 ? hxi_buffers_take_shared(&buffers, m->bytes, &m->buffer)
                                    : hxi_buffers_take(&buffers, m->bytes, &m->buffer);
}

void hxi_moving_let_go(hx_handle *h, hxi_moving *m)
{
    hxi_buffers buffers = buffers_of(h, m);
    if (m->aware && m->bytes > 0) {
        hxi_buffers_give_shared(&buffers, m->buffer, h->broken != HX_OK);
    } else {
        hxi_buffers_give(&buffers, m->buffer, h->broken != HX_OK);
    }
    m->buffer = NULL;
}

/* ---- running it ----------------------------------------------------------------------------------------- */

/* The notes of a message, which lies there. */
static void set_notes(hxi_peer_note *note, const hxi_moving_message *m, unsigned char *data, size_t bytes)
{
    for (int i = 0; i < m->notes; ++i) {
        const size_t done = (size_t)i * HX_MOVING_MOST;
        note[m->first_note + i].data = data + done;
        note[m->first_note + i].bytes = bytes - done < HX_MOVING_MOST ? bytes - done : HX_MOVING_MOST;
    }
}

/* Lays the messages out in the buffer; of those in shared memory a place travels. */
static void set_buffers(const hx_handle *h, hxi_moving *m)
{
    unsigned char *buffer = m->buffer;
    for (int i = 0; i < m->r.sends; ++i) {
        hxi_moving_message *how = &m->send[i];
        const size_t bytes = m->r.send[i].bytes;
        if (how->node_rank >= 0) {
            m->out[i] = h->moved[m->which].own + how->at;
            set_notes(m->round.send, how, (unsigned char *)&how->at, sizeof how->at);
        } else {
            m->out[i] = buffer;
            set_notes(m->round.send, how, buffer, bytes);
            buffer += hxi_buffers_round(bytes);
        }
    }
    for (int i = 0; i < m->r.receives; ++i) {
        hxi_moving_message *how = &m->receive[i];
        const size_t bytes = m->r.receive[i].bytes;
        how->awaited = how->notes;
        if (how->node_rank >= 0) {
            set_notes(m->round.receive, how, (unsigned char *)&how->at, sizeof how->at);
        } else {
            m->in[i] = buffer;
            set_notes(m->round.receive, how, buffer, bytes);
            buffer += hxi_buffers_round(bytes);
        }
    }
}

static hx_status send_message(hxi_moving *m, int number)
{
    const hxi_redistribution_message *message = &m->r.send[number];
    const hxi_moving_message *how = &m->send[number];
    hxi_ops_pack(m->r.ops.pack + message->op, message->ops, m->base, m->out);
    if (how->node_rank >= 0) {
        hxi_order_stores();
        atomic_thread_fence(memory_order_release);
    }
    hx_status status = HX_OK;
    for (int n = 0; n < how->notes && status == HX_OK; ++n) {
        status = hxi_peer_round_send(&m->round, how->first_note + n);
    }
    return status;
}

/* Those to ranks behind this one first, so that not all send to the same one at once. */
static hx_status send_all(const hx_handle *h, hxi_moving *m)
{
    hx_status status = hxi_peer_round_open(&m->round);
    int first = 0;
    while (first < m->r.sends && m->r.send[first].peer < h->topology.rank) {
        ++first;
    }
    for (int i = 0; i < m->r.sends && status == HX_OK; ++i) {
        status = send_message(m, (first + i) % m->r.sends);
    }
    return status;
}

/* A note has come; true: and with it all of its message, which is unpacked. */
static bool take_note(const hx_handle *h, hxi_moving *m, int note)
{
    const int number = m->message_of[note];
    hxi_moving_message *how = &m->receive[number];
    if (--how->awaited > 0) {
        return false;
    }
    if (how->node_rank >= 0) {
        atomic_thread_fence(memory_order_acquire);
        m->in[number] = hxi_node_memory_of(&h->moved[m->which], how->node_rank) + how->at;
    }
    const hxi_redistribution_message *message = &m->r.receive[number];
    hxi_ops_unpack(m->r.ops.unpack + message->op, message->ops, m->base, m->in);
    return true;
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
            left -= take_note(h, plan, number);
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

/* Messages leave. */
static hx_status leave(hx_handle *h, hxi_moving *moving)
{
    set_buffers(h, moving);
    const hx_status status = send_all(h, moving);
    if (status == HX_OK) {
        hxi_ops_copy_within(&moving->r.ops, moving->base);
    }
    return status;
}

/* They come, and have left. */
static hx_status arrive(hx_handle *h, hxi_moving *moving, const char *caller)
{
    const hx_status status = take_all(h, moving, caller);
    return status == HX_OK ? wait_for_sends(h, moving, caller) : status;
}

/* Collective: do all ranks go on?  Nobody waits in a call of MPI for one whose deadline has passed. */
static hx_status agree(hx_handle *h, hx_status status, const char *caller)
{
    bool together = true;
    hxi_first first = {0};
    hxi_first_note(&first, status);
    hxi_first_note(&first, hxi_sets_meet(h, caller, &together));
    status = hxi_first_tell(&first);
    return together ? hxi_topology_agree(h->topology.comm, status) : status;
}

/*
 * With fields of a device ranks agree twice: no message leaves before all devices have packed, so nobody waits for one
 * from a rank whose device failed; and in the end.
 */
static hx_status leave_device(hx_handle *h, hxi_moving *moving, const char *caller)
{
    set_buffers(h, moving);
    hx_status status = agree(h, hxi_moving_device_leave(h, moving, caller), caller);
    if (status != HX_OK) {
        return status;
    }
    status = leave(h, moving);
    return status == HX_OK ? status : agree(h, status, caller);
}

static hx_status arrive_device(hx_handle *h, hxi_moving *moving, const char *caller)
{
    hx_status status = arrive(h, moving, caller);
    status = status == HX_OK ? hxi_moving_device_arrive(h, moving, caller) : status;
    return agree(h, status, caller);
}

hx_status hxi_moving_start(hx_handle *h, hxi_moving *moving, const char *caller)
{
    const hx_status status = moving->device ? leave_device(h, moving, caller) : leave(h, moving);
    h->broken = h->broken == HX_OK ? status : h->broken;
    return status;
}

hx_status hxi_moving_finish(hx_handle *h, hxi_moving *moving, const char *caller)
{
    const hx_status status = moving->device ? arrive_device(h, moving, caller) : arrive(h, moving, caller);
    h->broken = h->broken == HX_OK ? status : h->broken;
    hxi_moving_let_go(h, moving);
    return status;
}

hx_status hxi_moving_run(hx_handle *h, hxi_moving *moving, const char *caller)
{
    const hx_status status = hxi_moving_start(h, moving, caller);
    if (status == HX_OK) {
        return hxi_moving_finish(h, moving, caller);
    }
    hxi_moving_let_go(h, moving);
    return status;
}
