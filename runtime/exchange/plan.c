#include "exchange/plan.h"

#include "base/hardware.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* Numbers the fields that an exchange reads or writes; -1 for the others.  Returns how many there are. */
static int number_fields(const hx_plan *plan, int slot_of[])
{
    memset(slot_of, -1, (size_t)plan->spec->fields * sizeof *slot_of);
    for (int i = 0; i < plan->exchange->fields; ++i) {
        slot_of[plan->exchange->field[i].field] = 0;
    }
    for (int p = 0; p < plan->phases; ++p) {
        const hx_segments *segments = &plan->phase[p].segments;
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

static hx_status make_slots(hx_plan *plan, const hx_block_list *mine, const int slot_of[], int fields)
{
    plan->slots = mine->blocks * fields;
    plan->slot = hx_memory_get((size_t)plan->slots, sizeof *plan->slot, "the arrays of an exchange");
    plan->base = hx_memory_get((size_t)plan->slots, sizeof *plan->base, "the arrays of an exchange");
    plan->told = hx_memory_get((size_t)plan->slots, sizeof *plan->told, "the arrays of an exchange");
    for (plan->seen_bits = 1; (size_t)plan->slots > (size_t)1 << (plan->seen_bits - 1);) {
        plan->seen_bits++;
    }
    plan->seen = hx_memory_get((size_t)1 << plan->seen_bits, sizeof *plan->seen, "the arrays of an exchange");
    if (plan->device) {
        plan->on_device =
            hx_memory_get((size_t)plan->slots, sizeof *plan->on_device, "the arrays of an exchange");
        plan->placed = hx_memory_get((size_t)plan->slots, sizeof *plan->placed, "the arrays of an exchange");
    }
    if (!plan->slot || !plan->base || !plan->told || !plan->seen ||
        (plan->device && (!plan->on_device || !plan->placed))) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < mine->blocks; ++b) {
        for (int f = 0; f < plan->spec->fields; ++f) {
            if (slot_of[f] >= 0) {
                plan->slot[b * fields + slot_of[f]] =
                    (hx_slot){.pointer = (size_t)b * plan->spec->fields_size + plan->spec->field[f].pointer,
                              .block = b,
                              .field = f,
                              .bytes = hx_block_bytes(plan->spec, &mine->block[b], f)};
            }
        }
    }
    for (int s = 0; plan->device && s < plan->slots; ++s) {
        plan->on_device[s] = plan->spec->field[plan->slot[s].field].on_device != 0;
    }
    return HX_OK;
}

/* ---- what ranks tell each other ------------------------------------------------------------------------ */

static void promise(const hx_parcel *parcel, int count, hx_promise *promises)
{
    for (int i = 0; i < count; ++i) {
        promises[i] = (hx_promise){parcel[i].peer, parcel[i].bytes, parcel[i].hash};
    }
}

static int compare_promises(const void *left, const void *right)
{
    const hx_promise *a = left;
    const hx_promise *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

/* By rising peer, the messages of all phases together; returns how many peers there are. */
static int join_promises(hx_promise *promises, int count)
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
static hx_status make_confirmation(hx_plan *plan)
{
    int sends = 0;
    int receives = 0;
    for (int p = 0; p < plan->phases; ++p) {
        sends += plan->phase[p].sends;
        receives += plan->phase[p].receives;
    }
    hx_confirmation *c = &plan->confirmation;
    const hx_status status = hx_confirmation_make(sends, receives, c);
    if (status != HX_OK) {
        return status;
    }
    sends = 0;
    receives = 0;
    for (int p = 0; p < plan->phases; ++p) {
        const hx_phase *phase = &plan->phase[p];
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
static int count_peers(const hx_confirmation *c)
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

static void count_traffic(hx_plan *plan)
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

static hx_status make_operations(hx_plan *plan, const hx_setting *setting)
{
    const hx_work work = {.spec = plan->spec,
                          .exchange = plan->exchange,
                          .mine = setting->around.mine,
                          .slot_of = plan->slot_of,
                          .fields = plan->fields};
    const hx_layout *layout = setting->around.layout;
    hx_status status = HX_OK;
    for (int p = 0; p < plan->phases && status == HX_OK; ++p) {
        status = hx_phase_make(setting, &work, &plan->routes, plan->device, &plan->phase[p]);
    }
    if (status == HX_OK) {
        status = hx_walls_make(&work, layout, &plan->walls);
    }
    if (status == HX_OK && plan->exchange->corner_fills > 0) {
        status = hx_corners_make(&work, layout, &plan->corners);
    }
    if (status == HX_OK && plan->device && (plan->walls.ops > 0 || plan->corners.ops > 0)) {
        status = hx_device_fills_make(plan->device, &work, &plan->walls, &plan->corners, &plan->fills);
    }
    return status;
}

static hx_status make_phases(hx_plan *plan, const hx_setting *setting)
{
    hx_segments *segments[HX_MAX_AXES];
    for (int p = 0; p < plan->phases; ++p) {
        segments[p] = &plan->phase[p].segments;
    }
    const hx_status routed = hx_routes_make(setting->topology, setting->options, plan->device != NULL,
                                            segments, plan->phases, &plan->routes);
    if (routed != HX_OK) {
        return routed;
    }
    plan->slot_of =
        hx_memory_get((size_t)plan->spec->fields, sizeof *plan->slot_of, "the arrays of an exchange");
    if (!plan->slot_of) {
        return HX_ERR_MEMORY;
    }
    plan->fields = number_fields(plan, plan->slot_of);
    const hx_status status = make_slots(plan, setting->around.mine, plan->slot_of, plan->fields);
    return status == HX_OK ? make_operations(plan, setting) : status;
}

hx_status hx_plan_make(const hx_setting *setting, int number, const hx_course *course,
                       const hx_placing *placing, hx_plan *plan)
{
    const hx_spec *spec = setting->around.spec;
    const hx_options *options = setting->options;
    *plan = (hx_plan){.spec = spec, .exchange = &spec->exchange[number], .number = number, .course = *course};
    plan->device = hx_device_has(spec, plan->exchange) ? setting->device : NULL;
    plan->placing =
        hx_messages_choose(spec, plan->exchange, options, hx_transport_by_hand(options->transport), placing);
    plan->sharer = (hx_sharer){spec, plan->exchange, setting->around.rank};
    hx_status status = HX_OK;
    while (plan->phases < course->phases && status == HX_OK) {
        hx_segments *found = &plan->phase[plan->phases].segments;
        status = course->by_dimension
                     ? hx_segments_find_along(&setting->around, number, course, plan->phases, found)
                     : hx_segments_find(&setting->around, number, found);
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

hx_status hx_plan_place(const hx_plan *plan, hx_status status)
{
    return status == HX_OK ? HX_OK
                           : hx_fail(status, "%s:%d: exchange \"%s\": %s", plan->spec->file,
                                     plan->exchange->line, plan->exchange->name, hx_last_error());
}

hx_status hx_plan_confirm(hx_plan *plan, const hx_topology *topology)
{
    const hx_status status = hx_topology_confirm(topology, plan->number, &plan->confirmation);
    hx_confirmation_free(&plan->confirmation);
    return hx_plan_place(plan, status);
}

/* A transport that gave up its place is not kept secret. */
static void warn(const hx_plan *plan, const hx_binding *binding, const hx_transport *asked,
                 const hx_options *options)
{
    if (binding->why[0] != '\0') {
        hx_log(options, HX_LOG_WARNING, "%s:%d: exchange \"%s\" travels by %s, not by %s: %s",
               plan->spec->file, plan->exchange->line, plan->exchange->name, binding->transport->name,
               asked->name, binding->why);
    }
}

size_t hx_plan_buffer_bytes(const hx_plan *plan, bool boxes)
{
    size_t bytes = 0;
    for (int p = 0; p < plan->phases; ++p) {
        bytes += hx_phase_buffer_bytes(&plan->phase[p], &plan->routes, boxes);
    }
    return bytes;
}

int hx_plan_boxes(const hx_plan *plan)
{
    int boxes = 0;
    for (int p = 0; p < plan->phases; ++p) {
        boxes += hx_phase_boxes(&plan->phase[p], &plan->routes);
    }
    return boxes;
}

static int tag_of(const hx_plan *plan, int phase)
{
    return plan->number * HX_MAX_AXES + phase;
}

void hx_plan_add_boxes(const hx_plan *plan, hx_board *board)
{
    for (int p = 0; p < plan->phases; ++p) {
        hx_phase_add_boxes(&plan->phase[p], &plan->routes, tag_of(plan, p), board);
    }
}

/* Are there messages that other ranks of the node may write straight into its arrays? */
static bool is_watched(const hx_plan *plan)
{
    for (int p = 0; p < plan->phases; ++p) {
        const hx_segments *segments = &plan->phase[p].segments;
        for (int i = 0; i < segments->count; ++i) {
            const hx_segment *s = &segments->segment[i];
            if (s->kind == HX_RECEIVED && s->passage == HX_PUSHED) {
                return true;
            }
        }
    }
    return false;
}

/* Notes where the arrays are. */
static void note(hx_plan *plan, const hx_sets *sets)
{
    const bool all = plan->changes != sets->changes;
    bool changed = false;
    bool known = true;
    for (int i = 0; i < plan->slots; ++i) {
        const hx_slot *slot = &plan->slot[i];
        hx_where *where = &plan->notice->where[slot->block * plan->spec->fields + slot->field];
        if (all || plan->told[i] != plan->base[i]) {
            *where = plan->device ? hx_sets_find_there(sets, plan->base[i], slot->bytes)
                                  : hx_sets_find(sets, plan->base[i], slot->bytes);
            plan->told[i] = plan->base[i];
            changed = true;
        }
        known = known && where->set != 0;
    }
    plan->notice->version += changed;
    plan->notice->known = known;
    plan->changes = sets->changes;
}

void hx_plan_raise(hx_plan *plan)
{
    hx_order_stores();
    atomic_store_explicit(&plan->notice->start, plan->sequence + 1, memory_order_release);
}

void hx_plan_tell(hx_plan *plan, const hx_sets *sets)
{
    if (plan->notice) {
        note(plan, sets);
        /* In one phase nobody waits for this where no array can be reached. */
        if (plan->notice->known || plan->course.by_dimension) {
            hx_plan_raise(plan);
        }
    }
}

void hx_plan_offer(hx_plan *plan, const hx_sets *sets)
{
    plan->offers = false;
    if (plan->phase[0].straight) {
        note(plan, sets);
        plan->offers = plan->notice->known != 0;
    }
}

static hx_status bind_phase(hx_plan *plan, int number, const hx_block_list *mine, const hx_sets *sets,
                            const hx_binding *common)
{
    hx_phase *phase = &plan->phase[number];
    const hx_work work = {.spec = plan->spec,
                          .exchange = plan->exchange,
                          .mine = mine,
                          .slot_of = plan->slot_of,
                          .fields = plan->fields};
    hx_first first = {0};
    hx_first_note(&first, hx_phase_direct(&work, common->board, common->boxes, sets, common->tag, phase));
    hx_first_note(&first, hx_phase_bind(phase, &plan->routes, common, plan->placing.messages));
    return hx_first_tell(&first);
}

/* Has one of its transports this flag? */
static bool has(const hx_plan *plan, unsigned flag)
{
    bool found = false;
    for (int p = 0; p < plan->phases; ++p) {
        for (int way = 0; way < plan->phase[p].bindings; ++way) {
            found = found || (plan->phase[p].binding[way].transport->flags & flag) != 0;
        }
    }
    return found;
}

/* Is it one that goes on only while somebody calls libhx? */
static bool has_steps(const hx_plan *plan)
{
    bool steps = plan->phases > 1 || plan->device || has(plan, HX_TRANSPORT_STEPS);
    for (int p = 0; p < plan->phases; ++p) {
        /* Late messages. */
        steps = steps || (plan->phase[p].push && plan->course.by_dimension);
    }
    return steps && !plan->ordered;
}

/* Of messages of a device, where it or MPI wants them. */
static void open_buffers(hx_plan *plan, bool boxes)
{
    const hx_device_home *home = plan->device;
    if (plan->placing.messages == HX_MESSAGES_AWARE) {
        hx_buffers_put(&home->buffers, home->calls, &plan->buffers);
    } else {
        hx_buffers_join(&home->buffers, hx_plan_buffer_bytes(plan, boxes), &plan->buffers);
    }
}

hx_status hx_plan_bind(hx_plan *plan, const hx_means *means)
{
    const hx_board *board = means->board;

    if (board->memory.shared && is_watched(plan)) {
        plan->notice = hx_board_notice(board, means->topology->node_rank, plan->number);
    }
    hx_first first = {0};
    hx_buffers_turn(means->buffers);
    if (plan->device) {
        open_buffers(plan, means->boxes->shared.usable);
    }
    for (int p = 0; p < plan->phases; ++p) {
        hx_phase *phase = &plan->phase[p];
        const hx_binding common = {.topology = means->topology,
                                   .buffers = plan->device ? &plan->buffers : means->buffers,
                                   .board = board,
                                   .boxes = means->boxes,
                                   .options = means->options,
                                   .exchange = plan->exchange->name,
                                   .at_once = !plan->course.by_dimension,
                                   .notice = plan->notice,
                                   .tag = tag_of(plan, p)};
        const hx_status bound = bind_phase(plan, p, means->mine, means->sets, &common);
        hx_first_note(&first, bound);
        for (int way = HX_WAY_FIRST; way < phase->bindings && bound == HX_OK; ++way) {
            warn(plan, &phase->binding[way], plan->routes.transport[way], means->options);
        }
    }
    plan->ordered = has(plan, HX_TRANSPORT_ORDERED);
    plan->steps = has_steps(plan);
    return hx_plan_place(plan, hx_first_tell(&first));
}

void hx_plan_free(hx_plan *plan, int abandon)
{
    for (int p = 0; p < plan->phases; ++p) {
        hx_phase_free(&plan->phase[p], abandon);
    }
    hx_buffers_close(&plan->buffers);
    hx_confirmation_free(&plan->confirmation);
    hx_routes_free(&plan->routes);
    hx_device_fills_free(plan->fills, abandon);
    hx_walls_free(&plan->walls);
    hx_corners_free(&plan->corners);
    hx_memory_free(plan->slot);
    hx_memory_free(plan->base);
    hx_memory_free(plan->told);
    hx_memory_free(plan->seen);
    hx_memory_free(plan->on_device);
    hx_memory_free(plan->placed);
    hx_memory_free(plan->slot_of);
    *plan = (hx_plan){0};
}
