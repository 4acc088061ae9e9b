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

/* Changes what the target is to hold: nothing but owned points of a field. */
static void expect_field(arrays *to, const arrays *from, int field, bool whole)
{
    const random_field *f = &to->world->spec->field[field];
    for (int i = 0; i < to->locals; ++i) {
        const int b = to->local[i];
        const int lo[AXES] = {0};
        int hi[AXES] = {0};
        int at[AXES] = {0};
        for (int a = 0; a < to->world->spec->axes; ++a) {
            hi[a] = world_points(to->world, b, f, a);
        }
        do {
            origin point = {.field = field, .block = b};
            memcpy(point.at, at, sizeof at);
            const bool comes = find_source(from->world, to->world, whole, &point);
            for (int c = 0; c < f->components && (comes || whole); ++c) {
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
static void move(const session *from, const session *to, unsigned salt, unsigned stays)
{
    unsigned char *source = pointers_of(from, stays);
    unsigned char *target = pointers_of(to, stays);
    arrays_fill(from->arrays, salt, false);
    arrays_fill(to->arrays, salt + 1, false);
    for (int f = 0; f < to->world->spec->fields; ++f) {
        if (!(stays >> f & 1)) {
            expect_field(to->arrays, from->arrays, f, false);
        }
    }
    if (CHECK_STATUS(hx_redistribute(from->handle, source, to->handle, target), HX_OK)) {
        session_check(to, "the target");
        session_check(from, "the source");
    }
    free(source);
    free(target);
}

/* ---- whole tiles ------------------------------------------------------------------------------------- */

enum { POISON = 0x5a };

/* The arrays of a field on one rank, in some memory order, with room to spare along each axis. */
typedef struct whole_arrays {
    const world *tiles; /* a block for each tile */
    const random_field *f;
    int field;
    hx_strided_array array[WORLD_TILES];
    size_t bytes[WORLD_TILES];
} whole_arrays;

static void whole_make(whole_arrays *w, const world *tiles, int field, unsigned number)
{
    const random_field *f = &tiles->spec->field[field];
    uint64_t state = number;
    *w = (whole_arrays){.tiles = tiles, .f = f, .field = field};
    const int axes = tiles->spec->axes;
    for (int t = 0; t < tiles->spec->tiles; ++t) {
        hx_strided_array *a = &w->array[t];
        const bool slowest = f->place > 0 && world_range(&state, 0, 1) == 1; /* components */
        ptrdiff_t step = (ptrdiff_t)f->size * (slowest ? 1 : f->components);
        int order[AXES] = {0, 1, 2, 3};
        for (int k = 0; k < axes; ++k) {
            const int other = world_range(&state, k, axes - 1);
            const int axis = order[other];
            order[other] = order[k];
            a->extent[axis] = world_points(tiles, t, f, axis) + world_range(&state, 0, 1);
            a->stride[axis] = step;
            step *= a->extent[axis];
        }
        a->bytes = f->size;
        a->components = f->components;
        a->component_stride = slowest ? step : (ptrdiff_t)f->size;
        w->bytes[t] = (size_t)step * (slowest ? (size_t)f->components : 1);
        a->base = malloc(w->bytes[t]);
        memset(a->base, POISON, w->bytes[t]);
    }
}

static void whole_free(whole_arrays *w)
{
    for (int t = 0; t < w->tiles->spec->tiles; ++t) {
        free(w->array[t].base);
    }
}

/* Compares all points, and spoils those that are right: nothing else may have been written then.  Points that came
 * from nowhere become zero. */
static void whole_check(whole_arrays *w, const arrays *from)
{
    for (int t = 0; t < w->tiles->spec->tiles; ++t) {
        const hx_strided_array *a = &w->array[t];
        const int lo[AXES] = {0};
        int hi[AXES] = {0};
        int at[AXES] = {0};
        unsigned char *copy = malloc(w->bytes[t]);
        memcpy(copy, a->base, w->bytes[t]);
        for (int axis = 0; axis < w->tiles->spec->axes; ++axis) {
            hi[axis] = world_points(w->tiles, t, w->f, axis);
        }
        do {
            origin point = {.field = w->field, .block = t};
            memcpy(point.at, at, sizeof at);
            const bool comes = find_source(from->world, w->tiles, false, &point);
            for (int c = 0; c < w->f->components; ++c) {
                ptrdiff_t offset = c * a->component_stride;
                for (int axis = 0; axis < w->tiles->spec->axes; ++axis) {
                    offset += at[axis] * a->stride[axis];
                }
                if (comes) {
                    _Alignas(16) unsigned char wanted[64];
                    value_at(from, &point, true, c, wanted);
                    CHECK(value_equal(w->f->kind, w->f->size, copy + offset, wanted),
                          "%s of tile %d is wrong", w->f->name, t);
                    memset(copy + offset, POISON, w->f->size);
                } else {
                    memset((unsigned char *)a->base + offset, 0, w->f->size);
                }
            }
        } while (box_next(w->tiles->spec->axes, lo, hi, at));
        for (size_t i = 0; i < w->bytes[t]; ++i) {
            CHECK(copy[i] == POISON, "byte %zu of tile %d was written, %s", i, t, w->f->name);
        }
        free(copy);
    }
}

/* From blocks to one rank, and from there to others. */
static long try_whole(session s[2], unsigned number)
{
    static world tiles;
    const world *w = s[0].world;
    world_divide_again(&tiles, w, 2);
    for (int f = 0; f < w->spec->fields; ++f) {
        whole_arrays whole;
        const int root = (int)(number + (unsigned)f) % w->ranks;
        whole_make(&whole, &tiles, f, number);
        arrays_fill(s[0].arrays, number, false);
        arrays_fill(s[1].arrays, number + 1, false);
        const hx_strided_array *given = w->rank == root ? whole.array : NULL;
        if (CHECK_STATUS(hx_gather(s[0].handle, s[0].pointers, f, root, given), HX_OK)) {
            if (w->rank == root) {
                whole_check(&whole, s[0].arrays);
            }
            expect_field(s[1].arrays, s[0].arrays, f, true);
            if (CHECK_STATUS(hx_scatter(s[1].handle, s[1].pointers, f, root, given), HX_OK)) {
                session_check(&s[1], "what was scattered");
            }
        }
        whole_free(&whole);
    }
    return w->spec->fields;
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

/* One of the two ends; false: it cannot be made, for a reason. */
static bool open_end(session *s, arrays *all, const world *w, int i, unsigned number)
{
    hx_options options = session_options(1);
    options.transport = number / 2 % 2 ? "p2p" : "shared";
    const session_plan plan = {w, MPI_COMM_WORLD, options, i == 0 ? 3 : 0, i, false, NULL};
    char why[200];
    *s = (session){.world = w, .arrays = all};
    const bool made = arrays_make(all, w, i == 0 ? 3 : 0, number) && session_make(s, &plan, all) == HX_OK;
    const bool thin = lacks_owners(w) && strstr(hx_last_error(), "Make blocks as thick as the width") != NULL;
    CHECK(made || thin || !oracle_accepts(w, why, sizeof why), "create failed: %s", hx_last_error());
    return made;
}

static void close_ends(session s[2], arrays all[2], int ends)
{
    for (int i = 0; i < ends; ++i) {
        session_free(&s[i]);
        arrays_free(&all[i]);
    }
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
        move(&s[from], &s[1 - from], number * 8 + 2 * k, k % 2 == 0 ? none : some);
    }
    move(&s[0], &s[1], number, none);
    const long gathered = number % 2 == 0 ? try_whole(s, number) : 0;
    close_ends(s, arrays_of, 2);
    return 5 + gathered;
}

long redistribute_all(int rank, int ranks)
{
    long moved = 0;
    long land = 0;
    for (int i = 0; i < random_specs_count; ++i) {
        static world one, other;
        for (int way = 0; world_make(&one, random_specs[i], way, rank, ranks); ++way) {
            world_divide_again(&other, &one, way);
            /* Neither, the first, the second or both. */
            const uint64_t number = (uint64_t)(random_specs[i]->number + way);
            if (number % 4 & 1) {
                world_take_owners(&one, number);
            }
            if (number % 4 & 2) {
                world_take_owners(&other, number * 16);
            }
            check_about("seed %lld, spec %d, land %d, from %s to %s", random_specs[i]->seed,
                        random_specs[i]->number, (int)(number % 4), one.about, other.about);
            moved += try_pair(&one, &other, (unsigned)way, &land);
        }
    }
    CHECK(land >= 2 * random_specs_count, "only %ld grids had blocks without an owner", land);
    return moved;
}
