/*
 * One time step, in two stages: while halos travel, the cells that need none are updated; then the rest.
 */
#include "solver.h"

#include "../common/check.h"

#include <math.h>
#include <stdlib.h>

/* ---- what does not change ---- */

static cell *cell_of(const block *b, int i, int j)
{
    return &b->cells[i + b->shape.part.n[0] * j];
}

/* The side to the west of cell (i, j), or (axis 1) to the south. */
static face *face_of(const block *b, int axis, int i, int j)
{
    return &b->faces[axis][i + (b->shape.part.n[0] + (axis == 0)) * j];
}

static vec vec_at(const double *number)
{
    return (vec){number[0], number[1], number[2]};
}

static vec place_of(const block *b, const sphere_fields *f, int i, int j)
{
    return vec_at(f->place + sphere_place_at(&b->shape, i, j, 0));
}

/* Who is beside a cell: to the west, east, south and north. */
static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static void lay_out_cells(const solver *s, block *b, const sphere_fields *f)
{
    const hx_part *part = &b->shape.part;
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            const int x = part->first[0] + i, y = part->first[1] + j;
            cell *c = cell_of(b, i, j);
            c->middle = middle_of_cell(part->tile, x, y, s->cells);
            c->area = area_of_cell(part->tile, x, y, s->cells);
            c->bed = flow_bed(s->flow, c->middle);
            c->coriolis = flow_coriolis(s->flow, c->middle);
            double *place = f->place + sphere_place_at(&b->shape, i, j, 0);
            place[0] = c->middle.x;
            place[1] = c->middle.y;
            place[2] = c->middle.z;
        }
    }
}

static void lay_out_faces(const solver *s, block *b, int axis)
{
    const hx_part *part = &b->shape.part;
    for (int j = 0; j < part->n[1] + (axis == 1); ++j) {
        for (int i = 0; i < part->n[0] + (axis == 0); ++i) {
            const int x = part->first[0] + i, y = part->first[1] + j;
            face *here = face_of(b, axis, i, j);
            here->side = side_of_cell(part->tile, axis, axis == 0 ? x : y, axis == 0 ? y : x, s->cells);
            here->bed = flow_bed(s->flow, here->side.middle);
        }
    }
}

/* When the places of neighbors are known. */
static void weigh_slopes(block *b, const sphere_fields *f)
{
    for (int j = 0; j < b->shape.part.n[1]; ++j) {
        for (int i = 0; i < b->shape.part.n[0]; ++i) {
            vec around[4];
            for (int k = 0; k < 4; ++k) {
                around[k] = place_of(b, f, i + beside[k][0], j + beside[k][1]);
            }
            cell *c = cell_of(b, i, j);
            weigh_slope(c->middle, around, 4, c->weight);
        }
    }
}

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

/* ---- steps ---- */

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

/* What leaves cell (i, j) through all sides in a unit of time, per area, but for what the bed pushes back. */
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

/* ---- vorticity ---- */

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

double solver_vorticity_error(solver *s)
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

/* ---- the beginning and the end ---- */

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
                block *b = &s->block[number];
                hx_part mine;
                check(hx_part_of(p, tile, part, &mine));
                b->shape = shape[number++] = sphere_shape_best(&mine);
                const size_t x = (size_t)mine.n[0], y = (size_t)mine.n[1];
                b->cells = allocate(x * y, sizeof *b->cells);
                b->faces[0] = allocate((x + 1) * y, sizeof *b->faces[0]);
                b->faces[1] = allocate(x * (y + 1), sizeof *b->faces[1]);
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
        lay_out_cells(s, &s->block[number], &s->now[number]);
        lay_out_faces(s, &s->block[number], 0);
        lay_out_faces(s, &s->block[number], 1);
        start(s, &s->block[number], &s->now[number]);
    }
    check(sphere_places(s->halo, s->now));
    for (int number = 0; number < s->blocks; ++number) {
        weigh_slopes(&s->block[number], &s->now[number]);
    }
}

void solver_destroy(solver *s)
{
    check(sphere_destroy(s->halo)); /* with the arrays that it allocated */
    for (int number = 0; number < s->blocks; ++number) {
        free(s->half[number].q);
        free(s->block[number].cells);
        free(s->block[number].faces[0]);
        free(s->block[number].faces[1]);
    }
    free(s->block);
    free(s->now);
    free(s->half);
}
