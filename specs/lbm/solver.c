/*
 * One time step: while populations of other blocks travel, the cells that need none are updated; then the
 * rest.
 */
#include "solver.h"

#include "../common/check.h"

#include <stdlib.h>

/* clang-format off */
const int velocity[POPULATIONS][3] = {
    {0, 0, 0},
    {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
    {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
    {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
    {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};
/* clang-format on */

#define REST (1.0 / 3.0)
#define FACE (1.0 / 18.0)
#define EDGE (1.0 / 36.0)
const double weight[POPULATIONS] = {REST, FACE, FACE, FACE, FACE, FACE, FACE, EDGE, EDGE, EDGE,
                                    EDGE, EDGE, EDGE, EDGE, EDGE, EDGE, EDGE, EDGE, EDGE};

double *solver_cell(const solver *s, int i, int j, int k)
{
    return s->now.f + lbm_f_at(&s->shape, i, j, k, 0);
}

flow flow_of(const double *populations)
{
    double density = 0.0, momentum[3] = {0.0};
    for (int c = 0; c < POPULATIONS; ++c) {
        density += populations[c];
        for (int a = 0; a < 3; ++a) {
            momentum[a] += populations[c] * velocity[c][a];
        }
    }
    return (flow){density, {momentum[0] / density, momentum[1] / density, momentum[2] / density}};
}

void equilibrium(const flow *of, double *populations)
{
    const double *u = of->u;
    const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    for (int c = 0; c < POPULATIONS; ++c) {
        const double along = velocity[c][0] * u[0] + velocity[c][1] * u[1] + velocity[c][2] * u[2];
        populations[c] = weight[c] * of->density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * square);
    }
}

/* Cells lo <= (i, j, k) < hi: takes the populations that arrive in each and lets them collide. */
static void update(solver *s, const int lo[3], const int hi[3])
{
    const double rate = 1.0 / s->relaxation_time;
    ptrdiff_t from[POPULATIONS]; /* where population c of a cell comes from, in elements */
    for (int c = 0; c < POPULATIONS; ++c) {
        from[c] = lbm_f_at(&s->shape, -velocity[c][0], -velocity[c][1], -velocity[c][2], c) -
                  lbm_f_at(&s->shape, 0, 0, 0, 0);
    }
    for (int k = lo[2]; k < hi[2]; ++k) {
        for (int j = lo[1]; j < hi[1]; ++j) {
            for (int i = lo[0]; i < hi[0]; ++i) {
                const ptrdiff_t at = lbm_f_at(&s->shape, i, j, k, 0);
                double arrived[POPULATIONS], calm[POPULATIONS];
                for (int c = 0; c < POPULATIONS; ++c) {
                    arrived[c] = s->now.f[at + from[c]];
                }
                const flow here = flow_of(arrived);
                equilibrium(&here, calm);
                for (int c = 0; c < POPULATIONS; ++c) {
                    s->next.f[at + c] = arrived[c] + rate * (calm[c] - arrived[c]);
                }
            }
        }
    }
}

/* Updates the cells around those of lo <= (i, j, k) < hi, in six slabs. */
static void update_around(solver *s, const int lo[3], const int hi[3])
{
    const int *n = s->shape.part.n;
    int low[3] = {0, 0, 0}, high[3] = {n[0], n[1], n[2]};
    for (int a = 2; a >= 0; --a) {
        high[a] = lo[a];
        update(s, low, high);
        high[a] = n[a];
        low[a] = hi[a];
        update(s, low, high);
        low[a] = lo[a];
        high[a] = hi[a];
    }
}

void solver_step(solver *s)
{
    int lo[3], hi[3]; /* of the cells whose populations all come from this block */
    for (int a = 0; a < 3; ++a) {
        lo[a] = 1;
        hi[a] = s->shape.part.n[a] > 2 ? s->shape.part.n[a] - 1 : 1;
    }
    check(lbm_populations_start(s->halo, &s->now));
    update(s, lo, hi);
    check(lbm_populations_finish(s->halo));
    update_around(s, lo, hi);

    const lbm_fields before = s->now; /* every start is told which arrays to use */
    s->now = s->next;
    s->next = before;
}

void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, double viscosity)
{
    *s = (solver){.shape = lbm_shape_dense(mine), .relaxation_time = 3.0 * viscosity + 0.5};
    const size_t points = lbm_points(&s->shape, LBM_F);
    s->now.f = allocate(points, sizeof *s->now.f);
    s->next.f = allocate(points, sizeof *s->next.f);
    check(lbm_create(comm, &s->shape, NULL, &s->halo));
}

void solver_destroy(solver *s)
{
    check(lbm_destroy(s->halo));
    free(s->now.f);
    free(s->next.f);
}
