/*
 * bend: loops and tables of the halo exchanges of bend.lua.  See bend.h.
 *
 * Emitted by halogen 0.1.0 from bend.lua, model 95cebea964b816d3.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "bend.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char bend_model_95cebea964b816d3_23 = 0; /* see bend.h */

/* The address so many points further on.  It may lie behind the array: prefetch it, but do not read it. */
static inline const void *beyond(const void *from, ptrdiff_t points, size_t bytes)
{
    return (const void *)((uintptr_t)from + (uintptr_t)points * bytes);
}

/* ---- float: whole rows along x ---- */

static void pack_float(const void *field, const hx_region *from, void *buffer)
{
    const float *points = (const float *)field + from->at;
    float *out = buffer;
    const size_t row = (size_t)from->n[0];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(out, points + j * sy, row * sizeof *out);
        out += row;
    }
}

static void unpack_float(void *field, const hx_region *to, const void *buffer)
{
    float *points = (float *)field + to->at;
    const float *in = buffer;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(points + j * sy, in, row * sizeof *in);
        in += row;
    }
}

static void copy_float(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    float *out = (float *)to_field + to->at;
    const float *in = (const float *)from_field + from->at;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(out + j * to_sy, in + j * from_sy, row * sizeof *out);
    }
}

/* ---- float: rows of 2 along x ---- */

static void pack_float_2(const void *field, const hx_region *from, void *buffer)
{
    const float *points = (const float *)field + from->at;
    float *out = buffer;
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(out, points + j * sy, 2 * sizeof *out);
        out += 2;
    }
}

static void unpack_float_2(void *field, const hx_region *to, const void *buffer)
{
    float *points = (float *)field + to->at;
    const float *in = buffer;
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(points + j * sy, in, 2 * sizeof *points);
        in += 2;
    }
}

static void copy_float_2(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    float *out = (float *)to_field + to->at;
    const float *in = (const float *)from_field + from->at;
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(out + j * to_sy, in + j * from_sy, 2 * sizeof *out);
    }
}

/* ---- float: both halos across x, 2 below and 2 above, together ---- */

static void pack_pair_float_2_2(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                                void *hi_buffer)
{
    const float *lo_points = (const float *)field + lo->at;
    const float *hi_points = (const float *)field + hi->at;
    float *lo_out = lo_buffer;
    float *hi_out = hi_buffer;
    const ptrdiff_t ny = lo->n[1], sy = lo->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(lo_out, lo_points + j * sy, 2 * sizeof *lo_out);
        memcpy(hi_out, hi_points + j * sy, 2 * sizeof *hi_out);
        lo_out += 2;
        hi_out += 2;
    }
}

static void unpack_pair_float_2_2(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                  const void *hi_buffer)
{
    float *lo_points = (float *)field + lo->at;
    float *hi_points = (float *)field + hi->at;
    const float *lo_in = lo_buffer;
    const float *hi_in = hi_buffer;
    const ptrdiff_t ny = lo->n[1], sy = lo->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(lo_points + j * sy, lo_in, 2 * sizeof *lo_points);
        memcpy(hi_points + j * sy, hi_in, 2 * sizeof *hi_points);
        lo_in += 2;
        hi_in += 2;
    }
}

static void copy_pair_float_2_2(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                                const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    float *lo_out = (float *)to_field + to_lo->at;
    float *hi_out = (float *)to_field + to_hi->at;
    const float *lo_in = (const float *)from_field + from_lo->at;
    const float *hi_in = (const float *)from_field + from_hi->at;
    const ptrdiff_t ny = to_lo->n[1];
    const ptrdiff_t to_sy = to_lo->stride[1], from_sy = from_lo->stride[1];
    for (ptrdiff_t j = 0; j < ny; ++j) {
        memcpy(lo_out + j * to_sy, lo_in + j * from_sy, 2 * sizeof *lo_out);
        memcpy(hi_out + j * to_sy, hi_in + j * from_sy, 2 * sizeof *hi_out);
    }
}

/* ---- float: any strides at both ends, with a sign ---- */

static inline void turn_float(float *out, const float *in, int sign)
{
    const float value = *in;
    *out = sign < 0 ? -value : value;
}

static void turn_rows_float(float *to_points, const hx_region *to, const float *from_points,
                            const hx_region *from)
{
    const ptrdiff_t n_i = to->n[0];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    for (ptrdiff_t j = 0; j < n_j; ++j) {
        float *out = to_points + j * to_j;
        const float *in = from_points + j * from_j;
        memcpy(out, in, (size_t)n_i * sizeof *out);
    }
}

static void copy_turned_float(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                              int sign)
{
    float *to_points = (float *)to_field + to->at;
    const float *from_points = (const float *)from_field + from->at;
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_float(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t j = 0; j < n_j; ++j) {
        float *out = to_points + j * to_j;
        const float *in = from_points + j * from_j;
        for (ptrdiff_t i = 0; i < n_i; ++i) {
            turn_float(out + i * to_i, in + i * from_i, sign);
        }
    }
}

static void copy_turned_float_2(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                int sign)
{
    float *to_points = (float *)to_field + to->at;
    const float *from_points = (const float *)from_field + from->at;
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t to_i = to->stride[0], from_i = from->stride[0];
    for (ptrdiff_t j = 0; j < n_j; ++j) {
        float *out = to_points + j * to_j;
        const float *in = from_points + j * from_j;
        __builtin_prefetch(beyond(out, 16 * to_j, sizeof *out), 1); /* too far apart for the processor to foresee */
        __builtin_prefetch(beyond(in, 16 * from_j, sizeof *in));
        turn_float(out, in, sign);
        turn_float(out + to_i, in + from_i, sign);
    }
}

/* ---- float: rows of a halo, from any strides, with a sign ---- */

/* next: the stride of the points in the source. */
static inline void pull_float(float *restrict out, const float *restrict in, ptrdiff_t next, ptrdiff_t n, int sign)
{
    if (next == 1 && sign > 0) {
        memcpy(out, in, (size_t)n * sizeof *out);
        return;
    }
    for (ptrdiff_t i = 0; i < n; ++i) {
        turn_float(out + i, in + i * next, sign);
    }
}

/* ---- float: the whole halo in one sweep, 2 below and 2 above along x ---- */

static void sweep_float_2_2(void *field, const hx_shell *shell, const hx_pull *pull)
{
    float *points = (float *)field + shell->at;
    const ptrdiff_t nx = shell->n[0];
    const ptrdiff_t ny = shell->n[1], sy = shell->stride[1];
    const ptrdiff_t end_j[] = {0, ny, ny + shell->hi[1]};
    ptrdiff_t j = -shell->lo[1];
    for (int side_j = 0; side_j < 3; ++side_j) {
        const hx_pull *row = pull + 3 * side_j;
        float *out = points + j * sy;
        const float *lo_in = (const float *)row[0].from;
        const ptrdiff_t lo_in_next = row[0].stride[0], lo_in_step = row[0].stride[1];
        const int lo_in_sign = row[0].sign;
        const float *in = (const float *)row[1].from;
        const ptrdiff_t in_next = row[1].stride[0], in_step = row[1].stride[1];
        const int in_sign = row[1].sign;
        const float *hi_in = (const float *)row[2].from;
        const ptrdiff_t hi_in_next = row[2].stride[0], hi_in_step = row[2].stride[1];
        const int hi_in_sign = row[2].sign;
        for (; j < end_j[side_j]; ++j) {
            if (lo_in) {
                pull_float(out - 2, lo_in, lo_in_next, 2, lo_in_sign);
                lo_in += lo_in_step;
            }
            if (in) {
                pull_float(out, in, in_next, nx, in_sign);
                in += in_step;
            }
            if (hi_in) {
                pull_float(out + nx, hi_in, hi_in_next, 2, hi_in_sign);
                hi_in += hi_in_step;
            }
            out += sy;
        }
    }
}

/* ---- kernels by the depths of the halos below and above along the fastest axis ---- */

static const hx_pair pair_float_2_2 = {2, 2, pack_pair_float_2_2, unpack_pair_float_2_2, copy_pair_float_2_2};

static const hx_turned turned_float[] = {
    {2, copy_turned_float_2},
    {.points = HX_END},
};

static const hx_strip strips_float_2_2[] = {
    {2, pack_float_2, unpack_float_2, copy_float_2},
    {.points = HX_END},
};
static const hx_kernels kernels_float_2_2 = {
    .pack = pack_float,
    .unpack = unpack_float,
    .copy = copy_float,
    .strip = strips_float_2_2,
    .strips = HX_ROWS(strips_float_2_2),
    .pair = &pair_float_2_2,
    .sweep = sweep_float_2_2,
    .copy_turned = copy_turned_float,
    .turned = turned_float,
    .turneds = HX_ROWS(turned_float),
};

static const hx_kernels kernels_float_any = {
    .pack = pack_float,
    .unpack = unpack_float,
    .copy = copy_float,
    .copy_turned = copy_turned_float,
    .turned = turned_float,
    .turneds = HX_ROWS(turned_float),
};

/* ---- where the points beyond the sides of a tile come from ---- */

/*
 * The tables from here to bend_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
 * create compares their numbers with the sums beside them.
 */

/*
 * One row per link: destination tile, source tile, direction; for each axis of the source the axis, its sign, the cells
 * of destination and source, and the offset; then the component of the vector (-1: none) and the sign.
 */
static const hx_tile_link links_1[] = {
    {0, 1, {1, 0}, {{1, -1, 0, 1, -1}, {0, 1, -1, 0, 0}}, -1, 1}, /* x above */
    {1, 0, {0, -1}, {{1, 1, 0, 1, 0}, {0, -1, 0, 1, -1}}, -1, 1}, /* y below */
    {1, 2, {0, 1}, {{0, 1, 0, 0, 0}, {1, 1, -1, 0, 0}}, -1, 1},   /* y above */
    {2, 1, {0, -1}, {{0, 1, 0, 0, 0}, {1, 1, 0, 1, 0}}, -1, 1},   /* y below */
    {.tile = HX_END},
};

static const hx_positions position_table[] = {
    {{0, 0}, links_1, HX_ROWS(links_1), {-1, -1}, NULL, 0, UINT64_C(0x06e7b79d9af9c909)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "p",
        .type = "float",
        .line = 10,
        .size = sizeof(float),
        .alignment = _Alignof(float),
        .positions = 0,
        .order = {0, 1},
        .halo_lo = {2, 2},
        .halo_hi = {2, 2},
        .pointer = offsetof(bend_fields, p),
        .sum = UINT64_C(0xb8ba0e29e739f0a7),
    },
    {.line = HX_END},
};

/* What moves any box of a field, for redistribution. */
static const hx_kernels *const kernels_of_any_box[] = {
    &kernels_float_any,
};

/* ---- exchanges: fields in the order in which they lie in a message, with the layers below and above ---- */

static const signed char directions_1[][HX_MAX_AXES] = {
    {-1, -1},
    {-1, 0},
    {-1, 1},
    {0, -1},
    {0, 1},
    {1, -1},
    {1, 0},
    {1, 1},
    {HX_END},
};

static const hx_exchange_field fields_of_pressure[] = {
    {BEND_P, {2, 2}, {2, 2}, &kernels_float_2_2, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "pressure",
        .line = 12,
        .field = fields_of_pressure,
        .fields = HX_ROWS(fields_of_pressure),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .sum = UINT64_C(0x078b7640bd674bcf),
    },
    {.line = HX_END},
};

HX_STATIC_ASSERT(HX_ROWS(field_table) == BEND_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_COUNT(kernels_of_any_box) == BEND_FIELDS, "a field has no kernels for redistribution, or twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == BEND_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec bend_spec = {
    .abi = HX_ABI,
    .name = "bend",
    .file = "bend.lua",
    .hash = UINT64_C(0x95cebea964b816d3),
    .axes = 2,
    .axis = {"x", "y"},
    .periodic = {0, 0},
    .decomposed = {1, 1},
    .cells = {0, 0},
    .tiles = 3,
    .positions = position_table,
    .position_classes = HX_ROWS(position_table),
    .field = field_table,
    .fields = HX_ROWS(field_table),
    .exchange = exchange_table,
    .exchanges = HX_ROWS(exchange_table),
    .fields_size = sizeof(bend_fields),
    .shape_size = sizeof(bend_shape),
    .shape_stride = offsetof(bend_shape, stride),
    .first_fastest = 1,
    .face_bytes = {16.0, 16.0},
    .sum = UINT64_C(0x589568fce887ced3),
    .any = kernels_of_any_box,
};

/* ---- what bend.h declares ---- */

bend_shape bend_shape_dense(const hx_part *part)
{
    bend_shape shape = {.part = *part};
    hx_dense_strides(&bend_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

bend_shape bend_shape_best(const hx_part *part)
{
    bend_shape shape = {.part = *part};
    hx_best_strides(&bend_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status bend_shape_of(const hx_part *part, const hx_strided_array *arrays, bend_shape *shape)
{
    return hx_shape_of_arrays(&bend_spec, part, arrays, shape);
}

size_t bend_points(const bend_shape *shape, int field)
{
    return hx_points(&bend_spec, shape, field);
}

hx_boxes bend_owned_points(const bend_shape *shape, int field)
{
    return hx_owned_points(&bend_spec, shape, field);
}

hx_boxes bend_pressure_interior(const bend_shape *shape, int field)
{
    return hx_interior(&bend_spec, shape, BEND_PRESSURE, field);
}

hx_boxes bend_pressure_rim(const bend_shape *shape, int field)
{
    return hx_rim(&bend_spec, shape, BEND_PRESSURE, field);
}

hx_status bend_create_blocks_for(const char *model, const hx_blocks *blocks, const bend_shape *shapes,
                                 const hx_options *options, bend **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_for(model, &bend_spec, blocks, shapes, options, h ? &handle : NULL);
    if (h) {
        *h = (bend *)handle;
    }
    return status;
}

hx_status bend_create_like(bend *like, const hx_blocks *blocks, const bend_shape *shapes, bend **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_like((hx_handle *)like, blocks, shapes, h ? &handle : NULL);
    if (h) {
        *h = (bend *)handle;
    }
    return status;
}

hx_status bend_create_wide(bend *narrow, MPI_Comm comm, const hx_options *options, bend **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_wide(&bend_spec, (hx_handle *)narrow, comm, options, h ? &handle : NULL);
    if (h) {
        *h = (bend *)handle;
    }
    return status;
}

hx_status bend_rebalance(bend *h, const double work[], int owners[], int *moved)
{
    return hx_rebalance((hx_handle *)h, work, owners, moved);
}

hx_status bend_destroy(bend *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status bend_alloc(bend *h, bend_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status bend_free(bend *h, bend_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status bend_register(bend *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status bend_unregister(bend *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *bend_handle(bend *h)
{
    return (hx_handle *)h;
}

const char *bend_describe(bend *h)
{
    return hx_describe((hx_handle *)h);
}

const char *bend_describe_json(bend *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status bend_traffic(const bend *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status bend_audit(bend *h, int exchange, const bend_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status bend_redistribute(bend *from, const bend_fields *source, bend *to, const bend_fields *target)
{
    return hx_redistribute((hx_handle *)from, source, (hx_handle *)to, target);
}

hx_status bend_redistribute_with(bend *from, const bend_fields *source, bend *to, const bend_fields *target,
                                 const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status bend_gather(bend *h, const bend_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_gather((hx_handle *)h, f, field, root, whole);
}

hx_status bend_scatter(bend *h, const bend_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_scatter((hx_handle *)h, f, field, root, whole);
}

hx_status bend_gather_selected(bend *h, const bend_fields *f, const hx_selection *wanted, int count)
{
    return hx_gather_selected((hx_handle *)h, f, wanted, count);
}

hx_status bend_scatter_selected(bend *h, const bend_fields *f, const hx_selection *given, int count)
{
    return hx_scatter_selected((hx_handle *)h, f, given, count);
}

hx_status bend_message_buffers(const bend *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status bend_extents(const bend *h, int field, int block, int pass, hx_extent *extent, int *count)
{
    return hx_extents((const hx_handle *)h, field, block, pass, extent, count);
}

int bend_file_passes(int field)
{
    return hx_file_passes(&bend_spec, field);
}

hx_status bend_memory_type(const bend *h, int field, int pass, const bend_fields *f,
                           MPI_Datatype *type)
{
    return hx_memory_type((const hx_handle *)h, field, pass, f, type);
}

hx_status bend_file_type(const bend *h, int field, int pass, MPI_Datatype *type)
{
    return hx_file_type((const hx_handle *)h, field, pass, type);
}

hx_status bend_pressure_start(bend *h, const bend_fields *f)
{
    return hx_start((hx_handle *)h, BEND_PRESSURE, f);
}

hx_status bend_pressure_test(bend *h, int *done)
{
    return hx_test((hx_handle *)h, BEND_PRESSURE, done);
}

hx_status bend_pressure_finish(bend *h)
{
    return hx_finish((hx_handle *)h, BEND_PRESSURE);
}

hx_status bend_pressure(bend *h, const bend_fields *f)
{
    const hx_status status = bend_pressure_start(h, f);
    return status == HX_OK ? bend_pressure_finish(h) : status;
}
