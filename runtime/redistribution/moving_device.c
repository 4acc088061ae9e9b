#include "redistribution/moving_device.h"

#include "base/clock.h"
#include "base/devices.h"
#include "base/memory.h"
#include "base/status.h"
#include "exchange/exchange.h"

hx_status hxi_moving_device_check(const hx_handle *h, hx_stream stream, const char *caller)
{
    hx_status status = hxi_device_check_current(h->device, caller);
    status = status == HX_OK ? hxi_device_check_stream(h->device, stream, caller) : status;
    uint64_t capture = 0;
    const int error = status == HX_OK ? h->device->calls->capture(stream, &capture) : 0;
    if (error != 0) {
        return hxi_device_fail(h->device->calls, error, "%s: asking whether the stream is captured", caller);
    }
    return capture == 0
               ? status
               : hxi_fail(HX_ERR_STATE,
                          "%s on rank %d: the stream is being captured, and messages are no part of a "
                          "graph; call it outside.",
                          caller, h->topology.rank);
}

/* ---- making -------------------------------------------------------------------------------------------- */

static hx_status make_slots(hxi_moving *m)
{
    const hxi_redistribution *r = &m->r;
    const int slots = r->blocks.blocks * r->exchange.fields;
    m->on_device = hxi_memory_get((size_t)slots, sizeof *m->on_device, "the arrays of a redistribution");
    return m->on_device ? HX_OK : HX_ERR_MEMORY;
}

hx_status hxi_moving_device_make(const hx_handle *h, const hxi_redistribution_task *task, hxi_moving *m)
{
    const hxi_redistribution *r = &m->r;
    if (!hxi_device_has(h->spec, &r->exchange)) {
        return HX_OK;
    }
    hx_status status = make_slots(m);
    if (status != HX_OK) {
        return status;
    }
    for (int slot = 0; slot < r->blocks.blocks * r->exchange.fields; ++slot) {
        m->on_device[slot] = h->spec->field[r->item[slot % r->exchange.fields].field].on_device &&
                             !r->blocks.block[slot / r->exchange.fields].on_host;
    }
    hxi_message_placing asked = {0};
    hxi_messages_named(h->options.device_messages, &asked.messages);
    m->aware = /* what the host packs or unpacks is not there */
        !task->selected &&
        hxi_messages_choose(h->spec, &r->exchange, &h->options, false, &asked).messages == HX_MESSAGES_AWARE;
    hxi_share there;
    status = hxi_redistribution_share(task, r, true, &there);
    status = status == HX_OK ? hxi_device_work_make(h->device, &there.work, r->sends, r->receives, &m->device)
                             : status;
    hxi_share_free(&there);
    return status;
}

void hxi_moving_device_free(hxi_moving *m)
{
    hxi_device_work_free(m->device, 0);
    hxi_memory_free(m->on_device);
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Kernels find the messages where they lie in this run. */
static hx_status lay(hxi_moving *m)
{
    hxi_device_message *message = m->device->message;
    for (int i = 0; i < m->r.sends; ++i) {
        *message++ = (hxi_device_message){.buffer = m->out[i], .bytes = m->r.send[i].bytes};
    }
    for (int i = 0; i < m->r.receives; ++i) {
        *message++ = (hxi_device_message){.buffer = m->in[i], .bytes = m->r.receive[i].bytes};
    }
    return hxi_device_work_bind(m->device, m->aware ? HX_MESSAGES_AWARE : HX_MESSAGES_MAPPED);
}

/* Until the device has done what the stream was given so far; meanwhile exchanges go on, which others may wait for. */
static hx_status wait(hx_handle *h, const hxi_moving *m, const char *caller)
{
    const double deadline = h->options.deadline;
    const double until = hxi_clock() + deadline;
    bool done = false;
    hx_status status = hxi_device_work_mark(m->device, m->stream);
    while (status == HX_OK && !done) {
        status = hxi_device_work_marked(m->device, &done);
        if (status == HX_OK && !done && deadline > 0.0 && hxi_clock() > until) {
            return hxi_fail(HX_ERR_DEADLINE,
                            "%s: after %g seconds device %d of rank %d still has to do what the stream was "
                            "given.  Do kernels there wait for something?",
                            caller, deadline, h->device->number, h->topology.rank);
        }
        if (status == HX_OK && !done) {
            hxi_exchange_advance(h);
            hxi_clock_yield();
        }
    }
    return status;
}

hx_status hxi_moving_device_leave(hx_handle *h, hxi_moving *m, const char *caller)
{
    hx_status status = lay(m);
    hxi_device_work_take(m->device, m->base, m->on_device);
    status = status == HX_OK ? hxi_device_work_leave(m->device, m->stream) : status;
    return status == HX_OK ? wait(h, m, caller) : status;
}

hx_status hxi_moving_device_arrive(hx_handle *h, hxi_moving *m, const char *caller)
{
    const hx_status status = hxi_device_work_unpack(m->device, m->stream);
    return status == HX_OK ? wait(h, m, caller) : status;
}
