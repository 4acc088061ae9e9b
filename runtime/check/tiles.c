/* Several tiles, of which each says who lies beyond each of its sides. */
#include "check/grid.h"

/* A side of a tile: an axis, and an end of it, 0 or 1. */
typedef struct side {
    int axis;
    int end;
} side;

static const hx_check_side *side_of(const check_run *r, int tile, int axis, int end)
{
    return &r->program->tiles->side[tile][axis][end];
}

static bool is_wall(const check_run *r, int tile, int axis, int end)
{
    return side_of(r, tile, axis, end)->tile < 0;
}

/* ---- across one side ----------------------------------------------------------------------------------- */

/* The axis of this tile that runs along one of the tile beyond a side. */
static int axis_along(const hx_check_side *across, int axis)
{
    return (across->along[axis] < 0 ? -across->along[axis] : across->along[axis]) - 1;
}

/* What crossing a side does to components of vectors: each comes from the one along its axis there. */
static void turn_component(const check_run *r, const hx_check_side *across, check_place *at)
{
    const int *vector = r->spec->field[at->field].vector;
    const hx_check_vector kind = r->program->field[at->field].vector;
    bool mirrored = false;
    int found = -1;
    for (int a = 0; a < r->spec->axes && vector; ++a) {
        found = vector[axis_along(across, a)] == at->field ? a : found;
        mirrored ^= across->along[a] < 0;
        for (int before = 0; before < a; ++before) {
            mirrored ^= axis_along(across, before) > axis_along(across, a);
        }
    }
    if (found >= 0) {
        const bool reversed = kind != HX_CHECK_UNSIGNED && across->along[found] < 0;
        at->opposite ^= reversed ^ (kind == HX_CHECK_PSEUDOVECTOR && mirrored);
        at->field = vector[found];
    }
}

/*
 * What is added to twice a position along an axis of this tile, or to its opposite, to get that along one of
 * the tile beyond: so that the side across which one goes is the same place in both, and that others begin,
 * or end, where it does.
 */
static int shift_of(const check_run *r, const check_place *here, side s, int axis_there)
{
    const hx_check_side *across = side_of(r, here->tile, s.axis, s.end);
    const int axis = axis_along(across, axis_there);
    const int length_here = 2 * r->grid[here->tile].cells[axis];
    const int length_there = 2 * r->grid[across->tile].cells[axis_there];
    const bool forward = across->along[axis_there] > 0;
    if (axis != s.axis) {
        return forward ? 0 : length_there;
    }
    /* Axes that run on are entered at the other end, those that run back at the same. */
    const int left = s.end > 0 ? length_here : 0, entered = (s.end > 0) == forward ? 0 : length_there;
    return forward ? entered - left : entered + left;
}

/* The same point, seen from the tile beyond a side. */
static check_place seen_from(const check_run *r, const check_place *here, side s)
{
    const hx_check_side *across = side_of(r, here->tile, s.axis, s.end);
    check_place there = {.tile = across->tile, .field = here->field, .opposite = here->opposite};
    turn_component(r, across, &there);
    for (int a = 0; a < r->spec->axes; ++a) {
        const int axis = axis_along(across, a), sign = across->along[a] < 0 ? -1 : 1;
        const int shift = shift_of(r, here, s, a);
        const int position = hxi_check_first(r, here->field, axis) + 2 * here->index[axis];
        there.index[a] = (sign * position + shift - hxi_check_first(r, there.field, a)) / 2;
        there.center[a] = sign * here->center[axis] + shift;
        there.axis[a] = here->axis[axis];
        there.sign[a] = here->sign[axis] * sign;
    }
    return there;
}

static bool same_place(const check_run *r, const check_place *a, const check_place *b)
{
    bool same = a->tile == b->tile && a->field == b->field && a->opposite == b->opposite;
    for (int axis = 0; axis < r->spec->axes; ++axis) {
        same = same && a->index[axis] == b->index[axis] && a->axis[axis] == b->axis[axis] &&
               a->sign[axis] == b->sign[axis];
    }
    return same;
}

/* ---- across all ---------------------------------------------------------------------------------------- */

/*
 * Goes to the tile in which a point lies, across one side after the other, in every order.  False if there is
 * a wall on the way, or if the orders do not lead to the same place.
 */
static bool follow(const check_run *r, const check_place *from, check_place *found)
{
    int ways = 0;
    for (int a = 0; a < r->spec->axes; ++a) {
        const bool above = from->index[a] >= hxi_check_points(r, from->tile, from->field, a);
        if (!above && from->index[a] >= 0) {
            continue;
        }
        const hx_check_side *across = side_of(r, from->tile, a, above);
        if (across->tile < 0) {
            return false;
        }
        const check_place next = seen_from(r, from, (side){a, above});
        check_place end;
        if (!follow(r, &next, &end) || (ways++ > 0 && !same_place(r, &end, found))) {
            return false;
        }
        *found = end;
    }
    if (ways == 0) {
        *found = *from;
    }
    return true;
}

static bool find(const check_run *r, const check_spot *spot, check_place *found)
{
    check_place start = {.tile = spot->part->tile, .field = spot->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        const int last = spot->part->n[a] - 1;
        start.index[a] = spot->part->first[a] + spot->point[a];
        start.center[a] = 2 * (spot->part->first[a] + (spot->point[a] > last ? last : spot->point[a])) + 1;
        start.axis[a] = a;
        start.sign[a] = 1;
    }
    return follow(r, &start, found);
}

static bool find_beside(const check_run *r, const check_spot *spot, const int at[], check_place *found)
{
    const int tile = spot->part->tile;
    check_place start = {.tile = tile, .field = spot->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        const bool above = at[a] >= hxi_check_points(r, tile, spot->field, a);
        const bool beyond_wall = (at[a] < 0 || above) && is_wall(r, tile, a, above);
        start.index[a] = beyond_wall ? 0 : at[a];
        start.axis[a] = a;
        start.sign[a] = 1;
    }
    return follow(r, &start, found);
}

static int see_across(const check_run *r, const check_place *here, int axis, int end, check_place *there)
{
    const int cells = r->grid[here->tile].cells[axis];
    const hx_check_side *across = side_of(r, here->tile, axis, end);
    if (!hxi_check_faces(r, here->field, axis) || here->index[axis] != end * cells || across->tile < 0) {
        return 0;
    }
    *there = seen_from(r, here, (side){axis, end});
    bool same = across->tile == here->tile;
    for (int a = 0; a < r->spec->axes; ++a) {
        same = same && across->along[a] == a + 1;
    }
    return same ? 1 : 2;
}

/*
 * Where both faces of cells have points, beside its block a point goes with a cell there, and across with the
 * cell above it, the last one with the last.
 */
static bool owner_index(const check_run *r, const hx_part *mine, const check_spot *spot,
                        const check_place *at, int owner[])
{
    if (mine->tile != at->tile) {
        return false;
    }
    for (int a = 0; a < r->spec->axes; ++a) {
        const int cells = r->grid[at->tile].cells[a], from = at->axis[a];
        const bool beside =
            spot->point[from] >= 0 && spot->point[from] < hxi_check_owned(r, spot->part, spot->field, from);
        const int across = at->index[a] < cells ? at->index[a] : cells - 1;
        const int cell = beside ? (at->center[a] - 1) / 2 : across;
        if (cell < mine->first[a] || cell >= mine->first[a] + mine->n[a]) {
            return false;
        }
        owner[a] = at->index[a] - mine->first[a];
    }
    return true;
}

static bool is_kept(const check_run *r, const check_place *place)
{
    (void)r;
    (void)place;
    return true;
}

const check_grid hxi_check_tile_grid = {
    .is_wall = is_wall,
    .find = find,
    .find_beside = find_beside,
    .see_across = see_across,
    .owner_index = owner_index,
    .is_kept = is_kept,
};
