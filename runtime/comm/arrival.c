#include "comm/arrival.h"

#include "base/clock.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "comm/topology.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What ranks tell each other: the largest of all ranks counts. */
typedef enum word {
    LEFT,       /* the rank that has left, and 1; 0: none */
    CALL,       /* a hash of what this rank called, ... */
    CALL_BELOW, /* ... and that times -1: the smallest of all */
    WORDS
} word;

/* MPI may write to it for as long as ranks are missing. */
typedef struct arrival {
    hxi_kept kept;
    MPI_Request request;
    int own[WORDS];
    int all[WORDS];
} arrival;

typedef struct waiting {
    const char *caller;
    bool named; /* as in arrival.h */
    double deadline;
    double until; /* 0: for ever */
    double grace; /* seconds for which a rank that knows that all have come waits for word of them, at most */
    double asked; /* when this rank last asked in vain */
    hxi_first *first;
} waiting;

static void note(const waiting *w, int code, const char *call)
{
    if (code != MPI_SUCCESS) {
        hxi_first_note(w->first, hxi_fail_mpi(code, "%s: waiting for all ranks (%s)", w->caller, call));
    }
}

/* Until a request is done, or `until` has passed. */
static bool is_done(waiting *w, MPI_Request *request, double until)
{
    int done = 0;
    bool late = false;
    for (int turn = 1; !done && !late; ++turn) {
        if (turn % 64 == 0) {
            hxi_clock_yield(); /* whom this rank waits for may need its processor */
        }
        w->asked = until > 0.0 ? hxi_clock() : 0.0;
        const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        note(w, code, "MPI_Test");
        done = done || code != MPI_SUCCESS; /* it will say no more */
        late = until > 0.0 && hxi_clock() > until;
    }
    return done != 0;
}

/* Has this rank stood still for so long that others have given it up? */
static bool is_lost(const waiting *w)
{
    return w->until > 0.0 && hxi_clock() - w->asked > w->grace;
}

enum { LARGEST_HASH = 0x3fffffff };

static int hash_of(const char *caller)
{
    uint64_t hash = HX_HASH_SEED;
    for (const char *c = caller; *c; ++c) {
        hash = hxi_hash(hash, *c);
    }
    return (int)(hash & LARGEST_HASH);
}

static hx_status refuse(const waiting *w, int rank)
{
    return hxi_fail(HX_ERR_DEADLINE,
                    "%s: after %g seconds rank %d still waits for other ranks to call it.  "
                    "Do all ranks of the communicator call it?",
                    w->caller, w->deadline, rank);
}

/* Collective: all have come, for two calls or more. */
static hx_status compare(const waiting *w, MPI_Comm comm)
{
    char call[HX_TRAIT];
    snprintf(call, sizeof call, "%s", w->caller);
    note(w, MPI_Bcast(call, (int)sizeof call, MPI_BYTE, 0, comm), "MPI_Bcast");
    return hxi_topology_agree(comm, !w->named || strcmp(call, w->caller) == 0
                                        ? HX_OK
                                        : hxi_fail(HX_ERR_MISMATCH,
                                                   "this rank called %s, and rank 0 %s.  All ranks make the "
                                                   "same calls, in the same order.",
                                                   w->caller, call));
}

/* What all have said. */
static hx_status judge(const waiting *w, MPI_Comm comm, const arrival *a)
{
    if (a->all[LEFT] > 0) {
        return hxi_fail(HX_ERR_DEADLINE,
                        "%s: rank %d waited for other ranks to call it until its deadline, and left.",
                        w->caller, a->all[LEFT] - 1);
    }
    return a->all[CALL] == -a->all[CALL_BELOW] ? HX_OK : compare(w, comm);
}

/*
 * First a barrier, then who has left, and for what the others have come: whoever leaves has its part of both
 * under way, so that others come to an end.  *stays: MPI may still write to the arrival.
 */
static hx_status wait(waiting *w, MPI_Comm comm, arrival *a, bool *stays)
{
    int rank = 0;
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Comm_rank(comm, &rank);
    note(w, MPI_Ibarrier(comm, &all), "MPI_Ibarrier");
    const bool here = is_done(w, &all, w->until) && !is_lost(w);
    a->own[LEFT] = here ? 0 : rank + 1;
    a->own[CALL] = w->named ? hash_of(w->caller) : 0;
    a->own[CALL_BELOW] = w->named ? -a->own[CALL] : -LARGEST_HASH;
    note(w, MPI_Iallreduce(a->own, a->all, WORDS, MPI_INT, MPI_MAX, comm, &a->request), "MPI_Iallreduce");
    /* All have come, so none of them leaves: whoever is slow now must find the others here. */
    const double until = w->until > 0.0 ? hxi_clock() + w->grace : 0.0;
    *stays = !here || !is_done(w, &a->request, until);
    return *stays ? refuse(w, rank) : judge(w, comm, a);
}

hx_status hxi_arrival_wait(MPI_Comm comm, const char *caller, bool named, double deadline)
{
    static _Thread_local arrival spare;
    hxi_first first = {0};
    arrival *own = hxi_memory_get(1, sizeof *own, "waiting for all ranks");
    hxi_first_note(&first, own ? HX_OK : HX_ERR_MEMORY);
    waiting w = {.caller = caller,
                 .named = named,
                 .deadline = deadline,
                 .until = deadline > 0.0 ? hxi_clock() + deadline : 0.0,
                 .grace = hxi_clock_grace(deadline),
                 .first = &first};
    bool stays = false;
    const hx_status status = wait(&w, comm, own ? own : &spare, &stays);
    if (own && stays) {
        hxi_memory_keep(&own->kept);
    } else {
        hxi_memory_free(own);
    }
    return status == HX_OK ? hxi_first_tell(&first) : status;
}

hx_status hxi_arrival_meet(MPI_Comm comm, const char *caller, double *deadline)
{
    hxi_first first = {0};
    hxi_first_note(&first, hxi_environment_deadline(deadline));
    const hx_status here = hxi_arrival_wait(comm, caller, true, first.status == HX_OK ? *deadline : 0.0);
    if (hxi_arrival_failed(here)) {
        return here;
    }
    hxi_first_note(&first, here);
    return hxi_first_tell(&first);
}
