/*
 * What other calls of a handle ask of its exchanges.
 */
#ifndef HX_EXCHANGE_H
#define HX_EXCHANGE_H

#include "exchange/handle.h"

/* Can this handle be used?  caller: what was called, for the sentence. */
hx_status hxi_exchange_ready(const hx_handle *handle, const char *caller);

/*
 * May this thread use the handle?  Then it holds it until hxi_progress_release; a null pointer is not its business.
 * purpose: "start an exchange".
 */
hx_status hxi_exchange_hold(hx_handle *handle, const char *purpose);

/*
 * The steps of start and finish, for those who take them one by one; plan: of an exchange of the handle.
 * find: can the handle do anything with an exchange that has fields in the memory of a device, or one that
 * has none?  verb: of the call, for sentences.
 */
hx_status hxi_exchange_find(const hx_handle *handle, int exchange, const char *verb, bool on_device,
                            hxi_plan **plan);

/* May these be its arrays?  They are, then. */
hx_status hxi_exchange_take_arrays(const hx_handle *handle, hxi_plan *plan, const void *fields,
                                   const char *verb);

/* The same for one that is to be started: is it not under way, and is there what it needs for walls? */
hx_status hxi_exchange_take(const hx_handle *handle, hxi_plan *plan, const void *fields, const char *verb);

/* Both, of one without fields in the memory of a device. */
hx_status hxi_exchange_admit(const hx_handle *handle, int exchange, const void *fields, hxi_plan **plan);

/* May its corners be filled?  fill: a number of one of its ways. */
hx_status hxi_exchange_may_fill(const hx_handle *handle, const hxi_plan *plan, int fill);

/* From now on it is under way. */
hx_status hxi_exchange_enter(hx_handle *handle, hxi_plan *plan);

/* Waits until all its messages are there, and all that were sent have left.  It is not under way any more. */
hx_status hxi_exchange_wait(hx_handle *handle, hxi_plan *plan);

/* While it is held: moves on what is under way, without waiting.  A failure leaves it broken. */
void hxi_exchange_advance(hx_handle *handle);

/* An exchange under way that was given an array that begins among these bytes, or NULL. */
const hx_exchange *hxi_exchange_using(const hx_handle *handle, const void *memory, size_t bytes);

#endif
