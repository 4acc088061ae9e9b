/*
 * Which block owns which cells, and which rank owns which block.
 */
#ifndef HX_LAYOUT_H
#define HX_LAYOUT_H

#include "grid/lists.h"
#include "grid/owners.h"
#include "grid/partition.h"

#include <stdbool.h>

/* One tile, cut into blocks. */
typedef struct hxi_tile {
    int cells[HX_MAX_AXES]; /* 1 for axes that the grid does not have; parts likewise */
    int parts[HX_MAX_AXES];
    /* parts + 1 each; NULL: as even as possible, so that no rank has a list of all. */
    const int *cuts[HX_MAX_AXES];
    int first_block; /* blocks of the tiles before this one */
} hxi_tile;

/* First cell of a part along an axis; behind the last part the number of cells. */
static inline int hxi_tile_cut(const hxi_tile *tile, int axis, int part)
{
    return tile->cuts[axis] ? tile->cuts[axis][part]
                            : hxi_even_cut(tile->cells[axis], tile->parts[axis], part);
}

typedef struct hxi_layout {
    int axes;
    bool first_fastest; /* of the axes, in the numbers of blocks; else the last */
    int tiles;
    hxi_tile *tile;
    int *cut; /* what the cuts point into */
    int blocks;
    int land; /* of the blocks, those without an owner */
    int ranks;
    int (*owner)(void *context, int tile, int block); /* asked during create only */
    void *context;
    bool asks;         /* the function whether a block has an owner: during create, unless owners says it */
    hxi_owners owners; /* of all blocks, where a table had them, or all were asked for */
    /* Of a grid without boxes: block b is all that rank b has, and tiles have no cuts; else NULL. */
    const hxi_lists *lists;
} hxi_layout;

/* Checks the partitions against the spec, and copies what is needed of them. */
hx_status hxi_layout_make(const hx_spec *spec, const hx_blocks *blocks, int ranks, hxi_layout *layout);
void hxi_layout_free(hxi_layout *layout);

/* For grids that are lists of points: one block a rank. */
hx_status hxi_layout_make_listed(const hxi_lists *lists, int ranks, hxi_layout *layout);

/* Number of a block, from its place along each axis.  And back. */
int hxi_layout_block(const hxi_layout *layout, int tile, const int index[]);
void hxi_layout_index(const hxi_layout *layout, int tile, int block, int index[]);

/* The part along an axis that has the cell. */
int hxi_layout_part(const hxi_layout *layout, int tile, int axis, int cell);

/* The rank that owns a block; what owner() says is not trusted until hxi_layout_check_owner has seen it. */
int hxi_layout_owner(const hxi_layout *layout, int tile, int block);

/* Has a block no owner?  It takes no part.  Also after create. */
bool hxi_layout_is_land(const hxi_layout *layout, int tile, int block);

/*
 * Local: asks the function who owns what about all blocks, and keeps the answers.  For those who know that some are
 * land, since not all were given.
 */
hx_status hxi_layout_find_land(hxi_layout *layout);

/* Blocks of a tile without an owner. */
int hxi_layout_land_of(const hxi_layout *layout, int tile);
hx_status hxi_layout_check_owner(const hxi_layout *layout, int tile, int block);

/* Blocks that a rank owns; -1 where only a function knows. */
int hxi_layout_owned(const hxi_layout *layout, int rank);

/* A number for cells, parts and cuts of all tiles. */
uint64_t hxi_layout_hash(const hxi_layout *layout);

#endif
