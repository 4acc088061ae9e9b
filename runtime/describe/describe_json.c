/*
 * A handle as JSON: who has which blocks, and for each exchange the messages, where their points come from
 * and go to, and what was measured.
 */
#include "describe/describe_json.h"

#include "audit/value.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/status.h"
#include "describe/call_times.h"
#include "exchange/cycle.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <hx/version.h>

#include <stdio.h>
#include <unistd.h>

/* ---- the rank ------------------------------------------------------------------------------------------ */

static void add_rank(const hx_handle *h, hxi_json *json)
{
    char hash[17];
    char host[256] = "";
    const hxi_topology *t = &h->topology;
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)h->spec->hash);
    gethostname(host, sizeof host - 1);
    hxi_json_string(json, "format", "halogen-run");
    hxi_json_number(json, "version", 1);
    hxi_json_string(json, "spec", h->spec->name);
    hxi_json_string(json, "file", h->spec->file);
    hxi_json_string(json, "hash", hash);
    hxi_json_string(json, "libhx", HX_VERSION);
    hxi_json_number(json, "rank", t->rank);
    hxi_json_number(json, "ranks", t->ranks);
    hxi_json_string(json, "host", host);
    hxi_json_numbers(json, "node", t->member, t->node_ranks);
    hxi_json_bool(json, "crowded", t->crowded);
    hxi_json_string(json, "transport", h->options.transport);
    hxi_json_string(json, "transport_why", h->why.transport);
}

static void add_tiles(const hx_handle *h, hxi_json *json)
{
    hxi_json_open(json, "tiles", '[');
    for (int t = 0; t < h->layout.tiles && !h->spec->list; ++t) {
        hxi_json_open(json, NULL, '{');
        hxi_json_numbers(json, "cells", h->layout.tile[t].cells, h->spec->axes);
        hxi_json_numbers(json, "parts", h->layout.tile[t].parts, h->spec->axes);
        hxi_json_number(json, "without_owner", hxi_layout_land_of(&h->layout, t));
        hxi_json_close(json, '}');
    }
    hxi_json_close(json, ']');
}

static void add_blocks(const hx_handle *h, hxi_json *json)
{
    hxi_json_open(json, "blocks", '[');
    for (int b = 0; b < h->mine.blocks; ++b) {
        const hxi_block *block = &h->mine.block[b];
        int first[HX_MAX_AXES] = {0};
        if (!h->spec->list) {
            hxi_layout_index(&h->layout, block->tile, block->number, first);
            for (int a = 0; a < h->spec->axes; ++a) {
                first[a] = hxi_tile_cut(&h->layout.tile[block->tile], a, first[a]);
            }
        }
        hxi_json_open(json, NULL, '{');
        hxi_json_number(json, "tile", block->tile);
        hxi_json_number(json, "block", block->number);
        hxi_json_numbers(json, "first", first, h->spec->axes);
        hxi_json_numbers(json, "cells", block->cells, h->spec->axes);
        hxi_json_close(json, '}');
    }
    hxi_json_close(json, ']');
}

static void add_fields(const hx_spec *spec, hxi_json *json)
{
    hxi_json_open(json, "axes", '[');
    for (int a = 0; a < spec->axes; ++a) {
        hxi_json_string(json, NULL, spec->axis[a]);
    }
    hxi_json_close(json, ']');
    hxi_json_open(json, "fields", '[');
    for (int f = 0; f < spec->fields; ++f) {
        const hx_field *field = &spec->field[f];
        hxi_json_open(json, NULL, '{');
        hxi_json_string(json, "name", field->name);
        hxi_json_number(json, "line", field->line);
        hxi_json_string(json, "type", field->type);
        hxi_json_number(json, "size", field->size);
        hxi_json_numbers(json, "halo_lo", field->halo_lo, spec->axes);
        hxi_json_numbers(json, "halo_hi", field->halo_hi, spec->axes);
        hxi_json_bool(json, "device", field->on_device != 0);
        hxi_json_close(json, '}');
    }
    hxi_json_close(json, ']');
}

static void add_memory(const hx_handle *h, hxi_json *json)
{
    hx_pool_counters counters = {0};
    hx_pool_count(h->buffers.pool, &counters);
    hxi_json_number(json, "buffer_bytes", (int64_t)counters.in_use);
    hxi_json_number(json, "shared_bytes", h->board.memory.shared ? (int64_t)h->board.memory.bytes : 0);
}

/* ---- segments ------------------------------------------------------------------------------------------ */

static const char *name_kernel(hxi_op_kind kind, bool general)
{
    static const char *const names[] = {[HX_OP_PAIR] = "pair",
                                        [HX_OP_TURNED] = "turned",
                                        [HX_OP_PICKED] = "picked",
                                        [HX_OP_LISTED] = "listed"};
    return kind != HX_OP_PLAIN ? names[kind] : general ? "general" : "strip";
}

/* Does an operation move what lies there in that message? */
static bool serves(hxi_op_kind kind, const int message[2], const size_t offset[2], int number, size_t place)
{
    return (message[0] == number && offset[0] == place) ||
           (kind == HX_OP_PAIR && message[1] == number && offset[1] == place);
}

/* Which kernel packs a segment of message `number`; NULL: a device does, or nobody need. */
static const char *packed_by(const hxi_plan *plan, const hxi_ops *ops, int number, const hxi_segment *segment)
{
    const hx_kernels *kernels = plan->exchange->field[segment->item].kernels;
    const char *name = NULL;
    for (int i = 0; i < ops->packs && !name; ++i) {
        const hxi_pack_op *op = &ops->pack[i];
        if (serves(op->kind, op->message, op->offset, number, segment->link.offset)) {
            name = name_kernel(op->kind, op->kind == HX_OP_PLAIN && op->run.plain == kernels->pack);
        }
    }
    return name;
}

static const char *unpacked_by(const hxi_plan *plan, const hxi_ops *ops, int number,
                               const hxi_segment *segment)
{
    const hx_kernels *kernels = plan->exchange->field[segment->item].kernels;
    const char *name = NULL;
    for (int i = 0; i < ops->unpacks && !name; ++i) {
        const hxi_unpack_op *op = &ops->unpack[i];
        if (serves(op->kind, op->message, op->offset, number, segment->link.offset)) {
            name = name_kernel(op->kind, op->kind == HX_OP_PLAIN && op->run.plain == kernels->unpack);
        }
    }
    return name;
}

static void add_segment(const hx_spec *spec, const hxi_segment *segment, const char *kernel, hxi_json *json)
{
    const hx_link *link = &segment->link;
    hxi_json_open(json, NULL, '{');
    hxi_json_number(json, "field", link->field);
    hxi_json_number(json, "tile", link->tile);
    hxi_json_number(json, "block", link->block);
    hxi_json_numbers(json, "direction", link->direction, spec->axes);
    hxi_json_numbers(json, "lo", link->lo, spec->axes);
    hxi_json_numbers(json, "hi", link->hi, spec->axes);
    hxi_json_number(json, "source_tile", link->source_tile);
    hxi_json_number(json, "source_block", link->source_block);
    hxi_json_number(json, "source_field", link->source_field);
    hxi_json_numbers(json, "source_first", link->source_first, spec->axes);
    hxi_json_numbers(json, "axis", link->axis, spec->axes);
    hxi_json_numbers(json, "turn", link->turn, spec->axes);
    hxi_json_number(json, "sign", link->sign);
    hxi_json_number(json, "offset", (int64_t)link->offset);
    hxi_json_number(json, "bytes", (int64_t)segment->bytes);
    hxi_json_number(json, "components", link->components);
    hxi_json_string(json, "kernel", kernel);
    hxi_json_close(json, '}');
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* How often a message went straight into arrays of its receiver. */
static uint64_t count_pushed(const hxi_phase *phase, const hxi_contents *contents, bool sent)
{
    if (!sent || contents->delivery != HX_PUSHED) {
        return 0;
    }
    return phase->push       ? phase->push[contents - phase->send].partners.partner->runs
           : phase->straight ? hxi_device_direct_runs(phase->straight, contents->peer)
                             : 0;
}

static void add_message(const hxi_plan *plan, const hxi_phase *phase, const hxi_contents *contents, bool sent,
                        hxi_json *json)
{
    const int number = (int)(contents - (sent ? phase->send : phase->receive));
    hxi_json_open(json, NULL, '{');
    hxi_json_number(json, "rank", contents->peer);
    hxi_json_bool(json, "sent", sent);
    hxi_json_string(json, "transport", phase->binding[contents->transport].transport->name);
    hxi_json_number(json, "bytes", (int64_t)contents->bytes);
    hxi_json_string(json, "way",
                    contents->slot >= 0               ? "in place"
                    : contents->delivery == HX_PUSHED ? "arrays"
                                                      : "buffer");
    hxi_json_number(json, "pushed", (int64_t)count_pushed(phase, contents, sent));
    hxi_json_open(json, "segments", '[');
    for (int s = contents->segment; s < contents->segment + contents->segments; ++s) {
        const hxi_segment *segment = &phase->segments.segment[s];
        add_segment(plan->spec, segment,
                    sent ? packed_by(plan, &phase->ops, number, segment)
                         : unpacked_by(plan, &phase->ops, number, segment),
                    json);
    }
    hxi_json_close(json, ']');
    hxi_json_close(json, '}');
}

static void add_phase(const hxi_plan *plan, int number, hxi_json *json)
{
    const hxi_phase *phase = &plan->phase[number];
    hxi_json_open(json, NULL, '{');
    hxi_json_string(json, "axis",
                    plan->schedule.by_dimension ? plan->spec->axis[plan->schedule.axis[number]] : NULL);
    hxi_json_open(json, "messages", '[');
    for (int m = 0; m < phase->sends; ++m) {
        add_message(plan, phase, &phase->send[m], true, json);
    }
    for (int m = 0; m < phase->receives; ++m) {
        add_message(plan, phase, &phase->receive[m], false, json);
    }
    hxi_json_close(json, ']');
    hxi_json_number(json, "copied_bytes", (int64_t)phase->bytes_copied);
    hxi_json_open(json, "copies", '[');
    for (int s = 0; s < phase->segments.count; ++s) {
        if (phase->segments.segment[s].kind == HX_WITHIN) {
            add_segment(plan->spec, &phase->segments.segment[s], NULL, json);
        }
    }
    hxi_json_close(json, ']');
    hxi_json_close(json, '}');
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

/* What goes to a peer, or comes from it, in all phases. */
typedef struct sum {
    int messages;
    size_t bytes;
} sum;

static sum add_up(const hxi_plan *plan, int peer, bool sent)
{
    sum all = {0, 0};
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_phase *phase = &plan->phase[p];
        for (int m = 0; m < (sent ? phase->sends : phase->receives); ++m) {
            const hxi_contents *contents = sent ? &phase->send[m] : &phase->receive[m];
            all.messages += contents->peer == peer;
            all.bytes += contents->peer == peer ? contents->bytes : 0;
        }
    }
    return all;
}

/* Whoever gave way to another transport says so where it is bound. */
static const hxi_binding *find_binding(const hxi_plan *plan, const hxi_route *route)
{
    const hxi_binding *found = &plan->phase[0].binding[route->transport];
    for (int p = 1; p < plan->phases && found->why[0] == '\0'; ++p) {
        found = &plan->phase[p].binding[route->transport];
    }
    return found;
}

static void add_peers(const hx_handle *h, const hxi_plan *plan, hxi_json *json)
{
    hxi_json_open(json, "peers", '[');
    for (int r = 0; r < plan->routes.routes; ++r) {
        const hxi_route *route = &plan->routes.route[r];
        const hxi_binding *binding = find_binding(plan, route);
        const sum sent = add_up(plan, route->peer, true);
        const sum received = add_up(plan, route->peer, false);
        hxi_json_open(json, NULL, '{');
        hxi_json_number(json, "rank", route->peer);
        hxi_json_bool(json, "same_node", hxi_topology_node_rank(&h->topology, route->peer) >= 0);
        hxi_json_string(json, "transport", binding->transport->name);
        hxi_json_string(json, "why", binding->why[0] != '\0' ? binding->why : route->why);
        hxi_json_number(json, "messages_sent", sent.messages);
        hxi_json_number(json, "messages_received", received.messages);
        hxi_json_number(json, "bytes_sent", (int64_t)sent.bytes);
        hxi_json_number(json, "bytes_received", (int64_t)received.bytes);
        hxi_json_close(json, '}');
    }
    hxi_json_close(json, ']');
}

static void add_calls(const hxi_call_times *times, const char *key, hxi_json *json)
{
    hxi_json_open(json, key, '{');
    hxi_json_seconds(json, "mean", times->calls > 0 ? times->total / (double)times->calls : 0.0);
    hxi_json_seconds(json, "least", times->least);
    hxi_json_seconds(json, "most", times->most);
    hxi_json_close(json, '}');
}

static void add_times(const struct hxi_exchange_times *times, const hx_traffic *traffic, hxi_json *json)
{
    hxi_json_open(json, "times", '{');
    hxi_json_number(json, "calls", (int64_t)times->finish.calls);
    add_calls(&times->start, "start", json);
    add_calls(&times->finish, "finish", json);
    hxi_json_seconds(json, "pack_seconds", traffic->pack_seconds);
    hxi_json_seconds(json, "wait_seconds", traffic->wait_seconds);
    hxi_json_seconds(json, "unpack_seconds", traffic->unpack_seconds);
    hxi_json_close(json, '}');
}

static void add_plan(const hx_handle *h, const hxi_plan *plan, hxi_json *json)
{
    const hxi_tuned *tuned = h->tuned ? &h->tuned[plan->number] : NULL;
    hxi_json_open(json, NULL, '{');
    hxi_json_string(json, "name", plan->exchange->name);
    hxi_json_number(json, "line", plan->exchange->line);
    hxi_json_open(json, "fields", '[');
    for (int f = 0; f < plan->exchange->fields; ++f) {
        hxi_json_number(json, NULL, plan->exchange->field[f].field);
    }
    hxi_json_close(json, ']');
    hxi_json_open(json, "wires", '[');
    for (int f = 0; f < plan->exchange->fields; ++f) {
        hxi_json_string(json, NULL, hxi_wire_name(plan->exchange->field[f].wire));
    }
    hxi_json_close(json, ']');
    hxi_json_string(json, "schedule", plan->schedule.by_dimension ? "by-dimension" : "one-phase");
    hxi_json_string(json, "schedule_why", plan->schedule.why);
    hxi_json_string(json, "measured", tuned && tuned->about[0] != '\0' ? tuned->about : NULL);
    hxi_json_number(json, "buffer_bytes", (int64_t)hxi_plan_buffer_bytes(plan, false));
    add_peers(h, plan, json);
    hxi_json_open(json, "phases", '[');
    for (int p = 0; p < plan->phases; ++p) {
        add_phase(plan, p, json);
    }
    hxi_json_close(json, ']');
    if (h->times) {
        add_times(&h->times[plan->number], &plan->traffic, json);
    } else {
        hxi_json_value(json, "times", "null");
    }
    hxi_json_close(json, '}');
}

static void add_handle(const hx_handle *h, hxi_json *json)
{
    hxi_json_open(json, NULL, '{');
    add_rank(h, json);
    add_fields(h->spec, json);
    add_tiles(h, json);
    add_blocks(h, json);
    add_memory(h, json);
    hxi_json_open(json, "exchanges", '[');
    for (int e = 0; e < h->plans; ++e) {
        add_plan(h, &h->plan[e], json);
    }
    hxi_json_close(json, ']');
    hxi_cycles_describe_json(h, json);
    hxi_json_close(json, '}');
}

/* Held, so that what it counts stays as it is until it is written. */
char *hxi_describe_json(hx_handle *handle)
{
    hxi_progress_hold(handle);
    hxi_json measure = {0};
    add_handle(handle, &measure);
    const size_t size = measure.text.length + 1;
    char *text = hxi_memory_get(size, 1, "a description");
    if (text) {
        hxi_json written = {.text = {text, size, 0}};
        add_handle(handle, &written);
    }
    hxi_progress_release(handle);
    return text;
}

const char *hx_describe_json(hx_handle *handle)
{
    if (!handle) {
        hxi_fail(HX_ERR_ARGUMENT,
                 "The handle given to describe is a null pointer; give one that create made.");
        return NULL;
    }
    char *text = hxi_owner_check(handle, "describe") == HX_OK ? hxi_describe_json(handle) : NULL;
    if (text) {
        hxi_memory_free(handle->description);
        handle->description = text;
    }
    return text;
}
