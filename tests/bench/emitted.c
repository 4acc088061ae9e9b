/*
 * Emitted code and libhx.  One program serves several specs, so the tables are called as the emitted
 * functions call them: bench_..._create is hx_create, bench_..._all is hx_start and hx_finish.
 */
#include "bench.h"

#include "bench_h1f1.h"
#include "bench_h1f1_float.h"
#include "bench_h2c4.h"
#include "bench_h2f4.h"
#include "bench_h3c8.h"
#include "bench_h3f1.h"
#include "bench_h3f1_width1.h"
#include "bench_h3f8.h"
#include "bench_h3f8_float.h"
#include "bench_mixed.h"

#include <hx/abi.h>

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind;
    const hx_spec *spec;
} specs[] = {
    {"1,1", &bench_h1f1_spec},
    {"3,1", &bench_h3f1_spec},
    {"3,8", &bench_h3f8_spec},
    {"2,4", &bench_h2f4_spec},
    {"1,1,float", &bench_h1f1_float_spec},
    {"3,8,float", &bench_h3f8_float_spec},
    {"3,1,width1", &bench_h3f1_width1_spec},
    {"mixed", &bench_mixed_spec},
    {"1,1,blocks", &bench_h1f1_spec},
    {"3,8,blocks", &bench_h3f8_spec},
    {"3,8,together", &bench_h3c8_spec},
    {"2,4,together", &bench_h2c4_spec},
};

/* Where the arrays are. */
typedef enum place { PLAIN, ALLOCATED, ALLOCATED_BEST } place;

typedef struct state {
    hx_handle *handle;
    char *fields; /* of all blocks */
    problem own;  /* with arrays that libhx allocated, if it did */
} state;

static const hx_spec *spec_for(const kind *k)
{
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; ++i) {
        if (strcmp(specs[i].kind, k->name) == 0) {
            return specs[i].spec;
        }
    }
    give_up("there is no spec for %s", k->name);
}

static int owner(void *problem_of_all, int tile, int block)
{
    const problem *p = problem_of_all;
    int at[3];
    for (int a = 2; a >= 0; --a) {
        const int blocks = p->ranks[a] * p->split[a];
        at[a] = block % blocks;
        block /= blocks;
    }
    return problem_owner(p, at) + tile; /* there is one tile, number 0 */
}

/* What emitted bench_..._shape_dense and a struct of fields hold, for each block. */
static void describe_blocks(const problem *p, const hx_spec *spec, const hx_partition *grid, place where,
                            char *shapes, char *fields)
{
    for (int b = 0; b < p->kind->blocks; ++b) {
        int at[3];
        problem_block(p, b, at);
        const int number = (at[0] * grid->ranks[1] + at[1]) * grid->ranks[2] + at[2];
        char *shape = shapes + (size_t)b * spec->shape_size;
        hx_part part;
        must(hx_part_of(grid, 0, number, &part));
        memcpy(shape, &part, sizeof part);
        ptrdiff_t *stride = (ptrdiff_t *)(void *)(shape + spec->shape_stride);
        (where == ALLOCATED_BEST ? hx_best_strides : hx_dense_strides)(spec, &part, stride, NULL);
        for (int f = 0; f < spec->fields; ++f) {
            memcpy(fields + (size_t)b * spec->fields_size + spec->field[f].pointer, &p->array[b][f],
                   sizeof(void *));
        }
    }
}

/* The problem with the arrays that libhx allocated. */
static void adopt(const problem *p, const hx_spec *spec, const char *shapes, state *s)
{
    s->own = *p;
    must(hx_alloc(s->handle, s->fields));
    for (int f = 0; f < spec->fields; ++f) {
        ptrdiff_t stride[HX_MAX_AXES];
        const size_t axes = (size_t)spec->axes;
        memcpy(stride, shapes + spec->shape_stride + (size_t)f * axes * sizeof *stride,
               axes * sizeof *stride);
        s->own.row[f] = stride[1];
        s->own.plane[f] = stride[0];
        for (int b = 0; b < p->kind->blocks; ++b) {
            memcpy(&s->own.array[b][f], s->fields + (size_t)b * spec->fields_size + spec->field[f].pointer,
                   sizeof(void *));
        }
    }
}

static state *create(const problem *p, const char *transport, const char *schedule, place where)
{
    const hx_spec *spec = spec_for(p->kind);
    hx_partition grid = {.axes = 3};
    for (int a = 0; a < 3; ++a) {
        grid.ranks[a] = p->ranks[a] * p->split[a];
        grid.cells[a] = grid.ranks[a] * p->n;
        grid.periodic[a] = 1;
    }
    const size_t count = (size_t)p->kind->blocks;
    char *shapes = allocate(count * spec->shape_size);
    state *s = allocate(sizeof *s);
    s->fields = allocate(count * spec->fields_size);
    describe_blocks(p, spec, &grid, where, shapes, s->fields);

    problem context = *p;
    const hx_blocks blocks = {.comm = p->alone ? MPI_COMM_SELF : MPI_COMM_WORLD,
                              .tiles = 1,
                              .partition = &grid,
                              .owner = count > 1 ? owner : NULL,
                              .context = &context,
                              .count = p->kind->blocks};
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.schedule = schedule;
    must(hx_create(spec, &blocks, shapes, &options, &s->handle));
    if (where != PLAIN) {
        adopt(p, spec, shapes, s);
    }
    free(shapes);
    return s;
}

static void exchange(void *opaque)
{
    state *s = opaque;
    must(hx_start(s->handle, 0, s->fields));
    must(hx_finish(s->handle, 0));
}

static void destroy(void *opaque)
{
    state *s = opaque;
    must(hx_destroy(s->handle));
    free(s->fields);
    free(s);
}

static problem *own(void *opaque)
{
    state *s = opaque;
    return &s->own;
}

static void *create_persistent(const problem *p)
{
    return create(p, "persistent", "auto", PLAIN);
}

static void *create_one_phase(const problem *p)
{
    return create(p, "persistent", "one-phase", PLAIN);
}

static void *create_p2p(const problem *p)
{
    return create(p, "p2p", "auto", PLAIN);
}

static void *create_neighbor(const problem *p)
{
    return create(p, "neighbor", "auto", PLAIN);
}

static void *create_shared(const problem *p)
{
    return create(p, "auto", "auto", PLAIN);
}

static void *create_alloc(const problem *p)
{
    return create(p, "auto", "auto", ALLOCATED);
}

static void *create_best(const problem *p)
{
    return create(p, "auto", "auto", ALLOCATED_BEST);
}

const variant emitted_persistent = {
    "hx",     "(d) emitted code, transport persistent, schedule auto: by dimension on one machine",
    true,     create_persistent,
    exchange, destroy,
    NULL};
const variant emitted_one_phase = {
    "hx-one-phase", "(d) the same, schedule one-phase", true, create_one_phase, exchange, destroy, NULL};
const variant emitted_p2p = {
    "hx-p2p", "(d) transport p2p, schedule auto", true, create_p2p, exchange, destroy, NULL};
const variant emitted_neighbor = {
    "hx-neighbor", "(d) transport neighbor, schedule auto", true, create_neighbor, exchange, destroy, NULL};
const variant emitted_shared = {
    "hx-shared", "(e) transport auto: memory shared by the ranks", true, create_shared, exchange, destroy,
    NULL};
const variant emitted_alloc = {
    "hx-alloc", "(e) the same, arrays of NAME_alloc, dense", true, create_alloc, exchange, destroy, own};
const variant emitted_best = {
    "hx-best", "(e) the same, strides of NAME_shape_best", true, create_best, exchange, destroy, own};
