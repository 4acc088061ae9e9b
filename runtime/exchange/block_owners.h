/*
 * Which rank has each block of a handle, for blocks whose owner a function tells.
 */
#ifndef HX_BLOCK_OWNERS_H
#define HX_BLOCK_OWNERS_H

#include "exchange/handle.h"

/*
 * Collective over the ranks of `with`: the rank of each block of a handle of its ranks, kept in its layout.  NULL in
 * *owner: that is the number of the block.
 */
hx_status hxi_block_owners(hx_handle *handle, const hx_handle *with, const hxi_owners **owner);

#endif
