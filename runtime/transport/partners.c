#include "transport/partners.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

static const char purpose[] = "copies between arrays of two ranks";

typedef struct stage {
    hxi_joined *joined;
    hxi_published *owner; /* of each block of a partner: whose it is, and its number there */
    const hxi_board *board;
    hxi_partners *made;
} stage;

static hx_status make_room(const hxi_work *work, stage *s)
{
    const size_t own = (size_t)work->mine->blocks;
    const size_t count = (size_t)work->segments->count;
    hxi_joined *j = s->joined;
    j->blocks.block = hxi_memory_get(own + count, sizeof *j->blocks.block, purpose);
    j->segments.segment = hxi_memory_get(count, sizeof *j->segments.segment, purpose);
    s->owner = hxi_memory_get(own + count, sizeof *s->owner, purpose);
    s->made->partner = hxi_memory_get(count, sizeof *s->made->partner, purpose);
    return j->blocks.block && j->segments.segment && s->owner && s->made->partner ? HX_OK : HX_ERR_MEMORY;
}

/* Segments come peer by peer. */
static int find_partner(const stage *s, const hx_link *link)
{
    hxi_partners *p = s->made;
    if (p->count == 0 || p->partner[p->count - 1].peer != link->peer) {
        const int node_rank = hxi_topology_node_rank(s->board->topology, link->peer);
        p->partner[p->count++] =
            (hxi_partner){.peer = link->peer,
                          .node_rank = node_rank,
                          .posted = hxi_board_posted(s->board, node_rank, link->exchange)};
    }
    return p->count - 1;
}

/* A block of the rank at the other end of a link; adds it to the list if it is not there yet. */
static hx_status find_block(stage *s, const hx_link *link, int tile, int number, int *found)
{
    const int partner = find_partner(s, link);
    hxi_joined *j = s->joined;
    for (int b = j->work.mine->blocks; b < j->blocks.blocks; ++b) {
        const hxi_block *block = &j->blocks.block[b];
        if (block->tile == tile && block->number == number) {
            *found = b;
            return HX_OK;
        }
    }
    *found = j->blocks.blocks++;
    const int there = hxi_board_block(s->board, s->made->partner[partner].node_rank, tile, number,
                                      &j->blocks.block[*found]);
    s->owner[*found] = (hxi_published){partner, there};
    return there >= 0 ? HX_OK
                      : hxi_fail(HX_ERR_INTERNAL, "Rank %d does not show block %d of tile %d to its node.",
                                 link->peer, number, tile);
}

static hx_status take_segments(stage *s, const hxi_segments *given)
{
    hx_status status = HX_OK;
    s->joined->segments.count = given->count;
    for (int i = 0; i < given->count && status == HX_OK; ++i) {
        hxi_segment *segment = &s->joined->segments.segment[i];
        const hx_link *l = &segment->link;
        *segment = given->segment[i];
        if (segment->kind == HX_SENT) {
            status = find_block(s, l, l->tile, l->block, &segment->to);
        }
        segment->kind = segment->delivery == HX_BUFFERED ? segment->kind : HX_WITHIN;
    }
    return status;
}

/* Where the arrays of the partners' blocks are posted. */
static hx_status list_arrays(const stage *s)
{
    hxi_partners *p = s->made;
    const hxi_work *w = &s->joined->work;
    p->own = w->mine->blocks * w->fields;
    p->slots = s->joined->blocks.blocks * w->fields;
    p->base = hxi_memory_get((size_t)p->slots, sizeof *p->base, purpose);
    p->published = hxi_memory_get((size_t)p->slots, sizeof *p->published, purpose);
    if (!p->base || !p->published) {
        return HX_ERR_MEMORY;
    }
    for (int slot = 0; slot < p->slots; ++slot) {
        p->published[slot].partner = -1;
    }
    for (int i = 0; i < s->joined->segments.count; ++i) {
        const hxi_segment *segment = &s->joined->segments.segment[i];
        const int field = segment->link.field;
        if (segment->delivery != HX_BUFFERED) {
            const hxi_published *owner = &s->owner[segment->to];
            p->published[segment->to * w->fields + w->slot_of[field]] =
                (hxi_published){owner->partner, owner->at * w->spec->fields + field};
        }
    }
    return HX_OK;
}

static hx_status join(stage *s, const hxi_segments *given)
{
    hxi_joined *j = s->joined;
    hx_status status = make_room(&j->work, s);
    if (status == HX_OK) {
        const hxi_block_list *mine = j->work.mine;
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

hx_status hxi_partners_join(const hxi_work *work, const hxi_board *board, const hxi_sets *sets,
                            bool on_device, hxi_partners *partners, hxi_joined *joined)
{
    *partners = (hxi_partners){.sets = sets, .on_device = on_device};
    *joined = (hxi_joined){.work = *work};
    stage s = {.joined = joined, .board = board, .made = partners};
    const hx_status status = join(&s, work->segments);
    hxi_memory_free(s.owner);
    return status;
}

void hxi_joined_free(hxi_joined *joined)
{
    hxi_memory_free(joined->blocks.block);
    hxi_memory_free(joined->segments.segment);
    *joined = (hxi_joined){0};
}

void hxi_partners_free(hxi_partners *partners)
{
    hxi_memory_free(partners->partner);
    hxi_memory_free(partners->base);
    hxi_memory_free(partners->published);
    *partners = (hxi_partners){0};
}
