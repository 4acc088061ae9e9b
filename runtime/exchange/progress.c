#include "exchange/progress.h"

/*
 * Who visits has the list and only tries the handles; who holds a handle may wait for the list, which is had
 * for one walk.  So nobody waits in a circle.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hx_handle *first;
static atomic_int listed; /* so many; whoever is alone there asks for no lock */

static bool is_shared(const hx_handle *handle)
{
    return handle && handle->shared;
}

/* Others come upon a handle only while an exchange of it is one that somebody has to move on. */
static bool has_steps(const hx_handle *handle)
{
    bool found = false;
    for (int i = 0; i < handle->plans; ++i) {
        found = found || handle->plan[i].steps;
    }
    return found;
}

/* A function for walls may ask its handle for numbers, and move it on, while finish holds it. */
void hxi_progress_open(hx_handle *handle)
{
    handle->shared = !handle->topology.serial && has_steps(handle);
    if (handle->shared) {
        pthread_mutexattr_t again;
        pthread_mutexattr_init(&again);
        pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&handle->held, &again);
        pthread_mutexattr_destroy(&again);
    }
}

void hxi_progress_close(hx_handle *handle)
{
    hxi_progress_remove(handle);
    if (handle->shared) {
        pthread_mutex_destroy(&handle->held);
    }
}

/* Another address in each thread. */
static const void *this_thread(void)
{
    static _Thread_local char thread;
    return &thread;
}

void hxi_progress_hold(hx_handle *handle)
{
    if (is_shared(handle)) {
        atomic_store(&handle->owner, this_thread());
        pthread_mutex_lock(&handle->held);
        handle->holds++;
    }
}

void hxi_progress_release(hx_handle *handle)
{
    if (is_shared(handle)) {
        const bool last = --handle->holds == 0;
        pthread_mutex_unlock(&handle->held);
        if (last) {
            atomic_store(&handle->owner, NULL);
        }
    }
}

void hxi_progress_add(hx_handle *handle)
{
    if (handle->listed) {
        return;
    }
    pthread_mutex_lock(&lock);
    handle->next = first;
    handle->listed = true;
    first = handle;
    atomic_fetch_add_explicit(&listed, 1, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}

void hxi_progress_remove(hx_handle *handle)
{
    if (!handle->listed) {
        return;
    }
    pthread_mutex_lock(&lock);
    hx_handle **link = &first;
    while (*link != handle) {
        link = &(*link)->next;
    }
    *link = handle->next;
    handle->listed = false;
    atomic_fetch_sub_explicit(&listed, 1, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
}

/*
 * Its own thread comes first: a lock alone would go to whoever asks again soonest.  That thread itself may
 * wait for another handle, in a function for walls, while it holds this one: then it moves this one on.
 */
static bool try_hold(hx_handle *handle)
{
    if (!is_shared(handle)) {
        return true;
    }
    const void *owner = atomic_load(&handle->owner);
    return (!owner || owner == this_thread()) && pthread_mutex_trylock(&handle->held) == 0;
}

void hxi_progress_visit(const hx_handle *waiting, void (*advance)(hx_handle *))
{
    const int own = waiting && waiting->listed; /* whoever waits holds it */
    if (atomic_load_explicit(&listed, memory_order_relaxed) == own || pthread_mutex_trylock(&lock) != 0) {
        return; /* somebody else does it, or will be done with the list soon */
    }
    for (hx_handle *handle = first; handle; handle = handle->next) {
        if (handle != waiting && try_hold(handle)) {
            advance(handle);
            if (is_shared(handle)) {
                pthread_mutex_unlock(&handle->held);
            }
        }
    }
    pthread_mutex_unlock(&lock);
}
