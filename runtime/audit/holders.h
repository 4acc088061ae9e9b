/*
 * Which blocks hold a shared point: found for one point at a time, from the spec's tables and the partition alone.
 * What exchanges do, grid/shared_points.h, finds it for whole boxes; the two share no code.
 */
#ifndef HX_HOLDERS_H
#define HX_HOLDERS_H

#include "audit/patch.h"

enum { HX_MOST_HOLDERS = 64 };

/*
 * Where else the point lies that a block has: in its tile, on other blocks, and on other tiles.  Returns how many
 * there are; 0: none, or it lies on its own opposite, so that nobody can tell what it is to be.
 */
int hxi_holders_find(const hxi_patch_source *source, const hxi_filled *filled,
                     hxi_origin others[HX_MOST_HOLDERS]);

#endif
