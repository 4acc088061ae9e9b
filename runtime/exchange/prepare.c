/*
 * The parts of create that need no other rank.
 */
#include "exchange/prepare.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "exchange/cycle.h"
#include "exchange/descriptor.h"
#include "exchange/exchange.h"

#include <stdio.h>
#include <string.h>

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

/* A header of another model has other sizes and offsets: calls of who includes it would read wrong members. */
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
    hxi_memory_free(neighbors.neighbor);
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
    hxi_team_call *team_call = hxi_memory_get(1, sizeof *team_call, "the threads of a handle");
    if (!h->team || !team_call) {
        hxi_memory_free(team_call);
        return HX_ERR_MEMORY;
    }
    const bool crowded = h->topology.node_ranks > h->topology.processors / h->options.threads;
    hxi_team_call_open(team_call, crowded ? 0 : HX_CREW_PATIENCE);
    h->team_call = team_call;
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

hx_status hxi_prepare_exchanges(hx_handle *h)
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

hx_status hxi_prepare_blocks(hx_handle *h, const hx_blocks *blocks, const void *shapes,
                             const hx_options *options)
{
    hx_status status = check_spec(h->spec);
    status = status == HX_OK ? check_model(h->spec, h->model) : status;
    if (status == HX_OK && h->options.size == 0) {
        status = hxi_options_resolve(options, &h->options, &h->why);
    }
    if (status == HX_OK) {
        status = check_shapes(h->spec, blocks, shapes);
    }
    _Static_assert((int)HX_TAGS_RESERVED <= HX_MAX_AXES, "an exchange would have a reserved tag");
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
    return status == HX_OK
               ? hxi_blocks_make(h->spec, &h->layout, h->topology.rank, blocks->count, shapes, &h->mine)
               : status;
}
