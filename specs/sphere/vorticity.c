/*
 * Winds along the axes of a tile lie between the middles of cells, across their sides: u along x, v along y.
 * Around a corner of a block some of them belong to neighbors, who may have turned axes.
 */
#include "vorticity.h"

#include "../common/check.h"

#include <math.h>

static vec wind_of(const solver *s, int number, int i, int j)
{
    const block *b = &s->block[number];
    const sphere_fields *f = &s->now[number];
    const double *q = f->q + sphere_q_at(&b->shape, i, j, 0);
    return scaled(1.0 / (q[SURFACE] - flow_bed(s->flow, place_of(b, f, i, j))), vec_at(q + MOMENTUM));
}

/* The wind along the way from a cell to the next, times its length. */
static double wind_along(const solver *s, int number, int i, int j, int next_i, int next_j)
{
    const block *b = &s->block[number];
    const sphere_fields *f = &s->now[number];
    const vec way = minus(place_of(b, f, next_i, next_j), place_of(b, f, i, j));
    return 0.5 * radius * dot(plus(wind_of(s, number, i, j), wind_of(s, number, next_i, next_j)), way);
}

/* u and v: from cell to cell, across the sides. */
static void find_winds(const solver *s, int number)
{
    const sphere_shape *shape = &s->block[number].shape;
    const sphere_fields *f = &s->now[number];
    for (int j = 0; j < shape->part.n[1]; ++j) {
        for (int i = 0; i <= shape->part.n[0]; ++i) {
            f->u[sphere_u_at(shape, i, j)] = wind_along(s, number, i - 1, j, i, j);
        }
    }
    for (int j = 0; j <= shape->part.n[1]; ++j) {
        for (int i = 0; i < shape->part.n[0]; ++i) {
            f->v[sphere_v_at(shape, i, j)] = wind_along(s, number, i, j - 1, i, j);
        }
    }
}

/* Whether a place diagonally beyond corner (i, j) is beyond a corner of the tile, too. */
static int is_absent(const solver *s, const hx_part *part, int i, int j, const int beyond[2])
{
    const int x = part->first[0] + i, y = part->first[1] + j;
    return x == (beyond[0] < 0 ? 0 : s->cells) && y == (beyond[1] < 0 ? 0 : s->cells);
}

/*
 * By Stokes: the wind around a corner of cells, from middle to middle, over the area within.  Where three
 * tiles meet, so do three cells: one of the four ways is missing, and another is found in u and in v.
 */
static double vorticity_at(const solver *s, int number, int i, int j)
{
    static const int around[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
    const block *b = &s->block[number];
    const sphere_fields *f = &s->now[number];
    const double south = f->u[sphere_u_at(&b->shape, i, j - 1)], north = f->u[sphere_u_at(&b->shape, i, j)];
    const double west = f->v[sphere_v_at(&b->shape, i - 1, j)], east = f->v[sphere_v_at(&b->shape, i, j)];
    double wind = south + east - north - west;
    vec place[4];
    int places = 0;
    for (int c = 0; c < 4; ++c) {
        if (is_absent(s, &b->shape.part, i, j, around[c])) {
            wind += around[c][0] < 0 ? west : -east;
        } else {
            place[places++] = place_of(b, f, i + around[c][0], j + around[c][1]);
        }
    }
    return wind / (area_of(place, places) * radius * radius);
}

double vorticity_error(solver *s)
{
    check(sphere_state(s->halo, s->now));
    for (int number = 0; number < s->blocks; ++number) {
        find_winds(s, number);
    }
    check(sphere_winds(s->halo, s->now));
    double largest = 0.0;
    for (int number = 0; number < s->blocks; ++number) {
        const hx_part *part = &s->block[number].shape.part;
        for (int j = 0; j <= part->n[1]; ++j) {
            for (int i = 0; i <= part->n[0]; ++i) {
                const vec corner =
                    corner_of_cell(part->tile, part->first[0] + i, part->first[1] + j, s->cells);
                const double exact = flow_vorticity(s->flow, corner);
                largest = fmax(largest, fabs(vorticity_at(s, number, i, j) - exact));
            }
        }
    }
    return largest;
}
