/*
 * The grid by its definition: who owns what lies at a place.  Each kind of grid answers these questions in a
 * file of its own, and from positions alone.
 */
#ifndef HX_CHECK_GRID_H
#define HX_CHECK_GRID_H

#include "check/points.h"

/* A point of the grid, seen from one of its tiles. */
typedef struct check_place {
    int tile;
    int field;               /* whose value it is there, ... */
    bool opposite;           /* ... or the opposite of its value */
    bool turned;             /* it was found across a fold */
    int index[HX_MAX_AXES];  /* in the tile */
    int center[HX_MAX_AXES]; /* twice that of the cell that it goes with, where it lies beside owned points */
    /* the axes of the tile that it is seen from first, which those of this one follow */
    int axis[HX_MAX_AXES];
    int sign[HX_MAX_AXES];
} check_place;

typedef struct check_grid {
    /* Does nothing lie beyond an end of an axis of a tile, 0 or 1? */
    bool (*is_wall)(const check_run *r, int tile, int axis, int end);

    /* The owned point that a point of a block stands for; false where there is none, or none for sure. */
    bool (*find)(const check_run *r, const check_spot *spot, check_place *found);

    /* The same for an index of the block's tile that may lie beyond walls, as if there were none. */
    bool (*find_beside)(const check_run *r, const check_spot *spot, const int at[], check_place *found);

    /*
     * Where a point of a block lies in its tile, also if it stands for one across a fold there; false if it
     * lies beyond the tile.  NULL: no grid of this kind is folded.
     */
    bool (*find_unturned)(const check_run *r, const check_spot *spot, check_place *found);

    /*
     * The same point at another place of the grid, across one end of an axis.  Returns 0 if there is none, 1
     * where the grid begins again, 2 where it turns.
     */
    int (*see_across)(const check_run *r, const check_place *here, int axis, int end, check_place *there);

    /* Index in a block of the place where a point of another one is owned; false if the block does not own
     * it. */
    bool (*owner_index)(const check_run *r, const hx_part *mine, const check_spot *spot,
                        const check_place *at, int owner[]);

    /* Is a place one whose values are kept, where several lie on each other? */
    bool (*is_kept)(const check_run *r, const check_place *place);
} check_grid;

extern const check_grid hxi_check_boxes, hxi_check_fold_grid, hxi_check_tile_grid;

const check_grid *hxi_check_grid_of(const check_run *r);

/* The owned point that a point stands for; false where there is none, or its block has no owner. */
bool hxi_check_find(const check_run *r, const check_spot *spot, check_place *found);

/* Does a point stand for one of a block without an owner? */
bool hxi_check_is_land(const check_run *r, const check_spot *spot);

/* Has a block no owner? */
bool hxi_check_lacks_owner(const check_run *r, int tile, int block);

/* Does an exchange write to owned points that lie on others, as to ghost points across the fold? */
bool hxi_check_rewrites(const check_run *r, const check_step *step);

/* The value at a place. */
uint64_t hxi_check_value_at(const check_run *r, const check_place *place, int component);

/* What a point holds before an exchange (a step of NULLs) or after it, walls aside. */
check_value hxi_check_expected(const check_run *r, const check_step *step, const check_spot *spot,
                               int component);

/* Blocks that a tile is cut into. */
int hxi_check_blocks_of(const check_run *r, int tile);

#endif
