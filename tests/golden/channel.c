/*
 * channel: loops and tables of the halo exchanges of channel.lua.  See channel.h.
 *
 * Emitted by halogen 0.1.0 from channel.lua, model 0c89b90230c8b2dc.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "channel.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char channel_model_0c89b90230c8b2dc_23 = 0; /* see channel.h */

/* The address so many points further on.  It may lie behind the array: prefetch it, but do not read it. */
static inline const void *beyond(const void *from, ptrdiff_t points, size_t bytes)
{
    return (const void *)((uintptr_t)from + (uintptr_t)points * bytes);
}

/* Prefetches the first 256 bytes of two pieces of memory.  Processors foresee how a piece goes on, but not where it begins. */
static inline void ask_for(const void *one, const void *other)
{
    for (int byte = 0; byte < 256; byte += 64) {
        __builtin_prefetch(beyond(one, byte, 1));
        __builtin_prefetch(beyond(other, byte, 1));
    }
}

/* ---- double: whole rows along x ---- */

static void pack_double(const void *field, const hx_region *from, void *buffer)
{
    const double *points = (const double *)field + from->at;
    double *out = buffer;
    const size_t row = (size_t)from->n[0];
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(out, points + j * sy + k * sz, row * sizeof *out);
            out += row;
        }
    }
}

static void unpack_double(void *field, const hx_region *to, const void *buffer)
{
    double *points = (double *)field + to->at;
    const double *in = buffer;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(points + j * sy + k * sz, in, row * sizeof *in);
            in += row;
        }
    }
}

static void copy_double(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    double *out = (double *)to_field + to->at;
    const double *in = (const double *)from_field + from->at;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(out + j * to_sy + k * to_sz, in + j * from_sy + k * from_sz, row * sizeof *out);
        }
    }
}

/* ---- double: rows of 2 along x ---- */

static void pack_double_2(const void *field, const hx_region *from, void *buffer)
{
    const double *points = (const double *)field + from->at;
    double *out = buffer;
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(out, points + j * sy + k * sz, 2 * sizeof *out);
            out += 2;
        }
    }
}

static void unpack_double_2(void *field, const hx_region *to, const void *buffer)
{
    double *points = (double *)field + to->at;
    const double *in = buffer;
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(points + j * sy + k * sz, in, 2 * sizeof *points);
            in += 2;
        }
    }
}

static void copy_double_2(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    double *out = (double *)to_field + to->at;
    const double *in = (const double *)from_field + from->at;
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(out + j * to_sy + k * to_sz, in + j * from_sy + k * from_sz, 2 * sizeof *out);
        }
    }
}

/* ---- double: both halos across x, 2 below and 2 above, together ---- */

static void pack_pair_double_2_2(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                                 void *hi_buffer)
{
    const double *lo_points = (const double *)field + lo->at;
    const double *hi_points = (const double *)field + hi->at;
    double *lo_out = lo_buffer;
    double *hi_out = hi_buffer;
    const ptrdiff_t nz = lo->n[2], sz = lo->stride[2];
    const ptrdiff_t ny = lo->n[1], sy = lo->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(lo_out, lo_points + j * sy + k * sz, 2 * sizeof *lo_out);
            memcpy(hi_out, hi_points + j * sy + k * sz, 2 * sizeof *hi_out);
            lo_out += 2;
            hi_out += 2;
        }
    }
}

static void unpack_pair_double_2_2(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                   const void *hi_buffer)
{
    double *lo_points = (double *)field + lo->at;
    double *hi_points = (double *)field + hi->at;
    const double *lo_in = lo_buffer;
    const double *hi_in = hi_buffer;
    const ptrdiff_t nz = lo->n[2], sz = lo->stride[2];
    const ptrdiff_t ny = lo->n[1], sy = lo->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(lo_points + j * sy + k * sz, lo_in, 2 * sizeof *lo_points);
            memcpy(hi_points + j * sy + k * sz, hi_in, 2 * sizeof *hi_points);
            lo_in += 2;
            hi_in += 2;
        }
    }
}

static void copy_pair_double_2_2(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                                 const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    double *lo_out = (double *)to_field + to_lo->at;
    double *hi_out = (double *)to_field + to_hi->at;
    const double *lo_in = (const double *)from_field + from_lo->at;
    const double *hi_in = (const double *)from_field + from_hi->at;
    const ptrdiff_t nz = to_lo->n[2];
    const ptrdiff_t to_sz = to_lo->stride[2], from_sz = from_lo->stride[2];
    const ptrdiff_t ny = to_lo->n[1];
    const ptrdiff_t to_sy = to_lo->stride[1], from_sy = from_lo->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(lo_out + j * to_sy + k * to_sz, lo_in + j * from_sy + k * from_sz, 2 * sizeof *lo_out);
            memcpy(hi_out + j * to_sy + k * to_sz, hi_in + j * from_sy + k * from_sz, 2 * sizeof *hi_out);
        }
    }
}

/* ---- double: any strides at both ends, with a sign ---- */

static inline void turn_double(double *out, const double *in, int sign)
{
    const double value = *in;
    *out = sign < 0 ? -value : value;
}

static void turn_rows_double(double *to_points, const hx_region *to, const double *from_points,
                             const hx_region *from)
{
    const ptrdiff_t n_i = to->n[0];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const int to_far = !(-n_i <= to_k && to_k <= n_i), from_far = !(-n_i <= from_k && from_k <= n_i);
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        if (to_far && k % 2 == 0) {
            ask_for(beyond(to_points, (k + 2) * to_k, sizeof *to_points), beyond(to_points, (k + 3) * to_k, sizeof *to_points));
        }
        if (from_far && k % 2 == 0) {
            ask_for(beyond(from_points, (k + 2) * from_k, sizeof *from_points), beyond(from_points, (k + 3) * from_k, sizeof *from_points));
        }
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            double *out = to_points + k * to_k + j * to_j;
            const double *in = from_points + k * from_k + j * from_j;
            memcpy(out, in, (size_t)n_i * sizeof *out);
        }
    }
}

static void copy_turned_double(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                               int sign)
{
    double *to_points = (double *)to_field + to->at;
    const double *from_points = (const double *)from_field + from->at;
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_double(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            double *out = to_points + k * to_k + j * to_j;
            const double *in = from_points + k * from_k + j * from_j;
            for (ptrdiff_t i = 0; i < n_i; ++i) {
                turn_double(out + i * to_i, in + i * from_i, sign);
            }
        }
    }
}

/* ---- float: whole rows along x ---- */

static void pack_float(const void *field, const hx_region *from, void *buffer)
{
    const float *points = (const float *)field + from->at;
    float *out = buffer;
    const size_t row = (size_t)from->n[0];
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(out, points + j * sy + k * sz, row * sizeof *out);
            out += row;
        }
    }
}

static void unpack_float(void *field, const hx_region *to, const void *buffer)
{
    float *points = (float *)field + to->at;
    const float *in = buffer;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(points + j * sy + k * sz, in, row * sizeof *in);
            in += row;
        }
    }
}

static void copy_float(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    float *out = (float *)to_field + to->at;
    const float *in = (const float *)from_field + from->at;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memcpy(out + j * to_sy + k * to_sz, in + j * from_sy + k * from_sz, row * sizeof *out);
        }
    }
}

/* ---- float: rows of 1 along x ---- */

static void pack_float_1(const void *field, const hx_region *from, void *buffer)
{
    const float *points = (const float *)field + from->at;
    float *out = buffer;
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            *out = points[j * sy + k * sz];
            out += 1;
        }
    }
}

static void unpack_float_1(void *field, const hx_region *to, const void *buffer)
{
    float *points = (float *)field + to->at;
    const float *in = buffer;
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            points[j * sy + k * sz] = *in;
            in += 1;
        }
    }
}

static void copy_float_1(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    float *out = (float *)to_field + to->at;
    const float *in = (const float *)from_field + from->at;
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            out[j * to_sy + k * to_sz] = in[j * from_sy + k * from_sz];
        }
    }
}

/* ---- float: both halos across x, 1 below and 1 above, together ---- */

static void pack_pair_float_1_1(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                                void *hi_buffer)
{
    const float *lo_points = (const float *)field + lo->at;
    const float *hi_points = (const float *)field + hi->at;
    float *lo_out = lo_buffer;
    float *hi_out = hi_buffer;
    const ptrdiff_t nz = lo->n[2], sz = lo->stride[2];
    const ptrdiff_t ny = lo->n[1], sy = lo->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            *lo_out = lo_points[j * sy + k * sz];
            *hi_out = hi_points[j * sy + k * sz];
            lo_out += 1;
            hi_out += 1;
        }
    }
}

static void unpack_pair_float_1_1(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                  const void *hi_buffer)
{
    float *lo_points = (float *)field + lo->at;
    float *hi_points = (float *)field + hi->at;
    const float *lo_in = lo_buffer;
    const float *hi_in = hi_buffer;
    const ptrdiff_t nz = lo->n[2], sz = lo->stride[2];
    const ptrdiff_t ny = lo->n[1], sy = lo->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            lo_points[j * sy + k * sz] = *lo_in;
            hi_points[j * sy + k * sz] = *hi_in;
            lo_in += 1;
            hi_in += 1;
        }
    }
}

static void copy_pair_float_1_1(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                                const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    float *lo_out = (float *)to_field + to_lo->at;
    float *hi_out = (float *)to_field + to_hi->at;
    const float *lo_in = (const float *)from_field + from_lo->at;
    const float *hi_in = (const float *)from_field + from_hi->at;
    const ptrdiff_t nz = to_lo->n[2];
    const ptrdiff_t to_sz = to_lo->stride[2], from_sz = from_lo->stride[2];
    const ptrdiff_t ny = to_lo->n[1];
    const ptrdiff_t to_sy = to_lo->stride[1], from_sy = from_lo->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            lo_out[j * to_sy + k * to_sz] = lo_in[j * from_sy + k * from_sz];
            hi_out[j * to_sy + k * to_sz] = hi_in[j * from_sy + k * from_sz];
        }
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
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const int to_far = !(-n_i <= to_k && to_k <= n_i), from_far = !(-n_i <= from_k && from_k <= n_i);
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        if (to_far && k % 2 == 0) {
            ask_for(beyond(to_points, (k + 2) * to_k, sizeof *to_points), beyond(to_points, (k + 3) * to_k, sizeof *to_points));
        }
        if (from_far && k % 2 == 0) {
            ask_for(beyond(from_points, (k + 2) * from_k, sizeof *from_points), beyond(from_points, (k + 3) * from_k, sizeof *from_points));
        }
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            float *out = to_points + k * to_k + j * to_j;
            const float *in = from_points + k * from_k + j * from_j;
            memcpy(out, in, (size_t)n_i * sizeof *out);
        }
    }
}

static void copy_turned_float(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                              int sign)
{
    float *to_points = (float *)to_field + to->at;
    const float *from_points = (const float *)from_field + from->at;
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_float(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            float *out = to_points + k * to_k + j * to_j;
            const float *in = from_points + k * from_k + j * from_j;
            for (ptrdiff_t i = 0; i < n_i; ++i) {
                turn_float(out + i * to_i, in + i * from_i, sign);
            }
        }
    }
}

/* ---- kernels by the depths of the halos below and above along the fastest axis ---- */

static const hx_pair pair_double_2_2 = {2, 2, pack_pair_double_2_2, unpack_pair_double_2_2, copy_pair_double_2_2};

static const hx_strip strips_double_2_2[] = {
    {2, pack_double_2, unpack_double_2, copy_double_2},
    {.points = HX_END},
};
static const hx_kernels kernels_double_2_2 = {
    .pack = pack_double,
    .unpack = unpack_double,
    .copy = copy_double,
    .strip = strips_double_2_2,
    .strips = HX_ROWS(strips_double_2_2),
    .pair = &pair_double_2_2,
};

static const hx_kernels kernels_double_any = {
    .pack = pack_double,
    .unpack = unpack_double,
    .copy = copy_double,
    .copy_turned = copy_turned_double,
};

static const hx_pair pair_float_1_1 = {1, 1, pack_pair_float_1_1, unpack_pair_float_1_1, copy_pair_float_1_1};

static const hx_strip strips_float_1_1[] = {
    {1, pack_float_1, unpack_float_1, copy_float_1},
    {.points = HX_END},
};
static const hx_kernels kernels_float_1_1 = {
    .pack = pack_float,
    .unpack = unpack_float,
    .copy = copy_float,
    .strip = strips_float_1_1,
    .strips = HX_ROWS(strips_float_1_1),
    .pair = &pair_float_1_1,
};

static const hx_kernels kernels_float_any = {
    .pack = pack_float,
    .unpack = unpack_float,
    .copy = copy_float,
    .copy_turned = copy_turned_float,
};

/* ---- where the points beyond the sides of a tile come from ---- */

/*
 * The tables from here to channel_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
 * create compares their numbers with the sums beside them.
 */

/*
 * One row per link: destination tile, source tile, direction; for each axis of the source the axis, its sign, the cells
 * of destination and source, and the offset; then the component of the vector (-1: none) and the sign.
 */
static const hx_tile_link links_1[] = {
    {0, 0, {-1, 0, -1}, {{0, 1, 0, 1, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 1, 0}}, -1, 1}, /* x below, z below */
    {0, 0, {-1, 0, 0}, {{0, 1, 0, 1, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 0, 0}}, -1, 1},  /* x below */
    {0, 0, {-1, 0, 1}, {{0, 1, 0, 1, 0}, {1, 1, 0, 0, 0}, {2, 1, -1, 0, 0}}, -1, 1}, /* x below, z above */
    {0, 0, {0, 0, -1}, {{0, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 1, 0}}, -1, 1},  /* z below */
    {0, 0, {0, 0, 1}, {{0, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {2, 1, -1, 0, 0}}, -1, 1},  /* z above */
    {0, 0, {1, 0, -1}, {{0, 1, -1, 0, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 1, 0}}, -1, 1}, /* x above, z below */
    {0, 0, {1, 0, 0}, {{0, 1, -1, 0, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 0, 0}}, -1, 1},  /* x above */
    {0, 0, {1, 0, 1}, {{0, 1, -1, 0, 0}, {1, 1, 0, 0, 0}, {2, 1, -1, 0, 0}}, -1, 1}, /* x above, z above */
    {.tile = HX_END},
};

static const hx_positions position_table[] = {
    {{0, 0, 0}, links_1, HX_ROWS(links_1), {-1, -1, -1}, NULL, 0, UINT64_C(0x0146167468812113)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "u",
        .type = "double",
        .line = 4,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {2, 2, 2},
        .halo_hi = {2, 2, 2},
        .pointer = offsetof(channel_fields, u),
        .sum = UINT64_C(0x2ff20837bbca2f8b),
    },
    {
        .name = "v",
        .type = "double",
        .line = 4,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {2, 2, 2},
        .halo_hi = {2, 2, 2},
        .pointer = offsetof(channel_fields, v),
        .sum = UINT64_C(0x2f11f92b10b4f5f5),
    },
    {
        .name = "w",
        .type = "double",
        .line = 4,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {2, 2, 2},
        .halo_hi = {2, 2, 2},
        .pointer = offsetof(channel_fields, w),
        .sum = UINT64_C(0xf0c5e63fc68e3717),
    },
    {
        .name = "p",
        .type = "float",
        .line = 5,
        .size = sizeof(float),
        .alignment = _Alignof(float),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {1, 1, 1},
        .halo_hi = {1, 1, 1},
        .pointer = offsetof(channel_fields, p),
        .sum = UINT64_C(0x76da7eececb4cd11),
    },
    {.line = HX_END},
};

/* What moves any box of a field, for redistribution. */
static const hx_kernels *const kernels_of_any_box[] = {
    &kernels_double_any,
    &kernels_double_any,
    &kernels_double_any,
    &kernels_float_any,
};

/* ---- exchanges: fields in the order in which they lie in a message, with the layers below and above ---- */

static const signed char directions_1[][HX_MAX_AXES] = {
    {-1, -1, -1},
    {-1, -1, 0},
    {-1, -1, 1},
    {-1, 0, -1},
    {-1, 0, 0},
    {-1, 0, 1},
    {-1, 1, -1},
    {-1, 1, 0},
    {-1, 1, 1},
    {0, -1, -1},
    {0, -1, 0},
    {0, -1, 1},
    {0, 0, -1},
    {0, 0, 1},
    {0, 1, -1},
    {0, 1, 0},
    {0, 1, 1},
    {1, -1, -1},
    {1, -1, 0},
    {1, -1, 1},
    {1, 0, -1},
    {1, 0, 0},
    {1, 0, 1},
    {1, 1, -1},
    {1, 1, 0},
    {1, 1, 1},
    {HX_END},
};

static const signed char directions_2[][HX_MAX_AXES] = {
    {-1, 0, 0},
    {0, -1, 0},
    {0, 0, -1},
    {0, 0, 1},
    {0, 1, 0},
    {1, 0, 0},
    {HX_END},
};

static const hx_exchange_field fields_of_velocity[] = {
    {CHANNEL_U, {2, 2, 2}, {2, 2, 2}, &kernels_double_2_2, NULL, HX_WIRE_NOT},
    {CHANNEL_V, {2, 2, 2}, {2, 2, 2}, &kernels_double_2_2, NULL, HX_WIRE_NOT},
    {CHANNEL_W, {2, 2, 2}, {2, 2, 2}, &kernels_double_2_2, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_pressure[] = {
    {CHANNEL_P, {1, 1, 1}, {1, 1, 1}, &kernels_float_1_1, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "velocity",
        .line = 8,
        .field = fields_of_velocity,
        .fields = HX_ROWS(fields_of_velocity),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .by_dimension = 1,
        .sum = UINT64_C(0x010665c95c3790a5),
    },
    {
        .name = "pressure",
        .line = 9,
        .field = fields_of_pressure,
        .fields = HX_ROWS(fields_of_pressure),
        .direction = directions_2,
        .directions = HX_ROWS(directions_2),
        .sum = UINT64_C(0x54211a2bb33ce4e5),
    },
    {.line = HX_END},
};

HX_STATIC_ASSERT(HX_ROWS(field_table) == CHANNEL_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_COUNT(kernels_of_any_box) == CHANNEL_FIELDS, "a field has no kernels for redistribution, or twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == CHANNEL_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec channel_spec = {
    .abi = HX_ABI,
    .name = "channel",
    .file = "channel.lua",
    .hash = UINT64_C(0x0c89b90230c8b2dc),
    .axes = 3,
    .axis = {"x", "y", "z"},
    .periodic = {1, 0, 1},
    .decomposed = {1, 1, 1},
    .cells = {0, 0, 0},
    .tiles = 1,
    .positions = position_table,
    .position_classes = HX_ROWS(position_table),
    .field = field_table,
    .fields = HX_ROWS(field_table),
    .exchange = exchange_table,
    .exchanges = HX_ROWS(exchange_table),
    .fields_size = sizeof(channel_fields),
    .shape_size = sizeof(channel_shape),
    .shape_stride = offsetof(channel_shape, stride),
    .face_bytes = {104.0, 104.0, 104.0},
    .sum = UINT64_C(0xcad324dcbeaa68ad),
    .any = kernels_of_any_box,
};

/* ---- what channel.h declares ---- */

channel_shape channel_shape_dense(const hx_part *part)
{
    channel_shape shape = {.part = *part};
    hx_dense_strides(&channel_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

channel_shape channel_shape_best(const hx_part *part)
{
    channel_shape shape = {.part = *part};
    hx_best_strides(&channel_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status channel_shape_of(const hx_part *part, const hx_strided_array *arrays, channel_shape *shape)
{
    return hx_shape_of_arrays(&channel_spec, part, arrays, shape);
}

size_t channel_points(const channel_shape *shape, int field)
{
    return hx_points(&channel_spec, shape, field);
}

hx_boxes channel_owned_points(const channel_shape *shape, int field)
{
    return hx_owned_points(&channel_spec, shape, field);
}

hx_boxes channel_velocity_interior(const channel_shape *shape, int field)
{
    return hx_interior(&channel_spec, shape, CHANNEL_VELOCITY, field);
}

hx_boxes channel_velocity_rim(const channel_shape *shape, int field)
{
    return hx_rim(&channel_spec, shape, CHANNEL_VELOCITY, field);
}

hx_boxes channel_pressure_interior(const channel_shape *shape, int field)
{
    return hx_interior(&channel_spec, shape, CHANNEL_PRESSURE, field);
}

hx_boxes channel_pressure_rim(const channel_shape *shape, int field)
{
    return hx_rim(&channel_spec, shape, CHANNEL_PRESSURE, field);
}

hx_status channel_create_for(const char *model, MPI_Comm comm, const channel_shape *shape, const hx_options *options,
                             channel **h)
{
    const hx_blocks blocks = {
        .comm = comm, .tiles = 1, .partition = shape ? &shape->part.partition : NULL, .count = 1};
    return channel_create_blocks_for(model, &blocks, shape, options, h);
}

hx_status channel_create_blocks_for(const char *model, const hx_blocks *blocks, const channel_shape *shapes,
                                    const hx_options *options, channel **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_for(model, &channel_spec, blocks, shapes, options, h ? &handle : NULL);
    if (h) {
        *h = (channel *)handle;
    }
    return status;
}

hx_status channel_create_like(channel *like, const hx_blocks *blocks, const channel_shape *shapes, channel **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_like((hx_handle *)like, blocks, shapes, h ? &handle : NULL);
    if (h) {
        *h = (channel *)handle;
    }
    return status;
}

hx_status channel_create_wide(channel *narrow, MPI_Comm comm, const hx_options *options, channel **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_wide(&channel_spec, (hx_handle *)narrow, comm, options, h ? &handle : NULL);
    if (h) {
        *h = (channel *)handle;
    }
    return status;
}

hx_status channel_rebalance(channel *h, const double work[], int owners[], int *moved)
{
    return hx_rebalance((hx_handle *)h, work, owners, moved);
}

hx_status channel_destroy(channel *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status channel_alloc(channel *h, channel_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status channel_free(channel *h, channel_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status channel_register(channel *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status channel_unregister(channel *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *channel_handle(channel *h)
{
    return (hx_handle *)h;
}

const char *channel_describe(channel *h)
{
    return hx_describe((hx_handle *)h);
}

const char *channel_describe_json(channel *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status channel_traffic(const channel *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status channel_audit(channel *h, int exchange, const channel_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status channel_redistribute(channel *from, const channel_fields *source, channel *to, const channel_fields *target)
{
    return hx_redistribute((hx_handle *)from, source, (hx_handle *)to, target);
}

hx_status channel_redistribute_with(channel *from, const channel_fields *source, channel *to, const channel_fields *target,
                                    const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status channel_gather(channel *h, const channel_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_gather((hx_handle *)h, f, field, root, whole);
}

hx_status channel_scatter(channel *h, const channel_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_scatter((hx_handle *)h, f, field, root, whole);
}

hx_status channel_gather_selected(channel *h, const channel_fields *f, const hx_selection *wanted, int count)
{
    return hx_gather_selected((hx_handle *)h, f, wanted, count);
}

hx_status channel_scatter_selected(channel *h, const channel_fields *f, const hx_selection *given, int count)
{
    return hx_scatter_selected((hx_handle *)h, f, given, count);
}

hx_status channel_message_buffers(const channel *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status channel_extents(const channel *h, int field, int block, int pass, hx_extent *extent, int *count)
{
    return hx_extents((const hx_handle *)h, field, block, pass, extent, count);
}

int channel_file_passes(int field)
{
    return hx_file_passes(&channel_spec, field);
}

hx_status channel_memory_type(const channel *h, int field, int pass, const channel_fields *f,
                              MPI_Datatype *type)
{
    return hx_memory_type((const hx_handle *)h, field, pass, f, type);
}

hx_status channel_file_type(const channel *h, int field, int pass, MPI_Datatype *type)
{
    return hx_file_type((const hx_handle *)h, field, pass, type);
}

hx_status channel_velocity_start(channel *h, const channel_fields *f)
{
    return hx_start((hx_handle *)h, CHANNEL_VELOCITY, f);
}

hx_status channel_velocity_test(channel *h, int *done)
{
    return hx_test((hx_handle *)h, CHANNEL_VELOCITY, done);
}

hx_status channel_velocity_finish(channel *h)
{
    return hx_finish((hx_handle *)h, CHANNEL_VELOCITY);
}

hx_status channel_velocity(channel *h, const channel_fields *f)
{
    const hx_status status = channel_velocity_start(h, f);
    return status == HX_OK ? channel_velocity_finish(h) : status;
}

hx_status channel_pressure_start(channel *h, const channel_fields *f)
{
    return hx_start((hx_handle *)h, CHANNEL_PRESSURE, f);
}

hx_status channel_pressure_test(channel *h, int *done)
{
    return hx_test((hx_handle *)h, CHANNEL_PRESSURE, done);
}

hx_status channel_pressure_finish(channel *h)
{
    return hx_finish((hx_handle *)h, CHANNEL_PRESSURE);
}

hx_status channel_pressure(channel *h, const channel_fields *f)
{
    const hx_status status = channel_pressure_start(h, f);
    return status == HX_OK ? channel_pressure_finish(h) : status;
}
