/*
 * Cycles of a handle: what goes on between exchanges, so that one serves several cycles.
 */
#ifndef HX_CYCLE_H
#define HX_CYCLE_H

#include "base/json.h"
#include "base/text.h"
#include "exchange/handle.h"

/* Local.  Memory for the cycles of the spec, none of which has begun. */
hx_status hxi_cycles_make(hx_handle *h);
void hxi_cycles_free(hx_handle *h);

/* One line for each; an object for each, in a list. */
void hxi_cycles_describe(const hx_handle *h, hxi_text *text);
void hxi_cycles_describe_json(const hx_handle *h, hxi_json *json);

#endif
