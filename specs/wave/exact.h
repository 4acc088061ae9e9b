/*
 * The analytic solution: plane waves that travel along x and y and stand between floor and ceiling.
 */
#ifndef WAVE_EXACT_H
#define WAVE_EXACT_H

#include "solver.h"

/* Sets the pressure to the solution at time 0 and the velocities to that half a time step later. */
void exact_start(solver *s);

/* The largest difference of this rank's pressures from the solution, as a fraction of the sum of the waves'
 * amplitudes.
 */
double exact_error(const solver *s);

/* What that difference may be, by the order of the scheme. */
double exact_bound(const solver *s);

#endif
