/*
 * Do all ranks want the same handle?
 */
#ifndef HX_ALIKE_H
#define HX_ALIKE_H

#include "exchange/handle.h"

/*
 * Collective: no rank has failed so far, and specs, partitions and options are the same everywhere.  status: how it went
 * on this rank.  *given: of how many blocks the ranks gave the shapes.
 */
hx_status hxi_alike_compare(hx_handle *h, const hx_blocks *blocks, hx_status status, int64_t *given);

/*
 * Collective.  Of a handle like another one: options are the same, and the table of owners says how many blocks a rank
 * has.
 */
hx_status hxi_alike_compare_like(hx_handle *h, const hx_blocks *blocks);

#endif
