#include "direct.h"

#include "memory.h"
#include "status.h"
#include "transport/transport.h"

#include <string.h>

static const char purpose[] = "copies into the arrays of another rank";

/* Bytes.  Messages whose runs are shorter on average are packed.  Tests set a smaller one. */
#ifndef HX_DIRECT_SHORTEST
#define HX_DIRECT_SHORTEST 64
#endif

/* ---- which --------------------------------------------------------------------------------------------- */

/* Runs along the fastest axis of the destination. */
static size_t count_runs(const hx_spec *spec, const hx_segment *segment)
{
    const int fastest = spec->field[segment->link.field].order[0];
    size_t runs = (size_t)hx_segment_parts(spec, segment);
    for (int a = 0; a < spec->axes; ++a) {
        runs *= a == fastest ? 1 : (size_t)(segment->link.hi[a] - segment->link.lo[a]);
    }
    return runs;
}

static bool same_message(const hx_segment *a, const hx_segment *b)
{
    return a->kind == b->kind && a->way == b->way && a->link.peer == b->link.peer && !a->alone && !b->alone;
}

void hx_direct_mark(const hx_spec *spec, const hx_transport *const transport[], hx_segments *segments)
{
    int end = 0;
    for (int first = 0; first < segments->count; first = end) {
        hx_segment *s = &segments->segment[first];
        size_t bytes = 0;
        size_t runs = 0;
        for (end = first; end < segments->count && same_message(s, &segments->segment[end]); ++end) {
            bytes += segments->segment[end].bytes;
            runs += count_runs(spec, &segments->segment[end]);
        }
        end += end == first; /* one that travels alone */
        const bool within_node = (transport[s->way]->flags & HX_TRANSPORT_NODE) != 0;
        for (int i = first; i < end; ++i) {
            segments->segment[i].direct =
                s->kind != HX_WITHIN && within_node && bytes >= runs * HX_DIRECT_SHORTEST;
        }
    }
}

/* ---- making -------------------------------------------------------------------------------------------- */

/* While a message is made: its segments, as if they stayed within this rank, which had the receiver's blocks,
 * too. */
typedef struct stage {
    hx_work work;
    hx_block_list blocks;
    hx_segments segments;
    int *number; /* of each of the receiver's blocks, there */
    const hx_board *board;
    hx_direct *made;
} stage;

static hx_status make_room(const hx_work *work, stage *s)
{
    const size_t own = (size_t)work->mine->blocks;
    const size_t count = (size_t)work->segments->count;
    s->blocks.block = hx_memory_get(own + count, sizeof *s->blocks.block, purpose);
    s->segments.segment = hx_memory_get(count, sizeof *s->segments.segment, purpose);
    s->number = hx_memory_get(own + count, sizeof *s->number, purpose);
    return s->blocks.block && s->segments.segment && s->number ? HX_OK : HX_ERR_MEMORY;
}

/* The receiver's block that a segment goes to; adds it to the list if it is not there yet. */
static hx_status find_block(stage *s, const hx_link *link, int *found)
{
    for (int b = s->work.mine->blocks; b < s->blocks.blocks; ++b) {
        const hx_block *block = &s->blocks.block[b];
        if (block->tile == link->tile && block->number == link->block) {
            *found = b;
            return HX_OK;
        }
    }
    *found = s->blocks.blocks;
    s->number[*found] = hx_board_block(s->board, s->made->node_rank, link->tile, link->block,
                                       &s->blocks.block[s->blocks.blocks++]);
    return s->number[*found] >= 0
               ? HX_OK
               : hx_fail(HX_ERR_INTERNAL, "Rank %d does not show block %d of tile %d to its node.",
                         link->peer, link->block, link->tile);
}

static hx_status take_segments(stage *s, const hx_segments *message)
{
    hx_status status = HX_OK;
    s->segments.count = message->count;
    for (int i = 0; i < message->count && status == HX_OK; ++i) {
        hx_segment *segment = &s->segments.segment[i];
        *segment = message->segment[i];
        segment->kind = HX_WITHIN;
        status = find_block(s, &segment->link, &segment->to);
    }
    return status;
}

/* Where the arrays of the receiver's blocks are told. */
static hx_status list_arrays(const stage *s)
{
    hx_direct *d = s->made;
    const hx_work *w = &s->work;
    d->own = w->mine->blocks * w->fields;
    d->slots = s->blocks.blocks * w->fields;
    d->base = hx_memory_get((size_t)d->slots, sizeof *d->base, purpose);
    d->told = hx_memory_get((size_t)d->slots, sizeof *d->told, purpose);
    if (!d->base || !d->told) {
        return HX_ERR_MEMORY;
    }
    memset(d->told, -1, (size_t)d->slots * sizeof *d->told);
    for (int i = 0; i < s->segments.count; ++i) {
        const hx_segment *segment = &s->segments.segment[i];
        const int slot = segment->to * w->fields + w->slot_of[segment->link.field];
        d->told[slot] = s->number[segment->to] * w->spec->fields + segment->link.field;
    }
    return HX_OK;
}

static hx_status make(stage *s, const hx_segments *message)
{
    hx_status status = make_room(&s->work, s);
    if (status == HX_OK) {
        const hx_block_list *mine = s->work.mine;
        memcpy(s->blocks.block, mine->block, (size_t)mine->blocks * sizeof *mine->block);
        s->blocks.blocks = mine->blocks;
        status = take_segments(s, message);
    }
    if (status == HX_OK) {
        status = list_arrays(s);
    }
    if (status == HX_OK) {
        s->work.mine = &s->blocks;
        s->work.segments = &s->segments;
        s->work.one_message = true;
        status = hx_ops_make(&s->work, &s->made->ops);
    }
    return status;
}

hx_status hx_direct_make(const hx_work *work, const hx_board *board, const hx_sets *sets, hx_direct *direct)
{
    const hx_link *link = &work->segments->segment[0].link;
    *direct = (hx_direct){.sets = sets, .node_rank = hx_topology_node_rank(board->topology, link->peer)};
    stage s = {.work = *work, .board = board, .made = direct};
    const hx_status status = make(&s, work->segments);
    hx_memory_free(s.blocks.block);
    hx_memory_free(s.segments.segment);
    hx_memory_free(s.number);
    if (status == HX_OK) {
        direct->notice = hx_board_notice(board, direct->node_rank, link->exchange);
    }
    return status;
}

void hx_direct_free(hx_direct *direct)
{
    hx_ops_free(&direct->ops);
    hx_memory_free(direct->base);
    hx_memory_free(direct->told);
    *direct = (hx_direct){0};
}

/* ---- running ------------------------------------------------------------------------------------------- */

bool hx_direct_ready(const hx_direct *direct, uint64_t start)
{
    return atomic_load_explicit(&direct->notice->start, memory_order_acquire) >= start;
}

/* Finds the receiver's arrays where this rank sees them. */
static bool find_arrays(hx_direct *d)
{
    for (int slot = d->own; slot < d->slots; ++slot) {
        if (d->told[slot] >= 0) {
            d->base[slot] = hx_sets_reach(d->sets, &d->notice->where[d->told[slot]]);
            if (!d->base[slot]) {
                return false;
            }
        }
    }
    return true;
}

bool hx_direct_run(hx_direct *direct, void *const *base)
{
    if (direct->version != direct->notice->version) {
        direct->version = direct->notice->version;
        direct->reached = find_arrays(direct);
    }
    if (!direct->reached) {
        return false;
    }
    memcpy(direct->base, base, (size_t)direct->own * sizeof *base);
    hx_ops_copy(direct->ops.copy, direct->ops.copies, direct->base);
    direct->runs++;
    return true;
}
