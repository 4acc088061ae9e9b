/*
 * Walls beside blocks without an owner, and of blocks that have such neighbors.
 */
#ifndef HX_BOUNDARY_LAND_H
#define HX_BOUNDARY_LAND_H

#include "pack/boundary_ops.h"

/*
 * What fills all walls of one field of one block, if blocks without an owner would feed some of its ghost
 * points: *found.  Else nothing is added.  p: with item, field, block, points, start and end.
 * is_wall: of the tile's ends, [axis][side], those where no tile is.
 *
 * Axes go in order.  A ghost point without an owner is filled across the first axis along which a known point
 * lies towards the block: an owned one, one with a neighbor, or one that was filled across an earlier axis.
 */
hx_status hxi_boundary_at_land(hxi_boundary_maker *m, const hxi_wall_box *p, bool (*is_wall)[2], bool *found);

#endif
