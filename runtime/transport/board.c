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
    size_t notice; /* likewise, of that of the first exchange */
    hx_shown_memory memory;
    hx_entry box[];
} front;

/* Of a block: which it is, and what planes of ghost points depend on, then ptrdiff_t
 * stride[fields][HX_MAX_AXES] and apart[fields]. */
typedef struct shown_block {
    int tile;
    int number;
    int cells[HX_MAX_AXES];
    hx_sides sides;
    ptrdiff_t stride[];
} shown_block;

static size_t size_of_block(const hx_spec *spec)
{
    return sizeof(shown_block) + (size_t)spec->fields * (HX_MAX_AXES + 1) * sizeof(ptrdiff_t);
}

static size_t size_of_notice(const hx_spec *spec, uint64_t blocks)
{
    return hx_in_lines(sizeof(hx_notice) + (size_t)blocks * (size_t)spec->fields * sizeof(hx_where));
}

hx_status hx_board_make(const hx_spec *spec, const hx_block_list *mine, int boxes, hx_board *board)
{
    *board = (hx_board){.spec = spec, .mine = mine};
    board->box = hx_memory_get((size_t)boxes, sizeof *board->box, "the mailboxes of a node");
    board->block = hx_in_lines(sizeof(front) + (size_t)boxes * sizeof *board->box);
    board->notice = board->block + hx_in_lines((size_t)mine->blocks * size_of_block(spec));
    board->bytes = board->notice + (size_t)spec->exchanges * size_of_notice(spec, (uint64_t)mine->blocks);
    return board->box ? HX_OK : HX_ERR_MEMORY;
}

void hx_board_add(hx_board *board, int tag, int peer, int first, size_t bytes, size_t there)
{
    board->needed = true;
    hx_entry *box = &board->box[board->boxes++];
    *box = (hx_entry){.tag = tag, .peer = peer, .first = first, .flag = board->bytes, .on_device = there > 0};
    box->slot[0] = box->flag + sizeof(hx_flag);
    box->slot[1] = box->slot[0] + hx_in_lines(bytes);
    board->bytes = box->slot[1] + hx_in_lines(bytes);
    box->there[0] = board->there;
    box->there[1] = box->there[0] + hx_in_lines(there);
    board->there = box->there[1] + hx_in_lines(there);
}

void hx_board_need(hx_board *board)
{
    board->needed = true;
}

static int compare_boxes(const void *left, const void *right)
{
    const hx_entry *a = left;
    const hx_entry *b = right;
    return a->tag != b->tag ? (a->tag > b->tag) - (a->tag < b->tag)
                            : (a->peer > b->peer) - (a->peer < b->peer);
}

static void write_front(const hx_board *board)
{
    front *own = (front *)(void *)board->memory.own;
    own->boxes = (uint64_t)board->boxes;
    own->blocks = (uint64_t)board->mine->blocks;
    own->block = board->block;
    own->notice = board->notice;
    memcpy(own->box, board->box, (size_t)board->boxes * sizeof *own->box);
}

static void write_blocks(const hx_board *board)
{
    const size_t fields = (size_t)board->spec->fields;
    for (int b = 0; b < board->mine->blocks; ++b) {
        const hx_block *block = &board->mine->block[b];
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

hx_status hx_board_show(const hx_topology *topology, hx_board *board)
{
    board->topology = topology;
    if (board->boxes > 0) {
        qsort(board->box, (size_t)board->boxes, sizeof *board->box, compare_boxes);
    }
    hx_status status = hx_node_memory_open(topology, board->needed ? board->bytes : 0, true, &board->memory);
    if (status != HX_OK) {
        return status;
    }
    if (board->memory.own) {
        write_front(board);
        write_blocks(board);
    }
    return hx_topology_node_agree(topology, HX_OK);
}

/* In the part of a receiver. */
static hx_status find_box(unsigned char *part, int tag, int sender, const hx_entry **found)
{
    const front *f = (const front *)(void *)part;
    const hx_entry key = {.tag = tag, .peer = sender};
    *found = bsearch(&key, f->box, (size_t)f->boxes, sizeof key, compare_boxes);
    return *found ? HX_OK
                  : hx_fail(HX_ERR_INTERNAL, "There is no mailbox for messages %d of rank %d.", tag, sender);
}

static void see_box(unsigned char *part, const hx_entry *box, hx_mailbox *seen)
{
    seen->flag = (hx_flag *)(void *)(part + box->flag);
    seen->slot[0] = part + box->slot[0];
    seen->slot[1] = part + box->slot[1];
    memcpy(seen->there, box->there, sizeof seen->there);
    seen->first = box->first;
}

hx_status hx_board_inbox(const hx_board *board, int tag, int peer, hx_mailbox *box)
{
    const hx_entry *found = NULL;
    const hx_status status = find_box(board->memory.own, tag, peer, &found);
    if (status == HX_OK) {
        see_box(board->memory.own, found, box);
    }
    return status;
}

hx_status hx_board_outbox(const hx_board *board, int tag, int peer, hx_mailbox *box)
{
    const hx_topology *t = board->topology;
    unsigned char *part = hx_node_memory_of(&board->memory, hx_topology_node_rank(t, peer));
    const hx_entry *found = NULL;
    const hx_status status = find_box(part, tag, t->rank, &found);
    if (status == HX_OK) {
        see_box(part, found, box);
    }
    return status;
}

/* The front of a rank's part; NULL: it has none. */
static front *front_of(const hx_board *board, int node_rank)
{
    const hx_node_memory *m = &board->memory;
    const bool has = m->shared && m->first[node_rank + 1] > m->first[node_rank];
    return has ? (front *)(void *)hx_node_memory_of(m, node_rank) : NULL;
}

bool hx_board_on_devices(const hx_board *board)
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

bool hx_board_writes_there(const hx_board *board, int node_rank)
{
    const front *f = front_of(board, node_rank);
    bool found = false;
    for (uint64_t i = 0; f && i < f->boxes && !found; ++i) {
        found = f->box[i].on_device && f->box[i].peer == board->topology->rank;
    }
    return found;
}

hx_shown_memory *hx_board_memory(const hx_board *board, int node_rank)
{
    front *f = front_of(board, node_rank);
    return f ? &f->memory : NULL;
}

hx_notice *hx_board_notice(const hx_board *board, int node_rank, int exchange)
{
    unsigned char *part = hx_node_memory_of(&board->memory, node_rank);
    const front *f = (const front *)(void *)part;
    return (hx_notice *)(void *)(part + f->notice +
                                 (size_t)exchange * size_of_notice(board->spec, f->blocks));
}

int hx_board_block(const hx_board *board, int node_rank, int tile, int number, hx_block *block)
{
    unsigned char *part = hx_node_memory_of(&board->memory, node_rank);
    const front *f = (const front *)(void *)part;
    for (int b = 0; b < (int)f->blocks; ++b) {
        shown_block *shown =
            (shown_block *)(void *)(part + f->block + (size_t)b * size_of_block(board->spec));
        if (shown->tile == tile && shown->number == number) {
            *block = (hx_block){.tile = tile,
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

void hx_board_free(hx_board *board)
{
    hx_node_memory_close(&board->memory);
    hx_memory_free(board->box);
    *board = (hx_board){0};
}
