/*
 * Steps of time: two stages each, and what a solver on a device has to do with halos.
 */
#ifndef FLOW_SOLVER_H
#define FLOW_SOLVER_H

#include "flow.h"
#include "gas.h"

typedef struct solver {
    flow_shape shape;
    flow *halo;
    flow_fields now, half; /* on the device */
    hx_stream stream;      /* in which all of it happens */
    double time, time_step;
} solver;

/* Collective over comm.  Arrays are zero. */
void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, hx_stream stream);
void solver_destroy(solver *s);

/* Queues a step, and travels with it; when it returns the device may still be at work. */
void solver_step(solver *s);

/* The arrays of some fields. */
void solver_arrays(const flow_fields *f, double *array[GAS_FIELDS]);

#endif
