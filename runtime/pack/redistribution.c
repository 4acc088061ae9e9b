#include "pack/redistribution.h"

#include "base/devices.h"
#include "base/memory.h"
#include "base/status.h"
#include "pack/redistribution_segments.h"

#include <string.h>

static const char purpose[] = "a redistribution";

/* ---- segments ------------------------------------------------------------------------------------------ */

static hx_status find_segments(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    const hx_status status =
        w->lists ? hxi_redistribution_find_lists(w, r) : hxi_redistribution_find_boxes(w, r);
    hxi_segments_sort(&r->segments);
    return status;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static bool begins_message(const hxi_segment *s, int number)
{
    return number == 0 || s->kind != s[-1].kind || s->link.peer != s[-1].link.peer;
}

static int count_messages(const hxi_segments *segments, hxi_segment_kind kind)
{
    int count = 0;
    for (int i = 0; i < segments->count; ++i) {
        count += segments->segment[i].kind == kind && begins_message(&segments->segment[i], i);
    }
    return count;
}

/* Segments that follow each other, up to the next message. */
static void group(const hx_spec *spec, hxi_redistribution *r, hxi_segment_kind kind,
                  hxi_redistribution_message *message)
{
    hxi_segments *all = &r->segments;
    int number = -1;
    for (int i = 0; i < all->count; ++i) {
        hxi_segment *s = &all->segment[i];
        if (s->kind != kind) {
            continue;
        }
        if (begins_message(s, i)) {
            int end = i + 1;
            while (end < all->count && !begins_message(&all->segment[end], end)) {
                ++end;
            }
            const size_t bytes = hxi_segments_place(spec, s, end - i);
            message[++number] = (hxi_redistribution_message){
                .peer = s->link.peer, .bytes = bytes, .hash = hxi_segments_hash(s, end - i)};
        }
        r->message_of[i] = number;
    }
}

static hx_status make_messages(const hx_spec *spec, hxi_redistribution *r)
{
    r->sends = count_messages(&r->segments, HX_SENT);
    r->receives = count_messages(&r->segments, HX_RECEIVED);
    r->send = hxi_memory_get((size_t)r->sends, sizeof *r->send, purpose);
    r->receive = hxi_memory_get((size_t)r->receives, sizeof *r->receive, purpose);
    r->message_of = hxi_memory_get((size_t)r->segments.count, sizeof *r->message_of, purpose);
    if (!r->send || !r->receive || !r->message_of) {
        return HX_ERR_MEMORY;
    }
    group(spec, r, HX_SENT, r->send);
    group(spec, r, HX_RECEIVED, r->receive);
    return HX_OK;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

/* In an exchange that copies the points of a list; NULL: there is none. */
static const hx_exchange_field *find_listed_field(const hx_spec *spec, int field)
{
    const hx_exchange_field *found = NULL;
    for (int e = 0; e < spec->exchanges && !found; ++e) {
        const hx_exchange *exchange = &spec->exchange[e];
        for (int i = 0; i < exchange->fields && exchange->operation == HX_COPY && !found; ++i) {
            found = exchange->field[i].field == field ? &exchange->field[i] : NULL;
        }
    }
    return found;
}

/* Those that keep numbers as they are, also where the exchange sends them shorter; NULL: of a list on a device. */
static const hx_kernels *exact_kernels(const hx_exchange_field *listed)
{
    return listed->kernels && listed->kernels->exact ? listed->kernels->exact : listed->kernels;
}

/* An exchange of the fields that move, with the kernels that move any box of them. */
static hx_status make_exchange(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    r->item = hxi_memory_get((size_t)w->fields, sizeof *r->item, purpose);
    r->slot_of = hxi_memory_get((size_t)w->spec->fields, sizeof *r->slot_of, purpose);
    if (!r->item || !r->slot_of) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < w->spec->fields; ++i) {
        r->slot_of[i] = -1;
    }
    for (int i = 0; i < w->fields; ++i) {
        const hx_exchange_field *listed = w->lists ? find_listed_field(w->spec, w->field[i]) : NULL;
        const hx_field *field = &w->spec->field[w->field[i]];
        if (w->lists && !listed) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s:%d: field %s is in no exchange that copies its points, so there is no code that moves "
                "them; give null pointers for it, or add such an exchange to the spec.",
                w->spec->file, field->line, field->name);
        }
        r->item[i] = (hx_exchange_field){
            .field = w->field[i], .kernels = listed ? exact_kernels(listed) : w->spec->any[w->field[i]]};
        r->slot_of[w->field[i]] = i;
    }
    r->exchange =
        (hx_exchange){.name = "redistribute", .field = r->item, .fields = w->fields, .operation = HX_COPY};
    return HX_OK;
}

/* Both lists in one, which has what they point to. */
static hx_status join_blocks(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    const size_t to = (size_t)w->to.mine->blocks;
    const size_t from = (size_t)w->from.mine->blocks;
    r->blocks.block = hxi_memory_get(to + from, sizeof *r->blocks.block, purpose);
    if (!r->blocks.block) {
        return HX_ERR_MEMORY;
    }
    if (to > 0) {
        memcpy(r->blocks.block, w->to.mine->block, to * sizeof *r->blocks.block);
    }
    if (from > 0) {
        memcpy(r->blocks.block + to, w->from.mine->block, from * sizeof *r->blocks.block);
    }
    r->blocks.blocks = (int)(to + from);
    return HX_OK;
}

static void note_op(hxi_redistribution_message *message, int op)
{
    message->op = message->ops++ == 0 ? op : message->op;
}

static hxi_work work_of(const hxi_redistribution_task *w, const hxi_redistribution *r)
{
    return (hxi_work){.spec = w->spec,
                      .exchange = &r->exchange,
                      .mine = &r->blocks,
                      .segments = &r->segments,
                      .slot_of = r->slot_of,
                      .fields = w->fields,
                      .message_of = r->message_of,
                      .scope = HX_PHASE,
                      .any_strides = w->selected != NULL};
}

hx_status hxi_redistribution_share(const hxi_redistribution_task *task, const hxi_redistribution *made,
                                   bool on_device, hxi_share *share)
{
    const hxi_work work = work_of(task, made);
    return hxi_share_make(&work, on_device, share);
}

static hx_status make_ops_of_host(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    if (!hxi_device_has(w->spec, &r->exchange)) {
        const hxi_work work = work_of(w, r);
        return hxi_ops_make(&work, &r->ops);
    }
    hxi_share here;
    hx_status status = hxi_redistribution_share(w, r, false, &here);
    status = status == HX_OK ? hxi_ops_make(&here.work, &r->ops) : status;
    hxi_share_free(&here);
    return status;
}

static hx_status make_ops(const hxi_redistribution_task *w, hxi_redistribution *r)
{
    const hx_status status = make_ops_of_host(w, r);
    for (int i = 0; i < r->ops.packs && status == HX_OK; ++i) {
        note_op(&r->send[r->ops.pack[i].message[0]], i);
    }
    for (int i = 0; i < r->ops.unpacks && status == HX_OK; ++i) {
        note_op(&r->receive[r->ops.unpack[i].message[0]], i);
    }
    return status;
}

hx_status hxi_redistribution_make(const hxi_redistribution_task *task, hxi_redistribution *made)
{
    *made = (hxi_redistribution){0};
    hx_status status = make_exchange(task, made);
    if (status == HX_OK && task->selected) {
        status = hxi_selections_find(task, made);
    } else if (status == HX_OK) {
        status = join_blocks(task, made);
        status = status == HX_OK ? find_segments(task, made) : status;
    }
    status = status == HX_OK ? make_messages(task->spec, made) : status;
    return status == HX_OK ? make_ops(task, made) : status;
}

void hxi_redistribution_free(hxi_redistribution *r)
{
    hxi_memory_free(r->item);
    hxi_memory_free(r->slot_of);
    hxi_blocks_free(&r->blocks);
    hxi_memory_free(r->view);
    hxi_segments_free(&r->segments);
    hxi_memory_free(r->message_of);
    hxi_memory_free(r->send);
    hxi_memory_free(r->receive);
    hxi_ops_free(&r->ops);
    *r = (hxi_redistribution){0};
}
