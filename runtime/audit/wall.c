#include "audit/wall.h"

#include <string.h>

/* A ghost point, seen from its tile. */
typedef struct seeker {
    const hxi_patch_source *source;
    const hx_exchange_field *item;
    const hxi_filled *filled;
    int points[HX_MAX_AXES]; /* of the tile */
    int side[HX_MAX_AXES];   /* on which side of the tile it lies: -1, 0 or 1 */
    int sides;               /* across how many sides of its block */
} seeker;

static const hx_positions *positions_of(const seeker *s)
{
    const hx_spec *spec = s->source->spec;
    return &spec->positions[spec->field[s->filled->field].positions];
}

static seeker look(const hxi_patch_source *source, const hx_exchange_field *item, const hxi_filled *filled)
{
    seeker s = {.source = source, .item = item, .filled = filled};
    for (int a = 0; a < source->spec->axes; ++a) {
        const int extra = positions_of(&s)->extra[a];
        const int at = filled->first[a] + filled->point[a];
        s.points[a] = source->layout->tile[filled->tile].cells[a] + extra;
        s.side[a] = (at >= s.points[a]) - (at < 0);
        s.sides += filled->point[a] < 0 || filled->point[a] >= filled->cells[a] + extra;
    }
    return s;
}

/* Does another tile lie there, or the other end of this one? */
static bool is_joined(const seeker *s, const signed char direction[])
{
    const hx_positions *p = positions_of(s);
    bool joined = false;
    for (int i = 0; i < p->links; ++i) {
        joined = joined || (p->link[i].tile == s->filled->tile &&
                            memcmp(p->link[i].direction, direction, (size_t)s->source->spec->axes) == 0);
    }
    return joined;
}

static bool is_wall(const seeker *s, int axis)
{
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = (signed char)s->side[axis];
    return s->side[axis] != 0 && !s->source->spec->periodic[axis] && !is_joined(s, direction);
}

/* In a corner where no tile lies is nothing that a wall beside it could be made of. */
static bool is_in_gap(const seeker *s)
{
    signed char direction[HX_MAX_AXES] = {0};
    int open = 0;
    for (int a = 0; a < s->source->spec->axes; ++a) {
        if (s->side[a] != 0 && !s->source->spec->periodic[a] && !is_wall(s, a)) {
            direction[a] = (signed char)s->side[a];
            ++open;
        }
    }
    return open > 1 && !is_joined(s, direction);
}

static hx_fill fill_of(const seeker *s, int axis)
{
    return s->source->exchange->wall[axis][s->side[axis] > 0];
}

/*
 * The axis across which it is filled: walls are filled axis by axis, and what lies behind several comes from what was
 * filled before.  -1: it is not filled.
 */
static int axis_of(const seeker *s)
{
    int last = -1;
    for (int a = 0; a < s->source->spec->axes; ++a) {
        if (is_wall(s, a)) {
            if (fill_of(s, a) == HX_FILL_NONE) {
                return -1;
            }
            last = a;
        }
    }
    return last;
}

/* Edges and corners are filled where the stencil is a box; not from ghost points that lack components. */
static bool is_filled(const seeker *s, int axis)
{
    const bool copies = fill_of(s, axis) != HX_FILL_ZERO;
    return s->sides == 1 || (s->source->exchange->box && !(s->item->picks && copies));
}

/* What a point becomes across a wall between these points: behind the last one on its side, or before the first. */
static void find_image(const seeker *s, int axis, int wall, hxi_origin *origin)
{
    const hx_positions *p = positions_of(s);
    const hx_field *field = &s->source->spec->field[s->filled->field];
    const bool low = s->filled->point[axis] < wall;
    const int at = s->filled->point[axis];
    const hx_fill fill = s->source->exchange->wall[axis][!low];
    if (fill == HX_FILL_ZERO) {
        origin->sign = 0;
    } else if (fill == HX_FILL_COPY) {
        origin->point[axis] = wall;
    } else {
        const int mirrored = low ? 2 * wall : 2 * (wall + 1 - p->extra[axis]);
        origin->point[axis] = p->mirror[axis] - at + mirrored;
        origin->sign = (fill == HX_FILL_ANTIMIRROR) != (field->reverses[axis] != 0) ? -1 : 1;
    }
}

/* wall: the last point before it.  False: the point stays as it is. */
static bool find_source(const seeker *s, int axis, int wall, hxi_origin *origin)
{
    *origin = (hxi_origin){.tile = s->filled->tile, .field = s->filled->field, .sign = 1};
    memcpy(origin->point, s->filled->point, sizeof origin->point);
    find_image(s, axis, wall, origin);
    const bool own = origin->sign != 0 && origin->point[axis] == s->filled->point[axis];
    if (own && origin->sign < 0) {
        origin->sign = 0; /* on the wall itself, equal to its opposite */
    }
    return !(own && origin->sign > 0);
}

bool hxi_wall_find(const hxi_patch_source *source, const hx_exchange_field *item, const hxi_filled *filled,
                   hxi_origin *origin)
{
    const seeker s = look(source, item, filled);
    const int axis = axis_of(&s);
    if (axis < 0 || fill_of(&s, axis) == HX_FILL_HOOK || !is_filled(&s, axis) || is_in_gap(&s)) {
        return false;
    }
    const int wall = (s.side[axis] < 0 ? 0 : s.points[axis] - 1) - filled->first[axis];
    return find_source(&s, axis, wall, origin);
}

/* ---- blocks without an owner --------------------------------------------------------------------------- */

/* On which side of its block does a point lie: -1, 0 or 1? */
static int side_of(const seeker *s, const int point[], int axis)
{
    const int points = s->filled->cells[axis] + positions_of(s)->extra[axis];
    return (point[axis] >= points) - (point[axis] < 0);
}

typedef enum point_state { NOTHING, WALL, KNOWN } point_state;

/* Does the exchange bring what lies in this direction? */
static bool is_in_stencil(const seeker *s, const signed char direction[])
{
    const hx_exchange *x = s->source->exchange;
    bool found = x->box != 0;
    for (int d = 0; d < x->directions; ++d) {
        found = found || memcmp(x->direction[d], direction, (size_t)s->source->spec->axes) == 0;
    }
    return found;
}

static bool is_beyond_tile(const seeker *s)
{
    bool beyond = false;
    for (int a = 0; a < s->source->spec->axes; ++a) {
        beyond = beyond || is_wall(s, a);
    }
    return beyond;
}

/* Of a point of the block or its halo, before walls are filled. */
static point_state state_of(const seeker *s, const int point[])
{
    signed char direction[HX_MAX_AXES] = {0};
    hxi_filled filled = *s->filled;
    hxi_origin from;
    for (int a = 0; a < s->source->spec->axes; ++a) {
        direction[a] = (signed char)side_of(s, point, a);
    }
    memcpy(filled.point, point, sizeof filled.point);
    filled.direction = direction;
    filled.rewrite = NULL;
    const seeker there = look(s->source, s->item, &filled);
    if (there.sides == 0) {
        return KNOWN;
    }
    if ((there.sides == 1 || s->source->exchange->box) &&
        hxi_origin_find(s->source->spec, s->source->layout, &filled, &from)) {
        if (hxi_layout_is_land(s->source->layout, from.tile, from.block)) {
            return WALL;
        }
        if (is_in_stencil(s, direction)) {
            return KNOWN;
        }
    }
    return is_beyond_tile(&there) ? WALL : NOTHING;
}

/*
 * The first axis, of so many, across which a point behind a wall is filled: along it a point towards the block is known,
 * maybe since it was filled across an earlier axis.  wall: the nearest such point.  -1: across none.
 */
static int first_axis(const seeker *s, const int point[], int axes, int *wall)
{
    for (int a = 0; a < axes; ++a) {
        const int side = side_of(s, point, a);
        int towards[HX_MAX_AXES];
        int unused;
        memcpy(towards, point, sizeof towards);
        while (side != 0 && s->source->exchange->wall[a][side > 0] != HX_FILL_NONE &&
               side_of(s, towards, a) == side) {
            towards[a] -= side;
            const point_state state = state_of(s, towards);
            if (state == KNOWN || (state == WALL && first_axis(s, towards, a, &unused) >= 0)) {
                *wall = towards[a];
                return a;
            }
        }
    }
    return -1;
}

bool hxi_wall_find_at_land(const hxi_patch_source *source, const hx_exchange_field *item,
                           const hxi_filled *filled, hxi_origin *origin)
{
    const seeker s = look(source, item, filled);
    int wall = 0;
    if ((s.sides > 1 && !source->exchange->box) || state_of(&s, filled->point) != WALL) {
        return false;
    }
    const int axis = first_axis(&s, filled->point, source->spec->axes, &wall);
    const hx_fill fill =
        axis < 0 ? HX_FILL_NONE : source->exchange->wall[axis][side_of(&s, filled->point, axis) > 0];
    const bool lacks = s.sides > 1 && item->picks && fill != HX_FILL_ZERO;
    return axis >= 0 && fill != HX_FILL_HOOK && !lacks && find_source(&s, axis, wall, origin);
}

bool hxi_wall_at_land(const hxi_patch_source *source, const hxi_filled *filled)
{
    hxi_origin from;
    return hxi_origin_find(source->spec, source->layout, filled, &from) &&
           hxi_layout_is_land(source->layout, from.tile, from.block);
}
