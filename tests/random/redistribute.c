#include "redistribute.h"

#include "check.h"
#include "origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must arrive -------------------------------------------------------------------------------- */

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

/* Where a point of the target comes from, in the source, or from there by way of whole tiles, which lack no block;
 * false: nowhere. */
static bool find_source(const world *w, const world *to, bool whole, origin *point)
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
    return inside ? find_source(w, to, false, point) : w->owner[point->block] >= 0;
}

/* The value that a component of a point has in the source; zero where it came from nowhere to whole tiles. */
static void value_at(const arrays *from, const origin *point, bool comes, int component, void *value)
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

enum { MOST = 64 };

/* Points of a field on one rank, and their array in some memory order, with room to spare along each axis. */
typedef struct taken {
    int rank;
    hx_selection s;
    size_t bytes;
} taken;

/* Of several ranks. */
typedef struct takens {
    const world *tiles; /* a block for each tile */
    int count;
    taken taken[MOST];
} takens;

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
    *comes = find_source(from, to, tiles != NULL, point);
    return tiles ? is_taken(tiles, to, &kept) : *comes;
}

/* Changes what the target is to hold: nothing but owned points of a field, and with halos ghost points.  tiles: they come
 * by way of these. */
static void expect_field(arrays *to, const arrays *from, int field, const takens *tiles, bool halos)
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
                value_at(from, &point, comes, c, arrays_element(to->expected[b][field], f, element));
            }
        } while (box_next(to->world->spec->axes, lo, hi, at));
    }
}

/* ---- moving ------------------------------------------------------------------------------------------ */

/* The pointers of a session without those of fields that stay. */
static unsigned char *pointers_of(const session *s, unsigned stays)
{
    const random_spec *spec = s->world->spec;
    const size_t bytes = (size_t)s->arrays->locals * spec->fields_size;
    unsigned char *copy = calloc(bytes + 1, 1);
    memcpy(copy, s->pointers, bytes);
    for (int i = 0; i < s->arrays->locals; ++i) {
        for (int f = 0; f < spec->fields; ++f) {
            if (stays >> f & 1) {
                memset(copy + (size_t)i * spec->fields_size + spec->field[f].pointer, 0, sizeof(void *));
            }
        }
    }
    return copy;
}

/* stays: fields that are not moved, by bits. */
static void move(const session *from, const session *to, unsigned salt, unsigned stays, bool halos)
{
    const hx_redistribution how = {.halos = halos};
    unsigned char *source = pointers_of(from, stays);
    unsigned char *target = pointers_of(to, stays);
    arrays_fill(from->arrays, salt, false);
    arrays_fill(to->arrays, salt + 1, false);
    for (int f = 0; f < to->world->spec->fields; ++f) {
        if (!(stays >> f & 1)) {
            expect_field(to->arrays, from->arrays, f, NULL, halos);
        }
    }
    if (CHECK_STATUS(hx_redistribute_with(from->handle, source, to->handle, target, &how), HX_OK)) {
        session_check(to, "the target");
        session_check(from, "the source");
    }
    free(source);
    free(target);
}

/* ---- arrays of any ranks ----------------------------------------------------------------------------- */

enum { POISON = 0x5a };

static bool is_empty(const hx_selection *s)
{
    return s->n[0] == 0 || s->n[1] == 0 || s->n[2] == 0 || s->n[3] == 0;
}

static const random_field *field_of(const takens *all, int i)
{
    return &all->tiles->spec->field[all->taken[i].s.field];
}

/* All points of a tile. */
static taken *take_tile(takens *all, int rank, int field, int tile)
{
    taken *t = &all->taken[all->count++];
    *t = (taken){.rank = rank, .s = {.field = field, .tile = tile}};
    for (int a = 0; a < AXES; ++a) {
        const bool has = a < all->tiles->spec->axes;
        t->s.n[a] = has ? world_points(all->tiles, tile, &all->tiles->spec->field[field], a) : 1;
        t->s.step[a] = 1;
    }
    return t;
}

/* On every rank, but only that of the points has an array. */
static void make_array(takens *all, int i, uint64_t *state)
{
    const random_field *f = field_of(all, i);
    const int axes = all->tiles->spec->axes;
    hx_selection *s = &all->taken[i].s;
    hx_strided_array *a = &s->array;
    const bool slowest = f->place > 0 && world_range(state, 0, 1) == 1; /* components */
    ptrdiff_t step = (ptrdiff_t)f->size * (slowest ? 1 : f->components);
    int order[AXES] = {0, 1, 2, 3};
    for (int k = 0; k < axes; ++k) {
        const int other = world_range(state, k, axes - 1);
        const int axis = order[other];
        order[other] = order[k];
        a->extent[axis] = s->n[axis] + world_range(state, 0, 1);
        a->stride[axis] = step;
        step *= a->extent[axis];
    }
    a->bytes = f->size;
    a->components = f->components;
    a->component_stride = slowest ? step : (ptrdiff_t)f->size;
    taken *t = &all->taken[i];
    t->bytes = (size_t)step * (slowest ? (size_t)f->components : 1);
    if (t->rank == all->tiles->rank) {
        a->base = malloc(t->bytes + 1);
        memset(a->base, POISON, t->bytes);
    }
}

static void free_arrays(const takens *all)
{
    for (int i = 0; i < all->count; ++i) {
        free(all->taken[i].s.array.base);
    }
}

/* Compares all points, and spoils those that are right: nothing else may have been written then.  Points that came
 * from nowhere become zero. */
static void check_array(const takens *all, int i, const arrays *from)
{
    const taken *w = &all->taken[i];
    const random_field *f = field_of(all, i);
    const hx_strided_array *a = &w->s.array;
    const int axes = all->tiles->spec->axes;
    const int lo[AXES] = {0};
    int hi[AXES] = {0};
    int at[AXES] = {0};
    unsigned char *copy = malloc(w->bytes + 1);
    memcpy(copy, a->base, w->bytes);
    memcpy(hi, w->s.n, sizeof hi);
    do {
        origin point = {.field = w->s.field, .block = w->s.tile};
        ptrdiff_t offset = 0;
        for (int axis = 0; axis < axes; ++axis) {
            point.at[axis] = w->s.first[axis] + at[axis] * w->s.step[axis];
            offset += at[axis] * a->stride[axis];
        }
        const bool comes = find_source(from->world, all->tiles, false, &point);
        for (int c = 0; c < f->components; ++c, offset += a->component_stride) {
            if (comes) {
                _Alignas(16) unsigned char wanted[64];
                value_at(from, &point, true, c, wanted);
                CHECK(value_equal(f->kind, f->size, copy + offset, wanted), "%s of array %d is wrong",
                      f->name, i);
                memset(copy + offset, POISON, f->size);
            } else {
                memset((unsigned char *)a->base + offset, 0, f->size);
            }
        }
    } while (box_next(axes, lo, hi, at));
    for (size_t k = 0; k < w->bytes; ++k) {
        CHECK(copy[k] == POISON, "byte %zu of array %d was written, %s", k, i, f->name);
    }
    free(copy);
}

static void check_arrays(const takens *all, const arrays *from)
{
    for (int i = 0; i < all->count; ++i) {
        if (all->taken[i].rank == all->tiles->rank && !is_empty(&all->taken[i].s)) {
            check_array(all, i, from);
        }
    }
}

/* From blocks to one rank, and from there to others. */
static long try_whole(session s[2], const world *tiles, unsigned number)
{
    const world *w = s[0].world;
    for (int f = 0; f < w->spec->fields; ++f) {
        takens whole = {.tiles = tiles};
        hx_strided_array array[WORLD_TILES];
        uint64_t state = number;
        const int root = (int)(number + (unsigned)f) % w->ranks;
        for (int t = 0; t < w->spec->tiles; ++t) {
            take_tile(&whole, root, f, t);
            make_array(&whole, t, &state);
            array[t] = whole.taken[t].s.array;
        }
        arrays_fill(s[0].arrays, number, false);
        arrays_fill(s[1].arrays, number + 1, false);
        const hx_strided_array *given = w->rank == root ? array : NULL;
        if (CHECK_STATUS(hx_gather(s[0].handle, s[0].pointers, f, root, given), HX_OK)) {
            check_arrays(&whole, s[0].arrays);
            expect_field(s[1].arrays, s[0].arrays, f, &whole, false);
            if (CHECK_STATUS(hx_scatter(s[1].handle, s[1].pointers, f, root, given), HX_OK)) {
                session_check(&s[1], "what was scattered");
            }
        }
        free_arrays(&whole);
    }
    return w->spec->fields;
}

/* Some points of a tile: along one axis every so many from one on, none at all if that lies beyond; along others any. */
static void thin(taken *t, int axes, int along, const int part_of[2], uint64_t *state)
{
    for (int a = 0; a < axes; ++a) {
        const int points = t->s.n[a];
        const int first = a == along ? part_of[0] : world_range(state, 0, points - 1);
        const int step = a == along ? part_of[1] : world_range(state, 1, 3);
        const int most = first < points ? (points - 1 - first) / step + 1 : 0;
        t->s.first[a] = most > 0 ? first : 0;
        t->s.step[a] = step;
        t->s.n[a] = most > 0 ? world_range(state, (most + 1) / 2, most) : 0;
    }
}

/* Points of all fields, on any ranks; apart: none twice. */
static void take_some(takens *all, bool apart, uint64_t *state)
{
    const random_spec *spec = all->tiles->spec;
    for (int i = 0; i < spec->fields * spec->tiles && all->count + 3 <= MOST; ++i) {
        const int along = world_range(state, 0, spec->axes - 1);
        const int parts = world_range(state, 1, 3);
        for (int part = 0; part < parts; ++part) {
            const int rank = world_range(state, 0, all->tiles->ranks - 1);
            const int other = apart ? along : world_range(state, 0, spec->axes - 1);
            taken *t = take_tile(all, rank, i / spec->tiles, i % spec->tiles);
            thin(t, spec->axes, other, (const int[]){part, parts}, state);
            make_array(all, all->count - 1, state);
            if (spec->axes == 1 && t->s.n[0] == 0) {
                free(t->s.array.base);
                --all->count;
            }
        }
    }
}

/* The selections of this rank, which are its own to change. */
static int list_own(const takens *all, hx_selection own[MOST])
{
    int count = 0;
    for (int i = 0; i < all->count; ++i) {
        if (all->taken[i].rank == all->tiles->rank) {
            own[count++] = all->taken[i].s;
        }
    }
    return count;
}

/* At a fold the components of a vector move together: no field lacks a selection. */
static bool has_all_fields(const takens *all)
{
    bool all_of_them = true;
    for (int f = 0; f < all->tiles->spec->fields; ++f) {
        bool any = false;
        for (int i = 0; i < all->count; ++i) {
            const hx_selection *s = &all->taken[i].s;
            any = any || (s->field == f && !is_empty(s));
        }
        all_of_them = all_of_them && any;
    }
    return all_of_them;
}

/* From blocks to any ranks, and from some to other blocks. */
static long try_selected(session s[2], const world *tiles, unsigned number)
{
    static takens all[2];
    static hx_selection own[MOST];
    uint64_t state = number + 1000;
    for (int apart = 0; apart < 2; ++apart) {
        all[apart] = (takens){.tiles = tiles};
        take_some(&all[apart], apart, &state);
        arrays_fill(s[0].arrays, number, false);
        const bool complete = tiles->spec->fold == NULL || has_all_fields(&all[apart]);
        const int count = complete ? list_own(&all[apart], own) : 0;
        if (!complete || !CHECK_STATUS(hx_gather_selected(s[0].handle, s[0].pointers, own, count), HX_OK)) {
            free_arrays(&all[apart]);
            continue;
        }
        check_arrays(&all[apart], s[0].arrays);
        if (apart) {
            arrays_fill(s[1].arrays, number + 1, false);
            for (int f = 0; f < tiles->spec->fields; ++f) {
                expect_field(s[1].arrays, s[0].arrays, f, &all[apart], false);
            }
            CHECK_STATUS(hx_scatter_selected(s[1].handle, s[1].pointers, own, count), HX_OK);
            session_check(&s[1], "what was scattered, some of it");
        }
        free_arrays(&all[apart]);
    }
    return 2;
}

/* ---- land ---------------------------------------------------------------------------------------------- */

static int lacks_owners(const world *w)
{
    int lacks = 0;
    for (int b = 0; b < w->blocks; ++b) {
        lacks = lacks || w->owner[b] == HX_NO_OWNER;
    }
    return lacks;
}

/* ---- the two ends -------------------------------------------------------------------------------------- */

/* Ranks that have a communicator of their own, in which they come in their order or in the opposite one. */
typedef struct group {
    int first, last;
    bool backwards;
    MPI_Comm comm; /* MPI_COMM_NULL on other ranks, */
    world world;   /* whose ranks have their numbers there */
    void *handle;
} group;

static group groups[2]; /* of source and target; first -1: all ranks, without a communicator of their own */

/* Any ranks, which are the first ones or the last ones; both groups may have some in common. */
static void draw_group(const world *w, int i, unsigned number)
{
    uint64_t state = number * 2 + (unsigned)i + 77;
    const int size = world_range(&state, 1, w->ranks - 1);
    groups[i] = (group){.first = i == 0 ? 0 : w->ranks - size, .backwards = i == 1, .comm = MPI_COMM_NULL};
    groups[i].last = groups[i].first + size - 1;
}

/* Blocks of other ranks go to those of the group. */
static void restrict_to(world *w, const group *g)
{
    for (int b = 0; b < w->blocks; ++b) {
        w->owner[b] = w->owner[b] < 0 ? w->owner[b] : g->first + w->owner[b] % (g->last - g->first + 1);
    }
    w->plain = 0;
}

static int number_in(const group *g, int rank)
{
    return rank < 0 ? rank : g->backwards ? g->last - rank : rank - g->first;
}

/* A handle of the group, and then one of its blocks for all ranks. */
static hx_status make_wide(session *s, const session_plan *plan, arrays *all, group *g)
{
    const world *w = plan->world;
    const bool in = w->rank >= g->first && w->rank <= g->last;
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, number_in(g, w->rank), &g->comm);
    g->world = *w;
    g->world.rank = number_in(g, w->rank);
    g->world.ranks = g->last - g->first + 1;
    for (int b = 0; b < w->blocks; ++b) {
        g->world.owner[b] = number_in(g, w->owner[b]);
    }
    session_plan narrow = *plan;
    narrow.world = &g->world;
    narrow.comm = g->comm;
    *s = (session){.arrays = all};
    int status = in ? (int)session_make(s, &narrow, all) : HX_OK;
    if (!in) {
        s->pointers = calloc(1, 1);
    }
    s->world = w;
    g->handle = s->handle;
    s->handle = NULL;
    MPI_Bcast(&status, 1, MPI_INT, g->first, MPI_COMM_WORLD);
    return status == HX_OK ? w->spec->widen(g->handle, MPI_COMM_WORLD, &plan->options, &s->handle)
                           : (hx_status)status;
}

/* One of the two ends; false: it cannot be made, for a reason. */
static bool open_end(session *s, arrays *all, const world *w, int i, unsigned number)
{
    static const char *const transports[] = {"shared", "p2p", "persistent", "neighbor", "mixed"};
    hx_options options = session_options(1);
    options.transport =
        transports[(number / 2 + (unsigned)i * (number / 10)) % 5]; /* often the same for both */
    const session_plan plan = {w, MPI_COMM_WORLD, options, i == 0 ? 3 : 0, i, false, NULL, 0};
    char why[200];
    *s = (session){.world = w, .arrays = all};
    const bool apart = groups[i].first >= 0;
    const bool made = arrays_make(all, w, i == 0 ? 3 : 0, number) &&
                      (apart ? make_wide(s, &plan, all, &groups[i]) : session_make(s, &plan, all)) == HX_OK;
    const bool told = !apart || groups[i].comm != MPI_COMM_NULL;
    const bool thin = lacks_owners(w) && strstr(hx_last_error(), "Make blocks as thick as the width") != NULL;
    CHECK(made || !told || thin || !oracle_accepts(w, why, sizeof why), "create failed: %s", hx_last_error());
    return made;
}

static void close_ends(session s[2], arrays all[2], int ends)
{
    for (int i = 0; i < ends; ++i) {
        group *g = &groups[i];
        session_free(&s[i]);
        if (g->handle) {
            CHECK_STATUS(s[i].world->spec->end(g->handle), HX_OK);
        }
        if (g->comm != MPI_COMM_NULL) {
            MPI_Comm_free(&g->comm);
        }
        g->handle = NULL;
        arrays_free(&all[i]);
    }
}

/* Whether ghost points of a field lie behind the owned ones, which are not moved. */
static bool any_behind(const random_spec *spec)
{
    bool any = false;
    for (int f = 0; f < spec->fields; ++f) {
        any = any || spec->field[f].behind;
    }
    return any;
}

/* There and back, some fields or all, and once more with the plans that there are. */
static long try_pair(const world *one, const world *other, unsigned number, long *land)
{
    static arrays arrays_of[2];
    static session s[2];
    for (int i = 0; i < 2; ++i) {
        if (!open_end(&s[i], &arrays_of[i], i == 0 ? one : other, i, number)) {
            close_ends(s, arrays_of, i + 1);
            return 0;
        }
    }
    *land += lacks_owners(one) + lacks_owners(other);
    const unsigned none = 0;
    /* At a fold the components of a vector move together. */
    const unsigned some = one->spec->fold != NULL || one->spec->fields < 2 ? 0 : 1u << number % 2;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned from = k / 2 % 2;
        move(&s[from], &s[1 - from], number * 8 + 2 * k, k % 2 == 0 ? none : some, false);
    }
    const bool halos = !any_behind(one->spec);
    move(&s[0], &s[1], number, none, halos);
    move(&s[1], &s[0], number, none, halos);
    static world tiles;
    world_divide_again(&tiles, one, 2);
    const long gathered = number % 2 == 0 ? try_whole(s, &tiles, number) : try_selected(s, &tiles, number);
    close_ends(s, arrays_of, 2);
    return 6 + gathered;
}

/* Of five pairs two are of two groups of ranks, each with a communicator of its own. */
static long choose_groups(world ends[2], uint64_t number)
{
    const bool apart = ends[0].ranks > 1 && number % 5 < 2;
    for (int i = 0; i < 2; ++i) {
        groups[i] = (group){.first = -1, .comm = MPI_COMM_NULL};
        if (apart) {
            draw_group(&ends[i], i, (unsigned)number);
            restrict_to(&ends[i], &groups[i]);
        }
    }
    return apart;
}

long redistribute_all(int rank, int ranks)
{
    long moved = 0;
    long land = 0;
    long apart = 0;
    for (int i = 0; i < random_specs_count; ++i) {
        static world ends[2];
        for (int way = 0; world_make(&ends[0], random_specs[i], way, rank, ranks); ++way) {
            world_divide_again(&ends[1], &ends[0], way);
            /* Neither, the first, the second or both. */
            const uint64_t number = (uint64_t)(random_specs[i]->number + way);
            if (number % 4 & 1) {
                world_take_owners(&ends[0], number);
            }
            if (number % 4 & 2) {
                world_take_owners(&ends[1], number * 16);
            }
            apart += choose_groups(ends, number);
            check_about("seed %lld, spec %d, land %d, from %s to %s, ranks %d to %d and %d to %d",
                        random_specs[i]->seed, random_specs[i]->number, (int)(number % 4), ends[0].about,
                        ends[1].about, groups[0].first, groups[0].last, groups[1].first, groups[1].last);
            moved += try_pair(&ends[0], &ends[1], (unsigned)way, &land);
        }
    }
    CHECK(ranks == 1 || apart >= random_specs_count, "only %ld pairs were of two groups of ranks", apart);
    CHECK(land >= 2 * random_specs_count, "only %ld grids had blocks without an owner", land);
    return moved;
}
