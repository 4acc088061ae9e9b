#include "transport/device_direct.h"

#include "transport/push.h"

#include <string.h>

static const char purpose[] = "messages straight into arrays of other devices";

/* How often to look for partners who have not started before others are sent to on their own. */
enum { PATIENCE = 100 };

/* Lists of moves; then one for each message, from or to its box; then one for each partner's arrays. */
enum { STRAIGHT, REST_PACKED, REST_UNPACKED, RETURNED, OF_MESSAGES };

static int list_of_partner(const hxi_device_direct *d, int partner)
{
    return OF_MESSAGES + d->sends + d->receives + partner;
}

/* ---- which --------------------------------------------------------------------------------------------- */

void hxi_device_direct_mark(const hx_spec *spec, const hxi_transport *const transport[], bool mixed,
                            hxi_segments *segments)
{
    for (int i = 0; i < segments->count; ++i) {
        hxi_segment *s = &segments->segment[i];
        const bool in_boxes =
            s->kind != HX_WITHIN && (transport[s->transport]->flags & HX_TRANSPORT_BOXES) != 0;
        s->delivery = in_boxes && !mixed && !spec->list ? HX_PUSHED : HX_BUFFERED;
    }
}

/* ---- making -------------------------------------------------------------------------------------------- */

typedef struct stage {
    const hxi_work *common;
    hxi_share chosen; /* segments of common */
    hxi_device_direct *made;
} stage;

static bool is_among(const hxi_segment *s, hxi_segment_kind kind, bool pushed)
{
    return s->kind == kind && (s->delivery == HX_PUSHED) == pushed;
}

/* Of a kind those that are pushed, or those that are not; message: of it alone; -1: of all. */
static const hxi_work *choose(stage *s, hxi_segment_kind kind, bool pushed, int message)
{
    hxi_share *c = &s->chosen;
    c->segments.count = 0;
    for (int i = 0; i < s->common->segments->count; ++i) {
        const hxi_segment *segment = &s->common->segments->segment[i];
        const int number = s->common->message_of[i];
        if (is_among(segment, kind, pushed) && (message < 0 || message == number)) {
            c->message_of[c->segments.count] = number;
            c->segments.segment[c->segments.count++] = *segment;
        }
    }
    return &c->work;
}

static hx_status make_list(const stage *s, const hxi_work *work, hxi_cuda_motion motion, int number)
{
    hxi_device_moves *moves = &s->made->moves[number];
    const hxi_device_direct *d = s->made;
    const int messages = d->sends > d->receives ? d->sends : d->receives;
    hx_status status = HX_OK;
    for (int aligned = 0; aligned < 2 && status == HX_OK; ++aligned) {
        status = hxi_cuda_list_make(work, d->device->spec->cuda, aligned != 0, messages, motion,
                                    &moves->list[aligned]);
    }
    return status;
}

/* To all partners, and to each of several. */
static hx_status make_straight(const stage *s, const hxi_joined *joined)
{
    const hxi_partners *p = &s->made->partners;
    hx_status status = make_list(s, &joined->work, HX_CUDA_COPIES, STRAIGHT);
    hxi_work one = joined->work;
    hxi_segments segments = {0};
    one.segments = &segments;
    int first = 0;
    for (int i = 0; i < p->count && p->count > 1 && status == HX_OK; ++i) {
        segments = (hxi_segments){.segment = joined->segments.segment + first};
        while (first + segments.count < joined->segments.count &&
               segments.segment[segments.count].link.peer == p->partner[i].peer) {
            segments.count++;
        }
        first += segments.count;
        status = make_list(s, &one, HX_CUDA_COPIES, list_of_partner(s->made, i));
    }
    return status;
}

/* To and from boxes, also of messages that have nothing else. */
static hx_status make_boxed(stage *s)
{
    const hxi_device_direct *d = s->made;
    hx_status status = make_list(s, choose(s, HX_SENT, false, -1), HX_CUDA_PACKS, REST_PACKED);
    status = status == HX_OK ? make_list(s, choose(s, HX_RECEIVED, false, -1), HX_CUDA_UNPACKS, REST_UNPACKED)
                             : status;
    status =
        status == HX_OK ? make_list(s, choose(s, HX_RECEIVED, true, -1), HX_CUDA_RETURNS, RETURNED) : status;
    for (int m = 0; m < d->sends + d->receives && status == HX_OK; ++m) {
        const bool sent = m < d->sends;
        const hxi_work *work = choose(s, sent ? HX_SENT : HX_RECEIVED, true, sent ? m : m - d->sends);
        status = make_list(s, work, sent ? HX_CUDA_PACKS : HX_CUDA_UNPACKS, OF_MESSAGES + m);
    }
    return status;
}

static hx_status make_tables(hxi_device_direct *d)
{
    hxi_device_entry *entry = hxi_memory_get(2 * (size_t)d->lists, sizeof *entry, purpose);
    if (!entry) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < 2 * d->lists; ++i) {
        hxi_device_moves *moves = &d->moves[i / 2];
        entry[i] = (hxi_device_entry){&moves->list[i % 2], &moves->tables[i % 2]};
    }
    const hx_status status = hxi_device_place_tables(d->device, entry, 2 * d->lists, &d->memory);
    hxi_memory_free(entry);
    return status;
}

/* Which messages are pushed, and to whom. */
static void note_messages(const stage *s)
{
    hxi_device_direct *d = s->made;
    for (int i = 0; i < s->common->segments->count; ++i) {
        const hxi_segment *segment = &s->common->segments->segment[i];
        if (segment->kind != HX_WITHIN && segment->delivery == HX_PUSHED) {
            d->pushed[s->common->message_of[i] + (segment->kind == HX_SENT ? 0 : d->sends)] = true;
        }
    }
    int partner = 0;
    for (int m = 0; m < d->sends; ++m) {
        if (d->pushed[m]) {
            d->number[partner++] = m;
        }
    }
}

static hx_status make_room(stage *s)
{
    hxi_device_direct *d = s->made;
    const size_t messages = (size_t)d->sends + (size_t)d->receives;
    const size_t segments = (size_t)s->common->segments->count;
    d->lists = list_of_partner(d, d->sends);
    d->moves = hxi_memory_get((size_t)d->lists, sizeof *d->moves, purpose);
    d->number = hxi_memory_get((size_t)d->sends, sizeof *d->number, purpose);
    d->push = hxi_memory_get((size_t)d->sends, sizeof *d->push, purpose);
    d->pushed = hxi_memory_get(messages, sizeof *d->pushed, purpose);
    s->chosen.work = *s->common;
    s->chosen.segments.segment = hxi_memory_get(segments, sizeof *s->chosen.segments.segment, purpose);
    s->chosen.message_of = hxi_memory_get(segments, sizeof *s->chosen.message_of, purpose);
    s->chosen.work.segments = &s->chosen.segments;
    s->chosen.work.message_of = s->chosen.message_of;
    return d->moves && d->number && d->push && d->pushed && s->chosen.segments.segment && s->chosen.message_of
               ? HX_OK
               : HX_ERR_MEMORY;
}

static hx_status make(stage *s, const hxi_board *board, const hxi_sets *sets)
{
    hx_status status = make_room(s);
    if (status != HX_OK) {
        return status;
    }
    hxi_joined joined;
    note_messages(s);
    status = hxi_partners_join(choose(s, HX_SENT, true, -1), board, sets, true, &s->made->partners, &joined);
    status = status == HX_OK ? make_straight(s, &joined) : status;
    hxi_joined_free(&joined);
    status = status == HX_OK ? make_boxed(s) : status;
    return status == HX_OK ? make_tables(s->made) : status;
}

hx_status hxi_device_direct_make(const hxi_work *common, const hxi_board *board, const hxi_sets *sets,
                                 const hxi_device_traffic *traffic, hxi_device_direct **made)
{
    hxi_device_direct *d = hxi_memory_get(1, sizeof *d, purpose);
    *made = d;
    if (!d) {
        return HX_ERR_MEMORY;
    }
    d->device = traffic->work->device;
    d->work = traffic->work;
    d->message = traffic->message;
    d->sends = traffic->sends;
    d->receives = traffic->receives;
    stage s = {.common = common, .made = d};
    const hx_status status = make(&s, board, sets);
    hxi_share_free(&s.chosen);
    return status;
}

void hxi_device_direct_free(hxi_device_direct *d, int abandon)
{
    if (!d) {
        return;
    }
    if (abandon) {
        hxi_memory_keep(&d->kept);
        return;
    }
    if (d->memory) {
        d->device->calls->free(HX_MEMORY_DEVICE, d->memory);
    }
    for (int i = 0; d->moves && i < d->lists; ++i) {
        hxi_cuda_list_free(&d->moves[i].list[0]);
        hxi_cuda_list_free(&d->moves[i].list[1]);
    }
    hxi_partners_free(&d->partners);
    hxi_memory_free(d->moves);
    hxi_memory_free(d->number);
    hxi_memory_free(d->push);
    hxi_memory_free(d->pushed);
    hxi_memory_free(d);
}

/* ---- launching ----------------------------------------------------------------------------------------- */

static hx_status run(const hxi_device_direct *d, int number, void *const *base, int aligned, hx_stream stream)
{
    const hxi_device_moves *moves = &d->moves[number];
    const hx_cuda_kernels *kernels = d->device->spec->cuda;
    const int error =
        hxi_cuda_run(&moves->list[aligned], kernels->move, &moves->tables[aligned], base, stream);
    return error == 0 ? HX_OK
                      : hxi_device_fail(d->device->calls, error,
                                        "Launching what moves points between devices on device %d",
                                        d->device->number);
}

/* From this rank's arrays into those of partners that have been reached. */
static hx_status run_straight(hxi_device_direct *d, int number, hx_stream stream)
{
    hxi_partners *p = &d->partners;
    int aligned = d->work->aligned;
    memcpy(p->base, d->work->out, (size_t)p->own * sizeof *p->base);
    for (int slot = p->own; slot < p->slots; ++slot) {
        aligned = aligned && (uintptr_t)p->base[slot] % 16 == 0;
    }
    return run(d, number, p->base, aligned, stream);
}

static hx_status run_boxed(const hxi_device_direct *d, int message, hx_stream stream)
{
    void *const *base = message < d->sends ? d->work->out : d->work->in;
    return run(d, OF_MESSAGES + message, base, d->work->aligned, stream);
}

/* ---- sending ------------------------------------------------------------------------------------------- */

hx_status hxi_device_direct_begin(hxi_device_direct *d, hx_stream stream)
{
    for (int i = 0; i < d->partners.count; ++i) {
        d->push[i] = HX_PUSH_AWAITED;
    }
    d->looks = 0;
    d->under_way = false;
    const hx_status status = run(d, REST_PACKED, d->work->out, d->work->aligned, stream);
    return status == HX_OK ? hxi_staging_out(d->device, &d->work->staging, stream) : status;
}

/* Whose arrays of this start are where this rank can write. */
static bool is_reached(hxi_device_direct *d, int partner)
{
    return d->partners.partner[partner].posted->known && hxi_push_reach(&d->partners, partner);
}

static hx_status launch_one(hxi_device_direct *d, int partner, hx_stream stream)
{
    return d->message[d->number[partner]].direct ? run_straight(d, list_of_partner(d, partner), stream)
                                                 : run_boxed(d, d->number[partner], stream);
}

/* To partners that are ready.  all: no other is awaited, nor was sent to before. */
static hx_status launch(hxi_device_direct *d, bool all, hx_stream stream)
{
    for (int i = 0; i < d->partners.count; ++i) {
        if (d->push[i] == HX_PUSH_READY) {
            hxi_message *message = &d->message[d->number[i]];
            d->push[i] = HX_PUSH_UNDER_WAY;
            message->direct = is_reached(d, i);
            d->partners.partner[i].runs += message->direct;
            all = all && message->direct;
        }
    }
    hx_status status = all ? run_straight(d, STRAIGHT, stream) : HX_OK;
    for (int i = 0; i < d->partners.count && !all && status == HX_OK; ++i) {
        status = d->push[i] == HX_PUSH_UNDER_WAY ? launch_one(d, i, stream) : HX_OK;
    }
    d->under_way = true;
    return status == HX_OK ? hxi_device_work_mark(d->work, stream) : status;
}

/* What the device has done is sent. */
static hx_status look(hxi_device_direct *d, hxi_device_sent *sent, void *context)
{
    bool done = false;
    hx_status status = hxi_device_work_marked(d->work, &done);
    for (int i = 0; i < d->partners.count && done && status == HX_OK; ++i) {
        if (d->push[i] == HX_PUSH_UNDER_WAY) {
            d->push[i] = HX_PUSH_DONE;
            status = sent(context, d->number[i]);
        }
    }
    d->under_way = !done;
    return status;
}

hx_status hxi_device_direct_advance(hxi_device_direct *d, uint64_t start, hx_stream stream,
                                    hxi_device_sent *sent, void *context)
{
    if (d->under_way) {
        return look(d, sent, context);
    }
    int ready = 0;
    int awaited = 0;
    for (int i = 0; i < d->partners.count; ++i) {
        if (d->push[i] == HX_PUSH_AWAITED && hxi_push_may_begin(&d->partners, i, start)) {
            d->push[i] = HX_PUSH_READY;
        }
        ready += d->push[i] == HX_PUSH_READY;
        awaited += d->push[i] == HX_PUSH_AWAITED;
    }
    if (ready == 0 || (awaited > 0 && ++d->looks < PATIENCE)) {
        return HX_OK;
    }
    return launch(d, ready == d->partners.count, stream);
}

/* ---- receiving ----------------------------------------------------------------------------------------- */

bool hxi_device_direct_all_there(const hxi_device_direct *d)
{
    bool there = d->moves[REST_UNPACKED].list[0].launches == 0;
    for (int m = d->sends; m < d->sends + d->receives; ++m) {
        there = there && (!d->pushed[m] || d->message[m].direct);
    }
    return there;
}

/* Messages that were written into arrays. */
static int count_direct(const hxi_device_direct *d)
{
    int count = 0;
    for (int m = d->sends; m < d->sends + d->receives; ++m) {
        count += d->pushed[m] && d->message[m].direct;
    }
    return count;
}

hx_status hxi_device_direct_unpack(const hxi_device_direct *d, hx_stream stream)
{
    if (count_direct(d) == 0) {
        return hxi_device_work_unpack(d->work, stream);
    }
    hx_status status = hxi_staging_in(d->device, &d->work->staging, stream);
    status = status == HX_OK ? run(d, REST_UNPACKED, d->work->in, d->work->aligned, stream) : status;
    for (int m = d->sends; m < d->sends + d->receives && status == HX_OK; ++m) {
        if (d->pushed[m] && !d->message[m].direct) {
            status = run_boxed(d, m, stream);
        }
    }
    return status;
}

hx_status hxi_device_direct_return(const hxi_device_direct *d, bool *any, hx_stream stream)
{
    *any = count_direct(d) > 0;
    return *any ? run(d, RETURNED, d->work->in, d->work->aligned, stream) : HX_OK;
}

uint64_t hxi_device_direct_runs(const hxi_device_direct *d, int peer)
{
    uint64_t runs = 0;
    for (int i = 0; i < d->partners.count; ++i) {
        runs += d->partners.partner[i].peer == peer ? d->partners.partner[i].runs : 0;
    }
    return runs;
}
