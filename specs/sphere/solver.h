/*
 * Shallow water on a rotating sphere, by finite volumes:
 *
 *     d h / dt      = -div(h wind)                  h: depth, from the bed to the surface
 *     d h wind / dt = -div(h wind wind) - g h grad(surface) - f k x h wind, along the sphere
 *
 * A cell has the height of the surface, and momentum, h wind, a vector in space.  Slopes by least squares
 * carry both to the sides of the cell, where Rusanov's flux is the mean of the two cells' less what waves
 * level out; time goes by Heun's method.  Both are of second order.
 */
#ifndef SPHERE_SOLVER_H
#define SPHERE_SOLVER_H

#include "block.h"

enum { SURFACE, MOMENTUM, NUMBERS = 4 }; /* of a cell, in sphere.lua's q: three of them are momentum */

typedef struct solver {
    const flow *flow;
    int cells; /* along each axis of each tile */
    double time_step;
    int blocks; /* of this rank; each has an entry in the three arrays */
    block *block;
    sphere_fields *now;
    sphere_fields *half; /* the same with a state of its own, which the first half of a step makes */
    sphere *halo;
} solver;

/*
 * Collective over blocks->comm, as the others.  All tiles have as many cells along both axes, and
 * blocks->owner says whose they are.
 */
void solver_create(solver *s, const hx_blocks *blocks, const flow *f, double time_step);
void solver_step(solver *s);
void solver_destroy(solver *s);

/* The time step that waves allow. */
double solver_time_step(const flow *f, int cells);

#endif
