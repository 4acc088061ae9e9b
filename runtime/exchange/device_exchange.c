/*
 * Start and finish, where fields of an exchange lie in the memory of a device.
 *
 * What a rank does is put into streams; the host waits in finish only.  These orders make it right, whatever
 * a stream has still to do:
 *
 *     pack     after all that the stream of start was given before, which writes what is packed
 *     send     when the host sees that everything is packed.  Receives are opened then, too: what unpacked
 *              the exchange before is in the stream before what packs, so it has read its messages
 *     unpack   after all that the stream of finish was given before, which may read old ghost points
 *     pack     of the next exchange, after finish: its messages have left
 */
#include "base/status.h"
#include "base/text.h"
#include "device/array_memory.h"
#include "exchange/device_buffers.h"
#include "exchange/device_graph.h"
#include "exchange/exchange.h"
#include "exchange/observe.h"
#include "exchange/phase_run.h"
#include "exchange/progress.h"
#include "exchange/unfit.h"

#include <string.h>

/* ---- checks -------------------------------------------------------------------------------------------- */

static const char *name_of(const hxi_plan *plan, const char *verb, char buffer[HX_CALL])
{
    return hxi_call(plan->spec, plan->exchange, verb, buffer);
}

/* fault: what the array is. */
static hx_status refuse_place(const hx_handle *handle, const hxi_plan *plan, int slot, const char *fault,
                              const char *verb)
{
    const hx_spec *spec = plan->spec;
    const hx_field *field = &spec->field[plan->slot[slot].field];
    char caller[HX_CALL];
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: exchange \"%s\" needs field %s (line %d) of block %d in memory of %s; the pointer that "
        "rank %d gave to %s is %s.  Give %s, or an array of %s_alloc.",
        spec->file, plan->exchange->line, plan->exchange->name, field->name, field->line,
        plan->slot[slot].block, plan->on_device[slot] ? "the device" : "the host", handle->topology.rank,
        name_of(plan, verb, caller), fault,
        plan->on_device[slot] ? "one of cudaMalloc" : "memory of the host", spec->name);
}

/* Do the arrays lie where they are to?  The device's library is asked once for each, or by option check
 * always. */
static hx_status check_places(const hx_handle *handle, hxi_plan *plan, const char *verb)
{
    for (int s = 0; s < plan->slots; ++s) {
        if (plan->base[s] == plan->placed[s] && (!handle->options.check || !plan->base[s])) {
            continue;
        }
        char fault[HX_SENTENCE / 4] = "";
        hxi_text text = {fault, sizeof fault, 0};
        const int error = hxi_array_memory_fault(plan->device, plan->base[s], plan->on_device[s], &text);
        if (error != 0) {
            char caller[HX_CALL];
            return hxi_device_fail(plan->device->calls, error,
                                   "%s: asking where the array %p of field %s of block %d lies",
                                   name_of(plan, verb, caller), plan->base[s],
                                   plan->spec->field[plan->slot[s].field].name, plan->slot[s].block);
        }
        if (text.length > 0) {
            return refuse_place(handle, plan, s, fault, verb);
        }
        plan->placed[s] = plan->base[s];
    }
    return HX_OK;
}

/* What a graph is made of runs later, and as often as one likes; messages that are sent leave once. */
static hx_status check_capture(const hx_handle *handle, const hxi_plan *plan, hx_stream stream,
                               const char *verb)
{
    uint64_t capture = 0;
    const hx_status status = hxi_device_graph_asked(handle, plan->number, stream, verb, &capture);
    char caller[HX_CALL];
    return capture == 0
               ? status
               : hxi_fail(HX_ERR_STATE,
                          "%s: the stream is being captured, and messages are no part of a graph; "
                          "capture %s_%s_pack and %s_%s_unpack, and call send and receive between the "
                          "two graphs.",
                          name_of(plan, verb, caller), plan->spec->name, plan->exchange->name,
                          plan->spec->name, plan->exchange->name);
}

static hx_status check_stream(const hx_handle *handle, hxi_plan *plan, hx_stream stream, const char *verb)
{
    if (!stream || (stream == plan->stream && !handle->options.check)) {
        return HX_OK;
    }
    char caller[HX_CALL];
    const hx_status status = hxi_device_check_stream(plan->device, stream, name_of(plan, verb, caller));
    plan->stream = status == HX_OK ? stream : plan->stream;
    return status;
}

/* The exchange of a call.  It is made on the device of the handle. */
static hx_status find(hx_handle *handle, int exchange, const char *verb, hxi_plan **plan)
{
    hx_status status = hxi_exchange_find(handle, exchange, verb, true, plan);
    char caller[HX_CALL];
    status = status == HX_OK ? hxi_device_graph_look(handle, *plan) : status;
    return status == HX_OK ? hxi_device_check_current((*plan)->device, name_of(*plan, verb, caller)) : status;
}

/* With a stream, which is of that device. */
static hx_status find_on(hx_handle *handle, int exchange, const char *verb, hx_stream stream, hxi_plan **plan)
{
    const hx_status status = find(handle, exchange, verb, plan);
    return status == HX_OK ? check_stream(handle, *plan, stream, verb) : status;
}

/* Half of a start or of a finish is for an exchange that is not under way. */
static hx_status check_idle(const hx_handle *handle, const hxi_plan *plan, const char *verb)
{
    char caller[HX_CALL];
    return plan->state == HX_PLAN_IDLE
               ? HX_OK
               : hxi_fail(HX_ERR_STATE,
                          "%s:%d: %s on rank %d: exchange \"%s\" is under way; receive it first.",
                          plan->spec->file, plan->exchange->line, name_of(plan, verb, caller),
                          handle->topology.rank, plan->exchange->name);
}

/* Its messages were packed, if maybe by a graph. */
static hx_status check_packed(const hx_handle *handle, const hxi_plan *plan)
{
    char caller[HX_CALL];
    return plan->taken ? HX_OK
                       : hxi_fail(HX_ERR_STATE,
                                  "%s:%d: %s on rank %d: exchange \"%s\" was never packed; pack it first.",
                                  plan->spec->file, plan->exchange->line, name_of(plan, "send", caller),
                                  handle->topology.rank, plan->exchange->name);
}

static hx_status check_sent(const hx_handle *handle, const hxi_plan *plan)
{
    char caller[HX_CALL];
    return plan->state == HX_PLAN_UNDER_WAY
               ? HX_OK
               : hxi_fail(
                     HX_ERR_STATE,
                     "%s:%d: %s on rank %d: exchange \"%s\" was neither sent nor started; send it first.",
                     plan->spec->file, plan->exchange->line, name_of(plan, "receive", caller),
                     handle->topology.rank, plan->exchange->name);
}

/* The arrays of a call.  If it fails they are any, of which nothing may be sent; what is under way is as it
 * was. */
static hx_status take(const hx_handle *handle, hxi_plan *plan, const void *fields, const char *verb)
{
    hx_status status = hxi_exchange_take(handle, plan, fields, verb);
    status = status == HX_OK ? check_places(handle, plan, verb) : status;
    plan->capturing = false; /* with other arrays */
    if (status == HX_OK) {
        hxi_device_work_take(plan->phase[0].device, plan->base, plan->on_device);
    } else if (plan->state == HX_PLAN_IDLE) {
        plan->taken = false;
    }
    return status;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* That of the exchange, for which no other one waits. */
static hx_stream own_of(const hxi_plan *plan)
{
    return plan->device->own[plan->number];
}

static bool is_by_hand(const hxi_plan *plan)
{
    const hxi_phase *phase = &plan->phase[0];
    return (phase->binding[phase->bindings - 1].transport->flags & HX_TRANSPORT_BY_HAND) != 0;
}

/*
 * Where no finish, or receive, waits for what start has put into the own stream the stream of the call does:
 * so the application can see messages packed that it moves itself, and finds what a rank without any copied.
 */
static bool nothing_is_awaited(const hxi_plan *plan)
{
    const hxi_phase *phase = &plan->phase[0];
    return is_by_hand(plan) || phase->sends + phase->receives == 0;
}

/* Transports of HX_TRANSPORT_STREAM move all messages behind what packs; a graph has no mark for the host. */
static hx_status put(hxi_phase *phase, hx_stream stream, bool captured)
{
    hx_status status = HX_OK;
    for (int i = HX_FIRST_TRANSPORT; i < phase->bindings && status == HX_OK; ++i) {
        hxi_binding *binding = &phase->binding[i];
        if (binding->transport->put) {
            status = binding->transport->put(binding, stream);
            status = status == HX_OK && !captured ? binding->transport->mark(binding, stream) : status;
        }
    }
    return status;
}

/* Fields of the host are packed here and now.  The rest goes when the stream has come to here. */
static hx_status send(hx_handle *handle, hxi_plan *plan, hx_stream stream)
{
    const hxi_phase *phase = &plan->phase[0];
    hx_status status = hxi_exchange_enter(handle, plan);
    if (status != HX_OK) {
        return status;
    }
    hxi_phase_pack_here(handle, plan, &plan->phase[0]);
    if (phase->sends + phase->receives == 0) {
        /* Nobody has to wait for the device, but who asks it which numbers do not fit. */
        status = phase->device->unfit ? hxi_device_work_follow(phase->device, own_of(plan), stream) : HX_OK;
        return status == HX_OK ? hxi_phases_send_all(handle, plan) : status;
    }
    status = hxi_device_work_mark(phase->device, stream);
    plan->packing = status == HX_OK;
    plan->packing_since = hxi_observe_clock(handle, HX_EVENT_BIT(HX_EVENT_PACKED));
    return status == HX_OK ? put(&plan->phase[0], stream, false) : status;
}

static hx_status pack(hx_handle *handle, const hxi_plan *plan, hx_stream stream)
{
    (void)handle;
    const hxi_device_work *work = plan->phase[0].device;
    const hx_status status = hxi_device_work_pack(work, stream);
    return status == HX_OK ? hxi_device_work_copy_within(work, stream) : status;
}

/* When the host sees that this is done, so is all that the stream has been given. */
static hx_status pack_and_send(hx_handle *handle, hxi_plan *plan, hx_stream stream)
{
    const hx_status status = pack(handle, plan, stream);
    return status == HX_OK ? send(handle, plan, stream) : status;
}

/*
 * Others hear as soon as may be that they may write; what is copied within the rank is behind that, and
 * before what this rank will write into arrays of others, which the host is to see done.
 */
static hx_status offer(hx_handle *handle, hxi_plan *plan, hx_stream stream)
{
    hx_status status = hxi_device_direct_begin(plan->phase[0].straight, stream);
    status = status == HX_OK ? send(handle, plan, stream) : status;
    return status == HX_OK ? hxi_device_work_copy_within(plan->phase[0].device, stream) : status;
}

static hx_status start(hx_handle *handle, int exchange, const void *fields, hx_stream stream)
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, "start", stream, &plan);
    status = status == HX_OK ? take(handle, plan, fields, "start") : status;
    if (status != HX_OK) {
        return status;
    }
    const hx_stream own = own_of(plan);
    const hxi_device_work *work = plan->phase[0].device;
    plan->taken = true;
    hxi_device_buffers_turn(&plan->phase[0]);
    plan->offers = plan->phase[0].straight && hxi_posting_note(&plan->posting, &handle->sets, plan->base);
    if (plan->phase[0].straight && !plan->offers) {
        hxi_posting_raise(&plan->posting, plan->sequence + 1); /* others need not wait to hear that */
    }
    status = hxi_device_work_follow(work, own, stream);
    if (status == HX_OK) {
        status = plan->offers ? offer(handle, plan, own) : pack_and_send(handle, plan, own);
    }
    if (status == HX_OK && nothing_is_awaited(plan)) {
        status = hxi_device_work_follow(work, stream, own);
    }
    handle->broken = hxi_plan_prefix(plan, status);
    return handle->broken;
}

/* Also what the application's function puts into the stream. */
static hx_status fill_walls(hx_handle *handle, const hxi_plan *plan, hx_stream stream)
{
    const hxi_device_work *work = plan->phase[0].device;
    handle->filling = true;
    const hx_status status =
        hxi_device_fills_boundary(plan->fills, work->in, work->aligned != 0, &handle->hook_on, stream);
    handle->filling = false;
    return status;
}

/* All that waits for messages. */
static hx_status unpack(hx_handle *handle, const hxi_plan *plan, hx_stream stream)
{
    const hx_status status = hxi_device_work_unpack(plan->phase[0].device, stream);
    return status == HX_OK ? fill_walls(handle, plan, stream) : status;
}

/* The same where some messages may be in arrays already. */
static hx_status unpack_rest(hx_handle *handle, const hxi_plan *plan, hx_stream stream)
{
    const hx_status status = hxi_device_direct_unpack(plan->phase[0].straight, stream);
    return status == HX_OK ? fill_walls(handle, plan, stream) : status;
}

/*
 * Is there nothing left to do?  Then the host has seen that the device has done all, since what it saw last
 * came last in the own stream.
 */
static bool is_done(const hxi_plan *plan)
{
    const hxi_device_direct *straight = plan->phase[0].straight;
    return plan->offers && straight->partners.count > 0 && hxi_device_direct_all_there(straight) &&
           !plan->fills;
}

/* Until the device has come to the mark. */
static hx_status await_mark(hx_handle *handle, const hxi_plan *plan, const char *purpose)
{
    const double deadline = handle->options.deadline;
    const double until = hxi_clock() + deadline;
    bool done = false;
    hx_status status = HX_OK;
    while (status == HX_OK && !done) {
        status = hxi_device_work_marked(plan->phase[0].device, &done);
        if (status == HX_OK && !done && deadline > 0.0 && hxi_clock() > until) {
            return hxi_fail(HX_ERR_DEADLINE,
                            "after %g seconds rank %d still waits for device %d to %s.  The handle can only "
                            "be destroyed now.",
                            deadline, handle->topology.rank, plan->device->number, purpose);
        }
        hxi_exchange_advance(handle);
    }
    return status;
}

/* Waits for the device where integers may not fit the format in which they travel. */
static hx_status look_for_unfit(hx_handle *handle, hxi_plan *plan)
{
    const hxi_device_work *work = plan->phase[0].device;
    if (!work->unfit) {
        return HX_OK;
    }
    hx_status status = hxi_device_work_look(work, own_of(plan));
    status = status == HX_OK ? hxi_device_work_mark(work, own_of(plan)) : status;
    status = status == HX_OK ? await_mark(handle, plan, "tell whether all numbers fit") : status;
    if (status == HX_OK) {
        hxi_unfit_note_device(plan, work->seen->number, work->seen->value);
    }
    return status;
}

static hx_status finish(hx_handle *handle, int exchange, hx_stream stream)
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, "finish", stream, &plan);
    status = status == HX_OK ? hxi_exchange_wait(handle, plan) : status;
    if (status != HX_OK) {
        return status;
    }
    if (is_done(plan)) {
        return HX_OK;
    }
    const hx_stream own = own_of(plan);
    const hxi_device_work *work = plan->phase[0].device;
    status = hxi_device_work_follow(work, own, stream);
    if (status == HX_OK) {
        status = plan->phase[0].straight ? unpack_rest(handle, plan, own) : unpack(handle, plan, own);
    }
    status = status == HX_OK ? hxi_device_work_follow(work, stream, own) : status;
    status = status == HX_OK ? look_for_unfit(handle, plan) : status;
    handle->broken = hxi_plan_prefix(plan, status);
    return handle->broken;
}

/* The same for a graph, in the stream itself.  In a graph it is the number of launches that takes time. */
static hx_status start_in_graph(hx_handle *handle, int exchange, const void *fields, hx_stream stream)
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, "start", stream, &plan);
    status = status == HX_OK ? hxi_device_graph_check(handle, plan, "start") : status;
    status = status == HX_OK ? take(handle, plan, fields, "start") : status;
    if (status != HX_OK) {
        return status;
    }
    const hxi_device_work *work = plan->phase[0].device;
    plan->capturing = true;
    status = hxi_device_graph_step(plan, HX_CUDA_BEGIN, stream);
    status = status == HX_OK ? hxi_device_work_leave(work, stream) : status;
    status = status == HX_OK ? hxi_device_graph_step(plan, HX_CUDA_SEND, stream) : status;
    status = status == HX_OK ? put(&plan->phase[0], stream, true) : status;
    handle->broken = hxi_plan_prefix(plan, status);
    return handle->broken;
}

static hx_status check_captured(const hx_handle *handle, const hxi_plan *plan)
{
    return plan->capturing
               ? HX_OK
               : hxi_fail(
                     HX_ERR_STATE,
                     "%s:%d: exchange \"%s\" was finished on rank %d in a stream that is being captured, "
                     "and its start was not captured before; capture both, in this order.",
                     plan->spec->file, plan->exchange->line, plan->exchange->name, handle->topology.rank);
}

static hx_status finish_in_graph(hx_handle *handle, int exchange, hx_stream stream)
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, "finish", stream, &plan);
    status = status == HX_OK ? check_captured(handle, plan) : status;
    if (status != HX_OK) {
        return status;
    }
    plan->capturing = false;
    plan->in_graphs = true;
    status = hxi_device_graph_step(plan, HX_CUDA_AWAIT, stream);
    status = status == HX_OK ? unpack(handle, plan, stream) : status;
    handle->broken = hxi_plan_prefix(plan, status);
    return handle->broken;
}

/* Half of start, or of finish: what a stream does, and nothing else. */
static hx_status run(hx_handle *handle, int exchange, const void *fields, hx_stream stream, const char *verb,
                     hx_status (*half)(hx_handle *handle, const hxi_plan *plan, hx_stream stream))
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, verb, stream, &plan);
    status = status == HX_OK ? check_idle(handle, plan, verb) : status;
    status = status == HX_OK ? take(handle, plan, fields, verb) : status;
    if (status != HX_OK) {
        return status;
    }
    plan->taken = plan->taken || half == pack;
    hxi_device_buffers_halfway(&plan->phase[0]);
    handle->broken = hxi_plan_prefix(plan, half(handle, plan, stream));
    return handle->broken;
}

/* Arrays that are given for this alone: a send to come has those of its pack. */
static hx_status fill_corners(hx_handle *handle, int exchange, int fill, const void *fields, hx_stream stream)
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, "corners", stream, &plan);
    status = status == HX_OK ? hxi_exchange_may_fill(handle, plan, fill) : status;
    if (status != HX_OK || !plan->fills) {
        return status;
    }
    void **kept = plan->base;
    const bool distinct = plan->distinct; /* those of its start */
    plan->base = plan->fills->base;
    plan->distinct = false;
    status = hxi_exchange_take_arrays(handle, plan, fields, "corners");
    status = status == HX_OK ? check_places(handle, plan, "corners") : status;
    if (status == HX_OK) {
        hxi_corners_run(&plan->corners, fill, plan->base);
        status = hxi_device_fills_corners(plan->fills, fill, plan->on_device, stream);
        handle->broken = hxi_plan_prefix(plan, status);
    }
    plan->base = kept;
    plan->distinct = distinct;
    return status;
}

/* Sends what a half of start has packed. */
static hx_status send_packed(hx_handle *handle, hxi_plan *plan, hx_stream stream)
{
    hxi_device_buffers_turn(&plan->phase[0]);
    plan->offers = false;
    if (plan->phase[0].straight) {
        plan->posting.posted->known = 0; /* arrays are those of an unpack to come */
        hxi_posting_raise(&plan->posting, plan->sequence + 1);
    }
    const hx_status status = hxi_device_buffers_send(&plan->phase[0], stream);
    return status == HX_OK ? send(handle, plan, stream) : status;
}

/* What came is where the half of finish looks for it when this returns. */
static hx_status fetch(hx_handle *handle, hxi_plan *plan)
{
    const hxi_phase *phase = &plan->phase[0];
    bool copies = false;
    bool returns = false;
    hx_status status = HX_OK;
    if (phase->straight) {
        hxi_device_buffers_halfway(&plan->phase[0]);
        status = hxi_device_direct_return(phase->straight, &returns, own_of(plan));
    }
    status = status == HX_OK ? hxi_device_buffers_receive(phase, own_of(plan), &copies) : status;
    if (status != HX_OK || !(copies || returns)) {
        return status;
    }
    status = hxi_device_work_mark(phase->device, own_of(plan));
    return status == HX_OK ? await_mark(handle, plan, "copy what came") : status;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

/* Exchanges that graphs will do are nothing that observers could see. */
static hx_status start_any(hx_handle *handle, int exchange, const void *fields, hx_stream stream)
{
    uint64_t capture = 0;
    hx_status status = hxi_device_graph_asked(handle, exchange, stream, "start", &capture);
    if (status != HX_OK || capture != 0) {
        return status == HX_OK ? start_in_graph(handle, exchange, fields, stream) : status;
    }
    hxi_observe_call(handle, exchange, HX_EVENT_START, HX_OK);
    status = start(handle, exchange, fields, stream);
    hxi_observe_call(handle, exchange, HX_EVENT_STARTED, status);
    return status;
}

hx_status hx_start_on(hx_handle *handle, int exchange, const void *fields, hx_stream stream)
{
    hx_status status = hxi_exchange_hold(handle, "start an exchange");
    if (status == HX_OK) {
        status = start_any(handle, exchange, fields, stream);
        hxi_progress_release(handle);
    }
    return status;
}

static hx_status finish_any(hx_handle *handle, int exchange, hx_stream stream)
{
    uint64_t capture = 0;
    hx_status status = hxi_device_graph_asked(handle, exchange, stream, "finish", &capture);
    if (status != HX_OK || capture != 0) {
        return status == HX_OK ? finish_in_graph(handle, exchange, stream) : status;
    }
    hxi_observe_call(handle, exchange, HX_EVENT_FINISH, HX_OK);
    status = finish(handle, exchange, stream);
    hxi_observe_call(handle, exchange, HX_EVENT_FINISHED, status);
    return status;
}

hx_status hx_finish_on(hx_handle *handle, int exchange, hx_stream stream)
{
    hx_status status = hxi_exchange_hold(handle, "finish an exchange");
    if (status == HX_OK) {
        status = finish_any(handle, exchange, stream);
        status = status == HX_OK ? hxi_unfit_report(handle, exchange) : status;
        hxi_progress_release(handle);
    }
    return status;
}

hx_status hx_pack_on(hx_handle *handle, int exchange, const void *fields, hx_stream stream)
{
    hx_status status = hxi_exchange_hold(handle, "pack messages");
    if (status == HX_OK) {
        status = run(handle, exchange, fields, stream, "pack", pack);
        hxi_progress_release(handle);
    }
    return status;
}

static hx_status send_on(hx_handle *handle, int exchange, hx_stream stream)
{
    hxi_plan *plan = NULL;
    hx_status status = find_on(handle, exchange, "send", stream, &plan);
    status = status == HX_OK ? check_capture(handle, plan, stream, "send") : status;
    status = status == HX_OK ? check_idle(handle, plan, "send") : status;
    status = status == HX_OK ? check_packed(handle, plan) : status;
    if (status == HX_OK) {
        status = hxi_plan_prefix(plan, send_packed(handle, plan, stream));
        handle->broken = status;
    }
    return status;
}

hx_status hx_send_on(hx_handle *handle, int exchange, hx_stream stream)
{
    hx_status status = hxi_exchange_hold(handle, "send messages");
    if (status == HX_OK) {
        status = send_on(handle, exchange, stream);
        hxi_progress_release(handle);
    }
    return status;
}

static hx_status receive(hx_handle *handle, int exchange)
{
    hxi_plan *plan = NULL;
    hx_status status = find(handle, exchange, "receive", &plan);
    status = status == HX_OK ? check_sent(handle, plan) : status;
    status = status == HX_OK ? hxi_exchange_wait(handle, plan) : status;
    if (status == HX_OK) {
        status = fetch(handle, plan);
        status = hxi_plan_prefix(plan, status == HX_OK ? look_for_unfit(handle, plan) : status);
        handle->broken = status == HX_OK ? handle->broken : status;
    }
    return status;
}

hx_status hx_receive(hx_handle *handle, int exchange)
{
    hx_status status = hxi_exchange_hold(handle, "receive messages");
    if (status == HX_OK) {
        status = receive(handle, exchange);
        status = status == HX_OK ? hxi_unfit_report(handle, exchange) : status;
        hxi_progress_release(handle);
    }
    return status;
}

hx_status hx_unpack_on(hx_handle *handle, int exchange, const void *fields, hx_stream stream)
{
    hx_status status = hxi_exchange_hold(handle, "unpack messages");
    if (status == HX_OK) {
        status = run(handle, exchange, fields, stream, "unpack", unpack);
        hxi_progress_release(handle);
    }
    return status;
}

hx_status hx_fill_corners_on(hx_handle *handle, int exchange, int fill, const void *fields, hx_stream stream)
{
    hx_status status = hxi_exchange_hold(handle, "fill corners");
    if (status == HX_OK) {
        status = fill_corners(handle, exchange, fill, fields, stream);
        hxi_progress_release(handle);
    }
    return status;
}
