/*
 * Between the devices of a node: kernels that pack write straight into a box of the receiver's, in the memory
 * of its device, which every sender has opened.  MPI moves nothing.
 *
 * When the host sees that its device has packed it raises a flag in memory that the node shares; the receiver
 * launches what unpacks when it sees that.  Each box has two slots, used in turn, and nobody says when one
 * has been read: a message goes into the slot of the last but one only after the peer's last one came, and
 * what packed that came behind what unpacked that slot.  So both must send to each other in each exchange.
 * (Where messages go one way only a receiver would have to count what its device has unpacked, as `shared`
 * counts; but finish only launches that, and its host is not there to see it done.)
 *
 * Graphs of pack and unpack know one address only.  So as halves these work in memory of their own: send has
 * what was packed copied into the slot of the turn, and receive has what came copied from there.
 *
 * A start that is captured runs without hosts.  It has a slot of its own at one address, too, and flags in the
 * memory of the devices: a kernel says that what was in the slot is unpacked, and waits until the peer says so,
 * before this rank packs; then another says that it has packed.  Both are right at any distance of the ranks,
 * and do not touch what starts that are not captured rely on.
 *
 * Fields of the host travel along in the boxes of the board, which have slots for that; so does what the
 * option check writes in front.
 */
#include "base/memory.h"
#include "base/status.h"
#include "transport/transport.h"

#include <stdio.h>

static const char purpose[] = "mailboxes of devices";

typedef struct box {
    hxi_mailbox board;
    unsigned char *there[HX_SLOTS_THERE]; /* slots, as this rank's device sees them, and so is this: */
    hx_cuda_flags *flags;
} box;

typedef struct boxes {
    box *out;
    box *in;
    int *awaited;       /* numbers of the messages that have not come */
    unsigned char *own; /* memory of the device, for halves */
    uint64_t start;     /* which one it is, from 1 */
} boxes;

static void unbind(hxi_binding *binding, int abandon)
{
    boxes *b = binding->state;
    if (b) {
        if (b->own && !abandon) {
            const hx_device *calls = binding->boxes->device->calls;
            calls->free(HX_MEMORY_DEVICE, b->own);
        }
        hxi_memory_free(b->out);
        hxi_memory_free(b->in);
        hxi_memory_free(b->awaited);
        hxi_memory_free(b);
    }
    hxi_device_signals_free(binding->signals, abandon);
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->signals = NULL;
    binding->state = NULL;
}

/* All ranks of the node together. */
static hx_status fall_back(hxi_binding *binding)
{
    snprintf(binding->why, sizeof binding->why, "%s", binding->boxes->shared.why);
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
    binding->arrived = hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, purpose);
    return b->out && b->in && b->awaited && binding->arrived ? HX_OK : HX_ERR_MEMORY;
}

static void set_there(box *found, unsigned char *memory)
{
    for (int slot = 0; slot < HX_SLOTS_THERE; ++slot) {
        found->there[slot] = memory + found->board.there[slot];
    }
    found->flags = (hx_cuda_flags *)(void *)(memory + found->board.flags);
}

static hx_status find_boxes(hxi_binding *binding)
{
    const boxes *b = binding->state;
    hx_status status = HX_OK;
    for (int i = 0; i < binding->sends && status == HX_OK; ++i) {
        const int peer = binding->send[i].peer;
        status = hxi_board_outbox(binding->board, binding->tag, peer, &b->out[i].board);
        set_there(&b->out[i],
                  binding->boxes->shared.partner[hxi_topology_node_rank(binding->topology, peer)].memory);
    }
    for (int i = 0; i < binding->receives && status == HX_OK; ++i) {
        status = hxi_board_inbox(binding->board, binding->tag, binding->receive[i].peer, &b->in[i].board);
        set_there(&b->in[i], binding->boxes->own);
    }
    return status;
}

/* Behind what packs and unpacks as halves, which have no turns; on lines of their own. */
static size_t place_halfway(hxi_message *message, int count, unsigned char *own, size_t used)
{
    for (int i = 0; i < count; ++i) {
        message[i].halfway = own ? own + used : NULL;
        used += hxi_whole_lines(message[i].bytes);
    }
    return used;
}

static hx_status make_halfway(hxi_binding *binding)
{
    boxes *b = binding->state;
    const hxi_device_context *device = binding->boxes->device;
    size_t bytes = place_halfway(binding->send, binding->sends, NULL, 0);
    bytes = place_halfway(binding->receive, binding->receives, NULL, bytes);
    if (bytes == 0) {
        return HX_OK;
    }
    void *memory = NULL;
    const hx_status status = hxi_device_get(device, bytes, purpose, &memory);
    b->own = memory;
    if (status != HX_OK) {
        return status;
    }
    bytes = place_halfway(binding->send, binding->sends, b->own, 0);
    place_halfway(binding->receive, binding->receives, b->own, bytes);
    return hxi_device_settle(device, purpose);
}

/* Messages go both ways between the same peers, who are in the same order. */
static hx_status make_signals(hxi_binding *binding)
{
    const boxes *b = binding->state;
    hx_cuda_link *link = hxi_memory_get((size_t)binding->sends, sizeof *link, purpose);
    if (!link) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < binding->sends; ++i) {
        binding->send[i].in_graph = b->out[i].there[HX_SLOT_OF_GRAPHS];
        binding->receive[i].in_graph = b->in[i].there[HX_SLOT_OF_GRAPHS];
        link[i] = (hx_cuda_link){.there = b->out[i].flags, .here = b->in[i].flags};
    }
    const hx_status status = binding->sends > 0 ? hxi_device_signals_make(binding->boxes->device, link,
                                                                          binding->sends, &binding->signals)
                                                : HX_OK;
    hxi_memory_free(link);
    return status;
}

static hx_status bind(hxi_binding *binding)
{
    if (binding->sends + binding->receives > 0 && !binding->boxes->shared.usable) {
        return fall_back(binding);
    }
    hx_status status = make_boxes(binding);
    status = status == HX_OK ? find_boxes(binding) : status;
    status = status == HX_OK ? make_halfway(binding) : status;
    return status == HX_OK ? make_signals(binding) : status;
}

/*
 * The peer has read what is in these slots: this rank has finished the start before, and so got what the peer
 * packed after that.
 */
static void turn(hxi_binding *binding)
{
    boxes *b = binding->state;
    const int slot = (int)(++b->start % 2);
    for (int i = 0; i < binding->sends; ++i) {
        binding->send[i].buffer = b->out[i].board.slot[slot];
        binding->send[i].there = b->out[i].there[slot];
        binding->send[i].direct = false;
    }
    for (int i = 0; i < binding->receives; ++i) {
        binding->receive[i].buffer = b->in[i].board.slot[slot];
        binding->receive[i].there = b->in[i].there[slot];
    }
}

static hx_status start(hxi_binding *binding)
{
    const boxes *b = binding->state;
    for (int i = 0; i < binding->receives; ++i) {
        b->awaited[i] = i;
    }
    binding->arrivals = 0;
    binding->under_way = binding->receives;
    return HX_OK;
}

/* What a flag says of start number n: 2 n, and this. */
enum {
    IN_BOX,    /* the points are in the box */
    IN_ARRAYS, /* they are in the receiver's arrays */
    STATES
};

/* All that was written before, here or on the device, is done for whoever sees the flag. */
static hx_status send(hxi_binding *binding, int number)
{
    const boxes *b = binding->state;
    const uint64_t state = binding->send[number].direct ? IN_ARRAYS : IN_BOX;
    hxi_order_stores();
    atomic_store_explicit(&b->out[number].board.flag->slot[b->start % 2], STATES * b->start + state,
                          memory_order_release);
    return HX_OK;
}

/* Has it?  Then it says where it is. */
static bool has_come(const hxi_binding *binding, int number)
{
    const boxes *b = binding->state;
    const uint64_t value =
        atomic_load_explicit(&b->in[number].board.flag->slot[b->start % 2], memory_order_acquire);
    binding->receive[number].direct = value % STATES == IN_ARRAYS;
    return value / STATES == b->start;
}

static hx_status progress(hxi_binding *binding)
{
    const boxes *b = binding->state;
    int awaited = 0;
    for (int i = 0; i < binding->under_way; ++i) {
        const int number = b->awaited[i];
        if (has_come(binding, number)) {
            binding->arrived[binding->arrivals++] = number;
        } else {
            b->awaited[awaited++] = number;
        }
    }
    binding->under_way = awaited;
    return HX_OK;
}

const hxi_transport hxi_transport_ipc = {
    .name = "ipc",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_NODE | HX_TRANSPORT_PAIRED | HX_TRANSPORT_TURNS |
             HX_TRANSPORT_DEVICE | HX_TRANSPORT_BOXES,
    .about = "one message, packed into the memory of the other's device,",
    .bind = bind,
    .turn = turn,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = unbind,
};
