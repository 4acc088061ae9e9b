/*
 * What a handle really does, in words and numbers.
 */
#include "exchange/describe.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/handle.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <stdbool.h>
#include <string.h>

static void add_lists(const hx_handle *h, hxi_text *text)
{
    const hxi_block *block = &h->mine.block[0];
    hxi_text_add(text, "  %d point%s of %s here", block->cells[0], hxi_s(block->cells[0]), h->spec->axis[0]);
    for (int a = 1; a < h->spec->axes; ++a) {
        hxi_text_add(text, ", %d along %s", block->cells[a], h->spec->axis[a]);
    }
    hxi_text_add(text, "\n  lists of points: packed, or gathered straight into another rank's array where "
                       "they are one run\n");
    for (int i = 0; i < h->lists.partners; ++i) {
        const hxi_partner_list *p = &h->lists.partner[i];
        hxi_text_add(text, "    rank %d: %d to it in %d run%s, %d from it in %d run%s\n", p->peer,
                     p->sent.points, p->sent.runs, hxi_s(p->sent.runs), p->received.points, p->received.runs,
                     hxi_s(p->received.runs));
    }
}

static void add_partition(const hx_handle *h, hxi_text *text)
{
    for (int t = 0; t < h->layout.tiles; ++t) {
        const hxi_tile *tile = &h->layout.tile[t];
        hxi_text_add(text, "  tile %d: ", t);
        hxi_text_add_product(text, h->spec->axes, tile->cells);
        hxi_text_add(text, " cells in ");
        hxi_text_add_product(text, h->spec->axes, tile->parts);
        hxi_text_add(text, " parts%s%s%s\n", h->layout.first_fastest ? ", numbered along " : "",
                     h->layout.first_fastest ? h->spec->axis[0] : "",
                     h->layout.first_fastest ? " first" : "");
        const int land = hxi_layout_land_of(&h->layout, t);
        if (land > 0) {
            hxi_text_add(text, "    %d block%s of it without an owner: ghost points there are walls\n", land,
                         hxi_s(land));
        }
    }
    for (int b = 0; b < h->mine.blocks; ++b) {
        const hxi_block *block = &h->mine.block[b];
        int index[HX_MAX_AXES];
        hxi_layout_index(&h->layout, block->tile, block->number, index);
        hxi_text_add(text, "  block %d of tile %d, here number %d: ", block->number, block->tile, b);
        hxi_text_add_product(text, h->spec->axes, block->cells);
        hxi_text_add(text, " cells from");
        for (int a = 0; a < h->spec->axes; ++a) {
            hxi_text_add(text, "%s %s = %d", a == 0 ? "" : ",", h->spec->axis[a],
                         h->layout.tile[block->tile].cuts[a][index[a]]);
        }
        hxi_text_add(text, "\n");
    }
}

/* ops: all but the sweeps. */
static void add_kernels(hxi_text *text, const char *what, int sweeps, int ops, const hxi_op_counts *counts)
{
    const int calls = sweeps + ops;
    if (calls == 0) {
        return;
    }
    const struct {
        int count;
        const char *kind;
    } kinds[] = {{sweeps, "for whole halos in one walk"},
                 {counts->pairs, "of both halos of the fastest axis at once"},
                 {counts->strips, "of a depth that is literal in the code"},
                 {counts->general, "of any depth"},
                 {counts->turned, "of sources that lie turned"},
                 {counts->picked, "of some components of each point"},
                 {counts->listed, "of runs of a list"}};
    hxi_text_add(text, "    %s: %d call%s of kernels", what, calls, hxi_s(calls));
    const char *before = ":";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (kinds[i].count > 0) {
            hxi_text_add(text, "%s %d %s", before, kinds[i].count, kinds[i].kind);
            before = ",";
        }
    }
    hxi_text_add(text, "\n");
}

/*
 * How often the message to a peer went another way than through a buffer, or may go; the legend says which.
 */
static void add_sent_straight(const hxi_phase *phase, const hxi_contents *sent, hxi_text *text)
{
    if (sent->delivery == HX_PUSHED && phase->push) {
        const uint64_t runs = phase->push[sent - phase->send].partners.partner->runs;
        hxi_text_add(text, ", straight into its arrays %llu time%s", (unsigned long long)runs,
                     hxi_s((int64_t)runs));
    } else if (sent->delivery == HX_PUSHED && phase->straight) {
        const uint64_t runs = hxi_device_direct_runs(phase->straight, sent->peer);
        hxi_text_add(text, ", straight into arrays of its device %llu time%s", (unsigned long long)runs,
                     hxi_s((int64_t)runs));
    }
}

/* The messages of one binding, by peer. */
static void add_messages(const hxi_phase *phase, const hxi_binding *binding, hxi_text *text)
{
    int out = (int)(binding->send - phase->message);
    int in = (int)(binding->receive - phase->message) - phase->sends;
    const int outs = out + binding->sends;
    const int ins = in + binding->receives;
    while (out < outs || in < ins) {
        const hxi_contents *sent = out < outs ? &phase->send[out] : NULL;
        const hxi_contents *received = in < ins ? &phase->receive[in] : NULL;
        const bool takes_sent = sent && (!received || sent->peer <= received->peer);
        const bool takes_received = received && (!sent || received->peer <= sent->peer);
        hxi_text_add(text, "    rank %d, by %s:", takes_sent ? sent->peer : received->peer,
                     binding->transport->name);
        if (takes_sent) {
            hxi_text_add(text, " %zu bytes in %d segment%s to it%s", sent->bytes, sent->segments,
                         hxi_s(sent->segments), sent->slot >= 0 ? " in place" : "");
            add_sent_straight(phase, sent, text);
            hxi_text_add(text, "%s", takes_received ? "," : "");
            ++out;
        }
        if (takes_received) {
            hxi_text_add(text, " %zu bytes in %d segment%s from it%s", received->bytes, received->segments,
                         hxi_s(received->segments), received->slot >= 0 ? " in place" : "");
            ++in;
        }
        hxi_text_add(text, "\n");
    }
}

static void add_phase(const hxi_phase *phase, hxi_text *text)
{
    const hxi_binding *self = &phase->binding[HX_SELF_TRANSPORT];
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        const hxi_binding *binding = &phase->binding[transport];
        add_messages(phase, binding, text);
        if (binding->why[0] != '\0') {
            hxi_text_add(text, "    by %s, not as chosen: %s\n", binding->transport->name, binding->why);
        }
    }
    if (phase->bytes_copied > 0) {
        hxi_text_add(text, "    this rank, by %s: %zu bytes, %s\n", self->transport->name,
                     phase->bytes_copied, self->transport->about);
    }
    add_kernels(text, "packing", 0, phase->ops.packs, &phase->ops.packing);
    add_kernels(text, "copying", phase->ops.sweeps.count, phase->ops.copies, &phase->ops.copying);
    add_kernels(text, "unpacking", 0, phase->ops.unpacks, &phase->ops.unpacking);
    if (phase->additions.sums > 0 || phase->additions.zeros > 0) {
        hxi_text_add(
            text,
            "    adding: %d call%s of kernels when all messages are in, in an order that depends on the "
            "partition only",
            phase->additions.sums, hxi_s(phase->additions.sums));
        if (phase->additions.zeros > 0) {
            hxi_text_add(text, ", and %d to zero the ghost points that were sent or added",
                         phase->additions.zeros);
        }
        hxi_text_add(text, "\n");
    }
    if (phase->combining.ops > 0) {
        hxi_text_add(
            text,
            "    combining: %d call%s of kernels when all messages are in, over numbers in an order that "
            "depends on the partition only\n",
            phase->combining.ops, hxi_s(phase->combining.ops));
    }
}

/* Messages that lie in boxes on other devices, and in buffers. */
static void count_places(const hxi_phase *phase, int *boxes, int *buffers)
{
    *boxes = 0;
    *buffers = 0;
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        const hxi_binding *binding = &phase->binding[transport];
        *(binding->transport->turn ? boxes : buffers) += binding->sends + binding->receives;
    }
}

/* Are there any that a stream moves, and so all of them? */
static bool is_in_stream(const hxi_phase *phase)
{
    bool found = false;
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        found = found || (phase->binding[transport].transport->flags & HX_TRANSPORT_STREAM) != 0;
    }
    return found;
}

/* Those in buffers: where they lie for it, and what MPI is given. */
static void add_buffers_of_device(const hxi_plan *plan, bool boxes, hxi_text *text)
{
    const hxi_staging *staging = &plan->phase[0].device->staging;
    const size_t bytes = hxi_plan_buffer_bytes(plan, boxes);
    if (is_in_stream(&plan->phase[0])) {
        hxi_text_add(
            text,
            "    messages by nccl: device %d writes and reads them in %zu bytes of its memory, which "
            "NCCL moves in the stream\n",
            plan->device->number, bytes);
        return;
    }
    hxi_text_add(text, "    messages %s: device %d writes and reads them in ",
                 hxi_messages_name(plan->placing.messages), plan->device->number);
    if (plan->placing.messages == HX_MESSAGES_COPIED) {
        hxi_text_add(
            text,
            "%zu bytes of its memory, %d cop%s to pinned memory of the host, which MPI sends, and %d "
            "back (%s)\n",
            bytes, staging->outs, staging->outs == 1 ? "y" : "ies", staging->ins, plan->placing.why);
    } else if (plan->placing.messages == HX_MESSAGES_AWARE) {
        hxi_text_add(text, "%zu bytes of its memory, which MPI is given (%s)\n", bytes, plan->placing.why);
    } else {
        const bool by_hand = plan->routes.transport[plan->routes.transports - 1] == &hxi_transport_manual;
        hxi_text_add(text, "%zu bytes of pinned memory of the host, which %s (%s)\n", bytes,
                     by_hand ? "the application moves" : "MPI sends", plan->placing.why);
    }
}

static void add_messages_of_device(const hxi_plan *plan, hxi_text *text)
{
    int boxes;
    int buffers;
    count_places(&plan->phase[0], &boxes, &buffers);
    if (boxes > 0) {
        hxi_text_add(
            text,
            "    messages by ipc: device %d writes them into the memory of the receiver's device, and "
            "reads those that came in its own; graphs have copies of them\n",
            plan->device->number);
    }
    if (buffers > 0 || boxes == 0) {
        add_buffers_of_device(plan, boxes > 0, text);
    }
}

/* What it is, and which ranks of the node have it, too. */
static void add_identity_of_device(const hx_handle *h, hxi_text *text)
{
    const char *before = ", which ranks ";
    int ranks = 0;
    for (int r = 0; r < h->topology.node_ranks; ++r) {
        ranks += hxi_device_same(h->device, &h->topology, r);
    }
    hxi_text_add(text, "  device %d is \"%s\"", h->device->number, h->device->identity.name);
    for (int r = 0; r < h->topology.node_ranks && ranks > 1; ++r) {
        if (hxi_device_same(h->device, &h->topology, r)) {
            hxi_text_add(text, "%s%d", before, h->topology.member[r]);
            before = ", ";
        }
    }
    hxi_text_add(text, "%s of this node %s\n", ranks > 1 ? "" : ", which no other rank",
                 ranks > 1 ? "share" : "has");
}

/* What all exchanges have together. */
static void add_memory_of_device(const hx_handle *h, hxi_text *text)
{
    add_identity_of_device(h, text);
    hx_pool_counters pinned = {0};
    hx_pool_count(h->device->buffers.pool, &pinned);
    hxi_text_add(text, "  device %d: messages have %zu bytes of pinned memory of the host", h->device->number,
                 pinned.in_use + pinned.idle);
    if (hxi_device_boxes_bytes(h->boxes) > 0) {
        hxi_text_add(text, ", and those from other ranks of the node %zu bytes of its own",
                     hxi_device_boxes_bytes(h->boxes));
    }
    hxi_text_add(text, "\n");
    if (hxi_nccl_usable(h->nccl)) {
        hxi_text_add(text, "  NCCL %s: one communicator; all ranks start exchanges in the same order\n",
                     hxi_nccl_version(h->nccl));
    }
}

/* Why a whole exchange goes by another transport than the one of the options; NULL: it does not. */
static const char *why_other(const hxi_plan *plan, const hx_options *options)
{
    const hxi_transport *asked = hxi_transport_named(options->transport);
    const hxi_transport *taken = plan->routes.transport[plan->routes.transports - 1];
    if (!plan->device) {
        return asked == &hxi_transport_ipc || asked == &hxi_transport_nccl ? "no field of it lies on a device"
                                                                           : NULL;
    }
    if (!asked || taken == asked || hxi_plan_wants_stream(plan)) { /* what was measured is told elsewhere */
        return NULL;
    }
    if (asked == &hxi_transport_nccl) {
        return options->check ? "with option check the host writes and reads headers of messages"
                              : "the same messages carry fields of the host";
    }
    return taken == &hxi_transport_ipc ? "fields of it lie on a device" : "that has the host pack in start";
}

/* What is done on a device. */
static void add_device(const hxi_plan *plan, hxi_text *text)
{
    static const char *const names[HX_DEVICE_TASKS] = {
        [HX_DEVICE_PACK] = "packing", [HX_DEVICE_COPY] = "copying", [HX_DEVICE_UNPACK] = "unpacking",
        [HX_DEVICE_SUM] = "adding",   [HX_DEVICE_ZERO] = "zeroing", [HX_DEVICE_COMBINE] = "combining",
    };
    add_messages_of_device(plan, text);
    hxi_text_add(text, "    device %d", plan->device->number);
    const char *before = ": launches for ";
    for (int task = 0; task < HX_DEVICE_TASKS; ++task) {
        const int launches = hxi_device_work_launches(plan->phase[0].device, (hxi_device_task)task);
        if (launches > 0 && names[task]) {
            hxi_text_add(text, "%s%s %d", before, names[task], launches);
            before = ", ";
        }
    }
    hxi_text_add(text, "\n");
}

/* Does a route give the reason of another one? */
static bool is_alike(const hxi_route *a, const hxi_route *b)
{
    return a->why && b->why && a->transport == b->transport && strcmp(a->why, b->why) == 0;
}

/* Peers that go another way than the one that was chosen, for a reason that is said once. */
static void add_reason(const hxi_routes *routes, const hxi_route *reason, hxi_text *text)
{
    const char *before = " ";
    int ranks = 0;
    for (int i = 0; i < routes->routes; ++i) {
        ranks += is_alike(&routes->route[i], reason);
    }
    hxi_text_add(text, "    rank%s", hxi_s(ranks));
    for (int i = 0; i < routes->routes; ++i) {
        if (is_alike(&routes->route[i], reason)) {
            hxi_text_add(text, "%s%d", before, routes->route[i].peer);
            before = ", ";
        }
    }
    hxi_text_add(text, " %s by %s: %s\n", ranks == 1 ? "goes" : "go",
                 routes->transport[reason->transport]->name, reason->why);
}

static void add_reasons(const hxi_routes *routes, hxi_text *text)
{
    for (int i = 0; i < routes->routes; ++i) {
        bool said = !routes->route[i].why;
        for (int j = 0; j < i && !said; ++j) {
            said = is_alike(&routes->route[i], &routes->route[j]);
        }
        if (!said) {
            add_reason(routes, &routes->route[i], text);
        }
    }
}

static void add_plan(const hxi_plan *plan, const hx_options *options, const hxi_tuned *tuned, hxi_text *text)
{
    hxi_text_add(text, "  exchange %s (%s:%d)\n", plan->exchange->name, plan->spec->file,
                 plan->exchange->line);
    hxi_text_add(text, "    %s: %s\n", plan->schedule.by_dimension ? "by dimension" : "one phase",
                 plan->schedule.why);
    if (tuned && tuned->about[0] != '\0') {
        hxi_text_add(text, "    %s\n", tuned->about);
    }
    if (plan->device) {
        add_device(plan, text);
    }
    if (why_other(plan, options)) {
        hxi_text_add(text, "    by %s in place of %s: %s\n",
                     plan->routes.transport[plan->routes.transports - 1]->name, options->transport,
                     why_other(plan, options));
    }
    add_reasons(&plan->routes, text);
    for (int p = 0; p < plan->phases; ++p) {
        if (plan->schedule.by_dimension) {
            hxi_text_add(text, "    phase %d of %d, along %s:\n", p + 1, plan->phases,
                         plan->spec->axis[plan->schedule.axis[p]]);
        }
        add_phase(&plan->phase[p], text);
    }
    if (plan->walls.ops > 0) {
        const int calls = plan->walls.ops - plan->walls.hooks - plan->walls.on_device;
        const int launches = hxi_device_fills_launches(plan->fills);
        hxi_text_add(text, "    walls: ");
        if (launches > 0) {
            hxi_text_add(text, "%d launch%s on the device, ", launches, launches == 1 ? "" : "es");
        }
        hxi_text_add(text, "%d call%s of kernels and %d of the application's function, axis by axis\n", calls,
                     hxi_s(calls), plan->walls.hooks);
    }
}

/* ---- who goes by what ---------------------------------------------------------------------------------- */

enum { MOST_USED = 16 };

/* A transport that messages really go by, and those that do. */
typedef struct used {
    const hxi_transport *transport;
    int peers; /* of all exchanges */
} used;

static bool has_message(const hxi_binding *binding, int peer)
{
    bool found = false;
    for (int m = 0; m < binding->sends && !found; ++m) {
        found = binding->send[m].peer == peer;
    }
    for (int m = 0; m < binding->receives && !found; ++m) {
        found = binding->receive[m].peer == peer;
    }
    return found;
}

/* By dimension there are phases in which a peer has no message, and where nothing shows whether its transport
 * works. */
static const hxi_transport *transport_of(const hxi_plan *plan, const hxi_route *route)
{
    int p = 0;
    while (p < plan->phases - 1 && !has_message(&plan->phase[p].binding[route->transport], route->peer)) {
        ++p;
    }
    return plan->phase[p].binding[route->transport].transport;
}

static int find_used(const hx_handle *h, used found[MOST_USED])
{
    int count = 0;
    for (int e = 0; e < h->plans; ++e) {
        const hxi_plan *plan = &h->plan[e];
        for (int r = 0; r < plan->routes.routes; ++r) {
            const hxi_transport *transport = transport_of(plan, &plan->routes.route[r]);
            int at = 0;
            while (at < count && found[at].transport != transport) {
                ++at;
            }
            if (at == count && count < MOST_USED) {
                found[count++] = (used){transport, 0};
            }
            found[at].peers++;
        }
    }
    return count;
}

void hxi_describe_peers(const hx_handle *h, hxi_text *text)
{
    used found[MOST_USED];
    const int count = find_used(h, found);
    hxi_text_add(text, "peers of exchanges: ");
    for (int i = 0; i < count; ++i) {
        hxi_text_add(text, "%s%d by %s", i == 0 ? "" : ", ", found[i].peers, found[i].transport->name);
    }
    hxi_text_add(text, "%s", count == 0 ? "none" : "");
}

static bool has_delivery(const hx_handle *h, hxi_delivery delivery, bool on_device)
{
    bool found = false;
    for (int e = 0; e < h->plans; ++e) {
        for (int p = 0; p < h->plan[e].phases; ++p) {
            const hxi_phase *phase = &h->plan[e].phase[p];
            const bool there = on_device ? phase->straight != NULL : phase->straight == NULL;
            for (int m = 0; m < phase->sends + phase->receives && there; ++m) {
                const hxi_contents *contents =
                    m < phase->sends ? &phase->send[m] : &phase->receive[m - phase->sends];
                found = found || contents->delivery == delivery;
            }
        }
    }
    return found;
}

/* What is said of each peer in a word or two below. */
static void add_used(const hx_handle *h, hxi_text *text)
{
    used found[MOST_USED];
    const int count = find_used(h, found);
    hxi_text_add(text, "  ");
    hxi_describe_peers(h, text);
    hxi_text_add(text, "\n");
    for (int i = 0; i < count; ++i) {
        hxi_text_add(text, "    %s: %s per peer and exchange\n", found[i].transport->name,
                     found[i].transport->about);
    }
    if (has_delivery(h, HX_PUSHED, false)) {
        hxi_text_add(text, "    straight into arrays: where those are of alloc or in a registered window\n");
    }
    if (has_delivery(h, HX_PUSHED, true)) {
        hxi_text_add(text, "    straight into arrays of devices: where those of both ranks are of alloc\n");
    }
}

static void add_transport(const hx_handle *h, hxi_text *text)
{
    if (h->untuned[0] != '\0') {
        hxi_text_add(text, "  nothing was measured (option tune): %s\n", h->untuned);
    }
    if (h->tuned && h->why.any_transport) {
        hxi_text_add(text, "  transport of each exchange: the fastest when measured (%s)\n",
                     h->why.transport);
    } else {
        hxi_text_add(text, "  transport %s (%s)\n", h->options.transport, h->why.transport);
    }
    add_used(h, text);
}

static const char *why_alone(const hxi_node_memory *memory)
{
    if (memory->why[0] != '\0') {
        return memory->why;
    }
    return memory->mapped == 0 ? "no rank of the node has any"
                               : "in the node no message goes straight into an array";
}

/* Whether others write there. */
static void add_reach(const hxi_set *set, hxi_text *text)
{
    if (set->there.usable && set->shown.own) {
        hxi_text_add(text, ", which other ranks of the node write into");
    } else if (set->there.why[0] != '\0') {
        hxi_text_add(text, ", which other ranks of the node cannot write into: %s", set->there.why);
    }
}

/* Arrays of NAME_alloc. */
static void add_set(const hx_handle *h, const hxi_set *set, hxi_text *text)
{
    hxi_text_add(text, "  arrays of %s_alloc, set %d: ", h->spec->name, set->number);
    if (set->device) {
        hxi_text_add(text, "%zu bytes of the memory of device %d", set->device_bytes, h->device->number);
        add_reach(set, text);
    }
    if (set->device && set->memory.bytes == 0) {
        hxi_text_add(text, "\n");
        return;
    }
    hxi_text_add(text, "%s%zu bytes, ", set->device ? ", and " : "", set->memory.bytes);
    if (set->memory.shared) {
        hxi_text_add(text, "in memory that the ranks of the node share\n");
    } else {
        hxi_text_add(text, "this rank's alone: %s\n", why_alone(&set->memory));
    }
}

static void add_sets(const hx_handle *h, hxi_text *text)
{
    for (const hxi_set *set = h->sets.first; set; set = set->next) {
        if (set->window) {
            hxi_text_add(text,
                         "  arrays may lie in window \"%s\": %zu bytes that the ranks of the node share\n",
                         set->name, set->bytes);
        } else {
            add_set(h, set, text);
        }
    }
}

static void add_buffers(const hx_handle *h, hxi_text *text)
{
    hx_pool_counters counters = {0};
    hx_pool_count(h->buffers.pool, &counters);
    hxi_text_add(text, "  message buffers: %zu bytes of %s%s\n", counters.in_use,
                 h->buffers.own ? "a pool of this handle's own" : "the pool of the options are in use",
                 !h->options.share_buffers           ? ""
                 : h->buffers.room && h->buffers.own ? ", the same for all exchanges (option share_buffers)"
                 : h->buffers.room
                     ? ", the same for all exchanges of all handles that share there (option share_buffers)"
                     : ", each exchange's own in spite of the option share_buffers");
    if (h->board.memory.shared) {
        hxi_text_add(text, "  shared memory: %zu bytes, where other ranks of the node put messages\n",
                     h->board.memory.bytes);
    }
}

static void add_handle(const hx_handle *h, hxi_text *text)
{
    hxi_text_add(text, "%s (%s, model %016llx) on rank %d of %d\n", h->spec->name, h->spec->file,
                 (unsigned long long)h->spec->hash, h->topology.rank, h->topology.ranks);
    if (h->spec->list) {
        add_lists(h, text);
    } else {
        add_partition(h, text);
    }
    add_transport(h, text);
    add_sets(h, text);
    if (h->device) {
        add_memory_of_device(h, text);
    }
    hxi_text_add(text, "  a rank that waits %s\n",
                 h->topology.crowded ? "lets others run at once: ranks outnumber the processors they share"
                                     : "polls for a while before it lets others run: each has a processor");
    add_buffers(h, text);
    if (h->options.check) {
        hxi_text_add(text,
                     "  each message carries and verifies exchange, sequence and size (option check)\n");
    }
    for (int i = 0; i < h->plans; ++i) {
        add_plan(&h->plan[i], &h->options, h->tuned ? &h->tuned[i] : NULL, text);
    }
}

static const char *describe(hx_handle *handle)
{
    hxi_text measure = {0};
    add_handle(handle, &measure);
    char *text = hxi_memory_get(measure.length + 1, 1, "a description");
    if (!text) {
        return hx_last_error();
    }
    hxi_memory_free(handle->description);
    handle->description = text;
    hxi_text written = {text, measure.length + 1, 0};
    add_handle(handle, &written);
    return text;
}

const char *hx_describe(hx_handle *handle)
{
    if (!handle) {
        return "no handle\n";
    }
    if (hxi_owner_check(handle, "describe") != HX_OK) {
        return hx_last_error();
    }
    hxi_progress_hold(handle); /* what it counts stays as it is until it is written */
    const char *text = describe(handle);
    hxi_progress_release(handle);
    return text;
}

static hx_status check_exchange(const hx_handle *handle, int exchange, const void *out, const char *what)
{
    if (!handle || !out) {
        return hxi_fail(HX_ERR_ARGUMENT, "Asked to %s of an exchange, %s is a null pointer.", what,
                        handle ? "the place for the answer" : "the handle");
    }
    const hx_status status = hxi_owner_check(handle, what);
    if (status != HX_OK) {
        return status;
    }
    if (exchange < 0 || exchange >= handle->plans) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d was asked to %s of exchange %d; %s has %d, numbered from 0.",
                        handle->topology.rank, what, exchange, handle->spec->file, handle->plans);
    }
    return HX_OK;
}

hx_status hx_traffic_of(const hx_handle *handle, int exchange, hx_traffic *traffic)
{
    const hx_status status = check_exchange(handle, exchange, traffic, "tell the traffic");
    if (status == HX_OK) {
        hx_handle *locked = (hx_handle *)handle; /* whose locks are no part of its value */
        hxi_progress_hold(locked);
        *traffic = handle->plan[exchange].traffic;
        hxi_progress_release(locked);
    }
    return status;
}

hx_status hx_links(const hx_handle *handle, int exchange, hx_link *link, int *count)
{
    const hx_status status = check_exchange(handle, exchange, count, "tell the links");
    if (status != HX_OK) {
        return status;
    }
    const hxi_plan *plan = &handle->plan[exchange];
    int found = 0;
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_segments *segments = &plan->phase[p].segments;
        for (int i = 0; i < segments->count; ++i, ++found) {
            if (link) {
                link[found] = segments->segment[i].link;
            }
        }
    }
    *count = found;
    return HX_OK;
}

hx_status hx_message_buffers(const hx_handle *handle, int exchange, hx_message_buffer *buffer, int *count)
{
    const hx_status status = check_exchange(handle, exchange, count, "tell the message buffers");
    if (status != HX_OK) {
        return status;
    }
    const hxi_plan *plan = &handle->plan[exchange];
    /* Messages moved by hand have one phase, and one transport. */
    const hxi_binding *binding = &plan->phase[0].binding[plan->phase[0].bindings - 1];
    if ((binding->transport->flags & HX_TRANSPORT_BY_HAND) == 0) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: the messages of exchange \"%s\" travel by %s; to move them yourself, create "
                        "with the option transport \"%s\".",
                        plan->spec->file, plan->exchange->line, plan->exchange->name,
                        binding->transport->name, hxi_transport_manual.name);
    }
    *count = binding->sends + binding->receives;
    for (int m = 0; buffer && m < *count; ++m) {
        const bool sent = m < binding->sends;
        const hxi_message *message = sent ? &binding->send[m] : &binding->receive[m - binding->sends];
        buffer[m] = (hx_message_buffer){message->peer, !sent, message->bytes, message->buffer};
    }
    return HX_OK;
}
