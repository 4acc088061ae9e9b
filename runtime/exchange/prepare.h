/*
 * What a rank does alone to make a handle: it calls no other rank, and may fail where others do not.
 */
#ifndef HX_PREPARE_H
#define HX_PREPARE_H

#include "exchange/handle.h"

/* From the arguments of create to the blocks of this rank.  options: NULL if the handle has them resolved. */
hx_status hxi_prepare_blocks(hx_handle *h, const hx_blocks *blocks, const void *shapes,
                             const hx_options *options);

/* From the blocks to plans, cycles and the board that the ranks of a node show each other. */
hx_status hxi_prepare_exchanges(hx_handle *h);

#endif
