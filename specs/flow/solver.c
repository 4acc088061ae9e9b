#include "solver.h"

#include "../common/check.h"
#include "vortex.h"

static const double courant = 0.4;

enum { REACH = 2 }; /* cells beyond its own that an update looks at, on each side */

void solver_create(solver *s, MPI_Comm comm, const hx_part *mine, hx_stream stream)
{
    *s = (solver){.stream = stream, .shape = flow_shape_dense(mine)};
    const int *cells = mine->partition.cells;
    const double spacing = VORTEX_SIDE / (cells[0] > cells[1] ? cells[0] : cells[1]);
    s->time_step = courant * spacing / VORTEX_FASTEST;
    check(flow_create(comm, &s->shape, NULL, &s->halo));
    check(flow_alloc(s->halo, &s->now));
    check(flow_alloc(s->halo, &s->half));
}

void solver_destroy(solver *s)
{
    check(flow_destroy(s->halo));
}

void solver_arrays(const flow_fields *f, double *array[GAS_FIELDS])
{
    array[GAS_DENSITY] = f->density;
    array[GAS_MOMENTUM_X] = f->momentum_x;
    array[GAS_MOMENTUM_Y] = f->momentum_y;
    array[GAS_ENERGY] = f->energy;
}

ptrdiff_t solver_origin(const solver *s)
{
    return flow_density_at(&s->shape, 0, 0);
}

/* ---- cells that need no halo, and the others ---- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Where the inner cells begin and end; both the same if there are none. */
static gas_box inner_box(const int n[2])
{
    gas_box inner;
    for (int axis = 0; axis < 2; ++axis) {
        inner.lo[axis] = least(REACH, n[axis]);
        inner.hi[axis] = most(inner.lo[axis], n[axis] - REACH);
    }
    return inner;
}

static void select_inner(gas_stage *stage, const int n[2])
{
    stage->box[0] = inner_box(n);
    stage->boxes = 1;
}

/* Rows below and above the inner cells, and what is left of them and right. */
static void select_rim(gas_stage *stage, const int n[2])
{
    const gas_box inner = inner_box(n);
    stage->box[0] = (gas_box){{0, 0}, {n[0], inner.lo[1]}};
    stage->box[1] = (gas_box){{0, inner.hi[1]}, {n[0], n[1]}};
    stage->box[2] = (gas_box){{0, inner.lo[1]}, {inner.lo[0], inner.hi[1]}};
    stage->box[3] = (gas_box){{inner.hi[0], inner.lo[1]}, {n[0], inner.hi[1]}};
    stage->boxes = 4;
}

static void launch(const solver *s, const gas_stage *stage)
{
    const int error = gas_launch(stage, s->stream);
    if (error != 0) {
        fail("the gas could not be updated: CUDA's error %d", error);
    }
}

/* ---- a step ---- */

static gas_stage stage_of(const solver *s, const flow_fields *from, const flow_fields *to, double weight)
{
    gas_stage stage = {.pitch = s->shape.stride[FLOW_DENSITY][1], .weight = weight};
    double *read[GAS_FIELDS], *kept[GAS_FIELDS];
    solver_arrays(from, read);
    solver_arrays(&s->now, kept);
    solver_arrays(to, stage.to);
    for (int f = 0; f < GAS_FIELDS; ++f) {
        stage.from[f] = read[f] + solver_origin(s);
        stage.base[f] = kept[f] + solver_origin(s);
        stage.to[f] += solver_origin(s);
    }
    const int *cells = s->shape.part.partition.cells;
    for (int axis = 0; axis < 2; ++axis) {
        stage.ratio[axis] = s->time_step / (VORTEX_SIDE / cells[axis]);
    }
    return stage;
}

/* Halos travel while the inner cells are updated. */
static void advance(solver *s, const flow_fields *from, const flow_fields *to, double weight)
{
    const int *n = s->shape.part.n;
    gas_stage stage = stage_of(s, from, to, weight);
    check(flow_state_start(s->halo, from, s->stream));
    select_inner(&stage, n);
    launch(s, &stage);
    check(flow_state_finish(s->halo, s->stream));
    select_rim(&stage, n);
    launch(s, &stage);
}

/* The method of Heun. */
void solver_step(solver *s)
{
    advance(s, &s->now, &s->half, 0.0);
    advance(s, &s->half, &s->now, 0.5);
    s->time += s->time_step;
}
