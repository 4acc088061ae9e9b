/*
 * Loaded before MPICH where ranks outnumber processors.
 *
 * A rank of MPICH that waits in a blocking call polls until the system takes its processor away, milliseconds
 * in which the rank that it waits for cannot run: a barrier takes ten milliseconds instead of ten
 * microseconds. No option of it changes that (Open MPI has mpi_yield_when_idle). All its waiting goes through
 * UCX, so a poll there that finds nothing gives the processor away; and after many of them the rank sleeps,
 * because on a busy machine a rank that yields goes behind everybody, and one that wakes up does not. An
 * MPICH over something else runs as slowly as ever.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <time.h>

enum { YIELDS_BEFORE_SLEEP = 100, NANOSECONDS_ASLEEP = 20000 };

unsigned ucp_worker_progress(void *worker);

static unsigned (*poll_once)(void *worker);

__attribute__((constructor)) static void find(void)
{
    void *found = dlsym(RTLD_NEXT, "ucp_worker_progress");
    memcpy(&poll_once, &found, sizeof poll_once);
}

unsigned ucp_worker_progress(void *worker)
{
    static _Thread_local int idle; /* polls in a row */
    const unsigned found = poll_once(worker);
    if (found > 0) {
        idle = 0;
    } else if (++idle <= YIELDS_BEFORE_SLEEP) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS_ASLEEP}, NULL);
    }
    return found;
}
