#include "transport/in_place.h"

#include "grid/cut.h"

/*
 * Bytes.  Shorter runs are packed, and join the message of their peer: a message more then costs as much as
 * the copy that it saves, or more (docs/history/exchanges.md).  Tests set a smaller one.
 */
#ifndef HX_IN_PLACE_SHORTEST
#define HX_IN_PLACE_SHORTEST 16384
#endif

/* Points along an axis of the array that a ghost box lies in, or of the plane behind it. */
static int extent(const hx_field *field, int direction, int points, int axis)
{
    if (!field->behind) {
        return field->halo_lo[axis] + points + field->halo_hi[axis] + field->padding[axis];
    }
    return direction < 0 ? field->halo_lo[axis] : direction > 0 ? field->halo_hi[axis] : points;
}

/*
 * What every rank can tell: where the strides are dense, the box is one run in its destination.  Along the
 * axes before the last one that it extends along it takes all there is.
 */
static bool is_whole(const hx_spec *spec, const hxi_layout *layout, const hxi_segment *segment, const int n[])
{
    const hx_field *field = &spec->field[segment->link.field];
    const hxi_tile *tile = &layout->tile[segment->link.tile];
    int index[HX_MAX_AXES];
    int cells[HX_MAX_AXES];
    int points[HX_MAX_AXES];
    hxi_layout_index(layout, segment->link.tile, segment->link.block, index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        cells[a] = hxi_tile_cut(tile, a, index[a] + 1) - hxi_tile_cut(tile, a, index[a]);
    }
    hxi_cut_points(spec, segment->link.field, cells, points);
    bool all = true;
    for (int i = 0; i < spec->axes; ++i) {
        const int a = field->order[i];
        if (!all && n[a] > 1) {
            return false;
        }
        all = all && n[a] == extent(field, segment->link.direction[a], points[a], a);
    }
    return true;
}

/* Where the run is in this rank's array, if it is one there. */
static void find_place(const hx_spec *spec, const hxi_block_list *mine, const int n[], hxi_segment *segment)
{
    const hx_link *l = &segment->link;
    const bool received = segment->kind == HX_RECEIVED;
    const int field = received ? l->field : l->source_field;
    const hxi_block *block = &mine->block[received ? segment->to : segment->from];
    const hx_region region = hxi_block_region(
        spec, block, field, 0, &(hxi_subbox){received ? l->lo : l->source_first, n, NULL, NULL});
    segment->in_place = hxi_block_is_run(spec, field, &region);
    segment->at = (size_t)region.at * (size_t)spec->field[field].size;
}

/* Numbers that travel shorter than they are need a buffer. */
static bool is_rounded(const hx_spec *spec, const hxi_segment *segment)
{
    return spec->exchange[segment->link.exchange].field[segment->item].wire != HX_WIRE_NOT;
}

void hxi_in_place_mark(const hx_spec *spec, const hxi_layout *layout, const hxi_block_list *mine,
                       const hxi_routes *routes, hxi_segments *segments)
{
    bool in_order = true;
    for (int i = 0; i < segments->count; ++i) {
        hxi_segment *s = &segments->segment[i];
        const bool before = s->alone;
        const size_t most = routes->transport[s->transport]->in_place;
        int n[HX_MAX_AXES];
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            n[a] = s->link.hi[a] - s->link.lo[a];
        }
        s->alone = !spec->list && s->kind != HX_WITHIN && s->bytes >= HX_IN_PLACE_SHORTEST &&
                   s->bytes <= most && !s->picks && !is_rounded(spec, s) &&
                   spec->field[s->link.field].components_after == 0 && !hxi_link_turns(&s->link) &&
                   is_whole(spec, layout, s, n);
        if (s->alone) {
            find_place(spec, mine, n, s);
        }
        in_order = in_order && s->alone == before;
    }
    if (!in_order) {
        hxi_segments_sort(segments);
    }
}
