/*
 * Redistribution between the blocks of two handles: hx_redistribute.
 */
#ifndef HX_REDISTRIBUTE_H
#define HX_REDISTRIBUTE_H

#include "exchange/handle.h"

/* Local: plans that this handle keeps for those that it gets fields from. */
void hxi_redistributions_free(hx_handle *handle);

/*
 * Collective over the ranks of `with`: the rank of each block of a handle of its ranks, kept in its layout.  NULL in
 * *owner: that is the number of the block.
 */
hx_status hxi_redistribute_owners(hx_handle *handle, const hx_handle *with, const hxi_owners **owner);

#endif
