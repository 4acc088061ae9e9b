/*
 * Exchanges by hand through memory that the ranks share, for fields of double: each ghost point is copied once, from where
 * its owner keeps it.  The planes of the peer come first, then each plane gets its sides.  So this is what a loop can reach
 * that knows the case and does nothing else.
 */
#include "bench.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64, AXES = 3, SPINS_BEFORE_YIELD = 100000 };

/* How many exchanges a rank has begun, so that its points may be read, and how many it has read. */
typedef struct progress {
    _Alignas(CACHE_LINE) atomic_uint begun;
    _Alignas(CACHE_LINE) atomic_uint read;
} progress;

typedef struct state {
    problem own; /* its arrays are in shared memory */
    MPI_Win window;
    progress *mine, *theirs;
    char *peer[MAX_FIELDS];
    int split; /* the axis across which the peer lies */
    unsigned exchanges;
} state;

static void wait_for(atomic_uint *count, unsigned least)
{
    for (int spins = 0; (int)(atomic_load_explicit(count, memory_order_acquire) - least) < 0; ++spins) {
        if (spins >= SPINS_BEFORE_YIELD) {
            sched_yield();
        }
    }
}

/* Points of one field: the first, counted from the first allocated one, and how many along each axis. */
typedef struct box {
    int first[AXES];
    int extent[AXES];
} box;

#define COPY_ROWS(bytes)                                                                                     \
    for (int i = 0; i < b->extent[0]; ++i) {                                                                 \
        for (int j = 0; j < b->extent[1]; ++j) {                                                             \
            memcpy(to + i * stride[0] + j * stride[1], from + i * stride[0] + j * stride[1], bytes);         \
        }                                                                                                    \
    }

/* Compilers make a few instructions of a memcpy whose length they know. */
static void copy_box(char *to, const char *from, const box *b, const ptrdiff_t stride[AXES])
{
    const size_t bytes = (size_t)b->extent[2] * (size_t)stride[2];
    switch (bytes) {
    case sizeof(double):
        COPY_ROWS(sizeof(double)) break;
    case 2 * sizeof(double):
        COPY_ROWS(2 * sizeof(double)) break;
    case 3 * sizeof(double):
        COPY_ROWS(3 * sizeof(double)) break;
    case 24 * sizeof(double):
        COPY_ROWS(24 * sizeof(double)) break;
    default:
        COPY_ROWS(bytes)
    }
}

/* Both halos of a field across an axis, for the points of b along the others. */
static void fill_across(const problem *p, int f, int axis, box b, const char *owner)
{
    const int halo = p->kind->field[f].halo, n = p->n;
    const ptrdiff_t size = (ptrdiff_t)problem_size(p, f);
    const ptrdiff_t stride[AXES] = {p->plane[f] * size, p->row[f] * size, p->components * size};
    char *field = p->array[0][f];
    b.extent[axis] = halo;
    for (int side = 0; side < 2; ++side) {
        ptrdiff_t to = 0;
        ptrdiff_t from = 0;
        for (int a = 0; a < AXES; ++a) {
            to += (a == axis ? side * (halo + n) : b.first[a]) * stride[a];
            from += (a != axis ? b.first[a] : side ? halo : n) * stride[a];
        }
        copy_box(field + to, owner + from, &b, stride);
    }
}

/* What is copied within the rank: all of one plane, so that it is still in the cache. */
static void fill_plane(const state *s, int f, int i)
{
    const problem *p = &s->own;
    const int halo = p->kind->field[f].halo, width = problem_width(p, f);
    box b = {{i, halo, halo}, {1, p->n, p->n}};
    const char *field = p->array[0][f];
    if (s->split == 2) {
        b.first[2] = 0;
        b.extent[2] = width;
        fill_across(p, f, 1, b, field);
        return;
    }
    fill_across(p, f, 1, b, field);
    b.first[1] = 0;
    b.extent[1] = width;
    fill_across(p, f, 2, b, field);
}

static void fill_own(const state *s, int f)
{
    const problem *p = &s->own;
    const int halo = p->kind->field[f].halo, width = problem_width(p, f);
    const int first = s->split == 0 ? 0 : halo, planes = s->split == 0 ? width : p->n;
    for (int i = first; i < first + planes; ++i) {
        fill_plane(s, f, i);
    }
    if (s->split != 0) {
        const box all = {{0, 0, 0}, {width, width, width}};
        fill_across(p, f, 0, all, p->array[0][f]);
    }
}

static void exchange(void *opaque)
{
    state *s = opaque;
    const problem *p = &s->own;
    const unsigned number = ++s->exchanges;
    atomic_store_explicit(&s->mine->begun, number, memory_order_release);
    wait_for(&s->theirs->begun, number);
    for (int f = 0; f < p->arrays; ++f) {
        const int halo = p->kind->field[f].halo;
        const box owned = {{halo, halo, halo}, {p->n, p->n, p->n}};
        fill_across(p, f, s->split, owned, s->peer[f]);
    }
    atomic_store_explicit(&s->mine->read, number, memory_order_release);
    for (int f = 0; f < p->arrays; ++f) {
        fill_own(s, f);
    }
    wait_for(&s->theirs->read, number);
}

static bool is_for(const problem *p)
{
    bool doubles = p->kind->blocks == 1 && p->kind->width == 0 && !p->alone;
    for (int f = 0; f < p->kind->fields; ++f) {
        doubles = doubles && p->kind->field[f].type == DOUBLE;
    }
    return doubles;
}

/* Where each array begins: its first owned point at the beginning of a cache line, arrays an odd number of lines apart. */
static size_t place_arrays(const problem *p, size_t at[MAX_FIELDS])
{
    size_t end = sizeof(progress);
    for (int f = 0; f < p->arrays; ++f) {
        const size_t width = (size_t)problem_width(p, f), size = problem_size(p, f);
        const ptrdiff_t halo = p->kind->field[f].halo;
        const size_t owned = (size_t)(halo * (p->plane[f] + p->row[f] + p->components)) * size;
        at[f] =
            (end + owned + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE - owned + (size_t)(9 * f) * CACHE_LINE;
        end = at[f] + width * (size_t)p->plane[f] * size;
    }
    return end;
}

static void *create(const problem *p)
{
    if (!is_for(p)) {
        return NULL;
    }
    state *s = allocate(sizeof *s);
    *s = (state){.own = *p};
    while (p->ranks[s->split] == 1) {
        ++s->split;
    }
    size_t at[MAX_FIELDS];
    const size_t bytes = place_arrays(p, at) + CACHE_LINE;
    char *mine;
    char *theirs;
    MPI_Aint size;
    int rank, unit;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &s->window);
    MPI_Win_shared_query(s->window, 1 - rank, &size, &unit, &theirs);
    memset(mine, 0, bytes);
    mine += (CACHE_LINE - (uintptr_t)mine % CACHE_LINE) % CACHE_LINE;
    theirs += (CACHE_LINE - (uintptr_t)theirs % CACHE_LINE) % CACHE_LINE;
    s->mine = (progress *)(void *)mine;
    s->theirs = (progress *)(void *)theirs;
    for (int f = 0; f < p->arrays; ++f) {
        s->own.array[0][f] = mine + at[f];
        s->peer[f] = theirs + at[f];
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return s;
}

static void destroy(void *opaque)
{
    state *s = opaque;
    MPI_Win_free(&s->window);
    free(s);
}

static problem *own(void *opaque)
{
    state *s = opaque;
    return &s->own;
}

const variant by_hand_shared = {
    "by-hand-shared",
    "(f) loops of memcpy by hand between arrays in shared memory; fields of double only",
    true,
    create,
    exchange,
    destroy,
    own};
