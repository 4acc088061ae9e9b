/*
 * Linear sound waves in a box that is 1 x 1 x 1/2 wide, with density and speed of sound 1:
 *
 *     dp/dt = -(du/dx + dv/dy + dw/dz)      du/dt = -dp/dx      dv/dt = -dp/dy      dw/dt = -dp/dz
 *
 * Pressure sits in the middle of the cells, each velocity on their low faces, half a time step later.
 * Leapfrog in time (second order), four-point slopes in space (fourth order).
 */
#ifndef WAVE_SOLVER_H
#define WAVE_SOLVER_H

#include "wave.h"

static const double wave_extent[3] = {1.0, 1.0, 0.5};

typedef struct solver {
    wave_shape shape;
    wave_fields fields;
    wave *halo;
    int together; /* as for solver_create */
    double spacing[3];
    double time_step;
    double time; /* of the pressure */
} solver;

enum { EACH_STEP = -1 };

/*
 * Collective over comm, like the others.  courant is the time step over the smallest spacing; steps are
 * stable up to 0.49.  together: steps that one exchange serves, 0: as many as are fastest; or EACH_STEP.
 */
void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, double courant, int together);
void solver_step(solver *s);
void solver_destroy(solver *s);

#endif
