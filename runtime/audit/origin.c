#include "audit/origin.h"

#include <string.h>

/*
 * A point on its way from tile to tile.  Where a field has points on both faces of its cells, several blocks
 * hold a face.  Along the side that a ghost point lies beside, a face goes with a cell of the destination, and
 * this cell is followed together with the point; across it, a face goes with the cell above it.
 */
typedef struct traveller {
    int tile;
    int field;
    int sign;
    int point[HX_MAX_AXES]; /* counted in the tile */
    int cell[HX_MAX_AXES];
    bool along[HX_MAX_AXES]; /* the cell counts */
} traveller;

typedef struct finder {
    const hx_spec *spec;
    const hxi_layout *layout;
} finder;

static const hx_positions *positions_of(const finder *f, int field)
{
    return &f->spec->positions[f->spec->field[field].positions];
}

static int points_of(const finder *f, int tile, int field, int axis)
{
    return f->layout->tile[tile].cells[axis] + positions_of(f, field)->extra[axis];
}

static int between(int value, int last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

static traveller set_out(const finder *f, const hxi_filled *filled)
{
    traveller t = {.tile = filled->tile, .field = filled->field, .sign = 1};
    for (int a = 0; a < f->spec->axes; ++a) {
        t.point[a] = filled->first[a] + filled->point[a];
        t.cell[a] = filled->first[a] + between(filled->point[a], filled->cells[a] - 1);
        t.along[a] = filled->direction[a] == 0 && positions_of(f, filled->field)->extra[a] > 0;
    }
    return t;
}

/* Goes through one link. */
static void cross(const finder *f, const hx_tile_link *link, traveller *t)
{
    const traveller before = *t;
    const hxi_tile *tile = f->layout->tile;
    t->tile = link->source;
    t->field = link->component < 0 ? t->field : f->spec->field[t->field].vector[link->component];
    t->sign *= link->sign;
    for (int s = 0; s < f->spec->axes; ++s) {
        const hx_axis_map *m = &link->map[s];
        const int shift = m->offset + m->destination_cells * tile[link->tile].cells[m->axis] +
                          m->source_cells * tile[link->source].cells[s];
        t->point[s] = m->sign * before.point[m->axis] + shift;
        t->along[s] = before.along[m->axis];
        /* Faces i and i + 1 of a cell change places where the source runs the other way. */
        t->cell[s] = m->sign * before.cell[m->axis] + shift - (m->sign < 0);
    }
}

/* On which side of its tile a point lies, along each axis; true: it lies within. */
static bool look(const finder *f, const traveller *t, signed char direction[])
{
    bool within = true;
    for (int a = 0; a < f->spec->axes; ++a) {
        direction[a] = t->point[a] < 0 ? -1 : t->point[a] >= points_of(f, t->tile, t->field, a) ? 1 : 0;
        within = within && direction[a] == 0;
    }
    return within;
}

static const hx_tile_link *link_from(const finder *f, const traveller *t, const signed char direction[])
{
    const hx_positions *p = positions_of(f, t->field);
    for (int i = 0; i < p->links; ++i) {
        if (p->link[i].tile == t->tile &&
            memcmp(p->link[i].direction, direction, (size_t)f->spec->axes) == 0) {
            return &p->link[i];
        }
    }
    return NULL;
}

/* An end of what a rewrite is about, along an axis of so many cells. */
static int bound_of(const hx_bound *bound, int cells)
{
    const int twice = bound->halves * cells + bound->offset;
    return twice >= 0 ? twice / 2 : -((1 - twice) / 2);
}

static bool is_rewritten(const finder *f, const hx_rewrite *rewrite, const traveller *t)
{
    bool met = rewrite->link.tile == t->tile;
    for (int a = 0; a < f->spec->axes; ++a) {
        const int cells = f->layout->tile[t->tile].cells[a];
        met = met && t->point[a] >= bound_of(&rewrite->lo[a], cells) &&
              t->point[a] < bound_of(&rewrite->hi[a], cells);
    }
    return met;
}

/* Nobody reads points that are rewritten: the link to what feeds them; NULL: it is not one of them. */
static const hx_tile_link *link_rewriting(const finder *f, const traveller *t)
{
    const hx_positions *p = positions_of(f, t->field);
    for (int i = 0; i < p->rewrites; ++i) {
        if (is_rewritten(f, &p->rewrite[i], t)) {
            return &p->rewrite[i].link;
        }
    }
    return NULL;
}

/* The block that owns a point of a tile. */
static void settle(const finder *f, const traveller *t, hxi_origin *origin)
{
    const hxi_tile *tile = &f->layout->tile[t->tile];
    int index[HX_MAX_AXES] = {0};
    *origin = (hxi_origin){.tile = t->tile, .field = t->field, .sign = t->sign};
    for (int a = 0; a < f->spec->axes; ++a) {
        const int cell = between(t->along[a] ? t->cell[a] : t->point[a], tile->cells[a] - 1);
        while (hxi_tile_cut(tile, a, index[a] + 1) <= cell) {
            index[a]++;
        }
        origin->point[a] = t->point[a] - hxi_tile_cut(tile, a, index[a]);
    }
    origin->block = hxi_layout_block(f->layout, t->tile, index);
}

/* A point comes nearer with each link, but for a few at a fold. */
static int most_links(const finder *f, int field)
{
    int most = 8;
    for (int a = 0; a < f->spec->axes; ++a) {
        most += f->spec->field[field].halo_lo[a] + f->spec->field[field].halo_hi[a];
    }
    return most;
}

bool hxi_origin_find(const hx_spec *spec, const hxi_layout *layout, const hxi_filled *filled,
                     hxi_origin *origin)
{
    const finder f = {spec, layout};
    traveller t = set_out(&f, filled);
    int left = most_links(&f, filled->field);
    if (filled->rewrite) {
        cross(&f, &filled->rewrite->link, &t);
    }
    for (; left > 0; --left) {
        signed char direction[HX_MAX_AXES] = {0};
        const bool within = look(&f, &t, direction);
        const hx_tile_link *link = within ? link_rewriting(&f, &t) : link_from(&f, &t, direction);
        if (!link) {
            if (within) {
                settle(&f, &t, origin);
            }
            return within;
        }
        cross(&f, link, &t);
    }
    return false;
}
