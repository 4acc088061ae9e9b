#include "transport/partners.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

static const char purpose[] = "copies between arrays of two ranks";

/* ---- joining ------------------------------------------------------------------------------------------- */

typedef struct stage {
    hx_joined *joined;
    hx_told *owner; /* of each block of a partner: whose it is, and its number there */
    const hx_board *board;
    hx_partners *made;
} stage;

static hx_status make_room(const hx_work *work, stage *s)
{
    const size_t own = (size_t)work->mine->blocks;
    const size_t count = (size_t)work->segments->count;
    hx_joined *j = s->joined;
    j->blocks.block = hx_memory_get(own + count, sizeof *j->blocks.block, purpose);
    j->segments.segment = hx_memory_get(count, sizeof *j->segments.segment, purpose);
    s->owner = hx_memory_get(own + count, sizeof *s->owner, purpose);
    s->made->partner = hx_memory_get(count, sizeof *s->made->partner, purpose);
    return j->blocks.block && j->segments.segment && s->owner && s->made->partner ? HX_OK : HX_ERR_MEMORY;
}

/* Segments come peer by peer. */
static int find_partner(const stage *s, const hx_link *link)
{
    hx_partners *p = s->made;
    if (p->count == 0 || p->partner[p->count - 1].peer != link->peer) {
        const int node_rank = hx_topology_node_rank(s->board->topology, link->peer);
        p->partner[p->count++] = (hx_partner){.peer = link->peer,
                                              .node_rank = node_rank,
                                              .notice = hx_board_notice(s->board, node_rank, link->exchange)};
    }
    return p->count - 1;
}

/* A block of the rank at the other end of a link; adds it to the list if it is not there yet. */
static hx_status find_block(stage *s, const hx_link *link, int tile, int number, int *found)
{
    const int partner = find_partner(s, link);
    hx_joined *j = s->joined;
    for (int b = j->work.mine->blocks; b < j->blocks.blocks; ++b) {
        const hx_block *block = &j->blocks.block[b];
        if (block->tile == tile && block->number == number) {
            *found = b;
            return HX_OK;
        }
    }
    *found = j->blocks.blocks++;
    const int there =
        hx_board_block(s->board, s->made->partner[partner].node_rank, tile, number, &j->blocks.block[*found]);
    s->owner[*found] = (hx_told){partner, there};
    return there >= 0 ? HX_OK
                      : hx_fail(HX_ERR_INTERNAL, "Rank %d does not show block %d of tile %d to its node.",
                                link->peer, number, tile);
}

static hx_status take_segments(stage *s, const hx_segments *given)
{
    hx_status status = HX_OK;
    s->joined->segments.count = given->count;
    for (int i = 0; i < given->count && status == HX_OK; ++i) {
        hx_segment *segment = &s->joined->segments.segment[i];
        const hx_link *l = &segment->link;
        *segment = given->segment[i];
        if (segment->kind == HX_SENT) {
            status = find_block(s, l, l->tile, l->block, &segment->to);
        }
        segment->kind = segment->passage == HX_BUFFERED ? segment->kind : HX_WITHIN;
    }
    return status;
}

/* Where the arrays of the partners' blocks are told. */
static hx_status list_arrays(const stage *s)
{
    hx_partners *p = s->made;
    const hx_work *w = &s->joined->work;
    p->own = w->mine->blocks * w->fields;
    p->slots = s->joined->blocks.blocks * w->fields;
    p->base = hx_memory_get((size_t)p->slots, sizeof *p->base, purpose);
    p->told = hx_memory_get((size_t)p->slots, sizeof *p->told, purpose);
    if (!p->base || !p->told) {
        return HX_ERR_MEMORY;
    }
    for (int slot = 0; slot < p->slots; ++slot) {
        p->told[slot].partner = -1;
    }
    for (int i = 0; i < s->joined->segments.count; ++i) {
        const hx_segment *segment = &s->joined->segments.segment[i];
        const int field = segment->link.field;
        if (segment->passage != HX_BUFFERED) {
            const hx_told *owner = &s->owner[segment->to];
            p->told[segment->to * w->fields + w->slot_of[field]] =
                (hx_told){owner->partner, owner->at * w->spec->fields + field};
        }
    }
    return HX_OK;
}

static hx_status join(stage *s, const hx_segments *given)
{
    hx_joined *j = s->joined;
    hx_status status = make_room(&j->work, s);
    if (status == HX_OK) {
        const hx_block_list *mine = j->work.mine;
        memcpy(j->blocks.block, mine->block, (size_t)mine->blocks * sizeof *mine->block);
        j->blocks.blocks = mine->blocks;
        status = take_segments(s, given);
    }
    if (status == HX_OK) {
        status = list_arrays(s);
    }
    j->work.mine = &j->blocks;
    j->work.segments = &j->segments;
    return status;
}

hx_status hx_partners_join(const hx_work *work, const hx_board *board, const hx_sets *sets, bool on_device,
                           hx_partners *partners, hx_joined *joined)
{
    *partners = (hx_partners){.sets = sets, .on_device = on_device};
    *joined = (hx_joined){.work = *work};
    stage s = {.joined = joined, .board = board, .made = partners};
    const hx_status status = join(&s, work->segments);
    hx_memory_free(s.owner);
    return status;
}

void hx_joined_free(hx_joined *joined)
{
    hx_memory_free(joined->blocks.block);
    hx_memory_free(joined->segments.segment);
    *joined = (hx_joined){0};
}

void hx_partners_free(hx_partners *partners)
{
    hx_memory_free(partners->partner);
    hx_memory_free(partners->base);
    hx_memory_free(partners->told);
    *partners = (hx_partners){0};
}

/* ---- reaching ------------------------------------------------------------------------------------------ */

bool hx_partners_have_started(const hx_partners *p, int number, uint64_t start)
{
    return atomic_load_explicit(&p->partner[number].notice->start, memory_order_acquire) >= start;
}

static void *find_array(const hx_partners *p, const hx_partner *partner, const hx_where *where)
{
    return p->on_device ? hx_sets_reach_there(p->sets, partner->node_rank, where)
                        : hx_sets_reach(p->sets, where);
}

/* Finds a partner's arrays where this rank sees them. */
static bool find_arrays(hx_partners *p, int number)
{
    const hx_partner *partner = &p->partner[number];
    for (int slot = p->own; slot < p->slots; ++slot) {
        if (p->told[slot].partner == number) {
            p->base[slot] = find_array(p, partner, &partner->notice->where[p->told[slot].at]);
            if (!p->base[slot]) {
                return false;
            }
        }
    }
    return true;
}

bool hx_partners_reach(hx_partners *p, int number)
{
    hx_partner *partner = &p->partner[number];
    if (partner->version != partner->notice->version) {
        partner->version = partner->notice->version;
        partner->reached = find_arrays(p, number);
    }
    return partner->reached;
}
