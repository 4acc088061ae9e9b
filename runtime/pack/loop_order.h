/*
 * The order in which a copy that turns goes through its points.
 *
 * Two axes matter: the one along which points are neighbors in memory where they go, and the one along which
 * they are where they come from.  Halos are thin along one of the two: that is the innermost, and the other
 * the next, so that of both arrays each cache line is visited once, or soon again.  Likewise from there
 * outwards, among the axes that are left.
 */
#ifndef HX_LOOP_ORDER_H
#define HX_LOOP_ORDER_H

#include <hx/abi.h>

/* Numbers the axes of the two ends of a copy anew, as hx_copy_turned_fn has them. */
void hxi_loop_order_order(int axes, hx_region *to, hx_region *from);

/* The same, and the kernel that fits best; NULL: there is none. */
hx_copy_turned_fn *hxi_loop_order_choose(const hx_kernels *kernels, int axes, hx_region *to, hx_region *from);

/* The points of a region as they lie in a message, which has them in this order, fastest first. */
hx_region hxi_loop_order_message(const int order[], int axes, const hx_region *region);

#endif
