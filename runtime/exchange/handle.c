/*
 * Making handles.
 *
 * It is staged, so that it fails on all ranks or on none: each rank does what it can alone and remembers
 * how that went; takes part in every collective call regardless; and all agree before any of them goes on to
 * messages.
 */
#include "exchange/handle.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/arrival.h"
#include "exchange/asked.h"
#include "exchange/cycle.h"
#include "exchange/describe.h"
#include "exchange/descriptor.h"
#include "exchange/exchange.h"
#include "exchange/options.h"
#include "exchange/owner.h"
#include "exchange/progress.h"
#include "exchange/redistribute.h"

#include <stdio.h>
#include <string.h>

/* ---- the local stage ----------------------------------------------------------------------------------- */

/* Is there a name to be read? */
static bool is_named(const hx_spec *spec)
{
    return spec && spec->abi == HX_ABI && spec->name;
}

const char *hxi_handle_call(const hx_spec *spec, char buffer[HX_CALL])
{
    return is_named(spec) ? hxi_call(spec, NULL, "create", buffer) : "hx_create";
}

static hx_status check_spec(const hx_spec *spec)
{
    if (!spec) {
        return hxi_fail(HX_ERR_ARGUMENT, "The spec given to hx_create is a null pointer.");
    }
    if (spec->abi != HX_ABI) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The emitted code speaks to libhx as of ABI %d, this libhx as of %d; generate it again with the "
            "halogen that came with this libhx.",
            spec->abi, HX_ABI);
    }
    return hxi_descriptor_admit(spec);
}

/* A file that was compiled with a header of other extents and offsets gives what is not meant. */
static hx_status check_model(const hx_spec *spec, const char *model)
{
    char own[HX_CALL];
    snprintf(own, sizeof own, "%016llx_%d", (unsigned long long)spec->hash, spec->abi);
    if (!model || strncmp(model, own, strlen(own) + 1) == 0) {
        return HX_OK;
    }
    if (model[0] == '\0') {
        return hxi_fail(
            HX_ERR_MISMATCH,
            "%s_create was given no model, and the %s.c that it is in is of model %s; give the one "
            "that the caller was made for, which %s.h has in a constant.",
            spec->name, spec->name, own, spec->name);
    }
    return hxi_fail(
        HX_ERR_MISMATCH,
        "The file that calls %s_create was compiled with a %s.h of model %.*s, and the %s.c that it "
        "meets is of model %s.  Generate both from one spec, then compile and link all files again "
        "that include %s.h; where two libraries have a spec of this name, give one of them another.",
        spec->name, spec->name, (int)strlen(own), model, spec->name, own, spec->name);
}

static hx_status check_shapes(const hx_spec *spec, const hx_blocks *blocks, const void *shapes)
{
    if (blocks->count > 0 && !shapes) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The shape given to %s_create is a null pointer; make one with %s_shape_dense.",
                        spec->name, spec->name);
    }
    return HX_OK;
}

/* The deepest halo that any exchange fills. */
static int reach_of(const hx_spec *spec)
{
    int reach = 0;
    for (int e = 0; e < spec->exchanges; ++e) {
        for (int i = 0; i < spec->exchange[e].fields; ++i) {
            const hx_exchange_field *item = &spec->exchange[e].field[i];
            for (int a = 0; a < spec->axes; ++a) {
                reach = item->width_lo[a] > reach ? item->width_lo[a] : reach;
                reach = item->width_hi[a] > reach ? item->width_hi[a] : reach;
            }
        }
    }
    return reach;
}

/*
 * Others than these pack when they start, or move points themselves, as the host sees them.  What a stream
 * moves the host neither reads nor writes.
 */
static const char *transport_on_device(const hx_handle *h, int exchange)
{
    const hxi_transport *tuned = h->tuned ? h->tuned[exchange].taken.transport : NULL;
    const hxi_transport *asked = tuned && (tuned->flags & HX_TRANSPORT_STREAM) != 0
                                     ? tuned
                                     : hxi_transport_named(h->options.transport);
    if (asked && (asked->flags & HX_TRANSPORT_STREAM) != 0) {
        const bool seen = h->options.check || hxi_device_mixes(h->spec, &h->spec->exchange[exchange]);
        return seen ? hxi_transport_persistent.name : asked->name;
    }
    if (h->why.any_transport) {
        return hxi_transport_ipc.name;
    }
    return !asked || (asked->flags & HX_TRANSPORT_DEVICE) != 0 ? h->options.transport
                                                               : hxi_transport_persistent.name;
}

/* What is for devices has its like for the host. */
static const char *transport_on_host(const hx_handle *h)
{
    const char *name = h->options.transport;
    const hxi_transport *asked = hxi_transport_named(name);
    return asked == &hxi_transport_ipc || asked == &hxi_transport_nccl ? hxi_transport_shared.name : name;
}

/* As the options say, or what was measured for the exchange. */
static hx_status make_plan(hx_handle *h, int exchange, const hxi_neighbors *neighbors)
{
    hxi_schedule_request requested = {.by = h->why.schedule,
                                      .one_machine = h->topology.one_machine,
                                      .by_hand = hxi_transport_by_hand(h->options.transport)};
    hxi_schedule_named(h->options.schedule, &requested.schedule);
    hx_options options = h->options;
    const hxi_tuned *tuned = h->tuned ? &h->tuned[exchange] : NULL;
    if (h->device && hxi_device_has(h->spec, &h->spec->exchange[exchange])) {
        options.transport = transport_on_device(h, exchange);
    } else if (tuned && tuned->taken.transport) {
        options.transport = tuned->taken.transport->name;
    } else {
        options.transport = transport_on_host(h);
    }
    if (tuned && tuned->taken.transport && hxi_tuned_has_schedules(&h->options, &h->topology)) {
        requested.by = hxi_tuned_by(tuned);
        requested.schedule = tuned->taken.schedule;
    }
    hxi_message_placing placing = {.why = h->why.messages};
    hxi_messages_named(h->options.device_messages, &placing.messages);
    if (tuned && tuned->taken.messages != HX_MESSAGES_AUTO) {
        placing = (hxi_message_placing){tuned->taken.messages, hxi_tuned_by(tuned)};
    }
    const hxi_schedule_choice schedule =
        hxi_schedule_choose(h->spec, &h->spec->exchange[exchange], &h->layout, &requested);
    const hxi_setting setting = {.around = {h->spec, &h->layout, &h->mine, neighbors, h->topology.rank, NULL},
                                 .topology = &h->topology,
                                 .options = &options,
                                 .device = h->device,
                                 .inherits = h->inherits};
    return hxi_plan_make(&setting, exchange, &schedule, &placing, &h->plan[exchange]);
}

static hx_status make_plans(hx_handle *h)
{
    h->plan = hxi_memory_get((size_t)h->spec->exchanges, sizeof *h->plan, "the plans of the exchanges");
    if (!h->plan) {
        return HX_ERR_MEMORY;
    }
    hxi_neighbors neighbors = {0};
    hx_status status = h->spec->list || h->inherits
                           ? HX_OK
                           : hxi_neighbors_find(h->spec, &h->layout, &h->mine, reach_of(h->spec), &neighbors);
    while (status == HX_OK && h->plans < h->spec->exchanges) {
        status = make_plan(h, h->plans, &neighbors);
        h->plans++;
    }
    hxi_memory_free(neighbors.place);
    for (int i = 0; i < h->plans && status == HX_OK && h->options.share_buffers; ++i) {
        const size_t bytes = h->plan[i].device ? 0 : hxi_plan_buffer_bytes(&h->plan[i], false);
        h->buffers.most = bytes > h->buffers.most ? bytes : h->buffers.most;
    }
    return status;
}

/* Lays out this rank's part of what the ranks of a node show each other. */
static hx_status make_board(hx_handle *h)
{
    int boxes = 0;
    for (int i = 0; i < h->plans; ++i) {
        boxes += hxi_plan_boxes(&h->plan[i]);
    }
    const hx_status status = hxi_board_make(h->spec, &h->mine, boxes, &h->board);
    for (int i = 0; i < h->plans && status == HX_OK; ++i) {
        hxi_plan_add_boxes(&h->plan[i], &h->board);
    }
    return status == HX_OK && h->device ? hxi_device_boxes_make(h->device, &h->topology, &h->board, &h->boxes)
                                        : status;
}

/* Fewer threads than asked for are no failure: results are the same. */
static hx_status open_team(hx_handle *h)
{
    h->team = hxi_memory_get(1, sizeof *h->team, "the threads of a handle");
    hxi_region *region = hxi_memory_get(1, sizeof *region, "the threads of a handle");
    if (!h->team || !region) {
        hxi_memory_free(region);
        return HX_ERR_MEMORY;
    }
    const bool crowded = h->topology.node_ranks > h->topology.processors / h->options.threads;
    hxi_region_open(region, crowded ? 0 : HX_CREW_PATIENCE);
    h->region = region;
    const hxi_team_request request = {.threads = h->options.threads,
                                      .given = h->options.team,
                                      .single = h->topology.single,
                                      .crowded = crowded};
    hxi_team_open(&request, h->team);
    if (h->team->why[0] != '\0') {
        hxi_log(&h->options, HX_LOG_WARNING, "%s_create: %d of %d threads on rank %d: %s", h->spec->name,
                h->team->parts, h->options.threads, h->topology.rank, h->team->why);
    }
    return HX_OK;
}

static hx_status make_exchanges(hx_handle *h)
{
    hx_status status = open_team(h);
    status = status == HX_OK ? make_plans(h) : status;
    status = status == HX_OK ? hxi_cycles_make(h) : status;
    return status == HX_OK ? make_board(h) : status;
}

/* A grid without boxes: its lists say who feeds whom. */
static hx_status make_lists(hx_handle *h, const void *shape)
{
    if (!h->given) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The index list given to %s_create is a null pointer; give the address of an "
                        "hx_index_list.",
                        h->spec->name);
    }
    hx_part part;
    memcpy(&part, shape, sizeof part);
    hx_status status = hxi_block_check_listed(h->spec, h->topology.rank, &part);
    if (status == HX_OK) {
        status = hxi_lists_make(h->spec, h->given, part.n[0], h->topology.rank, h->topology.ranks, &h->lists);
    }
    if (status == HX_OK) {
        status = hxi_lists_promise(&h->lists, h->topology.rank, &h->promises);
    }
    return status == HX_OK ? hxi_layout_make_listed(&h->lists, h->topology.ranks, &h->layout) : status;
}

/* Of a table, which is the application's: who moves fields later asks for it. */
static hx_status keep_owners(hx_handle *h)
{
    const size_t blocks = (size_t)h->layout.blocks;
    if (!h->layout.owners) {
        return HX_OK;
    }
    h->owner_of = hxi_memory_get(blocks, sizeof *h->owner_of, "the owners of blocks");
    if (!h->owner_of) {
        return HX_ERR_MEMORY;
    }
    memcpy(h->owner_of, h->layout.owners, blocks * sizeof *h->owner_of);
    return HX_OK;
}

/* What needs no other rank, up to the blocks. */
static hx_status prepare(hx_handle *h, const hx_blocks *blocks, const void *shapes, const hx_options *options)
{
    hx_status status = check_spec(h->spec);
    status = status == HX_OK ? check_model(h->spec, h->model) : status;
    if (status == HX_OK && h->options.size == 0) {
        status = hxi_options_resolve(options, &h->options, &h->why);
    }
    if (status == HX_OK) {
        status = check_shapes(h->spec, blocks, shapes);
    }
    const int64_t most =
        (h->topology.last_tag + INT64_C(1)) / HX_MAX_AXES - 1; /* the last tags are not theirs */
    if (status == HX_OK && h->spec->exchanges > most) {
        status =
            hxi_fail(HX_ERR_LIMIT,
                     "%s has %d exchanges; this MPI has tags for %d.  Divide the exchanges among more specs.",
                     h->spec->file, h->spec->exchanges, (int)most);
    }
    if (status == HX_OK) {
        status =
            hxi_buffers_open(h->options.pool, h->options.check, h->options.share_buffers != 0, &h->buffers);
    }
    if (status == HX_OK && hxi_device_has(h->spec, NULL)) {
        status = hxi_device_open(h->spec, &h->options, h->topology.node_ranks, &h->device);
    }
    if (status == HX_OK) {
        status = h->spec->list ? make_lists(h, shapes)
                               : hxi_layout_make(h->spec, blocks, h->topology.ranks, &h->layout);
    }
    if (status == HX_OK) {
        status = hxi_blocks_make(h->spec, &h->layout, h->topology.rank, blocks->count, shapes, &h->mine);
    }
    return status == HX_OK ? keep_owners(h) : status;
}

/* ---- what all ranks do together ------------------------------------------------------------------------ */

static void describe_grid(const hx_handle *h, const hx_blocks *blocks, hxi_text *text)
{
    char cells[HX_PRODUCT];
    char parts[HX_PRODUCT];
    if (h->spec->list) {
        hxi_text_add(text, "lists of points");
        for (int a = 1; a < h->spec->axes; ++a) {
            hxi_text_add(text, " with %d along %s", h->mine.block[0].cells[a], h->spec->axis[a]);
        }
        return;
    }
    const hx_partition *first = &blocks->partition[0];
    hxi_text_add(text, "partition of %s cells into %s parts (fingerprint %016llx)",
                 hxi_product(h->spec->axes, first->cells, cells),
                 hxi_product(h->spec->axes, first->ranks, parts),
                 (unsigned long long)hxi_layout_hash(&h->layout));
}

static hxi_identity describe_identity(const hx_handle *h, const hx_blocks *blocks)
{
    hxi_identity id = {0};
    hxi_text text = {id.trait[0], HX_TRAIT, 0};
    hxi_text_add(&text, "spec %s, model %016llx", h->spec->name, (unsigned long long)h->spec->hash);
    text = (hxi_text){id.trait[1], HX_TRAIT, 0};
    describe_grid(h, blocks, &text);
    text = (hxi_text){id.trait[2], HX_TRAIT, 0};
    hxi_text_add(&text, "option transport \"%s\"", h->why.any_transport ? "auto" : h->options.transport);
    text = (hxi_text){id.trait[3], HX_TRAIT, 0};
    hxi_text_add(&text, "option check %d", h->options.check);
    text = (hxi_text){id.trait[4], HX_TRAIT, 0};
    hxi_text_add(&text, "option schedule \"%s\"", h->options.schedule);
    text = (hxi_text){id.trait[5], HX_TRAIT, 0};
    hxi_text_add(&text, "option share_buffers %d%s", h->options.share_buffers,
                 !h->options.share_buffers ? ""
                 : h->options.pool         ? ", among the handles of a pool"
                                           : ", within a handle");
    text = (hxi_text){id.trait[6], HX_TRAIT, 0};
    hxi_text_add(&text, "options tune %d and cycles %d", h->options.tune, h->options.cycles);
    text = (hxi_text){id.trait[7], HX_TRAIT, 0};
    if (blocks->owners) {
        hxi_text_add(&text, "table hx_blocks.owners (fingerprint %016llx)",
                     (unsigned long long)hxi_layout_owners_hash(&h->layout));
    } else {
        hxi_text_add(&text, "no table hx_blocks.owners");
        if (h->layout.land > 0) {
            hxi_text_add(&text, ", %d block%s without an owner", h->layout.land, hxi_s(h->layout.land));
        }
    }
    text = (hxi_text){id.trait[8], HX_TRAIT, 0};
    hxi_text_add(&text, "option device_messages \"%s\"", h->options.device_messages);
    return id;
}

/*
 * Collective: no rank has failed so far, and specs, partitions and options are the same everywhere.  *given: of how many
 * blocks the ranks gave the shapes.
 */
static hx_status compare_ranks(hx_handle *h, const hx_blocks *blocks, hx_status status, int64_t *given)
{
    const hxi_identity id = status == HX_OK ? describe_identity(h, blocks) : (hxi_identity){0};
    hxi_likeness likeness = {.hash = hxi_identity_hash(&id), .told = h->asked, .count = h->mine.blocks};
    status = hxi_topology_agree_alike(blocks->comm, status, &likeness);
    h->asked = likeness.told;
    *given = likeness.count;
    return status != HX_OK || likeness.alike
               ? status
               : hxi_topology_agree(blocks->comm, hxi_topology_compare(blocks->comm, &id));
}

/* Of a handle like another one: options are the same, and the table of owners says how many blocks a rank has. */
static hx_status compare_like(hx_handle *h, const hx_blocks *blocks)
{
    const hxi_identity id = describe_identity(h, blocks);
    const int owned = hxi_layout_owned(&h->layout, h->topology.rank);
    h->asked = h->like->asked;
    hxi_first first = {0};
    hxi_first_note(&first, hxi_topology_compare(blocks->comm, &id));
    if (first.status == HX_OK && h->mine.blocks != owned) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "This rank gave the shapes of %d block%s; it owns %d.  Each rank gives the shapes of all "
            "blocks it owns.",
            h->mine.blocks, hxi_s(h->mine.blocks), owned);
    }
    return hxi_first_tell(&first);
}

/* Before plans are made known: what these say of lists that do not fit is not the reason. */
static hx_status confirm_lists(hx_handle *h, MPI_Comm comm)
{
    return h->spec->list ? hxi_topology_agree(comm, hxi_topology_confirm(&h->topology, 0, &h->promises))
                         : HX_OK;
}

static hx_status confirm_plans(hx_handle *h)
{
    hxi_first first = {0};
    for (int i = 0; i < h->plans; ++i) {
        hxi_first_note(&first, hxi_plan_confirm(&h->plan[i], &h->topology));
    }
    return hxi_first_tell(&first);
}

static hx_status bind_plans(hx_handle *h)
{
    const hxi_means means = {.mine = &h->mine,
                             .topology = &h->topology,
                             .team = h->team,
                             .buffers = &h->buffers,
                             .board = &h->board,
                             .boxes = h->boxes,
                             .nccl = h->nccl,
                             .sets = &h->sets,
                             .options = &h->options};
    hxi_first first = {0};
    for (int i = 0; i < h->plans; ++i) {
        hxi_first_note(&first, hxi_plan_bind(&h->plan[i], &means));
    }
    return hxi_first_tell(&first);
}

/* Collective over the node; also of ranks that have made no exchanges, and so have nothing to show. */
static hx_status show(hx_handle *h, bool made)
{
    const hx_status met = h->device ? hxi_device_meet(h->device, &h->topology) : HX_OK;
    const hx_status shown = hxi_board_show(&h->topology, &h->board);
    const hx_status status = met == HX_OK ? shown : met;
    if (shown == HX_OK && h->device && made) {
        hxi_device_boxes_open(h->boxes, &h->board);
    } else if (shown == HX_OK && h->device) {
        hxi_device_boxes_open_without(&h->board);
    }
    return status;
}

/* What this rank has to do with each other one, in exchanges with fields on a device. */
static unsigned char *find_talks(const hx_handle *h)
{
    unsigned char *talks = hxi_memory_get((size_t)h->topology.ranks, 1, "the peers of exchanges");
    for (int e = 0; e < h->plans && talks; ++e) {
        const hxi_routes *routes = &h->plan[e].routes;
        for (int i = 0; i < routes->routes && h->plan[e].device; ++i) {
            const hxi_route *route = &routes->route[i];
            talks[route->peer] |= (unsigned char)((route->sends ? HX_NCCL_SENDS : 0) |
                                                  (route->receives ? HX_NCCL_RECEIVES : 0));
        }
    }
    return talks;
}

hx_status hxi_handle_open_nccl(hx_handle *h)
{
    unsigned char *talks = find_talks(h);
    const hx_status status =
        hxi_nccl_open(h->device, &h->topology, talks, talks ? HX_OK : HX_ERR_MEMORY, &h->nccl);
    hxi_memory_free(talks);
    return status;
}

static hx_status open_nccl(hx_handle *h)
{
    bool wanted = false;
    for (int e = 0; e < h->plans; ++e) {
        wanted = wanted || (h->plan[e].device && hxi_plan_wants_stream(&h->plan[e]));
    }
    return wanted && !h->nccl ? hxi_handle_open_nccl(h) : HX_OK;
}

/* All ranks are here before any of them waits in a call of MPI.  Trials come after that. */
static hx_status arrive(const hx_handle *h, const hx_blocks *blocks, const hx_options *options)
{
    hx_options wanted;
    hxi_reasons why;
    char buffer[HX_CALL];
    if (h->options.size != 0) {
        return HX_OK;
    }
    const bool known = hxi_options_resolve(options, &wanted, &why) == HX_OK;
    return hxi_arrival_wait(blocks->comm, hxi_handle_call(h->spec, buffer), is_named(h->spec),
                            known ? wanted.deadline : 0.0);
}

/* From nothing: until ranks are known to want the same. */
static hx_status begin(hx_handle *h, const hx_blocks *blocks, const void *shapes, const hx_options *options,
                       hx_status ready, int64_t *given)
{
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    hxi_first_note(&first, hxi_topology_open(blocks->comm, &h->topology));
    hxi_first_note(&first, hxi_topology_find_node(blocks->comm, &h->topology));
    /* Before ranks are compared: what they say about each other when one of them failed is not the reason. */
    hxi_first_note(&first, first.status == HX_OK ? prepare(h, blocks, shapes, options) : first.status);
    hxi_first_note(&first, hxi_asked_read(h));
    return compare_ranks(h, blocks, hxi_first_tell(&first), given);
}

/* The same, like another handle: options need not be compared, and its exchanges are made. */
static hx_status begin_like(hx_handle *h, const hx_blocks *blocks, const void *shapes, hx_status ready)
{
    const int *owner = NULL;
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    hxi_first_note(&first, hxi_redistribute_owners(h->like, h->like, &owner));
    hxi_first_note(&first, hxi_topology_copy(&h->like->topology, &h->topology));
    hxi_first_note(&first, first.status == HX_OK ? prepare(h, blocks, shapes, NULL) : first.status);
    hx_status status = hxi_topology_agree(blocks->comm, hxi_first_tell(&first));
    if (status == HX_OK) {
        const hx_status same = compare_like(h, blocks);
        bool together = true;
        status = hxi_inherit_make(h, same, &h->inherits, &together);
        if (!together) {
            h->broken = status;
            return status;
        }
        status = hxi_topology_agree(blocks->comm, status == HX_OK ? make_exchanges(h) : status);
        hxi_inherit_free(h->inherits);
        h->inherits = NULL;
    }
    return status;
}

/* How it went on this rank, step by step: each goes on where another one failed, and all agree in the end. */
typedef struct steps {
    hxi_first made;
    hxi_first shown;
    hxi_first bound;
} steps;

/* The same on all ranks: does binding take calls that all ranks make? */
static bool binds_together(const hx_handle *h)
{
    const hxi_transport *asked = hxi_transport_named(h->options.transport);
    bool together = !asked || (asked->flags & HX_TRANSPORT_TOGETHER) != 0;
    for (int e = 0; h->tuned && e < h->spec->exchanges; ++e) {
        const hxi_transport *tuned = h->tuned[e].taken.transport;
        together = together || (tuned && (tuned->flags & HX_TRANSPORT_TOGETHER) != 0);
    }
    return together;
}

/*
 * Local.  Where a function says who owns what it is asked about blocks that are near.  But where ranks gave the shapes of
 * fewer blocks than there are, each asks about all: some may have no owner.
 */
static hx_status check_given(hx_handle *h, int64_t given)
{
    const bool few = h->layout.asks && given != h->layout.blocks;
    const hx_status status = few ? hxi_layout_find_land(&h->layout) : HX_OK;
    const int owned = h->layout.blocks - h->layout.land;
    if (status != HX_OK || given == owned) {
        return status;
    }
    return hxi_fail(
        HX_ERR_PARTITION,
        "All ranks together gave the shapes of %lld block%s; the partition has %d%s.  Each rank gives the "
        "shapes of all blocks it owns.",
        (long long)given, hxi_s(given), owned, h->layout.land > 0 ? " with an owner" : "");
}

/* What all ranks make from there: each may fail alone. */
static hx_status make_alone(hx_handle *h, int64_t given)
{
    const hx_status status = hxi_topology_meet_node(&h->topology);
    const hx_status checked = status == HX_OK ? check_given(h, given) : status;
    return checked == HX_OK ? make_exchanges(h) : checked;
}

/* Collective, where something is wrong somewhere: what, in the order in which it came. */
static hx_status find_reason(hx_handle *h, MPI_Comm comm, const steps *s)
{
    hx_status status = hxi_topology_agree(comm, hxi_first_tell(&s->made));
    status = status == HX_OK ? confirm_lists(h, comm) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, confirm_plans(h)) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, hxi_first_tell(&s->shown)) : status;
    return status == HX_OK ? hxi_topology_agree(comm, hxi_first_tell(&s->bound)) : status;
}

/*
 * Collective.  No rank has failed, and what each promises to send the others expect.  One sum says so; only where it says
 * otherwise the ranks talk.
 */
static hx_status settle(hx_handle *h, MPI_Comm comm, const steps *s)
{
    enum { FAILED, BALANCE, SUMS };
    const bool failed = s->made.status != HX_OK || s->shown.status != HX_OK || s->bound.status != HX_OK;
    uint64_t mine[SUMS] = {failed, 0};
    uint64_t sum[SUMS] = {0};
    for (int i = 0; i < h->plans && !failed; ++i) {
        mine[BALANCE] += hxi_confirmation_balance(&h->plan[i].confirmation, h->topology.rank, i);
    }
    mine[BALANCE] += hxi_confirmation_balance(&h->promises, h->topology.rank, -1);
    const hx_status status = hxi_topology_add_up(comm, mine, sum, SUMS);
    return status == HX_OK && (sum[FAILED] != 0 || sum[BALANCE] != 0) ? find_reason(h, comm, s) : status;
}

/* Collective, one after the other: each step may call all ranks together. */
static hx_status bind_together(hx_handle *h, MPI_Comm comm, steps *s)
{
    hx_status status = settle(h, comm, s);
    status = status == HX_OK ? hxi_topology_agree(comm, open_nccl(h)) : status;
    return status == HX_OK ? hxi_topology_agree(comm, bind_plans(h)) : status;
}

/* Collective: from exchanges, which a rank may have failed to make, to a handle. */
static hx_status complete(hx_handle *h, MPI_Comm comm, steps *s)
{
    hxi_first_note(&s->shown, show(h, s->made.status == HX_OK));
    if (binds_together(h)) {
        return bind_together(h, comm, s);
    }
    if (s->made.status == HX_OK && s->shown.status == HX_OK) {
        hxi_first_note(&s->bound, bind_plans(h));
    }
    return settle(h, comm, s);
}

/* No more is promised. */
static void free_promises(hx_handle *h)
{
    for (int i = 0; i < h->plans; ++i) {
        hxi_confirmation_free(&h->plan[i].confirmation);
    }
    hxi_confirmation_free(&h->promises);
}

/*
 * The calls of MPI that all ranks make, where nothing fails: two of arrive, MPI_Comm_dup, MPI_Comm_split_type, and the
 * reductions of compare_ranks and settle.  tests/exchange/counted.c counts them.
 */
static hx_status create(hx_handle *h, const hx_blocks *blocks, const void *shapes, const hx_options *options,
                        hx_status ready)
{
    steps s = {0};
    int64_t given = 0;
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    const hx_status here = arrive(h, blocks, options);
    if (hxi_arrival_failed(here)) {
        return here;
    }
    hxi_first_note(&first, here);
    const hx_status early = hxi_first_tell(&first);
    hx_status status =
        h->like ? begin_like(h, blocks, shapes, early) : begin(h, blocks, shapes, options, early, &given);
    if (status == HX_OK && !h->like) {
        hxi_first_note(&s.made, make_alone(h, given));
        h->layout.asks = false; /* the function is the application's again */
    }
    status = status == HX_OK ? complete(h, blocks->comm, &s) : status;
    free_promises(h);
    return status;
}

/* A rank without memory for a handle takes part all the same. */
hx_status hxi_handle_make(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                          const hx_options *options, hx_status ready, hx_handle **made)
{
    hx_handle *handle = ready == HX_OK ? hxi_memory_get(1, sizeof *handle, "a handle") : NULL;
    hx_handle none = *model;
    if (handle) {
        *handle = *model;
    }
    hx_status status = ready == HX_OK && !handle ? HX_ERR_MEMORY : ready;
    status = create(handle ? handle : &none, blocks, shapes, options, status);
    if (status != HX_OK) {
        hxi_first first = {0};
        hxi_first_note(&first, status); /* a device that is lost fails again when it is left */
        hxi_handle_release(handle ? handle : &none);
        hxi_memory_free(handle);
        return hxi_first_tell(&first);
    }
    static _Atomic uint64_t handles;
    handle->number = atomic_fetch_add(&handles, 1) + 1;
    hxi_progress_open(handle);
    hxi_owner_take(handle, handle->topology.one_thread);
    static const hxi_meeting_of of = {"handle", "The handle can only be destroyed now."};
    hxi_meeting_open(&handle->meeting, &handle->topology, &of);
    *made = handle;
    return HX_OK;
}

hx_status hxi_handle_make_like(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                               hx_handle **made)
{
    const hx_handle clean = {.spec = model->spec,
                             .options = model->options,
                             .why = model->why,
                             .tuned = model->tuned,
                             .given = model->given,
                             .nccl = hxi_nccl_share(model->nccl),
                             .topology = hxi_topology_none()};
    return hxi_handle_make(&clean, blocks, shapes, NULL, HX_OK, made);
}
