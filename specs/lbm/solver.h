/*
 * Lattice Boltzmann, D3Q19, one relaxation time (BGK), in a periodic box.  Cells and time steps are 1 wide,
 * the speed of sound is 1/sqrt(3), the viscosity (time - 1/2) / 3.
 */
#ifndef LBM_SOLVER_H
#define LBM_SOLVER_H

#include "lbm.h"

enum { POPULATIONS = 19 };

/* In the order of lattice/d3q19.lua. */
extern const int velocity[POPULATIONS][3];
extern const double weight[POPULATIONS];

typedef struct solver {
    lbm_shape shape;
    lbm_fields now;  /* after collision; halos are filled at the start of a step */
    lbm_fields next; /* what a step makes; then the two change places */
    lbm *halo;
    double relaxation_time;
} solver;

/* Density and velocity of a cell: its populations' sum, and their mean velocity. */
typedef struct flow {
    double density;
    double u[3];
} flow;

/* Collective over comm, like the others. */
void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, double viscosity);
void solver_step(solver *s);
void solver_destroy(solver *s);

/* The 19 populations of a cell of this block. */
double *solver_cell(const solver *s, int i, int j, int k);
flow flow_of(const double *populations);
/* Populations of a flow in equilibrium. */
void equilibrium(const flow *of, double *populations);

#endif
