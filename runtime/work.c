#include "work.h"

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
    return end == HX_TO ? hx_block_region(work->spec, block, l->field, component, l->lo, n, NULL, NULL)
                        : hx_block_region(work->spec, block, l->source_field, component, l->source_first, n,
                                          l->axis, l->turn);
}
