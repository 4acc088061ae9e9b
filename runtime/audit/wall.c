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

static void find_image(const seeker *s, int axis, hxi_origin *origin)
{
    const hx_positions *p = positions_of(s);
    const hx_field *field = &s->source->spec->field[s->filled->field];
    const bool low = s->side[axis] < 0;
    const int first = s->filled->first[axis];
    const int at = first + s->filled->point[axis]; /* in the tile */
    const int cells = s->points[axis] - p->extra[axis];
    const hx_fill fill = fill_of(s, axis);
    int image = at;
    if (fill == HX_FILL_ZERO) {
        origin->sign = 0;
    } else if (fill == HX_FILL_COPY) {
        image = low ? 0 : s->points[axis] - 1;
    } else {
        image = p->mirror[axis] - at + (low ? 0 : 2 * cells);
        origin->sign = (fill == HX_FILL_ANTIMIRROR) != (field->reverses[axis] != 0) ? -1 : 1;
    }
    origin->point[axis] = image - first;
}

bool hxi_wall_find(const hxi_patch_source *source, const hx_exchange_field *item, const hxi_filled *filled,
                   hxi_origin *origin)
{
    const seeker s = look(source, item, filled);
    const int axis = axis_of(&s);
    if (axis < 0 || fill_of(&s, axis) == HX_FILL_HOOK || !is_filled(&s, axis) || is_in_gap(&s)) {
        return false;
    }
    *origin = (hxi_origin){.tile = filled->tile, .field = filled->field, .sign = 1};
    memcpy(origin->point, filled->point, sizeof origin->point);
    find_image(&s, axis, origin);
    const bool own = origin->sign != 0 && origin->point[axis] == filled->point[axis];
    if (own && origin->sign < 0) {
        origin->sign = 0; /* on the wall itself, equal to its opposite */
    }
    return !(own && origin->sign > 0); /* such a point stays as it is */
}

bool hxi_wall_at_land(const hxi_patch_source *source, const hxi_filled *filled)
{
    hxi_origin from;
    return hxi_origin_find(source->spec, source->layout, filled, &from) &&
           hxi_layout_is_land(source->layout, from.tile, from.block);
}
