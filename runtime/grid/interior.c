/*
 * The owned points of a block; those that an exchange neither reads nor changes; and the others.
 */
#include "base/saturate.h"

#include <hx/abi.h>

#include <stdbool.h>

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static int extra_of(const hx_spec *spec, int field, int axis)
{
    return spec->positions[spec->field[field].positions].extra[axis];
}

/*
 * Layers from the end of a tile to the point that feeds the farthest ghost point across the joined side of a
 * link; without ghost points there, to the one that meets the last owned point.
 */
static int depth_behind(const hx_spec *spec, const hx_exchange_field *f, const hx_tile_link *link, int axis)
{
    const hx_axis_map *map = &link->map[axis];
    const int end = link->direction[map->axis];
    if (end == 0) {
        return 0;
    }
    const int source = link->component < 0 ? f->field : spec->field[f->field].vector[link->component];
    const int beyond = extra_of(spec, f->field, map->axis);
    const int ghost = end < 0 ? -f->width_lo[map->axis] : beyond + f->width_hi[map->axis] - 1;
    const int at = map->sign * ghost + map->offset; /* counted from the end at which it lies */
    const bool high = map->source_cells + map->destination_cells + (end > 0 ? map->sign : 0) > 0;
    return high ? extra_of(spec, source, axis) - at : at + 1;
}

static bool is_mirror(hx_fill fill)
{
    return fill == HX_FILL_MIRROR || fill == HX_FILL_ANTIMIRROR;
}

/* Layers from a wall to the image of the farthest ghost point. */
static int depth_of_images(const hx_spec *spec, const hx_exchange *exchange, const hx_exchange_field *f,
                           int axis)
{
    const int mirror = spec->positions[spec->field[f->field].positions].mirror[axis];
    const int lo = f->width_lo[axis] + mirror + 1;
    const int hi = f->width_hi[axis] + 2 * extra_of(spec, f->field, axis) - mirror - 1;
    return greater(is_mirror(exchange->wall[axis][0]) ? lo : 0, is_mirror(exchange->wall[axis][1]) ? hi : 0);
}

/* Layers along an axis that an exchange fills, reads or changes, on either side. */
static int depth_of(const hx_spec *spec, const hx_exchange *exchange, int axis)
{
    int depth = 0;
    for (int i = 0; i < exchange->fields; ++i) {
        const hx_exchange_field *f = &exchange->field[i];
        const hx_positions *positions = &spec->positions[spec->field[f->field].positions];
        const int width = greater(f->width_lo[axis], f->width_hi[axis]);
        if (width > 0 || exchange->shared != HX_SHARED_NOT) {
            depth = greater(depth, width + positions->extra[axis]); /* behind the faces that blocks share */
        }
        depth = greater(depth, depth_of_images(spec, exchange, f, axis));
        for (int l = 0; l < positions->links; ++l) {
            depth = greater(depth, depth_behind(spec, f, &positions->link[l], axis));
        }
    }
    return depth;
}

/* The owned points of a field. */
static hx_box box_of(const hx_spec *spec, const hx_part *part, int field)
{
    hx_box box = {.lo = {0}};
    for (int axis = 0; axis < HX_MAX_AXES; ++axis) {
        const int extra = spec->positions[spec->field[field].positions].extra[axis];
        box.hi[axis] = axis < spec->axes ? part->n[axis] + extra : 1;
    }
    return box;
}

static void add_box(hx_boxes *boxes, hx_box box)
{
    ptrdiff_t points = 1;
    for (int axis = 0; axis < HX_MAX_AXES; ++axis) {
        points = hxi_times(points, box.hi[axis] - box.lo[axis]);
    }
    if (points > 0) {
        box.points = (size_t)points;
        boxes->box[boxes->count++] = box;
        boxes->points += box.points;
    }
}

static bool has_field(const hx_spec *spec, const hx_part *part, int field)
{
    bool there = spec && spec->abi == HX_ABI && !spec->list && part && field >= 0 && field < spec->fields;
    for (int axis = 0; there && axis < spec->axes; ++axis) {
        there = part->n[axis] > 0;
    }
    return there;
}

static bool has_exchange(const hx_spec *spec, const hx_part *part, int exchange, int field)
{
    return has_field(spec, part, field) && exchange >= 0 && exchange < spec->exchanges;
}

/* Narrows a box to what is deeper than the exchange; both ends are the same where nothing is. */
static void narrow(const hx_spec *spec, int exchange, int axis, hx_box *box)
{
    const int depth = depth_of(spec, &spec->exchange[exchange], axis), n = box->hi[axis];
    box->lo[axis] = lesser(depth, n);
    box->hi[axis] = greater(box->lo[axis], n - depth);
}

hx_boxes hx_owned_points(const hx_spec *spec, const void *shape, int field)
{
    hx_boxes owned = {.points = 0};
    if (has_field(spec, shape, field)) {
        add_box(&owned, box_of(spec, shape, field));
    }
    return owned;
}

hx_boxes hx_interior(const hx_spec *spec, const void *shape, int exchange, int field)
{
    hx_boxes interior = {.points = 0};
    if (has_exchange(spec, shape, exchange, field)) {
        hx_box box = box_of(spec, shape, field);
        for (int axis = 0; axis < spec->axes; ++axis) {
            narrow(spec, exchange, axis, &box);
        }
        add_box(&interior, box);
    }
    return interior;
}

/* Slabs across the slowest axis in memory come first: they keep whole rows. */
hx_boxes hx_rim(const hx_spec *spec, const void *shape, int exchange, int field)
{
    hx_boxes rim = {.points = 0};
    if (has_exchange(spec, shape, exchange, field)) {
        hx_box rest = box_of(spec, shape, field);
        for (int position = spec->axes - 1; position >= 0; --position) {
            const int axis = spec->field[field].order[position];
            hx_box below = rest, above = rest;
            narrow(spec, exchange, axis, &rest);
            below.hi[axis] = rest.lo[axis];
            above.lo[axis] = rest.hi[axis];
            add_box(&rim, below);
            add_box(&rim, above);
        }
    }
    return rim;
}
