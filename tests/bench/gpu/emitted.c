/*
 * Emitted kernels.  Packing and unpacking by the tables that libhx makes for an exchange: of the block in the
 * middle of 3 x 3 x 3, one a rank, so that each direction has a message of its own.  All blocks being alike,
 * what comes from a direction is what this one sends in the opposite direction, and nobody else is needed.
 * Copies within a rank by the public interface: the same block alone, which is its own neighbor all around.
 */
#include "gpu.h"

#include "base/memory.h"
#include "device/tables/cuda_list.h"
#include "grid/neighbors.h"

#include <stdlib.h>
#include <string.h>

static void need(hx_status status)
{
    if (status != HX_OK) {
        give_up("%s: %s", hx_status_name(status), hx_last_error());
    }
}

/* ---- the block and what it is given -------------------------------------------------------- */

static hx_partition partition_of(const extents *s, int blocks)
{
    hx_partition p = {.axes = 3};
    for (int a = 0; a < 3; ++a) {
        p.cells[a] = blocks * s->n;
        p.ranks[a] = blocks;
        p.periodic[a] = 1;
    }
    return p;
}

/* What NAME_shape_dense gives for the block in the middle: a part, and strides of each field. */
static void *shape_of(const problem *p, const hx_partition *partition)
{
    unsigned char *made = allocate(1, p->spec->shape_size);
    hx_part part = {.partition = *partition};
    for (int a = 0; a < 3; ++a) {
        part.index[a] = partition->ranks[a] / 2;
        part.first[a] = part.index[a] * p->shape.n;
        part.n[a] = p->shape.n;
    }
    memcpy(made, &part, sizeof part);
    const ptrdiff_t wide = p->shape.n + 2 * p->shape.h;
    const ptrdiff_t stride[3] = {wide * wide, wide, 1};
    for (int f = 0; f < p->shape.fields; ++f) {
        memcpy(made + p->spec->shape_stride + (size_t)f * sizeof stride, stride, sizeof stride);
    }
    return made;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct state {
    problem *problem;
    hxi_layout layout;
    hxi_block_list mine;
    hxi_segments segments;
    int slot_of[MOST_FIELDS];
    int *message_of;
    size_t message_at[DIRECTIONS]; /* bytes, in the order of the peers */
    size_t message_bytes;
    hxi_work work;
    hxi_cuda_lists lists;
    hxi_cuda_tables tables[2]; /* of packing and of unpacking, in the memory of the device */
    void *memory[2][2];
    void **base;                          /* by set: of packing, then of unpacking */
    unsigned char *mapped, *mapped_there; /* pinned messages and where the device has them; NULL: not these */
    cudaGraphExec_t *graph;               /* by set; NULL: none */
} state;

enum { MESSAGE_ALIGNMENT = 64, RANKS = DIRECTIONS + 1 };

/* Numbers of messages by segment: each peer has one, in the order of ranks. */
static void number_messages(state *s)
{
    s->message_of = allocate((size_t)s->segments.count, sizeof *s->message_of);
    hxi_segment *all = s->segments.segment;
    int number = 0;
    for (int i = 0, end; i < s->segments.count; i = end, ++number) {
        for (end = i; end < s->segments.count && all[end].kind == all[i].kind &&
                      all[end].link.peer == all[i].link.peer;
             ++end) {
            s->message_of[end] = number % DIRECTIONS;
        }
        const size_t bytes = hxi_segments_place(s->problem->spec, &all[i], end - i);
        if (number < DIRECTIONS) {
            s->message_at[number] = s->message_bytes;
            s->message_bytes += (bytes + MESSAGE_ALIGNMENT - 1) / MESSAGE_ALIGNMENT * MESSAGE_ALIGNMENT;
        }
    }
    if (number != 2 * DIRECTIONS || s->message_bytes > s->problem->message_bytes) {
        give_up("%d messages of %zu bytes", number, s->message_bytes);
    }
}

static void make_work(state *s)
{
    problem *p = s->problem;
    const hx_partition partition = partition_of(&p->shape, 3);
    const hx_blocks blocks = {.comm = MPI_COMM_SELF, .tiles = 1, .partition = &partition, .count = 1};
    void *shapes = shape_of(p, &partition);
    hxi_neighbors neighbors = {0};
    need(hxi_layout_make(p->spec, &blocks, RANKS, &s->layout));
    need(hxi_blocks_make(p->spec, &s->layout, RANKS / 2, 1, shapes, &s->mine));
    need(hxi_neighbors_find(p->spec, &s->layout, &s->mine, p->shape.h, &neighbors));
    const hxi_neighborhood around = {p->spec, &s->layout, &s->mine, &neighbors, RANKS / 2, NULL};
    need(hxi_segments_find(&around, 0, &s->segments));
    hxi_memory_free(neighbors.neighbor);
    free(shapes);
    number_messages(s);
    for (int f = 0; f < p->shape.fields; ++f) {
        s->slot_of[f] = f;
    }
    s->work = (hxi_work){.spec = p->spec,
                         .exchange = &p->spec->exchange[0],
                         .mine = &s->mine,
                         .segments = &s->segments,
                         .slot_of = s->slot_of,
                         .fields = p->shape.fields,
                         .message_of = s->message_of};
    need(hxi_cuda_lists_make(&s->work, p->spec->cuda, true, DIRECTIONS, &s->lists));
}

static void *upload(const state *s, const void *table, size_t bytes)
{
    void *memory = NULL;
    must(cudaMalloc(&memory, bytes), "memory for a table");
    must(cudaMemcpyAsync(memory, table, bytes, cudaMemcpyHostToDevice, s->problem->stream),
         "copying a table");
    must(cudaStreamSynchronize(s->problem->stream), "copying a table");
    return memory;
}

static void place_tables(state *s, int which, const hxi_cuda_list *list)
{
    s->memory[which][0] = upload(s, list->move, (size_t)list->moves * sizeof *list->move);
    s->memory[which][1] = upload(s, list->turn, list->blocks * sizeof *list->turn);
    s->tables[which].move = s->memory[which][0];
    s->tables[which].turn = s->memory[which][1];
}

/* Arrays by slot, then messages; those that are received are the ones sent the other way. */
static void **bases_of(const state *s, int set, bool packs)
{
    return s->base + (size_t)(2 * set + !packs) * (MOST_FIELDS + DIRECTIONS);
}

static void set_bases(state *s)
{
    const problem *p = s->problem;
    s->base = allocate(2 * (size_t)p->sets * (MOST_FIELDS + DIRECTIONS), sizeof *s->base);
    for (int i = 0; i < 2 * p->sets; ++i) {
        const bool packs = i % 2 == 0;
        void **base = bases_of(s, i / 2, packs);
        unsigned char *message = s->mapped ? s->mapped_there : (unsigned char *)p->set[i / 2].message;
        memcpy(base, p->set[i / 2].field, (size_t)p->shape.fields * sizeof *base);
        for (int d = 0; d < DIRECTIONS; ++d) {
            base[p->shape.fields + d] = message + s->message_at[packs ? d : DIRECTIONS - 1 - d];
        }
    }
}

static state *make_state(problem *p)
{
    state *s = allocate(1, sizeof *s);
    s->problem = p;
    make_work(s);
    place_tables(s, 0, &s->lists.pack);
    place_tables(s, 1, &s->lists.unpack);
    return s;
}

static void *make(problem *p)
{
    state *s = make_state(p);
    set_bases(s);
    return s;
}

/* One message for all sets: caches of the device keep nothing of it. */
static void *make_mapped(problem *p)
{
    state *s = make_state(p);
    void *there = NULL;
    void *memory = NULL;
    must(cudaHostAlloc(&memory, s->message_bytes, cudaHostAllocPortable | cudaHostAllocMapped),
         "pinned memory");
    must(cudaHostGetDevicePointer(&there, memory, 0), "asking where the device has pinned memory");
    s->mapped = memory;
    s->mapped_there = there;
    set_bases(s);
    return s;
}

static void run(const state *s, const hxi_cuda_list *list, int set, bool packs)
{
    const hx_cuda_kernels *k = s->problem->spec->cuda;
    must(hxi_cuda_run(list, k->move, &s->tables[!packs], bases_of(s, set, packs), s->problem->stream),
         packs ? "packing" : "unpacking");
}

static void pack(void *given, int set)
{
    const state *s = given;
    run(s, &s->lists.pack, set, true);
}

static void unpack(void *given, int set)
{
    const state *s = given;
    run(s, &s->lists.unpack, set, false);
}

static void *make_graphs(problem *p)
{
    state *s = make(p);
    s->graph = make_graphs_of(p, &emitted, s);
    return s;
}

static void launch_graph(void *given, int set)
{
    const state *s = given;
    must(cudaGraphLaunch(s->graph[set], s->problem->stream), "launching a graph");
}

static void destroy(void *given)
{
    state *s = given;
    if (s->graph) {
        free_graphs(s->problem, s->graph);
    }
    for (int i = 0; i < 4; ++i) {
        must(cudaFree(s->memory[i / 2][i % 2]), "giving back a table");
    }
    must(cudaFreeHost(s->mapped), "giving back pinned memory");
    hxi_cuda_lists_free(&s->lists);
    hxi_segments_free(&s->segments);
    hxi_blocks_free(&s->mine);
    hxi_layout_free(&s->layout);
    free(s->message_of);
    free(s->base);
    free(s);
}

void emitted_tables(const void *given, char *text, size_t size)
{
    const state *s = given;
    const hxi_cuda_list *pack = &s->lists.pack;
    const hxi_cuda_list *unpack = &s->lists.unpack;
    snprintf(text, size, "tables: of packing, %d entries for %zu blocks of threads; of unpacking, %d for %zu",
             pack->moves, pack->blocks, unpack->moves, unpack->blocks);
}

const variant emitted = {"emitted", "a launch to pack, one to unpack", make, pack, unpack, NULL, destroy};
const variant emitted_graph = {
    "emitted, graph", "both launches in a graph", make_graphs, NULL, NULL, launch_graph, destroy};
const variant emitted_mapped = {
    "emitted, mapped", "messages in pinned memory of the host", make_mapped, pack, unpack, NULL, destroy};

/* ---- within the rank --------------------------------------------------------------------------- */

typedef struct direct {
    problem *problem;
    hx_handle *handle;
    unsigned char *fields; /* by set, what NAME_fields has */
} direct;

static void *make_direct(problem *p)
{
    direct *made = allocate(1, sizeof *made);
    const hx_partition partition = partition_of(&p->shape, 1);
    const hx_blocks blocks = {.comm = MPI_COMM_SELF, .tiles = 1, .partition = &partition, .count = 1};
    void *shape = shape_of(p, &partition);
    made->problem = p;
    need(hx_create(p->spec, &blocks, shape, NULL, &made->handle));
    free(shape);
    made->fields = allocate((size_t)p->sets, p->spec->fields_size);
    for (int i = 0; i < p->sets; ++i) {
        for (int f = 0; f < p->shape.fields; ++f) {
            memcpy(made->fields + (size_t)i * p->spec->fields_size + p->spec->field[f].pointer,
                   &p->set[i].field[f], sizeof p->set[i].field[f]);
        }
    }
    return made;
}

/* The first half of an exchange copies all there is to copy, and the second has nothing to do. */
static void copy_directly(void *given, int set)
{
    const direct *d = given;
    const void *fields = d->fields + (size_t)set * d->problem->spec->fields_size;
    need(hx_pack_on(d->handle, 0, fields, d->problem->stream));
}

static void destroy_direct(void *given)
{
    direct *d = given;
    need(hx_destroy(d->handle));
    free(d->fields);
    free(d);
}

const variant emitted_direct = {
    "emitted, direct", "from array to array, a launch", make_direct, NULL, NULL, copy_directly,
    destroy_direct};
