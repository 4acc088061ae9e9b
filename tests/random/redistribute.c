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
    for (int i = 0; i < 2; ++i) {
        session_free(&s[i]);
        arrays_free(&arrays_of[i]);
    }
    return 5;
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
