#include "points.h"

#include "../exchange/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 3, GUARD = 64 };

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static const hx_part *part_of(const points *s)
{
    return (const hx_part *)(const void *)s->shape;
}

static ptrdiff_t *strides_of(const points *s, int field)
{
    return (ptrdiff_t *)(void *)(s->shape + s->spec->shape_stride) + (ptrdiff_t)field * s->spec->axes;
}

static ptrdiff_t *apart_of(const points *s)
{
    return s->spec->shape_apart > 0 ? (ptrdiff_t *)(void *)(s->shape + s->spec->shape_apart) : NULL;
}

static int levels_of(const points *s, int field)
{
    if (s->spec->axes == 1) {
        return 1;
    }
    return part_of(s)->n[1] + s->spec->positions[s->spec->field[field].positions].extra[1];
}

/* Those that lie apart; others are part of a point. */
static int parts_of(const hx_field *field)
{
    return field->components_after > 0 ? field->components : 1;
}

static int numbers_of(const hx_field *field)
{
    return field->components_after == 0 && field->components > 0 ? field->components : 1;
}

/* Bytes before an array, and behind it. */
static size_t guard_of(const points *s, int field)
{
    return s->guard > 0 && s->is_skewed ? s->guard + (size_t)s->spec->field[field].alignment : s->guard;
}

size_t points_bytes(const points *s, int field)
{
    const hx_field *f = &s->spec->field[field];
    return hx_points(s->spec, s->shape, field) * (size_t)(f->size / numbers_of(f));
}

/* Where a point begins in its array, with one level and part. */
static unsigned char *at(const points *s, int field, int point, int level, int part)
{
    const ptrdiff_t *stride = strides_of(s, field);
    ptrdiff_t place = point * stride[0] + (s->spec->axes > 1 ? level * stride[1] : 0);
    place += part > 0 ? part * apart_of(s)[field] : 0;
    return s->array[field] + place * (s->spec->field[field].size / numbers_of(&s->spec->field[field]));
}

/* padding: 0 dense, 1 as caches like it, 2 wider than that. */
static void make_shape(points *s, int count, int padding)
{
    const hx_spec *spec = s->spec;
    s->shape = get(1, spec->shape_size);
    const hx_part part = {.n = {count, spec->axes > 1 && spec->cells[1] > 0 ? spec->cells[1] : LEVELS}};
    memcpy(s->shape, &part, sizeof part);
    (padding == 1 ? hx_best_strides : hx_dense_strides)(spec, &part, strides_of(s, 0), apart_of(s));
    for (int f = 0; f < spec->fields && padding == 2; ++f) {
        for (int a = 0; a < spec->axes; ++a) {
            const bool slow = spec->field[f].order[0] != a && spec->field[f].fixed_stride[a] == 0;
            strides_of(s, f)[a] += slow ? (2 + f) * numbers_of(&spec->field[f]) : 0;
        }
        if (spec->field[f].components_after > 0) {
            apart_of(s)[f] +=
                spec->field[f].components_after == spec->axes ? 100 * (f + 1) + count * (2 + f) : 0;
        }
    }
}

void points_make(points *s, const hx_spec *spec, const cloud *c, int rank, int padding)
{
    *s = (points){.spec = spec, .c = c, .rank = rank, .guard = GUARD, .is_skewed = padding == 1};
    make_shape(s, c->rank[rank].points, padding);
    s->array = get((size_t)spec->fields, sizeof *s->array);
    s->pointers = get(1, spec->fields_size);
    for (int f = 0; f < spec->fields; ++f) {
        s->array[f] = (unsigned char *)get(points_bytes(s, f) + 2 * guard_of(s, f), 1) + guard_of(s, f);
        memcpy(s->pointers + spec->field[f].pointer, &s->array[f], sizeof s->array[f]);
    }
}

void points_free(points *s)
{
    for (int f = 0; f < s->spec->fields; ++f) {
        free(s->array[f] - guard_of(s, f));
    }
    free(s->array);
    free(s->pointers);
    free(s->shape);
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* What a point of a rank holds: of its owner by its id, of others by who they are. */
static uint64_t name_of(const cloud *c, int rank, int point)
{
    const cloud_rank *r = &c->rank[rank];
    return r->owned[point] ? (uint64_t)r->id[point]
                           : UINT64_C(1) << 40 | (uint64_t)rank << 32 | (uint64_t)point;
}

static void set_bytes(unsigned char *to, int size, uint64_t name, int field, int level, int part)
{
    for (int b = 0; b < size; ++b) {
        to[b] = (unsigned char)cloud_mix(name ^ (uint64_t)((field * 64 + level) * 64 + part) << 42 ^
                                         (uint64_t)b << 56);
    }
}

/* A number that is rounded when it is added to another one. */
static double number_of(uint64_t name, int field, int level, int part, int number)
{
    const uint64_t mixed =
        cloud_mix(name ^ (uint64_t)((field * 64 + level) * 64 + part) << 42 ^ (uint64_t)number << 56);
    return (double)(int64_t)mixed * 0x1p-40;
}

static void set_number(unsigned char *to, const hx_field *field, double value)
{
#define AS(T)                                                                                                \
    if (strcmp(field->type, #T) == 0) {                                                                      \
        const T number = (T)value;                                                                           \
        memcpy(to, &number, sizeof number);                                                                  \
    }
    AS(double)
    AS(float)
    AS(int)
#undef AS
}

static double joined(hx_operation operation, double a, double b)
{
    switch (operation) {
    case HX_MIN:
        return a < b ? a : b;
    case HX_MAX:
        return a > b ? a : b;
    default:
        return a + b;
    }
}

static void join_number(unsigned char *to, const hx_field *field, hx_operation operation, double value)
{
#define AS(T)                                                                                                \
    if (strcmp(field->type, #T) == 0) {                                                                      \
        T number;                                                                                            \
        memcpy(&number, to, sizeof number);                                                                  \
        number = (T)joined(operation, number, (T)value);                                                     \
        memcpy(to, &number, sizeof number);                                                                  \
    }
    AS(double)
    AS(float)
    AS(int)
#undef AS
}

/* A point as it is before the exchange. */
static void set_point(const points *s, int field, int point, uint64_t name, bool adds)
{
    const hx_field *f = &s->spec->field[field];
    for (int level = 0; level < levels_of(s, field); ++level) {
        for (int part = 0; part < parts_of(f); ++part) {
            unsigned char *to = at(s, field, point, level, part);
            const int size = f->size / numbers_of(f);
            for (int i = 0; i < numbers_of(f) && adds; ++i) {
                set_number(to + i * size, f, number_of(name, field, level, part, i));
            }
            if (!adds) {
                set_bytes(to, f->size, name, field, level, part);
            }
        }
    }
}

static void join_point(const points *s, int field, int point, hx_operation operation, uint64_t name)
{
    const hx_field *f = &s->spec->field[field];
    const int size = f->size / numbers_of(f);
    for (int level = 0; level < levels_of(s, field); ++level) {
        for (int part = 0; part < parts_of(f); ++part) {
            for (int i = 0; i < numbers_of(f); ++i) {
                join_number(at(s, field, point, level, part) + i * size, f, operation,
                            number_of(name, field, level, part, i));
            }
        }
    }
}

static void zero_point(const points *s, int field, int point)
{
    const hx_field *f = &s->spec->field[field];
    for (int level = 0; level < levels_of(s, field); ++level) {
        for (int part = 0; part < parts_of(f); ++part) {
            memset(at(s, field, point, level, part), 0, (size_t)f->size);
        }
    }
}

void points_fill(const points *s, bool adds)
{
    for (int f = 0; f < s->spec->fields; ++f) {
        memset(s->array[f] - guard_of(s, f), 0x5a, points_bytes(s, f) + 2 * guard_of(s, f));
        for (int p = 0; p < s->c->rank[s->rank].points; ++p) {
            set_point(s, f, p, name_of(s->c, s->rank, p), adds);
        }
    }
}

static bool takes_part(const cloud_rank *r, int point)
{
    return r->id[point] >= 0 && !r->owned[point];
}

/* What an exchange does to a field that starts as fill() leaves it. */
static void expect_copies(const points *s, int field)
{
    const cloud_rank *r = &s->c->rank[s->rank];
    for (int p = 0; p < r->points; ++p) {
        if (takes_part(r, p)) {
            set_point(s, field, p, (uint64_t)r->id[p], false);
        }
    }
}

/*
 * Contributions come by rising rank, this one among them, and then as the lists have them: by rising point.
 */
static void expect_sums(const points *s, int field, const hx_exchange *e)
{
    const cloud_rank *r = &s->c->rank[s->rank];
    for (int p = 0; p < r->points; ++p) {
        for (int rank = 0; rank < s->c->ranks && r->owned[p]; ++rank) {
            const cloud_rank *other = &s->c->rank[rank];
            for (int q = 0; q < other->points; ++q) {
                if (takes_part(other, q) && other->id[q] == r->id[p]) {
                    join_point(s, field, p, e->operation, name_of(s->c, rank, q));
                }
            }
        }
    }
    for (int p = 0; p < r->points; ++p) {
        if (takes_part(r, p) && !e->keeps) {
            zero_point(s, field, p);
        }
    }
}

static bool carries(const hx_exchange *exchange, int field)
{
    bool found = false;
    for (int i = 0; i < exchange->fields; ++i) {
        found = found || exchange->field[i].field == field;
    }
    return found;
}

void points_expect(const points *s, int exchange)
{
    const hx_exchange *e = &s->spec->exchange[exchange];
    points_fill(s, HX_RETURNS(e->operation));
    for (int f = 0; f < s->spec->fields; ++f) {
        if (carries(e, f) && HX_RETURNS(e->operation)) {
            expect_sums(s, f, e);
        } else if (carries(e, f)) {
            expect_copies(s, f);
        }
    }
}

/* The first byte that differs; of those between begin and end, counted from the array's pointer. */
static ptrdiff_t find_difference(const points *got, const points *wanted, int field, ptrdiff_t begin,
                                 ptrdiff_t end)
{
    while (begin < end && got->array[field][begin] == wanted->array[field][begin]) {
        ++begin;
    }
    return begin;
}

void points_compare(const points *got, const points *wanted)
{
    for (int f = 0; f < got->spec->fields; ++f) {
        const ptrdiff_t guard = (ptrdiff_t)guard_of(got, f);
        const ptrdiff_t end = (ptrdiff_t)points_bytes(got, f) + guard;
        const ptrdiff_t b = find_difference(got, wanted, f, -guard, end);
        CHECK(b == end, "field %s: byte %td of %zu is %02x, not %02x", got->spec->field[f].name, b,
              points_bytes(got, f), b < end ? got->array[f][b] : 0, b < end ? wanted->array[f][b] : 0);
    }
}
