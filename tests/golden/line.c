/*
 * line: loops and tables of the halo exchanges of line.lua.  See line.h.
 *
 * Emitted by halogen 0.1.0 from line.lua, model 719f80df3c395d3b.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "line.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char line_model_719f80df3c395d3b_23 = 0; /* see line.h */

/* ---- long_double: whole rows along x ---- */

static void pack_long_double(const void *field, const hx_region *from, void *buffer)
{
    const long double *points = (const long double *)field + from->at;
    long double *out = buffer;
    const size_t row = (size_t)from->n[0];
    memcpy(out, points, row * sizeof *out);
}

static void unpack_long_double(void *field, const hx_region *to, const void *buffer)
{
    long double *points = (long double *)field + to->at;
    const long double *in = buffer;
    const size_t row = (size_t)to->n[0];
    memcpy(points, in, row * sizeof *in);
}

static void copy_long_double(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    long double *out = (long double *)to_field + to->at;
    const long double *in = (const long double *)from_field + from->at;
    const size_t row = (size_t)to->n[0];
    memcpy(out, in, row * sizeof *out);
}

/* ---- long_double: rows of 6 along x ---- */

static void pack_long_double_6(const void *field, const hx_region *from, void *buffer)
{
    const long double *points = (const long double *)field + from->at;
    long double *out = buffer;
    memcpy(out, points, 6 * sizeof *out);
}

static void unpack_long_double_6(void *field, const hx_region *to, const void *buffer)
{
    long double *points = (long double *)field + to->at;
    const long double *in = buffer;
    memcpy(points, in, 6 * sizeof *points);
}

static void copy_long_double_6(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    long double *out = (long double *)to_field + to->at;
    const long double *in = (const long double *)from_field + from->at;
    memcpy(out, in, 6 * sizeof *out);
}

/* ---- long_double: any strides at both ends, with a sign ---- */

static inline void turn_long_double(long double *out, const long double *in, int sign)
{
    const long double value = *in;
    *out = sign < 0 ? -value : value;
}

static void copy_turned_long_double(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                    int sign)
{
    long double *to_points = (long double *)to_field + to->at;
    const long double *from_points = (const long double *)from_field + from->at;
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    long double *out = to_points;
    const long double *in = from_points;
    for (ptrdiff_t i = 0; i < n_i; ++i) {
        turn_long_double(out + i * to_i, in + i * from_i, sign);
    }
}

/* ---- unsigned_char: whole rows along x ---- */

static void pack_unsigned_char(const void *field, const hx_region *from, void *buffer)
{
    const unsigned char *points = (const unsigned char *)field + from->at;
    unsigned char *out = buffer;
    const size_t row = (size_t)from->n[0];
    memcpy(out, points, row * sizeof *out);
}

static void unpack_unsigned_char(void *field, const hx_region *to, const void *buffer)
{
    unsigned char *points = (unsigned char *)field + to->at;
    const unsigned char *in = buffer;
    const size_t row = (size_t)to->n[0];
    memcpy(points, in, row * sizeof *in);
}

static void copy_unsigned_char(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    unsigned char *out = (unsigned char *)to_field + to->at;
    const unsigned char *in = (const unsigned char *)from_field + from->at;
    const size_t row = (size_t)to->n[0];
    memcpy(out, in, row * sizeof *out);
}

/* ---- unsigned_char: rows of 1 along x ---- */

static void pack_unsigned_char_1(const void *field, const hx_region *from, void *buffer)
{
    const unsigned char *points = (const unsigned char *)field + from->at;
    unsigned char *out = buffer;
    *out = *points;
}

static void unpack_unsigned_char_1(void *field, const hx_region *to, const void *buffer)
{
    unsigned char *points = (unsigned char *)field + to->at;
    const unsigned char *in = buffer;
    *points = *in;
}

static void copy_unsigned_char_1(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    unsigned char *out = (unsigned char *)to_field + to->at;
    const unsigned char *in = (const unsigned char *)from_field + from->at;
    *out = *in;
}

/* ---- unsigned_char: both halos across x, 1 below and 1 above, together ---- */

static void pack_pair_unsigned_char_1_1(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                                        void *hi_buffer)
{
    const unsigned char *lo_points = (const unsigned char *)field + lo->at;
    const unsigned char *hi_points = (const unsigned char *)field + hi->at;
    unsigned char *lo_out = lo_buffer;
    unsigned char *hi_out = hi_buffer;
    *lo_out = *lo_points;
    *hi_out = *hi_points;
}

static void unpack_pair_unsigned_char_1_1(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                          const void *hi_buffer)
{
    unsigned char *lo_points = (unsigned char *)field + lo->at;
    unsigned char *hi_points = (unsigned char *)field + hi->at;
    const unsigned char *lo_in = lo_buffer;
    const unsigned char *hi_in = hi_buffer;
    *lo_points = *lo_in;
    *hi_points = *hi_in;
}

static void copy_pair_unsigned_char_1_1(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                                        const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    unsigned char *lo_out = (unsigned char *)to_field + to_lo->at;
    unsigned char *hi_out = (unsigned char *)to_field + to_hi->at;
    const unsigned char *lo_in = (const unsigned char *)from_field + from_lo->at;
    const unsigned char *hi_in = (const unsigned char *)from_field + from_hi->at;
    *lo_out = *lo_in;
    *hi_out = *hi_in;
}

/* ---- unsigned_char: any strides at both ends, with a sign ---- */

static inline void turn_unsigned_char(unsigned char *out, const unsigned char *in, int sign)
{
    const unsigned char value = *in;
    *out = sign < 0 ? (unsigned char)(0u - (uintmax_t)value) : value;
}

static void copy_turned_unsigned_char(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                      int sign)
{
    unsigned char *to_points = (unsigned char *)to_field + to->at;
    const unsigned char *from_points = (const unsigned char *)from_field + from->at;
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    unsigned char *out = to_points;
    const unsigned char *in = from_points;
    for (ptrdiff_t i = 0; i < n_i; ++i) {
        turn_unsigned_char(out + i * to_i, in + i * from_i, sign);
    }
}

/* ---- kernels by the depths of the halos below and above along the fastest axis ---- */

static const hx_strip strips_long_double_6_0[] = {
    {6, pack_long_double_6, unpack_long_double_6, copy_long_double_6},
    {.points = HX_END},
};
static const hx_kernels kernels_long_double_6_0 = {
    .pack = pack_long_double,
    .unpack = unpack_long_double,
    .copy = copy_long_double,
    .strip = strips_long_double_6_0,
    .strips = HX_ROWS(strips_long_double_6_0),
};

static const hx_kernels kernels_long_double_any = {
    .pack = pack_long_double,
    .unpack = unpack_long_double,
    .copy = copy_long_double,
    .copy_turned = copy_turned_long_double,
};

static const hx_pair pair_unsigned_char_1_1 = {1, 1, pack_pair_unsigned_char_1_1, unpack_pair_unsigned_char_1_1, copy_pair_unsigned_char_1_1};

static const hx_strip strips_unsigned_char_1_1[] = {
    {1, pack_unsigned_char_1, unpack_unsigned_char_1, copy_unsigned_char_1},
    {.points = HX_END},
};
static const hx_kernels kernels_unsigned_char_1_1 = {
    .pack = pack_unsigned_char,
    .unpack = unpack_unsigned_char,
    .copy = copy_unsigned_char,
    .strip = strips_unsigned_char_1_1,
    .strips = HX_ROWS(strips_unsigned_char_1_1),
    .pair = &pair_unsigned_char_1_1,
};

static const hx_kernels kernels_unsigned_char_any = {
    .pack = pack_unsigned_char,
    .unpack = unpack_unsigned_char,
    .copy = copy_unsigned_char,
    .copy_turned = copy_turned_unsigned_char,
};

/* ---- where the points beyond the sides of a tile come from ---- */

/*
 * The tables from here to line_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
 * create compares their numbers with the sums beside them.
 */

/*
 * One row per link: destination tile, source tile, direction; for each axis of the source the axis, its sign, the cells
 * of destination and source, and the offset; then the component of the vector (-1: none) and the sign.
 */
static const hx_tile_link links_1[] = {
    {0, 0, {-1}, {{0, 1, 0, 1, 0}}, -1, 1}, /* x below */
    {0, 0, {1}, {{0, 1, -1, 0, 0}}, -1, 1}, /* x above */
    {.tile = HX_END},
};

static const hx_positions position_table[] = {
    {{0}, links_1, HX_ROWS(links_1), {-1}, NULL, 0, UINT64_C(0xaf7c7add2b6e4677)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "q",
        .type = "long double",
        .line = 3,
        .size = sizeof(long double),
        .alignment = _Alignof(long double),
        .positions = 0,
        .order = {0},
        .halo_lo = {6},
        .halo_hi = {0},
        .pointer = offsetof(line_fields, q),
        .sum = UINT64_C(0xe16edeb944ea805f),
    },
    {
        .name = "mark",
        .type = "unsigned char",
        .line = 4,
        .size = sizeof(unsigned char),
        .alignment = _Alignof(unsigned char),
        .positions = 0,
        .order = {0},
        .halo_lo = {1},
        .halo_hi = {1},
        .pointer = offsetof(line_fields, mark),
        .sum = UINT64_C(0x7df5d54979a66ba1),
    },
    {.line = HX_END},
};

/* What moves any box of a field, for redistribution. */
static const hx_kernels *const kernels_of_any_box[] = {
    &kernels_long_double_any,
    &kernels_unsigned_char_any,
};

/* ---- exchanges: fields in the order in which they lie in a message, with the layers below and above ---- */

static const signed char directions_1[][HX_MAX_AXES] = {
    {-1},
    {1},
    {HX_END},
};

static const hx_exchange_field fields_of_all[] = {
    {LINE_Q, {6}, {0}, &kernels_long_double_6_0, NULL, HX_WIRE_NOT},
    {LINE_MARK, {1}, {1}, &kernels_unsigned_char_1_1, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "all",
        .line = 6,
        .field = fields_of_all,
        .fields = HX_ROWS(fields_of_all),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .by_dimension = 1,
        .sum = UINT64_C(0x32f2bcd248712bbf),
    },
    {.line = HX_END},
};

HX_STATIC_ASSERT(HX_ROWS(field_table) == LINE_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_COUNT(kernels_of_any_box) == LINE_FIELDS, "a field has no kernels for redistribution, or twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == LINE_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec line_spec = {
    .abi = HX_ABI,
    .name = "line",
    .file = "line.lua",
    .hash = UINT64_C(0x719f80df3c395d3b),
    .axes = 1,
    .axis = {"x"},
    .periodic = {1},
    .decomposed = {1},
    .cells = {0},
    .tiles = 1,
    .positions = position_table,
    .position_classes = HX_ROWS(position_table),
    .field = field_table,
    .fields = HX_ROWS(field_table),
    .exchange = exchange_table,
    .exchanges = HX_ROWS(exchange_table),
    .fields_size = sizeof(line_fields),
    .shape_size = sizeof(line_shape),
    .shape_stride = offsetof(line_shape, stride),
    .face_bytes = {98.0},
    .sum = UINT64_C(0x089bcb08ce19aaab),
    .any = kernels_of_any_box,
};

/* ---- what line.h declares ---- */

line_shape line_shape_dense(const hx_part *part)
{
    line_shape shape = {.part = *part};
    hx_dense_strides(&line_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

line_shape line_shape_best(const hx_part *part)
{
    line_shape shape = {.part = *part};
    hx_best_strides(&line_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status line_shape_of(const hx_part *part, const hx_strided_array *arrays, line_shape *shape)
{
    return hx_shape_of_arrays(&line_spec, part, arrays, shape);
}

size_t line_points(const line_shape *shape, int field)
{
    return hx_points(&line_spec, shape, field);
}

hx_boxes line_owned_points(const line_shape *shape, int field)
{
    return hx_owned_points(&line_spec, shape, field);
}

hx_boxes line_all_interior(const line_shape *shape, int field)
{
    return hx_interior(&line_spec, shape, LINE_ALL, field);
}

hx_boxes line_all_rim(const line_shape *shape, int field)
{
    return hx_rim(&line_spec, shape, LINE_ALL, field);
}

hx_status line_create_for(const char *model, MPI_Comm comm, const line_shape *shape, const hx_options *options,
                          line **h)
{
    const hx_blocks blocks = {
        .comm = comm, .tiles = 1, .partition = shape ? &shape->part.partition : NULL, .count = 1};
    return line_create_blocks_for(model, &blocks, shape, options, h);
}

hx_status line_create_blocks_for(const char *model, const hx_blocks *blocks, const line_shape *shapes,
                                 const hx_options *options, line **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_for(model, &line_spec, blocks, shapes, options, h ? &handle : NULL);
    if (h) {
        *h = (line *)handle;
    }
    return status;
}

hx_status line_create_like(line *like, const hx_blocks *blocks, const line_shape *shapes, line **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_like((hx_handle *)like, blocks, shapes, h ? &handle : NULL);
    if (h) {
        *h = (line *)handle;
    }
    return status;
}

hx_status line_create_wide(line *narrow, MPI_Comm comm, const hx_options *options, line **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_wide(&line_spec, (hx_handle *)narrow, comm, options, h ? &handle : NULL);
    if (h) {
        *h = (line *)handle;
    }
    return status;
}

hx_status line_rebalance(line *h, const double work[], int owners[], int *moved)
{
    return hx_rebalance((hx_handle *)h, work, owners, moved);
}

hx_status line_destroy(line *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status line_alloc(line *h, line_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status line_free(line *h, line_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status line_register(line *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status line_unregister(line *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *line_handle(line *h)
{
    return (hx_handle *)h;
}

const char *line_describe(line *h)
{
    return hx_describe((hx_handle *)h);
}

const char *line_describe_json(line *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status line_traffic(const line *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status line_audit(line *h, int exchange, const line_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status line_redistribute(line *from, const line_fields *source, line *to, const line_fields *target)
{
    return hx_redistribute((hx_handle *)from, source, (hx_handle *)to, target);
}

hx_status line_redistribute_with(line *from, const line_fields *source, line *to, const line_fields *target,
                                 const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status line_gather(line *h, const line_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_gather((hx_handle *)h, f, field, root, whole);
}

hx_status line_scatter(line *h, const line_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_scatter((hx_handle *)h, f, field, root, whole);
}

hx_status line_gather_selected(line *h, const line_fields *f, const hx_selection *wanted, int count)
{
    return hx_gather_selected((hx_handle *)h, f, wanted, count);
}

hx_status line_scatter_selected(line *h, const line_fields *f, const hx_selection *given, int count)
{
    return hx_scatter_selected((hx_handle *)h, f, given, count);
}

hx_status line_message_buffers(const line *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status line_extents(const line *h, int field, int block, int pass, hx_extent *extent, int *count)
{
    return hx_extents((const hx_handle *)h, field, block, pass, extent, count);
}

int line_file_passes(int field)
{
    return hx_file_passes(&line_spec, field);
}

hx_status line_memory_type(const line *h, int field, int pass, const line_fields *f,
                           MPI_Datatype *type)
{
    return hx_memory_type((const hx_handle *)h, field, pass, f, type);
}

hx_status line_file_type(const line *h, int field, int pass, MPI_Datatype *type)
{
    return hx_file_type((const hx_handle *)h, field, pass, type);
}

hx_status line_all_start(line *h, const line_fields *f)
{
    return hx_start((hx_handle *)h, LINE_ALL, f);
}

hx_status line_all_test(line *h, int *done)
{
    return hx_test((hx_handle *)h, LINE_ALL, done);
}

hx_status line_all_finish(line *h)
{
    return hx_finish((hx_handle *)h, LINE_ALL);
}

hx_status line_all(line *h, const line_fields *f)
{
    const hx_status status = line_all_start(h, f);
    return status == HX_OK ? line_all_finish(h) : status;
}
