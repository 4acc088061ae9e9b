/*
 * Which block owns which cells, and which rank owns which block.
 */
#ifndef HX_LAYOUT_H
#define HX_LAYOUT_H

#include "grid/lists.h"

#include <stdbool.h>

/* One tile, cut into blocks. */
typedef struct hx_tile {
    int cells[HX_MAX_AXES]; /* 1 for axes that the grid does not have; parts likewise */
    int parts[HX_MAX_AXES];
    const int *cuts[HX_MAX_AXES]; /* parts + 1 each */
    int first_block;              /* blocks of the tiles before this one */
} hx_tile;

typedef struct hx_layout {
    int axes;
    bool first_fastest; /* of the axes, in the numbers of blocks; else the last */
    int tiles;
    hx_tile *tile;
    int *cut; /* what the cuts point into */
    int blocks;
    int ranks;
    int (*owner)(void *context, int tile, int block);
    void *context;
    const int *owners;     /* or a table of them, the caller's; during create only */
    const hx_lists *lists; /* of a grid without boxes: block b is all that rank b has, and tiles have no cuts;
                              else NULL */
} hx_layout;

/* Checks the partitions against the spec, and copies what is needed of them. */
hx_status hx_layout_make(const hx_spec *spec, const hx_blocks *blocks, int ranks, hx_layout *layout);
void hx_layout_free(hx_layout *layout);

/* For grids that are lists of points: one block a rank. */
hx_status hx_layout_make_listed(const hx_lists *lists, int ranks, hx_layout *layout);

/* Number of a block, from its place along each axis.  And back. */
int hx_layout_block(const hx_layout *layout, int tile, const int index[]);
void hx_layout_index(const hx_layout *layout, int tile, int block, int index[]);

/* The part along an axis that has the cell. */
int hx_layout_part(const hx_layout *layout, int tile, int axis, int cell);

/* The rank that owns a block; what owner() says is not trusted until hx_layout_check_owner has seen it. */
int hx_layout_owner(const hx_layout *layout, int tile, int block);
hx_status hx_layout_check_owner(const hx_layout *layout, int tile, int block);

/* Blocks that a rank owns; -1 where only a function knows. */
int hx_layout_owned(const hx_layout *layout, int rank);

/* A number for cells, parts and cuts of all tiles. */
uint64_t hx_layout_hash(const hx_layout *layout);

/* The same for the table of owners, if there is one. */
uint64_t hx_layout_owners_hash(const hx_layout *layout);

#endif
