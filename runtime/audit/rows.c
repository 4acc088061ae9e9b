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

/* From row to row. */
typedef struct walk {
    int at[HX_MAX_AXES];
    ptrdiff_t place; /* bytes */
} walk;

static bool next_row(const hxi_rows *rows, walk *w)
{
    for (int i = 1; i < HX_MAX_AXES; ++i) {
        w->place += rows->stride[i];
        if (++w->at[i] < rows->n[i]) {
            return true;
        }
        w->place -= rows->stride[i] * rows->n[i];
        w->at[i] = 0;
    }
    return false;
}

/* Are the points of a row side by side? */
static bool is_run(const hxi_rows *rows)
{
    return rows->n[0] == 1 || rows->stride[0] == (ptrdiff_t)rows->bytes;
}

static void pack_row(const hxi_rows *rows, const unsigned char *from, unsigned char *to)
{
    const int n = rows->n[0];
    const ptrdiff_t stride = rows->stride[0];
    if (is_run(rows)) {
        memcpy(to, from, (size_t)n * rows->bytes);
    } else if (rows->bytes == 8) {
        for (int i = 0; i < n; ++i) {
            memcpy(to + 8 * i, from + i * stride, 8);
        }
    } else {
        for (int i = 0; i < n; ++i) {
            memcpy(to + (size_t)i * rows->bytes, from + i * stride, rows->bytes);
        }
    }
}

unsigned char *hxi_rows_pack(const hxi_rows *rows, const unsigned char *array, unsigned char *to)
{
    const size_t step = (size_t)rows->n[0] * rows->bytes;
    walk w = {.place = rows->at};
    do {
        pack_row(rows, array + w.place, to);
        to += step;
    } while (next_row(rows, &w));
    return to;
}

void hxi_rows_poison(const hxi_rows *rows, unsigned char *array)
{
    unsigned char pattern[HX_VALUE_BYTES];
    const int bytes = hxi_value_poison(rows->field, pattern);
    walk w = {.place = rows->at};
    do {
        for (int i = 0; i < rows->n[0] && bytes > 0; ++i) {
            unsigned char *point = array + w.place + i * rows->stride[0];
            for (size_t byte = 0; byte < rows->bytes; ++byte) {
                point[byte] = pattern[byte % (size_t)bytes];
            }
        }
    } while (next_row(rows, &w));
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

static void look_at_row(const hxi_rows *rows, const walk *w, const unsigned char *row,
                        const unsigned char *wanted, hxi_difference *difference)
{
    for (int i = 0; i < rows->n[0]; ++i) {
        const unsigned char *is = row + i * rows->stride[0];
        const unsigned char *be = wanted + (size_t)i * rows->bytes;
        const int number = differs(rows, is, be);
        if (number >= 0 && difference->points++ == 0) {
            const int size = hxi_value_size(rows->field);
            for (int d = 0; d < HX_MAX_AXES; ++d) {
                difference->at[rows->axis[d]] = d == 0 ? i : w->at[d];
            }
            difference->component = (int)rows->bytes > size ? number : -1;
            difference->is = is + number * size;
            difference->wanted = be + number * size;
        }
    }
}

/* Are the bytes of a row those wanted?  No may also mean that bytes without a value differ. */
static bool is_same(const hxi_rows *rows, const unsigned char *row, const unsigned char *wanted)
{
    const int n = rows->n[0];
    if (is_run(rows)) {
        return memcmp(row, wanted, (size_t)n * rows->bytes) == 0;
    }
    bool same = true;
    for (int i = 0; i < n && same; ++i) {
        same = memcmp(row + i * rows->stride[0], wanted + (size_t)i * rows->bytes, rows->bytes) == 0;
    }
    return same;
}

void hxi_rows_compare(const hxi_rows *rows, const unsigned char *array, const unsigned char *wanted,
                      hxi_difference *difference)
{
    const size_t step = (size_t)rows->n[0] * rows->bytes;
    walk w = {.place = rows->at};
    *difference = (hxi_difference){.component = -1};
    do {
        if (!is_same(rows, array + w.place, wanted)) {
            look_at_row(rows, &w, array + w.place, wanted, difference);
        }
        wanted += step;
    } while (next_row(rows, &w));
}
