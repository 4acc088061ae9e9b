/*
 * A block of cells: where they are, and all else that does not change.
 */
#ifndef SPHERE_BLOCK_H
#define SPHERE_BLOCK_H

#include "geometry.h"
#include "sphere.h"
#include "williamson.h"

typedef struct cell {
    vec middle;
    double area, bed, coriolis;
    vec weight[4]; /* of the cells beside it, for slopes */
} cell;

/* A side between two cells. */
typedef struct face {
    side side;
    double bed;
} face;

typedef struct block {
    sphere_shape shape;
    cell *cells;
    face *faces[2]; /* across x, across y */
} block;

/* Who is beside a cell: to the west, east, south and north. */
static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static inline cell *cell_of(const block *b, int i, int j)
{
    return &b->cells[i + b->shape.part.n[0] * j];
}

/* The side to the west of cell (i, j), or (axis 1) to the south. */
static inline face *face_of(const block *b, int axis, int i, int j)
{
    return &b->faces[axis][i + (b->shape.part.n[0] + (axis == 0)) * j];
}

static inline vec vec_at(const double *number)
{
    return (vec){number[0], number[1], number[2]};
}

/* The middle of a cell, which may be a neighbor's. */
static inline vec place_of(const block *b, const sphere_fields *f, int i, int j)
{
    return vec_at(f->place + sphere_place_at(&b->shape, i, j, 0));
}

/* Makes the cells and faces of a block that has its shape, and sets the places of its own cells. */
void block_lay_out(block *b, const flow *f, const sphere_fields *fields);

/* To be called when the places of neighbors are there, too. */
void block_weigh_slopes(block *b, const sphere_fields *fields);

void block_free(block *b);

#endif
