#include "audit/rows.h"

#include "audit/value.h"

#include <string.h>

/* ---- where they lie ------------------------------------------------------------------------------------ */

/* Where a point lies, in points from the array's pointer, and strides from there: own arithmetic, but for
 * ghost points behind the owned ones. */
static ptrdiff_t locate(const hx_spec *spec, const hxi_block *block, int field, const int point[],
                        ptrdiff_t stride[])
{
    const hx_field *f = &spec->field[field];
    if (f->behind) {
        static const int one[HX_MAX_AXES] = {1, 1, 1, 1};
        const hxi_subbox box = {.first = point, .n = one};
        const hx_region region = hxi_block_region(spec, block, field, 0, &box);
        memcpy(stride, region.stride, sizeof region.stride);
        return region.at;
    }
    ptrdiff_t at = 0;
    for (int a = 0; a < spec->axes; ++a) {
        stride[a] = block->stride[field * HX_MAX_AXES + a];
        at += (point[a] + f->halo_lo[a]) * stride[a];
    }
    return at;
}

/* Bytes from a point to one of its components. */
static ptrdiff_t within_point(const hx_spec *spec, const hxi_block *block, int field, int component)
{
    const hx_field *f = &spec->field[field];
    const ptrdiff_t step = f->place > 0 ? block->apart[field] : 1;
    return component > 0 ? component * step * hxi_value_size(f) : 0;
}

/* The axis that dimension number i of a patch is: as the filled field lies in memory, but points of lists in
 * the order of the list. */
static int axis_of(const hx_spec *spec, const hx_field *filled, int i)
{
    return spec->list ? spec->axes - 1 - i : filled->order[i];
}

/* field: of the array that is walked; filled: of the patch. */
static hxi_rows start_rows(const hx_spec *spec, const hxi_patch *patch, int field)
{
    const hx_field *f = &spec->field[field];
    hxi_rows rows = {.field = f, .number = field};
    rows.bytes = (size_t)(patch->component < 0 ? f->size : hxi_value_size(f));
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        const int a = i < spec->axes ? axis_of(spec, &spec->field[patch->field], i) : i;
        rows.axis[i] = a;
        rows.n[i] = patch->n[a];
    }
    return rows;
}

hxi_rows hxi_rows_filled(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch)
{
    const hxi_block *block = &mine->block[patch->block];
    ptrdiff_t stride[HX_MAX_AXES] = {0};
    hxi_rows rows = start_rows(spec, patch, patch->field);
    rows.block = patch->block;
    rows.at = locate(spec, block, patch->field, patch->lo, stride) * rows.field->size +
              within_point(spec, block, patch->field, patch->component);
    for (int i = 0; i < spec->axes; ++i) {
        rows.stride[i] = stride[rows.axis[i]] * rows.field->size;
    }
    return rows;
}

hxi_rows hxi_rows_feeding(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch, int block)
{
    const hxi_origin *from = &patch->from;
    const hxi_block *owner = &mine->block[block];
    ptrdiff_t stride[HX_MAX_AXES] = {0};
    hxi_rows rows = start_rows(spec, patch, from->field);
    rows.block = block;
    rows.at = locate(spec, owner, from->field, from->point, stride) * rows.field->size +
              within_point(spec, owner, from->field, patch->component);
    for (int i = 0; i < spec->axes; ++i) {
        const int a = rows.axis[i];
        rows.stride[i] = patch->turn[a] * stride[patch->axis[a]] * rows.field->size;
    }
    return rows;
}

size_t hxi_rows_bytes(const hxi_rows *rows)
{
    size_t bytes = rows->bytes;
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        bytes *= (size_t)rows->n[i];
    }
    return bytes;
}

/* ---- walking ------------------------------------------------------------------------------------------- */

/* A slab: the rows of the two innermost dimensions. */
typedef struct slab {
    const hxi_rows *rows;
    int at[HX_MAX_AXES]; /* of the dimensions outside */
    ptrdiff_t place;     /* bytes */
} slab;

static slab first_slab(const hxi_rows *rows)
{
    return (slab){.rows = rows, .place = rows->at};
}

static bool next_slab(slab *s)
{
    const hxi_rows *rows = s->rows;
    for (int i = 2; i < HX_MAX_AXES; ++i) {
        s->place += rows->stride[i];
        if (++s->at[i] < rows->n[i]) {
            return true;
        }
        s->place -= rows->stride[i] * rows->n[i];
        s->at[i] = 0;
    }
    return false;
}

static size_t row_bytes(const hxi_rows *rows)
{
    return (size_t)rows->n[0] * rows->bytes;
}

/* Are the points of a row side by side? */
static bool is_run(const hxi_rows *rows)
{
    return rows->n[0] == 1 || rows->stride[0] == (ptrdiff_t)rows->bytes;
}

/* Rows of halos are short: with the size as a literal the compiler makes moves of them. */
#define EACH_ROW(size)                                                                                       \
    for (int j = 0; j < rows->n[1]; ++j) {                                                                   \
        memcpy(to + (size_t)j * (size), from + j * rows->stride[1], (size));                                 \
    }

static void pack_runs(const hxi_rows *rows, const unsigned char *restrict from, unsigned char *restrict to)
{
    switch (row_bytes(rows)) {
    case 4:
        EACH_ROW(4)
        break;
    case 8:
        EACH_ROW(8)
        break;
    case 16:
        EACH_ROW(16)
        break;
    case 24:
        EACH_ROW(24)
        break;
    case 32:
        EACH_ROW(32)
        break;
    default:
        EACH_ROW(row_bytes(rows))
        break;
    }
}

/* Points that lie apart. */
static void pack_points(const hxi_rows *rows, const unsigned char *from, unsigned char *to)
{
    for (int j = 0; j < rows->n[1]; ++j) {
        const unsigned char *row = from + j * rows->stride[1];
        for (int i = 0; i < rows->n[0]; ++i) {
            memcpy(to, row + i * rows->stride[0], rows->bytes);
            to += rows->bytes;
        }
    }
}

unsigned char *hxi_rows_pack(const hxi_rows *rows, const unsigned char *array, unsigned char *to)
{
    slab s = first_slab(rows);
    do {
        (is_run(rows) ? pack_runs : pack_points)(rows, array + s.place, to);
        to += (size_t)rows->n[1] * row_bytes(rows);
    } while (next_slab(&s));
    return to;
}

void hxi_rows_poison(const hxi_rows *rows, unsigned char *array)
{
    unsigned char pattern[HX_VALUE_BYTES];
    const int bytes = hxi_value_poison(rows->field, pattern);
    slab s = first_slab(rows);
    do {
        for (int i = 0; i < rows->n[0] * rows->n[1] && bytes > 0; ++i) {
            unsigned char *point =
                array + s.place + i % rows->n[0] * rows->stride[0] + i / rows->n[0] * rows->stride[1];
            for (size_t byte = 0; byte < rows->bytes; ++byte) {
                point[byte] = pattern[byte % (size_t)bytes];
            }
        }
    } while (next_slab(&s));
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

/* The first number of a point that differs; -1: none does. */
static int differs(const hxi_rows *rows, const unsigned char *is, const unsigned char *wanted)
{
    const int size = hxi_value_size(rows->field);
    const int significant = hxi_value_significant(rows->field);
    for (int i = 0; i * size < (int)rows->bytes; ++i) {
        if (memcmp(is + i * size, wanted + i * size, (size_t)significant) != 0) {
            return i;
        }
    }
    return -1;
}

/* Looks at each point of a slab in which something differs, maybe only bytes without a value. */
static void look_at_slab(const slab *s, const unsigned char *array, const unsigned char *wanted,
                         hxi_difference *difference)
{
    const hxi_rows *rows = s->rows;
    const int size = hxi_value_size(rows->field);
    for (int i = 0; i < rows->n[0] * rows->n[1]; ++i) {
        const int at[HX_MAX_AXES] = {i % rows->n[0], i / rows->n[0], s->at[2], s->at[3]};
        const unsigned char *is = array + s->place + at[0] * rows->stride[0] + at[1] * rows->stride[1];
        const unsigned char *be = wanted + (size_t)i * rows->bytes;
        const int number = differs(rows, is, be);
        if (number < 0 || difference->points++ > 0) {
            continue;
        }
        for (int d = 0; d < HX_MAX_AXES; ++d) {
            difference->at[rows->axis[d]] = at[d];
        }
        difference->component = (int)rows->bytes > size ? number : -1;
        difference->is = is + number * size;
        difference->wanted = be + number * size;
    }
}

/* 0: so many words of two places are equal. */
static uint64_t compare_words(const unsigned char *a, const unsigned char *b, int words)
{
    uint64_t difference = 0;
    for (int i = 0; i < words; ++i) {
        uint64_t x;
        uint64_t y;
        memcpy(&x, a + 8 * i, sizeof x);
        memcpy(&y, b + 8 * i, sizeof y);
        difference |= x ^ y;
    }
    return difference;
}

#define COMPARE_ROWS(words)                                                                                  \
    for (int j = 0; j < rows->n[1]; ++j) {                                                                   \
        difference |= compare_words(from + j * rows->stride[1], wanted + (size_t)j * 8 * (words), (words));  \
    }

static bool are_runs_same(const hxi_rows *rows, const unsigned char *from, const unsigned char *wanted)
{
    uint64_t difference = 0;
    switch (row_bytes(rows)) {
    case 8:
        COMPARE_ROWS(1)
        break;
    case 16:
        COMPARE_ROWS(2)
        break;
    case 24:
        COMPARE_ROWS(3)
        break;
    case 32:
        COMPARE_ROWS(4)
        break;
    default:
        for (int j = 0; j < rows->n[1] && difference == 0; ++j) {
            const size_t bytes = row_bytes(rows);
            difference = memcmp(from + j * rows->stride[1], wanted + (size_t)j * bytes, bytes) != 0;
        }
        break;
    }
    return difference == 0;
}

static bool are_points_same(const hxi_rows *rows, const unsigned char *from, const unsigned char *wanted)
{
    bool same = true;
    for (int j = 0; j < rows->n[1] && same; ++j) {
        const unsigned char *row = from + j * rows->stride[1];
        for (int i = 0; i < rows->n[0] && same; ++i) {
            same = memcmp(row + i * rows->stride[0], wanted, rows->bytes) == 0;
            wanted += rows->bytes;
        }
    }
    return same;
}

void hxi_rows_compare(const hxi_rows *rows, const unsigned char *array, const unsigned char *wanted,
                      hxi_difference *difference)
{
    slab s = first_slab(rows);
    *difference = (hxi_difference){.component = -1};
    do {
        if (!(is_run(rows) ? are_runs_same : are_points_same)(rows, array + s.place, wanted)) {
            look_at_slab(&s, array, wanted, difference);
        }
        wanted += (size_t)rows->n[1] * row_bytes(rows);
    } while (next_slab(&s));
}
