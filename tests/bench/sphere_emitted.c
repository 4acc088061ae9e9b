/*
 * Emitted code and libhx.  One program serves several specs, so the tables are called as the emitted
 * functions call them.
 */
#include "sphere.h"

#include "bench_sphere_level.h"
#include "bench_sphere_row.h"
#include "bench_straight_level.h"
#include "bench_straight_row.h"
#include "bench_turned_level.h"
#include "bench_turned_row.h"

#include <hx/abi.h>

#include <stdlib.h>
#include <string.h>

typedef struct state {
    world *w;
    hx_handle *handle;
    int exchange;
    char *fields; /* of all tiles of this rank */
} state;

static const hx_spec *spec_for(const world *w)
{
    static const hx_spec *const specs[][2] = {
        [SPHERE] = {&bench_sphere_row_spec, &bench_sphere_level_spec},
        [STRAIGHT_LINKS] = {&bench_straight_row_spec, &bench_straight_level_spec},
        [TURNED_LINKS] = {&bench_turned_row_spec, &bench_turned_level_spec},
    };
    return specs[w->tiling][w->level_fastest];
}

/* What emitted bench_..._shape_dense and a struct of fields hold, for each tile; how many there are. */
static int describe_tiles(const world *w, const hx_spec *spec, const hx_partition *partition, char *shapes,
                          char *fields)
{
    int count = 0;
    for (int t = 0; t < w->tiles; ++t) {
        if (!w->array[t][0]) {
            continue;
        }
        char *shape = shapes + (size_t)count * spec->shape_size;
        hx_part part;
        must(hx_part_of(&partition[t], t, 0, &part));
        memcpy(shape, &part, sizeof part);
        hx_dense_strides(spec, &part, (ptrdiff_t *)(void *)(shape + spec->shape_stride), NULL);
        for (int f = 0; f < SPHERE_FIELDS; ++f) {
            memcpy(fields + (size_t)count * spec->fields_size + spec->field[f].pointer, &w->array[t][f],
                   sizeof(void *));
        }
        ++count;
    }
    return count;
}

/* All that goes to a peer, wind included, goes in one message. */
static void check_messages(const state *s)
{
    hx_traffic traffic;
    must(hx_traffic_of(s->handle, s->exchange, &traffic));
    if (s->w->claimed == WHOLE && traffic.messages != traffic.peers) {
        give_up("%d messages go to %d peers", traffic.messages, traffic.peers);
    }
}

static void *create_plain(world *w)
{
    const hx_spec *spec = spec_for(w);
    hx_partition partition[MOST_TILES];
    for (int t = 0; t < w->tiles; ++t) {
        partition[t] = (hx_partition){.axes = 3, .cells = {w->n, w->n, w->levels}, .ranks = {1, 1, 1}};
    }
    char *shapes = allocate((size_t)w->tiles * spec->shape_size);
    state *s = allocate(sizeof *s);
    *s = (state){
        .w = w, .exchange = w->claimed == ALONG_Y, .fields = allocate((size_t)w->tiles * spec->fields_size)};
    const int count = describe_tiles(w, spec, partition, shapes, s->fields);
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD,
                              .tiles = w->tiles,
                              .partition = partition,
                              .owners = w->owner,
                              .count = count};
    hx_options options = HX_OPTIONS_INIT;
    must(hx_create(spec, &blocks, shapes, &options, &s->handle));
    check_messages(s);
    free(shapes);
    return s;
}

/* Gives the world other arrays of the same shape. */
static void *create_allocated(world *w)
{
    state *s = create_plain(w);
    const hx_spec *spec = spec_for(w);
    must(hx_alloc(s->handle, s->fields));
    const char *fields = s->fields;
    for (int t = 0; t < w->tiles; ++t) {
        if (!w->array[t][0]) {
            continue;
        }
        for (int f = 0; f < SPHERE_FIELDS; ++f) {
            free(w->array[t][f]);
            memcpy(&w->array[t][f], fields + spec->field[f].pointer, sizeof(void *));
        }
        fields += spec->fields_size;
    }
    return s;
}

static void exchange(void *opaque)
{
    state *s = opaque;
    must(hx_start(s->handle, s->exchange, s->fields));
    must(hx_finish(s->handle, s->exchange));
}

static void destroy(void *opaque)
{
    state *s = opaque;
    must(hx_destroy(s->handle));
    free(s->fields);
    free(s);
}

static void destroy_allocated(void *opaque)
{
    const state *s = opaque;
    memset(s->w->array, 0, sizeof s->w->array); /* they go with the handle */
    destroy(opaque);
}

const method emitted_plain = {create_plain, exchange, destroy};
const method emitted_allocated = {create_allocated, exchange, destroy_allocated};
