/*
 * Exchanges that send ghost points back to their owners: what points hold before, and what becomes of them.
 */
#ifndef HX_CHECK_SUMS_H
#define HX_CHECK_SUMS_H

#include "check/grid.h"

/* A value that tells the block, too: of blocks that hold the same point each has another. */
uint64_t hxi_check_block_value(const check_run *r, const check_spot *spot, int component);

/* What a point of a block holds before it is added: a small number, so that sums are exact in every type. */
int64_t hxi_check_addend(const check_run *r, const check_spot *spot, int component);

/* What addends are multiples of: where numbers are rounded on the way, a number that is. */
int64_t hxi_check_unit(const hx_exchange_field *item);

/* What such an exchange starts from. */
void hxi_check_store_addends(const check_run *r, const check_block *b, const hx_exchange *exchange);

/* Looks for what it must come to, in all blocks.  Collective. */
void hxi_check_compare_sums(check_run *r, int exchange);

#endif
