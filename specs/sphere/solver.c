/*
 * One time step, in two stages: while halos travel, the cells that need none are updated; then the rest.
 */
#include "solver.h"

#include "../common/check.h"

#include <math.h>
#include <stdlib.h>

/* One half of a step: reads the state `from`, and makes `to` of it and of a share of what `to` is already. */
typedef struct stage {
    const sphere_fields *from, *to;
    double share;
    double time_step;
} stage;

typedef void update(const stage *now, const block *b, int number, int i, int j);

enum { INNER, OUTER };

/* Cells that have no side in common with other blocks, or (OUTER) those that have one. */
static void update_cells(const solver *s, const stage *now, int which, update *update_cell)
{
    for (int number = 0; number < s->blocks; ++number) {
        const block *b = &s->block[number];
        const int *n = b->shape.part.n;
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                const int outer = i == 0 || i == n[0] - 1 || j == 0 || j == n[1] - 1;
                if (outer == (which == OUTER)) {
                    update_cell(now, b, number, i, j);
                }
            }
        }
    }
}

static void find_slope(const stage *now, const block *b, int number, int i, int j)
{
    const sphere_fields *f = &now->from[number];
    const double *q = f->q + sphere_q_at(&b->shape, i, j, 0);
    double *slope = f->slope + sphere_slope_at(&b->shape, i, j, 0);
    for (int c = 0; c < NUMBERS; ++c) {
        vec sum = {0};
        for (int k = 0; k < 4; ++k) {
            const double *other = f->q + sphere_q_at(&b->shape, i + beside[k][0], j + beside[k][1], 0);
            sum = plus(sum, scaled(other[c] - q[c], cell_of(b, i, j)->weight[k]));
        }
        slope[3 * c] = sum.x;
        slope[3 * c + 1] = sum.y;
        slope[3 * c + 2] = sum.z;
    }
}

/* Water at a side, as one of the two cells has it. */
typedef struct water {
    double surface, depth;
    vec momentum;
    double across; /* speed across the side */
} water;

static water water_at(const block *b, const sphere_fields *f, int i, int j, const face *at, vec outward)
{
    const double *q = f->q + sphere_q_at(&b->shape, i, j, 0);
    const double *slope = f->slope + sphere_slope_at(&b->shape, i, j, 0);
    const vec way = minus(at->side.middle, place_of(b, f, i, j));
    double value[NUMBERS];
    for (int c = 0; c < NUMBERS; ++c) {
        value[c] = q[c] + dot(vec_at(slope + 3 * c), way);
    }
    water w = {.surface = value[SURFACE], .momentum = vec_at(value + MOMENTUM)};
    w.depth = w.surface - at->bed;
    w.across = dot(w.momentum, outward) / w.depth;
    return w;
}

/* What leaves a cell through a side, for each unit of its length. */
typedef struct flux {
    double water;
    vec momentum;
} flux;

/* The same number for both cells, but for its sign: nothing is lost on the way. */
static flux flux_between(const water *in, const water *out, vec outward)
{
    const double speed =
        fmax(fabs(in->across) + sqrt(gravity * in->depth), fabs(out->across) + sqrt(gravity * out->depth));
    const double pressure = 0.5 * gravity * (in->depth * in->depth + out->depth * out->depth);
    const vec carried = plus(scaled(in->across, in->momentum), scaled(out->across, out->momentum));
    const vec difference = scaled(speed, minus(out->momentum, in->momentum));
    return (flux){
        0.5 * (dot(plus(in->momentum, out->momentum), outward) - speed * (out->surface - in->surface)),
        scaled(0.5, minus(plus(carried, scaled(pressure, outward)), difference)),
    };
}

/* What leaves cell (i, j) through all sides, for each unit of area and time; what the bed pushes, too. */
static flux flux_out_of(const block *b, const sphere_fields *f, int i, int j)
{
    const cell *c = cell_of(b, i, j);
    const double depth = f->q[sphere_q_at(&b->shape, i, j, SURFACE)] - c->bed;
    flux sum = {0};
    for (int k = 0; k < 4; ++k) {
        const int axis = k / 2, after = k % 2;
        const face *at = face_of(b, axis, i + (axis == 0 && after), j + (axis == 1 && after));
        const vec outward = scaled(after ? 1.0 : -1.0, at->side.normal);
        const water in = water_at(b, f, i, j, at, outward);
        const water out = water_at(b, f, i + beside[k][0], j + beside[k][1], at, outward);
        const flux through = flux_between(&in, &out, outward);
        const double push = 0.5 * gravity * (in.depth + depth) * (at->bed - c->bed);
        sum.water += at->side.length * through.water;
        sum.momentum =
            plus(sum.momentum, scaled(at->side.length, plus(through.momentum, scaled(push, outward))));
    }
    const double each = 1.0 / (c->area * radius);
    return (flux){each * sum.water, scaled(each, sum.momentum)};
}

static void update_state(const stage *now, const block *b, int number, int i, int j)
{
    const sphere_fields *f = &now->from[number];
    const cell *c = cell_of(b, i, j);
    const ptrdiff_t at = sphere_q_at(&b->shape, i, j, 0);
    const flux out = flux_out_of(b, f, i, j);
    const vec momentum = vec_at(f->q + at + MOMENTUM);
    const vec turned = scaled(c->coriolis, cross(c->middle, momentum));
    const vec gain = scaled(-1.0, along_sphere(plus(out.momentum, turned), c->middle));
    const double gains[NUMBERS] = {-out.water, gain.x, gain.y, gain.z};
    double *to = now->to[number].q + at;
    for (int k = 0; k < NUMBERS; ++k) {
        const double made = f->q[at + k] + now->time_step * gains[k];
        to[k] = now->share * to[k] + (1.0 - now->share) * made;
    }
}

static void run_stage(const solver *s, const stage *now)
{
    check(sphere_state_start(s->halo, now->from));
    update_cells(s, now, INNER, find_slope);
    check(sphere_state_finish(s->halo));
    update_cells(s, now, OUTER, find_slope);

    check(sphere_slopes_start(s->halo, now->from));
    update_cells(s, now, INNER, update_state);
    check(sphere_slopes_finish(s->halo));
    update_cells(s, now, OUTER, update_state);
}

void solver_step(solver *s)
{
    run_stage(s, &(stage){.from = s->now, .to = s->half, .share = 0.0, .time_step = s->time_step});
    run_stage(s, &(stage){.from = s->half, .to = s->now, .share = 0.5, .time_step = s->time_step});
}

/* ---- the beginning and the end ---- */

static void start(const solver *s, const block *b, const sphere_fields *f)
{
    for (int j = 0; j < b->shape.part.n[1]; ++j) {
        for (int i = 0; i < b->shape.part.n[0]; ++i) {
            const cell *c = cell_of(b, i, j);
            const double surface = flow_level(s->flow, c->middle);
            const vec momentum = scaled(surface - c->bed, flow_wind(s->flow, c->middle));
            double *q = f->q + sphere_q_at(&b->shape, i, j, 0);
            q[SURFACE] = surface;
            q[MOMENTUM] = momentum.x;
            q[MOMENTUM + 1] = momentum.y;
            q[MOMENTUM + 2] = momentum.z;
        }
    }
}

double solver_time_step(const flow *f, int cells)
{
    const double width = radius * distance((vec){1, 0, 0}, (vec){0, 1, 0}) / cells;
    return 0.3 * width / flow_fastest(f);
}

/* The parts that this rank owns, tile after tile. */
static void take_blocks(solver *s, const hx_blocks *blocks, sphere_shape *shape)
{
    int rank;
    MPI_Comm_rank(blocks->comm, &rank);
    for (int tile = 0, number = 0; tile < TILES; ++tile) {
        const hx_partition *p = &blocks->partition[tile];
        for (int part = 0; part < p->ranks[0] * p->ranks[1]; ++part) {
            if (blocks->owner(blocks->context, tile, part) == rank) {
                hx_part mine;
                check(hx_part_of(p, tile, part, &mine));
                shape[number] = s->block[number].shape = sphere_shape_best(&mine);
                ++number;
            }
        }
    }
}

void solver_create(solver *s, const hx_blocks *blocks, const flow *f, double time_step)
{
    const int cells = blocks->partition[0].cells[0];
    *s = (solver){.flow = f, .cells = cells, .time_step = time_step, .blocks = blocks->count};
    const size_t count = (size_t)blocks->count;
    s->block = allocate(count, sizeof *s->block);
    s->now = allocate(count, sizeof *s->now);
    s->half = allocate(count, sizeof *s->half);
    sphere_shape *shape = allocate(count, sizeof *shape);
    take_blocks(s, blocks, shape);
    check(sphere_create_blocks(blocks, shape, NULL, &s->halo));
    free(shape);
    check(sphere_alloc(s->halo, s->now));
    for (int number = 0; number < s->blocks; ++number) {
        s->half[number] = s->now[number];
        s->half[number].q = allocate(sphere_points(&s->block[number].shape, SPHERE_Q), sizeof *s->half->q);
        block_lay_out(&s->block[number], f, &s->now[number]);
        start(s, &s->block[number], &s->now[number]);
    }
    check(sphere_places(s->halo, s->now));
    for (int number = 0; number < s->blocks; ++number) {
        block_weigh_slopes(&s->block[number], &s->now[number]);
    }
}

void solver_destroy(solver *s)
{
    check(sphere_destroy(s->halo)); /* with the arrays that it allocated */
    for (int number = 0; number < s->blocks; ++number) {
        free(s->half[number].q);
        block_free(&s->block[number]);
    }
    free(s->block);
    free(s->now);
    free(s->half);
}
