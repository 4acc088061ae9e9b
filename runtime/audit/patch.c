#include "audit/patch.h"

#include "audit/holders.h"
#include "audit/wall.h"
#include "base/memory.h"

#include <stdlib.h>

/* One field of one block in one direction, or what is rewritten of it, under way. */
typedef struct grower {
    const hxi_patch_source *source;
    const hx_exchange_field *item;
    const hx_field *field;
    enum { GHOSTS, WALLS, SHARED } what; /* its points are */
    bool at_land;                        /* its walls are those beside blocks without an owner */
    hxi_filled filled;                   /* its point is the one that is looked at */
    int block;
    int component;
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES];
    hxi_patches *found;
} grower;

hxi_patch *hxi_patches_add(hxi_patches *patches)
{
    if (patches->count == patches->room) {
        const int room = patches->room > 0 ? 2 * patches->room : 64;
        hxi_patch *more = hxi_memory_grow(patches->patch, (size_t)patches->count, (size_t)room, sizeof *more,
                                          "the points that an audit looks at");
        if (!more) {
            return NULL;
        }
        patches->patch = more;
        patches->room = room;
    }
    hxi_patch *fresh = &patches->patch[patches->count++];
    *fresh = (hxi_patch){0};
    return fresh;
}

void hxi_patches_free(hxi_patches *patches)
{
    hxi_memory_free(patches->patch);
    *patches = (hxi_patches){0};
}

/* ---- growing ------------------------------------------------------------------------------------------- */

/* What feeds a point, or where else it lies; returns how many there are.  Nobody feeds what a block without an owner
 * would. */
static int find_origins(const grower *g, hxi_origin from[HX_MOST_HOLDERS])
{
    const hxi_patch_source *s = g->source;
    switch (g->what) {
    case SHARED:
        return hxi_holders_find(s, &g->filled, from);
    case WALLS: {
        const bool found = (g->at_land ? hxi_wall_find_at_land : hxi_wall_find)(s, g->item, &g->filled, from);
        from->block = s->mine->block[g->block].number;
        return found;
    }
    case GHOSTS:
        break;
    }
    return hxi_origin_find(s->spec, s->layout, &g->filled, from) &&
           !hxi_layout_is_land(s->layout, from->tile, from->block);
}

static hx_status add_origin(grower *g, const hxi_origin *from)
{
    const hxi_patch_source *s = g->source;
    hxi_patch *patch = hxi_patches_add(g->found);
    if (!patch) {
        return HX_ERR_MEMORY;
    }
    patch->peer = s->owner[s->layout->tile[from->tile].first_block + from->block];
    patch->block = g->block;
    patch->tile = g->filled.tile;
    patch->number = s->mine->block[g->block].number;
    patch->field = g->filled.field;
    patch->component = g->component;
    patch->from = *from;
    patch->owned = g->filled.rewrite != NULL || g->what == SHARED;
    patch->shared = g->what == SHARED;
    patch->wall = g->what == WALLS;
    patch->wire = g->what == GHOSTS ? g->item->wire : HX_WIRE_NOT;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        patch->lo[a] = a < s->spec->axes ? g->filled.point[a] : 0;
        patch->n[a] = 1;
    }
    return HX_OK;
}

static hx_status add_point(grower *g)
{
    hxi_origin from[HX_MOST_HOLDERS];
    const int count = find_origins(g, from);
    hx_status status = HX_OK;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        status = add_origin(g, &from[i]);
    }
    return status;
}

/* Does what feeds `next` lie behind what feeds `patch` along an axis, or before it?  Then how is known. */
static bool goes_on(const hxi_patch *patch, const hxi_patch *next, int axis, int *along, int *turn)
{
    const hxi_origin *a = &patch->from;
    const hxi_origin *b = &next->from;
    bool same = a->tile == b->tile && a->block == b->block && a->field == b->field && a->sign == b->sign;
    int moved = 0;
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        const int step = b->point[i] - a->point[i];
        if (step != 0) {
            *along = i;
            *turn = step > 0 ? 1 : -1;
            same = same && step * *turn == patch->n[axis];
            moved++;
        }
        if (i != axis) {
            same = same && patch->lo[i] == next->lo[i] && patch->n[i] == next->n[i] &&
                   patch->turn[i] == next->turn[i] && patch->axis[i] == next->axis[i];
        }
    }
    same = same && moved == 1 && patch->lo[axis] + patch->n[axis] == next->lo[axis];
    return same && (patch->turn[axis] == 0 || (patch->turn[axis] == *turn && patch->axis[axis] == *along));
}

/* Makes patches longer by those beside them, if that goes for all. */
static bool join(hxi_patch *open, const hxi_patch *next, int count, int axis)
{
    int along = 0;
    int turn = 0;
    for (int i = 0; i < count; ++i) {
        if (!goes_on(&open[i], &next[i], axis, &along, &turn)) {
            return false;
        }
    }
    for (int i = 0; i < count; ++i) {
        goes_on(&open[i], &next[i], axis, &open[i].axis[axis], &open[i].turn[axis]);
        open[i].n[axis] += next[i].n[axis];
    }
    return true;
}

/* The patches of the box along the axes that are the fastest, so many, others fixed. */
static hx_status grow(grower *g, int axes)
{
    if (axes == 0) {
        return add_point(g);
    }
    const int axis = g->field->order[axes - 1];
    int open = g->found->count; /* the first that may become longer */
    hx_status status = HX_OK;
    for (int i = g->lo[axis]; i < g->hi[axis] && status == HX_OK; ++i) {
        const int next = g->found->count;
        g->filled.point[axis] = i;
        status = grow(g, axes - 1);
        hxi_patch *patch = g->found->patch;
        if (status == HX_OK && g->found->count - next == next - open &&
            join(patch + open, patch + next, next - open, axis)) {
            g->found->count = next;
        } else {
            open = next;
        }
    }
    return status;
}

/* ---- what an exchange fills ---------------------------------------------------------------------------- */

/* Components that travel each by itself; 0: those that lie side by side go together, or there is one. */
static int parts_of(const hx_field *field, const hx_picks *picks)
{
    return picks                                                  ? picks->count
           : field->components > 0 && field->components_after > 0 ? field->components
                                                                  : 0;
}

static int part_of(const hx_field *field, const hx_picks *picks, int number)
{
    return parts_of(field, picks) == 0 ? -1 : picks ? picks->component[number] : number;
}

/* All components of the box of a grower. */
static hx_status grow_parts(grower *g, const hx_picks *picks)
{
    const int parts = picks || parts_of(g->field, picks) > 0 ? parts_of(g->field, picks) : 1;
    hx_status status = HX_OK;
    for (int i = 0; i < parts && status == HX_OK; ++i) {
        g->component = part_of(g->field, picks, i);
        status = grow(g, g->source->spec->axes);
    }
    return status;
}

/* Owned points of the block that lie on others, across the side that the direction leads to. */
static hx_status grow_rewritten(grower *g, const int points[], const hx_picks *picks)
{
    const hx_spec *spec = g->source->spec;
    const hx_positions *p = &spec->positions[g->field->positions];
    hx_status status = HX_OK;
    for (int r = 0; r < p->rewrites && status == HX_OK; ++r) {
        const hx_rewrite *rewrite = &p->rewrite[r];
        bool meant = rewrite->link.tile == g->filled.tile;
        for (int a = 0; a < spec->axes; ++a) {
            meant = meant && rewrite->link.direction[a] == g->filled.direction[a];
        }
        if (!meant) {
            continue;
        }
        const hxi_box all =
            hxi_box_of_rewrite(rewrite, spec->axes, g->source->layout->tile[g->filled.tile].cells);
        for (int a = 0; a < spec->axes; ++a) {
            const int first = g->filled.first[a];
            g->lo[a] = all.lo[a] > first ? all.lo[a] - first : 0;
            g->hi[a] = all.hi[a] - first < points[a] ? all.hi[a] - first : points[a];
        }
        g->filled.rewrite = rewrite;
        status = grow_parts(g, picks);
    }
    return status;
}

/* The points of a block on one side, as far as the exchange is wide; false: there are none. */
static bool set_side(grower *g, int points[])
{
    const hx_spec *spec = g->source->spec;
    bool any = true;
    for (int a = 0; a < spec->axes; ++a) {
        const int d = g->filled.direction[a];
        points[a] = g->filled.cells[a] + spec->positions[g->field->positions].extra[a];
        g->lo[a] = d < 0 ? -g->item->width_lo[a] : d > 0 ? points[a] : 0;
        g->hi[a] = d < 0 ? 0 : d > 0 ? points[a] + g->item->width_hi[a] : points[a];
        any = any && g->lo[a] < g->hi[a];
    }
    return any;
}

/* What an exchange fills of a field of a block on one side. */
static hx_status find_side(grower *g, const hx_picks *picks)
{
    int points[HX_MAX_AXES];
    if (!set_side(g, points)) {
        return HX_OK;
    }
    const hx_status status = grow_parts(g, picks);
    return status == HX_OK ? grow_rewritten(g, points, picks) : status;
}

/* ---- walls --------------------------------------------------------------------------------------------- */

/* Does land lie behind one of the points that a grower is about, along these axes and those before them? */
static bool has_land(grower *g, int axes)
{
    bool found = axes == 0 && hxi_wall_at_land(g->source, &g->filled);
    for (int i = axes > 0 ? g->lo[axes - 1] : 0; axes > 0 && i < g->hi[axes - 1] && !found; ++i) {
        g->filled.point[axes - 1] = i;
        found = has_land(g, axes - 1);
    }
    return found;
}

/* The direction of this number, and how many sides it leads across. */
static int set_direction(const hx_spec *spec, int number, signed char direction[])
{
    int sides = 0;
    for (int a = 0; a < HX_MAX_AXES; ++a, number /= 3) {
        direction[a] = a < spec->axes ? (signed char)(number % 3 - 1) : 0;
        sides += direction[a] != 0;
    }
    return sides;
}

/* What an exchange fills behind walls, of a field of a block; first it sees whether there is land. */
static hx_status find_walls(grower *g)
{
    const hx_spec *spec = g->source->spec;
    signed char direction[HX_MAX_AXES];
    int points[HX_MAX_AXES];
    int directions = 1;
    hx_status status = HX_OK;
    g->what = WALLS;
    g->filled.direction = direction;
    g->filled.rewrite = NULL;
    for (int a = 0; a < spec->axes; ++a) {
        directions *= 3;
    }
    for (int d = 0; d < directions && g->source->layout->land > 0 && !g->at_land; ++d) {
        const int sides = set_direction(spec, d, direction);
        g->at_land = (sides == 1 || (sides > 1 && g->source->exchange->box)) && set_side(g, points) &&
                     has_land(g, spec->axes);
    }
    for (int d = 0; d < directions && status == HX_OK; ++d) {
        if (set_direction(spec, d, direction) > 0 && set_side(g, points)) {
            status = grow_parts(g, NULL);
        }
    }
    return status;
}

static bool has_walls(const hx_spec *spec, const hx_exchange *exchange)
{
    bool any = false;
    for (int a = 0; a < spec->axes; ++a) {
        any = any || exchange->wall[a][0] != HX_FILL_NONE || exchange->wall[a][1] != HX_FILL_NONE;
    }
    return any;
}

/* ---- shared points ------------------------------------------------------------------------------------- */

/* How far from an end of a block its points may be others', too: faces, and lines beside a fold. */
enum { NEAR = 2 };

/* The points of a field of a block that other blocks have, too. */
static hx_status find_shared(grower *g)
{
    const hx_spec *spec = g->source->spec;
    int directions = 1;
    hx_status status = HX_OK;
    g->what = SHARED;
    for (int a = 0; a < spec->axes; ++a) {
        directions *= 3;
    }
    for (int d = 0; d < directions && status == HX_OK; ++d) {
        for (int a = 0, rest = d; a < spec->axes; ++a, rest /= 3) {
            const int points = g->filled.cells[a] + spec->positions[g->field->positions].extra[a];
            const int low = points < NEAR ? points : NEAR;
            const int high = points - NEAR > low ? points - NEAR : low;
            g->lo[a] = rest % 3 == 0 ? 0 : rest % 3 == 1 ? low : high;
            g->hi[a] = rest % 3 == 0 ? low : rest % 3 == 1 ? high : points;
        }
        status = d == directions / 2 ? HX_OK : grow_parts(g, NULL);
    }
    return status;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static hx_status find_block(const hxi_patch_source *source, int number, hxi_patches *found)
{
    const hxi_block *block = &source->mine->block[number];
    const hxi_tile *tile = &source->layout->tile[block->tile];
    const hx_exchange *x = source->exchange;
    int index[HX_MAX_AXES];
    int first[HX_MAX_AXES];
    hx_status status = HX_OK;
    hxi_layout_index(source->layout, block->tile, block->number, index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        first[a] = hxi_tile_cut(tile, a, index[a]);
    }
    for (int i = 0; i < x->fields && status == HX_OK; ++i) {
        const hx_exchange_field *item = &x->field[i];
        grower g = {
            .source = source,
            .item = item,
            .field = &source->spec->field[item->field],
            .filled = {.tile = block->tile, .field = item->field, .first = first, .cells = block->cells},
            .block = number,
            .found = found};
        if (x->shared) {
            status = find_shared(&g);
            continue;
        }
        for (int d = 0; d < x->directions && status == HX_OK; ++d) {
            g.filled.direction = x->direction[d];
            g.filled.rewrite = NULL;
            status = find_side(&g, item->picks ? &item->picks[d] : NULL);
        }
        if (status == HX_OK && has_walls(source->spec, x) && !g.field->behind) {
            status = find_walls(&g);
        }
    }
    return status;
}

static int64_t points_of(const hxi_patch *patch)
{
    return (int64_t)patch->n[0] * patch->n[1] * patch->n[2] * patch->n[3];
}

/* By peers.  Large patches go first: reading their long rows brings the short ones beside them into the cache. */
static int compare(const void *left, const void *right)
{
    const hxi_patch *a = left;
    const hxi_patch *b = right;
    const int64_t by[] = {a->peer - b->peer, a->block - b->block, a->field - b->field,
                          points_of(b) - points_of(a)};
    for (size_t i = 0; i < sizeof by / sizeof by[0]; ++i) {
        if (by[i] != 0) {
            return by[i] < 0 ? -1 : 1;
        }
    }
    return 0;
}

hx_status hxi_patches_find(const hxi_patch_source *source, hxi_patches *found)
{
    hx_status status = HX_OK;
    for (int b = 0; b < source->mine->blocks && status == HX_OK; ++b) {
        status = find_block(source, b, found);
    }
    if (found->count > 0) {
        qsort(found->patch, (size_t)found->count, sizeof *found->patch, compare);
    }
    return status;
}

/* ---- lists --------------------------------------------------------------------------------------------- */

/* Points of a run of this rank: fed by the peer, or feeding it. */
static hx_status add_run(const hxi_patch_source *source, int field, int component, int peer,
                         const hx_run *run, hxi_patches *found)
{
    hxi_patch *patch = hxi_patches_add(found);
    if (!patch) {
        return HX_ERR_MEMORY;
    }
    *patch = (hxi_patch){.peer = peer, .field = field, .component = component, .lo = {run->first}};
    patch->from = (hxi_origin){.block = peer, .field = field, .sign = 1, .point = {-1}};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        patch->n[a] = a == 0 ? run->points : source->mine->block[0].cells[a];
        patch->axis[a] = a;
        patch->turn[a] = 1;
    }
    return HX_OK;
}

static hx_status add_runs(const hxi_patch_source *source, int peer, const hx_runs *runs, hxi_patches *found)
{
    const hx_exchange *x = source->exchange;
    hx_status status = HX_OK;
    for (int i = 0; i < x->fields; ++i) {
        const hx_field *field = &source->spec->field[x->field[i].field];
        const int parts = parts_of(field, NULL) > 0 ? field->components : 1;
        for (int p = 0; p < parts; ++p) {
            for (int r = 0; r < runs->runs && status == HX_OK; ++r) {
                status =
                    add_run(source, x->field[i].field, part_of(field, NULL, p), peer, &runs->run[r], found);
            }
        }
    }
    return status;
}

hx_status hxi_patches_received(const hxi_patch_source *source, hxi_patches *found)
{
    const hxi_lists *lists = source->layout->lists;
    hx_status status = HX_OK;
    for (int i = 0; i < lists->partners && status == HX_OK; ++i) {
        status = add_runs(source, lists->partner[i].peer, &lists->partner[i].received, found);
    }
    return status;
}

hx_status hxi_patches_sent(const hxi_patch_source *source, hxi_patches *found)
{
    const hxi_lists *lists = source->layout->lists;
    hx_status status = HX_OK;
    for (int i = 0; i < lists->partners && status == HX_OK; ++i) {
        status = add_runs(source, lists->partner[i].peer, &lists->partner[i].sent, found);
    }
    for (int i = 0; i < found->count; ++i) {
        for (int f = 0; f < source->exchange->fields; ++f) {
            const hx_exchange_field *item = &source->exchange->field[f];
            found->patch[i].wire = item->field == found->patch[i].field ? item->wire : found->patch[i].wire;
        }
    }
    return status;
}
