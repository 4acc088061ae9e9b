#include "grid/overlap.h"

#include <string.h>

static int extra(const hx_spec *spec, int field, int axis)
{
    return axis < spec->axes ? spec->positions[spec->field[field].positions].extra[axis] : 0;
}

hxi_box hxi_overlap_held(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                         const int index[])
{
    hxi_box box;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        box.lo[a] = hxi_tile_cut(&layout->tile[tile], a, index[a]);
        box.hi[a] = hxi_tile_cut(&layout->tile[tile], a, index[a] + 1) + extra(spec, field, a);
    }
    return box;
}

hxi_box hxi_overlap_feeding(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                            const int index[])
{
    hxi_box box = hxi_overlap_held(spec, layout, tile, field, index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const bool last = index[a] + 1 == layout->tile[tile].parts[a];
        box.hi[a] -= last ? 0 : extra(spec, field, a);
    }
    return box;
}

bool hxi_overlap_land_above(const hxi_overlap_owner *at, unsigned axes, int above[])
{
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int step = (int)(axes >> a & 1);
        above[a] = at->index[a] + step;
        if (step > 0 &&
            (extra(at->spec, at->field, a) == 0 || above[a] == at->layout->tile[at->tile].parts[a])) {
            return false;
        }
    }
    return hxi_layout_is_land(at->layout, at->tile, hxi_layout_block(at->layout, at->tile, above));
}

hxi_parts hxi_overlap_parts(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                            const hxi_box *points)
{
    hxi_parts parts;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int last_cell = layout->tile[tile].cells[a] - 1;
        const int last = points->hi[a] - 1 < last_cell ? points->hi[a] - 1 : last_cell;
        const int first = points->lo[a] < last_cell ? points->lo[a] : last_cell;
        const int part = hxi_layout_part(layout, tile, a, first);
        /* Its low face is the high one of the block before it, too. */
        const bool shared = part > 0 && extra(spec, field, a) > 0 &&
                            hxi_tile_cut(&layout->tile[tile], a, part) == points->lo[a];
        parts.first[a] = shared ? part - 1 : part;
        parts.last[a] = hxi_layout_part(layout, tile, a, last);
    }
    memcpy(parts.index, parts.first, sizeof parts.index);
    return parts;
}

bool hxi_overlap_next(hxi_parts *parts)
{
    for (int a = HX_MAX_AXES - 1; a >= 0; --a) {
        if (parts->index[a] < parts->last[a]) {
            parts->index[a]++;
            return true;
        }
        parts->index[a] = parts->first[a];
    }
    return false;
}
