/*
 * Which blocks this rank's blocks can feed.
 */
#ifndef HX_NEIGHBORS_H
#define HX_NEIGHBORS_H

#include "grid/block.h"

typedef struct hx_place {
    int tile;
    int block;
} hx_place;

typedef struct hx_places {
    hx_place *place; /* by tile and block, each once */
    int count;
    int room;
} hx_places;

/*
 * The blocks of other ranks that may have ghost points, at most `reach` deep, fed by this rank, or that hold
 * points of exchanges of shared points that this rank holds, too.  A few more
 * than those that have some: cutting decides.  Time and memory are of the order of the result.
 */
hx_status hx_neighbors_find(const hx_spec *spec, const hx_layout *layout, const hx_block_list *mine,
                            int reach, hx_places *found);

#endif
