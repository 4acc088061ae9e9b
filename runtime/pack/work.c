#include "pack/work.h"

#include "base/memory.h"

/* ---- shares -------------------------------------------------------------------------------------------- */

static bool is_among(const hx_work *work, const hx_segment *segment, bool on_device)
{
    return (work->spec->field[segment->link.field].on_device != 0) == on_device;
}

hx_status hx_share_make(const hx_work *work, bool on_device, hx_share *share)
{
    static const char purpose[] = "the segments of an exchange";
    const int count = work->segments->count;
    *share = (hx_share){.work = *work};
    share->segments.segment = hx_memory_get((size_t)count, sizeof(hx_segment), purpose);
    share->message_of = hx_memory_get((size_t)count, sizeof *share->message_of, purpose);
    if (!share->segments.segment || !share->message_of) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        if (is_among(work, &work->segments->segment[i], on_device)) {
            share->message_of[share->segments.count] = work->message_of[i];
            share->segments.segment[share->segments.count++] = work->segments->segment[i];
        }
    }
    share->work.segments = &share->segments;
    share->work.message_of = share->message_of;
    return HX_OK;
}

void hx_share_free(hx_share *share)
{
    hx_memory_free(share->segments.segment);
    hx_memory_free(share->message_of);
    *share = (hx_share){0};
}

/* ---- ends ---------------------------------------------------------------------------------------------- */

int hx_work_slot(const hx_work *work, int block, int field)
{
    return block * work->fields + work->slot_of[field];
}

int hx_work_end_slot(const hx_work *work, const hx_segment *segment, hx_end end)
{
    return end == HX_TO ? hx_work_slot(work, segment->to, segment->link.field)
                        : hx_work_slot(work, segment->from, segment->link.source_field);
}

hx_region hx_work_end(const hx_work *work, const hx_segment *segment, hx_end end, int component)
{
    const hx_link *l = &segment->link;
    const hx_block *block = &work->mine->block[end == HX_TO ? segment->to : segment->from];
    int n[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        n[a] = l->hi[a] - l->lo[a];
    }
    const hx_subbox to = {l->lo, n, NULL, NULL};
    const hx_subbox from = {l->source_first, n, l->axis, l->turn};
    return end == HX_TO ? hx_block_region(work->spec, block, l->field, component, &to)
                        : hx_block_region(work->spec, block, l->source_field, component, &from);
}
