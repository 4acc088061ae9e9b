#include "ranks.h"

#include "base/memory.h"
#include "check.h"
#include "device/tables/cuda_fills.h"
#include "grid/lists.h"
#include "grid/shared_points.h"
#include "pack/accumulate.h"
#include "pack/combine.h"
#include "pack/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 64, POISON = 0xa5 }; /* bytes around a message, and what is in all bytes that nobody writes */

typedef struct message {
    int peer;
    size_t bytes;
    unsigned char *buffer;  /* of what is sent; NULL: received */
    unsigned char *written; /* which of its bytes belong to segments */
} message;

/* A list, and its tables as a device would have them: without a byte to spare. */
typedef struct device_list {
    hxi_cuda_list list;
    hxi_cuda_tables tables;
} device_list;

typedef struct device_exchange {
    hxi_work work;
    hxi_segments segments;
    int *slot_of;
    int *message_of;
    message *message; /* sent, then received */
    int sent, received;
    hxi_cuda_lists lists[2]; /* for arrays that begin anywhere, and for those at multiples of 16 bytes */
    hxi_boundary boundary;
    hxi_corners corners;
    hxi_cuda_fills fills[2];
    hxi_ops ops;
    hxi_accumulation additions;
    hxi_combining combining;
    unsigned char *kept; /* copies of what blocks of this rank hold for each other */
} device_exchange;

struct device_rank {
    const hx_spec *spec;
    const hx_cuda_kernels *kernels;
    int rank;
    hxi_lists lists; /* of grids that are such */
    hxi_layout layout;
    hxi_block_list mine;
    device_exchange *exchange;
    hx_wall_fn *hook;
    void *hook_context;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "the test is out of memory\n");
        abort();
    }
    return memory;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static void mark(message *m, const hxi_segment *s)
{
    for (size_t i = 0; i < s->bytes; ++i) {
        CHECK(!m->written[s->link.offset + i], "two segments have byte %zu of a message", s->link.offset + i);
        m->written[s->link.offset + i] = 1;
    }
}

static int group(const device_rank *r, device_exchange *x, hxi_segment_kind kind, message *list)
{
    int count = 0;
    hxi_segment *all = x->segments.segment;
    for (int i = 0; i < x->segments.count; ++i) {
        if (all[i].kind != kind) {
            continue;
        }
        int end = i;
        while (end < x->segments.count && all[end].kind == kind && all[end].link.peer == all[i].link.peer) {
            x->message_of[end++] = count;
        }
        message *m = &list[count++];
        *m = (message){.peer = all[i].link.peer, .bytes = hxi_segments_place(r->spec, &all[i], end - i)};
        if (kind == HX_SENT) {
            m->buffer = aligned_alloc(16, (m->bytes + 2 * GAP + 15) / 16 * 16);
            m->written = allocate(m->bytes, 1);
            for (int k = i; k < end; ++k) {
                mark(m, &all[k]);
            }
        }
        i = end - 1;
    }
    return count;
}

static void poison(const message *m)
{
    memset(m->buffer, POISON, m->bytes + 2 * GAP);
}

static void check_gaps(const message *m)
{
    for (size_t i = 0; i < m->bytes + 2 * GAP; ++i) {
        const bool gap = i < GAP || i >= m->bytes + GAP || !m->written[i - GAP];
        if (gap && m->buffer[i] != POISON) {
            CHECK(0, "byte %td of a message of %zu was written, and belongs to no segment",
                  (ptrdiff_t)i - GAP, m->bytes);
            return;
        }
    }
}

/* ---- making -------------------------------------------------------------------------------------------- */

static int reach_of(const hx_spec *spec)
{
    int reach = 0;
    for (int f = 0; f < spec->fields; ++f) {
        for (int a = 0; a < spec->axes; ++a) {
            reach = spec->field[f].halo_lo[a] > reach ? spec->field[f].halo_lo[a] : reach;
            reach = spec->field[f].halo_hi[a] > reach ? spec->field[f].halo_hi[a] : reach;
        }
    }
    return reach;
}

static int number_fields(const device_rank *r, device_exchange *x, const hx_exchange *exchange)
{
    int fields = 0;
    for (int f = 0; f < r->spec->fields; ++f) {
        x->slot_of[f] = -1;
    }
    for (int i = 0; i < exchange->fields; ++i) {
        x->slot_of[exchange->field[i].field] = fields++;
    }
    return fields;
}

/* What fills ghost points beyond walls and in corners. */
static hx_status make_fills(device_rank *r, device_exchange *x)
{
    const hxi_work work = {.spec = r->spec,
                           .exchange = x->work.exchange,
                           .mine = &r->mine,
                           .slot_of = x->slot_of,
                           .fields = x->work.fields};
    hx_status status = hxi_boundary_make(&work, &r->layout, &x->boundary);
    if (status == HX_OK && work.exchange->corner_fills > 0) {
        status = hxi_corners_make(&work, &r->layout, &x->corners);
    }
    for (int aligned = 0; r->kernels && aligned < 2 && status == HX_OK; ++aligned) {
        status = hxi_cuda_fills_make(&work, r->kernels, aligned != 0, &x->boundary, &x->corners,
                                     &x->fills[aligned]);
    }
    return status;
}

/* The axis of a move along which its numbers lie side by side, of those with more than one; -1: none. */
static int axis_together(const int32_t step[], const uint32_t extent[])
{
    int axis = 0;
    while (axis < HX_CUDA_STEPS && (extent[axis] <= 1 || (step[axis] != 1 && step[axis] != -1))) {
        ++axis;
    }
    return axis < HX_CUDA_STEPS ? axis : -1;
}

/* Threads that go one by one follow the shorter of the axes along which numbers lie side by side. */
static void check_order(const hx_cuda_move *move)
{
    const uint32_t planes = move->at.n[0] * move->at.n[1];
    const uint32_t extent[HX_CUDA_STEPS] = {move->words, move->at.n[0], move->at.n[1],
                                            move->at.rows / planes};
    const int from = axis_together(move->from.step, extent);
    const int to = axis_together(move->to.step, extent);
    CHECK(from < 0 || to < 0 || from == to || (from + to == 1 && extent[0] <= extent[1]),
          "threads follow axes %d and %d of a move of %u by %u by %u by %u numbers", from, to, extent[0],
          extent[1], extent[2], extent[3]);
}

static void check_orders(const hxi_cuda_list *list, const hx_cuda_kernels *kernels)
{
    for (int i = 0; i < list->moves; ++i) {
        const hx_cuda_shape shape = kernels->kind[list->move[i].kind].shape;
        if (shape == HX_CUDA_LOOSE || shape == HX_CUDA_TURNED) {
            check_order(&list->move[i]);
        }
    }
}

static hx_status make_exchange(device_rank *r, const hxi_neighbors *neighbors, int number)
{
    device_exchange *x = &r->exchange[number];
    const hxi_neighborhood around = {r->spec, &r->layout, &r->mine, neighbors, r->rank, NULL};
    hx_status status = hxi_segments_find(&around, number, &x->segments);
    if (status != HX_OK) {
        return status;
    }
    x->slot_of = allocate((size_t)r->spec->fields, sizeof *x->slot_of);
    x->message_of = allocate((size_t)x->segments.count, sizeof *x->message_of);
    x->message = allocate((size_t)x->segments.count, sizeof *x->message);
    x->sent = group(r, x, HX_SENT, x->message);
    x->received = group(r, x, HX_RECEIVED, x->message + x->sent);
    const hx_exchange *exchange = &r->spec->exchange[number];
    x->work =
        (hxi_work){r->spec,       exchange, &r->mine, &x->segments, x->slot_of, number_fields(r, x, exchange),
                   x->message_of, HX_PHASE, false,    NULL};
    status = make_fills(r, x);
    for (int aligned = 0; r->kernels && aligned < 2 && status == HX_OK; ++aligned) {
        status = hxi_cuda_lists_make(&x->work, r->kernels, aligned, x->segments.count, &x->lists[aligned]);
    }
    if (r->kernels && status == HX_OK) {
        check_orders(&x->lists[0].pack, r->kernels);
        check_orders(&x->lists[0].unpack, r->kernels);
        check_orders(&x->lists[0].copy, r->kernels);
    }
    if (r->kernels || status != HX_OK) {
        x->kept = aligned_alloc(16, x->lists[0].kept + 16);
        return status;
    }
    status = hxi_ops_make(&x->work, &x->ops);
    if (status == HX_OK && hxi_shared_points_combine(exchange)) {
        status = hxi_combine_make(&x->work, &x->combining);
    }
    return status == HX_OK && HX_RETURNS(exchange->operation) ? hxi_accumulation_make(&x->work, &x->additions)
                                                              : status;
}

static device_rank *new_rank(const hx_spec *spec, const hx_cuda_kernels *kernels, int rank)
{
    device_rank *r = allocate(1, sizeof *r);
    r->spec = spec;
    r->kernels = kernels;
    r->rank = rank;
    r->exchange = allocate((size_t)spec->exchanges, sizeof *r->exchange);
    return r;
}

static hx_status make_exchanges(device_rank *r, const hxi_neighbors *neighbors)
{
    hx_status status = HX_OK;
    for (int e = 0; e < r->spec->exchanges && status == HX_OK; ++e) {
        status = make_exchange(r, neighbors, e);
    }
    return status;
}

hx_status device_rank_make(const device_place *place, const hx_blocks *blocks, const void *shapes,
                           device_rank **made)
{
    const hx_spec *spec = place->spec;
    device_rank *r = new_rank(spec, place->kernels, place->rank);
    *made = r;
    hxi_neighbors neighbors = {0};
    hx_status status = hxi_layout_make(spec, blocks, place->ranks, &r->layout);
    status = status == HX_OK ? hxi_blocks_make(spec, &r->layout, place->rank, blocks->count, shapes, &r->mine)
                             : status;
    status =
        status == HX_OK ? hxi_neighbors_find(spec, &r->layout, &r->mine, reach_of(spec), &neighbors) : status;
    status = status == HX_OK ? make_exchanges(r, &neighbors) : status;
    hxi_memory_free(neighbors.neighbor);
    return status;
}

hx_status device_rank_make_listed(const device_place *place, const hx_index_list *list, const void *shape,
                                  device_rank **made)
{
    const hx_spec *spec = place->spec;
    const int ranks = place->ranks;
    device_rank *r = new_rank(spec, place->kernels, place->rank);
    *made = r;
    hx_part part;
    memcpy(&part, shape, sizeof part);
    hx_status status = hxi_lists_make(spec, list, part.n[0], place->rank, ranks, &r->lists);
    status = status == HX_OK ? hxi_layout_make_listed(&r->lists, ranks, &r->layout) : status;
    status = status == HX_OK ? hxi_blocks_make(spec, &r->layout, place->rank, 1, shape, &r->mine) : status;
    return status == HX_OK ? make_exchanges(r, NULL) : status;
}

static void free_exchange(device_exchange *x)
{
    for (int m = 0; m < x->sent; ++m) {
        free(x->message[m].buffer);
        free(x->message[m].written);
    }
    hxi_cuda_lists_free(&x->lists[0]);
    hxi_cuda_lists_free(&x->lists[1]);
    hxi_cuda_fills_free(&x->fills[0]);
    hxi_cuda_fills_free(&x->fills[1]);
    hxi_boundary_free(&x->boundary);
    hxi_corners_free(&x->corners);
    hxi_ops_free(&x->ops);
    hxi_accumulation_free(&x->additions);
    hxi_combine_free(&x->combining);
    free(x->kept);
    hxi_segments_free(&x->segments);
    free(x->slot_of);
    free(x->message_of);
    free(x->message);
}

void device_rank_free(device_rank *r)
{
    for (int e = 0; r && e < r->spec->exchanges; ++e) {
        free_exchange(&r->exchange[e]);
    }
    if (r) {
        hxi_blocks_free(&r->mine);
        hxi_layout_free(&r->layout);
        hxi_lists_free(&r->lists);
        free(r->exchange);
        free(r);
    }
}

/* ---- exchanging ---------------------------------------------------------------------------------------- */

/* Arrays by slot, then room for messages. */
static void **list_bases(const device_rank *r, const device_exchange *x, const void *fields)
{
    const int slots = r->mine.blocks * x->work.fields;
    void **base = allocate((size_t)(slots + x->segments.count + 1), sizeof *base);
    base[slots + x->segments.count] = x->kept;
    for (int b = 0; b < r->mine.blocks; ++b) {
        for (int f = 0; f < r->spec->fields; ++f) {
            if (x->slot_of[f] >= 0) {
                const char *block = (const char *)fields + (size_t)b * r->spec->fields_size;
                memcpy(&base[b * x->work.fields + x->slot_of[f]], block + r->spec->field[f].pointer,
                       sizeof *base);
            }
        }
    }
    return base;
}

/* Wide words are for arrays that begin where they may. */
static bool is_aligned(void *const *base, int slots)
{
    bool aligned = true;
    for (int s = 0; s < slots; ++s) {
        aligned = aligned && (uintptr_t)base[s] % 16 == 0;
    }
    return aligned;
}

static void *copy_of(const void *table, size_t entries, size_t size)
{
    void *copy = allocate(entries, size);
    if (entries > 0) {
        memcpy(copy, table, entries * size);
    }
    return copy;
}

static void run_listed(const hxi_cuda_list *list, hx_cuda_listed_fn *kernel, void *const *base)
{
    hx_cuda_turn *turn = copy_of(list->turn, list->blocks, sizeof *turn);
    void *copy[HX_LISTED_TABLES];
    hxi_cuda_tables tables = {.turn = turn};
    for (int t = 0; t < HX_LISTED_TABLES; ++t) {
        const hxi_cuda_table *table = &list->listed.table[t];
        tables.listed[t] = copy[t] = copy_of(table->entry, table->count, table->size);
    }
    CHECK(hxi_cuda_run_listed(list, kernel, &tables, base, NULL) == 0, "a launch failed");
    for (int t = 0; t < HX_LISTED_TABLES; ++t) {
        free(copy[t]);
    }
    free(turn);
}

static void run(const hxi_cuda_list *list, hx_cuda_fn *kernel, void *const *base)
{
    hx_cuda_turn *turn = copy_of(list->turn, list->blocks, sizeof *turn);
    hx_cuda_move *move = copy_of(list->move, (size_t)list->moves, sizeof *move);
    hx_cuda_sum *sum = copy_of(list->sum, (size_t)list->sums, sizeof *sum);
    hx_cuda_term *term = copy_of(list->term, (size_t)list->terms, sizeof *term);
    const hxi_cuda_tables tables = {.turn = turn, .move = move, .sum = sum, .term = term};
    CHECK(hxi_cuda_run(list, kernel, &tables, base, NULL) == 0, "a launch failed");
    free(turn);
    free(move);
    free(sum);
    free(term);
}

void device_rank_start(device_rank *r, int exchange, const void *fields)
{
    device_exchange *x = &r->exchange[exchange];
    const int slots = r->mine.blocks * x->work.fields;
    void **base = list_bases(r, x, fields);
    for (int m = 0; m < x->sent; ++m) {
        poison(&x->message[m]);
        base[slots + m] = x->message[m].buffer + GAP;
    }
    const hxi_cuda_lists *lists = &x->lists[is_aligned(base, slots)];
    if (r->kernels && r->spec->list) {
        run_listed(&lists->pack, r->kernels->listing->pack, base);
        run_listed(&lists->copy, r->kernels->listing->copy, base);
    } else if (r->kernels) {
        run(&lists->pack, r->kernels->move, base);
        run(&lists->copy, r->kernels->move, base);
    } else {
        hxi_ops_pack(x->ops.pack, x->ops.packs, base, (unsigned char *const *)(base + slots));
    }
    for (int m = 0; m < x->sent; ++m) {
        check_gaps(&x->message[m]);
    }
    free(base);
}

/* What a peer has packed for a rank. */
static unsigned char *message_from(const device_rank *peer, int exchange, int rank, size_t bytes)
{
    const device_exchange *x = &peer->exchange[exchange];
    for (int m = 0; m < x->sent; ++m) {
        if (x->message[m].peer == rank) {
            CHECK(x->message[m].bytes == bytes, "a message has %zu bytes, expected %zu", x->message[m].bytes,
                  bytes);
            return x->message[m].buffer + GAP;
        }
    }
    CHECK(0, "nobody sends a message that is received");
    return NULL;
}

static void run_step(const device_rank *r, const device_exchange *x, int step, void **base, int slots)
{
    const hx_cuda_kernels *k = r->kernels;
    const hxi_cuda_step *lists = &x->fills[is_aligned(base, slots)].step[step];
    run(&lists->copy, k->move, base);
    run(&lists->zero, k->zero, base);
}

static void fill_walls(const device_rank *r, const device_exchange *x, void **base, int slots)
{
    for (int step = 0; step < HX_MAX_AXES; ++step) {
        run_step(r, x, step, base, slots);
        for (int i = 0; i < x->boundary.ops; ++i) {
            const hxi_boundary_op *op = &x->boundary.op[i];
            if (op->kind == HX_BOUNDARY_HOOK && hxi_cuda_boundary_step(x->work.exchange, op) == step) {
                hx_wall wall = op->run.hook.box;
                wall.array = base[op->run.hook.slot];
                r->hook(r->hook_context, &wall);
            }
        }
    }
}

static void finish_on_host(device_rank *r, device_exchange *x, void **base, int slots)
{
    unsigned char *const *buffer = (unsigned char *const *)(base + slots);
    if (HX_RETURNS(x->work.exchange->operation)) {
        hxi_accumulation_run(&x->additions, base, buffer);
    } else if (hxi_shared_points_combine(x->work.exchange)) {
        hxi_combine_run(&x->combining, base, buffer);
    } else {
        hxi_ops_unpack(x->ops.unpack, x->ops.unpacks, base, buffer);
        hxi_ops_sweep(&x->ops.sweeps, base);
        hxi_ops_copy(x->ops.copy, x->ops.copies, base);
    }
    hxi_boundary_run(&x->boundary, base, r->hook, r->hook_context);
}

static void finish_on_device(const device_rank *r, device_exchange *x, void **base, int slots)
{
    const hx_cuda_kernels *k = r->kernels;
    const hxi_cuda_lists *lists = &x->lists[is_aligned(base, slots)];
    if (r->spec->list) {
        run_listed(&lists->unpack, k->listing->unpack, base);
        run_listed(&lists->sum, k->listing->sum, base);
        run_listed(&lists->zero, k->listing->zero, base);
        return;
    }
    run(&lists->unpack, k->move, base);
    run(&lists->sum, k->sum, base);
    run(&lists->combine, k->combine, base);
    run(&lists->zero, k->zero, base);
    fill_walls(r, x, base, slots);
}

void device_rank_finish(device_rank *r, device_rank *const *all, int exchange, const void *fields)
{
    device_exchange *x = &r->exchange[exchange];
    const int slots = r->mine.blocks * x->work.fields;
    void **base = list_bases(r, x, fields);
    for (int m = 0; m < x->received; ++m) {
        const message *wanted = &x->message[x->sent + m];
        base[slots + m] = message_from(all[wanted->peer], exchange, r->rank, wanted->bytes);
    }
    if (r->kernels) {
        finish_on_device(r, x, base, slots);
    } else {
        finish_on_host(r, x, base, slots);
    }
    free(base);
}

void device_rank_corners(device_rank *r, int exchange, int fill, const void *fields)
{
    device_exchange *x = &r->exchange[exchange];
    void **base = list_bases(r, x, fields);
    if (r->kernels) {
        run_step(r, x, hxi_cuda_corner_step(fill), base, r->mine.blocks * x->work.fields);
    } else {
        hxi_corners_run(&x->corners, fill, base);
    }
    free(base);
}

void device_rank_set_hook(device_rank *r, hx_wall_fn *fill, void *context)
{
    r->hook = fill;
    r->hook_context = context;
}
