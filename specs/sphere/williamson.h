/*
 * Tests 2 and 5 of Williamson, Drake, Hack, Jakob and Swarztrauber, "A standard test set for numerical
 * approximations to the shallow water equations in spherical geometry", J. Comput. Phys. 102 (1992); and a
 * sea at rest.
 */
#ifndef SPHERE_WILLIAMSON_H
#define SPHERE_WILLIAMSON_H

#include "geometry.h"

/* Metres and seconds, as all that is not on the sphere of radius 1. */
static const double radius = 6.37122e6;
static const double gravity = 9.80616;
static const double rotation = 7.292e-5; /* of the earth */

typedef struct flow {
    int test; /* its number */
    const char *name;
    vec axis;        /* that the water turns around, and the earth, too */
    double speed;    /* at the equator of this axis */
    double level;    /* of the surface, at its poles if all were at rest */
    double mountain; /* how high it is; there is one at most */
    int steady;      /* it stays as it is at first */
} flow;

/* Of test 2 or 5; 0 is the sea.  NULL for other numbers. */
const flow *flow_of_test(int number);

/* At first, and at all times if it is steady: height of the surface, wind, and its vorticity. */
double flow_level(const flow *f, vec place);
vec flow_wind(const flow *f, vec place);
double flow_vorticity(const flow *f, vec place);

/* The height of the bottom. */
double flow_bed(const flow *f, vec place);

/* What Coriolis' force is for a unit of momentum, and of time. */
double flow_coriolis(const flow *f, vec place);

/* No wave is faster. */
double flow_fastest(const flow *f);

#endif
