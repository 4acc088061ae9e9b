/*
 * Handles with exchanges under way that go by dimension, or through windows.  Such an exchange goes on only
 * where somebody moves it on, and ranks may wait for those of several handles in different orders: so whoever
 * waits moves all handles on, also those of other threads.
 */
#ifndef HX_PROGRESS_H
#define HX_PROGRESS_H

#include "exchange/handle.h"

/* Once, when its plans are made, before anything else; and before it goes. */
void hxi_progress_open(hx_handle *handle);
void hxi_progress_close(hx_handle *handle);

/* Around whatever a handle's own thread does with it; NULL is no handle. */
void hxi_progress_hold(hx_handle *handle);
void hxi_progress_release(hx_handle *handle);

/* From now on whoever waits moves it on; while it is held. */
void hxi_progress_add(hx_handle *handle);

/* No exchange of it is under way any more, or none will be moved on. */
void hxi_progress_remove(hx_handle *handle);

/* Calls advance for all that were added and that no other thread holds, but not for the one that waits. */
void hxi_progress_visit(const hx_handle *waiting, void (*advance)(hx_handle *));

#endif
