#include "williamson.h"

#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

static const flow flows[] = {
    {
        .test = 0,
        .name = "sea at rest",
        .axis = {0.0, 0.0, 1.0},
        .level = 5960.0,
        .mountain = 2000.0,
        .steady = 1,
    },
    {
        .test = 2,
        .name = "steady wind",
        /* Tilted by 45 degrees: the wind is strongest where it crosses sides and corners of tiles. */
        .axis = {-0.70710678118654752440, 0.0, 0.70710678118654752440},
        .speed = 2.0 * 3.14159265358979323846 * 6.37122e6 / (12.0 * 86400.0),
        .level = 2.94e4 / 9.80616,
        .steady = 1,
    },
    {
        .test = 5,
        .name = "wind over a mountain",
        .axis = {0.0, 0.0, 1.0},
        .speed = 20.0,
        .level = 5960.0,
        .mountain = 2000.0,
    },
};

const flow *flow_of_test(int number)
{
    for (size_t i = 0; i < sizeof flows / sizeof *flows; ++i) {
        if (flows[i].test == number) {
            return &flows[i];
        }
    }
    return NULL;
}

double flow_level(const flow *f, vec place)
{
    const double sine = dot(f->axis, place);
    return f->level - (radius * rotation + 0.5 * f->speed) * f->speed / gravity * sine * sine;
}

vec flow_wind(const flow *f, vec place)
{
    return scaled(f->speed, cross(f->axis, place));
}

double flow_vorticity(const flow *f, vec place)
{
    return 2.0 * f->speed / radius * dot(f->axis, place);
}

/* A cone on the map of longitudes and latitudes, at 90 degrees west and 30 north. */
double flow_bed(const flow *f, vec place)
{
    const double east = atan2(place.y, place.x) + 0.5 * pi;
    const double north = atan2(place.z, hypot(place.x, place.y)) - pi / 6.0;
    const double east_or_west = east > pi ? east - 2.0 * pi : east;
    const double away = hypot(east_or_west, north) / (pi / 9.0);
    return f->mountain * fmax(1.0 - away, 0.0);
}

double flow_coriolis(const flow *f, vec place)
{
    return 2.0 * rotation * dot(f->axis, place);
}

double flow_fastest(const flow *f)
{
    return 2.0 * f->speed + sqrt(gravity * f->level);
}
