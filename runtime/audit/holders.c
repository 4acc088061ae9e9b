#include "audit/holders.h"

#include <string.h>

enum { MOST_POINTS = 32, MOST_LINKS = 8 };

/* The point as a tile has it. */
typedef struct tile_point {
    int tile;
    int field;
    int sign;
    int point[HX_MAX_AXES]; /* counted in the tile */
} tile_point;

typedef struct finder {
    const hxi_patch_source *source;
    tile_point at[MOST_POINTS];
    int points;
    bool doubtful; /* it lies on its own opposite */
    hxi_origin *holder;
    int holders;
} finder;

static const hx_positions *positions_of(const finder *f, int field)
{
    return &f->source->spec->positions[f->source->spec->field[field].positions];
}

static int points_of(const finder *f, int tile, int field, int axis)
{
    return f->source->layout->tile[tile].cells[axis] + positions_of(f, field)->extra[axis];
}

/* ---- points -------------------------------------------------------------------------------------------- */

static const hx_tile_link *link_in(const finder *f, const tile_point *p, int axis, int end)
{
    const hx_positions *positions = positions_of(f, p->field);
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = (signed char)end;
    for (int i = 0; i < positions->links; ++i) {
        const hx_tile_link *link = &positions->link[i];
        if (link->tile == p->tile && memcmp(link->direction, direction, (size_t)f->source->spec->axes) == 0) {
            return link;
        }
    }
    return NULL;
}

static tile_point cross(const finder *f, const tile_point *p, const hx_tile_link *link)
{
    const hx_spec *spec = f->source->spec;
    const hxi_tile *tile = f->source->layout->tile;
    tile_point to = {.tile = link->source, .sign = p->sign * link->sign};
    to.field = link->component < 0 ? p->field : spec->field[p->field].vector[link->component];
    for (int s = 0; s < spec->axes; ++s) {
        const hx_axis_map *m = &link->map[s];
        to.point[s] = m->sign * p->point[m->axis] + m->offset +
                      m->destination_cells * tile[link->tile].cells[m->axis] +
                      m->source_cells * tile[link->source].cells[s];
    }
    return to;
}

static int side_of(const finder *f, const tile_point *p, int axis)
{
    return (p->point[axis] >= points_of(f, p->tile, p->field, axis)) - (p->point[axis] < 0);
}

/* What came out beside the tile along the side, behind the end of a ring, goes around.  False: it is nowhere. */
static bool come_within(const finder *f, tile_point *p)
{
    for (int left = MOST_LINKS; left > 0; --left) {
        const hx_tile_link *link = NULL;
        bool within = true;
        for (int a = 0; a < f->source->spec->axes && within; ++a) {
            const int side = side_of(f, p, a);
            within = side == 0;
            link = within ? NULL : link_in(f, p, a, side);
        }
        if (within || !link) {
            return within;
        }
        *p = cross(f, p, link);
    }
    return false;
}

/* Where one side of a tile meets another one of it, components on faces across different axes have equal indices. */
static bool has_same_faces(const finder *f, int a, int b)
{
    return memcmp(positions_of(f, a)->extra, positions_of(f, b)->extra, sizeof(int[HX_MAX_AXES])) == 0;
}

static void add_point(finder *f, const tile_point *fresh)
{
    for (int i = 0; i < f->points; ++i) {
        const tile_point *p = &f->at[i];
        if (p->tile == fresh->tile && memcmp(p->point, fresh->point, sizeof p->point) == 0 &&
            has_same_faces(f, p->field, fresh->field)) {
            f->doubtful = f->doubtful || p->sign != fresh->sign;
            return;
        }
    }
    if (f->points == MOST_POINTS) {
        f->doubtful = true;
        return;
    }
    f->at[f->points++] = *fresh;
}

/* A link maps what lies beyond a side; where it maps a point of the tile into its source, that is there, too. */
static void cross_side(finder *f, const tile_point *p, int axis, int end)
{
    const hx_tile_link *link = link_in(f, p, axis, end);
    if (!link) {
        return;
    }
    tile_point to = cross(f, p, link);
    int s = 0;
    while (link->map[s].axis != axis) {
        ++s;
    }
    if (side_of(f, &to, s) == 0 && come_within(f, &to)) {
        add_point(f, &to);
    }
}

static void find_points(finder *f, const hxi_filled *filled)
{
    tile_point own = {.tile = filled->tile, .field = filled->field, .sign = 1};
    for (int a = 0; a < f->source->spec->axes; ++a) {
        own.point[a] = filled->first[a] + filled->point[a];
    }
    add_point(f, &own);
    for (int i = 0; i < f->points; ++i) {
        for (int way = 0; way < 2 * f->source->spec->axes; ++way) {
            const tile_point from = f->at[i];
            cross_side(f, &from, way / 2, way % 2 ? 1 : -1);
        }
    }
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static void add_holder(finder *f, const tile_point *p, const int index[])
{
    const hxi_tile *tile = &f->source->layout->tile[p->tile];
    hxi_origin holder = {.tile = p->tile, .field = p->field, .sign = p->sign};
    holder.block = hxi_layout_block(f->source->layout, p->tile, index);
    for (int a = 0; a < f->source->spec->axes; ++a) {
        holder.point[a] = p->point[a] - hxi_tile_cut(tile, a, index[a]);
    }
    if (hxi_layout_is_land(f->source->layout, p->tile, holder.block)) {
        return;
    }
    f->doubtful = f->doubtful || f->holders == HX_MOST_HOLDERS;
    if (!f->doubtful) {
        f->holder[f->holders++] = holder;
    }
}

/* The blocks of a tile that hold a point: along each axis one, and on a face between two both. */
static void add_holders(finder *f, const tile_point *p, int axis, int index[])
{
    if (axis == f->source->spec->axes) {
        add_holder(f, p, index);
        return;
    }
    const hxi_tile *tile = &f->source->layout->tile[p->tile];
    const int faces = positions_of(f, p->field)->extra[axis];
    for (int part = 0; part < tile->parts[axis]; ++part) {
        if (p->point[axis] >= hxi_tile_cut(tile, axis, part) &&
            p->point[axis] < hxi_tile_cut(tile, axis, part + 1) + faces) {
            index[axis] = part;
            add_holders(f, p, axis + 1, index);
        }
    }
}

/* The point and the block that are asked about. */
static bool is_own(const finder *f, const hxi_filled *filled, const hxi_origin *holder)
{
    bool own = holder->tile == filled->tile && has_same_faces(f, holder->field, filled->field);
    for (int a = 0, index[HX_MAX_AXES]; a < f->source->spec->axes && own; ++a) {
        hxi_layout_index(f->source->layout, holder->tile, holder->block, index);
        own = hxi_tile_cut(&f->source->layout->tile[holder->tile], a, index[a]) == filled->first[a] &&
              holder->point[a] == filled->point[a];
    }
    return own;
}

int hxi_holders_find(const hxi_patch_source *source, const hxi_filled *filled,
                     hxi_origin others[HX_MOST_HOLDERS])
{
    finder f = {.source = source, .holder = others};
    int index[HX_MAX_AXES] = {0};
    find_points(&f, filled);
    for (int i = 0; i < f.points; ++i) {
        add_holders(&f, &f.at[i], 0, index);
    }
    int kept = 0;
    for (int h = 0; h < f.holders && !f.doubtful; ++h) {
        if (!is_own(&f, filled, &others[h])) {
            others[kept++] = others[h];
        }
    }
    return kept;
}
