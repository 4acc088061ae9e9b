#include "redistribute.h"

#include "check.h"
#include "origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must arrive -------------------------------------------------------------------------------- */

/* The value that a component of a point of the grid has in the source: in the block of whose cells the point is
 * the center or a low face; the last face of a tile is in its last block. */
static void value_at(const arrays *from, const world *to, const origin *point, int component, void *value)
{
    const world *w = from->world;
    const random_field *f = &w->spec->field[point->field];
    const int tile = to->tile[point->block];
    int part[AXES] = {0};
    int at[AXES] = {0};
    for (int a = 0; a < w->spec->axes; ++a) {
        const int index = world_first(to, point->block, a) + point->at[a];
        const int last = w->cells[tile][a] - 1;
        part[a] = world_part_of_cell(w, tile, a, index < last ? index : last);
        at[a] = index - w->cut[tile][a][part[a]];
    }
    const int block = world_block(w, tile, part);
    arrays_initial(from, block, point->field, place_of(&from->place[block][point->field], f, at, component),
                   value);
    if (point->negated) {
        value_negate(f->kind, f->size, value);
    }
}

/* Changes what the target is to hold: nothing but owned points of a field. */
static void expect_field(arrays *to, const arrays *from, int field)
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
            if (to->world->spec->fold != NULL && origin_is_rewritten(to->world, field, b, at)) {
                CHECK(origin_find(to->world, field, b, at, &point), "a rewritten point has no origin");
            }
            for (int c = 0; c < f->components; ++c) {
                const ptrdiff_t element = place_of(&to->place[b][field], f, at, c);
                value_at(from, to->world, &point, c, arrays_element(to->expected[b][field], f, element));
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
            expect_field(to->arrays, from->arrays, f);
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

/* Compares all points, and spoils those that are right: nothing else may have been written then. */
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
            if (w->tiles->spec->fold != NULL && origin_is_rewritten(w->tiles, w->field, t, at)) {
                CHECK(origin_find(w->tiles, w->field, t, at, &point), "a rewritten point has no origin");
            }
            for (int c = 0; c < w->f->components; ++c) {
                ptrdiff_t offset = c * a->component_stride;
                for (int axis = 0; axis < w->tiles->spec->axes; ++axis) {
                    offset += at[axis] * a->stride[axis];
                }
                _Alignas(16) unsigned char wanted[64];
                value_at(from, w->tiles, &point, c, wanted);
                CHECK(value_equal(w->f->kind, w->f->size, copy + offset, wanted), "%s of tile %d is wrong",
                      w->f->name, t);
                memset(copy + offset, POISON, w->f->size);
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
            expect_field(s[1].arrays, s[0].arrays, f);
            if (CHECK_STATUS(hx_scatter(s[1].handle, s[1].pointers, f, root, given), HX_OK)) {
                session_check(&s[1], "what was scattered");
            }
        }
        whole_free(&whole);
    }
    return w->spec->fields;
}

/* There and back, some fields or all, and once more with the plans that there are. */
static long try_pair(const world *one, const world *other, unsigned number)
{
    static arrays arrays_of[2];
    static session s[2];
    const world *w[2] = {one, other};
    char why[200];
    bool there = true;
    for (int i = 0; i < 2; ++i) {
        const session_plan plan = {w[i], MPI_COMM_WORLD, session_options(1), i == 0 ? 3 : 0, i, false};
        there = there && arrays_make(&arrays_of[i], w[i], i == 0 ? 3 : 0, number);
        there = there && session_make(&s[i], &plan, &arrays_of[i]) == HX_OK;
        CHECK(there || !oracle_accepts(w[i], why, sizeof why), "create failed: %s", hx_last_error());
        if (!there) {
            return 0;
        }
    }
    const unsigned none = 0;
    /* At a fold the components of a vector move together. */
    const unsigned some = one->spec->fold != NULL || one->spec->fields < 2 ? 0 : 1u << number % 2;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned from = k / 2 % 2;
        move(&s[from], &s[1 - from], number * 8 + 2 * k, k % 2 == 0 ? none : some);
    }
    move(&s[0], &s[1], number, none);
    const long gathered = number % 2 == 0 ? try_whole(s, number) : 0;
    for (int i = 0; i < 2; ++i) {
        session_free(&s[i]);
        arrays_free(&arrays_of[i]);
    }
    return 5 + gathered;
}

long redistribute_all(int rank, int ranks)
{
    long moved = 0;
    for (int i = 0; i < random_specs_count; ++i) {
        static world one, other;
        for (int way = 0; world_make(&one, random_specs[i], way, rank, ranks); ++way) {
            world_divide_again(&other, &one, way);
            check_about("seed %lld, spec %d, from %s to %s", random_specs[i]->seed, random_specs[i]->number,
                        one.about, other.about);
            moved += try_pair(&one, &other, (unsigned)way);
        }
    }
    return moved;
}
