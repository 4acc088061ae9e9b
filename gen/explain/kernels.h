/*
 * Which kernels an exchange has, for those files of libhx that choose among them.  Nobody calls one.
 */
#ifndef HALOGEN_EXPLAIN_KERNELS_H
#define HALOGEN_EXPLAIN_KERNELS_H

#include "explain/read.h"

#include <hx/abi.h>

/* Of the table on top of the stack, `kernels` of tables.lua. */
const hx_kernels *kernels_read(const reader *r);

/* Is it a kernel for a depth? */
int kernels_have_depth_pack(hx_pack_fn *pack);
int kernels_have_depth_unpack(hx_unpack_fn *unpack);
int kernels_have_depth_copy(hx_copy_fn *copy);

#endif
