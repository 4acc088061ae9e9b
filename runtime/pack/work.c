#include "pack/work.h"

#include "base/memory.h"

/* ---- shares -------------------------------------------------------------------------------------------- */

static bool lies_on_device(const hxi_work *work, int block, int field)
{
    return work->spec->field[field].on_device && !work->mine->block[block].on_host;
}

static bool is_among(const hxi_work *work, const hxi_segment *segment, bool on_device)
{
    const int block = segment->from >= 0 ? segment->from : segment->to;
    return lies_on_device(work, block, segment->link.field) == on_device;
}

hx_status hxi_share_make(const hxi_work *work, bool on_device, hxi_share *share)
{
    static const char purpose[] = "the segments of an exchange";
    const int count = work->segments->count;
    *share = (hxi_share){.work = *work};
    share->segments.segment = hxi_memory_get((size_t)count, sizeof(hxi_segment), purpose);
    share->message_of = hxi_memory_get((size_t)count, sizeof *share->message_of, purpose);
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

void hxi_share_free(hxi_share *share)
{
    hxi_memory_free(share->segments.segment);
    hxi_memory_free(share->message_of);
    *share = (hxi_share){0};
}

/* ---- ends ---------------------------------------------------------------------------------------------- */

int hxi_work_slot(const hxi_work *work, int block, int field)
{
    return block * work->fields + work->slot_of[field];
}

int hxi_work_end_slot(const hxi_work *work, const hxi_segment *segment, hxi_end end)
{
    return end == HX_TO ? hxi_work_slot(work, segment->to, segment->link.field)
                        : hxi_work_slot(work, segment->from, segment->link.source_field);
}

hx_region hxi_work_end(const hxi_work *work, const hxi_segment *segment, hxi_end end, int component)
{
    const hx_link *l = &segment->link;
    const hxi_block *block = &work->mine->block[end == HX_TO ? segment->to : segment->from];
    int n[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        n[a] = l->hi[a] - l->lo[a];
    }
    const hxi_subbox to = {l->lo, n, NULL, NULL};
    const hxi_subbox from = {l->source_first, n, l->axis, l->turn};
    return end == HX_TO ? hxi_block_region(work->spec, block, l->field, component, &to)
                        : hxi_block_region(work->spec, block, l->source_field, component, &from);
}
