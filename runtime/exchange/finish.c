/*
 * Finish: waits for the messages of an exchange, unpacks them, and moves others on meanwhile.
 */
#include "exchange/exchange.h"

#include "base/status.h"
#include "exchange/audits.h"
#include "exchange/deadline_report.h"
#include "exchange/device_graph.h"
#include "exchange/observe.h"
#include "exchange/phase_run.h"
#include "exchange/progress.h"
#include "exchange/unfit.h"

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

/* ---- moving on ----------------------------------------------------------------------------------------- */

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
            hxi_posting_raise(&plan->posting, plan->sequence + 1);
        }
        status = hxi_phases_send_all(handle, plan);
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
    return hxi_phase_send_packed(late->handle, late->plan, late->phase, number);
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
        status = hxi_phase_progress(phase);
        if (status == HX_OK && phase->late > 0) {
            status = plan->device ? push_late(handle, plan, phase, moved)
                                  : hxi_phase_deliver_late(handle, plan, phase);
        }
    }
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
        status = hxi_phase_take(handle, plan, phase, moved);
        if (status != HX_OK || phase->taken < phase->receives || plan->current == plan->phases - 1) {
            break;
        }
        *moved = true;
        plan->current++;
        status = hxi_phase_begin(handle, plan, &plan->phase[plan->current]);
        status = status == HX_OK ? poll(handle, plan, moved) : status;
    }
    return status == HX_OK ? HX_OK : hxi_plan_prefix(plan, status);
}

/* For whoever waits for another one, and may work with another device: launches, and copies that MPI makes of
 * messages, want that of the exchange. */
static hx_status advance_other(hx_handle *handle, hxi_plan *plan, bool *moved)
{
    const hxi_device_guard guard = hxi_device_enter(plan->device);
    const hx_status status = advance(handle, plan, plan->phases - 2, moved);
    hxi_device_return(&guard);
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
            if (status != HX_OK && !waiting) {
                hxi_observe_failure(handle, plan->number, status);
            }
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
    if (handle->broken == HX_OK && handle->audits) {
        handle->broken = hxi_audits_answer(handle);
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
            status = status == HX_OK && handle->audits ? hxi_audits_answer(handle) : status;
            if (status != HX_OK) {
                return hxi_plan_prefix(plan, status);
            }
        }
        if (idle > patience + YIELDS_BEFORE_SLEEP) {
            hxi_clock_sleep(SLEEP_MICROSECONDS);
        } else if (idle > patience) {
            hxi_clock_yield();
        }
    }
}

/* Behind the last message. */
static void fill(hx_handle *handle, hxi_plan *plan, const hxi_phase *phase)
{
    if (phase->additions.sums + phase->additions.zeros > 0) {
        hxi_accumulation_run(&phase->additions, plan->base, phase->buffer + phase->sends);
    }
    if (phase->combining.ops > 0) {
        hxi_combine_run(&phase->combining, plan->base, phase->buffer + phase->sends);
    }
    for (int p = 0; p < plan->phases; ++p) {
        hxi_phase_settle(&plan->phase[p]);
    }
    if (plan->boundary.ops > 0) {
        handle->filling = true;
        hxi_boundary_run(&plan->boundary, plan->base, handle->hook, handle->hook_context);
        handle->filling = false;
    }
}

/* What waits for all messages. */
static void complete(hx_handle *handle, hxi_plan *plan)
{
    const double before = hxi_stopwatch(handle);
    const hxi_phase *phase = &plan->phase[plan->current];
    if (phase->additions.sums + phase->additions.zeros + phase->combining.ops + plan->boundary.ops > 0) {
        const double began = hxi_observe_clock(handle, HX_EVENT_BIT(HX_EVENT_FILLED));
        fill(handle, plan, phase);
        hxi_observe_span(handle, plan, phase, HX_EVENT_FILLED, began);
    } else {
        fill(handle, plan, phase); /* which settles */
    }
    plan->traffic.unpack_seconds += hxi_stopwatch(handle) - before;
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
    const double before = hxi_stopwatch(handle);
    const double busy = handle->busy;
    status = wait_for(handle, plan);
    hxi_observe_waited(handle, plan, -1, 0.0);
    handle->broken = status;
    if (status != HX_OK) {
        hxi_nccl_give_up(handle->nccl); /* streams are not to wait for a rank that does not come */
    }
    plan->traffic.wait_seconds += hxi_stopwatch(handle) - before - (handle->busy - busy);
    if (status == HX_OK) {
        complete(handle, plan);
        plan->state = HX_PLAN_IDLE;
        if (!plan->device && handle->buffers.claimed) {
            hxi_buffers_yield(&handle->buffers);
        }
        handle->under_way--;
        if (handle->under_way == 0 && handle->listed) {
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
        status = hxi_plan_prefix(plan, hxi_topology_progress(&handle->topology));
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
    if (status == HX_OK && plan->in_graphs && plan->state == HX_PLAN_IDLE) {
        *done = 1;
        return hxi_device_graph_look(handle, plan);
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
    hx_status status = hxi_exchange_hold(handle, "test an exchange");
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
    if (status == HX_OK && handle->audits) {
        hxi_audits_before_finish(handle, exchange);
    }
    return status == HX_OK ? hxi_exchange_wait(handle, plan) : status;
}

hx_status hx_finish(hx_handle *handle, int exchange)
{
    hx_status status = hxi_exchange_hold(handle, "finish an exchange");
    if (status == HX_OK) {
        hxi_observe_call(handle, exchange, HX_EVENT_FINISH, HX_OK);
        status = finish(handle, exchange);
        const hx_status audited =
            status == HX_OK && handle->audits ? hxi_audits_finish(handle, exchange) : status;
        if (status == HX_OK && handle->plan[exchange].unfit.found) {
            status = hxi_unfit_report(handle, exchange);
        }
        hxi_observe_call(handle, exchange, HX_EVENT_FINISHED, status); /* an audit is a part of finish */
        if (audited != status && handle->broken != HX_OK) {
            hxi_observe_failure(handle, exchange, audited);
        }
        status = status == HX_OK ? audited : status;
        if (handle && handle->shared) {
            hxi_progress_release(handle);
        }
    }
    return status;
}
