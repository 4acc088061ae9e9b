/*
 * Shared points: which blocks hold them, and which of these blocks feeds the others.
 */
#ifndef HX_SHARED_POINTS_H
#define HX_SHARED_POINTS_H

#include "grid/cut.h"

#include <stdbool.h>

/* Does every block need what all others hold, for a mean or a sum?  Else one of them feeds the others. */
bool hxi_shared_points_combine(const hx_exchange *exchange);

/*
 * The pieces of what a block holds on one of its sides (a ghost's direction; no widths) that others feed.
 * Points that no other block holds are in none, nor are those for which the block itself decides.  all: one
 * piece for each other holder, whoever decides.
 */
hx_status hxi_shared_points_find(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *side,
                                 hx_shared decides, bool all, hxi_pieces *pieces);

#endif
