/*
 * What an exchange has to do, told point by point from the topology of the grid.
 *
 * Shares nothing with the generator's links or the runtime's cutting: a point outside its block is looked up
 * by its position in the whole tile.  For boxes libhx_check looks it up; other grids have formulas here, which
 * tell copies of a face from each other, too.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "layout.h"

#include <stdbool.h>

/* An owned point of the whole grid. */
typedef struct origin {
    int field;
    int tile;
    int at[HX_MAX_AXES];   /* counted in the tile */
    int high[HX_MAX_AXES]; /* where blocks store both faces of their cells: 1 for a block's last face */
    int sign;              /* by which its value comes */
} origin;

/* Who feeds a point of a block's halo, which may lie outside of the block's tile.  False: nobody. */
typedef bool oracle_topology(const layout *l, int field, int block, const int point[], origin *from);

/* One box, as check programs have it. */
oracle_topology oracle_cartesian;

/* A point of a block's halo. */
typedef struct oracle_point {
    int field, block;
    const int *at;
} oracle_point;

/*
 * Of a face that two blocks of the source tile store, which copy a point of a block's halo gets, along one
 * axis: 1 for the last face of the lower block.  Along the ghost box a point goes with the cell above it in
 * its own block, and the last one with the cell below it; across the box with the cell above it in the
 * source, and the last one of the tile with the last cell.  from: the point, field, tile and at set;
 * source_axis, turn: the axis of the source that follows the block's axis, and in which sense.
 */
int oracle_copy(const layout *l, const oracle_point *ghost, int axis, const origin *from, int source_axis,
                int turn);

/*
 * What stencil an exchange has, told from its name, not from its tables: a name that contains "star" promises
 * a star, any other a box.
 */
const struct hx_check_exchange *oracle_says(const hx_exchange *exchange);

/* Whether an exchange fills a point of a block that its topology feeds: see libhx_check. */
struct check_step;
struct check_spot;
bool oracle_fills(const layout *l, const struct check_step *step, const struct check_spot *spot, int block,
                  oracle_topology *topology);

#endif
