#include "example.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------------------- */

static int kernel_order[EXAMPLE_FIELDS][HX_MAX_AXES];

/* Where in a densely filled buffer, and in an array, a point of a region is. */
typedef struct cursor {
    ptrdiff_t buffer;
    ptrdiff_t array;
    ptrdiff_t other;
} cursor;

/* Visits all points of a region in the memory order of a field; false when there are no more. */
static int next_point(int field, const hx_region *region, ptrdiff_t point[])
{
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        const int axis = kernel_order[field][i];
        if (++point[axis] < region->n[axis]) {
            return 1;
        }
        point[axis] = 0;
    }
    return 0;
}

static ptrdiff_t element(const hx_region *region, const ptrdiff_t point[])
{
    ptrdiff_t at = region->at;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        at += point[a] * region->stride[a];
    }
    return at;
}

static void pack(int field, size_t size, const void *array, const hx_region *from, void *buffer)
{
    unsigned char *out = buffer;
    ptrdiff_t point[HX_MAX_AXES] = {0};
    do {
        memcpy(out, (const unsigned char *)array + element(from, point) * (ptrdiff_t)size, size);
        out += size;
    } while (next_point(field, from, point));
}

static void unpack(int field, size_t size, void *array, const hx_region *to, const void *buffer)
{
    const unsigned char *in = buffer;
    ptrdiff_t point[HX_MAX_AXES] = {0};
    do {
        memcpy((unsigned char *)array + element(to, point) * (ptrdiff_t)size, in, size);
        in += size;
    } while (next_point(field, to, point));
}

static void copy(int field, size_t size, void *array, const hx_region *to, const void *source,
                 const hx_region *from)
{
    ptrdiff_t point[HX_MAX_AXES] = {0};
    do {
        memcpy((unsigned char *)array + element(to, point) * (ptrdiff_t)size,
               (const unsigned char *)source + element(from, point) * (ptrdiff_t)size, size);
    } while (next_point(field, to, point));
}

static void pack_a(const void *array, const hx_region *from, void *buffer)
{
    pack(EXAMPLE_A, sizeof(double), array, from, buffer);
}

static void unpack_a(void *array, const hx_region *to, const void *buffer)
{
    unpack(EXAMPLE_A, sizeof(double), array, to, buffer);
}

static void copy_a(void *array, const hx_region *to, const void *source, const hx_region *from)
{
    copy(EXAMPLE_A, sizeof(double), array, to, source, from);
}

/*
 * What special kernels move does not depend on the region along x: a region that does not fit is found out.
 */
static hx_region as_deep(const hx_region *region, ptrdiff_t depth)
{
    hx_region fixed = *region;
    fixed.n[0] = depth;
    return fixed;
}

static void pack_low_a(const void *array, const hx_region *from, void *buffer)
{
    const hx_region region = as_deep(from, EXAMPLE_LOW_A);
    pack_a(array, &region, buffer);
}

static void unpack_low_a(void *array, const hx_region *to, const void *buffer)
{
    const hx_region region = as_deep(to, EXAMPLE_LOW_A);
    unpack_a(array, &region, buffer);
}

static void copy_low_a(void *array, const hx_region *to, const void *source, const hx_region *from)
{
    const hx_region region = as_deep(to, EXAMPLE_LOW_A);
    copy_a(array, &region, source, from);
}

static void pack_high_a(const void *array, const hx_region *from, void *buffer)
{
    const hx_region region = as_deep(from, EXAMPLE_HIGH_A);
    pack_a(array, &region, buffer);
}

static void unpack_high_a(void *array, const hx_region *to, const void *buffer)
{
    const hx_region region = as_deep(to, EXAMPLE_HIGH_A);
    unpack_a(array, &region, buffer);
}

static void copy_high_a(void *array, const hx_region *to, const void *source, const hx_region *from)
{
    const hx_region region = as_deep(to, EXAMPLE_HIGH_A);
    copy_a(array, &region, source, from);
}

static void pack_pair_a(const void *array, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                        void *hi_buffer)
{
    pack_low_a(array, lo, lo_buffer);
    pack_high_a(array, hi, hi_buffer);
}

static void unpack_pair_a(void *array, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                          const void *hi_buffer)
{
    unpack_low_a(array, lo, lo_buffer);
    unpack_high_a(array, hi, hi_buffer);
}

static void copy_pair_a(void *array, const hx_region *to_lo, const hx_region *to_hi, const void *source,
                        const hx_region *from_lo, const hx_region *from_hi)
{
    copy_low_a(array, to_lo, source, from_lo);
    copy_high_a(array, to_hi, source, from_hi);
}

static void pack_b(const void *array, const hx_region *from, void *buffer)
{
    pack(EXAMPLE_B, sizeof(int32_t), array, from, buffer);
}

static void unpack_b(void *array, const hx_region *to, const void *buffer)
{
    unpack(EXAMPLE_B, sizeof(int32_t), array, to, buffer);
}

static void copy_b(void *array, const hx_region *to, const void *source, const hx_region *from)
{
    copy(EXAMPLE_B, sizeof(int32_t), array, to, source, from);
}

static const hx_pair pair_a = {EXAMPLE_LOW_A, EXAMPLE_HIGH_A, pack_pair_a, unpack_pair_a, copy_pair_a};
static const hx_strip strips_a[] = {{EXAMPLE_LOW_A, pack_low_a, unpack_low_a, copy_low_a},
                                    {EXAMPLE_HIGH_A, pack_high_a, unpack_high_a, copy_high_a}};
static const hx_kernels kernels_a = {
    .pack = pack_a, .unpack = unpack_a, .copy = copy_a, .strip = strips_a, .strips = 2, .pair = &pair_a};
static const hx_kernels kernels_b = {.pack = pack_b, .unpack = unpack_b, .copy = copy_b};

/* ---- tables -------------------------------------------------------------------------------------------- */

static void add_link(example *e, const signed char direction[], int axes)
{
    hx_tile_link *link = &e->link[e->positions.links++];
    memset(link, 0, sizeof *link);
    link->component = -1;
    link->sign = 1;
    memcpy(link->direction, direction, HX_MAX_AXES);
    for (int a = 0; a < axes; ++a) {
        link->map[a] = (hx_axis_map){(signed char)a, 1, (signed char)-direction[a], 0, 0};
    }
}

static void add_directions(example *e, int axes, int periodic)
{
    int count = 1;
    for (int a = 0; a < axes; ++a) {
        count *= 3;
    }
    for (int number = 0; number < count; ++number) {
        signed char direction[HX_MAX_AXES] = {0};
        int outside = 0;
        int linked = 1;
        for (int a = axes - 1, rest = number; a >= 0; --a, rest /= 3) {
            direction[a] = (signed char)(rest % 3 - 1);
            outside += direction[a] != 0;
            linked = linked && (direction[a] == 0 || (periodic >> a & 1) != 0);
        }
        if (outside == 0) {
            continue;
        }
        memcpy(e->box[e->exchange[EXAMPLE_BOTH].directions++], direction, HX_MAX_AXES);
        if (outside == 1) {
            memcpy(e->star[e->exchange[EXAMPLE_STAR].directions++], direction, HX_MAX_AXES);
        }
        if (linked) {
            add_link(e, direction, axes);
        }
    }
}

static void set_halo(hx_field *field, hx_exchange_field *item, int axes, int low, int high)
{
    for (int a = 0; a < axes; ++a) {
        field->halo_lo[a] = item->width_lo[a] = low;
        field->halo_hi[a] = item->width_hi[a] = high;
    }
}

static void make_fields(example *e, int axes)
{
    e->field[EXAMPLE_A] = (hx_field){.name = "a",
                                     .type = "double",
                                     .line = 3,
                                     .size = 8,
                                     .alignment = 8,
                                     .pointer = offsetof(example_fields, a)};
    e->field[EXAMPLE_B] = (hx_field){.name = "b",
                                     .type = "int32_t",
                                     .line = 4,
                                     .size = 4,
                                     .alignment = 4,
                                     .pointer = offsetof(example_fields, b)};
    e->item[EXAMPLE_BOTH][0] = (hx_exchange_field){.field = EXAMPLE_A, .kernels = &kernels_a};
    e->item[EXAMPLE_BOTH][1] = (hx_exchange_field){.field = EXAMPLE_B, .kernels = &kernels_b};
    set_halo(&e->field[EXAMPLE_A], &e->item[EXAMPLE_BOTH][0], axes, EXAMPLE_LOW_A, EXAMPLE_HIGH_A);
    /* None along the fastest axis, unless there is no other: rows then lie one behind the other. */
    set_halo(&e->field[EXAMPLE_B], &e->item[EXAMPLE_BOTH][1], axes > 1 ? axes - 1 : 1, EXAMPLE_HALO_B,
             EXAMPLE_HALO_B);
    e->item[EXAMPLE_STAR][0] = e->item[EXAMPLE_BOTH][0];
    for (int i = 0; i < HX_MAX_AXES; ++i) {
        kernel_order[EXAMPLE_A][i] = e->field[EXAMPLE_A].order[i] = i;
        kernel_order[EXAMPLE_B][i] = e->field[EXAMPLE_B].order[i] = i < axes ? axes - 1 - i : i;
    }
}

static void make_exchanges(example *e)
{
    e->exchange[EXAMPLE_BOTH] = (hx_exchange){.name = "both",
                                              .line = 7,
                                              .field = e->item[EXAMPLE_BOTH],
                                              .by_dimension = 1,
                                              .fields = 2,
                                              .direction = (const signed char(*)[4])e->box};
    e->exchange[EXAMPLE_STAR] = (hx_exchange){.name = "star",
                                              .line = 8,
                                              .field = e->item[EXAMPLE_STAR],
                                              .fields = 1,
                                              .direction = (const signed char(*)[4])e->star};
}

void example_make(example *e, int axes, int periodic)
{
    static const char *const names[] = {"x", "y", "z", "t"};
    memset(e, 0, sizeof *e);
    make_fields(e, axes);
    make_exchanges(e);
    e->positions = (hx_positions){.link = e->link};
    add_directions(e, axes, periodic);
    e->spec = (hx_spec){
        .abi = HX_ABI,
        .name = "example",
        .file = "example.lua",
        .hash = 0x1234567890abcdefU + (uint64_t)(axes * 16 + periodic),
        .axes = axes,
        .tiles = 1,
        .positions = &e->positions,
        .position_classes = 1,
        .field = e->field,
        .fields = EXAMPLE_FIELDS,
        .exchange = e->exchange,
        .exchanges = EXAMPLE_EXCHANGES,
        .fields_size = sizeof(example_fields),
        .shape_size = sizeof(example_shape),
        .shape_stride = offsetof(example_shape, stride),
    };
    for (int a = 0; a < axes; ++a) {
        e->spec.axis[a] = names[a];
        e->spec.periodic[a] = periodic >> a & 1;
        e->spec.decomposed[a] = 1;
    }
}

/* ---- what emitted code offers -------------------------------------------------------------------------- */

hx_partition example_partition(const example *e, const int cells[])
{
    hx_partition p = {.axes = e->spec.axes};
    for (int a = 0; a < e->spec.axes; ++a) {
        p.cells[a] = cells[a];
        p.periodic[a] = e->spec.periodic[a];
        p.face_bytes[a] = 2 * EXAMPLE_LOW_A * sizeof(double) + EXAMPLE_HALO_B * sizeof(int32_t);
    }
    return p;
}

static ptrdiff_t allocated(const example *e, const hx_part *part, int field, int axis)
{
    return part->n[axis] + e->field[field].halo_lo[axis] + e->field[field].halo_hi[axis];
}

example_shape example_shape_of(const example *e, const hx_part *part, int padding)
{
    example_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.part = *part;
    for (int f = 0; f < EXAMPLE_FIELDS; ++f) {
        ptrdiff_t step = 1;
        for (int i = 0; i < e->spec.axes; ++i) {
            const int axis = e->field[f].order[i];
            shape.stride[f * e->spec.axes + axis] = step;
            step *= allocated(e, part, f, axis) + (i == 0 ? padding : 0);
        }
    }
    return shape;
}

ptrdiff_t example_at(const example *e, const example_shape *shape, int field, const int index[])
{
    ptrdiff_t at = 0;
    for (int a = 0; a < e->spec.axes; ++a) {
        at += (index[a] + e->field[field].halo_lo[a]) * shape->stride[field * e->spec.axes + a];
    }
    return at;
}

static void *alloc_field(const example *e, const example_shape *shape, int field)
{
    int last[HX_MAX_AXES] = {0};
    for (int a = 0; a < e->spec.axes; ++a) {
        last[a] = shape->part.n[a] + e->field[field].halo_hi[a] - 1;
    }
    return calloc((size_t)example_at(e, shape, field, last) + 1, (size_t)e->field[field].size);
}

example_fields example_alloc(const example *e, const example_shape *shape)
{
    return (example_fields){alloc_field(e, shape, EXAMPLE_A), alloc_field(e, shape, EXAMPLE_B)};
}

void example_free(example_fields *fields)
{
    free(fields->a);
    free(fields->b);
    *fields = (example_fields){NULL, NULL};
}
