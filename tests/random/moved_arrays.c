/* Gather and scatter: arrays of selected points, on one rank or several. */
#include "moved.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

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
        const bool comes = moved_source(from->world, all->tiles, false, &point);
        for (int c = 0; c < f->components; ++c, offset += a->component_stride) {
            if (comes) {
                _Alignas(16) unsigned char wanted[64];
                moved_value(from, &point, true, c, wanted);
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

long moved_by_one(session s[2], const world *tiles, unsigned number)
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
            moved_expect(s[1].arrays, s[0].arrays, f, &whole, false);
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

long moved_by_several(session s[2], const world *tiles, unsigned number)
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
                moved_expect(s[1].arrays, s[0].arrays, f, &all[apart], false);
            }
            CHECK_STATUS(hx_scatter_selected(s[1].handle, s[1].pointers, own, count), HX_OK);
            session_check(&s[1], "what was scattered, some of it");
        }
        free_arrays(&all[apart]);
    }
    return 2;
}
