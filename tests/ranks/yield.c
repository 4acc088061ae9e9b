/*
 * Loaded before MPICH where ranks outnumber processors.
 *
 * A rank of MPICH that waits in a blocking call polls until the system takes its processor away, milliseconds
 * in which the rank that it waits for cannot run: a barrier takes ten milliseconds instead of ten
 * microseconds.  No option of it changes that (Open MPI has mpi_yield_when_idle).  All its waiting goes
 * through UCX, so a poll there that finds nothing gives the processor away.  An MPICH over something else
 * runs as slowly as ever.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>

unsigned ucp_worker_progress(void *worker);

static unsigned (*poll_once)(void *worker);

__attribute__((constructor)) static void find(void)
{
    void *found = dlsym(RTLD_NEXT, "ucp_worker_progress");
    memcpy(&poll_once, &found, sizeof poll_once);
}

unsigned ucp_worker_progress(void *worker)
{
    const unsigned found = poll_once(worker);
    if (found == 0) {
        sched_yield();
    }
    return found;
}
