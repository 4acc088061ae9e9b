#include "phase.h"

#include "in_place.h"
#include "memory.h"
#include "status.h"

static const char messages_purpose[] = "the messages of an exchange";

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Is a segment in another message than the one before it, of the same kind? */
static bool begins_message(const hx_segment *s)
{
    return s->alone || s[-1].alone || s->link.peer != s[-1].link.peer;
}

/* Groups the segments of one kind, which are sorted by peer, into messages. */
static int group(hx_phase *phase, hx_segment_kind kind, hx_parcel *parcel, int *message_of)
{
    int parcels = 0;
    for (int i = 0; i < phase->segments.count; ++i) {
        const hx_segment *s = &phase->segments.segment[i];
        if (s->kind != kind) {
            continue;
        }
        if (parcels == 0 || begins_message(s)) {
            parcel[parcels++] = (hx_parcel){.peer = s->link.peer, .segment = i, .slot = -1};
        }
        parcel[parcels - 1].segments++;
        message_of[i] = parcels - 1;
    }
    for (int m = 0; m < parcels; ++m) {
        hx_segment *first = &phase->segments.segment[parcel[m].segment];
        parcel[m].bytes = hx_segments_place(first, parcel[m].segments);
        parcel[m].hash = hx_segments_hash(first, parcel[m].segments);
    }
    return parcels;
}

static hx_status make_messages(hx_phase *phase, int *message_of)
{
    /* Sorted by peer, and by who travels alone, so a message begins wherever that changes. */
    size_t most[] = {[HX_SENT] = 0, [HX_RECEIVED] = 0};
    for (int i = 0; i < phase->segments.count; ++i) {
        const hx_segment *s = &phase->segments.segment[i];
        if (s->kind == HX_WITHIN) {
            phase->bytes_copied += s->bytes;
        } else if (i == 0 || s->kind != s[-1].kind || begins_message(s)) {
            most[s->kind]++;
        }
    }
    phase->send = hx_memory_get(most[HX_SENT], sizeof *phase->send, messages_purpose);
    phase->receive = hx_memory_get(most[HX_RECEIVED], sizeof *phase->receive, messages_purpose);
    if (!phase->send || !phase->receive) {
        return HX_ERR_MEMORY;
    }
    phase->sends = group(phase, HX_SENT, phase->send, message_of);
    phase->receives = group(phase, HX_RECEIVED, phase->receive, message_of);
    for (int m = 0; m < phase->sends; ++m) {
        phase->bytes_sent += phase->send[m].bytes;
    }
    return HX_OK;
}

/*
 * Tells each message which operations it has.  They are sorted: those of two messages, then those of message
 * 0, ...
 */
static hx_status assign_ops(hx_phase *phase)
{
    const hx_ops *ops = &phase->ops;
    for (int i = ops->packs_shared; i < ops->packs; ++i) {
        hx_parcel *p = &phase->send[ops->pack[i].message[0]];
        p->op = p->ops++ == 0 ? i : p->op;
    }
    for (int i = ops->unpacks_shared; i < ops->unpacks; ++i) {
        hx_parcel *p = &phase->receive[ops->unpack[i].message[0]];
        p->op = p->ops++ == 0 ? i : p->op;
    }
    phase->shared = hx_memory_get(2 * (size_t)ops->unpacks_shared, sizeof *phase->shared, messages_purpose);
    if (!phase->shared) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < ops->unpacks_shared; ++i) {
        phase->receive[ops->unpack[i].message[0]].shareds++;
        phase->receive[ops->unpack[i].message[1]].shareds++;
    }
    int next = 0;
    for (int m = 0; m < phase->receives; ++m) {
        phase->receive[m].shared = next;
        next += phase->receive[m].shareds;
        phase->receive[m].shareds = 0;
    }
    for (int i = 0; i < ops->unpacks_shared; ++i) {
        for (int side = 0; side < 2; ++side) {
            hx_parcel *p = &phase->receive[ops->unpack[i].message[side]];
            phase->shared[p->shared + p->shareds++] = i;
        }
    }
    return HX_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Room for what binding fills in, had here: no rank may drop out of what is collective. */
static hx_status make_room(hx_phase *phase)
{
    const size_t messages = (size_t)phase->sends + (size_t)phase->receives;
    phase->message = hx_memory_get(messages, sizeof *phase->message, messages_purpose);
    phase->buffer = hx_memory_get(messages, sizeof *phase->buffer, messages_purpose);
    phase->arrived = hx_memory_get((size_t)phase->receives, 1, messages_purpose);
    return phase->message && phase->buffer && phase->arrived ? HX_OK : HX_ERR_MEMORY;
}

static void set_places(const hx_work *work, hx_parcel *parcel, int count)
{
    for (int m = 0; m < count; ++m) {
        const hx_segment *s = &work->segments->segment[parcel[m].segment];
        if (s->in_place) {
            parcel[m].slot = hx_work_end_slot(work, s, s->kind == HX_RECEIVED ? HX_TO : HX_FROM);
            parcel[m].place = s->place;
        }
    }
}

static hx_status make_ops(const hx_work *work, hx_phase *phase)
{
    set_places(work, phase->send, phase->sends);
    set_places(work, phase->receive, phase->receives);
    hx_status status = hx_ops_make(work, &phase->ops);
    if (status == HX_OK && work->exchange->operation == HX_ADD) {
        status = hx_additions_make(work, &phase->additions);
    }
    if (status == HX_OK) {
        status = assign_ops(phase);
    }
    return status == HX_OK ? make_room(phase) : status;
}

hx_status hx_phase_make(const hx_spec *spec, const hx_exchange *exchange, const hx_layout *layout,
                        const hx_block_list *mine, const hx_options *options, const int slot_of[], int fields,
                        hx_phase *phase)
{
    if (exchange->operation == HX_COPY && !options->check) {
        hx_in_place_mark(spec, layout, mine, hx_transport_named(options->transport)->in_place,
                         &phase->segments);
    }
    int *message_of = hx_memory_get((size_t)phase->segments.count, sizeof *message_of, messages_purpose);
    if (!message_of) {
        return HX_ERR_MEMORY;
    }
    const hx_work work = {spec, exchange, mine, &phase->segments, slot_of, fields, message_of};
    hx_status status = make_messages(phase, message_of);
    if (status == HX_OK) {
        status = make_ops(&work, phase);
    }
    hx_memory_free(message_of);
    return status;
}

static size_t wire_bytes(const hx_parcel *parcel, const hx_options *options)
{
    return parcel->bytes + (options->check ? sizeof(hx_header) : 0);
}

size_t hx_phase_buffer_bytes(const hx_phase *phase, const hx_options *options)
{
    size_t bytes = 0;
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        const hx_parcel *p = m < phase->sends ? &phase->send[m] : &phase->receive[m - phase->sends];
        bytes += p->slot < 0 ? hx_buffers_round(wire_bytes(p, options)) : 0;
    }
    return bytes;
}

static void prepare_bindings(hx_phase *phase, const hx_topology *topology, hx_buffers *buffers,
                             const hx_options *options, int tag)
{
    hx_binding *self = &phase->binding[HX_TO_SELF];
    hx_binding *others = &phase->binding[HX_TO_OTHERS];
    *self = (hx_binding){.transport = &hx_transport_self,
                         .topology = topology,
                         .buffers = buffers,
                         .tag = tag,
                         .ops = &phase->ops};
    *others = (hx_binding){.transport = hx_transport_named(options->transport),
                           .topology = topology,
                           .buffers = buffers,
                           .tag = tag};
    others->send = phase->message;
    others->sends = phase->sends;
    others->receive = phase->message + phase->sends;
    others->receives = phase->receives;
    for (int m = 0; m < phase->sends; ++m) {
        others->send[m] = (hx_message){.peer = phase->send[m].peer,
                                       .bytes = wire_bytes(&phase->send[m], options),
                                       .in_place = phase->send[m].slot >= 0};
    }
    for (int m = 0; m < phase->receives; ++m) {
        others->receive[m] = (hx_message){.peer = phase->receive[m].peer,
                                          .bytes = wire_bytes(&phase->receive[m], options),
                                          .in_place = phase->receive[m].slot >= 0};
    }
}

hx_status hx_phase_bind(hx_phase *phase, const hx_topology *topology, hx_buffers *buffers,
                        const hx_options *options, int tag)
{
    hx_first first = {0};
    prepare_bindings(phase, topology, buffers, options, tag);
    for (int i = 0; i < HX_BINDINGS; ++i) {
        hx_binding *binding = &phase->binding[i];
        hx_first_note(&first, binding->transport->bind ? binding->transport->bind(binding) : HX_OK);
    }
    const size_t header = options->check ? sizeof(hx_header) : 0;
    for (int m = 0; m < phase->sends + phase->receives && first.status == HX_OK; ++m) {
        if (!phase->message[m].in_place) {
            phase->buffer[m] = phase->message[m].buffer + header;
        }
    }
    return hx_first_tell(&first);
}

void hx_phase_place(hx_phase *phase, void *const *base)
{
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        const hx_parcel *p = m < phase->sends ? &phase->send[m] : &phase->receive[m - phase->sends];
        if (p->slot >= 0) {
            phase->message[m].buffer = (unsigned char *)base[p->slot] + p->place;
        }
    }
}

void hx_phase_free(hx_phase *phase, int abandon)
{
    for (int i = 0; i < HX_BINDINGS; ++i) {
        hx_binding *binding = &phase->binding[i];
        if (binding->transport && binding->transport->unbind) {
            binding->transport->unbind(binding, abandon);
        }
    }
    hx_segments_free(&phase->segments);
    hx_ops_free(&phase->ops);
    hx_additions_free(&phase->additions);
    hx_memory_free(phase->send);
    hx_memory_free(phase->receive);
    hx_memory_free(phase->shared);
    hx_memory_free(phase->message);
    hx_memory_free(phase->buffer);
    hx_memory_free(phase->arrived);
    *phase = (hx_phase){0};
}
