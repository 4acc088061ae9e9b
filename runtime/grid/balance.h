/*
 * Which rank owns which block, so that all have as much work: a few blocks move from where they are.
 */
#ifndef HX_BALANCE_H
#define HX_BALANCE_H

#include "grid/layout.h"

/*
 * Local.  work: of each block, 0 or more, some more than 0; owner: of each block, changed in place; HX_NO_OWNER stays.
 * Again and again the busiest rank gives away the block that helps most, to the rank with the least work, or rather to
 * one that owns a neighbor of the block.  It ends where no move helps by more than a hundredth of the mean work of a
 * rank.  With equal arguments the result is the same.
 */
hx_status hxi_balance(const hx_spec *spec, const hxi_layout *layout, const double work[], int owner[]);

#endif
