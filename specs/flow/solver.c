#include "solver.h"

#include "../common/check.h"
#include "spans.h"
#include "vortex.h"

static const double courant = 0.4;

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

static void launch(const solver *s, gas_stage *stage, const char *name, hx_boxes cells)
{
    stage->cells = cells;
    spans_begin(name, s->stream);
    const int error = gas_launch(stage, s->stream);
    spans_end(s->stream);
    if (error != 0) {
        fail("the gas could not be updated: CUDA's error %d", error);
    }
}

/* ---- a step ---- */

static gas_stage stage_of(const solver *s, const flow_fields *from, const flow_fields *to, double weight)
{
    gas_stage stage = {.from = *from, .base = s->now, .to = *to, .shape = s->shape, .weight = weight};
    const int *cells = s->shape.part.partition.cells;
    for (int axis = 0; axis < 2; ++axis) {
        stage.ratio[axis] = s->time_step / (VORTEX_SIDE / cells[axis]);
    }
    return stage;
}

/* Halos travel while the interior is updated. */
static void advance(solver *s, const flow_fields *from, const flow_fields *to, double weight)
{
    gas_stage stage = stage_of(s, from, to, weight);
    check(flow_state_start(s->halo, from, s->stream));
    launch(s, &stage, "interior", flow_state_interior(&s->shape, FLOW_DENSITY));
    check(flow_state_finish(s->halo, s->stream));
    launch(s, &stage, "rim", flow_state_rim(&s->shape, FLOW_DENSITY));
}

/* The method of Heun. */
void solver_step(solver *s)
{
    advance(s, &s->now, &s->half, 0.0);
    advance(s, &s->half, &s->now, 0.5);
    s->time += s->time_step;
}
