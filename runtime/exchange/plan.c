#include "exchange/plan.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* Numbers the fields that an exchange reads or writes; -1 for the others.  Returns how many there are. */
static int number_fields(const hxi_plan *plan, int slot_of[])
{
    memset(slot_of, -1, (size_t)plan->spec->fields * sizeof *slot_of);
    for (int i = 0; i < plan->exchange->fields; ++i) {
        slot_of[plan->exchange->field[i].field] = 0;
    }
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_segments *segments = &plan->phase[p].segments;
        for (int i = 0; i < segments->count; ++i) {
            slot_of[segments->segment[i].link.source_field] = 0;
        }
    }
    int fields = 0;
    for (int f = 0; f < plan->spec->fields; ++f) {
        slot_of[f] = slot_of[f] < 0 ? -1 : fields++;
    }
    return fields;
}

static hx_status make_slots(hxi_plan *plan, const hxi_block_list *mine, const int slot_of[], int fields)
{
    plan->slots = mine->blocks * fields;
    plan->slot = hxi_memory_get((size_t)plan->slots, sizeof *plan->slot, "the arrays of an exchange");
    plan->base = hxi_memory_get((size_t)plan->slots, sizeof *plan->base, "the arrays of an exchange");
    plan->posting.published =
        hxi_memory_get((size_t)plan->slots, sizeof *plan->posting.published, "the arrays of an exchange");
    for (plan->seen_bits = 1; (size_t)plan->slots > (size_t)1 << (plan->seen_bits - 1);) {
        plan->seen_bits++;
    }
    plan->seen =
        hxi_memory_get((size_t)1 << plan->seen_bits, sizeof *plan->seen, "the arrays of an exchange");
    if (plan->device) {
        plan->on_device =
            hxi_memory_get((size_t)plan->slots, sizeof *plan->on_device, "the arrays of an exchange");
        plan->placed = hxi_memory_get((size_t)plan->slots, sizeof *plan->placed, "the arrays of an exchange");
    }
    if (!plan->slot || !plan->base || !plan->posting.published || !plan->seen ||
        (plan->device && (!plan->on_device || !plan->placed))) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < mine->blocks; ++b) {
        for (int f = 0; f < plan->spec->fields; ++f) {
            if (slot_of[f] >= 0) {
                plan->slot[b * fields + slot_of[f]] =
                    (hxi_slot){.pointer = (size_t)b * plan->spec->fields_size + plan->spec->field[f].pointer,
                               .block = b,
                               .field = f,
                               .bytes = hxi_block_bytes(plan->spec, &mine->block[b], f)};
            }
        }
    }
    plan->posting.slot = plan->slot;
    plan->posting.slots = plan->slots;
    plan->posting.fields = plan->spec->fields;
    plan->posting.on_device = plan->device != NULL;
    plan->posting.always = plan->schedule.by_dimension;
    for (int s = 0; plan->device && s < plan->slots; ++s) {
        plan->on_device[s] = plan->spec->field[plan->slot[s].field].on_device != 0;
    }
    return HX_OK;
}

/* ---- what ranks tell each other ------------------------------------------------------------------------ */

static void promise(const hxi_contents *contents, int count, hxi_promise *promises)
{
    for (int i = 0; i < count; ++i) {
        promises[i] = (hxi_promise){contents[i].peer, contents[i].bytes, contents[i].hash};
    }
}

static int compare_promises(const void *left, const void *right)
{
    const hxi_promise *a = left;
    const hxi_promise *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

/* By rising peer, the messages of all phases together; returns how many peers there are. */
static int join_promises(hxi_promise *promises, int count)
{
    if (count == 0) {
        return 0;
    }
    qsort(promises, (size_t)count, sizeof *promises, compare_promises);
    int joined = 0;
    for (int i = 1; i < count; ++i) {
        if (promises[i].peer == promises[joined].peer) {
            promises[joined].bytes += promises[i].bytes;
            promises[joined].hash += promises[i].hash; /* in any order: each has its phase and place in it */
        } else {
            promises[++joined] = promises[i];
        }
    }
    return joined + 1;
}

/* What this rank tells the others about its messages, and expects to be told. */
static hx_status make_confirmation(hxi_plan *plan)
{
    int sends = 0;
    int receives = 0;
    for (int p = 0; p < plan->phases; ++p) {
        sends += plan->phase[p].sends;
        receives += plan->phase[p].receives;
    }
    hxi_confirmation *c = &plan->confirmation;
    const hx_status status = hxi_confirmation_make(sends, receives, c);
    if (status != HX_OK) {
        return status;
    }
    sends = 0;
    receives = 0;
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_phase *phase = &plan->phase[p];
        promise(phase->send, phase->sends, c->send + sends);
        promise(phase->receive, phase->receives, c->expect + receives);
        sends += phase->sends;
        receives += phase->receives;
    }
    c->sends = join_promises(c->send, sends);
    c->expects = join_promises(c->expect, receives);
    return HX_OK;
}

/* Ranks that an exchange talks to in either direction; both lists are sorted by rank. */
static int count_peers(const hxi_confirmation *c)
{
    int peers = c->sends;
    for (int out = 0, in = 0; in < c->expects; ++in) {
        while (out < c->sends && c->send[out].peer < c->expect[in].peer) {
            ++out;
        }
        peers += out == c->sends || c->send[out].peer != c->expect[in].peer;
    }
    return peers;
}

static void count_traffic(hxi_plan *plan)
{
    plan->traffic.phases = plan->phases;
    plan->traffic.peers = count_peers(&plan->confirmation);
    for (int p = 0; p < plan->phases; ++p) {
        plan->traffic.messages += plan->phase[p].sends;
        plan->traffic.bytes_sent += plan->phase[p].bytes_sent;
        plan->traffic.bytes_copied += plan->phase[p].bytes_copied;
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static hx_status make_operations(hxi_plan *plan, const hxi_setting *setting)
{
    hxi_work work = {.spec = plan->spec,
                     .exchange = plan->exchange,
                     .mine = setting->around.mine,
                     .slot_of = plan->slot_of,
                     .fields = plan->fields};
    const hxi_layout *layout = setting->around.layout;
    hx_status status = HX_OK;
    hxi_kept_ops kept;
    for (int p = 0; p < plan->phases && status == HX_OK; ++p) {
        const bool keeps =
            setting->inherits && hxi_inherit_ops(setting->inherits, plan->number, p, plan->slot_of, &kept);
        work.kept = keeps && !plan->device ? &kept : NULL;
        status = hxi_phase_make(setting, &work, &plan->routes, plan->device, &plan->phase[p]);
    }
    if (status == HX_OK) {
        status = hxi_boundary_make(&work, layout, &plan->boundary);
    }
    if (status == HX_OK && plan->exchange->corner_fills > 0) {
        status = hxi_corners_make(&work, layout, &plan->corners);
    }
    if (status == HX_OK && plan->device && (plan->boundary.ops > 0 || plan->corners.ops > 0)) {
        status = hxi_device_fills_make(plan->device, &work, &plan->boundary, &plan->corners, &plan->fills);
    }
    return status;
}

static hx_status make_phases(hxi_plan *plan, const hxi_setting *setting)
{
    hxi_segments *segments[HX_MAX_AXES];
    for (int p = 0; p < plan->phases; ++p) {
        segments[p] = &plan->phase[p].segments;
    }
    const hx_status routed = hxi_routes_make(setting->topology, setting->options, plan->device != NULL,
                                             segments, plan->phases, &plan->routes);
    if (routed != HX_OK) {
        return routed;
    }
    plan->slot_of =
        hxi_memory_get((size_t)plan->spec->fields, sizeof *plan->slot_of, "the arrays of an exchange");
    if (!plan->slot_of) {
        return HX_ERR_MEMORY;
    }
    plan->fields = number_fields(plan, plan->slot_of);
    const hx_status status = make_slots(plan, setting->around.mine, plan->slot_of, plan->fields);
    return status == HX_OK ? make_operations(plan, setting) : status;
}

static hx_status find_segments(const hxi_setting *setting, const hxi_plan *plan, int phase,
                               hxi_segments *found)
{
    if (setting->inherits) {
        return hxi_inherit_segments(setting->inherits, &setting->around, plan->number, phase, found);
    }
    return plan->schedule.by_dimension
               ? hxi_segments_find_along(&setting->around, plan->number, &plan->schedule, phase, found)
               : hxi_segments_find(&setting->around, plan->number, found);
}

hx_status hxi_plan_make(const hxi_setting *setting, int number, const hxi_schedule_choice *schedule,
                        const hxi_message_placing *placing, hxi_plan *plan)
{
    const hx_spec *spec = setting->around.spec;
    const hx_options *options = setting->options;
    /* A plan is large, and all of it is zero so far. */
    plan->spec = spec;
    plan->exchange = &spec->exchange[number];
    plan->number = number;
    plan->schedule = *schedule;
    plan->device = hxi_device_has(spec, plan->exchange) ? setting->device : NULL;
    plan->placing = hxi_messages_choose(spec, plan->exchange, options,
                                        hxi_transport_by_hand(options->transport), placing);
    plan->sharer = (hxi_sharer){spec, plan->exchange, setting->around.rank};
    plan->fits = hxi_phase_fits(plan->exchange);
    hx_status status = HX_OK;
    while (plan->phases < schedule->phases && status == HX_OK) {
        status = find_segments(setting, plan, plan->phases, &plan->phase[plan->phases].segments);
        plan->phases++;
    }
    if (status == HX_OK) {
        status = make_phases(plan, setting);
    }
    if (status == HX_OK) {
        status = make_confirmation(plan);
    }
    if (status == HX_OK) {
        count_traffic(plan);
    }
    return status;
}

hx_status hxi_plan_prefix(const hxi_plan *plan, hx_status status)
{
    return status == HX_OK ? HX_OK
                           : hxi_fail(status, "%s:%d: exchange \"%s\": %s", plan->spec->file,
                                      plan->exchange->line, plan->exchange->name, hx_last_error());
}

hx_status hxi_plan_confirm(hxi_plan *plan, const hxi_topology *topology)
{
    return hxi_plan_prefix(plan, hxi_topology_confirm(topology, plan->number, &plan->confirmation));
}

/* A transport that gave up its place is not kept secret. */
static void warn(const hxi_plan *plan, const hxi_binding *binding, const hxi_transport *asked,
                 const hx_options *options)
{
    if (binding->why[0] != '\0') {
        hxi_log(options, HX_LOG_WARNING, "%s:%d: exchange \"%s\" travels by %s, not by %s: %s",
                plan->spec->file, plan->exchange->line, plan->exchange->name, binding->transport->name,
                asked->name, binding->why);
    }
}

size_t hxi_plan_buffer_bytes(const hxi_plan *plan, bool boxes)
{
    size_t bytes = 0;
    for (int p = 0; p < plan->phases; ++p) {
        bytes += hxi_phase_buffer_bytes(&plan->phase[p], &plan->routes, boxes);
    }
    return bytes;
}

int hxi_plan_boxes(const hxi_plan *plan)
{
    int boxes = 0;
    for (int p = 0; p < plan->phases; ++p) {
        boxes += hxi_phase_boxes(&plan->phase[p], &plan->routes);
    }
    return boxes;
}

bool hxi_plan_wants_stream(const hxi_plan *plan)
{
    return (plan->routes.transport[plan->routes.transports - 1]->flags & HX_TRANSPORT_STREAM) != 0;
}

static int tag_of(const hxi_plan *plan, int phase)
{
    return plan->number * HX_MAX_AXES + phase;
}

void hxi_plan_add_boxes(const hxi_plan *plan, hxi_board *board)
{
    for (int p = 0; p < plan->phases; ++p) {
        hxi_phase_add_boxes(&plan->phase[p], &plan->routes, tag_of(plan, p), board);
    }
}

/* Are there messages that other ranks of the node may write straight into its arrays? */
static bool is_watched(const hxi_plan *plan)
{
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_segments *segments = &plan->phase[p].segments;
        for (int i = 0; i < segments->count; ++i) {
            const hxi_segment *s = &segments->segment[i];
            if (s->kind == HX_RECEIVED && s->delivery == HX_PUSHED) {
                return true;
            }
        }
    }
    return false;
}

static hx_status bind_phase(hxi_plan *plan, int number, const hxi_block_list *mine, const hxi_sets *sets,
                            const hxi_binding *common)
{
    hxi_phase *phase = &plan->phase[number];
    const hxi_work work = {.spec = plan->spec,
                           .exchange = plan->exchange,
                           .mine = mine,
                           .slot_of = plan->slot_of,
                           .fields = plan->fields};
    hxi_first first = {0};
    hxi_first_note(&first, hxi_phase_direct(&work, common->board, common->boxes, sets, common->tag, phase));
    hxi_first_note(&first, hxi_phase_bind(phase, &plan->routes, common, plan->placing.messages));
    return hxi_first_tell(&first);
}

/* Has one of its transports this flag? */
static bool has(const hxi_plan *plan, unsigned flag)
{
    bool found = false;
    for (int p = 0; p < plan->phases; ++p) {
        for (int transport = 0; transport < plan->phase[p].bindings; ++transport) {
            found = found || (plan->phase[p].binding[transport].transport->flags & flag) != 0;
        }
    }
    return found;
}

/* Is it one that goes on only while somebody calls libhx? */
static bool has_steps(const hxi_plan *plan)
{
    bool steps = plan->phases > 1 || plan->device || has(plan, HX_TRANSPORT_STEPS);
    for (int p = 0; p < plan->phases; ++p) {
        /* Late messages. */
        steps = steps || (plan->phase[p].push && plan->schedule.by_dimension);
    }
    return steps && !plan->ordered;
}

/* In memory of the device, too, where NCCL moves them. */
static void place_for_stream(hxi_plan *plan, const hxi_nccl *nccl)
{
    if (plan->device && hxi_plan_wants_stream(plan) && hxi_nccl_usable(nccl)) {
        plan->placing.messages = HX_MESSAGES_AWARE;
    }
}

/* Of messages of a device, where it or MPI wants them. */
static void open_buffers(hxi_plan *plan, bool boxes)
{
    const hxi_device_context *device = plan->device;
    if (plan->placing.messages == HX_MESSAGES_AWARE) {
        hxi_buffers_put(&device->buffers, device->calls, &plan->buffers);
    } else {
        hxi_buffers_join(&device->buffers, hxi_plan_buffer_bytes(plan, boxes), &plan->buffers);
    }
}

hx_status hxi_plan_bind(hxi_plan *plan, const hxi_resources *resources)
{
    const hxi_board *board = resources->board;

    hxi_first first = {0};
    if (board->memory.shared && is_watched(plan)) {
        plan->posting.posted = hxi_board_posted(board, resources->topology->node_rank, plan->number);
    }
    hxi_buffers_turn(resources->buffers);
    place_for_stream(plan, resources->nccl);
    if (plan->device) {
        open_buffers(plan, resources->boxes->shared.usable);
    }
    for (int p = 0; p < plan->phases; ++p) {
        hxi_phase *phase = &plan->phase[p];
        const hxi_binding common = {.topology = resources->topology,
                                    .team = resources->team,
                                    .buffers = plan->device ? &plan->buffers : resources->buffers,
                                    .board = board,
                                    .boxes = resources->boxes,
                                    .nccl = resources->nccl,
                                    .options = resources->options,
                                    .exchange = plan->exchange->name,
                                    .at_once = !plan->schedule.by_dimension,
                                    .tag = tag_of(plan, p)};
        const hx_status bound = bind_phase(plan, p, resources->mine, resources->sets, &common);
        hxi_first_note(&first, bound);
        for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings && bound == HX_OK; ++transport) {
            warn(plan, &phase->binding[transport], plan->routes.transport[transport], resources->options);
        }
    }
    plan->ordered = has(plan, HX_TRANSPORT_ORDERED);
    plan->steps = has_steps(plan);
    return hxi_plan_prefix(plan, hxi_first_tell(&first));
}

void hxi_plan_free(hxi_plan *plan, int abandon)
{
    for (int p = 0; p < plan->phases; ++p) {
        hxi_phase_free(&plan->phase[p], abandon);
    }
    hxi_buffers_close(&plan->buffers);
    hxi_confirmation_free(&plan->confirmation);
    hxi_routes_free(&plan->routes);
    hxi_device_fills_free(plan->fills, abandon);
    hxi_boundary_free(&plan->boundary);
    hxi_corners_free(&plan->corners);
    hxi_memory_free(plan->slot);
    hxi_memory_free(plan->base);
    hxi_memory_free(plan->posting.published);
    hxi_memory_free(plan->seen);
    hxi_memory_free(plan->on_device);
    hxi_memory_free(plan->placed);
    hxi_memory_free(plan->slot_of);
    *plan = (hxi_plan){0};
}
