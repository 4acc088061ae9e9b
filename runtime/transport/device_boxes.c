#include "transport/device_boxes.h"

#include <stdio.h>

static const char purpose[] = "messages from other ranks of the node";

/* It is zeroed before others hear of it, and export is the last to fail. */
static hx_status get_own(hxi_device_boxes *b, size_t bytes)
{
    void *memory = NULL;
    const size_t all = hxi_device_shared_bytes(bytes);
    if (hxi_device_get(b->device, all, purpose, &memory) != HX_OK) {
        hxi_device_shared_lacks(&b->shared); /* messages may lie elsewhere */
        return HX_OK;
    }
    b->own = memory;
    b->bytes = all;
    const hx_status status = hxi_device_settle(b->device, purpose);
    if (status == HX_OK) {
        hxi_device_shared_export(&b->shared, b->own);
    }
    return status;
}

/* What others could not close again stays. */
static void drop_own(hxi_device_boxes *b)
{
    if (b->own && hxi_device_shared_may_free(&b->shared)) {
        b->device->calls->free(HX_MEMORY_DEVICE, b->own);
    }
    b->own = NULL;
}

hx_status hxi_device_boxes_make(const hxi_device_context *device, const hxi_topology *topology,
                                const hxi_board *board, hxi_device_boxes **made)
{
    hxi_device_boxes *b = hxi_memory_get(1, sizeof *b, "what is known of memory of other devices");
    *made = b;
    if (!b) {
        return HX_ERR_MEMORY;
    }
    b->device = device;
    const hx_status status = hxi_device_shared_make(device, topology, &b->shared);
    return status == HX_OK && board->there > 0 ? get_own(b, board->there) : status;
}

/* Whoever has slots there, or puts messages into such. */
static void find_partners(hxi_device_boxes *b, const hxi_board *board)
{
    for (int r = 0; r < board->topology->node_ranks; ++r) {
        b->shared.partner[r].shown = hxi_board_memory(board, r);
        b->shared.partner[r].is_written = hxi_board_writes_there(board, r);
    }
    for (int i = 0; i < board->boxes; ++i) {
        if (board->box[i].on_device) {
            b->shared.partner[hxi_topology_node_rank(board->topology, board->box[i].peer)].writes = true;
        }
    }
}

void hxi_device_boxes_open(hxi_device_boxes *b, const hxi_board *board)
{
    if (!board->memory.shared) {
        snprintf(b->shared.why, sizeof b->shared.why, "%s", board->memory.why);
        drop_own(b);
    } else if (hxi_board_on_devices(board)) {
        find_partners(b, board);
        hxi_device_shared_open(&b->shared);
        if (!b->shared.usable) {
            drop_own(b);
        }
    }
}

void hxi_device_boxes_open_without(const hxi_board *board)
{
    if (board->memory.shared && hxi_board_on_devices(board)) {
        hxi_device_shared_refuse(board->topology);
    }
}

size_t hxi_device_boxes_bytes(const hxi_device_boxes *b)
{
    return b && b->own ? b->bytes : 0;
}

void hxi_device_boxes_close(hxi_device_boxes *b, int abandon)
{
    if (!b) {
        return;
    }
    if (abandon || !hxi_device_shared_may_free(&b->shared)) {
        hxi_memory_keep(&b->kept);
        return;
    }
    drop_own(b);
    hxi_device_shared_free(&b->shared);
    hxi_memory_free(b);
}
