/*
 * What a handle really does, in words and numbers.
 */
#include "describe/describe.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "describe/describe_plan.h"
#include "exchange/cycle.h"
#include "exchange/handle.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <stdbool.h>

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
                         hxi_tile_cut(&h->layout.tile[block->tile], a, index[a]));
        }
        hxi_text_add(text, "\n");
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

/* Nothing where nobody has asked for more than one. */
static void add_threads(const hx_handle *h, hxi_text *text)
{
    const hxi_team *team = h->team;
    if (h->options.threads == 1) {
        return;
    }
    hxi_text_add(text, "  threads: %d", team->parts);
    if (team->parts < h->options.threads) {
        hxi_text_add(text, " of %d, since %s", h->options.threads, team->why);
    }
    if (team->parts > 1) {
        hxi_text_add(text, "; %s pack, copy and unpack together what has 512 KiB or more",
                     team->given ? "those of the application" : "libhx has them, for all handles, and they");
    }
    if (team->alone > 0) {
        hxi_text_add(text, "; %llu time%s some did not come, and the calling thread did their part",
                     (unsigned long long)team->alone, hxi_s((int64_t)team->alone));
    }
    hxi_text_add(text, "\n");
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
    add_threads(h, text);
    add_buffers(h, text);
    if (h->options.check) {
        hxi_text_add(text,
                     "  each message carries and verifies exchange, sequence and size (option check)\n");
    }
    for (int i = 0; i < h->plans; ++i) {
        hxi_describe_plan(&h->plan[i], &h->options, h->tuned ? &h->tuned[i] : NULL, text);
    }
    hxi_cycles_describe(h, text);
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
