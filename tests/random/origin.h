/*
 * Who feeds whom: told from the shape of the grid, point by point, by walking from cell to cell.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "world.h"

#include <stdbool.h>

/* An owned point as a block has it, and whether what it holds changes its sign on the way. */
typedef struct origin {
    int field;
    int block;
    int at[AXES]; /* counted in the block */
    bool negated;
} origin;

/* Half cells from the low end of cell i to point i. */
int origin_offset(const random_field *f, int axis);

/* The point that a point of a block gets its value from, which lies in the halo or is rewritten at a fold;
 * false: none. */
bool origin_find(const world *w, int field, int block, const int at[], origin *from);

/* Whether an owned point lies where another one does, from which exchanges that reach across a fold rewrite
 * it. */
bool origin_is_rewritten(const world *w, int field, int block, const int at[]);

/*
 * Whether a field changes its sign where axis a of the grid goes on along axis[a], in the sense of sign[a].
 */
bool origin_negates(const random_spec *spec, const random_field *f, const int axis[], const int sign[]);

#endif
