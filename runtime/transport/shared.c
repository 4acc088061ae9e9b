/*
 * Shared memory: messages are packed straight into a box of the receiver's, who sees by a flag that one has
 * come.
 *
 * Messages of long runs are copied straight into the receiver's arrays instead, where it has started and its
 * arrays of this start can be reached; the flag says so.
 *
 * Each box has two slots, used in turn, and nobody says when one has been read: a message goes into the slot
 * of the last but one only after the peer's last one came, which the peer sent after it had finished with
 * that slot.  So both must send to each other in each exchange.
 */
#include "../board.h"
#include "../memory.h"
#include "../status.h"
#include "transport.h"

#include <stdio.h>

static const char purpose[] = "mailboxes";

typedef struct boxes {
    hx_mailbox *out;
    hx_mailbox *in;
    int *awaited;   /* numbers of the messages that have not come */
    uint64_t start; /* which one it is, from 1 */
} boxes;

static void unbind(hx_binding *binding, int abandon)
{
    (void)abandon; /* what a peer still writes stays mapped there */
    boxes *b = binding->state;
    if (b) {
        hx_memory_free(b->out);
        hx_memory_free(b->in);
        hx_memory_free(b->awaited);
        hx_memory_free(b);
    }
    hx_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

/* All ranks of the node together. */
static hx_status fall_back(hx_binding *binding)
{
    snprintf(binding->why, sizeof binding->why, "%s", binding->board->memory.why);
    binding->transport = &hx_transport_persistent;
    return binding->transport->bind(binding);
}

static hx_status make_boxes(hx_binding *binding)
{
    boxes *b = binding->state = hx_memory_get(1, sizeof *b, purpose);
    if (!b) {
        return HX_ERR_MEMORY;
    }
    b->out = hx_memory_get((size_t)binding->sends, sizeof *b->out, purpose);
    b->in = hx_memory_get((size_t)binding->receives, sizeof *b->in, purpose);
    b->awaited = hx_memory_get((size_t)binding->receives, sizeof *b->awaited, purpose);
    binding->arrived = hx_memory_get((size_t)binding->receives, sizeof *binding->arrived, purpose);
    return b->out && b->in && b->awaited && binding->arrived ? HX_OK : HX_ERR_MEMORY;
}

static hx_status find_boxes(hx_binding *binding)
{
    const boxes *b = binding->state;
    hx_status status = HX_OK;
    for (int i = 0; i < binding->sends && status == HX_OK; ++i) {
        status = hx_board_outbox(binding->board, binding->tag, binding->send[i].peer, &b->out[i]);
    }
    for (int i = 0; i < binding->receives && status == HX_OK; ++i) {
        status = hx_board_inbox(binding->board, binding->tag, binding->receive[i].peer, &b->in[i]);
    }
    return status;
}

static hx_status bind(hx_binding *binding)
{
    if (binding->sends + binding->receives > 0 && !binding->board->memory.shared) {
        return fall_back(binding);
    }
    const hx_status status = make_boxes(binding);
    return status == HX_OK ? find_boxes(binding) : status;
}

static hx_status start(hx_binding *binding)
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
    binding->arrivals = 0;
    binding->under_way = binding->receives;
    return HX_OK;
}

/* What a flag says of start number n: 2 n, and 1 more if the points are in the arrays. */
static void raise_flag(hx_binding *binding, int number, unsigned direct)
{
    const boxes *b = binding->state;
    atomic_store_explicit(&b->out[number].flag->slot[b->start % 2], 2 * b->start + direct,
                          memory_order_release);
}

static hx_answer offer(hx_binding *binding, int number, void *const *base)
{
    const boxes *b = binding->state;
    hx_direct *direct = binding->direct ? &binding->direct[number] : NULL;
    if (!direct || !direct->notice) {
        return HX_PACK_IT;
    }
    if (!hx_direct_ready(direct, b->start)) {
        return binding->at_once ? HX_PACK_IT : HX_LATER;
    }
    if (!hx_direct_run(direct, base)) {
        return HX_PACK_IT;
    }
    raise_flag(binding, number, 1);
    return HX_MOVED_IT;
}

static hx_status send(hx_binding *binding, int number)
{
    raise_flag(binding, number, 0);
    return HX_OK;
}

static hx_status progress(hx_binding *binding)
{
    const boxes *b = binding->state;
    int awaited = 0;
    for (int i = 0; i < binding->under_way; ++i) {
        const int number = b->awaited[i];
        const uint64_t flag =
            atomic_load_explicit(&b->in[number].flag->slot[b->start % 2], memory_order_acquire);
        if (flag / 2 == b->start) {
            binding->receive[number].direct = flag % 2 == 1;
            binding->arrived[binding->arrivals++] = number;
        } else {
            b->awaited[awaited++] = number;
        }
    }
    binding->under_way = awaited;
    return HX_OK;
}

const hx_transport hx_transport_shared = {
    .name = "shared",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_AUTO | HX_TRANSPORT_NODE | HX_TRANSPORT_PAIRED |
             HX_TRANSPORT_TURNS,
    .about = "one message, packed into memory that both share,",
    .bind = bind,
    .start = start,
    .offer = offer,
    .send = send,
    .progress = progress,
    .unbind = unbind,
};
