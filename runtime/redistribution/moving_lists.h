/*
 * Redistribution of lists of points: what goes from the points of one handle to those of another with equal ids.
 */
#ifndef HX_MOVING_LISTS_H
#define HX_MOVING_LISTS_H

#include "exchange/handle.h"

/* Local: do these ids describe the points of the handle?  end: "source". */
hx_status hxi_moving_ids_check(const hx_handle *handle, const hx_ids *ids, const char *end,
                               const char *caller);

/* A number for what ids say. */
uint64_t hxi_moving_ids_hash(uint64_t hash, const hx_ids *ids);

/*
 * Collective: of each partner the points of the source that are sent, and those of the target that are received.
 * Whatever comes of it: free them.
 */
hx_status hxi_moving_lists_make(const hx_handle *h, const hx_ids *source, const hx_ids *target,
                                hxi_lists *made);

#endif
