/*
 * The vorticity of the wind.
 */
#ifndef SPHERE_VORTICITY_H
#define SPHERE_VORTICITY_H

#include "solver.h"

/*
 * The largest difference of the vorticity from that of the first state, on all corners of this rank's cells,
 * per second.  Collective.
 */
double vorticity_error(solver *s);

#endif
