/*
 * column: loops and tables of the halo exchanges of column.lua.  See column.h.
 *
 * Emitted by halogen 0.1.0 from column.lua, model c73f1a9854d268b9.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "column.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char column_model_c73f1a9854d268b9_23 = 0; /* see column.h */

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

/* ---- double_lev_lon_lat_bin: whole rows along lev ---- */

static void pack_double_lev_lon_lat_bin(const void *field, const hx_region *from, void *buffer)
{
    const double *points = (const double *)field + from->at;
    double *out = buffer;
    const size_t row = (size_t)from->n[2];
    const ptrdiff_t n_bin = from->n[3], s_bin = from->stride[3];
    const ptrdiff_t n_lat = from->n[1], s_lat = from->stride[1];
    const ptrdiff_t n_lon = from->n[0], s_lon = from->stride[0];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t j = 0; j < n_lat; ++j) {
            for (ptrdiff_t i = 0; i < n_lon; ++i) {
                memcpy(out, points + i * s_lon + j * s_lat + l * s_bin, row * sizeof *out);
                out += row;
            }
        }
    }
}

static void unpack_double_lev_lon_lat_bin(void *field, const hx_region *to, const void *buffer)
{
    double *points = (double *)field + to->at;
    const double *in = buffer;
    const size_t row = (size_t)to->n[2];
    const ptrdiff_t n_bin = to->n[3], s_bin = to->stride[3];
    const ptrdiff_t n_lat = to->n[1], s_lat = to->stride[1];
    const ptrdiff_t n_lon = to->n[0], s_lon = to->stride[0];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t j = 0; j < n_lat; ++j) {
            for (ptrdiff_t i = 0; i < n_lon; ++i) {
                memcpy(points + i * s_lon + j * s_lat + l * s_bin, in, row * sizeof *in);
                in += row;
            }
        }
    }
}

static void copy_double_lev_lon_lat_bin(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    double *out = (double *)to_field + to->at;
    const double *in = (const double *)from_field + from->at;
    const size_t row = (size_t)to->n[2];
    const ptrdiff_t n_bin = to->n[3];
    const ptrdiff_t to_s_bin = to->stride[3], from_s_bin = from->stride[3];
    const ptrdiff_t n_lat = to->n[1];
    const ptrdiff_t to_s_lat = to->stride[1], from_s_lat = from->stride[1];
    const ptrdiff_t n_lon = to->n[0];
    const ptrdiff_t to_s_lon = to->stride[0], from_s_lon = from->stride[0];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t j = 0; j < n_lat; ++j) {
            for (ptrdiff_t i = 0; i < n_lon; ++i) {
                memcpy(out + i * to_s_lon + j * to_s_lat + l * to_s_bin, in + i * from_s_lon + j * from_s_lat + l * from_s_bin, row * sizeof *out);
            }
        }
    }
}

/* ---- double_lev_lon_lat_bin: any strides at both ends, with a sign ---- */

static inline void turn_double_lev_lon_lat_bin(double *out, const double *in, int sign)
{
    const double value = *in;
    *out = sign < 0 ? -value : value;
}

static void turn_rows_double_lev_lon_lat_bin(double *to_points, const hx_region *to, const double *from_points,
                                             const hx_region *from)
{
    const ptrdiff_t n_i = to->n[0];
    const ptrdiff_t n_l = to->n[3], to_l = to->stride[3], from_l = from->stride[3];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const int to_far = !(-n_i <= to_k && to_k <= n_i), from_far = !(-n_i <= from_k && from_k <= n_i);
    for (ptrdiff_t l = 0; l < n_l; ++l) {
        for (ptrdiff_t k = 0; k < n_k; ++k) {
            if (to_far && k % 2 == 0) {
                ask_for(beyond(to_points + l * to_l, (k + 2) * to_k, sizeof *to_points), beyond(to_points + l * to_l, (k + 3) * to_k, sizeof *to_points));
            }
            if (from_far && k % 2 == 0) {
                ask_for(beyond(from_points + l * from_l, (k + 2) * from_k, sizeof *from_points), beyond(from_points + l * from_l, (k + 3) * from_k, sizeof *from_points));
            }
            for (ptrdiff_t j = 0; j < n_j; ++j) {
                double *out = to_points + l * to_l + k * to_k + j * to_j;
                const double *in = from_points + l * from_l + k * from_k + j * from_j;
                memcpy(out, in, (size_t)n_i * sizeof *out);
            }
        }
    }
}

static void copy_turned_double_lev_lon_lat_bin(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                               int sign)
{
    double *to_points = (double *)to_field + to->at;
    const double *from_points = (const double *)from_field + from->at;
    const ptrdiff_t n_l = to->n[3], to_l = to->stride[3], from_l = from->stride[3];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_double_lev_lon_lat_bin(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t l = 0; l < n_l; ++l) {
        for (ptrdiff_t k = 0; k < n_k; ++k) {
            for (ptrdiff_t j = 0; j < n_j; ++j) {
                double *out = to_points + l * to_l + k * to_k + j * to_j;
                const double *in = from_points + l * from_l + k * from_k + j * from_j;
                for (ptrdiff_t i = 0; i < n_i; ++i) {
                    turn_double_lev_lon_lat_bin(out + i * to_i, in + i * from_i, sign);
                }
            }
        }
    }
}

/* ---- int16_t_lon_lat_lev_bin: whole rows along lon ---- */

static void pack_int16_t_lon_lat_lev_bin(const void *field, const hx_region *from, void *buffer)
{
    const int16_t *points = (const int16_t *)field + from->at;
    int16_t *out = buffer;
    const size_t row = (size_t)from->n[0];
    const ptrdiff_t n_bin = from->n[3], s_bin = from->stride[3];
    const ptrdiff_t n_lev = from->n[2], s_lev = from->stride[2];
    const ptrdiff_t n_lat = from->n[1], s_lat = from->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                memcpy(out, points + j * s_lat + k * s_lev + l * s_bin, row * sizeof *out);
                out += row;
            }
        }
    }
}

static void unpack_int16_t_lon_lat_lev_bin(void *field, const hx_region *to, const void *buffer)
{
    int16_t *points = (int16_t *)field + to->at;
    const int16_t *in = buffer;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t n_bin = to->n[3], s_bin = to->stride[3];
    const ptrdiff_t n_lev = to->n[2], s_lev = to->stride[2];
    const ptrdiff_t n_lat = to->n[1], s_lat = to->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                memcpy(points + j * s_lat + k * s_lev + l * s_bin, in, row * sizeof *in);
                in += row;
            }
        }
    }
}

static void copy_int16_t_lon_lat_lev_bin(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    int16_t *out = (int16_t *)to_field + to->at;
    const int16_t *in = (const int16_t *)from_field + from->at;
    const size_t row = (size_t)to->n[0];
    const ptrdiff_t n_bin = to->n[3];
    const ptrdiff_t to_s_bin = to->stride[3], from_s_bin = from->stride[3];
    const ptrdiff_t n_lev = to->n[2];
    const ptrdiff_t to_s_lev = to->stride[2], from_s_lev = from->stride[2];
    const ptrdiff_t n_lat = to->n[1];
    const ptrdiff_t to_s_lat = to->stride[1], from_s_lat = from->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                memcpy(out + j * to_s_lat + k * to_s_lev + l * to_s_bin, in + j * from_s_lat + k * from_s_lev + l * from_s_bin, row * sizeof *out);
            }
        }
    }
}

/* ---- int16_t_lon_lat_lev_bin: rows of 1 along lon ---- */

static void pack_int16_t_lon_lat_lev_bin_1(const void *field, const hx_region *from, void *buffer)
{
    const int16_t *points = (const int16_t *)field + from->at;
    int16_t *out = buffer;
    const ptrdiff_t n_bin = from->n[3], s_bin = from->stride[3];
    const ptrdiff_t n_lev = from->n[2], s_lev = from->stride[2];
    const ptrdiff_t n_lat = from->n[1], s_lat = from->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                *out = points[j * s_lat + k * s_lev + l * s_bin];
                out += 1;
            }
        }
    }
}

static void unpack_int16_t_lon_lat_lev_bin_1(void *field, const hx_region *to, const void *buffer)
{
    int16_t *points = (int16_t *)field + to->at;
    const int16_t *in = buffer;
    const ptrdiff_t n_bin = to->n[3], s_bin = to->stride[3];
    const ptrdiff_t n_lev = to->n[2], s_lev = to->stride[2];
    const ptrdiff_t n_lat = to->n[1], s_lat = to->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                points[j * s_lat + k * s_lev + l * s_bin] = *in;
                in += 1;
            }
        }
    }
}

static void copy_int16_t_lon_lat_lev_bin_1(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    int16_t *out = (int16_t *)to_field + to->at;
    const int16_t *in = (const int16_t *)from_field + from->at;
    const ptrdiff_t n_bin = to->n[3];
    const ptrdiff_t to_s_bin = to->stride[3], from_s_bin = from->stride[3];
    const ptrdiff_t n_lev = to->n[2];
    const ptrdiff_t to_s_lev = to->stride[2], from_s_lev = from->stride[2];
    const ptrdiff_t n_lat = to->n[1];
    const ptrdiff_t to_s_lat = to->stride[1], from_s_lat = from->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                out[j * to_s_lat + k * to_s_lev + l * to_s_bin] = in[j * from_s_lat + k * from_s_lev + l * from_s_bin];
            }
        }
    }
}

/* ---- int16_t_lon_lat_lev_bin: both halos across lon, 1 below and 1 above, together ---- */

static void pack_pair_int16_t_lon_lat_lev_bin_1_1(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                                                  void *hi_buffer)
{
    const int16_t *lo_points = (const int16_t *)field + lo->at;
    const int16_t *hi_points = (const int16_t *)field + hi->at;
    int16_t *lo_out = lo_buffer;
    int16_t *hi_out = hi_buffer;
    const ptrdiff_t n_bin = lo->n[3], s_bin = lo->stride[3];
    const ptrdiff_t n_lev = lo->n[2], s_lev = lo->stride[2];
    const ptrdiff_t n_lat = lo->n[1], s_lat = lo->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                *lo_out = lo_points[j * s_lat + k * s_lev + l * s_bin];
                *hi_out = hi_points[j * s_lat + k * s_lev + l * s_bin];
                lo_out += 1;
                hi_out += 1;
            }
        }
    }
}

static void unpack_pair_int16_t_lon_lat_lev_bin_1_1(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                                    const void *hi_buffer)
{
    int16_t *lo_points = (int16_t *)field + lo->at;
    int16_t *hi_points = (int16_t *)field + hi->at;
    const int16_t *lo_in = lo_buffer;
    const int16_t *hi_in = hi_buffer;
    const ptrdiff_t n_bin = lo->n[3], s_bin = lo->stride[3];
    const ptrdiff_t n_lev = lo->n[2], s_lev = lo->stride[2];
    const ptrdiff_t n_lat = lo->n[1], s_lat = lo->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                lo_points[j * s_lat + k * s_lev + l * s_bin] = *lo_in;
                hi_points[j * s_lat + k * s_lev + l * s_bin] = *hi_in;
                lo_in += 1;
                hi_in += 1;
            }
        }
    }
}

static void copy_pair_int16_t_lon_lat_lev_bin_1_1(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                                                  const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    int16_t *lo_out = (int16_t *)to_field + to_lo->at;
    int16_t *hi_out = (int16_t *)to_field + to_hi->at;
    const int16_t *lo_in = (const int16_t *)from_field + from_lo->at;
    const int16_t *hi_in = (const int16_t *)from_field + from_hi->at;
    const ptrdiff_t n_bin = to_lo->n[3];
    const ptrdiff_t to_s_bin = to_lo->stride[3], from_s_bin = from_lo->stride[3];
    const ptrdiff_t n_lev = to_lo->n[2];
    const ptrdiff_t to_s_lev = to_lo->stride[2], from_s_lev = from_lo->stride[2];
    const ptrdiff_t n_lat = to_lo->n[1];
    const ptrdiff_t to_s_lat = to_lo->stride[1], from_s_lat = from_lo->stride[1];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t k = 0; k < n_lev; ++k) {
            for (ptrdiff_t j = 0; j < n_lat; ++j) {
                lo_out[j * to_s_lat + k * to_s_lev + l * to_s_bin] = lo_in[j * from_s_lat + k * from_s_lev + l * from_s_bin];
                hi_out[j * to_s_lat + k * to_s_lev + l * to_s_bin] = hi_in[j * from_s_lat + k * from_s_lev + l * from_s_bin];
            }
        }
    }
}

/* ---- int16_t_lon_lat_lev_bin: any strides at both ends, with a sign ---- */

static inline void turn_int16_t_lon_lat_lev_bin(int16_t *out, const int16_t *in, int sign)
{
    const int16_t value = *in;
    *out = sign < 0 ? (int16_t)(0u - (uintmax_t)value) : value;
}

static void turn_rows_int16_t_lon_lat_lev_bin(int16_t *to_points, const hx_region *to, const int16_t *from_points,
                                              const hx_region *from)
{
    const ptrdiff_t n_i = to->n[0];
    const ptrdiff_t n_l = to->n[3], to_l = to->stride[3], from_l = from->stride[3];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const int to_far = !(-n_i <= to_k && to_k <= n_i), from_far = !(-n_i <= from_k && from_k <= n_i);
    for (ptrdiff_t l = 0; l < n_l; ++l) {
        for (ptrdiff_t k = 0; k < n_k; ++k) {
            if (to_far && k % 2 == 0) {
                ask_for(beyond(to_points + l * to_l, (k + 2) * to_k, sizeof *to_points), beyond(to_points + l * to_l, (k + 3) * to_k, sizeof *to_points));
            }
            if (from_far && k % 2 == 0) {
                ask_for(beyond(from_points + l * from_l, (k + 2) * from_k, sizeof *from_points), beyond(from_points + l * from_l, (k + 3) * from_k, sizeof *from_points));
            }
            for (ptrdiff_t j = 0; j < n_j; ++j) {
                int16_t *out = to_points + l * to_l + k * to_k + j * to_j;
                const int16_t *in = from_points + l * from_l + k * from_k + j * from_j;
                memcpy(out, in, (size_t)n_i * sizeof *out);
            }
        }
    }
}

static void copy_turned_int16_t_lon_lat_lev_bin(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                                int sign)
{
    int16_t *to_points = (int16_t *)to_field + to->at;
    const int16_t *from_points = (const int16_t *)from_field + from->at;
    const ptrdiff_t n_l = to->n[3], to_l = to->stride[3], from_l = from->stride[3];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_int16_t_lon_lat_lev_bin(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t l = 0; l < n_l; ++l) {
        for (ptrdiff_t k = 0; k < n_k; ++k) {
            for (ptrdiff_t j = 0; j < n_j; ++j) {
                int16_t *out = to_points + l * to_l + k * to_k + j * to_j;
                const int16_t *in = from_points + l * from_l + k * from_k + j * from_j;
                for (ptrdiff_t i = 0; i < n_i; ++i) {
                    turn_int16_t_lon_lat_lev_bin(out + i * to_i, in + i * from_i, sign);
                }
            }
        }
    }
}

/* ---- unsigned_long_long_lev_lon_lat_bin: whole rows along lev ---- */

static void pack_unsigned_long_long_lev_lon_lat_bin(const void *field, const hx_region *from, void *buffer)
{
    const unsigned long long *points = (const unsigned long long *)field + from->at;
    unsigned long long *out = buffer;
    const size_t row = (size_t)from->n[2];
    const ptrdiff_t n_bin = from->n[3], s_bin = from->stride[3];
    const ptrdiff_t n_lat = from->n[1], s_lat = from->stride[1];
    const ptrdiff_t n_lon = from->n[0], s_lon = from->stride[0];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t j = 0; j < n_lat; ++j) {
            for (ptrdiff_t i = 0; i < n_lon; ++i) {
                memcpy(out, points + i * s_lon + j * s_lat + l * s_bin, row * sizeof *out);
                out += row;
            }
        }
    }
}

static void unpack_unsigned_long_long_lev_lon_lat_bin(void *field, const hx_region *to, const void *buffer)
{
    unsigned long long *points = (unsigned long long *)field + to->at;
    const unsigned long long *in = buffer;
    const size_t row = (size_t)to->n[2];
    const ptrdiff_t n_bin = to->n[3], s_bin = to->stride[3];
    const ptrdiff_t n_lat = to->n[1], s_lat = to->stride[1];
    const ptrdiff_t n_lon = to->n[0], s_lon = to->stride[0];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t j = 0; j < n_lat; ++j) {
            for (ptrdiff_t i = 0; i < n_lon; ++i) {
                memcpy(points + i * s_lon + j * s_lat + l * s_bin, in, row * sizeof *in);
                in += row;
            }
        }
    }
}

static void copy_unsigned_long_long_lev_lon_lat_bin(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    unsigned long long *out = (unsigned long long *)to_field + to->at;
    const unsigned long long *in = (const unsigned long long *)from_field + from->at;
    const size_t row = (size_t)to->n[2];
    const ptrdiff_t n_bin = to->n[3];
    const ptrdiff_t to_s_bin = to->stride[3], from_s_bin = from->stride[3];
    const ptrdiff_t n_lat = to->n[1];
    const ptrdiff_t to_s_lat = to->stride[1], from_s_lat = from->stride[1];
    const ptrdiff_t n_lon = to->n[0];
    const ptrdiff_t to_s_lon = to->stride[0], from_s_lon = from->stride[0];
    for (ptrdiff_t l = 0; l < n_bin; ++l) {
        for (ptrdiff_t j = 0; j < n_lat; ++j) {
            for (ptrdiff_t i = 0; i < n_lon; ++i) {
                memcpy(out + i * to_s_lon + j * to_s_lat + l * to_s_bin, in + i * from_s_lon + j * from_s_lat + l * from_s_bin, row * sizeof *out);
            }
        }
    }
}

/* ---- unsigned_long_long_lev_lon_lat_bin: any strides at both ends, with a sign ---- */

static inline void turn_unsigned_long_long_lev_lon_lat_bin(unsigned long long *out, const unsigned long long *in, int sign)
{
    const unsigned long long value = *in;
    *out = sign < 0 ? (unsigned long long)(0u - (uintmax_t)value) : value;
}

static void turn_rows_unsigned_long_long_lev_lon_lat_bin(unsigned long long *to_points, const hx_region *to, const unsigned long long *from_points,
                                                         const hx_region *from)
{
    const ptrdiff_t n_i = to->n[0];
    const ptrdiff_t n_l = to->n[3], to_l = to->stride[3], from_l = from->stride[3];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const int to_far = !(-n_i <= to_k && to_k <= n_i), from_far = !(-n_i <= from_k && from_k <= n_i);
    for (ptrdiff_t l = 0; l < n_l; ++l) {
        for (ptrdiff_t k = 0; k < n_k; ++k) {
            if (to_far && k % 2 == 0) {
                ask_for(beyond(to_points + l * to_l, (k + 2) * to_k, sizeof *to_points), beyond(to_points + l * to_l, (k + 3) * to_k, sizeof *to_points));
            }
            if (from_far && k % 2 == 0) {
                ask_for(beyond(from_points + l * from_l, (k + 2) * from_k, sizeof *from_points), beyond(from_points + l * from_l, (k + 3) * from_k, sizeof *from_points));
            }
            for (ptrdiff_t j = 0; j < n_j; ++j) {
                unsigned long long *out = to_points + l * to_l + k * to_k + j * to_j;
                const unsigned long long *in = from_points + l * from_l + k * from_k + j * from_j;
                memcpy(out, in, (size_t)n_i * sizeof *out);
            }
        }
    }
}

static void copy_turned_unsigned_long_long_lev_lon_lat_bin(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                                           int sign)
{
    unsigned long long *to_points = (unsigned long long *)to_field + to->at;
    const unsigned long long *from_points = (const unsigned long long *)from_field + from->at;
    const ptrdiff_t n_l = to->n[3], to_l = to->stride[3], from_l = from->stride[3];
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_unsigned_long_long_lev_lon_lat_bin(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t l = 0; l < n_l; ++l) {
        for (ptrdiff_t k = 0; k < n_k; ++k) {
            for (ptrdiff_t j = 0; j < n_j; ++j) {
                unsigned long long *out = to_points + l * to_l + k * to_k + j * to_j;
                const unsigned long long *in = from_points + l * from_l + k * from_k + j * from_j;
                for (ptrdiff_t i = 0; i < n_i; ++i) {
                    turn_unsigned_long_long_lev_lon_lat_bin(out + i * to_i, in + i * from_i, sign);
                }
            }
        }
    }
}

/* ---- kernels by the depths of the halos below and above along the fastest axis ---- */

static const hx_kernels kernels_double_lev_lon_lat_bin_0_0 = {
    .pack = pack_double_lev_lon_lat_bin,
    .unpack = unpack_double_lev_lon_lat_bin,
    .copy = copy_double_lev_lon_lat_bin,
};

static const hx_kernels kernels_double_lev_lon_lat_bin_any = {
    .pack = pack_double_lev_lon_lat_bin,
    .unpack = unpack_double_lev_lon_lat_bin,
    .copy = copy_double_lev_lon_lat_bin,
    .copy_turned = copy_turned_double_lev_lon_lat_bin,
};

static const hx_pair pair_int16_t_lon_lat_lev_bin_1_1 = {1, 1, pack_pair_int16_t_lon_lat_lev_bin_1_1, unpack_pair_int16_t_lon_lat_lev_bin_1_1, copy_pair_int16_t_lon_lat_lev_bin_1_1};

static const hx_strip strips_int16_t_lon_lat_lev_bin_1_1[] = {
    {1, pack_int16_t_lon_lat_lev_bin_1, unpack_int16_t_lon_lat_lev_bin_1, copy_int16_t_lon_lat_lev_bin_1},
    {.points = HX_END},
};
static const hx_kernels kernels_int16_t_lon_lat_lev_bin_1_1 = {
    .pack = pack_int16_t_lon_lat_lev_bin,
    .unpack = unpack_int16_t_lon_lat_lev_bin,
    .copy = copy_int16_t_lon_lat_lev_bin,
    .strip = strips_int16_t_lon_lat_lev_bin_1_1,
    .strips = HX_ROWS(strips_int16_t_lon_lat_lev_bin_1_1),
    .pair = &pair_int16_t_lon_lat_lev_bin_1_1,
};

static const hx_kernels kernels_int16_t_lon_lat_lev_bin_any = {
    .pack = pack_int16_t_lon_lat_lev_bin,
    .unpack = unpack_int16_t_lon_lat_lev_bin,
    .copy = copy_int16_t_lon_lat_lev_bin,
    .copy_turned = copy_turned_int16_t_lon_lat_lev_bin,
};

static const hx_kernels kernels_unsigned_long_long_lev_lon_lat_bin_0_0 = {
    .pack = pack_unsigned_long_long_lev_lon_lat_bin,
    .unpack = unpack_unsigned_long_long_lev_lon_lat_bin,
    .copy = copy_unsigned_long_long_lev_lon_lat_bin,
};

static const hx_kernels kernels_unsigned_long_long_lev_lon_lat_bin_any = {
    .pack = pack_unsigned_long_long_lev_lon_lat_bin,
    .unpack = unpack_unsigned_long_long_lev_lon_lat_bin,
    .copy = copy_unsigned_long_long_lev_lon_lat_bin,
    .copy_turned = copy_turned_unsigned_long_long_lev_lon_lat_bin,
};

/* ---- where the points beyond the sides of a tile come from ---- */

/*
 * The tables from here to column_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
 * create compares their numbers with the sums beside them.
 */

/*
 * One row per link: destination tile, source tile, direction; for each axis of the source the axis, its sign, the cells
 * of destination and source, and the offset; then the component of the vector (-1: none) and the sign.
 */
static const hx_tile_link links_1[] = {
    {0, 0, {-1, 0, 0, 0}, {{0, 1, 0, 1, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 0, 0}, {3, 1, 0, 0, 0}}, -1, 1}, /* lon below */
    {0, 0, {1, 0, 0, 0}, {{0, 1, -1, 0, 0}, {1, 1, 0, 0, 0}, {2, 1, 0, 0, 0}, {3, 1, 0, 0, 0}}, -1, 1}, /* lon above */
    {.tile = HX_END},
};

static const hx_positions position_table[] = {
    {{0, 0, 0, 0}, links_1, HX_ROWS(links_1), {-1, -1, -1, -1}, NULL, 0, UINT64_C(0x14382ccb1b337971)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "t",
        .type = "double",
        .line = 9,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {2, 0, 1, 3},
        .halo_lo = {3, 3, 0, 0},
        .halo_hi = {3, 3, 0, 0},
        .pointer = offsetof(column_fields, t),
        .fixed_stride = {79, 0, 0, 0},
        .sum = UINT64_C(0x2645115290c63b4f),
    },
    {
        .name = "qv",
        .type = "double",
        .line = 9,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {2, 0, 1, 3},
        .halo_lo = {3, 3, 0, 0},
        .halo_hi = {3, 3, 0, 0},
        .pointer = offsetof(column_fields, qv),
        .fixed_stride = {79, 0, 0, 0},
        .sum = UINT64_C(0xb11e3aac05500587),
    },
    {
        .name = "mask",
        .type = "int16_t",
        .line = 10,
        .size = sizeof(int16_t),
        .alignment = _Alignof(int16_t),
        .positions = 0,
        .order = {0, 1, 2, 3},
        .halo_lo = {1, 1, 0, 0},
        .halo_hi = {2, 1, 0, 0},
        .pointer = offsetof(column_fields, mask),
        .sum = UINT64_C(0xed6c41c76785bbeb),
    },
    {
        .name = "n",
        .type = "unsigned long long",
        .line = 11,
        .size = sizeof(unsigned long long),
        .alignment = _Alignof(unsigned long long),
        .positions = 0,
        .order = {2, 0, 1, 3},
        .halo_lo = {1, 0, 0, 0},
        .halo_hi = {1, 0, 0, 0},
        .pointer = offsetof(column_fields, n),
        .fixed_stride = {79, 0, 0, 0},
        .sum = UINT64_C(0xebace093e301e433),
    },
    {.line = HX_END},
};

/* What moves any box of a field, for redistribution. */
static const hx_kernels *const kernels_of_any_box[] = {
    &kernels_double_lev_lon_lat_bin_any,
    &kernels_double_lev_lon_lat_bin_any,
    &kernels_int16_t_lon_lat_lev_bin_any,
    &kernels_unsigned_long_long_lev_lon_lat_bin_any,
};

/* ---- exchanges: fields in the order in which they lie in a message, with the layers below and above ---- */

static const signed char directions_1[][HX_MAX_AXES] = {
    {-1, -1, 0, 0},
    {-1, 0, 0, 0},
    {-1, 1, 0, 0},
    {0, -1, 0, 0},
    {0, 1, 0, 0},
    {1, -1, 0, 0},
    {1, 0, 0, 0},
    {1, 1, 0, 0},
    {HX_END},
};

static const signed char directions_2[][HX_MAX_AXES] = {
    {-1, 0, 0, 0},
    {1, 0, 0, 0},
    {HX_END},
};

static const hx_exchange_field fields_of_state[] = {
    {COLUMN_T, {1, 1, 0, 0}, {1, 1, 0, 0}, &kernels_double_lev_lon_lat_bin_0_0, NULL, HX_WIRE_NOT},
    {COLUMN_QV, {1, 1, 0, 0}, {1, 1, 0, 0}, &kernels_double_lev_lon_lat_bin_0_0, NULL, HX_WIRE_NOT},
    {COLUMN_MASK, {1, 1, 0, 0}, {1, 1, 0, 0}, &kernels_int16_t_lon_lat_lev_bin_1_1, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_deep[] = {
    {COLUMN_T, {3, 3, 0, 0}, {3, 3, 0, 0}, &kernels_double_lev_lon_lat_bin_0_0, NULL, HX_WIRE_NOT},
    {COLUMN_QV, {3, 3, 0, 0}, {3, 3, 0, 0}, &kernels_double_lev_lon_lat_bin_0_0, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_counts[] = {
    {COLUMN_N, {1, 0, 0, 0}, {1, 0, 0, 0}, &kernels_unsigned_long_long_lev_lon_lat_bin_0_0, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "state",
        .line = 13,
        .field = fields_of_state,
        .fields = HX_ROWS(fields_of_state),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .by_dimension = 1,
        .sum = UINT64_C(0x2c094b035c4fccb5),
    },
    {
        .name = "deep",
        .line = 14,
        .field = fields_of_deep,
        .fields = HX_ROWS(fields_of_deep),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .by_dimension = 1,
        .sum = UINT64_C(0x07de8c6b05af03b3),
    },
    {
        .name = "counts",
        .line = 15,
        .field = fields_of_counts,
        .fields = HX_ROWS(fields_of_counts),
        .direction = directions_2,
        .directions = HX_ROWS(directions_2),
        .sum = UINT64_C(0xf4f3b2cb2e4fc4bf),
    },
    {.line = HX_END},
};

HX_STATIC_ASSERT(HX_ROWS(field_table) == COLUMN_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_COUNT(kernels_of_any_box) == COLUMN_FIELDS, "a field has no kernels for redistribution, or twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == COLUMN_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec column_spec = {
    .abi = HX_ABI,
    .name = "column",
    .file = "column.lua",
    .hash = UINT64_C(0xc73f1a9854d268b9),
    .axes = 4,
    .axis = {"lon", "lat", "lev", "bin"},
    .periodic = {1, 0, 0, 0},
    .decomposed = {1, 1, 0, 0},
    .cells = {0, 0, 79, 0},
    .tiles = 1,
    .positions = position_table,
    .position_classes = HX_ROWS(position_table),
    .field = field_table,
    .fields = HX_ROWS(field_table),
    .exchange = exchange_table,
    .exchanges = HX_ROWS(exchange_table),
    .fields_size = sizeof(column_fields),
    .shape_size = sizeof(column_shape),
    .shape_stride = offsetof(column_shape, stride),
    .face_bytes = {148.0, 132.0, 0.0, 0.0},
    .sum = UINT64_C(0x7c7274c91e4d729b),
    .any = kernels_of_any_box,
};

/* ---- what column.h declares ---- */

column_shape column_shape_dense(const hx_part *part)
{
    column_shape shape = {.part = *part};
    hx_dense_strides(&column_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

column_shape column_shape_best(const hx_part *part)
{
    column_shape shape = {.part = *part};
    hx_best_strides(&column_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status column_shape_of(const hx_part *part, const hx_strided_array *arrays, column_shape *shape)
{
    return hx_shape_of_arrays(&column_spec, part, arrays, shape);
}

size_t column_points(const column_shape *shape, int field)
{
    return hx_points(&column_spec, shape, field);
}

hx_boxes column_owned_points(const column_shape *shape, int field)
{
    return hx_owned_points(&column_spec, shape, field);
}

hx_boxes column_state_interior(const column_shape *shape, int field)
{
    return hx_interior(&column_spec, shape, COLUMN_STATE, field);
}

hx_boxes column_state_rim(const column_shape *shape, int field)
{
    return hx_rim(&column_spec, shape, COLUMN_STATE, field);
}

hx_boxes column_deep_interior(const column_shape *shape, int field)
{
    return hx_interior(&column_spec, shape, COLUMN_DEEP, field);
}

hx_boxes column_deep_rim(const column_shape *shape, int field)
{
    return hx_rim(&column_spec, shape, COLUMN_DEEP, field);
}

hx_boxes column_counts_interior(const column_shape *shape, int field)
{
    return hx_interior(&column_spec, shape, COLUMN_COUNTS, field);
}

hx_boxes column_counts_rim(const column_shape *shape, int field)
{
    return hx_rim(&column_spec, shape, COLUMN_COUNTS, field);
}

hx_status column_create_for(const char *model, MPI_Comm comm, const column_shape *shape, const hx_options *options,
                            column **h)
{
    const hx_blocks blocks = {
        .comm = comm, .tiles = 1, .partition = shape ? &shape->part.partition : NULL, .count = 1};
    return column_create_blocks_for(model, &blocks, shape, options, h);
}

hx_status column_create_blocks_for(const char *model, const hx_blocks *blocks, const column_shape *shapes,
                                   const hx_options *options, column **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_for(model, &column_spec, blocks, shapes, options, h ? &handle : NULL);
    if (h) {
        *h = (column *)handle;
    }
    return status;
}

hx_status column_create_like(column *like, const hx_blocks *blocks, const column_shape *shapes, column **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_like((hx_handle *)like, blocks, shapes, h ? &handle : NULL);
    if (h) {
        *h = (column *)handle;
    }
    return status;
}

hx_status column_create_wide(column *narrow, MPI_Comm comm, const hx_options *options, column **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_wide(&column_spec, (hx_handle *)narrow, comm, options, h ? &handle : NULL);
    if (h) {
        *h = (column *)handle;
    }
    return status;
}

hx_status column_rebalance(column *h, const double work[], int owners[], int *moved)
{
    return hx_rebalance((hx_handle *)h, work, owners, moved);
}

hx_status column_destroy(column *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status column_alloc(column *h, column_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status column_free(column *h, column_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status column_register(column *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status column_unregister(column *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *column_handle(column *h)
{
    return (hx_handle *)h;
}

const char *column_describe(column *h)
{
    return hx_describe((hx_handle *)h);
}

const char *column_describe_json(column *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status column_traffic(const column *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status column_audit(column *h, int exchange, const column_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status column_redistribute(column *from, const column_fields *source, column *to, const column_fields *target)
{
    return hx_redistribute((hx_handle *)from, source, (hx_handle *)to, target);
}

hx_status column_redistribute_with(column *from, const column_fields *source, column *to, const column_fields *target,
                                   const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status column_gather(column *h, const column_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_gather((hx_handle *)h, f, field, root, whole);
}

hx_status column_scatter(column *h, const column_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_scatter((hx_handle *)h, f, field, root, whole);
}

hx_status column_gather_selected(column *h, const column_fields *f, const hx_selection *wanted, int count)
{
    return hx_gather_selected((hx_handle *)h, f, wanted, count);
}

hx_status column_scatter_selected(column *h, const column_fields *f, const hx_selection *given, int count)
{
    return hx_scatter_selected((hx_handle *)h, f, given, count);
}

hx_status column_message_buffers(const column *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status column_extents(const column *h, int field, int block, int pass, hx_extent *extent, int *count)
{
    return hx_extents((const hx_handle *)h, field, block, pass, extent, count);
}

int column_file_passes(int field)
{
    return hx_file_passes(&column_spec, field);
}

hx_status column_memory_type(const column *h, int field, int pass, const column_fields *f,
                             MPI_Datatype *type)
{
    return hx_memory_type((const hx_handle *)h, field, pass, f, type);
}

hx_status column_file_type(const column *h, int field, int pass, MPI_Datatype *type)
{
    return hx_file_type((const hx_handle *)h, field, pass, type);
}

hx_status column_state_start(column *h, const column_fields *f)
{
    return hx_start((hx_handle *)h, COLUMN_STATE, f);
}

hx_status column_state_test(column *h, int *done)
{
    return hx_test((hx_handle *)h, COLUMN_STATE, done);
}

hx_status column_state_finish(column *h)
{
    return hx_finish((hx_handle *)h, COLUMN_STATE);
}

hx_status column_state(column *h, const column_fields *f)
{
    const hx_status status = column_state_start(h, f);
    return status == HX_OK ? column_state_finish(h) : status;
}

hx_status column_deep_start(column *h, const column_fields *f)
{
    return hx_start((hx_handle *)h, COLUMN_DEEP, f);
}

hx_status column_deep_test(column *h, int *done)
{
    return hx_test((hx_handle *)h, COLUMN_DEEP, done);
}

hx_status column_deep_finish(column *h)
{
    return hx_finish((hx_handle *)h, COLUMN_DEEP);
}

hx_status column_deep(column *h, const column_fields *f)
{
    const hx_status status = column_deep_start(h, f);
    return status == HX_OK ? column_deep_finish(h) : status;
}

hx_status column_counts_start(column *h, const column_fields *f)
{
    return hx_start((hx_handle *)h, COLUMN_COUNTS, f);
}

hx_status column_counts_test(column *h, int *done)
{
    return hx_test((hx_handle *)h, COLUMN_COUNTS, done);
}

hx_status column_counts_finish(column *h)
{
    return hx_finish((hx_handle *)h, COLUMN_COUNTS);
}

hx_status column_counts(column *h, const column_fields *f)
{
    const hx_status status = column_counts_start(h, f);
    return status == HX_OK ? column_counts_finish(h) : status;
}
