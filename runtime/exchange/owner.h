/*
 * Who may use a handle: the process that made it, until it is destroyed, and where MPI is for one thread the
 * thread that made it.  A call finds that out by one comparison.
 */
#ifndef HX_OWNER_H
#define HX_OWNER_H

#include "exchange/handle.h"

/* What the handles of this thread have as their owner.  Of the default model of thread-local data: with a faster
 * one libhx could not be loaded late, as Python does. */
extern _Thread_local uint64_t hxi_owner_here;

/* Local, for a handle that this thread has made.  one_thread: of its process is to call MPI. */
void hxi_owner_take(hx_handle *handle, bool one_thread);

/* For one that is about to be freed. */
void hxi_owner_leave(hx_handle *handle);

/* HX_ERR_STATE, in words, in a child of a process that has made handles. */
hx_status hxi_owner_check_process(const char *caller);

/* The rest of hxi_owner_check. */
hx_status hxi_owner_look(const hx_handle *handle, const char *purpose);

/* May this thread use the handle?  A null pointer is not its business.  purpose: "start an exchange". */
static inline hx_status hxi_owner_check(const hx_handle *handle, const char *purpose)
{
    return !handle || handle->maker == hxi_owner_here ? HX_OK : hxi_owner_look(handle, purpose);
}

#endif
