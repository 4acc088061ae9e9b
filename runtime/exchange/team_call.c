/*
 * Thread 0 does what hx_start or hx_finish do, with the other threads as its team.  All have come before it begins, so
 * what they wrote is packed; all leave behind it, so what it filled they may read.
 */
#include "exchange/team_call.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/team.h"
#include "exchange/exchange.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

enum { LOOKS_BEFORE_YIELD = 4000 };

#define CLOSED (1u << 31) /* in team_call->arrived */

typedef struct call {
    int exchange;
    const void *fields;
    hx_status (*run)(hx_handle *handle, const struct call *call);
    const char *verb;
    int thread;
    int threads;
} call;

void hxi_team_call_open(hxi_team_call *team_call, int patience)
{
    hxi_crew_open(&team_call->crew, 1, patience);
    atomic_init(&team_call->arrived, 0u);
    atomic_init(&team_call->threads, 0u);
    atomic_init(&team_call->odd, false);
    atomic_init(&team_call->led, false);
}

void hxi_team_call_close(hxi_team_call *team_call)
{
    hxi_crew_close(&team_call->crew);
}

/* ---- the other threads --------------------------------------------------------------------------------- */

/* What the call gave, of this thread: the region may be gone before it returns. */
static _Thread_local hx_status told;

static void take_status(void *data, int thread, int threads)
{
    const hxi_team_call *team_call = data;
    (void)thread;
    (void)threads;
    told = team_call->status == HX_OK ? HX_OK : hx_refuse(team_call->status, team_call->sentence);
}

static hx_status refuse_late(const call *c)
{
    return hxi_fail(
        HX_ERR_DEADLINE,
        "Thread %d of %d was to %s together with the others, which waited until the deadline and have "
        "left.  The handle can only be destroyed.",
        c->thread, c->threads, c->verb);
}

static void note_threads(hxi_team_call *team_call, int threads)
{
    unsigned known = 0;
    if (!atomic_compare_exchange_strong(&team_call->threads, &known, (unsigned)threads) &&
        known != (unsigned)threads) {
        atomic_store(&team_call->odd, true);
    }
}

static hx_status serve(hxi_team_call *team_call, const call *c)
{
    const unsigned over = atomic_load(&team_call->crew.over);
    note_threads(team_call, c->threads);
    if ((atomic_fetch_add(&team_call->arrived, 1u) & CLOSED) != 0) {
        return refuse_late(c);
    }
    hxi_crew_serve(&team_call->crew, c->thread, over);
    return told;
}

/* ---- thread 0 ------------------------------------------------------------------------------------------ */

/* Until all others have come. */
static bool wait_for_others(const hx_handle *handle, const call *c)
{
    hxi_team_call *team_call = handle->team_call;
    const double seconds = handle->options.deadline;
    const double deadline = seconds > 0.0 ? hxi_clock() + seconds : 0.0;
    for (int looks = 0; (int)atomic_load(&team_call->arrived) < c->threads - 1;) {
        if (looks < LOOKS_BEFORE_YIELD && team_call->crew.patience > 0) {
            ++looks;
            hxi_pause();
        } else if (deadline > 0.0 && hxi_clock() > deadline) {
            return false;
        } else {
            hxi_clock_yield();
        }
    }
    return true;
}

static hx_status refuse_alone(hx_handle *handle, const call *c, int came)
{
    handle->broken = HX_ERR_DEADLINE;
    return hxi_fail(
        HX_ERR_DEADLINE,
        "Rank %d was to %s with %d threads, and after %g seconds %d of them had come.  Each thread of "
        "the region calls it, with its number and the number of all.",
        handle->topology.rank, c->verb, c->threads, handle->options.deadline, came + 1);
}

static hx_status refuse_odd(const hx_handle *handle, const call *c)
{
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "Rank %d was to %s with %d threads, as its thread 0 says, and another one says other numbers.  "
        "Give all the same, as omp_get_num_threads() does.",
        handle->topology.rank, c->verb, c->threads);
}

static hx_status lead(hx_handle *handle, const call *c)
{
    hxi_team_call *team_call = handle->team_call;
    note_threads(team_call, c->threads);
    const bool all = wait_for_others(handle, c);
    const unsigned came = all ? (unsigned)c->threads - 1 : atomic_fetch_or(&team_call->arrived, CLOSED);
    team_call->crew.threads = (int)came + 1;
    if (!all) {
        team_call->status = refuse_alone(handle, c, (int)came);
    } else if (atomic_load(&team_call->odd)) {
        team_call->status = refuse_odd(handle, c);
    } else {
        handle->team->region = &team_call->crew;
        team_call->status = c->run(handle, c);
        handle->team->region = NULL;
    }
    const hx_status status = team_call->status;
    team_call->sentence = status == HX_OK ? "" : hx_last_error();
    atomic_store(&team_call->odd, false);
    atomic_store(&team_call->threads, 0u);
    if (all) {
        atomic_fetch_sub(&team_call->arrived, came); /* who leaves may come again at once */
    }
    atomic_store(&team_call->led, false);
    hxi_crew_end(&team_call->crew, take_status, team_call);
    return status;
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static hx_status check(const hx_handle *handle, const call *c)
{
    if (!handle) {
        return hxi_fail(HX_ERR_ARGUMENT, "The handle given to %s by several threads is a null pointer.",
                        c->verb);
    }
    if (c->threads < 1 || c->threads > HX_MOST_THREADS || c->thread < 0 || c->thread >= c->threads) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "To %s, thread %d of %d was given; threads are numbered from 0, and there are %d at most.",
            c->verb, c->thread, c->threads, HX_MOST_THREADS);
    }
    if (c->threads > 1 && handle->topology.single) {
        return hxi_fail(HX_ERR_STATE,
                        "%d threads were to %s, and MPI was initialised for a process of one thread "
                        "(MPI_THREAD_SINGLE).  Ask MPI_Init_thread for MPI_THREAD_FUNNELED.",
                        c->threads, c->verb);
    }
    return HX_OK;
}

static hx_status run_together(hx_handle *handle, const call *c)
{
    const hx_status status = check(handle, c);
    if (status != HX_OK || c->thread > 0) {
        return status == HX_OK ? serve(handle->team_call, c) : status;
    }
    if ((atomic_load(&handle->team_call->arrived) & CLOSED) != 0) {
        return c->run(handle, c); /* which is refused, as the handle is broken: nobody else comes any more */
    }
    if (atomic_exchange(&handle->team_call->led, true)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Two threads were to %s as thread 0.  Give each its own number, as omp_get_thread_num() does.",
            c->verb);
    }
    return lead(handle, c);
}

static hx_status run_start(hx_handle *handle, const call *c)
{
    return hx_start(handle, c->exchange, c->fields);
}

static hx_status run_finish(hx_handle *handle, const call *c)
{
    return hx_finish(handle, c->exchange);
}

hx_status hx_start_team(hx_handle *handle, int exchange, const void *fields, int thread, int threads)
{
    const call c = {exchange, fields, run_start, "start an exchange", thread, threads};
    return run_together(handle, &c);
}

hx_status hx_finish_team(hx_handle *handle, int exchange, int thread, int threads)
{
    const call c = {exchange, NULL, run_finish, "finish an exchange", thread, threads};
    return run_together(handle, &c);
}
