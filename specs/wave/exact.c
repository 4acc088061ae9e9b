#include "exact.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Waves per extent along x and y, half waves from floor to ceiling; each wave of amplitude 1. */
static const int mode[][3] = {{5, 0, 2}, {4, 3, 2}, {3, 4, 2}, {0, 5, 2}, {-3, 4, 2}, {-4, 3, 2}};
enum { MODES = sizeof mode / sizeof mode[0] };

static double wave_number(int m, int axis)
{
    return (axis == 2 ? pi : 2.0 * pi) * mode[m][axis] / wave_extent[axis];
}

static double frequency(int m)
{
    return sqrt(pow(wave_number(m, 0), 2) + pow(wave_number(m, 1), 2) + pow(wave_number(m, 2), 2));
}

/* The solution for one field at one place and time. */
static double exact(int field, const double x[3], double time)
{
    double sum = 0.0;
    for (int m = 0; m < MODES; ++m) {
        const double k[3] = {wave_number(m, 0), wave_number(m, 1), wave_number(m, 2)};
        const double f = frequency(m);
        const double angle = k[0] * (x[0] - 0.5) + k[1] * (x[1] - 0.5) - f * time;
        const double standing = cos(k[2] * x[2]);
        switch (field) {
        case WAVE_P:
            sum += cos(angle) * standing;
            break;
        case WAVE_U:
            sum += k[0] / f * cos(angle) * standing;
            break;
        case WAVE_V:
            sum += k[1] / f * cos(angle) * standing;
            break;
        default:
            sum -= k[2] / f * sin(angle) * sin(k[2] * x[2]);
        }
    }
    return sum;
}

/* Where in its cell a field sits. */
static const double position[WAVE_FIELDS][3] = {
    [WAVE_P] = {0.5, 0.5, 0.5},
    [WAVE_U] = {0.0, 0.5, 0.5},
    [WAVE_V] = {0.5, 0.0, 0.5},
    [WAVE_W] = {0.5, 0.5, 0.0},
};

static double exact_in_cell(const solver *s, int field, int i, int j, int k, double time)
{
    const int *first = s->shape.part.first;
    const double x[3] = {
        (first[0] + i + position[field][0]) * s->spacing[0],
        (first[1] + j + position[field][1]) * s->spacing[1],
        (first[2] + k + position[field][2]) * s->spacing[2],
    };
    return exact(field, x, time);
}

void exact_start(solver *s)
{
    const wave_shape *shape = &s->shape;
    const int *n = shape->part.n;
    const double half_step = 0.5 * s->time_step;
    s->time = 0.0;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                s->fields.p[wave_p_at(shape, i, j, k)] = exact_in_cell(s, WAVE_P, i, j, k, 0.0);
                s->fields.u[wave_u_at(shape, i, j, k)] = exact_in_cell(s, WAVE_U, i, j, k, half_step);
                s->fields.v[wave_v_at(shape, i, j, k)] = exact_in_cell(s, WAVE_V, i, j, k, half_step);
                s->fields.w[wave_w_at(shape, i, j, k)] = exact_in_cell(s, WAVE_W, i, j, k, half_step);
            }
        }
    }
}

double exact_error(const solver *s)
{
    const int *n = s->shape.part.n;
    double largest = 0.0;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                const double p = s->fields.p[wave_p_at(&s->shape, i, j, k)];
                largest = fmax(largest, fabs(p - exact_in_cell(s, WAVE_P, i, j, k, s->time)));
            }
        }
    }
    return largest / MODES;
}

/*
 * On the grid a plane wave stays a plane wave, with another frequency.  A slope of wave number k comes out
 * smaller by the fraction 3/640 (k h)^4, a frequency f larger by (f dt)^2 / 24, both to leading order; so
 * after f t radians the wave is out of phase by f t times their sum.  The start is not quite such a wave,
 * which adds the sum once more.
 */
double exact_bound(const solver *s)
{
    double sum = 0.0;
    for (int m = 0; m < MODES; ++m) {
        const double f = frequency(m);
        double fraction = pow(f * s->time_step, 2) / 24.0;
        for (int a = 0; a < 3; ++a) {
            const double k = wave_number(m, a);
            fraction += 3.0 / 640.0 * pow(k * s->spacing[a], 4) * pow(k / f, 2);
        }
        sum += (1.0 + f * s->time) * fraction;
    }
    return sum / MODES;
}
