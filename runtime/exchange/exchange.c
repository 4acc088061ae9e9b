/*
 * Start and finish.
 */
#include "exchange/exchange.h"

#include "base/status.h"
#include "exchange/audits.h"
#include "exchange/deadline_report.h"
#include "exchange/observe.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <stdbool.h>
#include <string.h>

/*
 * How often a wait that finds nothing polls before it lets others run; a poll takes a tenth of a microsecond.
 * At once where ranks share processors, since the peer may need this one.  Where they do not, anyone else who
 * gets this processor keeps it for longer than an exchange takes.  Who has yielded for about a millisecond
 * waits for something that takes longer than an exchange, and had better not keep a processor busy: it sleeps
 * in between.
 *
 * Who by then waits for nothing but that others read what it offers packs it: they may come only when this
 * rank has finished.
 *
 * Some transports never call MPI.  But a peer may be on its way here only when a message of the application's
 * has left this rank, and MPI may need calls for that: a few of the polls, and all that yield, call it.
 */
enum {
    POLLS_BEFORE_MPI = 64,
    POLLS_BEFORE_YIELD = 5000,
    YIELDS_BEFORE_SLEEP = 2000,
    SLEEP_MICROSECONDS = 50
};

static const uint64_t magic = UINT64_C(0x68616c6f67656e31);

/* Seconds, but 0 if nobody wants to know. */
static double stopwatch(const hx_handle *handle)
{
    return handle->options.timing ? hxi_clock() : 0.0;
}

/* ---- start --------------------------------------------------------------------------------------------- */

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

/* Packs and sends a message, unless it goes without that. */
static hx_status deliver(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number)
{
    const bool late = phase->send[number].late;
    const double began = hxi_observe_clock(handle);
    const hxi_answer answer = hxi_phase_offer(phase, number, plan->base);
    if (late && answer != HX_LATER) {
        hxi_observe_waited(handle, plan, phase->send[number].peer, began);
    }
    if (answer == HX_MOVED_IT) {
        hxi_observe_delivery(handle, plan, phase, number, began, 0.0);
    }
    if (answer != HX_PACK_IT) {
        return HX_OK;
    }
    const hxi_contents *contents = &phase->send[number];
    hxi_ops_pack(phase->ops.pack + contents->op, contents->ops, plan->base, phase->buffer);
    if (handle->options.check) {
        write_header(handle, plan, phase, number);
    }
    const double packed = hxi_observe_clock(handle);
    const hx_status status = hxi_phase_send(phase, number);
    hxi_observe_delivery(handle, plan, phase, number, began, packed);
    return status;
}

/*
 * Operations that feed two messages first; then message after message, each sent as soon as it is complete.
 */
static hx_status pack_and_send(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase)
{
    const hxi_ops *ops = &phase->ops;
    hxi_ops_pack(ops->pack, ops->packs_shared, plan->base, phase->buffer);
    for (int m = 0; m < phase->sends; ++m) {
        const hx_status status = deliver(handle, plan, phase, m);
        if (status != HX_OK) {
            return status;
        }
    }
    return HX_OK;
}

/* Messages whose receivers were not ready when they were offered. */
static hx_status deliver_late(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase)
{
    hx_status status = HX_OK;
    for (int m = 0; m < phase->sends && phase->late > 0 && status == HX_OK; ++m) {
        if (phase->send[m].late) {
            status = deliver(handle, plan, phase, m);
        }
    }
    return status;
}

/* Packs, sends and copies one phase. */
static hx_status begin(hx_handle *handle, hxi_plan *plan, hxi_phase *phase)
{
    const double before = stopwatch(handle);
    hx_status status = pack_and_send(handle, plan, phase);
    const double sent = hxi_observe_clock(handle);
    for (int transport = 0; transport < phase->bindings && status == HX_OK; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        if (binding->transport->copy) {
            binding->transport->copy(binding, plan->base);
        }
    }
    hxi_observe_span(handle, plan, phase, HX_EVENT_COPIED, sent);
    const double spent = stopwatch(handle) - before;
    plan->traffic.pack_seconds += spent;
    handle->busy += spent;
    return status;
}

/* Opens all phases for messages: a peer may be ahead. */
static hx_status open_phases(hxi_plan *plan)
{
    plan->current = 0;
    hx_status status = HX_OK;
    for (int p = 0; p < plan->phases; ++p) {
        status = status == HX_OK ? hxi_phase_open(&plan->phase[p], plan->base) : status;
    }
    return status;
}

hx_status hxi_exchange_enter(hx_handle *handle, hxi_plan *plan)
{
    const hx_status status = plan->device ? HX_OK : hxi_buffers_claim(&handle->buffers, &plan->sharer);
    if (status != HX_OK) {
        return status;
    }
    plan->state = HX_PLAN_UNDER_WAY;
    plan->started = handle->starts++;
    handle->under_way++;
    if (plan->steps) {
        hxi_progress_add(handle);
    }
    return HX_OK;
}

void hxi_exchange_pack_here(hx_handle *handle, hxi_plan *plan)
{
    const double before = stopwatch(handle);
    hxi_phase *phase = &plan->phase[0];
    hxi_binding *self = &phase->binding[HX_SELF_TRANSPORT];
    hxi_ops_pack(phase->ops.pack, phase->ops.packs, plan->base, phase->buffer);
    const double packed = hxi_observe_clock(handle);
    self->transport->copy(self, plan->base);
    hxi_observe_span(handle, plan, phase, HX_EVENT_COPIED, packed);
    for (int m = 0; m < phase->sends && handle->options.check; ++m) {
        write_header(handle, plan, phase, m);
    }
    plan->traffic.pack_seconds += stopwatch(handle) - before;
}

/* Those that a device has packed, or of which it has packed a part. */
static hx_status send_one(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number)
{
    const double packed = hxi_observe_clock(handle);
    const hx_status status = hxi_phase_send(phase, number);
    hxi_observe_delivery(handle, plan, phase, number, 0.0, packed);
    return status;
}

hx_status hxi_exchange_send_all(const hx_handle *handle, hxi_plan *plan)
{
    hxi_phase *phase = &plan->phase[0];
    hx_status status = open_phases(plan);
    for (int m = 0; m < phase->sends && status == HX_OK; ++m) {
        hxi_contents *contents = &phase->send[m];
        contents->late = plan->offers && contents->delivery == HX_PUSHED;
        phase->late += contents->late;
        status = contents->late ? HX_OK : send_one(handle, plan, phase, m);
    }
    return status;
}

static hx_status start(hx_handle *handle, int exchange, const void *fields)
{
    hxi_plan *plan = NULL;
    hx_status status = hxi_exchange_find(handle, exchange, "start", false, &plan);
    if (status == HX_OK) {
        status = hxi_exchange_take(handle, plan, fields, "start");
    }
    if (status == HX_OK) {
        status = hxi_exchange_enter(handle, plan);
    }
    if (status != HX_OK) {
        return status;
    }
    if (handle->audits) {
        status = hxi_audits_start(handle, exchange, fields);
    }
    status = status == HX_OK ? open_phases(plan) : status;
    hxi_plan_tell(plan, &handle->sets);
    if (status == HX_OK) {
        status = begin(handle, plan, &plan->phase[0]);
    }
    /*
     * Phases that wait for nobody: the sooner the messages of the next one are sent, the more they overlap.
     */
    while (status == HX_OK && plan->current < plan->phases - 1 && plan->phase[plan->current].receives == 0) {
        plan->current++;
        status = begin(handle, plan, &plan->phase[plan->current]);
    }
    handle->broken = hxi_plan_place(plan, status);
    return handle->broken;
}

hx_status hx_start(hx_handle *handle, int exchange, const void *fields)
{
    hx_status status = hxi_owner_hold(handle, "start an exchange");
    if (status == HX_OK) {
        hxi_observe_call(handle, exchange, HX_EVENT_START, HX_OK);
        status = start(handle, exchange, fields);
        hxi_observe_call(handle, exchange, HX_EVENT_STARTED, status);
        hxi_progress_release(handle);
    }
    return status;
}

/* ---- finish -------------------------------------------------------------------------------------------- */

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
    hxi_ops_unpack(phase->ops.unpack + contents->op, contents->ops, plan->base, buffer);
    phase->arrived[number] = 1;
    for (int i = 0; i < contents->shareds; ++i) {
        const hxi_unpack_op *op = &phase->ops.unpack[phase->shared[contents->shared + i]];
        if (phase->arrived[op->message[0]] && phase->arrived[op->message[1]]) {
            hxi_ops_unpack(op, 1, plan->base, buffer);
        }
    }
    return HX_OK;
}

static hx_status progress(hxi_phase *phase)
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

/* Of an exchange whose messages a device packs: sends them as soon as it has. */
static hx_status send_packed(const hx_handle *handle, hxi_plan *plan, bool *moved)
{
    bool packed = false;
    hx_status status = hxi_device_work_marked(plan->phase[0].device, &packed);
    if (status == HX_OK && packed) {
        plan->packing = false;
        *moved = true;
        hxi_observe_span(handle, plan, &plan->phase[0], HX_EVENT_PACKED, plan->packing_since);
        if (plan->offers) {
            hxi_plan_raise(plan);
        }
        status = hxi_exchange_send_all(handle, plan);
    }
    return status;
}

typedef struct late_messages {
    const hx_handle *handle;
    const hxi_plan *plan;
    hxi_phase *phase;
} late_messages;

/* A message that a device has written into the receiver's arrays, or packed late. */
static hx_status send_late(void *context, int number)
{
    const late_messages *late = context;
    late->phase->send[number].late = false;
    late->phase->late--;
    return send_one(late->handle, late->plan, late->phase, number);
}

/* Of an exchange of a device: messages for which it waits until their receivers say where they are to be. */
static hx_status push_late(const hx_handle *handle, hxi_plan *plan, hxi_phase *phase, bool *moved)
{
    const int late = phase->late;
    late_messages messages = {handle, plan, phase};
    const hx_status status = hxi_device_direct_advance(phase->straight, plan->sequence + 1,
                                                       plan->device->own[plan->number], send_late, &messages);
    *moved = *moved || phase->late < late;
    return status;
}

/*
 * Moves the messages of one exchange on without waiting; what has come is noted, not unpacked.
 */
static hx_status poll(hx_handle *handle, hxi_plan *plan, bool *moved)
{
    hx_status status = plan->packing ? send_packed(handle, plan, moved) : HX_OK;
    if (plan->packing) {
        return status;
    }
    for (int p = 0; p <= plan->current && status == HX_OK; ++p) {
        hxi_phase *phase = &plan->phase[p];
        status = progress(phase);
        if (status == HX_OK && phase->late > 0) {
            status = plan->device ? push_late(handle, plan, phase, moved) : deliver_late(handle, plan, phase);
        }
    }
    return status;
}

static hx_status take_arrived(hx_handle *handle, hxi_plan *plan, hxi_phase *phase, bool *moved)
{
    int number = hxi_phase_next(phase);
    if (number < 0) {
        return HX_OK;
    }
    *moved = true;
    hxi_observe_waited(handle, plan, phase->receive[number].peer, 0.0);
    const double before = stopwatch(handle);
    hx_status status = HX_OK;
    for (; number >= 0 && status == HX_OK; number = hxi_phase_next(phase)) {
        const double came = hxi_observe_clock(handle);
        status = take_message(handle, plan, phase, number);
        hxi_observe_unpacked(handle, plan, phase, number, came);
    }
    const double spent = stopwatch(handle) - before;
    plan->traffic.unpack_seconds += spent;
    handle->busy += spent;
    return status;
}

/*
 * Unpacks what has come, and goes through the phases as far as possible without waiting; until: the last
 * phase to unpack.  While a device packs, nothing is open, and what seems to have come is of the exchange
 * before.
 */
static hx_status advance(hx_handle *handle, hxi_plan *plan, int until, bool *moved)
{
    hx_status status = poll(handle, plan, moved);
    while (status == HX_OK && !plan->packing && plan->current <= until) {
        hxi_phase *phase = &plan->phase[plan->current];
        status = take_arrived(handle, plan, phase, moved);
        if (status != HX_OK || phase->taken < phase->receives || plan->current == plan->phases - 1) {
            break;
        }
        *moved = true;
        plan->current++;
        status = begin(handle, plan, &plan->phase[plan->current]);
        status = status == HX_OK ? poll(handle, plan, moved) : status;
    }
    return hxi_plan_place(plan, status);
}

/* For whoever waits for another one, and may work with another device: launches, and copies that MPI makes of
 * messages, want that of the exchange. */
static hx_status advance_other(hx_handle *handle, hxi_plan *plan, bool *moved)
{
    const hxi_device_guard stay = hxi_device_enter(plan->device);
    const hx_status status = advance(handle, plan, plan->phases - 2, moved);
    hxi_device_return(&stay);
    return status;
}

/*
 * Other ranks may finish in another order: whoever waits moves every exchange on, and begins the phases that
 * they wait for.  What comes in a last phase is unpacked by the exchange's own finish.
 */
static hx_status advance_others(hx_handle *handle, const hxi_plan *waiting)
{
    hx_status status = HX_OK;
    bool moved = false;
    for (int i = 0; i < handle->plans && status == HX_OK; ++i) {
        hxi_plan *plan = &handle->plan[i];
        if (plan != waiting && plan->state == HX_PLAN_UNDER_WAY && !plan->ordered) {
            status = advance_other(handle, plan, &moved);
        }
    }
    return status;
}

/* The same for a handle that nobody waits for. */
static void advance_handle(hx_handle *handle)
{
    if (handle->broken == HX_OK) {
        handle->broken = advance_others(handle, NULL); /* its own calls tell */
    }
}

void hxi_exchange_advance(hx_handle *handle)
{
    advance_handle(handle);
    hxi_progress_visit(handle, advance_handle);
    if (handle->topology.crowded) {
        hxi_clock_yield();
    }
}

const hx_exchange *hxi_exchange_using(const hx_handle *handle, const void *memory, size_t bytes)
{
    for (int e = 0; e < handle->plans; ++e) {
        const hxi_plan *plan = &handle->plan[e];
        for (int i = 0; plan->state == HX_PLAN_UNDER_WAY && i < plan->slots; ++i) {
            if ((uintptr_t)plan->base[i] - (uintptr_t)memory < bytes) {
                return plan->exchange;
            }
        }
    }
    return NULL;
}

static bool is_complete(const hxi_plan *plan)
{
    bool complete = plan->current == plan->phases - 1 && !plan->packing;
    for (int p = 0; p < plan->phases; ++p) {
        complete = complete && hxi_phase_under_way(&plan->phase[p]) == 0;
    }
    return complete;
}

/* Until all messages are unpacked and all buffers may be written again. */
static hx_status wait_for(hx_handle *handle, hxi_plan *plan)
{
    const double deadline = handle->options.deadline > 0.0 ? hxi_clock() + handle->options.deadline : 0.0;
    const int patience = handle->topology.crowded ? 0 : POLLS_BEFORE_YIELD;
    int idle = 0;
    for (;;) {
        bool moved = false;
        hx_status status = advance(handle, plan, plan->phases - 1, &moved);
        if (status != HX_OK || is_complete(plan)) {
            return status;
        }
        if (moved) {
            idle = 0;
            hxi_observe_waited(handle, plan, -1, 0.0);
            continue;
        }
        hxi_observe_wait(handle, plan);
        status = handle->under_way > 1 ? advance_others(handle, plan) : HX_OK;
        if (status != HX_OK) {
            return status;
        }
        hxi_progress_visit(handle, advance_handle);
        const bool late = deadline > 0.0 && hxi_clock() > deadline;
        if (late) {
            return hxi_deadline_report(handle, plan);
        }
        if (++idle > patience || idle % POLLS_BEFORE_MPI == 0) {
            status = hxi_topology_progress(&handle->topology);
            if (status != HX_OK) {
                return hxi_plan_place(plan, status);
            }
        }
        if (idle > patience + YIELDS_BEFORE_SLEEP) {
            hxi_clock_sleep(SLEEP_MICROSECONDS);
        } else if (idle > patience) {
            hxi_clock_yield();
        }
    }
}

/* What waits for all messages. */
static void complete(hx_handle *handle, hxi_plan *plan)
{
    const double before = stopwatch(handle);
    const double began = hxi_observe_clock(handle);
    const hxi_phase *phase = &plan->phase[plan->current];
    hxi_accumulation_run(&phase->additions, plan->base, phase->buffer + phase->sends);
    hxi_combine_run(&phase->combining, plan->base, phase->buffer + phase->sends);
    for (int p = 0; p < plan->phases; ++p) {
        hxi_phase_settle(&plan->phase[p]);
    }
    handle->filling = true;
    hxi_boundary_run(&plan->walls, plan->base, handle->hook, handle->hook_context);
    handle->filling = false;
    hxi_observe_span(handle, plan, phase, HX_EVENT_FILLED, began);
    plan->traffic.unpack_seconds += stopwatch(handle) - before;
}

/*
 * Where a transport waits for one exchange nothing else moves: all ranks finish in the order of the starts.
 */
static hx_status check_order(const hx_handle *handle, const hxi_plan *plan)
{
    for (int i = 0; i < handle->plans && handle->under_way > 1; ++i) {
        const hxi_plan *other = &handle->plan[i];
        if (other->state == HX_PLAN_UNDER_WAY && other->started < plan->started &&
            (other->ordered || plan->ordered)) {
            return hxi_fail(
                HX_ERR_STATE,
                "%s:%d: exchange \"%s\" cannot be finished on rank %d before \"%s\" (line %d), which was "
                "started earlier: transport \"%s\" waits inside MPI for one exchange after the other.  "
                "Finish "
                "in the order of the starts, or choose another transport.",
                handle->spec->file, plan->exchange->line, plan->exchange->name, handle->topology.rank,
                other->exchange->name, other->exchange->line, handle->options.transport);
        }
    }
    return HX_OK;
}

hx_status hxi_exchange_wait(hx_handle *handle, hxi_plan *plan)
{
    if (plan->state != HX_PLAN_UNDER_WAY) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s:%d: exchange \"%s\" was finished on rank %d without having been started; start it first.",
            handle->spec->file, plan->exchange->line, plan->exchange->name, handle->topology.rank);
    }
    hx_status status = check_order(handle, plan);
    if (status != HX_OK) {
        return status;
    }
    const double before = stopwatch(handle);
    const double busy = handle->busy;
    status = wait_for(handle, plan);
    hxi_observe_waited(handle, plan, -1, 0.0);
    handle->broken = status;
    plan->traffic.wait_seconds += stopwatch(handle) - before - (handle->busy - busy);
    if (status == HX_OK) {
        complete(handle, plan);
        plan->state = HX_PLAN_IDLE;
        if (!plan->device) {
            hxi_buffers_yield(&handle->buffers);
        }
        handle->under_way--;
        if (handle->under_way == 0) {
            hxi_progress_remove(handle);
        }
        plan->sequence++;
        plan->traffic.exchanges++;
    }
    return status;
}

/* ---- test ---------------------------------------------------------------------------------------------- */

static hx_status check_test(const hx_handle *handle, const hxi_plan *plan)
{
    const hx_exchange *exchange = plan->exchange;
    if (plan->state != HX_PLAN_UNDER_WAY) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s:%d: exchange \"%s\" was tested on rank %d without having been started; start it first.",
            handle->spec->file, exchange->line, exchange->name, handle->topology.rank);
    }
    if (plan->ordered) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: exchange \"%s\" cannot be tested on rank %d: transport \"%s\" waits inside "
                        "MPI, in finish.  Choose another transport.",
                        handle->spec->file, exchange->line, exchange->name, handle->topology.rank,
                        handle->options.transport);
    }
    return HX_OK;
}

/* What others' waiting does for this exchange, and no more: finish unpacks. */
static hx_status move_on(hx_handle *handle, hxi_plan *plan)
{
    hx_status status = advance_others(handle, NULL);
    if (status == HX_OK && !is_complete(plan)) {
        hxi_progress_visit(handle, advance_handle);
        status = hxi_plan_place(plan, hxi_topology_progress(&handle->topology));
    }
    handle->broken = status;
    return status;
}

static hx_status test(hx_handle *handle, int exchange, int *done)
{
    const bool known = handle && exchange >= 0 && exchange < handle->plans;
    hxi_plan *plan = NULL;
    hx_status status =
        hxi_exchange_find(handle, exchange, "test", known && handle->plan[exchange].device != NULL, &plan);
    if (status == HX_OK && !done) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "%s:%d: the place for the answer given to a test of exchange \"%s\" is a null "
                          "pointer; give the address of an int.",
                          handle->spec->file, plan->exchange->line, plan->exchange->name);
    }
    status = status == HX_OK ? check_test(handle, plan) : status;
    status = status == HX_OK ? move_on(handle, plan) : status;
    if (status == HX_OK) {
        *done = is_complete(plan);
    }
    return status;
}

hx_status hx_test(hx_handle *handle, int exchange, int *done)
{
    hx_status status = hxi_owner_hold(handle, "test an exchange");
    if (status == HX_OK) {
        status = test(handle, exchange, done);
        hxi_progress_release(handle);
    }
    return status;
}

/* ---- finish, from outside ------------------------------------------------------------------------------ */

static hx_status finish(hx_handle *handle, int exchange)
{
    hxi_plan *plan = NULL;
    const hx_status status = hxi_exchange_find(handle, exchange, "finish", false, &plan);
    return status == HX_OK ? hxi_exchange_wait(handle, plan) : status;
}

hx_status hx_finish(hx_handle *handle, int exchange)
{
    hx_status status = hxi_owner_hold(handle, "finish an exchange");
    if (status == HX_OK) {
        hxi_observe_call(handle, exchange, HX_EVENT_FINISH, HX_OK);
        status = finish(handle, exchange);
        hxi_observe_call(handle, exchange, HX_EVENT_FINISHED, status);
        if (status == HX_OK && handle->audits) {
            status = hxi_audits_finish(handle, exchange);
        }
        hxi_progress_release(handle);
    }
    return status;
}
