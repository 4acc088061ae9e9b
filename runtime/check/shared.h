/*
 * Exchanges of points that several blocks own: what all of them must agree on.
 */
#ifndef HX_CHECK_SHARED_H
#define HX_CHECK_SHARED_H

#include "check/grid.h"

/* What the owned points of a block hold before: what no other block holds. */
void hxi_check_store_shared(const check_run *r, const check_block *b, const hx_exchange *exchange);

/* Looks for what those that share a point should agree on. */
void hxi_check_compare_shared(check_run *r, const check_block *b, const check_step *step);

#endif
