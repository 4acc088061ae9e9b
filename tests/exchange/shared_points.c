#include "shared_points.h"

/* ---- which tiles have a point -------------------------------------------------------------------------- */

/* at: along x and y; sign: of the first and of the second component. */
static void swap_sides(const grid *g, copy *c, int tile, const int at[2], const int sign[2])
{
    const bool component = g->spec->field[c->field].name[1] != '\0';
    c->sign *= !component ? 1 : g->spec->field[c->field].name[1] == '1' ? sign[0] : sign[1];
    c->field = grid_other_component(g->spec, c->field);
    c->tile = tile;
    c->at[g->axis[X]] = at[X];
    c->at[g->axis[Y]] = at[Y];
}

/*
 * The cubed sphere.  A tile of even number meets t + 1 in the east and t + 2 in the north, there the source's
 * x runs against its y, and who leaves to the north comes in from the west; one of odd number meets t + 1 in
 * the north and t + 2 in the east.  Along a side that turns, face i meets face n - i, and cell i meets cell n
 * - 1 - i.
 */
static void cross_sphere(const grid *g, copy *c, int axis, int side)
{
    const int n = g->partition[0].cells[g->axis[X]];
    const bool even = c->tile % 2 == 0;
    const bool x = axis == g->axis[X];
    const int i = c->at[g->axis[X]], j = c->at[g->axis[Y]];
    const int far_i = (grid_has_faces(g, c->field, g->axis[X]) ? n : n - 1) - i;
    const int far_j = (grid_has_faces(g, c->field, g->axis[Y]) ? n : n - 1) - j;
    if (side > 0 && x == even) { /* straight on */
        c->tile = (c->tile + 1) % 6;
        c->at[axis] = 0;
    } else if (side < 0 && x != even) {
        c->tile = (c->tile + 5) % 6;
        c->at[axis] = n;
    } else if (side > 0 && even) { /* north of even: west of t + 2 */
        swap_sides(g, c, (c->tile + 2) % 6, (int[]){0, far_i}, (int[]){-1, 1});
    } else if (side > 0) { /* east of odd: south of t + 2 */
        swap_sides(g, c, (c->tile + 2) % 6, (int[]){far_j, 0}, (int[]){1, -1});
    } else if (even) { /* west of even: north of t - 2 */
        swap_sides(g, c, (c->tile + 4) % 6, (int[]){far_j, n}, (int[]){1, -1});
    } else { /* south of odd: east of t - 2 */
        swap_sides(g, c, (c->tile + 4) % 6, (int[]){n, far_i}, (int[]){-1, 1});
    }
}

/* What lies across a side of a tile; false: nothing. */
static bool cross(const grid *g, copy *c, int axis, int side)
{
    const int n = g->partition[c->tile].cells[axis];
    if (grid_is(g, "sphere")) {
        if (axis == g->axis[2]) {
            return false;
        }
        cross_sphere(g, c, axis, side);
    } else if (grid_is(g, "star") || grid_is(g, "cone")) { /* west is south of the next tile, and back */
        if (side > 0 || axis == g->axis[2]) {
            return false;
        }
        const int next = axis == X ? 1 : g->spec->tiles - 1;
        const bool flow = g->spec->field[c->field].name[0] == 'c' || g->spec->field[c->field].name[0] == 'e';
        swap_sides(g, c, (c->tile + next) % g->spec->tiles, (int[]){c->at[Y], c->at[X]},
                   (int[]){flow ? -1 : 1, flow ? -1 : 1});
    } else if (grid_is(g, "fold") && axis == Y) {
        if (side < 0) {
            return false;
        }
        const int last = g->partition[0].cells[X] - !grid_has_faces(g, c->field, X);
        c->at[X] = last - c->at[X];
        c->sign *= g->spec->field[c->field].name[1] != '\0' ? -1 : 1;
    } else if (grid_is(g, "fold") || g->spec->periodic[axis]) {
        c->at[axis] = side < 0 ? n : 0;
    } else {
        return false;
    }
    return true;
}

int points_compare(const grid *g, const copy *a, const copy *b)
{
    int order = a->tile - b->tile;
    for (int axis = 0; axis < HX_MAX_AXES && order == 0; ++axis) {
        const int between_a = axis < g->spec->axes && !grid_has_faces(g, a->field, axis);
        const int between_b = axis < g->spec->axes && !grid_has_faces(g, b->field, axis);
        order = 2 * a->at[axis] + between_a - (2 * b->at[axis] + between_b);
    }
    return order;
}

static void sort(const grid *g, copy found[], int count)
{
    for (int i = 1; i < count; ++i) {
        for (int k = i; k > 0 && points_compare(g, &found[k], &found[k - 1]) < 0; --k) {
            const copy before = found[k - 1];
            found[k - 1] = found[k];
            found[k] = before;
        }
    }
}

int points_copies(const grid *g, const copy *point, copy found[])
{
    int count = 1;
    found[0] = *point;
    for (int c = 0; c < count; ++c) {
        for (int way = 0; way < 2 * g->spec->axes; ++way) {
            const int axis = way / 2, side = way % 2 ? 1 : -1;
            const int end = side < 0 ? 0 : g->partition[found[c].tile].cells[axis];
            copy there = found[c];
            if (!grid_has_faces(g, there.field, axis) || there.at[axis] != end ||
                !cross(g, &there, axis, side)) {
                continue;
            }
            bool known = false;
            for (int k = 0; k < count; ++k) {
                known = known || points_compare(g, &found[k], &there) == 0;
            }
            if (!known) {
                found[count++] = there;
            }
        }
    }
    sort(g, found, count);
    return count;
}

/* ---- who holds them ------------------------------------------------------------------------------------ */

static bool has_point(const grid *g, const hx_part *part, const copy *c, int *low)
{
    bool has = true;
    *low = 0;
    for (int a = 0; a < g->spec->axes; ++a) {
        const int i = c->at[a] - part->first[a];
        has = has && i >= 0 && i < part->n[a] + grid_has_faces(g, c->field, a);
        *low += grid_has_faces(g, c->field, a) && i == 0;
    }
    return has;
}

int points_holders(const grid *g, const copy copies[], int count, holder found[])
{
    int holders = 0;
    for (int c = 0; c < count; ++c) {
        for (int b = 0; b < grid_blocks(g, copies[c].tile); ++b) {
            const hx_part part = grid_part(g, copies[c].tile, b);
            int low = 0;
            if (has_point(g, &part, &copies[c], &low)) {
                found[holders++] = (holder){c, b, low};
            }
        }
    }
    return holders;
}

int points_feeder(const holder h[], int holders, hx_shared decides)
{
    int best = 0;
    for (int i = 1; i < holders; ++i) {
        const bool greater = decides == HX_SHARED_GREATER && h[i].low != h[best].low;
        const bool owner_wins = h[i].copy == h[best].copy && h[i].block > h[best].block;
        best = (greater ? h[i].low > h[best].low : owner_wins) ? i : best;
    }
    return best;
}
