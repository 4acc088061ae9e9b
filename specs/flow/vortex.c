/*
 * The isentropic vortex of C.-W. Shu, Essentially non-oscillatory and weighted essentially non-oscillatory
 * schemes for hyperbolic conservation laws, in Lecture Notes in Mathematics 1697, Springer 1998.
 */
#include "vortex.h"

#include <math.h>

static const double strength = 5.0, wind = 1.0;
static const double pi = 3.14159265358979323846;

/* From the vortex, which left the middle at time 0: the nearest of its periodic images. */
static double distance(double x, double time)
{
    return remainder(x - 0.5 * VORTEX_SIDE - wind * time, VORTEX_SIDE);
}

void vortex_at(double x, double y, double time, double gas[GAS_FIELDS])
{
    const double dx = distance(x, time), dy = distance(y, time);
    const double turning = strength / (2.0 * pi) * exp(0.5 * (1.0 - dx * dx - dy * dy));
    const double u = wind - turning * dy, v = wind + turning * dx;
    const double temperature = 1.0 - (GAS_GAMMA - 1.0) / (2.0 * GAS_GAMMA) * turning * turning;
    const double density = pow(temperature, 1.0 / (GAS_GAMMA - 1.0));
    gas[GAS_DENSITY] = density;
    gas[GAS_MOMENTUM_X] = density * u;
    gas[GAS_MOMENTUM_Y] = density * v;
    gas[GAS_ENERGY] = density * temperature / (GAS_GAMMA - 1.0) + 0.5 * density * (u * u + v * v);
}
