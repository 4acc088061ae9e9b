/*
 * One time step, in two halves: while halos travel, the columns that need none are updated; then the rest.
 */
#include "solver.h"

#include "../common/check.h"

#include <math.h>

static const double gravity = 9.81;
static const double rotation = 1e-4; /* f */
static const double drag = 5e-6;
static const double wind = 1e-4; /* the largest stress over the density of water */

/* Columns lo <= (i, j) < hi of this rank's block. */
typedef struct columns {
    int lo[2], hi[2];
} columns;

typedef void update(solver *s, columns c);

double solver_depth(const solver *s, int i, int j)
{
    const hx_part *part = &s->shape.part;
    const int *cells = part->partition.cells;
    const int x = (part->first[0] + i + cells[0]) % cells[0], y = part->first[1] + j;
    return y >= 0 && y < cells[1] ? s->depth[(size_t)y * (size_t)cells[0] + (size_t)x] : 0.0;
}

double solver_thickness(double depth, int k)
{
    const double water = depth - k * layer_height;
    return water < 0.0 ? 0.0 : water < layer_height ? water : layer_height;
}

/* How high the face between two columns is open in layer k. */
static double opening(double depth, double other_depth, int k)
{
    return solver_thickness(depth < other_depth ? depth : other_depth, k);
}

/* ---- surface and tracers ---- */

/* Water that comes into a column, layer by layer, in metres a second; up: through the tops of the layers. */
typedef struct flux {
    double from_west[LAYERS], to_east[LAYERS], from_south[LAYERS], to_north[LAYERS];
    double up[LAYERS + 1];
} flux;

static void find_flux(const solver *s, int i, int j, flux *f)
{
    const ocean_shape *shape = &s->shape;
    const double *west = s->now.u + ocean_u_at(shape, i, j, 0);
    const double *east = s->now.u + ocean_u_at(shape, i + 1, j, 0);
    const double *south = s->now.v + ocean_v_at(shape, i, j, 0);
    const double *north = s->now.v + ocean_v_at(shape, i, j + 1, 0);
    const double here = solver_depth(s, i, j);
    const double at_west = solver_depth(s, i - 1, j), at_east = solver_depth(s, i + 1, j);
    const double at_south = solver_depth(s, i, j - 1), at_north = solver_depth(s, i, j + 1);
    f->up[LAYERS] = 0.0;
    for (int k = LAYERS - 1; k >= 0; --k) {
        f->from_west[k] = west[k] * opening(here, at_west, k) / spacing;
        f->to_east[k] = east[k] * opening(here, at_east, k) / spacing;
        f->from_south[k] = south[k] * opening(here, at_south, k) / spacing;
        f->to_north[k] = north[k] * opening(here, at_north, k) / spacing;
        f->up[k] = f->up[k + 1] + (f->from_west[k] - f->to_east[k]) + (f->from_south[k] - f->to_north[k]);
    }
}

/* What water takes along on its way from behind a face to ahead of it, or the other way. */
static double taken(double flow, double behind, double ahead)
{
    return flow * (flow > 0.0 ? behind : ahead);
}

/* What the tracers of a column have in common.  east and north: steps to the columns beside it. */
typedef struct column {
    flux flux;
    double depth, eta;
    ptrdiff_t east, north;
} column;

static void update_tracer(const column *c, const double *now, double *next)
{
    const flux *f = &c->flux;
    const ptrdiff_t east = c->east, north = c->north;
    for (int k = 0; k < LAYERS; ++k) {
        const double rest = solver_thickness(c->depth, k);
        double gain =
            taken(f->from_west[k], now[k - east], now[k]) - taken(f->to_east[k], now[k], now[k + east]) +
            taken(f->from_south[k], now[k - north], now[k]) - taken(f->to_north[k], now[k], now[k + north]);
        if (k + 1 < LAYERS) {
            gain += taken(f->up[k + 1], now[k + 1], now[k]);
        }
        if (k > 0) {
            gain -= taken(f->up[k], now[k], now[k - 1]);
        }
        const double before = k == 0 ? rest + c->eta : rest;
        const double after = k == 0 ? before + time_step * f->up[0] : rest;
        next[k] = rest > 0.0 ? (before * now[k] + time_step * gain) / after : now[k];
    }
}

static void update_columns(solver *s, columns c)
{
    const ocean_shape *shape = &s->shape;
    const ptrdiff_t origin = ocean_t_at(shape, 0, 0, 0);
    column here = {.east = ocean_t_at(shape, 1, 0, 0) - origin, .north = ocean_t_at(shape, 0, 1, 0) - origin};
    for (int j = c.lo[1]; j < c.hi[1]; ++j) {
        for (int i = c.lo[0]; i < c.hi[0]; ++i) {
            const ptrdiff_t surface = ocean_eta_at(shape, i, j), at = ocean_t_at(shape, i, j, 0);
            here.depth = solver_depth(s, i, j);
            here.eta = s->now.eta[surface];
            find_flux(s, i, j, &here.flux);
            s->next.eta[surface] = here.eta + time_step * here.flux.up[0];
            update_tracer(&here, s->now.t + at, s->next.t + at);
            update_tracer(&here, s->now.s + at, s->next.s + at);
        }
    }
}

/* ---- velocities ---- */

/* Acceleration of the top layer by the wind, if it is so high, at row j. */
static double wind_at(const solver *s, int j, double height)
{
    const hx_part *part = &s->shape.part;
    return wind / height *
           sin(3.14159265358979323846 * (part->first[1] + j + 0.5) / part->partition.cells[1]);
}

static void update_faces(solver *s, columns c)
{
    const ocean_shape *shape = &s->shape;
    const ptrdiff_t row = shape->stride[OCEAN_ETA][1];
    for (int j = c.lo[1]; j < c.hi[1]; ++j) {
        for (int i = c.lo[0]; i < c.hi[0]; ++i) {
            const double *eta = s->next.eta + ocean_eta_at(shape, i, j);
            const double slope_x = gravity * (eta[0] - eta[-1]) / spacing;
            const double slope_y = gravity * (eta[0] - eta[-row]) / spacing;
            const double here = solver_depth(s, i, j);
            const double at_west = solver_depth(s, i - 1, j), at_south = solver_depth(s, i, j - 1);
            const double *u = s->now.u + ocean_u_at(shape, i, j, 0);
            const double *u_east = s->now.u + ocean_u_at(shape, i + 1, j, 0);
            const double *u_south = s->now.u + ocean_u_at(shape, i, j - 1, 0);
            const double *u_south_east = s->now.u + ocean_u_at(shape, i + 1, j - 1, 0);
            const double *v = s->now.v + ocean_v_at(shape, i, j, 0);
            const double *v_north = s->now.v + ocean_v_at(shape, i, j + 1, 0);
            const double *v_west = s->now.v + ocean_v_at(shape, i - 1, j, 0);
            const double *v_north_west = s->now.v + ocean_v_at(shape, i - 1, j + 1, 0);
            double *next_u = s->next.u + ocean_u_at(shape, i, j, 0);
            double *next_v = s->next.v + ocean_v_at(shape, i, j, 0);
            for (int k = 0; k < LAYERS; ++k) {
                const double west = opening(here, at_west, k), south = opening(here, at_south, k);
                const double across_u = 0.25 * ((v[k] + v_west[k]) + (v_north[k] + v_north_west[k]));
                const double across_v = 0.25 * ((u[k] + u_east[k]) + (u_south[k] + u_south_east[k]));
                const double push = k == 0 && west > 0.0 ? wind_at(s, j, west) : 0.0;
                const double du = rotation * across_u - slope_x - drag * u[k] + push;
                const double dv = -rotation * across_v - slope_y - drag * v[k];
                next_u[k] = west > 0.0 ? u[k] + time_step * du : 0.0;
                next_v[k] = south > 0.0 ? v[k] + time_step * dv : 0.0;
            }
        }
    }
}

/* ---- steps ---- */

/* Columns that are so far from the sides of the block. */
static columns inner_columns(const solver *s, int low, int high)
{
    columns c = {{0}, {0}};
    for (int a = 0; a < 2; ++a) {
        const int n = s->shape.part.n[a];
        c.lo[a] = low;
        c.hi[a] = n - high > low ? n - high : low;
    }
    return c;
}

/* Updates the columns around `inner`, in four slabs. */
static void update_around(solver *s, update *update_these, columns inner)
{
    const int *n = s->shape.part.n;
    columns rest = {{0, 0}, {n[0], n[1]}};
    for (int a = 1; a >= 0; --a) {
        columns slab = rest;
        slab.hi[a] = inner.lo[a];
        update_these(s, slab);
        slab = rest;
        slab.lo[a] = inner.hi[a];
        update_these(s, slab);
        rest.lo[a] = inner.lo[a];
        rest.hi[a] = inner.hi[a];
    }
}

void solver_step(solver *s)
{
    const columns inner = inner_columns(s, 1, 1);
    check(ocean_flow_start(s->halo, &s->now));
    check(ocean_tracers_start(s->halo, &s->now));
    update_columns(s, inner);
    check(ocean_flow_finish(s->halo));
    check(ocean_tracers_finish(s->halo));
    update_around(s, update_columns, inner);

    const columns upper = inner_columns(s, 1, 0); /* slopes look down only */
    check(ocean_surface_start(s->halo, &s->next));
    update_faces(s, upper);
    check(ocean_surface_finish(s->halo));
    update_around(s, update_faces, upper);

    const ocean_fields before = s->now; /* every start is told which arrays to use */
    s->now = s->next;
    s->next = before;
}

void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, const double *depth)
{
    *s = (solver){.shape = ocean_shape_best(mine)};
    check(ocean_create(comm, &s->shape, NULL, &s->halo));
    check(ocean_alloc(s->halo, &s->now));
    check(ocean_alloc(s->halo, &s->next));

    const int *cells = mine->partition.cells;
    const hx_array table = {
        .data = depth, .size = sizeof *depth, .axes = 2, .extent = {(size_t)cells[1], (size_t)cells[0]}};
    hx_array shared;
    check(hx_shared_arrays_create(comm, &s->tables));
    check(hx_shared_array(s->tables, 0, &table, &shared, NULL));
    s->depth = shared.data;
}

void solver_destroy(solver *s)
{
    check(hx_shared_arrays_destroy(s->tables));
    check(ocean_destroy(s->halo)); /* with its arrays */
}
