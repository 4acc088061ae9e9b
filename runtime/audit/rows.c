#include "audit/rows.h"

#include "audit/digest.h"
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

/* Do the bytes of an array say what is filled from there, and nothing else? */
static bool is_plain(const hxi_rows *rows)
{
    return rows->sign > 0 && rows->wire == HX_WIRE_NOT &&
           hxi_value_significant(rows->field) == hxi_value_size(rows->field);
}

/* field: of the array that is walked; filled: of the patch. */
static hxi_rows start_rows(const hx_spec *spec, const hxi_patch *patch, int field)
{
    const hx_field *f = &spec->field[field];
    hxi_rows rows = {.field = f, .number = field, .sign = 1, .shared = patch->shared};
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
    rows.wire = spec->list ? patch->wire : HX_WIRE_NOT; /* points of lists that feed others are here, too */
    rows.plain = is_plain(&rows);
    return rows;
}

hxi_rows hxi_rows_feeding(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch, int block)
{
    const hxi_origin *from = &patch->from;
    const hxi_block *owner = &mine->block[block];
    ptrdiff_t stride[HX_MAX_AXES] = {0};
    hxi_rows rows = start_rows(spec, patch, from->field);
    rows.block = block;
    rows.sign = from->sign;
    rows.wire = patch->wire;
    rows.at = locate(spec, owner, from->field, from->point, stride) * rows.field->size +
              within_point(spec, owner, from->field, patch->component);
    for (int i = 0; i < spec->axes; ++i) {
        const int a = rows.axis[i];
        rows.stride[i] = patch->turn[a] * stride[patch->axis[a]] * rows.field->size;
    }
    rows.plain = is_plain(&rows);
    return rows;
}

static size_t row_bytes(const hxi_rows *rows)
{
    return (size_t)rows->n[0] * rows->bytes;
}

int hxi_rows_slabs(const hxi_rows *rows)
{
    return rows->n[2] * rows->n[3];
}

size_t hxi_rows_slab_bytes(const hxi_rows *rows)
{
    return (size_t)rows->n[1] * row_bytes(rows);
}

/* ---- walking ------------------------------------------------------------------------------------------- */

/* A slab: the rows of the two innermost dimensions. */
typedef struct slab {
    const hxi_rows *rows;
    int number;
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
    s->number++;
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

static void pack_slab(const hxi_rows *rows, const unsigned char *from, unsigned char *to)
{
    (is_run(rows) ? pack_runs : pack_points)(rows, from, to);
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

/* ---- digests ------------------------------------------------------------------------------------------- */

/* What a packed slab is to fill: signs, or zeros, and zeros in bytes without a value. */
static void make_wanted(const hxi_rows *rows, unsigned char *packed)
{
    const size_t size = (size_t)hxi_value_size(rows->field);
    const size_t significant = (size_t)hxi_value_significant(rows->field);
    const size_t values = hxi_rows_slab_bytes(rows) / size;
    if (rows->sign == 0) {
        memset(packed, 0, hxi_rows_slab_bytes(rows));
    }
    /* A value travels before its sign turns: the opposite of an integer may not fit. */
    if (rows->wire != HX_WIRE_NOT) {
        hxi_value_round(rows->field, rows->wire, packed, values);
    }
    if (rows->sign < 0) {
        hxi_value_negate(rows->field, packed, values);
    }
    for (size_t i = 0; i < values && significant < size; ++i) {
        memset(packed + i * size + significant, 0, size - significant);
    }
}

static hxi_lines lines_of(const hxi_rows *rows, const unsigned char *from)
{
    return (hxi_lines){from, rows->stride[1], rows->n[1], row_bytes(rows)};
}

static hxi_lines packed_lines(const hxi_rows *rows, const unsigned char *packed)
{
    return (hxi_lines){packed, (ptrdiff_t)row_bytes(rows), rows->n[1], row_bytes(rows)};
}

/* Of one slab. */
static uint64_t digest_slab(const slab *s, const unsigned char *array, unsigned char *room)
{
    const hxi_rows *rows = s->rows;
    hxi_lines lines = lines_of(rows, array + s->place);
    if (!rows->plain || !is_run(rows)) {
        pack_slab(rows, array + s->place, room);
        make_wanted(rows, room);
        lines = packed_lines(rows, room);
    }
    return hxi_digest(&lines);
}

void hxi_rows_digest(const hxi_rows *rows, const unsigned char *array, unsigned char *room, uint64_t *digest)
{
    slab s = first_slab(rows);
    do {
        *digest++ = digest_slab(&s, array, room);
    } while (next_slab(&s));
}

uint64_t hxi_rows_digest_one(const hxi_rows *rows, const unsigned char *array, int number,
                             unsigned char *room)
{
    slab s = first_slab(rows);
    for (int i = 0; i < number; ++i) {
        next_slab(&s);
    }
    return digest_slab(&s, array, room);
}

void hxi_rows_pack(const hxi_rows *rows, const unsigned char *array, const hxi_packed *packed)
{
    const bool direct = rows->plain && is_run(rows);
    unsigned char *to = packed->to;
    uint64_t *digest = packed->digest;
    slab s = first_slab(rows);
    do {
        const hxi_lines owned = lines_of(rows, array + s.place);
        hxi_lines lines = packed_lines(rows, to);
        if (!direct) {
            pack_slab(rows, array + s.place, to);
        }
        if (!rows->plain) {
            memcpy(packed->room, to, hxi_rows_slab_bytes(rows));
            make_wanted(rows, packed->room);
            lines.at = packed->room;
        }
        *digest++ = direct ? hxi_digest_copy(&owned, to) : hxi_digest(&lines);
        to += hxi_rows_slab_bytes(rows);
    } while (next_slab(&s));
}

unsigned char *hxi_rows_append(const hxi_rows *rows, const unsigned char *array, unsigned char *to)
{
    slab s = first_slab(rows);
    do {
        pack_slab(rows, array + s.place, to);
        if (!rows->plain) {
            make_wanted(rows, to);
        }
        to += hxi_rows_slab_bytes(rows);
    } while (next_slab(&s));
    return to;
}

/* Do rows differ from what is packed, or from zeros?  All of them are whole words. */
static inline bool words_differ(const hxi_lines *lines, size_t bytes, const unsigned char *packed)
{
    uint64_t difference = 0;
    for (int j = 0; j < lines->count; ++j) {
        const unsigned char *row = lines->at + j * lines->stride;
        for (size_t i = 0; i < bytes; i += sizeof difference) {
            uint64_t is;
            uint64_t wanted = 0;
            memcpy(&is, row + i, sizeof is);
            if (packed) {
                memcpy(&wanted, packed + (size_t)j * bytes + i, sizeof wanted);
            }
            difference |= is ^ wanted;
        }
    }
    return difference != 0;
}

/* With the size of three layers as a literal. */
static bool lines_differ(const hxi_lines *lines, const unsigned char *packed)
{
    enum { THREE = 3 * sizeof(double) };
    return lines->bytes == THREE && packed ? words_differ(lines, THREE, packed)
           : lines->bytes == THREE         ? words_differ(lines, THREE, NULL)
           : packed                        ? words_differ(lines, lines->bytes, packed)
                                           : words_differ(lines, lines->bytes, NULL);
}

bool hxi_rows_hold(const hxi_rows *rows, const unsigned char *array, const unsigned char *packed)
{
    bool hold = rows->plain && is_run(rows) && row_bytes(rows) % sizeof(uint64_t) == 0;
    slab s = first_slab(rows);
    do {
        const hxi_lines lines = lines_of(rows, array + s.place);
        hold = hold && !lines_differ(&lines, packed);
        packed = packed ? packed + hxi_rows_slab_bytes(rows) : NULL;
    } while (hold && next_slab(&s));
    return hold;
}

void hxi_rows_each(const hxi_rows *rows, hxi_rows_visit *visit, void *context)
{
    slab s = first_slab(rows);
    do {
        for (int i = 0; i < rows->n[0] * rows->n[1]; ++i) {
            const int walked[HX_MAX_AXES] = {i % rows->n[0], i / rows->n[0], s.at[2], s.at[3]};
            int at[HX_MAX_AXES];
            for (int d = 0; d < HX_MAX_AXES; ++d) {
                at[rows->axis[d]] = walked[d];
            }
            visit(context, at, s.place + walked[0] * rows->stride[0] + walked[1] * rows->stride[1]);
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
        if (memcmp(is + i * size, wanted + i * size, (size_t)significant) != 0 &&
            !(rows->shared && hxi_value_same(rows->field, is + i * size, wanted + i * size))) {
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
        difference->slab = s->number;
        difference->component = (int)rows->bytes > size ? number : -1;
        difference->is = is + number * size;
        difference->wanted = be + number * size;
    }
}

void hxi_rows_compare(const hxi_rows *rows, const unsigned char *array, const unsigned char *wanted,
                      hxi_difference *difference)
{
    slab s = first_slab(rows);
    do {
        look_at_slab(&s, array, wanted, difference);
        wanted += hxi_rows_slab_bytes(rows);
    } while (next_slab(&s));
}

/* What feeds a slab of a pair goes to room. */
static hxi_lines fetch(const hxi_rows *fed, const unsigned char *from, unsigned char *room)
{
    pack_slab(fed, from, room);
    make_wanted(fed, room);
    return packed_lines(fed, room);
}

void hxi_rows_compare_pair(const hxi_rows_pair *pair, const hxi_scratch *scratch, uint64_t *digest,
                           hxi_difference *difference)
{
    const hxi_rows *fed = pair->fed;
    const bool direct = fed->plain && is_run(fed);
    const bool runs = is_run(pair->filled);
    slab s = first_slab(pair->filled);
    slab t = first_slab(fed);
    do {
        const unsigned char *from = pair->fed_array + t.place;
        unsigned char *room = scratch->slab[difference->points > 0];
        const hxi_lines ghosts = lines_of(pair->filled, pair->filled_array + s.place);
        const hxi_lines owned = direct ? lines_of(fed, from) : fetch(fed, from, room);
        bool same = false;
        *digest++ = runs ? hxi_digest_same(&owned, &ghosts, &same) : hxi_digest(&owned);
        if (!same) {
            fetch(fed, from, room);
            look_at_slab(&s, pair->filled_array, room, difference);
        }
    } while (next_slab(&s) && next_slab(&t));
}
