/*
 * The owned points of a block; those that are farther from its sides than an exchange is wide; and the others.
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

/* Layers along an axis that an exchange fills, sends or changes, on either side. */
static int depth_of(const hx_spec *spec, const hx_exchange *exchange, int axis)
{
    int depth = 0;
    for (int i = 0; i < exchange->fields; ++i) {
        const hx_exchange_field *f = &exchange->field[i];
        const hx_positions *positions = &spec->positions[spec->field[f->field].positions];
        depth = greater(depth, greater(f->width_lo[axis], f->width_hi[axis]));
        if (exchange->shared != HX_SHARED_NOT) {
            depth = greater(depth, positions->extra[axis]); /* the faces that blocks share */
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
