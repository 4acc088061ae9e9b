/*
 * One time step: while halos travel, the cells that need none are updated; then the rest.  Or, where one exchange
 * serves several steps, the cells of the block and those of its halo that libhx names.
 */
#include "solver.h"

#include "../common/check.h"

#include <stdlib.h>
#ifdef _OPENMP
#include <hx/openmp.h>
#define IN_THREADS _Pragma("omp parallel for")
#else
#define IN_THREADS
#endif

/* Cells lo <= (i, j, k) < hi of this rank's block. */
typedef struct cells {
    int lo[3], hi[3];
} cells;

typedef void update(solver *s, cells c);

/* 24 h times the slope midway between a[-step] and a[0] ... */
static inline double slope_below(const double *a, ptrdiff_t step)
{
    return 27.0 * (a[0] - a[-step]) - (a[step] - a[-2 * step]);
}

/* ... and between a[0] and a[step]. */
static inline double slope_above(const double *a, ptrdiff_t step)
{
    return slope_below(a + step, step);
}

static void update_velocity(solver *s, cells c)
{
    const wave_shape *shape = &s->shape;
    const ptrdiff_t *step = shape->stride[WAVE_P];
    const double cx = s->time_step / (24.0 * s->spacing[0]);
    const double cy = s->time_step / (24.0 * s->spacing[1]);
    const double cz = s->time_step / (24.0 * s->spacing[2]);

    IN_THREADS
    for (int k = c.lo[2]; k < c.hi[2]; ++k) {
        for (int j = c.lo[1]; j < c.hi[1]; ++j) {
            const double *p = s->fields.p + wave_p_at(shape, 0, j, k);
            double *u = s->fields.u + wave_u_at(shape, 0, j, k);
            double *v = s->fields.v + wave_v_at(shape, 0, j, k);
            double *w = s->fields.w + wave_w_at(shape, 0, j, k);
            for (int i = c.lo[0]; i < c.hi[0]; ++i) {
                u[i] -= cx * slope_below(p + i, step[0]);
                v[i] -= cy * slope_below(p + i, step[1]);
                w[i] -= cz * slope_below(p + i, step[2]);
            }
        }
    }
}

static void update_pressure(solver *s, cells c)
{
    const wave_shape *shape = &s->shape;
    const ptrdiff_t step_u = shape->stride[WAVE_U][0];
    const ptrdiff_t step_v = shape->stride[WAVE_V][1];
    const ptrdiff_t step_w = shape->stride[WAVE_W][2];
    const double cx = s->time_step / (24.0 * s->spacing[0]);
    const double cy = s->time_step / (24.0 * s->spacing[1]);
    const double cz = s->time_step / (24.0 * s->spacing[2]);

    IN_THREADS
    for (int k = c.lo[2]; k < c.hi[2]; ++k) {
        for (int j = c.lo[1]; j < c.hi[1]; ++j) {
            double *p = s->fields.p + wave_p_at(shape, 0, j, k);
            const double *u = s->fields.u + wave_u_at(shape, 0, j, k);
            const double *v = s->fields.v + wave_v_at(shape, 0, j, k);
            const double *w = s->fields.w + wave_w_at(shape, 0, j, k);
            for (int i = c.lo[0]; i < c.hi[0]; ++i) {
                p[i] -= cx * slope_above(u + i, step_u) + cy * slope_above(v + i, step_v) +
                        cz * slope_above(w + i, step_w);
            }
        }
    }
}

/* ---- walls: no exchange writes beyond them, so the halo there is ours to fill ---- */

/* Do these cells end at the floor, or at the ceiling?  Those of a halo may. */
static int at_floor(const solver *s, cells c)
{
    return c.lo[2] == -s->shape.part.first[2];
}

static int at_ceiling(const solver *s, cells c)
{
    const hx_part *part = &s->shape.part;
    return c.hi[2] == part->partition.cells[2] - part->first[2];
}

/* The pressure is even about a wall.  Beside the cells that are to be updated. */
static void mirror_pressure(solver *s, cells c)
{
    const int lowest = at_floor(s, c), highest = at_ceiling(s, c);
    const ptrdiff_t up = s->shape.stride[WAVE_P][2];
    for (int j = c.lo[1]; j < c.hi[1]; ++j) {
        double *below = s->fields.p + wave_p_at(&s->shape, 0, j, c.lo[2]);
        double *above = s->fields.p + wave_p_at(&s->shape, 0, j, c.hi[2] - 1);
        for (int i = c.lo[0]; i < c.hi[0]; ++i) {
            if (lowest) {
                below[i - up] = below[i];
                below[i - 2 * up] = below[i + up];
            }
            if (highest) {
                above[i + up] = above[i];
            }
        }
    }
}

/* The velocity across a wall is odd about it.  The floor is the lowest face of the cells; the ceiling is the first
 * one beyond them. */
static void mirror_velocity(solver *s, cells c)
{
    const int lowest = at_floor(s, c), highest = at_ceiling(s, c);
    const ptrdiff_t up = s->shape.stride[WAVE_W][2];
    for (int j = c.lo[1]; j < c.hi[1]; ++j) {
        double *below = s->fields.w + wave_w_at(&s->shape, 0, j, c.lo[2]);
        double *above = s->fields.w + wave_w_at(&s->shape, 0, j, c.hi[2]);
        for (int i = c.lo[0]; i < c.hi[0]; ++i) {
            if (lowest) {
                below[i - up] = -below[i + up];
            }
            if (highest) {
                above[i] = 0.0;
                above[i + up] = -above[i - up];
            }
        }
    }
}

/* ---- the block's cells: those that read no halo, and the others ---- */

static cells all_cells(const solver *s)
{
    const int *n = s->shape.part.n;
    return (cells){{0, 0, 0}, {n[0], n[1], n[2]}};
}

/* Cells whose stencil, reaching so far down and up along each axis, stays within the block. */
static cells inner_cells(const solver *s, int down, int up)
{
    cells c = all_cells(s);
    for (int a = 0; a < 3; ++a) {
        const int n = c.hi[a];
        c.lo[a] = down < n ? down : n;
        c.hi[a] = n - up > c.lo[a] ? n - up : c.lo[a];
    }
    return c;
}

/* Updates the cells around `inner`, in six slabs. */
static void update_around(solver *s, update *update_cells, cells inner)
{
    cells rest = all_cells(s);
    for (int a = 2; a >= 0; --a) {
        cells slab = rest;
        slab.hi[a] = inner.lo[a];
        update_cells(s, slab);
        slab = rest;
        slab.lo[a] = inner.hi[a];
        update_cells(s, slab);
        rest.lo[a] = inner.lo[a];
        rest.hi[a] = inner.hi[a];
    }
}

/* An exchange before each half of the step. */
static void step_alone(solver *s)
{
    const cells inner_pressure = inner_cells(s, 1, 2);
    const cells inner_velocity = inner_cells(s, 2, 1);

    check(wave_velocity_start(s->halo, &s->fields));
    update_pressure(s, inner_pressure);
    check(wave_velocity_finish(s->halo));
    mirror_velocity(s, all_cells(s));
    update_around(s, update_pressure, inner_pressure);

    check(wave_pressure_start(s->halo, &s->fields));
    update_velocity(s, inner_velocity);
    check(wave_pressure_finish(s->halo));
    mirror_pressure(s, all_cells(s));
    update_around(s, update_velocity, inner_velocity);
}

static cells cells_of(hx_boxes points)
{
    const int *lo = points.box[0].lo, *hi = points.box[0].hi;
    return (cells){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
}

/* One exchange before some of the steps: cells of the halo are updated, too. */
static void step_together(solver *s)
{
    check(wave_sound(s->halo, &s->fields));

    const cells for_pressure = cells_of(wave_sound_pressure_points(s->halo, 0, WAVE_P));
    mirror_velocity(s, for_pressure);
    update_pressure(s, for_pressure);

    const cells for_velocity = cells_of(wave_sound_velocity_points(s->halo, 0, WAVE_U));
    mirror_pressure(s, for_velocity);
    update_velocity(s, for_velocity);
}

void solver_step(solver *s)
{
    (s->together == EACH_STEP ? step_alone : step_together)(s);
    s->time += s->time_step;
}

void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, double courant, int together)
{
    double smallest = wave_extent[0];
    *s = (solver){.shape = wave_shape_dense(mine), .together = together};
    for (int a = 0; a < 3; ++a) {
        s->spacing[a] = wave_extent[a] / mine->partition.cells[a];
        smallest = s->spacing[a] < smallest ? s->spacing[a] : smallest;
    }
    s->time_step = courant * smallest;

    s->fields.p = allocate(wave_points(&s->shape, WAVE_P), sizeof *s->fields.p);
    s->fields.u = allocate(wave_points(&s->shape, WAVE_U), sizeof *s->fields.u);
    s->fields.v = allocate(wave_points(&s->shape, WAVE_V), sizeof *s->fields.v);
    s->fields.w = allocate(wave_points(&s->shape, WAVE_W), sizeof *s->fields.w);

    hx_options options = HX_OPTIONS_INIT;
    options.timing = 1;
    options.cycles = together > 0 ? together : 0;
#ifdef _OPENMP
    options.threads = omp_get_max_threads(); /* those that update cells pack and unpack, too */
    options.team = hx_team_openmp();
#endif
    check(wave_create(comm, &s->shape, &options, &s->halo));
}

void solver_destroy(solver *s)
{
    free(s->fields.p);
    free(s->fields.u);
    free(s->fields.v);
    free(s->fields.w);
    check(wave_destroy(s->halo));
}
