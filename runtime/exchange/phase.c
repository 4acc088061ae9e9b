#include "exchange/phase.h"

#include "base/memory.h"
#include "base/status.h"
#include "exchange/device_buffers.h"
#include "exchange/phase_run.h"
#include "grid/shared_points.h"
#include "transport/in_place.h"

#include <string.h>

static const char messages_purpose[] = "the messages of an exchange";

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Is a segment in another message than the one before it, of the same kind? */
static bool begins_message(const hxi_segment *s)
{
    return s->alone || s[-1].alone || s->link.peer != s[-1].link.peer;
}

/* Groups the segments of one kind, which are sorted by peer, into messages. */
static int group(const hx_spec *spec, hxi_phase *phase, hxi_segment_kind kind, hxi_contents *contents,
                 int *message_of)
{
    int messages = 0;
    for (int i = 0; i < phase->segments.count; ++i) {
        const hxi_segment *s = &phase->segments.segment[i];
        if (s->kind != kind) {
            continue;
        }
        if (messages == 0 || begins_message(s)) {
            contents[messages++] =
                (hxi_contents){.peer = s->link.peer, .transport = s->transport, .segment = i, .slot = -1};
        }
        contents[messages - 1].segments++;
        message_of[i] = messages - 1;
    }
    for (int m = 0; m < messages; ++m) {
        hxi_segment *first = &phase->segments.segment[contents[m].segment];
        contents[m].delivery = first->delivery;
        contents[m].bytes = hxi_segments_place(spec, first, contents[m].segments);
        contents[m].hash = hxi_segments_hash(first, contents[m].segments);
    }
    return messages;
}

static hx_status make_messages(const hx_spec *spec, hxi_phase *phase, int *message_of)
{
    /* Sorted by peer, and by who travels alone, so a message begins wherever that changes. */
    size_t most[] = {[HX_SENT] = 0, [HX_RECEIVED] = 0};
    for (int i = 0; i < phase->segments.count; ++i) {
        const hxi_segment *s = &phase->segments.segment[i];
        if (s->kind == HX_WITHIN) {
            phase->bytes_copied += s->bytes;
        } else if (i == 0 || s->kind != s[-1].kind || begins_message(s)) {
            most[s->kind]++;
        }
    }
    phase->send = hxi_memory_get(most[HX_SENT], sizeof *phase->send, messages_purpose);
    phase->receive = hxi_memory_get(most[HX_RECEIVED], sizeof *phase->receive, messages_purpose);
    if (!phase->send || !phase->receive) {
        return HX_ERR_MEMORY;
    }
    phase->sends = group(spec, phase, HX_SENT, phase->send, message_of);
    phase->receives = group(spec, phase, HX_RECEIVED, phase->receive, message_of);
    for (int m = 0; m < phase->sends; ++m) {
        phase->bytes_sent += phase->send[m].bytes;
    }
    return HX_OK;
}

/*
 * Tells each message which operations it has.  They are sorted: those of two messages, then those of message
 * 0, ...
 */
static hx_status assign_ops(hxi_phase *phase)
{
    const hxi_ops *ops = &phase->ops;
    for (int i = ops->packs_shared; i < ops->packs; ++i) {
        hxi_contents *p = &phase->send[ops->pack[i].message[0]];
        p->op = p->ops++ == 0 ? i : p->op;
    }
    for (int i = ops->unpacks_shared; i < ops->unpacks; ++i) {
        hxi_contents *p = &phase->receive[ops->unpack[i].message[0]];
        p->op = p->ops++ == 0 ? i : p->op;
    }
    phase->shared = hxi_memory_get(2 * (size_t)ops->unpacks_shared, sizeof *phase->shared, messages_purpose);
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
            hxi_contents *p = &phase->receive[ops->unpack[i].message[side]];
            phase->shared[p->shared + p->shareds++] = i;
        }
    }
    return HX_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Room for what binding fills in, had here: no rank may drop out of what is collective. */
static hx_status make_room(hxi_phase *phase)
{
    const size_t messages = (size_t)phase->sends + (size_t)phase->receives;
    phase->message = hxi_memory_get(messages, sizeof *phase->message, messages_purpose);
    phase->buffer = hxi_memory_get(messages, sizeof *phase->buffer, messages_purpose);
    phase->arrived = hxi_memory_get((size_t)phase->receives, 1, messages_purpose);
    return phase->message && phase->buffer && phase->arrived ? HX_OK : HX_ERR_MEMORY;
}

static void set_places(const hxi_work *work, hxi_contents *contents, int count)
{
    for (int m = 0; m < count; ++m) {
        const hxi_segment *s = &work->segments->segment[contents[m].segment];
        if (s->in_place) {
            contents[m].slot = hxi_work_end_slot(work, s, s->kind == HX_RECEIVED ? HX_TO : HX_FROM);
            contents[m].at = s->at;
        }
    }
}

static hx_status make_ops(const hxi_work *work, hxi_phase *phase)
{
    hx_status status = hxi_ops_make(work, &phase->ops);
    if (status == HX_OK && HX_RETURNS(work->exchange->operation)) {
        status = hxi_accumulation_make(work, &phase->additions);
    }
    if (status == HX_OK && hxi_shared_points_combine(work->exchange)) {
        status = hxi_combine_make(work, &phase->combining);
    }
    if (status == HX_OK) {
        status = assign_ops(phase);
    }
    return status == HX_OK ? make_room(phase) : status;
}

/* Kernels of a device move what lies there, loops of the host the rest. */
static hx_status divide(const hxi_work *work, const hxi_device_context *device, hxi_phase *phase)
{
    hxi_share here;
    hxi_share there;
    phase->mixed = hxi_device_mixes(work->spec, work->exchange);
    hx_status status = hxi_share_make(work, false, &here);
    const hx_status other = hxi_share_make(work, true, &there);
    status = status == HX_OK ? other : status;
    if (status == HX_OK) {
        status = make_ops(&here.work, phase);
    }
    if (status == HX_OK) {
        status = hxi_device_work_make(device, &there.work, phase->sends, phase->receives, &phase->device);
    }
    hxi_share_free(&here);
    hxi_share_free(&there);
    return status;
}

bool hxi_phase_fits(const hx_exchange *exchange)
{
    bool fits = true;
    for (int i = 0; i < exchange->fields; ++i) {
        fits = fits && exchange->field[i].wire < HX_WIRE_INT8;
    }
    return fits;
}

hx_status hxi_phase_make(const hxi_setting *setting, const hxi_work *common, const hxi_routes *routes,
                         const hxi_device_context *device, hxi_phase *phase)
{
    const hx_spec *spec = common->spec;
    const hx_exchange *exchange = common->exchange;
    const bool checks = setting->options->check != 0;
    phase->header = checks ? sizeof(hxi_header) : 0;
    if (exchange->operation == HX_COPY && !checks && !device) {
        hxi_in_place_mark(spec, setting->around.layout, common->mine, routes, &phase->segments);
        hxi_direct_mark(spec, common->mine, routes->transport, &phase->segments);
    }
    if (exchange->operation == HX_COPY && !checks && device) {
        hxi_device_direct_mark(spec, routes->transport,
                               hxi_device_mixes(spec, exchange) || !hxi_phase_fits(exchange),
                               &phase->segments);
    }
    int *message_of = hxi_memory_get((size_t)phase->segments.count, sizeof *message_of, messages_purpose);
    if (!message_of) {
        return HX_ERR_MEMORY;
    }
    hxi_work work = *common;
    work.segments = &phase->segments;
    work.message_of = message_of;
    hx_status status = make_messages(spec, phase, message_of);
    if (status == HX_OK) {
        set_places(&work, phase->send, phase->sends);
        set_places(&work, phase->receive, phase->receives);
        status = device ? divide(&work, device, phase) : make_ops(&work, phase);
    }
    hxi_memory_free(message_of);
    return status;
}

/* ---- messages without a buffer ------------------------------------------------------------------------- */

/* The segments of a message. */
static hxi_segments segments_of(const hxi_phase *phase, const hxi_contents *contents)
{
    return (hxi_segments){phase->segments.segment + contents->segment, contents->segments, 0};
}

static int count_delivered(const hxi_contents *contents, int count, hxi_delivery delivery)
{
    int found = 0;
    for (int m = 0; m < count; ++m) {
        found += contents[m].delivery == delivery;
    }
    return found;
}

/* Asks the receiver of a message where its points, which are of a list, become one run; if they do not, it is
 * packed. */
static hx_status find_run(const hxi_phase *phase, const hxi_board *board, int tag, hxi_contents *contents)
{
    hxi_mailbox box;
    const hx_status status = hxi_board_outbox(board, tag, contents->peer, &box);
    if (status != HX_OK) {
        return status;
    }
    contents->delivery = box.first < 0 ? HX_BUFFERED : HX_PUSHED;
    const hxi_segments message = segments_of(phase, contents);
    for (int i = 0; i < message.count; ++i) {
        message.segment[i].first = box.first;
        message.segment[i].delivery = contents->delivery;
    }
    return HX_OK;
}

static hx_status find_runs(const hxi_phase *phase, const hxi_board *board, int tag)
{
    hx_status status = HX_OK;
    for (int m = 0; m < phase->sends && status == HX_OK; ++m) {
        if (phase->send[m].delivery == HX_PUSHED) {
            status = find_run(phase, board, tag, &phase->send[m]);
        }
    }
    return status;
}

static hx_status make_pushes(const hxi_work *common, const hxi_board *board, const hxi_sets *sets,
                             hxi_phase *phase)
{
    phase->push = hxi_memory_get((size_t)phase->sends, sizeof *phase->push, messages_purpose);
    hx_status status = phase->push ? HX_OK : HX_ERR_MEMORY;
    for (int m = 0; m < phase->sends && status == HX_OK; ++m) {
        if (phase->send[m].delivery == HX_PUSHED) {
            const hxi_segments message = segments_of(phase, &phase->send[m]);
            hxi_work work = *common;
            work.scope = HX_ONE_MESSAGE;
            work.segments = &message;
            status = hxi_direct_make(&work, board, sets, &phase->push[m]);
        }
    }
    return status;
}

/* Numbers of the messages of segments; those within the rank have none. */
static void number_messages(const hxi_phase *phase, int message_of[])
{
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        const bool sent = m < phase->sends;
        const hxi_contents *contents = sent ? &phase->send[m] : &phase->receive[m - phase->sends];
        for (int i = 0; i < contents->segments; ++i) {
            message_of[contents->segment + i] = sent ? m : m - phase->sends;
        }
    }
}

static hx_status make_straight(const hxi_work *common, const hxi_board *board, const hxi_sets *sets,
                               hxi_phase *phase)
{
    int *message_of = hxi_memory_get((size_t)phase->segments.count, sizeof *message_of, messages_purpose);
    if (!message_of) {
        return HX_ERR_MEMORY;
    }
    number_messages(phase, message_of);
    hxi_work work = *common;
    work.segments = &phase->segments;
    work.message_of = message_of;
    const hxi_device_traffic traffic = {phase->device, phase->message, phase->sends, phase->receives};
    const hx_status status = hxi_device_direct_make(&work, board, sets, &traffic, &phase->straight);
    hxi_memory_free(message_of);
    return status;
}

hx_status hxi_phase_direct(const hxi_work *common, const hxi_board *board, const hxi_device_boxes *boxes,
                           const hxi_sets *sets, int tag, hxi_phase *phase)
{
    if (!board->memory.shared) {
        return HX_OK;
    }
    if (phase->device) {
        return boxes->shared.usable && hxi_phase_goes_straight(phase)
                   ? make_straight(common, board, sets, phase)
                   : HX_OK;
    }
    hx_status status = common->spec->list ? find_runs(phase, board, tag) : HX_OK;
    if (status == HX_OK && count_delivered(phase->send, phase->sends, HX_PUSHED) > 0) {
        status = make_pushes(common, board, sets, phase);
    }
    return status;
}

bool hxi_phase_goes_straight(const hxi_phase *phase)
{
    return count_delivered(phase->send, phase->sends, HX_BUFFERED) < phase->sends ||
           count_delivered(phase->receive, phase->receives, HX_BUFFERED) < phase->receives;
}

/* ---- binding ------------------------------------------------------------------------------------------- */

static bool has_box(const hxi_contents *contents, const hxi_routes *routes)
{
    return (routes->transport[contents->transport]->flags & HX_TRANSPORT_NODE) != 0;
}

static bool has_box_there(const hxi_contents *contents, const hxi_routes *routes)
{
    return (routes->transport[contents->transport]->flags & HX_TRANSPORT_BOXES) != 0;
}

size_t hxi_phase_buffer_bytes(const hxi_phase *phase, const hxi_routes *routes, bool boxes)
{
    size_t bytes = 0;
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        const hxi_contents *p = m < phase->sends ? &phase->send[m] : &phase->receive[m - phase->sends];
        const bool needed = p->slot < 0 && !(boxes && has_box_there(p, routes));
        bytes += needed ? hxi_buffers_round(phase->header + p->bytes) : 0;
    }
    return bytes;
}

int hxi_phase_boxes(const hxi_phase *phase, const hxi_routes *routes)
{
    int boxes = 0;
    for (int m = 0; m < phase->receives; ++m) {
        boxes += has_box(&phase->receive[m], routes);
    }
    return boxes;
}

/* Of points of a list that come to lie in one run; else -1. */
static int first_of(const hxi_phase *phase, const hxi_contents *contents)
{
    const hx_runs *runs = phase->segments.segment[contents->segment].to_runs;
    return runs && contents->delivery == HX_PUSHED ? runs->run->first : -1;
}

void hxi_phase_add_boxes(const hxi_phase *phase, const hxi_routes *routes, int tag, hxi_board *board)
{
    for (int m = 0; m < phase->receives; ++m) {
        const hxi_contents *p = &phase->receive[m];
        const bool there = has_box_there(p, routes);
        if (has_box(p, routes)) {
            const size_t here = !there || phase->mixed ? p->bytes : 0;
            hxi_board_add(board, tag, p->peer, first_of(phase, p), phase->header + here,
                          there ? p->bytes : 0);
        }
    }
    for (int m = 0; m < phase->sends; ++m) {
        if (has_box(&phase->send[m], routes)) {
            hxi_board_need(board);
        }
    }
}

static void set_messages(const hxi_phase *phase, const hxi_contents *contents, int count,
                         hxi_message *message)
{
    for (int m = 0; m < count; ++m) {
        message[m] = (hxi_message){.peer = contents[m].peer,
                                   .bytes = phase->header + contents[m].bytes,
                                   .in_place = contents[m].slot >= 0};
    }
}

/* The messages of one transport, which stand one behind the other. */
static int select_transport(const hxi_contents *contents, int count, int transport, int *first)
{
    int selected = 0;
    *first = 0;
    for (int m = 0; m < count; ++m) {
        *first += contents[m].transport < transport;
        selected += contents[m].transport == transport;
    }
    return selected;
}

static void prepare_bindings(hxi_phase *phase, const hxi_routes *routes, const hxi_binding *common)
{
    hxi_message *received = phase->message + phase->sends;
    set_messages(phase, phase->send, phase->sends, phase->message);
    set_messages(phase, phase->receive, phase->receives, received);
    phase->bindings = routes->transports;
    for (int transport = 0; transport < phase->bindings; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        int first = 0;
        *binding = *common;
        binding->transport = routes->transport[transport];
        binding->sends = select_transport(phase->send, phase->sends, transport, &first);
        binding->send = phase->message + first;
        binding->push = phase->push ? phase->push + first : NULL;
        binding->receives = select_transport(phase->receive, phase->receives, transport, &first);
        binding->receive = received + first;
    }
}

hx_status hxi_phase_bind(hxi_phase *phase, const hxi_routes *routes, const hxi_binding *common,
                         hxi_messages messages)
{
    hxi_first first = {0};
    prepare_bindings(phase, routes, common);
    for (int transport = 0; transport < phase->bindings; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        hxi_first_note(&first, binding->transport->bind ? binding->transport->bind(binding) : HX_OK);
        if (first.status == HX_OK && (binding->transport->flags & HX_TRANSPORT_TURNS) == 0) {
            hxi_phase_set_buffers(phase, binding);
        }
    }
    if (first.status == HX_OK && phase->device) {
        hxi_device_buffers_bind(phase);
        hxi_first_note(&first, hxi_device_work_bind(phase->device, messages));
    }
    return hxi_first_tell(&first);
}

void hxi_phase_free(hxi_phase *phase, int abandon)
{
    for (int transport = 0; transport < phase->bindings; ++transport) {
        hxi_binding *binding = &phase->binding[transport];
        if (binding->transport->unbind) {
            binding->transport->unbind(binding, abandon);
        }
    }
    hxi_device_direct_free(phase->straight, abandon);
    hxi_device_work_free(phase->device, abandon);
    for (int m = 0; phase->push && m < phase->sends; ++m) {
        hxi_direct_free(&phase->push[m]);
    }
    hxi_memory_free(phase->push);
    hxi_segments_free(&phase->segments);
    hxi_ops_free(&phase->ops);
    hxi_accumulation_free(&phase->additions);
    hxi_combine_free(&phase->combining);
    hxi_memory_free(phase->send);
    hxi_memory_free(phase->receive);
    hxi_memory_free(phase->shared);
    hxi_memory_free(phase->message);
    hxi_memory_free(phase->buffer);
    hxi_memory_free(phase->arrived);
    *phase = (hxi_phase){0};
}
