/*
 * Fields whose halo lies behind the owned points, in planes: where those are, by the definition of the
 * layout.
 */
#ifndef HX_CHECK_BEHIND_H
#define HX_CHECK_BEHIND_H

#include "check/points.h"

/* Has the array a place for a point?  Edges and corners have none, nor have sides without a neighbor. */
bool hxi_check_has_place(const check_run *r, const check_spot *spot);

/* Index of the first component of a ghost point that has a place. */
ptrdiff_t hxi_check_index_behind(const check_run *r, const check_block *b, const check_spot *spot);

#endif
