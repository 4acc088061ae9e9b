/*
 * What other calls of a handle ask of its exchanges.
 */
#ifndef HX_EXCHANGE_H
#define HX_EXCHANGE_H

#include "handle.h"

/* Can this handle be used?  caller: what was called, for the sentence. */
hx_status hx_exchange_ready(const hx_handle *handle, const char *caller);

/* While it is held: moves on what is under way, without waiting.  A failure leaves it broken. */
void hx_exchange_advance(hx_handle *handle);

/* An exchange under way that was given an array that begins among these bytes, or NULL. */
const hx_exchange *hx_exchange_using(const hx_handle *handle, const void *memory, size_t bytes);

#endif
