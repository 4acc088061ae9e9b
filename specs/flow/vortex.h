/*
 * A vortex that the wind carries along unchanged: a solution of the Euler equations, periodic but for what is
 * below the rounding of a double.
 */
#ifndef FLOW_VORTEX_H
#define FLOW_VORTEX_H

#include "gas.h"

/* Both sides of the plane, which is a square. */
#define VORTEX_SIDE 16.0

/* No wave is faster along an axis. */
#define VORTEX_FASTEST 3.0

/* The gas at a point and a time. */
void vortex_at(double x, double y, double time, double gas[GAS_FIELDS]);

#endif
