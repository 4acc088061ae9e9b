#include "plan.h"

#include "log.h"
#include "memory.h"
#include "status.h"

#include <string.h>

static const char messages_purpose[] = "the messages of an exchange";

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Groups the segments of one kind, which are sorted by peer, into messages. */
static int group(hx_plan *plan, hx_segment_kind kind, hx_parcel *parcel, int *message_of)
{
    int parcels = 0;
    for (int i = 0; i < plan->segments.count; ++i) {
        const hx_segment *s = &plan->segments.segment[i];
        if (s->kind != kind) {
            continue;
        }
        if (parcels == 0 || parcel[parcels - 1].peer != s->link.peer) {
            parcel[parcels++] = (hx_parcel){.peer = s->link.peer, .segment = i};
        }
        parcel[parcels - 1].segments++;
        message_of[i] = parcels - 1;
    }
    for (int m = 0; m < parcels; ++m) {
        hx_segment *first = &plan->segments.segment[parcel[m].segment];
        parcel[m].bytes = hx_segments_place(first, parcel[m].segments);
        parcel[m].hash = hx_segments_hash(first, parcel[m].segments);
    }
    return parcels;
}

static hx_status make_messages(hx_plan *plan, int *message_of)
{
    /* Sorted by peer, so a message begins wherever the peer changes. */
    size_t most[] = {[HX_SENT] = 0, [HX_RECEIVED] = 0};
    for (int i = 0; i < plan->segments.count; ++i) {
        const hx_segment *s = &plan->segments.segment[i];
        if (s->kind == HX_WITHIN) {
            plan->bytes_copied += s->bytes;
        } else if (i == 0 || s->kind != s[-1].kind || s->link.peer != s[-1].link.peer) {
            most[s->kind]++;
        }
    }
    plan->send = hx_memory_get(most[HX_SENT], sizeof *plan->send, messages_purpose);
    plan->receive = hx_memory_get(most[HX_RECEIVED], sizeof *plan->receive, messages_purpose);
    if (!plan->send || !plan->receive) {
        return HX_ERR_MEMORY;
    }
    plan->sends = group(plan, HX_SENT, plan->send, message_of);
    plan->receives = group(plan, HX_RECEIVED, plan->receive, message_of);
    for (int m = 0; m < plan->sends; ++m) {
        plan->bytes_sent += plan->send[m].bytes;
    }
    return HX_OK;
}

/*
 * Tells each message which operations it has.  They are sorted: those of two messages, then those of message
 * 0, ...
 */
static hx_status assign_ops(hx_plan *plan)
{
    const hx_ops *ops = &plan->ops;
    for (int i = ops->packs_shared; i < ops->packs; ++i) {
        hx_parcel *p = &plan->send[ops->pack[i].message[0]];
        p->op = p->ops++ == 0 ? i : p->op;
    }
    for (int i = ops->unpacks_shared; i < ops->unpacks; ++i) {
        hx_parcel *p = &plan->receive[ops->unpack[i].message[0]];
        p->op = p->ops++ == 0 ? i : p->op;
    }
    plan->shared = hx_memory_get(2 * (size_t)ops->unpacks_shared, sizeof *plan->shared, messages_purpose);
    if (!plan->shared) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < ops->unpacks_shared; ++i) {
        plan->receive[ops->unpack[i].message[0]].shareds++;
        plan->receive[ops->unpack[i].message[1]].shareds++;
    }
    int next = 0;
    for (int m = 0; m < plan->receives; ++m) {
        plan->receive[m].shared = next;
        next += plan->receive[m].shareds;
        plan->receive[m].shareds = 0;
    }
    for (int i = 0; i < ops->unpacks_shared; ++i) {
        for (int side = 0; side < 2; ++side) {
            hx_parcel *p = &plan->receive[ops->unpack[i].message[side]];
            plan->shared[p->shared + p->shareds++] = i;
        }
    }
    return HX_OK;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* Numbers the fields that an exchange reads or writes; -1 for the others.  Returns how many there are. */
static int number_fields(const hx_plan *plan, int slot_of[])
{
    memset(slot_of, -1, (size_t)plan->spec->fields * sizeof *slot_of);
    for (int i = 0; i < plan->exchange->fields; ++i) {
        slot_of[plan->exchange->field[i].field] = 0;
    }
    for (int i = 0; i < plan->segments.count; ++i) {
        slot_of[plan->segments.segment[i].link.source_field] = 0;
    }
    int fields = 0;
    for (int f = 0; f < plan->spec->fields; ++f) {
        slot_of[f] = slot_of[f] < 0 ? -1 : fields++;
    }
    return fields;
}

static hx_status make_slots(hx_plan *plan, int blocks, const int slot_of[], int fields)
{
    plan->slots = blocks * fields;
    plan->slot = hx_memory_get((size_t)plan->slots, sizeof *plan->slot, "the arrays of an exchange");
    plan->base = hx_memory_get((size_t)plan->slots, sizeof *plan->base, "the arrays of an exchange");
    if (!plan->slot || !plan->base) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < blocks; ++b) {
        for (int f = 0; f < plan->spec->fields; ++f) {
            if (slot_of[f] >= 0) {
                plan->slot[b * fields + slot_of[f]] =
                    (hx_slot){(size_t)b * plan->spec->fields_size + plan->spec->field[f].pointer, b, f};
            }
        }
    }
    return HX_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static hx_status make_ops(hx_plan *plan, const hx_block_list *mine, int *slot_of, int *message_of)
{
    hx_status status = make_messages(plan, message_of);
    const int fields = number_fields(plan, slot_of);
    if (status == HX_OK) {
        status = make_slots(plan, mine->blocks, slot_of, fields);
    }
    if (status == HX_OK) {
        status = hx_ops_make(plan->spec, plan->exchange, mine, &plan->segments, slot_of, fields, message_of,
                             &plan->ops);
    }
    return status == HX_OK ? assign_ops(plan) : status;
}

static void promise(const hx_parcel *parcel, int count, hx_promise *promises)
{
    for (int i = 0; i < count; ++i) {
        promises[i] = (hx_promise){parcel[i].peer, parcel[i].bytes, parcel[i].hash};
    }
}

/* What this rank tells the others about its messages, and expects to be told. */
static hx_status make_confirmation(hx_plan *plan)
{
    hx_confirmation *c = &plan->confirmation;
    const hx_status status = hx_confirmation_make(plan->sends, plan->receives, c);
    if (status == HX_OK) {
        promise(plan->send, plan->sends, c->send);
        promise(plan->receive, plan->receives, c->expect);
    }
    return status;
}

/* Ranks that an exchange talks to in either direction; both lists are sorted by rank. */
static int count_peers(const hx_plan *plan)
{
    int peers = plan->sends;
    for (int out = 0, in = 0; in < plan->receives; ++in) {
        while (out < plan->sends && plan->send[out].peer < plan->receive[in].peer) {
            ++out;
        }
        peers += out == plan->sends || plan->send[out].peer != plan->receive[in].peer;
    }
    return peers;
}

/* Room for what binding fills in, had here: no rank may drop out of what is collective. */
static hx_status make_room(hx_plan *plan)
{
    const size_t messages = (size_t)plan->sends + (size_t)plan->receives;
    plan->message = hx_memory_get(messages, sizeof *plan->message, messages_purpose);
    plan->buffer = hx_memory_get(messages, sizeof *plan->buffer, messages_purpose);
    plan->arrived = hx_memory_get((size_t)plan->receives, 1, messages_purpose);
    return plan->message && plan->buffer && plan->arrived ? HX_OK : HX_ERR_MEMORY;
}

hx_status hx_plan_make(const hx_spec *spec, int number, const hx_layout *layout, const hx_block_list *mine,
                       const hx_places *neighbors, int rank, hx_plan *plan)
{
    *plan = (hx_plan){.spec = spec, .exchange = &spec->exchange[number], .number = number};
    hx_status status = hx_segments_find(spec, number, layout, mine, neighbors, rank, &plan->segments);
    if (status != HX_OK) {
        return status;
    }
    int *slot_of = hx_memory_get((size_t)spec->fields, sizeof *slot_of, "the arrays of an exchange");
    int *message_of = hx_memory_get((size_t)plan->segments.count, sizeof *message_of, messages_purpose);
    status = slot_of && message_of ? make_ops(plan, mine, slot_of, message_of) : HX_ERR_MEMORY;
    hx_memory_free(slot_of);
    hx_memory_free(message_of);
    if (status != HX_OK) {
        return status;
    }
    plan->traffic.peers = count_peers(plan);
    plan->traffic.messages = plan->sends;
    plan->traffic.bytes_sent = plan->bytes_sent;
    plan->traffic.bytes_copied = plan->bytes_copied;
    status = make_room(plan);
    return status == HX_OK ? make_confirmation(plan) : status;
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

static size_t wire_bytes(const hx_parcel *parcel, const hx_options *options)
{
    return parcel->bytes + (options->check ? sizeof(hx_header) : 0);
}

static void prepare_bindings(hx_plan *plan, const hx_topology *topology, hx_pool *pool,
                             const hx_options *options)
{
    hx_binding *self = &plan->binding[HX_TO_SELF];
    hx_binding *others = &plan->binding[HX_TO_OTHERS];
    *self = (hx_binding){.transport = &hx_transport_self,
                         .topology = topology,
                         .pool = pool,
                         .tag = plan->number,
                         .copy = plan->ops.copy,
                         .copies = plan->ops.copies};
    *others = (hx_binding){.transport = hx_transport_named(options->transport),
                           .topology = topology,
                           .pool = pool,
                           .tag = plan->number};
    others->send = plan->message;
    others->sends = plan->sends;
    others->receive = plan->message + plan->sends;
    others->receives = plan->receives;
    for (int m = 0; m < plan->sends; ++m) {
        others->send[m] =
            (hx_message){.peer = plan->send[m].peer, .bytes = wire_bytes(&plan->send[m], options)};
    }
    for (int m = 0; m < plan->receives; ++m) {
        others->receive[m] =
            (hx_message){.peer = plan->receive[m].peer, .bytes = wire_bytes(&plan->receive[m], options)};
    }
}

hx_status hx_plan_bind(hx_plan *plan, const hx_topology *topology, hx_pool *pool, const hx_options *options)
{
    hx_first first = {0};
    prepare_bindings(plan, topology, pool, options);
    for (int i = 0; i < HX_BINDINGS; ++i) {
        hx_binding *binding = &plan->binding[i];
        const hx_status bound = binding->transport->bind ? binding->transport->bind(binding) : HX_OK;
        hx_first_note(&first, bound);
        if (bound == HX_OK && binding->why[0] != '\0') {
            hx_log(options, HX_LOG_WARNING, "%s:%d: exchange \"%s\" travels by %s, not by %s: %s",
                   plan->spec->file, plan->exchange->line, plan->exchange->name, binding->transport->name,
                   options->transport, binding->why);
        }
    }
    const size_t header = options->check ? sizeof(hx_header) : 0;
    for (int m = 0; m < plan->sends + plan->receives && first.status == HX_OK; ++m) {
        plan->buffer[m] = plan->message[m].buffer + header;
    }
    return hx_plan_place(plan, hx_first_tell(&first));
}

void hx_plan_free(hx_plan *plan, int abandon)
{
    for (int i = 0; i < HX_BINDINGS; ++i) {
        hx_binding *binding = &plan->binding[i];
        if (binding->transport && binding->transport->unbind) {
            binding->transport->unbind(binding, abandon);
        }
    }
    hx_confirmation_free(&plan->confirmation);
    hx_segments_free(&plan->segments);
    hx_ops_free(&plan->ops);
    hx_memory_free(plan->send);
    hx_memory_free(plan->receive);
    hx_memory_free(plan->shared);
    hx_memory_free(plan->slot);
    hx_memory_free(plan->base);
    hx_memory_free(plan->message);
    hx_memory_free(plan->buffer);
    hx_memory_free(plan->arrived);
    *plan = (hx_plan){0};
}
