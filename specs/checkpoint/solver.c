#include "solver.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include <math.h>
#include <stdlib.h>

enum { T, Q, R, FIELDS };

/* Where the points of a field of a block lie: extents tell. */
typedef struct view {
    double *at; /* the first owned point */
    ptrdiff_t east, north;
    int first[2]; /* in the tile */
    int n[2];
    int tile;
    uint64_t size[2]; /* of the tile */
} view;

/* pass: 0, or HX_ALL_PASSES; either is one box, for each block has an owner. */
static view view_of(const solver *s, int block, int field, int pass)
{
    hx_extent e;
    int count = 1;
    check(hx_extents(s->store.handle, field, block, pass, &e, &count));
    const int y = e.axes - 2, x = e.axes - 1;
    double *array = s->store.fields[block * FIELDS + field];
    return (view){
        .at = array + e.first,
        .east = e.memory_stride[x],
        .north = e.memory_stride[y],
        .first = {(int)e.start[x], (int)e.start[y]},
        .n = {(int)e.count[x], (int)e.count[y]},
        .tile = e.tile,
        .size = {e.size[x], e.size[y]},
    };
}

static double *at(const view *v, int i, int j)
{
    return v->at + i * v->east + j * v->north;
}

/* ---- the beginning ------------------------------------------------------------------------------------- */

static int owner(void *seed, int tile, int block)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return (tile * 7 + block * 5 + *(int *)seed) % 11 % ranks;
}

void solver_create(solver *s, const struct hx_spec *spec, const cut *how)
{
    const int cells[] = {how->cells, how->cells};
    int rank, all = how->blocks * how->blocks, seed = how->seed;
    hx_spec_facts facts;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check(hx_spec_query(spec, &facts));
    *s = (solver){.spec = spec, .store = {.comm = MPI_COMM_WORLD}};
    hx_blocks blocks = {MPI_COMM_WORLD, facts.tiles, s->tile, owner, &seed, 0, NULL};
    char *shapes = allocate((size_t)(facts.tiles * all), facts.shape_size);
    for (int t = 0; t < facts.tiles; ++t) {
        check(hx_spec_partition(spec, cells, &s->tile[t]));
        s->tile[t].ranks[0] = s->tile[t].ranks[1] = how->blocks;
        for (int b = 0; b < all; ++b) {
            hx_part part;
            check(hx_part_of(&s->tile[t], t, b, &part));
            if (owner(&seed, t, b) == rank) {
                check(hx_spec_shape(spec, &part, shapes + (size_t)blocks.count++ * facts.shape_size));
            }
        }
    }
    check(hx_create(spec, &blocks, shapes, NULL, &s->store.handle));
    free(shapes);
    s->store.blocks = blocks.count;
    s->store.fields = allocate((size_t)blocks.count * FIELDS + 1, sizeof *s->store.fields);
    check(hx_alloc(s->store.handle, s->store.fields));
}

void solver_begin(solver *s)
{
    for (int b = 0; b < s->store.blocks; ++b) {
        const view t = view_of(s, b, T, HX_ALL_PASSES);
        for (int j = 0; j < t.n[1]; ++j) {
            for (int i = 0; i < t.n[0]; ++i) {
                const double x = t.first[0] + i, y = t.first[1] + j;
                *at(&t, i, j) = 20.0 + 5.0 * sin(0.3 * x + t.tile) * cos(0.2 * y);
            }
        }
    }
}

void solver_destroy(solver *s)
{
    check(hx_destroy(s->store.handle)); /* with its arrays */
    free(s->store.fields);
}

/* ---- a step -------------------------------------------------------------------------------------------- */

static void update_flow(const view *t, const view *flow, ptrdiff_t back)
{
    for (int j = 0; j < flow->n[1]; ++j) {
        for (int i = 0; i < flow->n[0]; ++i) {
            const double *here = at(t, i, j);
            *at(flow, i, j) = 0.9 * *at(flow, i, j) + 0.1 * (here[-back] - here[0]);
        }
    }
}

static void update_heat(const view *t, const view *q, const view *r)
{
    for (int j = 0; j < t->n[1]; ++j) {
        for (int i = 0; i < t->n[0]; ++i) {
            *at(t, i, j) += 0.1 * ((*at(q, i, j) - *at(q, i + 1, j)) + (*at(r, i, j) - *at(r, i, j + 1)));
        }
    }
}

void solver_step(solver *s)
{
    check(hx_start(s->store.handle, 0, s->store.fields));
    check(hx_finish(s->store.handle, 0));
    for (int b = 0; b < s->store.blocks; ++b) {
        const view t = view_of(s, b, T, HX_ALL_PASSES);
        const view q = view_of(s, b, Q, HX_ALL_PASSES), r = view_of(s, b, R, HX_ALL_PASSES);
        update_flow(&t, &q, t.east);
        update_flow(&t, &r, t.north);
        update_heat(&t, &q, &r);
    }
}

/* ---- the end ------------------------------------------------------------------------------------------- */

uint64_t solver_checksum(const solver *s)
{
    uint64_t sum = 0, all = 0;
    for (int b = 0; b < s->store.blocks; ++b) {
        for (int field = 0; field < FIELDS; ++field) {
            const view v = view_of(s, b, field, 0); /* each point once */
            for (int j = 0; j < v.n[1]; ++j) {
                for (int i = 0; i < v.n[0]; ++i) {
                    const uint64_t row =
                        (uint64_t)(v.tile * FIELDS + field) * v.size[1] + (uint64_t)(v.first[1] + j);
                    sum += checksum_of(*at(&v, i, j), row * v.size[0] + (uint64_t)(v.first[0] + i));
                }
            }
        }
    }
    MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
