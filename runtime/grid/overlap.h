/*
 * Which blocks of a layout hold which owned points of a tile: arithmetic on cuts.
 */
#ifndef HX_OVERLAP_H
#define HX_OVERLAP_H

#include "grid/box.h"
#include "grid/layout.h"

/* A block, and a field of it. */
typedef struct hxi_overlap_owner {
    const hx_spec *spec;
    const hxi_layout *layout;
    int tile;
    int field;
    const int *index; /* of the block */
} hxi_overlap_owner;

/* Parts along each axis, first and last, and the one that is looked at. */
typedef struct hxi_parts {
    int first[HX_MAX_AXES];
    int last[HX_MAX_AXES];
    int index[HX_MAX_AXES];
} hxi_parts;

/* The points of a field that a block holds, counted in the tile.  Of a field at faces both outer faces belong to it. */
hxi_box hxi_overlap_held(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                         const int index[]);

/* Those of them that other layouts get from it: not a high face, which is the low one of the next block. */
hxi_box hxi_overlap_feeding(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                            const int index[]);

/*
 * The block above one along some axes, by bits, in `above`: false unless it has no owner and points of the field
 * lie on both.  The block below may feed these then.
 */
bool hxi_overlap_land_above(const hxi_overlap_owner *at, unsigned axes, int above[]);

/* The blocks that hold points of a box, which is not empty and lies in the tile. */
hxi_parts hxi_overlap_parts(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                            const hxi_box *points);

/* The next of these blocks; false after the last. */
bool hxi_overlap_next(hxi_parts *parts);

#endif
