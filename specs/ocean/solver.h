/*
 * An ocean of layers with a free surface, on a C grid, forward-backward in time:
 *
 *     d eta / dt = -div of what all layers carry           eta: height of the surface
 *     du / dt =  f v - g d eta / dx - drag u (+ wind)      in the top layer
 *     dv / dt = -f u - g d eta / dy - drag v
 *
 * Water that converges in a layer rises into the one above; temperature t and salinity s go with it, upwind.
 * Layers are equally high but for the lowest one above the bottom, and the top one, which ends at the
 * surface.
 */
#ifndef OCEAN_SOLVER_H
#define OCEAN_SOLVER_H

#include "ocean.h"

#include <hx/shared_array.h>

enum { LAYERS = 12 }; /* as in ocean.lua */

static const double layer_height = 4000.0 / LAYERS; /* metres, as all lengths; times are in seconds */
static const double spacing = 20000.0;
static const double time_step = 50.0;

typedef struct solver {
    ocean_shape shape;
    ocean *halo;
    ocean_fields now;
    ocean_fields next; /* what a step makes; then the two change places */
    hx_shared_arrays *tables;
    /* Of the bottom of the whole ocean, [y][x]; one copy a node, which nobody can write. */
    const double *depth;
} solver;

/*
 * Collective over comm, like the others.  depth: on rank 0, of every column, below the surface at rest: 0 on
 * land, elsewhere one layer or more.  Everything is at rest and 0 at first.
 */
void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, const double *depth);
void solver_step(solver *s);
void solver_destroy(solver *s);

/* How deep the bottom lies below column (i, j) of this block; 0 beyond the walls. */
double solver_depth(const solver *s, int i, int j);

/* Water in layer k at rest, in metres, where the bottom lies so deep. */
double solver_thickness(double depth, int k);

#endif
