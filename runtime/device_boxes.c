#include "device_boxes.h"

#include <stdio.h>

static const char purpose[] = "messages from other ranks of the node";

/* What hx_shown_memory.left says. */
enum { HERE, CLOSED, ABANDONED };

/* ---- making -------------------------------------------------------------------------------------------- */

static void note_why(hx_device_boxes *b)
{
    snprintf(b->why, sizeof b->why, "%s", hx_last_error());
}

/*
 * CUDA cuts small allocations out of larger ones, and shows other processes the whole of these.  What is of
 * this size, or several times as large, is one by itself.
 */
enum { SHOWN_AT_ONCE = 2 << 20 };

/* It is zeroed before others hear of it, and export is the last to fail. */
static hx_status get_own(hx_device_boxes *b, size_t bytes)
{
    const hx_device_home *home = b->home;
    void *memory = NULL;
    const size_t all = (bytes + SHOWN_AT_ONCE - 1) / SHOWN_AT_ONCE * SHOWN_AT_ONCE;
    if (hx_device_get(home, all, purpose, &memory) != HX_OK) {
        note_why(b); /* messages may lie elsewhere */
        return HX_OK;
    }
    b->own = memory;
    b->bytes = all;
    const hx_status status = hx_device_settle(home, purpose);
    if (status != HX_OK) {
        return status;
    }
    const int error = home->calls->export_memory(b->own, &b->token);
    if (error != 0) {
        hx_device_fail(home->calls, error, "Showing memory of device %d to other processes", home->number);
        note_why(b);
    }
    return HX_OK;
}

static void drop_own(hx_device_boxes *b)
{
    if (b->own) {
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
    b->ranks = topology->node_ranks;
    b->other = hx_memory_get((size_t)b->ranks, sizeof *b->other, "memory of the devices of a node");
    if (!b->other) {
        return HX_ERR_MEMORY;
    }
    return board->there > 0 ? get_own(b, board->there) : HX_OK;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static hx_status open_one(hx_device_boxes *b, int node_rank)
{
    const hx_device *calls = b->home->calls;
    const hx_shown_memory *shown = hx_board_memory(b->board, node_rank);
    void *memory = NULL;
    const int error = calls->open_memory(&shown->token, &memory);
    if (error != 0) {
        return hx_device_fail(calls, error, "Reaching memory of the device of rank %d from device %d",
                              b->board->topology->member[node_rank], b->home->number);
    }
    b->other[node_rank] = memory;
    return HX_OK;
}

static hx_status open_others(hx_device_boxes *b)
{
    hx_status status = HX_OK;
    for (int r = 0; r < b->ranks && status == HX_OK; ++r) {
        status = hx_board_writes_there(b->board, r) ? open_one(b, r) : HX_OK;
    }
    return status;
}

/* All that can be. */
static hx_status close_others(hx_device_boxes *b)
{
    hx_first first = {0};
    for (int r = 0; r < b->ranks; ++r) {
        const int error = b->other[r] ? b->home->calls->close_memory(b->other[r]) : 0;
        if (error != 0) {
            hx_first_note(&first,
                          hx_device_fail(b->home->calls, error, "Leaving memory of the device of rank %d",
                                         b->board->topology->member[r]));
        }
        b->other[r] = NULL;
    }
    return hx_first_tell(&first);
}

/* All ranks see the tokens of all, or hear why one has none. */
static hx_status show(const hx_device_boxes *b, const hx_topology *topology)
{
    hx_shown_memory *shown = hx_board_memory(b->board, topology->node_rank);
    if (b->own) {
        shown->token = b->token;
    }
    const hx_status status = b->why[0] == '\0' ? HX_OK : hx_fail(HX_ERR_DEVICE, "%s", b->why);
    return hx_topology_agree(topology->node, status);
}

/* Nobody needs what is open.  What cannot be closed makes all keep theirs. */
static hx_status do_without(hx_device_boxes *b, const hx_topology *topology)
{
    if (hx_topology_agree(topology->node, close_others(b)) == HX_OK) {
        drop_own(b);
    }
    b->own = NULL;
    b->board = NULL;
    return HX_OK;
}

hx_status hx_device_boxes_open(hx_device_boxes *b, const hx_topology *topology, const hx_board *board)
{
    if (!board->memory.shared) {
        snprintf(b->why, sizeof b->why, "%s", board->memory.why);
        drop_own(b);
        return HX_OK;
    }
    if (!hx_board_on_devices(board)) {
        return HX_OK;
    }
    b->board = board;
    hx_status status = show(b, topology);
    status = status == HX_OK ? hx_topology_agree(topology->node, open_others(b)) : status;
    if (status == HX_OK) {
        b->usable = true;
        return HX_OK;
    }
    note_why(b);
    return do_without(b, topology);
}

size_t hx_device_boxes_bytes(const hx_device_boxes *b)
{
    return b && b->own ? b->bytes : 0;
}

/* ---- leaving ------------------------------------------------------------------------------------------- */

hx_status hx_device_boxes_leave(hx_device_boxes *b, int abandon)
{
    if (!b || !b->board) {
        return HX_OK;
    }
    const hx_status closed = abandon ? HX_OK : close_others(b);
    hx_shown_memory *shown = hx_board_memory(b->board, b->board->topology->node_rank);
    if (shown) {
        atomic_store_explicit(&shown->left, closed == HX_OK && !abandon ? CLOSED : ABANDONED,
                              memory_order_release);
    }
    return closed;
}

/* What a rank of the node says of this rank's memory.  One that does not write there has never opened it. */
static uint64_t state_of(const hx_device_boxes *b, int node_rank)
{
    for (int i = 0; b->board && i < b->board->boxes; ++i) {
        const hx_entry *box = &b->board->box[i];
        if (box->on_device && box->peer == b->board->topology->member[node_rank]) {
            return atomic_load_explicit(&hx_board_memory(b->board, node_rank)->left, memory_order_acquire);
        }
    }
    return CLOSED;
}

bool hx_device_boxes_are_left(const hx_device_boxes *b)
{
    bool left = true;
    for (int r = 0; b && r < b->ranks; ++r) {
        left = left && state_of(b, r) != HERE;
    }
    return left;
}

void hx_device_boxes_tell(const hx_device_boxes *b, hx_text *text)
{
    for (int r = 0; r < b->ranks; ++r) {
        if (state_of(b, r) == HERE) {
            hx_text_add(text, "%s%d", text->length == 0 ? "" : ", ", b->board->topology->member[r]);
        }
    }
}

static bool are_closed(const hx_device_boxes *b)
{
    bool closed = true;
    for (int r = 0; r < b->ranks; ++r) {
        closed = closed && state_of(b, r) == CLOSED;
    }
    return closed;
}

void hx_device_boxes_close(hx_device_boxes *b, int abandon)
{
    if (!b) {
        return;
    }
    if (abandon || !are_closed(b)) {
        hx_memory_keep(&b->kept);
        return;
    }
    drop_own(b);
    hx_memory_free(b->other);
    hx_memory_free(b);
}
