/*
 * One cloud of points: its lists by ids, and all exchanges of a spec by some transports, against what the ids
 * say; everything else in the arrays is as it was.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <hx/abi.h>

/* Collective over MPI_COMM_WORLD. */
void trial_run(const hx_spec *spec, uint64_t seed, int rank, int ranks, const char *const transports[],
               int count);

#endif
