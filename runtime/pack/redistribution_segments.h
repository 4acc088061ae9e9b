/*
 * Which points a redistribution moves from which block to which: its segments, unsorted.  Local.  Of boxes both ends of
 * a message cut the two layouts alike; lists say it themselves.
 */
#ifndef HX_REDISTRIBUTION_SEGMENTS_H
#define HX_REDISTRIBUTION_SEGMENTS_H

#include "pack/redistribution.h"

/* With its components, where they lie side by side. */
static inline size_t hxi_redistribution_point_bytes(const hx_field *field)
{
    return (size_t)field->size * (field->components_after > 0 ? (size_t)field->components : 1);
}

hx_status hxi_redistribution_find_boxes(const hxi_redistribution_task *task, hxi_redistribution *r);
hx_status hxi_redistribution_find_lists(const hxi_redistribution_task *task, hxi_redistribution *r);

#endif
