/*
 * Baselines that look each cell up in an array of indices: a launch for each field and direction, as in
 * codes whose buffers are packed one by one, or one for all, in which each block of threads finds its own.
 */
#include "gpu.h"

#include <stdlib.h>

typedef struct state {
    const problem *problem;
    /* Of the device: by direction, those of the cells that are sent in it or filled from it. */
    int32_t *sent, *filled;
    uint32_t first[DIRECTIONS + 1];
    cudaGraphExec_t *graph; /* by set; NULL: none */
} state;

static void list_box(const extents *s, const box *b, int32_t *index)
{
    const int wide = s->n + 2 * s->h;
    for (int x = b->first[0]; x < b->first[0] + b->extent[0]; ++x) {
        for (int y = b->first[1]; y < b->first[1] + b->extent[1]; ++y) {
            for (int z = b->first[2]; z < b->first[2] + b->extent[2]; ++z) {
                *index++ = (x * wide + y) * wide + z;
            }
        }
    }
}

static int32_t *to_device(const problem *p, const int32_t *index, size_t count)
{
    void *memory = NULL;
    must(cudaMalloc(&memory, count * sizeof *index), "memory for indices");
    must(cudaMemcpyAsync(memory, index, count * sizeof *index, cudaMemcpyHostToDevice, p->stream),
         "copying indices");
    must(cudaStreamSynchronize(p->stream), "copying indices");
    return memory;
}

static void *make(problem *p)
{
    state *s = allocate(1, sizeof *s);
    s->problem = p;
    const size_t count = p->packed / sizeof(double) / (size_t)p->shape.fields;
    int32_t *sent = allocate(count, sizeof *sent);
    int32_t *filled = allocate(count, sizeof *filled);
    for (int d = 0; d < DIRECTIONS; ++d) {
        const box from = box_sent(&p->shape, d);
        const box to = box_filled(&p->shape, d);
        list_box(&p->shape, &from, sent + s->first[d]);
        list_box(&p->shape, &to, filled + s->first[d]);
        s->first[d + 1] = s->first[d] + (uint32_t)box_cells(&from);
    }
    s->sent = to_device(p, sent, count);
    s->filled = to_device(p, filled, count);
    free(sent);
    free(filled);
    return s;
}

static void destroy(void *given)
{
    state *s = given;
    if (s->graph) {
        free_graphs(s->problem, s->graph);
    }
    must(cudaFree(s->sent), "giving back indices");
    must(cudaFree(s->filled), "giving back indices");
    free(s);
}

static uint32_t count_of(const state *s, int d)
{
    return s->first[d + 1] - s->first[d];
}

/* Where what is sent in a direction begins in a message; fields take turns there. */
static uint32_t part_at(const state *s, int d)
{
    return s->first[d] * (uint32_t)s->problem->shape.fields;
}

/* What comes from a direction was sent in the opposite one. */
static int opposite(int d)
{
    return DIRECTIONS - 1 - d;
}

/* ---- each by itself -------------------------------------------------------------------------- */

static void pack_each(void *given, int number)
{
    const state *s = given;
    const array_set *arrays = &s->problem->set[number];
    for (int f = 0; f < s->problem->shape.fields; ++f) {
        for (int d = 0; d < DIRECTIONS; ++d) {
            const indexed x = {arrays->field[f],
                               arrays->message + part_at(s, d) + (uint32_t)f * count_of(s, d),
                               s->sent + s->first[d], count_of(s, d)};
            must(index_pack(&x, s->problem->stream), "packing by indices");
        }
    }
}

static void unpack_each(void *given, int number)
{
    const state *s = given;
    const array_set *arrays = &s->problem->set[number];
    for (int f = 0; f < s->problem->shape.fields; ++f) {
        for (int d = 0; d < DIRECTIONS; ++d) {
            const indexed x = {arrays->field[f],
                               arrays->message + part_at(s, opposite(d)) + (uint32_t)f * count_of(s, d),
                               s->filled + s->first[d], count_of(s, d)};
            must(index_unpack(&x, s->problem->stream), "unpacking by indices");
        }
    }
}

/* ---- all together ---------------------------------------------------------------------------- */

static indexed_all all_of(const state *s, int number, bool packs)
{
    const array_set *arrays = &s->problem->set[number];
    const uint32_t fields = (uint32_t)s->problem->shape.fields;
    indexed_all all = {.message = arrays->message, .index = packs ? s->sent : s->filled, .fields = fields};
    for (uint32_t f = 0; f < fields; ++f) {
        all.field[f] = arrays->field[f];
    }
    for (int d = 0; d < DIRECTIONS; ++d) {
        all.first[d + 1] = s->first[d + 1];
        all.message_at[d] = part_at(s, packs ? d : opposite(d));
        all.first_block[d + 1] = all.first_block[d] + fields * ((count_of(s, d) + PIECE - 1) / PIECE);
    }
    return all;
}

static void pack_together(void *given, int number)
{
    const state *s = given;
    const indexed_all all = all_of(s, number, true);
    must(index_pack_all(&all, s->problem->stream), "packing by indices");
}

static void unpack_together(void *given, int number)
{
    const state *s = given;
    const indexed_all all = all_of(s, number, false);
    must(index_unpack_all(&all, s->problem->stream), "unpacking by indices");
}

static void *make_graphs(problem *p)
{
    state *s = make(p);
    s->graph = make_graphs_of(p, &indexed_together, s);
    return s;
}

static void launch_graph(void *given, int set)
{
    const state *s = given;
    must(cudaGraphLaunch(s->graph[set], s->problem->stream), "launching a graph");
}

const variant indexed_each = {"index arrays, each",
                              "a launch for each field and direction",
                              make,
                              pack_each,
                              unpack_each,
                              NULL,
                              destroy};
const variant indexed_together = {"index arrays, fused",
                                  "one launch for all fields and directions",
                                  make,
                                  pack_together,
                                  unpack_together,
                                  NULL,
                                  destroy};
const variant indexed_graph = {"index arrays, graph",
                               "the two launches of those fused, in a graph",
                               make_graphs,
                               NULL,
                               NULL,
                               launch_graph,
                               destroy};
