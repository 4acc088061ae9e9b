#include "check/walls.h"

#include "check/device.h"

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
    const bool flies = r->program->field[spot->field].direction != NULL;
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
    return (check_value){.bits = hxi_check_value_at(r, &source, component), .opposite = source.opposite};
}

/* The index that a mirror at an end of an axis makes of another. */
static int image_of(const check_run *r, const check_spot *spot, int axis, int side, int at)
{
    const int end = side * 2 * r->grid[spot->part->tile].cells[axis];
    return end - hxi_check_first(r, spot->field, axis) - at;
}

/* The last axis is filled last, from points that the axes before have filled. */
void hxi_check_fill(const check_run *r, const check_step *step, const check_spot *spot, int component,
                    check_value *value)
{
    int at[HX_MAX_AXES];
    bool opposite = false;
    index_in_tile(r, spot, at);
    if (!fills(r, step, spot, at)) {
        return;
    }
    for (int a = r->spec->axes - 1; a >= 0; --a) {
        const int side = wall_at(r, spot, a, at[a]);
        const hx_fill fill = side < 0 ? HX_FILL_NONE : step->says->fill[a][side];
        if (fill == HX_FILL_ZERO) {
            *value = (check_value){.bits = 0};
            return;
        }
        if (fill == HX_FILL_HOOK) {
            const uint64_t bits = hook_value(r, spot->field, a, side, at, component);
            *value = (check_value){.bits = bits, .opposite = opposite};
            return;
        }
        if (fill == HX_FILL_COPY) {
            at[a] = side == 0 ? 0 : hxi_check_points(r, spot->part->tile, spot->field, a) - 1;
        } else if (fill == HX_FILL_MIRROR || fill == HX_FILL_ANTIMIRROR) {
            const bool turned =
                (fill == HX_FILL_ANTIMIRROR) != (r->program->field[spot->field].reverses[a] != 0);
            const int image = image_of(r, spot, a, side, at[a]);
            if (image == at[a]) { /* on the wall */
                *value = (check_value){.bits = turned ? 0 : HX_CHECK_UNTOUCHED, .opposite = opposite};
                return;
            }
            at[a] = image;
            opposite = opposite != turned;
        }
    }
    *value = value_beside(r, step, spot, at, component);
    value->opposite = value->opposite != opposite;
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
    const hx_check_field *field = &r->program->field[wall->field];
    check_spot spot = hxi_check_first_spot(r, b->part, wall->field);
    do {
        int at[HX_MAX_AXES];
        index_in_tile(r, &spot, at);
        for (int c = 0; is_in_wall(r, wall, &spot) && c < hxi_check_components(r, wall->field); ++c) {
            const ptrdiff_t element = hxi_check_index(r, b, &spot, c) * (ptrdiff_t)field->size;
            const uint64_t bits = hook_value(r, wall->field, wall->axis, wall->side, at, c);
            hxi_check_store(field, (unsigned char *)array + element, bits);
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
    const size_t size = r->program->field[wall->field].size;
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
    if (r->program->set_boundary) {
        hxi_check_must(r->program->set_boundary(fill_wall, r));
    }
    if (r->program->set_boundary_on) {
        hxi_check_must(r->program->set_boundary_on(fill_wall_there, r));
    }
}
