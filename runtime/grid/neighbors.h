/*
 * Which blocks this rank's blocks can feed.
 */
#ifndef HX_NEIGHBORS_H
#define HX_NEIGHBORS_H

#include "grid/block.h"

typedef struct hxi_neighbor {
    int tile;
    int block;
} hxi_neighbor;

typedef struct hxi_neighbors {
    hxi_neighbor *neighbor; /* by tile and block, each once */
    int count;
    int room;
} hxi_neighbors;

/*
 * The blocks of other ranks that may have ghost points, at most `reach` deep, fed by this rank, or that hold
 * points of exchanges of shared points that this rank holds, too.  A few more
 * than those that have some: cutting decides.  Time and memory are of the order of the result.
 */
hx_status hxi_neighbors_find(const hx_spec *spec, const hxi_layout *layout, const hxi_block_list *mine,
                             int reach, hxi_neighbors *found);

#endif
