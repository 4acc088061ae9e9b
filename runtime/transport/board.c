#include "transport/board.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* A part begins with what is in it, and its boxes. */
typedef struct front {
    uint64_t boxes;
    uint64_t blocks;
    size_t block;  /* bytes from the beginning of the part */
    size_t posted; /* likewise, of that of the first exchange */
    hxi_shown_memory memory;
    hxi_entry box[];
} front;

/* Of a block: which it is, and what planes of ghost points depend on, then ptrdiff_t
 * stride[fields][HX_MAX_AXES] and apart[fields]. */
typedef struct shown_block {
    int tile;
    int number;
    int cells[HX_MAX_AXES];
    hxi_sides sides;
    ptrdiff_t stride[];
} shown_block;

static size_t size_of_block(const hx_spec *spec)
{
    return sizeof(shown_block) + (size_t)spec->fields * (HX_MAX_AXES + 1) * sizeof(ptrdiff_t);
}

static size_t size_of_posted(const hx_spec *spec, uint64_t blocks)
{
    return hxi_whole_lines(sizeof(hxi_posted_arrays) +
                           (size_t)blocks * (size_t)spec->fields * sizeof(hxi_where));
}

hx_status hxi_board_make(const hx_spec *spec, const hxi_block_list *mine, int boxes, hxi_board *board)
{
    *board = (hxi_board){.spec = spec, .mine = mine};
    board->box = hxi_memory_get((size_t)boxes, sizeof *board->box, "the mailboxes of a node");
    board->block = hxi_whole_lines(sizeof(front) + (size_t)boxes * sizeof *board->box);
    board->posted = board->block + hxi_whole_lines((size_t)mine->blocks * size_of_block(spec));
    board->bytes = board->posted + (size_t)spec->exchanges * size_of_posted(spec, (uint64_t)mine->blocks);
    return board->box ? HX_OK : HX_ERR_MEMORY;
}

void hxi_board_add(hxi_board *board, int tag, int peer, int first, size_t bytes, size_t there)
{
    board->needed = true;
    hxi_entry *box = &board->box[board->boxes++];
    *box =
        (hxi_entry){.tag = tag, .peer = peer, .first = first, .flag = board->bytes, .on_device = there > 0};
    box->slot[0] = box->flag + sizeof(hxi_flag);
    box->slot[1] = box->slot[0] + hxi_whole_lines(bytes);
    board->bytes = box->slot[1] + hxi_whole_lines(bytes);
    for (int slot = 0; slot < HX_SLOTS_THERE; ++slot) {
        box->there[slot] = board->there;
        board->there += hxi_whole_lines(there);
    }
    box->flags = board->there;
    board->there += box->on_device ? sizeof(hx_cuda_flags) : 0;
}

void hxi_board_need(hxi_board *board)
{
    board->needed = true;
}

static int compare_boxes(const void *left, const void *right)
{
    const hxi_entry *a = left;
    const hxi_entry *b = right;
    return a->tag != b->tag ? (a->tag > b->tag) - (a->tag < b->tag)
                            : (a->peer > b->peer) - (a->peer < b->peer);
}

static void write_front(const hxi_board *board)
{
    front *own = (front *)(void *)board->memory.own;
    own->boxes = (uint64_t)board->boxes;
    own->blocks = (uint64_t)board->mine->blocks;
    own->block = board->block;
    own->posted = board->posted;
    memcpy(own->box, board->box, (size_t)board->boxes * sizeof *own->box);
}

static void write_blocks(const hxi_board *board)
{
    const size_t fields = (size_t)board->spec->fields;
    for (int b = 0; b < board->mine->blocks; ++b) {
        const hxi_block *block = &board->mine->block[b];
        unsigned char *place = board->memory.own + board->block + (size_t)b * size_of_block(board->spec);
        shown_block *shown = (shown_block *)(void *)place;
        shown->tile = block->tile;
        shown->number = block->number;
        shown->sides = block->sides;
        memcpy(shown->cells, block->cells, sizeof shown->cells);
        memcpy(shown->stride, block->stride, fields * HX_MAX_AXES * sizeof *shown->stride);
        memcpy(shown->stride + fields * HX_MAX_AXES, block->apart, fields * sizeof *shown->stride);
    }
}

/* What a sender and a receiver read before somebody has written it: all but the slots, which lie behind the flags. */
static void clear(const hxi_board *board)
{
    unsigned char *own = board->memory.own;
    memset(own, 0,
           board->posted +
               (size_t)board->spec->exchanges * size_of_posted(board->spec, (uint64_t)board->mine->blocks));
    for (int i = 0; i < board->boxes; ++i) {
        memset(own + board->box[i].flag, 0, sizeof(hxi_flag));
    }
}

hx_status hxi_board_show(const hxi_topology *topology, hxi_node_spare *spare, hxi_board *board)
{
    board->topology = topology;
    if (board->boxes > 0) {
        qsort(board->box, (size_t)board->boxes, sizeof *board->box, compare_boxes);
    }
    hx_status status = hxi_node_spare_open(topology, board->needed ? board->bytes : 0, spare, &board->memory);
    if (status != HX_OK) {
        return status;
    }
    if (board->memory.own && board->memory.again) {
        clear(board);
    }
    if (board->memory.own) {
        write_front(board);
        write_blocks(board);
    }
    return hxi_topology_node_agree(topology, HX_OK);
}

/* The front of a rank's part; NULL: it has none. */
static front *front_of(const hxi_board *board, int node_rank)
{
    const hxi_node_memory *m = &board->memory;
    const bool has = m->shared && m->first[node_rank + 1] > m->first[node_rank];
    return has ? (front *)(void *)hxi_node_memory_of(m, node_rank) : NULL;
}

/* In the part of a receiver. */
static hx_status find_box(const front *f, int tag, int sender, const hxi_entry **found)
{
    const hxi_entry key = {.tag = tag, .peer = sender};
    *found = f ? bsearch(&key, f->box, (size_t)f->boxes, sizeof key, compare_boxes) : NULL;
    return *found ? HX_OK
                  : hxi_fail(HX_ERR_INTERNAL, "There is no mailbox for messages %d of rank %d.", tag, sender);
}

static void see_box(unsigned char *part, const hxi_entry *box, hxi_mailbox *seen)
{
    seen->flag = (hxi_flag *)(void *)(part + box->flag);
    seen->slot[0] = part + box->slot[0];
    seen->slot[1] = part + box->slot[1];
    memcpy(seen->there, box->there, sizeof seen->there);
    seen->flags = box->flags;
    seen->first = box->first;
}

hx_status hxi_board_inbox(const hxi_board *board, int tag, int peer, hxi_mailbox *box)
{
    const hxi_entry *found = NULL;
    const hx_status status = find_box((const front *)(void *)board->memory.own, tag, peer, &found);
    if (status == HX_OK) {
        see_box(board->memory.own, found, box);
    }
    return status;
}

hx_status hxi_board_outbox(const hxi_board *board, int tag, int peer, hxi_mailbox *box)
{
    const hxi_topology *t = board->topology;
    front *there = front_of(board, hxi_topology_node_rank(t, peer));
    const hxi_entry *found = NULL;
    const hx_status status = find_box(there, tag, t->rank, &found);
    if (status == HX_OK) {
        see_box((unsigned char *)(void *)there, found, box);
    }
    return status;
}

bool hxi_board_on_devices(const hxi_board *board)
{
    bool found = false;
    for (int r = 0; r < board->topology->node_ranks && !found; ++r) {
        const front *f = front_of(board, r);
        for (uint64_t i = 0; f && i < f->boxes && !found; ++i) {
            found = f->box[i].on_device;
        }
    }
    return found;
}

bool hxi_board_writes_there(const hxi_board *board, int node_rank)
{
    const front *f = front_of(board, node_rank);
    bool found = false;
    for (uint64_t i = 0; f && i < f->boxes && !found; ++i) {
        found = f->box[i].on_device && f->box[i].peer == board->topology->rank;
    }
    return found;
}

hxi_shown_memory *hxi_board_memory(const hxi_board *board, int node_rank)
{
    front *f = front_of(board, node_rank);
    return f ? &f->memory : NULL;
}

hxi_posted_arrays *hxi_board_posted(const hxi_board *board, int node_rank, int exchange)
{
    front *f = front_of(board, node_rank);
    const size_t before = f ? (size_t)exchange * size_of_posted(board->spec, f->blocks) : 0;
    return f ? (hxi_posted_arrays *)(void *)((unsigned char *)(void *)f + f->posted + before) : NULL;
}

int hxi_board_block(const hxi_board *board, int node_rank, int tile, int number, hxi_block *block)
{
    front *f = front_of(board, node_rank);
    for (int b = 0; f && b < (int)f->blocks; ++b) {
        shown_block *shown = (shown_block *)(void *)((unsigned char *)(void *)f + f->block +
                                                     (size_t)b * size_of_block(board->spec));
        if (shown->tile == tile && shown->number == number) {
            *block = (hxi_block){.tile = tile,
                                 .number = number,
                                 .sides = shown->sides,
                                 .stride = shown->stride,
                                 .apart = shown->stride + (size_t)board->spec->fields * HX_MAX_AXES};
            memcpy(block->cells, shown->cells, sizeof block->cells);
            return b;
        }
    }
    return -1;
}

void hxi_board_free(hxi_board *board)
{
    hxi_node_memory_close(&board->memory);
    hxi_memory_free(board->box);
    *board = (hxi_board){0};
}
