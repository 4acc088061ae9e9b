/*
 * One time step, in two stages: while halos travel, the cells that need none are updated; then the rest.
 */
#include "solver.h"

#include "../common/check.h"

#include <math.h>
#include <stdlib.h>

enum { REACH = 2 }; /* cells beside it on either side that a cell's update reads */

/* c' = share of old c + (1 - share) (from + what goes in and out in a time step) */
typedef struct stage {
    const tripolar_fields *from;
    const tripolar_fields *to;
    double share;
} stage;

/* ---- one cell ---- */

/* At the face between a cell and the next: the tracer of where the water comes from, with its slope. */
static double carried(double water, const double *c, ptrdiff_t next)
{
    if (water >= 0.0) {
        return water * (c[0] + 0.25 * (c[next] - c[-next]));
    }
    return water * (c[next] - 0.25 * (c[2 * next] - c[0]));
}

static void update_cell(const solver *s, const stage *g, int i, int j)
{
    const tripolar_shape *shape = &s->shape;
    const double *u = g->from->u + tripolar_u_at(shape, i, j);
    const double *v = g->from->v + tripolar_v_at(shape, i, j);
    const ptrdiff_t south = shape->stride[TRIPOLAR_V][1];
    const ptrdiff_t east = TRACERS, north = shape->stride[TRIPOLAR_C][1];
    const double rate = s->time_step / s->area[i + (ptrdiff_t)shape->part.n[0] * j];
    for (int k = 0; k < TRACERS; ++k) {
        const ptrdiff_t at = tripolar_c_at(shape, i, j, k);
        const double *c = g->from->c + at;
        const double out = carried(u[0], c, east) - carried(u[-1], c - east, east) + carried(v[0], c, north) -
                           carried(v[-south], c - north, north);
        g->to->c[at] = g->share * g->to->c[at] + (1.0 - g->share) * (c[0] - rate * out);
    }
}

static void update_box(const solver *s, const stage *g, int i_first, int i_end, int j_first, int j_end)
{
    for (int j = j_first; j < j_end; ++j) {
        for (int i = i_first; i < i_end; ++i) {
            update_cell(s, g, i, j);
        }
    }
}

/* ---- a step ---- */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void run_stage(const solver *s, const stage *g)
{
    const int *n = s->shape.part.n;
    /*
     * The last row holds cells that lie on others: the exchange rewrites these, so they are read afterwards.
     */
    const int i_first = smaller(REACH, n[0]), i_end = larger(n[0] - REACH, i_first);
    const int j_first = smaller(REACH, n[1]), j_end = larger(n[1] - REACH - 1, j_first);
    check(tripolar_tracers_start(s->halo, g->from));
    update_box(s, g, i_first, i_end, j_first, j_end);
    check(tripolar_tracers_finish(s->halo));
    update_box(s, g, 0, n[0], 0, j_first);
    update_box(s, g, 0, n[0], j_end, n[1]);
    update_box(s, g, 0, i_first, j_first, j_end);
    update_box(s, g, i_end, n[0], j_first, j_end);
}

void solver_step(solver *s)
{
    run_stage(s, &(stage){.from = &s->now, .to = &s->half, .share = 0.0});
    run_stage(s, &(stage){.from = &s->half, .to = &s->now, .share = 0.5});
}

/* ---- the beginning and the end ---- */

/* What flows through the face between two corners of a cell. */
static double water_between(const ocean *o, double column, double row, double to_column, double to_row)
{
    return stream(place_of(o, to_column, to_row)) - stream(place_of(o, column, row));
}

static void start(solver *s)
{
    const ocean *o = &s->ocean;
    const hx_part *part = &s->shape.part;
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            const int column = part->first[0] + i, row = part->first[1] + j;
            const double west = column - 0.5, east = column + 0.5, south = row - 0.5, north = row + 0.5;
            s->area[i + (ptrdiff_t)part->n[0] * j] = area_of(o, column, row);
            s->now.u[tripolar_u_at(&s->shape, i, j)] = water_between(o, east, south, east, north);
            s->now.v[tripolar_v_at(&s->shape, i, j)] = water_between(o, east, north, west, north);
            for (int k = 0; k < TRACERS; ++k) {
                s->now.c[tripolar_c_at(&s->shape, i, j, k)] = tracer(k, place_of(o, column, row), 0.0);
            }
        }
    }
}

/* The largest part of the water in a cell that flows through it in a unit of time. */
static double fastest(const solver *s, MPI_Comm comm)
{
    const hx_part *part = &s->shape.part;
    double mine = 0.0, all;
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            const double through = fabs(s->now.u[tripolar_u_at(&s->shape, i, j)]) +
                                   fabs(s->now.v[tripolar_v_at(&s->shape, i, j)]);
            mine = fmax(mine, through / s->area[i + (ptrdiff_t)part->n[0] * j]);
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    return all;
}

void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, double time, int *steps)
{
    *s = (solver){.ocean = ocean_of(mine->partition.cells[0]), .shape = tripolar_shape_best(mine)};
    const size_t cells = (size_t)mine->n[0] * (size_t)mine->n[1];
    s->area = allocate(cells, sizeof *s->area);
    check(tripolar_create(comm, &s->shape, NULL, &s->halo));
    check(tripolar_alloc(s->halo, &s->now));
    s->half = s->now;
    s->half.c = allocate(tripolar_points(&s->shape, TRIPOLAR_C), sizeof *s->half.c);
    start(s);
    check(tripolar_flow(s->halo, &s->now));
    *steps = (int)ceil(time * fastest(s, comm) / 0.4);
    s->time_step = *steps > 0 ? time / *steps : 0.0;
}

void solver_destroy(solver *s)
{
    check(tripolar_destroy(s->halo)); /* with the arrays that it allocated */
    free(s->half.c);
    free(s->area);
}
