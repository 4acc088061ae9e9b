#include "exchange/phase_run.h"

#include "base/status.h"
#include "exchange/observe.h"
#include "exchange/unfit.h"
#include "pack/divide.h"

#include <string.h>

static const uint64_t magic = UINT64_C(0x68616c6f67656e31);

/* ---- open ---------------------------------------------------------------------------------------------- */

void hxi_phase_set_buffers(hxi_phase *phase, const hxi_binding *binding)
{
    for (int side = 0; side < 2; ++side) {
        const hxi_message *message = side == 0 ? binding->send : binding->receive;
        const int count = side == 0 ? binding->sends : binding->receives;
        for (int i = 0; i < count; ++i) {
            if (!message[i].in_place) {
                phase->buffer[message + i - phase->message] = message[i].buffer + phase->header;
            }
        }
    }
}

void hxi_phase_turn(hxi_phase *phase)
{
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        if (binding->transport->turn) {
            binding->transport->turn(binding);
            hxi_phase_set_buffers(phase, binding);
        }
    }
}

/* Tells the transports where in the arrays of a call messages are that need no buffer. */
static void place(hxi_phase *phase, void *const *base)
{
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        const hxi_contents *p = m < phase->sends ? &phase->send[m] : &phase->receive[m - phase->sends];
        if (p->slot >= 0) {
            phase->message[m].buffer = (unsigned char *)base[p->slot] + p->at;
        }
    }
}

/* From here on messages can come in, and buffers may be written.  base: the arrays of a call. */
static hx_status open_phase(hxi_phase *phase, void *const *base)
{
    phase->taken = 0;
    memset(phase->arrived, 0, (size_t)phase->receives);
    place(phase, base);
    hx_status status = HX_OK;
    for (int transport = 0; transport < phase->bindings && status == HX_OK; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        binding->taken = 0;
        status = binding->transport->start ? binding->transport->start(binding) : HX_OK;
        if ((binding->transport->flags & HX_TRANSPORT_TURNS) != 0) {
            hxi_phase_set_buffers(phase, binding);
        }
    }
    return status;
}

hx_status hxi_phases_open(hxi_plan *plan)
{
    plan->current = 0;
    hx_status status = HX_OK;
    for (int p = 0; p < plan->phases; ++p) {
        status = status == HX_OK ? open_phase(&plan->phase[p], plan->base) : status;
    }
    return status;
}

/* What kernels have found since, where they may find anything. */
static void note_unfit(hxi_plan *plan)
{
    if (!plan->fits) {
        hxi_unfit_note(plan);
    }
}

/* ---- pack and send ------------------------------------------------------------------------------------- */

static void write_header(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase, int message)
{
    const hxi_header header = {
        .magic = magic,
        .spec = handle->spec->hash,
        .sequence = plan->sequence,
        .bytes = phase->send[message].bytes,
        .exchange = plan->number,
        .rank = handle->topology.rank,
        .phase = (int32_t)(phase - plan->phase),
    };
    memcpy(phase->message[message].buffer, &header, sizeof header);
}

/* Need message `number` be packed?  If it is to be offered later, it is marked so. */
static hxi_answer offer(hxi_phase *phase, int number, void *const *base)
{
    hxi_contents *contents = &phase->send[number];
    hxi_binding *binding = &phase->binding[contents->transport];
    const hxi_answer answer =
        binding->push && binding->transport->offer
            ? binding->transport->offer(binding, (int)(phase->message + number - binding->send), base)
            : HX_PACK_IT;
    phase->late += (answer == HX_LATER) - contents->late;
    contents->late = answer == HX_LATER;
    return answer;
}

static hx_status send(hxi_phase *phase, int number)
{
    hxi_binding *binding = &phase->binding[phase->send[number].transport];
    return binding->transport->send(binding, (int)(phase->message + number - binding->send));
}

/* A message whose transport wants to know what of it is packed. */
typedef struct half_packed {
    hxi_binding *binding;
    int number;
    size_t header;
} half_packed;

static void tell_packed(void *data, size_t from, size_t bytes)
{
    const half_packed *h = data;
    h->binding->transport->packed(h->binding, h->number, h->header + from, bytes);
}

static void pack_message(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number)
{
    const hxi_contents *contents = &phase->send[number];
    hxi_binding *binding = &phase->binding[contents->transport];
    const hxi_pack_op *op = phase->ops.pack + contents->op;
    if (binding->transport->packed) {
        half_packed half = {binding, (int)(phase->message + number - binding->send), phase->header};
        hxi_divide_pack_and_tell(
            handle->team, contents->bytes,
            &(hxi_packing){op, contents->ops, plan->base, phase->buffer, {tell_packed, &half}});
    } else {
        hxi_divide_pack(handle->team, contents->bytes, op, contents->ops, plan->base, phase->buffer);
    }
}

/*
 * Packs and sends a message, unless it goes without that.  mark: when it begins, and ends, for observers.
 */
static hx_status deliver(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number,
                         double *mark)
{
    const bool late = phase->send[number].late;
    const double began = *mark;
    const hxi_answer answer = offer(phase, number, plan->base);
    if (late && answer != HX_LATER) {
        hxi_observe_waited(handle, plan, phase->send[number].peer, began);
    }
    if (answer == HX_MOVED_IT) {
        *mark = hxi_observe_delivery(handle, plan, phase, number, began, 0.0);
    }
    if (answer != HX_PACK_IT) {
        return HX_OK;
    }
    pack_message(handle, plan, phase, number);
    if (handle->options.check) {
        write_header(handle, plan, phase, number);
    }
    const double packed = hxi_observe_clock(handle, HX_OBSERVE_WORK);
    const hx_status status = send(phase, number);
    if (status == HX_OK) {
        *mark = hxi_observe_delivery(handle, plan, phase, number, began, packed);
    }
    return status;
}

/*
 * Operations that feed two messages first; then message after message, each sent as soon as it is complete.
 */
static hx_status pack_and_send(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, double *mark)
{
    const hxi_ops *ops = &phase->ops;
    if (ops->packs_shared > 0) {
        hxi_divide_pack(handle->team, phase->bytes_sent, ops->pack, ops->packs_shared, plan->base,
                        phase->buffer);
    }
    for (int m = 0; m < phase->sends; ++m) {
        const hx_status status = deliver(handle, plan, phase, m, mark);
        if (status != HX_OK) {
            return status;
        }
    }
    return HX_OK;
}

hx_status hxi_phase_deliver_late(const hx_handle *handle, hxi_plan *plan, hxi_phase *phase)
{
    hx_status status = HX_OK;
    for (int m = 0; m < phase->sends && phase->late > 0 && status == HX_OK; ++m) {
        if (phase->send[m].late) {
            double mark = hxi_observe_clock(handle, HX_OBSERVE_WORK);
            status = deliver(handle, plan, phase, m, &mark);
        }
    }
    note_unfit(plan);
    return status;
}

hx_status hxi_phase_begin(hx_handle *handle, hxi_plan *plan, hxi_phase *phase)
{
    const double before = hxi_stopwatch(handle);
    double mark = hxi_observe_clock(handle, HX_OBSERVE_WORK);
    const hx_status status = pack_and_send(handle, plan, phase, &mark);
    if (status == HX_OK) {
        hxi_divide_copy_within(handle->team, phase->bytes_copied, &phase->ops, plan->base);
        hxi_observe_span(handle, plan, phase, HX_EVENT_COPIED, mark);
    }
    note_unfit(plan);
    const double spent = hxi_stopwatch(handle) - before;
    plan->traffic.pack_seconds += spent;
    handle->busy += spent;
    return status;
}

/* The sooner the messages of the next phase are sent, the more they overlap. */
hx_status hxi_phases_begin(hx_handle *handle, hxi_plan *plan)
{
    hx_status status = hxi_phase_begin(handle, plan, &plan->phase[0]);
    while (status == HX_OK && plan->current < plan->phases - 1 && plan->phase[plan->current].receives == 0) {
        plan->current++;
        status = hxi_phase_begin(handle, plan, &plan->phase[plan->current]);
    }
    return status;
}

void hxi_phase_pack_here(hx_handle *handle, hxi_plan *plan, hxi_phase *phase)
{
    const double before = hxi_stopwatch(handle);
    hxi_ops_pack(phase->ops.pack, phase->ops.packs, plan->base, phase->buffer);
    const double packed = hxi_observe_clock(handle, HX_EVENT_BIT(HX_EVENT_COPIED));
    hxi_ops_copy_within(&phase->ops, plan->base);
    note_unfit(plan);
    hxi_observe_span(handle, plan, phase, HX_EVENT_COPIED, packed);
    for (int m = 0; m < phase->sends && handle->options.check; ++m) {
        write_header(handle, plan, phase, m);
    }
    plan->traffic.pack_seconds += hxi_stopwatch(handle) - before;
}

hx_status hxi_phase_send_packed(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number)
{
    const double packed = hxi_observe_clock(handle, HX_OBSERVE_WORK);
    const hx_status status = send(phase, number);
    if (status == HX_OK) {
        hxi_observe_delivery(handle, plan, phase, number, 0.0, packed);
    }
    return status;
}

hx_status hxi_phases_send_all(const hx_handle *handle, hxi_plan *plan)
{
    hxi_phase *phase = &plan->phase[0];
    hx_status status = hxi_phases_open(plan);
    for (int m = 0; m < phase->sends && status == HX_OK; ++m) {
        hxi_contents *contents = &phase->send[m];
        contents->late = plan->offers && contents->delivery == HX_PUSHED;
        phase->late += contents->late;
        status = contents->late ? HX_OK : hxi_phase_send_packed(handle, plan, phase, m);
    }
    return status;
}

/* ---- take and unpack ----------------------------------------------------------------------------------- */

hx_status hxi_phase_progress(hxi_phase *phase)
{
    hx_status status = HX_OK;
    for (int transport = 0; transport < phase->bindings && status == HX_OK; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        if (binding->under_way > 0) {
            status = binding->transport->progress(binding);
        }
    }
    return status;
}

/* Is a message what the receiver waits for? */
static hx_status check_header(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                              int number)
{
    const hxi_contents *contents = &phase->receive[number];
    hxi_header header;
    memcpy(&header, phase->message[phase->sends + number].buffer, sizeof header);
    if (header.magic == magic && header.spec == handle->spec->hash && header.sequence == plan->sequence &&
        header.bytes == contents->bytes && header.exchange == plan->number && header.rank == contents->peer &&
        header.phase == phase - plan->phase) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_MISMATCH,
                    "rank %d waits for exchange %d, phase %d, start %llu, %zu bytes, spec %016llx from rank "
                    "%d; what came %s says exchange %d, phase %d, start %llu, %llu bytes, spec %016llx from "
                    "rank %d.",
                    handle->topology.rank, plan->number, plan->current, (unsigned long long)plan->sequence,
                    contents->bytes, (unsigned long long)handle->spec->hash, contents->peer,
                    header.magic == magic ? "there" : "is no message of libhx: it", (int)header.exchange,
                    (int)header.phase, (unsigned long long)header.sequence, (unsigned long long)header.bytes,
                    (unsigned long long)header.spec, (int)header.rank);
}

/* Unpacks a message that has come, and what it and another one that came before feed together. */
static hx_status take_message(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number)
{
    if (handle->options.check) {
        const hx_status status = check_header(handle, plan, phase, number);
        if (status != HX_OK) {
            return status;
        }
    }
    if (phase->message[phase->sends + number].direct) {
        phase->arrived[number] = 1;
        return HX_OK;
    }
    const hxi_contents *contents = &phase->receive[number];
    unsigned char *const *buffer = phase->buffer + phase->sends;
    hxi_divide_unpack(handle->team, contents->bytes, phase->ops.unpack + contents->op, contents->ops,
                      plan->base, buffer);
    phase->arrived[number] = 1;
    for (int i = 0; i < contents->shareds; ++i) {
        const hxi_unpack_op *op = &phase->ops.unpack[phase->shared[contents->shared + i]];
        if (phase->arrived[op->message[0]] && phase->arrived[op->message[1]]) {
            hxi_divide_unpack(handle->team, contents->bytes, op, 1, plan->base, buffer);
        }
    }
    return HX_OK;
}

/* The number of the next message that has come and was not taken; -1: there is none. */
static int next_message(hxi_phase *phase)
{
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        if (binding->taken < binding->arrivals) {
            const hxi_message *came = &binding->receive[binding->arrived[binding->taken++]];
            phase->taken++;
            return (int)(came - phase->message) - phase->sends;
        }
    }
    return -1;
}

hx_status hxi_phase_take(hx_handle *handle, hxi_plan *plan, hxi_phase *phase, bool *moved)
{
    int number = next_message(phase);
    if (number < 0) {
        return HX_OK;
    }
    *moved = true;
    double mark = hxi_observe_clock(handle, HX_EVENT_BIT(HX_EVENT_UNPACKED));
    hxi_observe_waited(handle, plan, phase->receive[number].peer, mark);
    const double before = hxi_stopwatch(handle);
    hx_status status = HX_OK;
    for (; number >= 0 && status == HX_OK; number = next_message(phase)) {
        status = take_message(handle, plan, phase, number);
        if (status == HX_OK) {
            mark = hxi_observe_unpacked(handle, plan, phase, number, mark);
        }
    }
    note_unfit(plan);
    const double spent = hxi_stopwatch(handle) - before;
    plan->traffic.unpack_seconds += spent;
    handle->busy += spent;
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------- */

void hxi_phase_settle(hxi_phase *phase)
{
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        if (binding->transport->settle) {
            binding->transport->settle(binding);
        }
    }
}

int hxi_phase_under_way(const hxi_phase *phase)
{
    int under_way = phase->late;
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        under_way += phase->binding[transport].under_way;
    }
    return under_way;
}
