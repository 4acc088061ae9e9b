/*
 * Tracers that are carried along, by finite volumes:
 *
 *     d (area c) / dt = -sum over the faces of a cell of (water that leaves there) x (c of where it comes
 * from)
 *
 * with the slope there on the way to the face, and Heun's method in time: of second order.  What leaves one
 * cell enters another, also across the fold.
 */
#ifndef TRIPOLAR_SOLVER_H
#define TRIPOLAR_SOLVER_H

#include "ocean.h"
#include "tripolar.h"

typedef struct solver {
    ocean ocean;
    tripolar_shape shape; /* of this rank's block */
    double *area;         /* of its cells */
    double time_step;
    tripolar_fields now;
    tripolar_fields half; /* the same with tracers of its own, which the first half of a step makes */
    tripolar *halo;
} solver;

/*
 * Collective, as the others.  The time step is what the flow allows, or less: time is a whole number of them.
 */
void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, double time, int *steps);
void solver_step(solver *s);
void solver_destroy(solver *s);

#endif
