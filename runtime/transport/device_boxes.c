#include "transport/device_boxes.h"

#include <stdio.h>

static const char purpose[] = "messages from other ranks of the node";

/* It is zeroed before others hear of it, and export is the last to fail. */
static hx_status get_own(hx_device_boxes *b, size_t bytes)
{
    void *memory = NULL;
    const size_t all = hx_device_shared_bytes(bytes);
    if (hx_device_get(b->home, all, purpose, &memory) != HX_OK) {
        hx_device_shared_lacks(&b->shared); /* messages may lie elsewhere */
        return HX_OK;
    }
    b->own = memory;
    b->bytes = all;
    const hx_status status = hx_device_settle(b->home, purpose);
    if (status == HX_OK) {
        hx_device_shared_export(&b->shared, b->own);
    }
    return status;
}

/* What others could not close again stays. */
static void drop_own(hx_device_boxes *b)
{
    if (b->own && hx_device_shared_may_free(&b->shared)) {
        b->home->calls->free(HX_MEMORY_DEVICE, b->own);
    }
    b->own = NULL;
}

hx_status hx_device_boxes_make(const hx_device_home *home, const hx_topology *topology, const hx_board *board,
                               hx_device_boxes **made)
{
    hx_device_boxes *b = hx_memory_get(1, sizeof *b, "what is known of memory of other devices");
    *made = b;
    if (!b) {
        return HX_ERR_MEMORY;
    }
    b->home = home;
    const hx_status status = hx_device_shared_make(home, topology, &b->shared);
    return status == HX_OK && board->there > 0 ? get_own(b, board->there) : status;
}

/* Whoever has slots there, or puts messages into such. */
static void find_partners(hx_device_boxes *b, const hx_board *board)
{
    for (int r = 0; r < board->topology->node_ranks; ++r) {
        b->shared.partner[r].shown = hx_board_memory(board, r);
        b->shared.partner[r].is_written = hx_board_writes_there(board, r);
    }
    for (int i = 0; i < board->boxes; ++i) {
        if (board->box[i].on_device) {
            b->shared.partner[hx_topology_node_rank(board->topology, board->box[i].peer)].writes = true;
        }
    }
}

void hx_device_boxes_open(hx_device_boxes *b, const hx_board *board)
{
    if (!board->memory.shared) {
        snprintf(b->shared.why, sizeof b->shared.why, "%s", board->memory.why);
        drop_own(b);
    } else if (hx_board_on_devices(board)) {
        find_partners(b, board);
        hx_device_shared_open(&b->shared);
        if (!b->shared.usable) {
            drop_own(b);
        }
    }
}

size_t hx_device_boxes_bytes(const hx_device_boxes *b)
{
    return b && b->own ? b->bytes : 0;
}

void hx_device_boxes_close(hx_device_boxes *b, int abandon)
{
    if (!b) {
        return;
    }
    if (abandon || !hx_device_shared_may_free(&b->shared)) {
        hx_memory_keep(&b->kept);
        return;
    }
    drop_own(b);
    hx_device_shared_free(&b->shared);
    hx_memory_free(b);
}
