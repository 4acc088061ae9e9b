/*
 * Shared memory: messages are packed straight into a box of the receiver's, who sees by a flag that one has
 * come.
 *
 * Messages of long runs go from array to array instead, where these can be reached: the sender copies into
 * the arrays of a receiver who has started, and the flag says so.
 *
 * Each box has two slots, used in turn: a message goes into the slot of the last but one.  Where both send to
 * each other nobody says when a slot has been read: the peer's last message came, and the peer sent it after
 * it had finished with that slot.  Where messages go one way only the receiver counts the starts whose
 * messages it has read, and the sender finishes when all but the last one are: so the slot of the next start
 * is free.  To wait for that when it starts could hold up a peer that waits for another exchange.
 */
#include "base/memory.h"
#include "base/status.h"
#include "transport/push.h"

#include <stdio.h>

static const char purpose[] = "mailboxes";

/* What a flag says of start number n: 2 n, and this. */
enum {
    IN_BOX,    /* the points are in the box */
    IN_ARRAYS, /* they are in the receiver's arrays */
    STATES
};

typedef struct boxes {
    hxi_mailbox *out;
    hxi_mailbox *in;
    int *awaited; /* numbers of the messages that have not come */
    int awaiting;
    hxi_flag **one_way_out; /* of messages to peers that send none back */
    int one_way_outs;
    int unread;            /* of them, from the first on: the slot of the next start is not free yet */
    hxi_flag **one_way_in; /* of messages from peers that get none back */
    int one_way_ins;
    uint64_t start; /* which one it is, from 1 */
} boxes;

static void unbind(hxi_binding *binding, int abandon)
{
    (void)abandon; /* what a peer still writes stays mapped there */
    boxes *b = binding->state;
    if (b) {
        hxi_memory_free(b->out);
        hxi_memory_free(b->in);
        hxi_memory_free(b->awaited);
        hxi_memory_free(b->one_way_out);
        hxi_memory_free(b->one_way_in);
        hxi_memory_free(b);
    }
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

/* All ranks of the node together. */
static hx_status fall_back(hxi_binding *binding)
{
    snprintf(binding->why, sizeof binding->why, "%s", binding->board->memory.why);
    binding->transport = &hxi_transport_persistent;
    return binding->transport->bind(binding);
}

static hx_status make_boxes(hxi_binding *binding)
{
    boxes *b = binding->state = hxi_memory_get(1, sizeof *b, purpose);
    if (!b) {
        return HX_ERR_MEMORY;
    }
    b->out = hxi_memory_get((size_t)binding->sends, sizeof *b->out, purpose);
    b->in = hxi_memory_get((size_t)binding->receives, sizeof *b->in, purpose);
    b->awaited = hxi_memory_get((size_t)binding->receives, sizeof *b->awaited, purpose);
    b->one_way_out = hxi_memory_get((size_t)binding->sends, sizeof *b->one_way_out, purpose);
    b->one_way_in = hxi_memory_get((size_t)binding->receives, sizeof *b->one_way_in, purpose);
    binding->arrived = hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, purpose);
    const bool enough = b->out && b->in && b->awaited && b->one_way_out && b->one_way_in;
    return enough && binding->arrived ? HX_OK : HX_ERR_MEMORY;
}

static hx_status find_boxes(hxi_binding *binding)
{
    const boxes *b = binding->state;
    hx_status status = HX_OK;
    for (int i = 0; i < binding->sends && status == HX_OK; ++i) {
        status = hxi_board_outbox(binding->board, binding->tag, binding->send[i].peer, &b->out[i]);
    }
    for (int i = 0; i < binding->receives && status == HX_OK; ++i) {
        status = hxi_board_inbox(binding->board, binding->tag, binding->receive[i].peer, &b->in[i]);
    }
    return status;
}

static bool has_peer(const hxi_message *message, int count, int peer)
{
    bool found = false;
    for (int i = 0; i < count; ++i) {
        found = found || message[i].peer == peer;
    }
    return found;
}

/* Both ends find the same, since each sees the messages of both. */
static void find_ways(const hxi_binding *binding)
{
    boxes *b = binding->state;
    for (int i = 0; i < binding->sends; ++i) {
        if (!has_peer(binding->receive, binding->receives, binding->send[i].peer)) {
            b->one_way_out[b->one_way_outs++] = b->out[i].flag;
        }
    }
    for (int i = 0; i < binding->receives; ++i) {
        if (!has_peer(binding->send, binding->sends, binding->receive[i].peer)) {
            b->one_way_in[b->one_way_ins++] = b->in[i].flag;
        }
    }
}

static hx_status bind(hxi_binding *binding)
{
    if (binding->sends + binding->receives > 0 && !binding->board->memory.shared) {
        return fall_back(binding);
    }
    hx_status status = make_boxes(binding);
    status = status == HX_OK ? find_boxes(binding) : status;
    if (status == HX_OK) {
        find_ways(binding);
    }
    return status;
}

static hx_status start(hxi_binding *binding)
{
    boxes *b = binding->state;
    const int turn = (int)(++b->start % 2);
    for (int i = 0; i < binding->sends; ++i) {
        binding->send[i].buffer = b->out[i].slot[turn];
    }
    for (int i = 0; i < binding->receives; ++i) {
        binding->receive[i].buffer = b->in[i].slot[turn];
        b->awaited[i] = i;
    }
    b->awaiting = binding->receives;
    b->unread = b->one_way_outs;
    binding->arrivals = 0;
    binding->under_way = b->awaiting + b->unread;
    return HX_OK;
}

/* ---- flags --------------------------------------------------------------------------------------------- */

static _Atomic uint64_t *flag_of(const boxes *b, const hxi_mailbox *box)
{
    return &box->flag->slot[b->start % 2];
}

static uint64_t value_of(const boxes *b, unsigned state)
{
    return STATES * b->start + state;
}

/* What the flag says of this start; -1: nothing. */
static int read_flag(const boxes *b, const hxi_mailbox *box)
{
    const uint64_t value = atomic_load_explicit(flag_of(b, box), memory_order_acquire);
    return value / STATES == b->start ? (int)(value % STATES) : -1;
}

/* All that was read or written before is done for whoever reads the flag. */
static void raise_flag(const boxes *b, const hxi_mailbox *box, unsigned state)
{
    hxi_order_stores();
    atomic_store_explicit(flag_of(b, box), value_of(b, state), memory_order_release);
}

/* ---- sending ------------------------------------------------------------------------------------------- */

static hxi_answer offer(hxi_binding *binding, int number, void *const *base)
{
    const boxes *b = binding->state;
    const hxi_answer answer = hxi_push(binding, number, b->start, base);
    if (answer == HX_MOVED_IT) {
        raise_flag(b, &b->out[number], IN_ARRAYS);
    }
    return answer;
}

static hx_status send(hxi_binding *binding, int number)
{
    const boxes *b = binding->state;
    raise_flag(b, &b->out[number], IN_BOX);
    return HX_OK;
}

/* ---- receiving ----------------------------------------------------------------------------------------- */

static void look_for_messages(hxi_binding *binding, boxes *b)
{
    int awaited = 0;
    for (int i = 0; i < b->awaiting; ++i) {
        const int number = b->awaited[i];
        const int state = read_flag(b, &b->in[number]);
        if (state == IN_BOX || state == IN_ARRAYS) {
            binding->receive[number].direct = state == IN_ARRAYS;
            binding->arrived[binding->arrivals++] = number;
        } else {
            b->awaited[awaited++] = number;
        }
    }
    b->awaiting = awaited;
}

/* What the receiver has read before it counts is read: its slot may be written after this. */
static void look_for_counts(boxes *b)
{
    while (b->unread > 0 &&
           atomic_load_explicit(&b->one_way_out[b->unread - 1]->read, memory_order_acquire) + 1 >= b->start) {
        b->unread--;
    }
}

static hx_status progress(hxi_binding *binding)
{
    boxes *b = binding->state;
    look_for_messages(binding, b);
    look_for_counts(b);
    binding->under_way = b->awaiting + b->unread;
    return HX_OK;
}

static void settle(hxi_binding *binding)
{
    const boxes *b = binding->state;
    for (int i = 0; i < b->one_way_ins; ++i) {
        atomic_store_explicit(&b->one_way_in[i]->read, b->start, memory_order_release);
    }
}

const hxi_transport hxi_transport_shared = {
    .name = "shared",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_AUTO | HX_TRANSPORT_NODE | HX_TRANSPORT_TURNS,
    .about = "one message, packed into memory that both share,",
    .bind = bind,
    .start = start,
    .offer = offer,
    .send = send,
    .progress = progress,
    .settle = settle,
    .unbind = unbind,
};
