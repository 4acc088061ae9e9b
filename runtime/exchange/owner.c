/*
 * An owner is one number: a mark, then how many forks lie between the first process and this one, then the
 * thread, or 0 for all threads.
 */
#include "exchange/owner.h"

#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>

static const uint64_t mark = UINT64_C(0x6878) << 48;
enum { FORKS = 32, MOST_FORKS = 0xffff }; /* the bits below theirs are the thread's */

enum { NOBODY = 1, UNKNOWN = 2 }; /* of a handle that was destroyed; of a thread that has made none */

_Thread_local uint64_t hxi_owner_here = UNKNOWN;

static _Atomic uint64_t forks;
static atomic_bool for_all; /* MPI is for more than one thread */

static uint64_t process(void)
{
    return mark | (atomic_load(&forks) & MOST_FORKS) << FORKS;
}

/* In the child, in its only thread. */
static void note_fork(void)
{
    atomic_fetch_add(&forks, 1u);
    hxi_owner_here = UNKNOWN;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, note_fork);
}

void hxi_owner_take(hx_handle *handle, bool one_thread)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static atomic_uint threads;
    pthread_once(&once, watch_forks);
    if (hxi_owner_here == UNKNOWN) {
        hxi_owner_here = process() | (one_thread ? atomic_fetch_add(&threads, 1u) + 1u : 0u);
        atomic_store(&for_all, !one_thread);
    }
    handle->maker = hxi_owner_here;
}

void hxi_owner_leave(hx_handle *handle)
{
    handle->maker = NOBODY;
}

static hx_status refuse_child(const char *purpose)
{
    return hxi_fail(
        HX_ERR_STATE,
        "A child of the process that made handles was asked to %s.  MPI is its parent's: whatever the "
        "child sent would spoil that one's messages.  Call libhx in the parent only.",
        purpose);
}

hx_status hxi_owner_check_process(const char *caller)
{
    return atomic_load(&forks) == 0 ? HX_OK : refuse_child(caller);
}

hx_status hxi_owner_look(const hx_handle *handle, const char *purpose)
{
    if (hxi_owner_here == UNKNOWN && atomic_load(&for_all)) {
        hxi_owner_here = process();
    }
    const uint64_t owner = handle->maker;
    if (owner == hxi_owner_here) {
        return HX_OK;
    }
    if (owner >> (FORKS + 16) != mark >> (FORKS + 16)) {
        return hxi_fail(HX_ERR_STATE,
                        "The handle given to %s is none, or was destroyed; give one that create made.",
                        purpose);
    }
    if (owner >> FORKS != process() >> FORKS) {
        return refuse_child(purpose);
    }
    return hxi_fail(
        HX_ERR_STATE,
        "The handle given to %s was made by another thread, and MPI was initialised for one thread "
        "(MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED).  Call it there, or ask MPI_Init_thread for "
        "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE.",
        purpose);
}
