/*
 * What travelled, and what it cost.
 */
#ifndef WAVE_REPORT_H
#define WAVE_REPORT_H

#include "solver.h"

/* Rank 0 prints a table of all exchanges.  seconds: what the steps took on this rank.  Collective. */
void report_traffic(const solver *s, MPI_Comm comm, int steps, double seconds);

#endif
