/*
 * What ghost points behind walls are made of: found for one point at a time, from the spec's tables alone.  What
 * exchanges do, pack/boundary.h, finds it for whole boxes; the two share no code.
 */
#ifndef HX_WALL_H
#define HX_WALL_H

#include "audit/patch.h"

/*
 * The point of its own block that a ghost point becomes; its sign is 0 where it becomes zero.  False: it lies behind
 * no wall, or nobody can tell what it is to be, as where a function of the application's fills it.
 */
bool hxi_wall_find(const hxi_patch_source *source, const hx_exchange_field *item, const hxi_filled *filled,
                   hxi_origin *origin);

/* Would a block without an owner feed this ghost point?  Then all walls of its field and block are of another kind. */
bool hxi_wall_at_land(const hxi_patch_source *source, const hxi_filled *filled);

/* What such a one becomes, as above. */
bool hxi_wall_find_at_land(const hxi_patch_source *source, const hx_exchange_field *item,
                           const hxi_filled *filled, hxi_origin *origin);

#endif
