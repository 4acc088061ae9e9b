#include "comm/arrival.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>

/* MPI may write to it for as long as ranks are missing. */
typedef struct arrival {
    hx_kept kept;
    MPI_Request request;
    int left; /* the rank that has left, and 1; 0: none */
    int any;  /* of all ranks */
} arrival;

typedef struct waiting {
    const char *caller;
    double deadline;
    double until; /* 0: for ever */
    hx_first *first;
} waiting;

static void note(const waiting *w, int code, const char *call)
{
    if (code != MPI_SUCCESS) {
        hx_first_note(w->first, hx_fail_mpi(code, "%s: waiting for all ranks (%s)", w->caller, call));
    }
}

/* Seconds for which a rank that knows that all have come waits for word of those that had left, at most. */
static const double grace = 1.0;

/* Until a request is done, or `until` has passed. */
static bool is_done(const waiting *w, MPI_Request *request, double until)
{
    int done = 0;
    bool late = false;
    for (int turn = 1; !done && !late; ++turn) {
        if (turn % 64 == 0) {
            hx_clock_yield(); /* whom this rank waits for may need its processor */
        }
        note(w, MPI_Test(request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        late = until > 0.0 && hx_clock() > until;
    }
    return done != 0;
}

static hx_status refuse(const waiting *w, int rank)
{
    return hx_fail(HX_ERR_DEADLINE, "%s: after %g seconds rank %d still waits for other ranks to call it.",
                   w->caller, w->deadline, rank);
}

/*
 * First a barrier, then who has left: whoever leaves has its part of both under way, so that others come to
 * an end.  *stays: MPI may still write to the arrival.
 */
static hx_status wait(const waiting *w, MPI_Comm comm, arrival *a, bool *stays)
{
    int rank = 0;
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Comm_rank(comm, &rank);
    note(w, MPI_Ibarrier(comm, &all), "MPI_Ibarrier");
    const bool here = is_done(w, &all, w->until);
    a->left = here ? 0 : rank + 1;
    note(w, MPI_Iallreduce(&a->left, &a->any, 1, MPI_INT, MPI_MAX, comm, &a->request), "MPI_Iallreduce");
    /* All have come, so none of them leaves: whoever is slow now must find the others here. */
    const double until = w->until > 0.0 ? hx_clock() + grace : 0.0;
    *stays = !here || !is_done(w, &a->request, until);
    if (*stays) {
        return refuse(w, rank);
    }
    return a->any == 0
               ? HX_OK
               : hx_fail(HX_ERR_DEADLINE,
                         "%s: rank %d waited for other ranks to call it until its deadline, and left.",
                         w->caller, a->any - 1);
}

hx_status hx_arrival_wait(MPI_Comm comm, const char *caller, double deadline)
{
    static _Thread_local arrival spare;
    hx_first first = {0};
    arrival *own = hx_memory_get(1, sizeof *own, "waiting for all ranks");
    hx_first_note(&first, own ? HX_OK : HX_ERR_MEMORY);
    const waiting w = {caller, deadline, deadline > 0.0 ? hx_clock() + deadline : 0.0, &first};
    bool stays = false;
    const hx_status status = wait(&w, comm, own ? own : &spare, &stays);
    if (own && stays) {
        hx_memory_keep(&own->kept);
    } else {
        hx_memory_free(own);
    }
    return status == HX_OK ? hx_first_tell(&first) : status;
}
