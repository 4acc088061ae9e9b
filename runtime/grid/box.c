#include "grid/box.h"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

bool hxi_box_empty(const hxi_box *box)
{
    bool empty = false;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        empty = empty || box->lo[a] >= box->hi[a];
    }
    return empty;
}

hxi_box hxi_box_intersect(const hxi_box *a, const hxi_box *b)
{
    hxi_box common;
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        common.lo[i] = larger(a->lo[i], b->lo[i]);
        common.hi[i] = smaller(a->hi[i], b->hi[i]);
    }
    return common;
}

size_t hxi_box_volume(const hxi_box *box)
{
    if (hxi_box_empty(box)) {
        return 0;
    }
    size_t volume = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        volume *= (size_t)(box->hi[a] - box->lo[a]);
    }
    return volume;
}

hxi_box hxi_box_part(const hxi_box *box, const int n[], const signed char direction[])
{
    hxi_box part = *box;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (direction[a] < 0) {
            part.hi[a] = smaller(box->hi[a], 0);
        } else if (direction[a] > 0) {
            part.lo[a] = larger(box->lo[a], n[a]);
        } else {
            part.lo[a] = larger(box->lo[a], 0);
            part.hi[a] = smaller(box->hi[a], n[a]);
        }
    }
    return part;
}

static int bound_at(const hx_bound *bound, int cells)
{
    const int halves = bound->halves * cells + bound->offset;
    return halves / 2 - (halves % 2 < 0);
}

hxi_box hxi_box_of_rewrite(const hx_rewrite *rewrite, int axes, const int cells[])
{
    hxi_box box;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        box.lo[a] = a < axes ? bound_at(&rewrite->lo[a], cells[a]) : 0;
        box.hi[a] = a < axes ? bound_at(&rewrite->hi[a], cells[a]) : 1;
    }
    return box;
}

hxi_map hxi_map_identity(void)
{
    return (hxi_map){.axis = {0, 1, 2, 3}, .turn = {1, 1, 1, 1}};
}

hxi_map hxi_map_of_link(const hx_tile_link *link, int axes, const int destination_cells[],
                        const int source_cells[])
{
    hxi_map map = hxi_map_identity();
    for (int s = 0; s < axes; ++s) {
        const hx_axis_map *m = &link->map[s];
        map.axis[s] = m->axis;
        map.turn[s] = m->sign;
        map.offset[s] =
            m->offset + m->destination_cells * destination_cells[m->axis] + m->source_cells * source_cells[s];
    }
    return map;
}

hxi_map hxi_map_compose(const hxi_map *outer, const hxi_map *inner)
{
    hxi_map map;
    for (int s = 0; s < HX_MAX_AXES; ++s) {
        const int middle = outer->axis[s];
        map.axis[s] = inner->axis[middle];
        map.turn[s] = outer->turn[s] * inner->turn[middle];
        map.offset[s] = outer->turn[s] * inner->offset[middle] + outer->offset[s];
    }
    return map;
}

hxi_box hxi_map_box(const hxi_map *map, const hxi_box *destination)
{
    hxi_box source;
    for (int s = 0; s < HX_MAX_AXES; ++s) {
        const int first = map->turn[s] * destination->lo[map->axis[s]] + map->offset[s];
        const int last = map->turn[s] * (destination->hi[map->axis[s]] - 1) + map->offset[s];
        source.lo[s] = smaller(first, last);
        source.hi[s] = larger(first, last) + 1;
    }
    return source;
}

hxi_box hxi_map_box_back(const hxi_map *map, const hxi_box *source)
{
    hxi_box destination;
    for (int s = 0; s < HX_MAX_AXES; ++s) {
        const int first = map->turn[s] * (source->lo[s] - map->offset[s]);
        const int last = map->turn[s] * (source->hi[s] - 1 - map->offset[s]);
        destination.lo[map->axis[s]] = smaller(first, last);
        destination.hi[map->axis[s]] = larger(first, last) + 1;
    }
    return destination;
}

int hxi_map_index(const hxi_map *map, int axis, const int destination[])
{
    return map->turn[axis] * destination[map->axis[axis]] + map->offset[axis];
}
