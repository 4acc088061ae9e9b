#include "ocean.h"

#include <complex.h>
#include <math.h>

static const double pi = 3.14159265358979323846;
const double turn = 2.0 * 3.14159265358979323846;

/*
 * The vortex, around (0, 0), does not reach the poles; the clouds go around at this distance from its center.
 */
static const double vortex_radius = 0.9, distance = 0.4, cloud_radius = 0.22;

ocean ocean_of(int columns)
{
    return (ocean){.columns = columns, .rows = 3 * columns / 16, .step = 2.0 * pi / columns};
}

place place_of(const ocean *o, double column, double row)
{
    const double m = o->step * (o->rows - 1 - row), n = o->step * column;
    return (place){cosh(m) * cos(n), sinh(m) * sin(n)};
}

int cell_at(const ocean *o, place p, int *column, int *row)
{
    const double complex w = cacosh(p.x + p.y * I);
    const long around = lround(cimag(w) / o->step);
    *column = (int)((around + o->columns) % o->columns);
    *row = o->rows - 1 - (int)lround(creal(w) / o->step);
    return *row >= 0;
}

double area_of(const ocean *o, int column, int row)
{
    const double m = o->step * (o->rows - 1 - row), n = o->step * column;
    return o->step * (cosh(2.0 * m) * sinh(o->step) - cos(2.0 * n) * sin(o->step)) / 2.0;
}

double share_of(const ocean *o, int column, int row)
{
    const int middle = o->columns / 2;
    if (row < o->rows - 1) {
        return 1.0;
    }
    return column == 0 || column == middle ? 0.5 : column < middle ? 1.0 : 0.0;
}

/* Almost that of a solid body, but for the rim. */
static double turning_rate(double radius)
{
    const double r4 = pow(radius / vortex_radius, 4.0);
    return r4 < 1.0 ? (1.0 - r4) * (1.0 - r4) : 0.0;
}

/* The integral of the turning rate times the radius, from the rim to p. */
double stream(place p)
{
    const double r2 = (p.x * p.x + p.y * p.y) / (vortex_radius * vortex_radius);
    if (r2 >= 1.0) {
        return 0.0;
    }
    const double at_rim = 1.0 / 2.0 - 1.0 / 3.0 + 1.0 / 10.0;
    const double r4 = r2 * r2;
    return vortex_radius * vortex_radius * (at_rim - r2 * (1.0 / 2.0 - r4 * (1.0 / 3.0 - r4 / 10.0)));
}

double tracer(int number, place p, double time)
{
    const double radius = hypot(p.x, p.y);
    const double angle = atan2(p.y, p.x) - time * turning_rate(radius);
    const double x = radius * cos(angle), y = radius * sin(angle) - (number == 0 ? distance : -distance);
    return exp(-(x * x + y * y) / (cloud_radius * cloud_radius));
}
