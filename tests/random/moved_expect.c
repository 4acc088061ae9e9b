#include "moved.h"

#include "check.h"

#include <string.h>

/* Whether a block holds a point of a tile, whose place is counted in the tile. */
static bool holds(const world *w, int block, const random_field *f, const int index[])
{
    bool all = true;
    for (int a = 0; a < w->spec->axes; ++a) {
        const int at = index[a] - world_first(w, block, a);
        all = all && at >= 0 && at < world_points(w, block, f, a);
    }
    return all;
}

/* The same of a place that is counted in the block. */
static bool holds_here(const world *w, int block, const random_field *f, const int at[])
{
    int index[AXES] = {0};
    for (int a = 0; a < w->spec->axes; ++a) {
        index[a] = world_first(w, block, a) + at[a];
    }
    return holds(w, block, f, index);
}

/* Whether a block is the upper one along the last axis in which it differs. */
static bool is_above(const world *w, int block, int other)
{
    int above = 0;
    for (int a = 0; a < w->spec->axes; ++a) {
        const int difference = world_part(w, block, a) - world_part(w, other, a);
        above = difference != 0 ? difference : above;
    }
    return above > 0;
}

/* Of all blocks that hold a point the uppermost that some rank owns; -1: none. */
static int uppermost(const world *w, int tile, const random_field *f, const int index[])
{
    int best = -1;
    for (int b = w->first_block[tile]; b < w->first_block[tile + 1]; ++b) {
        if (w->owner[b] >= 0 && holds(w, b, f, index) && (best < 0 || is_above(w, b, best))) {
            best = b;
        }
    }
    return best;
}

/* From the place of a point in the target to the one in the source: in the block of whose cells the point is the
 * center or a low face; the last face of a tile is in its last block.  Where that has no owner and others are asked,
 * in one that holds it, too. */
static bool find_in(const world *w, const world *to, origin *point, bool others)
{
    const int tile = to->tile[point->block];
    int part[AXES] = {0};
    int index[AXES] = {0};
    for (int a = 0; a < w->spec->axes; ++a) {
        index[a] = world_first(to, point->block, a) + point->at[a];
        const int last = w->cells[tile][a] - 1;
        part[a] = world_part_of_cell(w, tile, a, index[a] < last ? index[a] : last);
    }
    point->block = world_block(w, tile, part);
    if (w->owner[point->block] < 0 && others) {
        point->block = uppermost(w, tile, &w->spec->field[point->field], index);
    }
    for (int a = 0; a < w->spec->axes && point->block >= 0; ++a) {
        point->at[a] = index[a] - world_first(w, point->block, a);
    }
    return point->block >= 0 && w->owner[point->block] >= 0;
}

bool moved_source(const world *w, const world *to, bool whole, origin *point)
{
    const origin self = *point;
    if (to->spec->fold != NULL && origin_is_rewritten(to, self.field, self.block, self.at)) {
        CHECK(origin_find(to, self.field, self.block, self.at, point), "a rewritten point has no origin");
        if (whole || find_in(w, to, point, false)) {
            return !whole || find_in(w, to, point, true);
        }
        *point = self;
    }
    return find_in(w, to, point, true);
}

/* Whether a point of a block, or of its halo, lies in its tile. */
static bool is_in_tile(const world *w, const origin *point)
{
    const int tile = w->tile[point->block];
    bool inside = true;
    for (int a = 0; a < w->spec->axes; ++a) {
        const bool both = w->spec->field[point->field].at[a] == AT_BOTH;
        const int index = world_first(w, point->block, a) + point->at[a];
        inside = inside && index >= 0 && index < w->cells[tile][a] + both;
    }
    return inside;
}

/* A ghost point of the target: in its tile, to a block that owns it, whose source is its own.  Beyond it, to the ghost
 * point of the source at that place, in the block that has the nearest point of the tile.  false: nobody has it. */
static bool find_ghost(const world *w, const world *to, origin *point)
{
    const int tile = to->tile[point->block];
    const bool inside = is_in_tile(to, point);
    const world *of = inside ? to : w;
    int index[AXES] = {0};
    int part[AXES] = {0};
    for (int a = 0; a < w->spec->axes; ++a) {
        const int last = w->cells[tile][a] - 1;
        index[a] = world_first(to, point->block, a) + point->at[a];
        part[a] = world_part_of_cell(of, tile, a, index[a] < 0 ? 0 : index[a] < last ? index[a] : last);
    }
    point->block = world_block(of, tile, part);
    for (int a = 0; a < w->spec->axes; ++a) {
        point->at[a] = index[a] - world_first(of, point->block, a);
    }
    return inside ? moved_source(w, to, false, point) : w->owner[point->block] >= 0;
}

void moved_value(const arrays *from, const origin *point, bool comes, int component, void *value)
{
    const random_field *f = &from->world->spec->field[point->field];
    memset(value, 0, f->size);
    if (comes) {
        const place *there = &from->place[point->block][point->field];
        arrays_initial(from, point->block, point->field, place_of(there, f, point->at, component), value);
    }
    if (point->negated) {
        value_negate(f->kind, f->size, value);
    }
}

/* Is the point that a value comes from, in whole tiles, among those that were taken? */
static bool is_taken(const takens *all, const world *w, const origin *kept)
{
    bool any = false;
    for (int i = 0; i < all->count; ++i) {
        const hx_selection *s = &all->taken[i].s;
        bool is = s->field == kept->field && s->tile == w->tile[kept->block];
        for (int a = 0; a < w->spec->axes; ++a) {
            const int on = world_first(w, kept->block, a) + kept->at[a] - s->first[a];
            is = is && on >= 0 && on % s->step[a] == 0 && on / s->step[a] < s->n[a];
        }
        any = any || is;
    }
    return any;
}

/* Does a point get a value, and which of the source's?  By way of tiles: only if one of those gave it. */
static bool gets_value(const world *from, const world *to, const takens *tiles, origin *point, bool *comes)
{
    origin kept = *point;
    if (tiles && to->spec->fold != NULL && origin_is_rewritten(to, kept.field, kept.block, kept.at)) {
        CHECK(origin_find(to, point->field, point->block, point->at, &kept),
              "a rewritten point has no origin");
    }
    *comes = moved_source(from, to, tiles != NULL, point);
    return tiles ? is_taken(tiles, to, &kept) : *comes;
}

void moved_expect(arrays *to, const arrays *from, int field, const takens *tiles, bool halos)
{
    const random_field *f = &to->world->spec->field[field];
    for (int i = 0; i < to->locals; ++i) {
        const int b = to->local[i];
        int lo[AXES] = {0};
        int hi[AXES] = {0};
        int at[AXES] = {0};
        for (int a = 0; a < to->world->spec->axes; ++a) {
            hi[a] = world_points(to->world, b, f, a) + (halos ? f->halo[1][a] : 0);
            at[a] = lo[a] = halos ? -f->halo[0][a] : 0;
        }
        do {
            origin point = {.field = field, .block = b};
            memcpy(point.at, at, sizeof at);
            bool comes = false;
            bool gets = false;
            if (holds_here(to->world, b, f, at)) {
                gets = gets_value(from->world, to->world, tiles, &point, &comes);
            } else {
                gets = comes = find_ghost(from->world, to->world, &point);
            }
            for (int c = 0; c < f->components && gets; ++c) {
                const ptrdiff_t element = place_of(&to->place[b][field], f, at, c);
                moved_value(from, &point, comes, c, arrays_element(to->expected[b][field], f, element));
            }
        } while (box_next(to->world->spec->axes, lo, hi, at));
    }
}
