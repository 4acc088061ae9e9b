#include "board.h"

#include "memory.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

/* A part begins with the number of its boxes, and these. */
typedef struct front {
    uint64_t boxes;
    hx_entry box[];
} front;

static size_t in_lines(size_t bytes)
{
    return (bytes + HX_LINE - 1) / HX_LINE * HX_LINE;
}

hx_status hx_board_make(int boxes, hx_board *board)
{
    *board = (hx_board){.room = boxes};
    board->box = hx_memory_get((size_t)boxes, sizeof *board->box, "the mailboxes of a node");
    board->bytes = in_lines(sizeof(front) + (size_t)boxes * sizeof *board->box);
    return board->box ? HX_OK : HX_ERR_MEMORY;
}

void hx_board_add(hx_board *board, int tag, int peer, size_t bytes)
{
    hx_entry *box = &board->box[board->boxes++];
    *box = (hx_entry){.tag = tag, .peer = peer, .bytes = bytes, .flag = board->bytes};
    box->slot[0] = box->flag + sizeof(hx_flag);
    box->slot[1] = box->slot[0] + in_lines(bytes);
    board->bytes = box->slot[1] + in_lines(bytes);
}

static int compare_boxes(const void *left, const void *right)
{
    const hx_entry *a = left;
    const hx_entry *b = right;
    return a->tag != b->tag ? (a->tag > b->tag) - (a->tag < b->tag)
                            : (a->peer > b->peer) - (a->peer < b->peer);
}

hx_status hx_board_show(const hx_topology *topology, hx_board *board)
{
    board->topology = topology;
    if (board->boxes > 0) {
        qsort(board->box, (size_t)board->boxes, sizeof *board->box, compare_boxes);
    }
    hx_status status = hx_node_memory_open(topology, board->boxes > 0 ? board->bytes : 0, &board->memory);
    if (status != HX_OK) {
        return status;
    }
    if (board->memory.own) {
        front *own = (front *)(void *)board->memory.own;
        own->boxes = (uint64_t)board->boxes;
        memcpy(own->box, board->box, (size_t)board->boxes * sizeof *own->box);
    }
    return hx_topology_agree(topology->node, HX_OK);
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

void hx_board_free(hx_board *board)
{
    hx_node_memory_close(&board->memory);
    hx_memory_free(board->box);
    *board = (hx_board){0};
}
