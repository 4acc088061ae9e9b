#include "check/walls.h"

#include "check/device.h"
#include "check/spec.h"

#include <string.h>

/* The index that a ghost point has in its tile, also beyond walls; periodic axes wrap. */
static void index_in_tile(const check_run *r, const check_spot *spot, int at[])
{
    for (int a = 0; a < r->spec->axes; ++a) {
        const int cells = r->grid[spot->part->tile].cells[a];
        at[a] = spot->part->first[a] + spot->point[a];
        if (r->spec->periodic[a]) {
            at[a] = (at[a] % cells + cells) % cells;
        }
    }
}

/* Beyond which wall across an axis an index lies: 0 low, 1 high, -1: none. */
static int wall_at(const check_run *r, const check_spot *spot, int axis, int at)
{
    const int tile = spot->part->tile;
    const int end = at < 0 ? 0 : at >= hxi_check_points(r, tile, spot->field, axis) ? 1 : -1;
    return end >= 0 && hxi_check_grid_of(r)->is_wall(r, tile, axis, end) ? end : -1;
}

/* What the function of this program writes beyond a wall. */
static uint64_t hook_value(const check_run *r, int field, int axis, int side, const int at[], int component)
{
    const int number = field + r->spec->fields * r->spec->tiles * (1 + 2 * axis + side);
    return hxi_check_mix(number, at, r->spec->axes, component);
}

/* ---- what is expected ---------------------------------------------------------------------------------- */

/* What fills the last wall that a point lies beyond; NONE if one of its walls is not filled. */
static hx_fill last_fill(const check_run *r, const check_step *step, const check_spot *spot, const int at[])
{
    hx_fill last = HX_FILL_NONE;
    for (int a = 0; a < r->spec->axes; ++a) {
        const int side = wall_at(r, spot, a, at[a]);
        if (side >= 0) {
            last = step->says->fill[a][side];
            if (last == HX_FILL_NONE) {
                return HX_FILL_NONE;
            }
        }
    }
    return last;
}

/*
 * Does an exchange fill a point that lies beyond walls?  Corners only in a box; and where components fly in
 * directions, ghost points with neighbors do not have all of them to copy.
 */
static bool fills(const check_run *r, const check_step *step, const check_spot *spot, const int at[])
{
    const hx_fill last = last_fill(r, step, spot, at);
    check_place beside;
    if (last == HX_FILL_NONE || !hxi_check_within_width(r, step, spot) ||
        !hxi_check_grid_of(r)->find_beside(r, spot, at, &beside)) {
        return false;
    }
    const bool flies = r->program->field[spot->field].directions != NULL;
    const bool corners = step->says->stencil == HX_CHECK_BOX && !(flies && last == HX_FILL_COPY);
    return spot->sides < 2 || corners;
}

/* Does an index of a tile lie within a block? */
static bool is_inside(const check_run *r, const check_spot *spot, const int at[])
{
    bool inside = true;
    for (int a = 0; a < r->spec->axes; ++a) {
        const int point = at[a] - spot->part->first[a];
        inside = inside && point >= 0 && point < hxi_check_owned(r, spot->part, spot->field, a);
    }
    return inside;
}

/* What an index of a tile holds when walls are filled. */
static check_value value_beside(const check_run *r, const check_step *step, const check_spot *spot,
                                const int at[], int component)
{
    check_place source;
    hxi_check_grid_of(r)->find_beside(r, spot, at, &source);
    if (source.turned && is_inside(r, spot, at) && !hxi_check_rewrites(r, step)) {
        return (check_value){.bits = HX_CHECK_UNTOUCHED};
    }
    return (check_value){.bits = hxi_check_value_at(r, &source, component),
                         .opposite = source.opposite,
                         .wire = source.turned ? step->item->wire : HX_WIRE_NOT};
}

/* Where what fills a point is found, as its walls are gone through. */
typedef struct source {
    int at[HX_MAX_AXES];    /* the index in the tile */
    int point[HX_MAX_AXES]; /* in the block: beyond its points where it is thinner than the width */
    bool opposite;
} source;

static void move_to(const check_spot *spot, int axis, int at, source *s)
{
    s->at[axis] = at;
    s->point[axis] = at - spot->part->first[axis];
}

/* Goes to the mirror image at an end of an axis; false: the point lies on the wall and is its own. */
static bool go_to_image(const check_run *r, const check_spot *spot, int axis, int side, source *s)
{
    const int end = side * 2 * r->grid[spot->part->tile].cells[axis];
    const int image = end - hxi_check_first(r, spot->field, axis) - s->at[axis];
    const bool moved = image != s->at[axis];
    move_to(spot, axis, image, s);
    return moved;
}

/* Along a way that ends at a point of the block or its halo, to which some components come, perhaps in a shorter format. */
static check_value value_of(const check_run *r, const check_step *step, const check_spot *spot,
                            const source *s, int component)
{
    const check_spot from = hxi_check_spot_at(r, spot->part, spot->field, s->point);
    if (!hxi_check_comes_from(r, &from, component)) {
        return (check_value){.bits = HX_CHECK_UNTOUCHED};
    }
    check_value value = value_beside(r, step, spot, s->at, component);
    value.wire = from.sides > 0 ? step->item->wire : value.wire;
    value.opposite = value.opposite != s->opposite;
    return value;
}

/* The last axis is filled last, from points that the axes before have filled. */
void hxi_check_fill(const check_run *r, const check_step *step, const check_spot *spot, int component,
                    check_value *value)
{
    source s = {.opposite = false};
    index_in_tile(r, spot, s.at);
    memcpy(s.point, spot->point, sizeof s.point);
    if (!fills(r, step, spot, s.at)) {
        return;
    }
    for (int a = r->spec->axes - 1; a >= 0; --a) {
        const int side = wall_at(r, spot, a, s.at[a]);
        const hx_fill fill = side < 0 ? HX_FILL_NONE : step->says->fill[a][side];
        if (fill == HX_FILL_ZERO) {
            *value = (check_value){.bits = 0};
            return;
        }
        if (fill == HX_FILL_HOOK) {
            const uint64_t bits = hook_value(r, spot->field, a, side, s.at, component);
            *value = (check_value){.bits = bits, .opposite = s.opposite};
            return;
        }
        if (fill == HX_FILL_COPY) {
            move_to(spot, a, side == 0 ? 0 : hxi_check_points(r, spot->part->tile, spot->field, a) - 1, &s);
        } else if (fill == HX_FILL_MIRROR || fill == HX_FILL_ANTIMIRROR) {
            const bool turned =
                (fill == HX_FILL_ANTIMIRROR) != (r->spec->field[spot->field].reverses[a] != 0);
            if (!go_to_image(r, spot, a, side, &s)) {
                *value = (check_value){.bits = turned ? 0 : HX_CHECK_UNTOUCHED, .opposite = s.opposite};
                return;
            }
            s.opposite = s.opposite != turned;
        }
    }
    *value = value_of(r, step, spot, &s, component);
}

/* ---- beside blocks without an owner -------------------------------------------------------------------- */

static bool is_beyond_wall(const check_run *r, const check_spot *spot)
{
    bool beyond = false;
    for (int a = 0; a < r->spec->axes; ++a) {
        const int at = spot->part->first[a] + spot->point[a];
        const int end = at < 0 ? 0 : at >= hxi_check_points(r, spot->part->tile, spot->field, a) ? 1 : -1;
        beyond = beyond || (end >= 0 && hxi_check_grid_of(r)->is_wall(r, spot->part->tile, a, end));
    }
    return beyond;
}

static int axis_that_fills(const check_run *r, const check_step *step, const check_spot *spot,
                           check_spot *known);

/* Of a point beside land: has it a neighbor, whether or not something comes from it? */
static bool has_neighbor(const check_run *r, const check_step *step, const check_spot *spot)
{
    check_place at;
    return (spot->sides < 2 || step->says->stencil == HX_CHECK_BOX) &&
           hxi_check_within_width(r, step, spot) && hxi_check_find(r, spot, &at);
}

/* Does a point hold what is meant before walls across an axis are filled? */
static bool is_known(const check_run *r, const check_step *step, const check_spot *spot, int axis)
{
    check_spot from;
    return spot->sides == 0 || has_neighbor(r, step, spot) || axis_that_fills(r, step, spot, &from) < axis;
}

/* What fills a wall across an axis, where a point lies. */
static hx_fill fill_across(const check_step *step, const check_spot *spot, int axis)
{
    const int side = spot->side[axis];
    const hx_fill fill = side == 0 ? HX_FILL_NONE : step->says->fill[axis][side > 0];
    return spot->sides < 2 || step->says->stencil == HX_CHECK_BOX ? fill : HX_FILL_NONE;
}

/* Goes towards the block along an axis to the first known point, or else to the first beside the block. */
static bool go_to_known(const check_run *r, const check_step *step, int axis, check_spot *spot)
{
    const int side = spot->side[axis];
    bool known = false;
    while (!known && spot->side[axis] == side) {
        int point[HX_MAX_AXES];
        memcpy(point, spot->point, sizeof point);
        point[axis] -= side;
        *spot = hxi_check_spot_at(r, spot->part, spot->field, point);
        known = is_known(r, step, spot, axis);
    }
    return known;
}

/* The first axis across which a point is filled, and the known point next to the wall; behind the last axis:
 * none. */
static int axis_that_fills(const check_run *r, const check_step *step, const check_spot *spot,
                           check_spot *known)
{
    const bool wall =
        hxi_check_within_width(r, step, spot) && (is_beyond_wall(r, spot) || hxi_check_is_land(r, spot));
    for (int a = 0; a < r->spec->axes && wall; ++a) {
        *known = *spot;
        if (fill_across(step, spot, a) != HX_FILL_NONE && go_to_known(r, step, a, known)) {
            return a;
        }
    }
    return r->spec->axes;
}

/* The mirror image of a point, at a wall beside a known one. */
static int image_at(const check_run *r, const check_spot *spot, const check_spot *known, int axis)
{
    const int faces = hxi_check_faces(r, spot->field, axis);
    const int wall = spot->side[axis] < 0 ? known->point[axis] : known->point[axis] + 1 - faces;
    return 2 * wall - hxi_check_first(r, spot->field, axis) - spot->point[axis];
}

void hxi_check_fill_at_land(const check_run *r, const check_step *step, const check_spot *spot, int component,
                            check_value *value)
{
    check_spot at;
    const bool ghost = spot->sides > 0;
    check_place owned;
    const bool fed = hxi_check_claims(r, step, spot) && hxi_check_find(r, spot, &owned);
    const int axis = ghost && !fed ? axis_that_fills(r, step, spot, &at) : r->spec->axes;
    const int side = axis < r->spec->axes && spot->side[axis] > 0;
    const hx_fill fill = axis < r->spec->axes ? step->says->fill[axis][side] : HX_FILL_NONE;
    const bool flies = r->program->field[spot->field].directions != NULL; /* see fills() */
    if (fill == HX_FILL_NONE || (fill == HX_FILL_COPY && flies && spot->sides > 1)) {
        *value = hxi_check_expected(r, step, spot, component);
        return;
    }
    const bool turns = (fill == HX_FILL_ANTIMIRROR) != (r->spec->field[spot->field].reverses[axis] != 0);
    if (fill == HX_FILL_ZERO) {
        *value = (check_value){.bits = 0};
        return;
    }
    if (fill == HX_FILL_HOOK) {
        int index[HX_MAX_AXES];
        index_in_tile(r, spot, index);
        *value = (check_value){.bits = hook_value(r, spot->field, axis, side, index, component)};
        return;
    }
    if (fill == HX_FILL_MIRROR || fill == HX_FILL_ANTIMIRROR) {
        at.point[axis] = image_at(r, spot, &at, axis);
        if (at.point[axis] == spot->point[axis]) { /* on the wall */
            *value = (check_value){.bits = turns ? 0 : HX_CHECK_UNTOUCHED};
            return;
        }
        at = hxi_check_spot_at(r, at.part, at.field, at.point);
    }
    hxi_check_fill_at_land(r, step, &at, component, value);
    value->opposite ^= fill != HX_FILL_COPY && turns;
}

/* ---- the function that fills walls --------------------------------------------------------------------- */

static bool is_in_wall(const check_run *r, const hx_wall *wall, const check_spot *spot)
{
    bool inside = true;
    for (int a = 0; a < r->spec->axes; ++a) {
        inside = inside && spot->point[a] >= wall->lo[a] && spot->point[a] < wall->hi[a];
    }
    return inside;
}

/* Writes what lies beyond a wall into an array of the host. */
static void fill_box(const check_run *r, const hx_wall *wall, void *array)
{
    const check_block *b = &r->block[wall->block];
    const check_type *type = &r->type[wall->field];
    check_spot spot = hxi_check_first_spot(r, b->part, wall->field);
    do {
        int at[HX_MAX_AXES];
        index_in_tile(r, &spot, at);
        for (int c = 0; is_in_wall(r, wall, &spot) && c < hxi_check_components(r, wall->field); ++c) {
            const ptrdiff_t element = hxi_check_index(r, b, &spot, c) * (ptrdiff_t)type->size;
            const uint64_t bits = hook_value(r, wall->field, wall->axis, wall->side, at, c);
            hxi_check_store(type, (unsigned char *)array + element, bits);
        }
    } while (hxi_check_next_spot(r, &spot));
}

static void fill_wall(void *context, const hx_wall *wall)
{
    fill_box(context, wall, wall->array);
}

/* Copies what fill_box() has written, element by element. */
static void copy_box(const check_run *r, const hx_wall *wall, hx_stream stream)
{
    const check_block *b = &r->block[wall->block];
    const size_t size = r->type[wall->field].size;
    check_spot spot = hxi_check_first_spot(r, b->part, wall->field);
    do {
        for (int c = 0; is_in_wall(r, wall, &spot) && c < hxi_check_components(r, wall->field); ++c) {
            const size_t at = (size_t)hxi_check_index(r, b, &spot, c) * size;
            hxi_check_copy(&r->device, (unsigned char *)wall->array + at,
                           (const unsigned char *)b->beyond[wall->field] + at, size, stream);
        }
    } while (hxi_check_next_spot(r, &spot));
}

static void fill_wall_there(void *context, const hx_wall *wall, hx_stream stream)
{
    const check_run *r = context;
    fill_box(r, wall, r->block[wall->block].beyond[wall->field]);
    copy_box(r, wall, stream);
}

void hxi_check_set_boundary(check_run *r)
{
    if (hxi_check_has_hook(r)) {
        hxi_check_must(hx_set_boundary(r->handle, fill_wall, r));
        hxi_check_must(hx_set_boundary_on(r->handle, fill_wall_there, r));
    }
}
