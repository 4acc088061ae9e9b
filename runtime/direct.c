#include "direct.h"

#include "memory.h"
#include "status.h"
#include "transport/transport.h"

#include <string.h>

static const char purpose[] = "copies between arrays of two ranks";

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

/*
 * How a transport moves long runs.  By dimension it is always the sender: what a peer has got of the phase
 * before lies ready in its cache, and no walk covers several phases.
 */
static hx_passage passage_of(const hx_transport *transport, bool one_phase)
{
    if ((transport->flags & HX_TRANSPORT_NODE) == 0) {
        return HX_BUFFERED;
    }
    return one_phase && (transport->flags & HX_TRANSPORT_PULLS) != 0 ? HX_PULLED : HX_PUSHED;
}

void hx_direct_mark(const hx_spec *spec, const hx_transport *const transport[], bool one_phase,
                    hx_segments *segments)
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
        const bool is_long = !spec->list && s->kind != HX_WITHIN && bytes >= runs * HX_DIRECT_SHORTEST;
        const hx_passage passage = is_long ? passage_of(transport[s->way], one_phase) : HX_BUFFERED;
        for (int i = first; i < end; ++i) {
            segments->segment[i].passage = passage;
        }
    }
}

/* ---- making -------------------------------------------------------------------------------------------- */

/*
 * While it is made: the segments, as if they stayed within this rank, which had the partners' blocks, too.
 */
typedef struct stage {
    hx_work work;
    hx_block_list blocks;
    hx_segments segments;
    hx_told *owner; /* of each block of a partner: whose it is, and its number there */
    const hx_board *board;
    hx_direct *made;
} stage;

static hx_status make_room(const hx_work *work, stage *s)
{
    const size_t own = (size_t)work->mine->blocks;
    const size_t count = (size_t)work->segments->count;
    s->blocks.block = hx_memory_get(own + count, sizeof *s->blocks.block, purpose);
    s->segments.segment = hx_memory_get(count, sizeof *s->segments.segment, purpose);
    s->owner = hx_memory_get(own + count, sizeof *s->owner, purpose);
    s->made->partner = hx_memory_get(count, sizeof *s->made->partner, purpose);
    return s->blocks.block && s->segments.segment && s->owner && s->made->partner ? HX_OK : HX_ERR_MEMORY;
}

/* Segments come peer by peer. */
static int find_partner(const stage *s, const hx_link *link)
{
    hx_direct *d = s->made;
    if (d->partners == 0 || d->partner[d->partners - 1].peer != link->peer) {
        const int node_rank = hx_topology_node_rank(s->board->topology, link->peer);
        d->partner[d->partners++] =
            (hx_partner){.peer = link->peer,
                         .node_rank = node_rank,
                         .notice = hx_board_notice(s->board, node_rank, link->exchange)};
    }
    return d->partners - 1;
}

/* A block of the rank at the other end of a link; adds it to the list if it is not there yet. */
static hx_status find_block(stage *s, const hx_link *link, int tile, int number, int *found)
{
    const int partner = find_partner(s, link);
    for (int b = s->work.mine->blocks; b < s->blocks.blocks; ++b) {
        const hx_block *block = &s->blocks.block[b];
        if (block->tile == tile && block->number == number) {
            *found = b;
            return HX_OK;
        }
    }
    *found = s->blocks.blocks++;
    const int there =
        hx_board_block(s->board, s->made->partner[partner].node_rank, tile, number, &s->blocks.block[*found]);
    s->owner[*found] = (hx_told){partner, there};
    return there >= 0 ? HX_OK
                      : hx_fail(HX_ERR_INTERNAL, "Rank %d does not show block %d of tile %d to its node.",
                                link->peer, number, tile);
}

static hx_status take_segments(stage *s, const hx_segments *given)
{
    hx_status status = HX_OK;
    s->segments.count = given->count;
    for (int i = 0; i < given->count && status == HX_OK; ++i) {
        hx_segment *segment = &s->segments.segment[i];
        const hx_link *l = &segment->link;
        *segment = given->segment[i];
        if (segment->kind == HX_SENT) {
            status = find_block(s, l, l->tile, l->block, &segment->to);
        } else if (segment->passage == HX_PULLED) {
            status = find_block(s, l, l->source_tile, l->source_block, &segment->from);
        }
        segment->kind = segment->passage == HX_BUFFERED ? segment->kind : HX_WITHIN;
    }
    return status;
}

/* Where the arrays of the partners' blocks are told. */
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
    for (int slot = 0; slot < d->slots; ++slot) {
        d->told[slot].partner = -1;
    }
    for (int i = 0; i < s->segments.count; ++i) {
        const hx_segment *segment = &s->segments.segment[i];
        const bool pushed = segment->passage == HX_PUSHED;
        const int block = pushed ? segment->to : segment->from;
        const int field = pushed ? segment->link.field : segment->link.source_field;
        if (segment->passage != HX_BUFFERED) {
            const hx_told *owner = &s->owner[block];
            d->told[block * w->fields + w->slot_of[field]] =
                (hx_told){owner->partner, owner->at * w->spec->fields + field};
        }
    }
    return HX_OK;
}

static hx_status make(stage *s, const hx_segments *given)
{
    hx_status status = make_room(&s->work, s);
    if (status == HX_OK) {
        const hx_block_list *mine = s->work.mine;
        memcpy(s->blocks.block, mine->block, (size_t)mine->blocks * sizeof *mine->block);
        s->blocks.blocks = mine->blocks;
        status = take_segments(s, given);
    }
    if (status == HX_OK) {
        status = list_arrays(s);
    }
    if (status == HX_OK) {
        s->work.mine = &s->blocks;
        s->work.segments = &s->segments;
        status = hx_ops_make(&s->work, &s->made->ops);
    }
    return status;
}

hx_status hx_direct_make(const hx_work *work, const hx_board *board, const hx_sets *sets, hx_direct *direct)
{
    *direct = (hx_direct){.sets = sets};
    stage s = {.work = *work, .board = board, .made = direct};
    const hx_status status = make(&s, work->segments);
    hx_memory_free(s.blocks.block);
    hx_memory_free(s.segments.segment);
    hx_memory_free(s.owner);
    return status;
}

void hx_direct_free(hx_direct *direct)
{
    hx_ops_free(&direct->ops);
    hx_memory_free(direct->partner);
    hx_memory_free(direct->base);
    hx_memory_free(direct->told);
    *direct = (hx_direct){0};
}

/* ---- running ------------------------------------------------------------------------------------------- */

bool hx_direct_ready(const hx_direct *direct, uint64_t start)
{
    return atomic_load_explicit(&direct->partner->notice->start, memory_order_acquire) >= start;
}

/* Finds a partner's arrays where this rank sees them. */
static bool find_arrays(hx_direct *d, int number)
{
    const hx_partner *partner = &d->partner[number];
    for (int slot = d->own; slot < d->slots; ++slot) {
        if (d->told[slot].partner == number) {
            d->base[slot] = hx_sets_reach(d->sets, &partner->notice->where[d->told[slot].at]);
            if (!d->base[slot]) {
                return false;
            }
        }
    }
    return true;
}

static bool reach(hx_direct *d, int number)
{
    hx_partner *partner = &d->partner[number];
    if (partner->version != partner->notice->version) {
        partner->version = partner->notice->version;
        partner->reached = find_arrays(d, number);
    }
    return partner->reached;
}

/* No copy reads a partner's arrays until they are reached again. */
static void leave_out(hx_direct *d, int number)
{
    d->partner[number].version = 0; /* a notice has none before its first start */
    for (int slot = d->own; slot < d->slots; ++slot) {
        if (d->told[slot].partner == number) {
            d->base[slot] = NULL;
        }
    }
}

bool hx_direct_push(hx_direct *direct, void *const *base)
{
    if (!reach(direct, 0)) {
        return false;
    }
    memcpy(direct->base, base, (size_t)direct->own * sizeof *base);
    hx_ops_copy(direct->ops.copy, direct->ops.copies, direct->base);
    direct->partner->runs++;
    return true;
}

hx_status hx_direct_pull(hx_direct *direct, void *const *base, const bool offered[])
{
    for (int p = 0; p < direct->partners; ++p) {
        if (!offered[p]) {
            leave_out(direct, p);
            continue;
        }
        direct->partner[p].runs++;
        if (!reach(direct, p)) {
            return hx_fail(HX_ERR_INTERNAL, "Rank %d offers arrays that its node does not share.",
                           direct->partner[p].peer);
        }
    }
    memcpy(direct->base, base, (size_t)direct->own * sizeof *base);
    hx_sweeps_run(&direct->ops.sweeps, direct->base);
    for (int i = 0; i < direct->ops.copies; ++i) {
        const hx_copy_op *op = &direct->ops.copy[i];
        if (direct->base[op->from_slot]) {
            hx_ops_copy(op, 1, direct->base);
        }
    }
    return HX_OK;
}
