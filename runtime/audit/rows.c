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
    const ptrdiff_t step = f->components_after > 0 ? block->apart[field] : 1;
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
    ptrdiff_t offset;    /* from the array, in bytes */
} slab;

static slab first_slab(const hxi_rows *rows)
{
    return (slab){.rows = rows, .offset = rows->at};
}

static bool next_slab(slab *s)
{
    const hxi_rows *rows = s->rows;
    s->number++;
    for (int i = 2; i < HX_MAX_AXES; ++i) {
        s->offset += rows->stride[i];
        if (++s->at[i] < rows->n[i]) {
            return true;
        }
        s->offset -= rows->stride[i] * rows->n[i];
        s->at[i] = 0;
    }
    return false;
}

/* Are the points of a row side by side? */
static bool is_run(const hxi_rows *rows)
{
    return rows->n[0] == 1 || rows->stride[0] == (ptrdiff_t)rows->bytes;
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

static hxi_strided lines_of(const hxi_rows *rows, const unsigned char *from)
{
    return (hxi_strided){from, rows->stride[1], rows->n[1], row_bytes(rows)};
}

static void pack_slab(const hxi_rows *rows, const unsigned char *from, unsigned char *to)
{
    const hxi_strided lines = lines_of(rows, from);
    if (is_run(rows)) {
        hxi_strided_copy(&lines, to, (ptrdiff_t)row_bytes(rows));
    } else {
        pack_points(rows, from, to);
    }
}

void hxi_rows_poison(const hxi_rows *rows, unsigned char *array)
{
    unsigned char pattern[HX_VALUE_BYTES];
    const int bytes = hxi_value_poison(rows->field, pattern);
    slab s = first_slab(rows);
    do {
        for (int i = 0; i < rows->n[0] * rows->n[1] && bytes > 0; ++i) {
            unsigned char *point =
                array + s.offset + i % rows->n[0] * rows->stride[0] + i / rows->n[0] * rows->stride[1];
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

static hxi_strided packed_lines(const hxi_rows *rows, const unsigned char *packed)
{
    return (hxi_strided){packed, (ptrdiff_t)row_bytes(rows), rows->n[1], row_bytes(rows)};
}

/* Of one slab. */
static uint64_t digest_slab(const slab *s, const unsigned char *array, unsigned char *room)
{
    const hxi_rows *rows = s->rows;
    hxi_strided lines = lines_of(rows, array + s->offset);
    if (!rows->plain || !is_run(rows)) {
        pack_slab(rows, array + s->offset, room);
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

bool hxi_rows_have(const hxi_rows *rows, const unsigned char *array, unsigned char *room,
                   const uint64_t *digest, hxi_turn turn)
{
    slab s = first_slab(rows);
    bool same = true;
    do {
        if (hxi_turn_has(turn, s.number)) {
            same = digest_slab(&s, array, room) == digest[s.number] && same;
        }
    } while (next_slab(&s));
    return same;
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
        const hxi_strided owned = lines_of(rows, array + s.offset);
        hxi_strided lines = packed_lines(rows, to);
        if (!direct) {
            pack_slab(rows, array + s.offset, to);
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
        pack_slab(rows, array + s.offset, to);
        if (!rows->plain) {
            make_wanted(rows, to);
        }
        to += hxi_rows_slab_bytes(rows);
    } while (next_slab(&s));
    return to;
}

bool hxi_rows_hold(const hxi_rows *rows, const unsigned char *array, const unsigned char *packed,
                   hxi_turn turn)
{
    bool hold = rows->plain && is_run(rows);
    slab s = first_slab(rows);
    do {
        const hxi_strided lines = lines_of(rows, array + s.offset);
        if (hold && hxi_turn_has(turn, s.number)) {
            const hxi_strided wanted = packed_lines(rows, packed ? packed : array);
            hold = packed ? hxi_strided_same(&lines, &wanted) : hxi_strided_zero(&lines);
        }
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
            visit(context, at, s.offset + walked[0] * rows->stride[0] + walked[1] * rows->stride[1]);
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
        const unsigned char *is = array + s->offset + at[0] * rows->stride[0] + at[1] * rows->stride[1];
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
static hxi_strided fetch(const hxi_rows *fed, const unsigned char *from, unsigned char *room)
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
        const unsigned char *from = pair->fed_array + t.offset;
        unsigned char *room = scratch->slab[difference->points > 0];
        const hxi_strided ghosts = lines_of(pair->filled, pair->filled_array + s.offset);
        const hxi_strided owned = direct ? lines_of(fed, from) : fetch(fed, from, room);
        bool same = false;
        *digest++ = runs ? hxi_digest_same(&owned, &ghosts, &same) : hxi_digest(&owned);
        if (!same) {
            fetch(fed, from, room);
            look_at_slab(&s, pair->filled_array, room, difference);
        }
    } while (next_slab(&s) && next_slab(&t));
}

bool hxi_rows_pair_is_plain(const hxi_rows_pair *pair)
{
    return pair->fed->plain && is_run(pair->fed) && is_run(pair->filled);
}

/* The next slabs, if there are more. */
static bool next_slabs(slab *s, slab *t)
{
    const bool more = next_slab(s);
    return next_slab(t) && more;
}

bool hxi_rows_same(const hxi_rows_pair pair[], int count)
{
    slab filled[HX_PAIRS];
    slab fed[HX_PAIRS];
    bool more[HX_PAIRS];
    bool same = true;
    bool any = count > 0;
    for (int i = 0; i < count; ++i) {
        filled[i] = first_slab(pair[i].filled);
        fed[i] = first_slab(pair[i].fed);
        more[i] = true;
    }
    while (any && same) {
        any = false;
        for (int i = 0; i < count; ++i) {
            if (more[i]) {
                const hxi_strided is = lines_of(pair[i].filled, pair[i].filled_array + filled[i].offset);
                const hxi_strided wanted = lines_of(pair[i].fed, pair[i].fed_array + fed[i].offset);
                same = hxi_strided_same(&is, &wanted) && same;
                more[i] = next_slabs(&filled[i], &fed[i]);
                any = any || more[i];
            }
        }
    }
    return same;
}
