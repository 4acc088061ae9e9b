/*
 * mixed: loops and tables of the halo exchanges of mixed.lua.  See mixed.h.
 *
 * Emitted by halogen 0.1.0 from mixed.lua, model 348cef8f3c9cbf4b.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "mixed.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char mixed_model_348cef8f3c9cbf4b_23 = 0; /* see mixed.h */

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

/* ---- int64_t: whole rows along x ---- */

static void pack_int64_t(const void *field, const hx_region *from, void *buffer)
{
    const int64_t *points = (const int64_t *)field + from->at;
    int64_t *out = buffer;
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

static void unpack_int64_t(void *field, const hx_region *to, const void *buffer)
{
    int64_t *points = (int64_t *)field + to->at;
    const int64_t *in = buffer;
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

static void copy_int64_t(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    int64_t *out = (int64_t *)to_field + to->at;
    const int64_t *in = (const int64_t *)from_field + from->at;
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

/* ---- int64_t: rows of 1 along x ---- */

static void pack_int64_t_1(const void *field, const hx_region *from, void *buffer)
{
    const int64_t *points = (const int64_t *)field + from->at;
    int64_t *out = buffer;
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            *out = points[j * sy + k * sz];
            out += 1;
        }
    }
}

static void unpack_int64_t_1(void *field, const hx_region *to, const void *buffer)
{
    int64_t *points = (int64_t *)field + to->at;
    const int64_t *in = buffer;
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            points[j * sy + k * sz] = *in;
            in += 1;
        }
    }
}

static void copy_int64_t_1(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    int64_t *out = (int64_t *)to_field + to->at;
    const int64_t *in = (const int64_t *)from_field + from->at;
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

/* ---- int64_t: both halos across x, 1 below and 1 above, together ---- */

static void pack_pair_int64_t_1_1(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                                  void *hi_buffer)
{
    const int64_t *lo_points = (const int64_t *)field + lo->at;
    const int64_t *hi_points = (const int64_t *)field + hi->at;
    int64_t *lo_out = lo_buffer;
    int64_t *hi_out = hi_buffer;
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

static void unpack_pair_int64_t_1_1(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                    const void *hi_buffer)
{
    int64_t *lo_points = (int64_t *)field + lo->at;
    int64_t *hi_points = (int64_t *)field + hi->at;
    const int64_t *lo_in = lo_buffer;
    const int64_t *hi_in = hi_buffer;
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

static void copy_pair_int64_t_1_1(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                                  const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    int64_t *lo_out = (int64_t *)to_field + to_lo->at;
    int64_t *hi_out = (int64_t *)to_field + to_hi->at;
    const int64_t *lo_in = (const int64_t *)from_field + from_lo->at;
    const int64_t *hi_in = (const int64_t *)from_field + from_hi->at;
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

/* ---- int64_t: sums ---- */

static void add_unpack_int64_t(void *field, const hx_region *to, const void *buffer)
{
    int64_t *points = (int64_t *)field + to->at;
    const int64_t *in = buffer;
    const ptrdiff_t row = to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            int64_t *out = points + j * sy + k * sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                out[i] = (int64_t)((uintmax_t)out[i] + (uintmax_t)in[i]);
            }
            in += row;
        }
    }
}

static void add_copy_int64_t(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    int64_t *to_points = (int64_t *)to_field + to->at;
    const int64_t *from_points = (const int64_t *)from_field + from->at;
    const ptrdiff_t row = to->n[0];
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            int64_t *out = to_points + j * to_sy + k * to_sz;
            const int64_t *in = from_points + j * from_sy + k * from_sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                out[i] = (int64_t)((uintmax_t)out[i] + (uintmax_t)in[i]);
            }
        }
    }
}

/* ---- int64_t: zeros ---- */

static void zero_int64_t(void *field, const hx_region *to)
{
    int64_t *points = (int64_t *)field + to->at;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memset(points + j * sy + k * sz, 0, row * sizeof *points);
        }
    }
}

/* ---- int64_t: any strides at both ends, with a sign ---- */

static inline void turn_int64_t(int64_t *out, const int64_t *in, int sign)
{
    const int64_t value = *in;
    *out = sign < 0 ? (int64_t)(0u - (uintmax_t)value) : value;
}

static void turn_rows_int64_t(int64_t *to_points, const hx_region *to, const int64_t *from_points,
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
            int64_t *out = to_points + k * to_k + j * to_j;
            const int64_t *in = from_points + k * from_k + j * from_j;
            memcpy(out, in, (size_t)n_i * sizeof *out);
        }
    }
}

static void copy_turned_int64_t(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                int sign)
{
    int64_t *to_points = (int64_t *)to_field + to->at;
    const int64_t *from_points = (const int64_t *)from_field + from->at;
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_int64_t(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            int64_t *out = to_points + k * to_k + j * to_j;
            const int64_t *in = from_points + k * from_k + j * from_j;
            for (ptrdiff_t i = 0; i < n_i; ++i) {
                turn_int64_t(out + i * to_i, in + i * from_i, sign);
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

/* ---- float: sums ---- */

static void add_unpack_float(void *field, const hx_region *to, const void *buffer)
{
    float *points = (float *)field + to->at;
    const float *in = buffer;
    const ptrdiff_t row = to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            float *out = points + j * sy + k * sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                out[i] += in[i];
            }
            in += row;
        }
    }
}

static void add_copy_float(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    float *to_points = (float *)to_field + to->at;
    const float *from_points = (const float *)from_field + from->at;
    const ptrdiff_t row = to->n[0];
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            float *out = to_points + j * to_sy + k * to_sz;
            const float *in = from_points + j * from_sy + k * from_sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                out[i] += in[i];
            }
        }
    }
}

/* ---- float: zeros ---- */

static void zero_float(void *field, const hx_region *to)
{
    float *points = (float *)field + to->at;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            memset(points + j * sy + k * sz, 0, row * sizeof *points);
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

/* ---- uint8_t: whole rows along x ---- */

static void pack_uint8_t(const void *field, const hx_region *from, void *buffer)
{
    const uint8_t *points = (const uint8_t *)field + from->at;
    uint8_t *out = buffer;
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

static void unpack_uint8_t(void *field, const hx_region *to, const void *buffer)
{
    uint8_t *points = (uint8_t *)field + to->at;
    const uint8_t *in = buffer;
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

static void copy_uint8_t(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    uint8_t *out = (uint8_t *)to_field + to->at;
    const uint8_t *in = (const uint8_t *)from_field + from->at;
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

/* ---- uint8_t: any strides at both ends, with a sign ---- */

static inline void turn_uint8_t(uint8_t *out, const uint8_t *in, int sign)
{
    const uint8_t value = *in;
    *out = sign < 0 ? (uint8_t)(0u - (uintmax_t)value) : value;
}

static void turn_rows_uint8_t(uint8_t *to_points, const hx_region *to, const uint8_t *from_points,
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
            uint8_t *out = to_points + k * to_k + j * to_j;
            const uint8_t *in = from_points + k * from_k + j * from_j;
            memcpy(out, in, (size_t)n_i * sizeof *out);
        }
    }
}

static void copy_turned_uint8_t(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                int sign)
{
    uint8_t *to_points = (uint8_t *)to_field + to->at;
    const uint8_t *from_points = (const uint8_t *)from_field + from->at;
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_uint8_t(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            uint8_t *out = to_points + k * to_k + j * to_j;
            const uint8_t *in = from_points + k * from_k + j * from_j;
            for (ptrdiff_t i = 0; i < n_i; ++i) {
                turn_uint8_t(out + i * to_i, in + i * from_i, sign);
            }
        }
    }
}

/* ---- kernels by the depths of the halos below and above along the fastest axis ---- */

static const hx_pair pair_int64_t_1_1 = {1, 1, pack_pair_int64_t_1_1, unpack_pair_int64_t_1_1, copy_pair_int64_t_1_1};

static const hx_accumulating adding_int64_t = {
    .unpack = add_unpack_int64_t,
    .copy = add_copy_int64_t,
};

static const hx_strip strips_int64_t_1_1[] = {
    {1, pack_int64_t_1, unpack_int64_t_1, copy_int64_t_1},
    {.points = HX_END},
};
static const hx_kernels kernels_int64_t_1_1 = {
    .pack = pack_int64_t,
    .unpack = unpack_int64_t,
    .copy = copy_int64_t,
    .strip = strips_int64_t_1_1,
    .strips = HX_ROWS(strips_int64_t_1_1),
    .pair = &pair_int64_t_1_1,
};

static const hx_strip strips_int64_t_1_1_add[] = {
    {1, pack_int64_t_1, unpack_int64_t_1, copy_int64_t_1},
    {.points = HX_END},
};
static const hx_kernels kernels_int64_t_1_1_add = {
    .pack = pack_int64_t,
    .unpack = unpack_int64_t,
    .copy = copy_int64_t,
    .strip = strips_int64_t_1_1_add,
    .strips = HX_ROWS(strips_int64_t_1_1_add),
    .pair = &pair_int64_t_1_1,
    .accumulating = &adding_int64_t,
    .zero = zero_int64_t,
};

static const hx_kernels kernels_int64_t_any = {
    .pack = pack_int64_t,
    .unpack = unpack_int64_t,
    .copy = copy_int64_t,
    .copy_turned = copy_turned_int64_t,
};

static const hx_pair pair_float_1_1 = {1, 1, pack_pair_float_1_1, unpack_pair_float_1_1, copy_pair_float_1_1};

static const hx_accumulating adding_float = {
    .unpack = add_unpack_float,
    .copy = add_copy_float,
};

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

static const hx_strip strips_float_1_1_add[] = {
    {1, pack_float_1, unpack_float_1, copy_float_1},
    {.points = HX_END},
};
static const hx_kernels kernels_float_1_1_add = {
    .pack = pack_float,
    .unpack = unpack_float,
    .copy = copy_float,
    .strip = strips_float_1_1_add,
    .strips = HX_ROWS(strips_float_1_1_add),
    .pair = &pair_float_1_1,
    .accumulating = &adding_float,
    .zero = zero_float,
};

static const hx_kernels kernels_float_any = {
    .pack = pack_float,
    .unpack = unpack_float,
    .copy = copy_float,
    .copy_turned = copy_turned_float,
};

static const hx_kernels kernels_double_any = {
    .pack = pack_double,
    .unpack = unpack_double,
    .copy = copy_double,
    .copy_turned = copy_turned_double,
};

static const hx_kernels kernels_uint8_t_any = {
    .pack = pack_uint8_t,
    .unpack = unpack_uint8_t,
    .copy = copy_uint8_t,
    .copy_turned = copy_turned_uint8_t,
};

/* ---- where the points beyond the sides of a tile come from ---- */

/*
 * The tables from here to mixed_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
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
    {{0, 0, 0}, links_1, HX_ROWS(links_1), {-1, -1, -1}, NULL, 0, UINT64_C(0xcf92fa9e192073f3)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "u",
        .type = "double",
        .line = 3,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {2, 2, 2},
        .halo_hi = {2, 2, 2},
        .pointer = offsetof(mixed_fields, u),
        .on_device = 1,
        .sum = UINT64_C(0xa1df5d3e166df555),
    },
    {
        .name = "v",
        .type = "double",
        .line = 3,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {2, 2, 2},
        .halo_hi = {2, 2, 2},
        .pointer = offsetof(mixed_fields, v),
        .on_device = 1,
        .sum = UINT64_C(0x4da37da5d101a575),
    },
    {
        .name = "p",
        .type = "float",
        .line = 4,
        .size = sizeof(float),
        .alignment = _Alignof(float),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {1, 2, 1},
        .halo_hi = {1, 2, 1},
        .pointer = offsetof(mixed_fields, p),
        .sum = UINT64_C(0x48ea23330faee709),
    },
    {
        .name = "q",
        .type = "uint8_t",
        .line = 5,
        .size = sizeof(uint8_t),
        .alignment = _Alignof(uint8_t),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {1, 1, 1},
        .halo_hi = {1, 1, 1},
        .pointer = offsetof(mixed_fields, q),
        .on_device = 1,
        .sum = UINT64_C(0x5024e1b87de8843d),
    },
    {
        .name = "r",
        .type = "int64_t",
        .line = 6,
        .size = sizeof(int64_t),
        .alignment = _Alignof(int64_t),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {1, 1, 1},
        .halo_hi = {1, 1, 1},
        .pointer = offsetof(mixed_fields, r),
        .sum = UINT64_C(0x59fbd4b31ac20fcb),
    },
    {.line = HX_END},
};

/* What moves any box of a field, for redistribution. */
static const hx_kernels *const kernels_of_any_box[] = {
    &kernels_double_any,
    &kernels_double_any,
    &kernels_float_any,
    &kernels_uint8_t_any,
    &kernels_int64_t_any,
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

static const hx_exchange_field fields_of_all[] = {
    {MIXED_U, {1, 1, 1}, {1, 1, 1}, NULL, NULL, HX_WIRE_NOT},
    {MIXED_V, {1, 1, 1}, {1, 1, 1}, NULL, NULL, HX_WIRE_NOT},
    {MIXED_R, {1, 1, 1}, {1, 1, 1}, &kernels_int64_t_1_1, NULL, HX_WIRE_NOT},
    {MIXED_P, {1, 1, 1}, {1, 1, 1}, &kernels_float_1_1, NULL, HX_WIRE_NOT},
    {MIXED_Q, {1, 1, 1}, {1, 1, 1}, NULL, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_both[] = {
    {MIXED_P, {1, 2, 1}, {1, 2, 1}, &kernels_float_1_1, NULL, HX_WIRE_NOT},
    {MIXED_Q, {1, 1, 1}, {1, 1, 1}, NULL, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_host[] = {
    {MIXED_R, {1, 1, 1}, {1, 1, 1}, &kernels_int64_t_1_1, NULL, HX_WIRE_NOT},
    {MIXED_P, {1, 2, 1}, {1, 2, 1}, &kernels_float_1_1, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_star[] = {
    {MIXED_U, {2, 2, 2}, {2, 2, 2}, NULL, NULL, HX_WIRE_NOT},
    {MIXED_V, {2, 2, 2}, {2, 2, 2}, NULL, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_sums[] = {
    {MIXED_R, {1, 1, 1}, {1, 1, 1}, &kernels_int64_t_1_1_add, NULL, HX_WIRE_NOT},
    {MIXED_U, {2, 2, 2}, {2, 2, 2}, NULL, NULL, HX_WIRE_NOT},
    {MIXED_P, {1, 2, 1}, {1, 2, 1}, &kernels_float_1_1_add, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "all",
        .line = 9,
        .field = fields_of_all,
        .fields = HX_ROWS(fields_of_all),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .sum = UINT64_C(0xe351904bf04568e3),
    },
    {
        .name = "both",
        .line = 10,
        .field = fields_of_both,
        .fields = HX_ROWS(fields_of_both),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .sum = UINT64_C(0xff13c9a550781555),
    },
    {
        .name = "host",
        .line = 11,
        .field = fields_of_host,
        .fields = HX_ROWS(fields_of_host),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .by_dimension = 1,
        .sum = UINT64_C(0x492c1a6878c740d1),
    },
    {
        .name = "star",
        .line = 12,
        .field = fields_of_star,
        .fields = HX_ROWS(fields_of_star),
        .direction = directions_2,
        .directions = HX_ROWS(directions_2),
        .sum = UINT64_C(0xc25fc5bb502c3741),
    },
    {
        .name = "sums",
        .line = 13,
        .field = fields_of_sums,
        .fields = HX_ROWS(fields_of_sums),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .operation = HX_ADD,
        .sum = UINT64_C(0xb3b92aab12c3d5d1),
    },
    {.line = HX_END},
};

extern const struct hx_cuda_kernels mixed_cuda; /* mixed.cu */

HX_STATIC_ASSERT(HX_ROWS(field_table) == MIXED_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_COUNT(kernels_of_any_box) == MIXED_FIELDS, "a field has no kernels for redistribution, or twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == MIXED_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec mixed_spec = {
    .abi = HX_ABI,
    .name = "mixed",
    .file = "mixed.lua",
    .hash = UINT64_C(0x348cef8f3c9cbf4b),
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
    .fields_size = sizeof(mixed_fields),
    .shape_size = sizeof(mixed_shape),
    .shape_stride = offsetof(mixed_shape, stride),
    .cuda = &mixed_cuda,
    .face_bytes = {212.0, 236.0, 212.0},
    .sum = UINT64_C(0x98edc783d011842d),
    .any = kernels_of_any_box,
    .cuda_sum = UINT64_C(0x5b0cc962c1fdeee5), /* of the tables in mixed.cu */
};

/* ---- what mixed.h declares ---- */

mixed_shape mixed_shape_dense(const hx_part *part)
{
    mixed_shape shape = {.part = *part};
    hx_dense_strides(&mixed_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

mixed_shape mixed_shape_best(const hx_part *part)
{
    mixed_shape shape = {.part = *part};
    hx_best_strides(&mixed_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status mixed_shape_of(const hx_part *part, const hx_strided_array *arrays, mixed_shape *shape)
{
    return hx_shape_of_arrays(&mixed_spec, part, arrays, shape);
}

size_t mixed_points(const mixed_shape *shape, int field)
{
    return hx_points(&mixed_spec, shape, field);
}

hx_boxes mixed_owned_points(const mixed_shape *shape, int field)
{
    return hx_owned_points(&mixed_spec, shape, field);
}

hx_boxes mixed_all_interior(const mixed_shape *shape, int field)
{
    return hx_interior(&mixed_spec, shape, MIXED_ALL, field);
}

hx_boxes mixed_all_rim(const mixed_shape *shape, int field)
{
    return hx_rim(&mixed_spec, shape, MIXED_ALL, field);
}

hx_boxes mixed_both_interior(const mixed_shape *shape, int field)
{
    return hx_interior(&mixed_spec, shape, MIXED_BOTH, field);
}

hx_boxes mixed_both_rim(const mixed_shape *shape, int field)
{
    return hx_rim(&mixed_spec, shape, MIXED_BOTH, field);
}

hx_boxes mixed_host_interior(const mixed_shape *shape, int field)
{
    return hx_interior(&mixed_spec, shape, MIXED_HOST, field);
}

hx_boxes mixed_host_rim(const mixed_shape *shape, int field)
{
    return hx_rim(&mixed_spec, shape, MIXED_HOST, field);
}

hx_boxes mixed_star_interior(const mixed_shape *shape, int field)
{
    return hx_interior(&mixed_spec, shape, MIXED_STAR, field);
}

hx_boxes mixed_star_rim(const mixed_shape *shape, int field)
{
    return hx_rim(&mixed_spec, shape, MIXED_STAR, field);
}

hx_boxes mixed_sums_interior(const mixed_shape *shape, int field)
{
    return hx_interior(&mixed_spec, shape, MIXED_SUMS, field);
}

hx_boxes mixed_sums_rim(const mixed_shape *shape, int field)
{
    return hx_rim(&mixed_spec, shape, MIXED_SUMS, field);
}

hx_status mixed_create_for(const char *model, MPI_Comm comm, const mixed_shape *shape, const hx_options *options,
                           mixed **h)
{
    const hx_blocks blocks = {
        .comm = comm, .tiles = 1, .partition = shape ? &shape->part.partition : NULL, .count = 1};
    return mixed_create_blocks_for(model, &blocks, shape, options, h);
}

hx_status mixed_create_blocks_for(const char *model, const hx_blocks *blocks, const mixed_shape *shapes,
                                  const hx_options *options, mixed **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_for(model, &mixed_spec, blocks, shapes, options, h ? &handle : NULL);
    if (h) {
        *h = (mixed *)handle;
    }
    return status;
}

hx_status mixed_create_like(mixed *like, const hx_blocks *blocks, const mixed_shape *shapes, mixed **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_like((hx_handle *)like, blocks, shapes, h ? &handle : NULL);
    if (h) {
        *h = (mixed *)handle;
    }
    return status;
}

hx_status mixed_create_wide(mixed *narrow, MPI_Comm comm, const hx_options *options, mixed **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_wide(&mixed_spec, (hx_handle *)narrow, comm, options, h ? &handle : NULL);
    if (h) {
        *h = (mixed *)handle;
    }
    return status;
}

hx_status mixed_rebalance(mixed *h, const double work[], int owners[], int *moved)
{
    return hx_rebalance((hx_handle *)h, work, owners, moved);
}

hx_status mixed_destroy(mixed *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status mixed_alloc(mixed *h, mixed_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status mixed_free(mixed *h, mixed_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status mixed_register(mixed *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status mixed_unregister(mixed *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *mixed_handle(mixed *h)
{
    return (hx_handle *)h;
}

const char *mixed_describe(mixed *h)
{
    return hx_describe((hx_handle *)h);
}

const char *mixed_describe_json(mixed *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status mixed_traffic(const mixed *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status mixed_audit(mixed *h, int exchange, const mixed_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status mixed_redistribute(mixed *from, const mixed_fields *source, mixed *to, const mixed_fields *target, hx_stream stream)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, &(hx_redistribution){.stream = stream});
}

hx_status mixed_redistribute_with(mixed *from, const mixed_fields *source, mixed *to, const mixed_fields *target,
                                  const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status mixed_gather(mixed *h, const mixed_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_gather((hx_handle *)h, f, field, root, whole);
}

hx_status mixed_scatter(mixed *h, const mixed_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_scatter((hx_handle *)h, f, field, root, whole);
}

hx_status mixed_gather_selected(mixed *h, const mixed_fields *f, const hx_selection *wanted, int count)
{
    return hx_gather_selected((hx_handle *)h, f, wanted, count);
}

hx_status mixed_scatter_selected(mixed *h, const mixed_fields *f, const hx_selection *given, int count)
{
    return hx_scatter_selected((hx_handle *)h, f, given, count);
}

hx_status mixed_message_buffers(const mixed *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status mixed_extents(const mixed *h, int field, int block, int pass, hx_extent *extent, int *count)
{
    return hx_extents((const hx_handle *)h, field, block, pass, extent, count);
}

int mixed_file_passes(int field)
{
    return hx_file_passes(&mixed_spec, field);
}

hx_status mixed_memory_type(const mixed *h, int field, int pass, const mixed_fields *f,
                            MPI_Datatype *type)
{
    return hx_memory_type((const hx_handle *)h, field, pass, f, type);
}

hx_status mixed_file_type(const mixed *h, int field, int pass, MPI_Datatype *type)
{
    return hx_file_type((const hx_handle *)h, field, pass, type);
}

hx_status mixed_all_start(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_start_on((hx_handle *)h, MIXED_ALL, f, stream);
}

hx_status mixed_all_test(mixed *h, int *done)
{
    return hx_test((hx_handle *)h, MIXED_ALL, done);
}

hx_status mixed_all_finish(mixed *h, hx_stream stream)
{
    return hx_finish_on((hx_handle *)h, MIXED_ALL, stream);
}

hx_status mixed_all(mixed *h, const mixed_fields *f, hx_stream stream)
{
    const hx_status status = mixed_all_start(h, f, stream);
    return status == HX_OK ? mixed_all_finish(h, stream) : status;
}

hx_status mixed_all_pack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_pack_on((hx_handle *)h, MIXED_ALL, f, stream);
}

hx_status mixed_all_send(mixed *h, hx_stream stream)
{
    return hx_send_on((hx_handle *)h, MIXED_ALL, stream);
}

hx_status mixed_all_receive(mixed *h)
{
    return hx_receive((hx_handle *)h, MIXED_ALL);
}

hx_status mixed_all_unpack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_unpack_on((hx_handle *)h, MIXED_ALL, f, stream);
}

hx_status mixed_both_start(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_start_on((hx_handle *)h, MIXED_BOTH, f, stream);
}

hx_status mixed_both_test(mixed *h, int *done)
{
    return hx_test((hx_handle *)h, MIXED_BOTH, done);
}

hx_status mixed_both_finish(mixed *h, hx_stream stream)
{
    return hx_finish_on((hx_handle *)h, MIXED_BOTH, stream);
}

hx_status mixed_both(mixed *h, const mixed_fields *f, hx_stream stream)
{
    const hx_status status = mixed_both_start(h, f, stream);
    return status == HX_OK ? mixed_both_finish(h, stream) : status;
}

hx_status mixed_both_pack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_pack_on((hx_handle *)h, MIXED_BOTH, f, stream);
}

hx_status mixed_both_send(mixed *h, hx_stream stream)
{
    return hx_send_on((hx_handle *)h, MIXED_BOTH, stream);
}

hx_status mixed_both_receive(mixed *h)
{
    return hx_receive((hx_handle *)h, MIXED_BOTH);
}

hx_status mixed_both_unpack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_unpack_on((hx_handle *)h, MIXED_BOTH, f, stream);
}

hx_status mixed_host_start(mixed *h, const mixed_fields *f)
{
    return hx_start((hx_handle *)h, MIXED_HOST, f);
}

hx_status mixed_host_test(mixed *h, int *done)
{
    return hx_test((hx_handle *)h, MIXED_HOST, done);
}

hx_status mixed_host_finish(mixed *h)
{
    return hx_finish((hx_handle *)h, MIXED_HOST);
}

hx_status mixed_host(mixed *h, const mixed_fields *f)
{
    const hx_status status = mixed_host_start(h, f);
    return status == HX_OK ? mixed_host_finish(h) : status;
}

hx_status mixed_star_start(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_start_on((hx_handle *)h, MIXED_STAR, f, stream);
}

hx_status mixed_star_test(mixed *h, int *done)
{
    return hx_test((hx_handle *)h, MIXED_STAR, done);
}

hx_status mixed_star_finish(mixed *h, hx_stream stream)
{
    return hx_finish_on((hx_handle *)h, MIXED_STAR, stream);
}

hx_status mixed_star(mixed *h, const mixed_fields *f, hx_stream stream)
{
    const hx_status status = mixed_star_start(h, f, stream);
    return status == HX_OK ? mixed_star_finish(h, stream) : status;
}

hx_status mixed_star_pack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_pack_on((hx_handle *)h, MIXED_STAR, f, stream);
}

hx_status mixed_star_send(mixed *h, hx_stream stream)
{
    return hx_send_on((hx_handle *)h, MIXED_STAR, stream);
}

hx_status mixed_star_receive(mixed *h)
{
    return hx_receive((hx_handle *)h, MIXED_STAR);
}

hx_status mixed_star_unpack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_unpack_on((hx_handle *)h, MIXED_STAR, f, stream);
}

hx_status mixed_sums_start(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_start_on((hx_handle *)h, MIXED_SUMS, f, stream);
}

hx_status mixed_sums_test(mixed *h, int *done)
{
    return hx_test((hx_handle *)h, MIXED_SUMS, done);
}

hx_status mixed_sums_finish(mixed *h, hx_stream stream)
{
    return hx_finish_on((hx_handle *)h, MIXED_SUMS, stream);
}

hx_status mixed_sums(mixed *h, const mixed_fields *f, hx_stream stream)
{
    const hx_status status = mixed_sums_start(h, f, stream);
    return status == HX_OK ? mixed_sums_finish(h, stream) : status;
}

hx_status mixed_sums_pack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_pack_on((hx_handle *)h, MIXED_SUMS, f, stream);
}

hx_status mixed_sums_send(mixed *h, hx_stream stream)
{
    return hx_send_on((hx_handle *)h, MIXED_SUMS, stream);
}

hx_status mixed_sums_receive(mixed *h)
{
    return hx_receive((hx_handle *)h, MIXED_SUMS);
}

hx_status mixed_sums_unpack(mixed *h, const mixed_fields *f, hx_stream stream)
{
    return hx_unpack_on((hx_handle *)h, MIXED_SUMS, f, stream);
}
