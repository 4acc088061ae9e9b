/*
 * lattice: loops and tables of the halo exchanges of lattice.lua.  See lattice.h.
 *
 * Emitted by halogen 0.1.0 from lattice.lua, model 84435edf23453ef1.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "lattice.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char lattice_model_84435edf23453ef1_23 = 0; /* see lattice.h */

/* ---- points of fields whose components lie side by side ---- */

typedef double double_by_19[19];

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

/* ---- double_by_19: whole rows along x ---- */

static void pack_double_by_19(const void *field, const hx_region *from, void *buffer)
{
    const double_by_19 *points = (const double_by_19 *)field + from->at;
    double_by_19 *out = buffer;
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

static void unpack_double_by_19(void *field, const hx_region *to, const void *buffer)
{
    double_by_19 *points = (double_by_19 *)field + to->at;
    const double_by_19 *in = (const double_by_19 *)buffer;
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

static void copy_double_by_19(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    double_by_19 *out = (double_by_19 *)to_field + to->at;
    const double_by_19 *in = (const double_by_19 *)from_field + from->at;
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

/* ---- double_by_19: some of the components ---- */

static void pack_picked_double_by_19(const void *field, const hx_region *from, const hx_picks *picks, void *buffer)
{
    const double_by_19 *points = (const double_by_19 *)field + from->at;
    double *out = buffer;
    const ptrdiff_t row = from->n[0];
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            const double_by_19 *in = points + j * sy + k * sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                for (int p = 0; p < picks->count; ++p) {
                    *out = in[i][picks->component[p]];
                    ++out;
                }
            }
        }
    }
}

static void unpack_picked_double_by_19(void *field, const hx_region *to, const hx_picks *picks, const void *buffer)
{
    double_by_19 *points = (double_by_19 *)field + to->at;
    const double *in = buffer;
    const ptrdiff_t row = to->n[0];
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            double_by_19 *out = points + j * sy + k * sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                for (int p = 0; p < picks->count; ++p) {
                    out[i][picks->component[p]] = *in;
                    ++in;
                }
            }
        }
    }
}

static void copy_picked_double_by_19(void *to_field, const hx_region *to, const void *from_field,
                                     const hx_region *from, const hx_picks *picks)
{
    double_by_19 *to_points = (double_by_19 *)to_field + to->at;
    const double_by_19 *from_points = (const double_by_19 *)from_field + from->at;
    const ptrdiff_t row = to->n[0];
    const ptrdiff_t nz = to->n[2];
    const ptrdiff_t to_sz = to->stride[2], from_sz = from->stride[2];
    const ptrdiff_t ny = to->n[1];
    const ptrdiff_t to_sy = to->stride[1], from_sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            double_by_19 *out = to_points + j * to_sy + k * to_sz;
            const double_by_19 *in = from_points + j * from_sy + k * from_sz;
            for (ptrdiff_t i = 0; i < row; ++i) {
                for (int p = 0; p < picks->count; ++p) {
                    const int c = picks->component[p];
                    out[i][c] = in[i][c];
                }
            }
        }
    }
}

/* ---- double_by_19: any strides at both ends, with a sign ---- */

static inline void turn_double_by_19(double_by_19 *out, const double_by_19 *in, int sign)
{
    for (int c = 0; c < 19; ++c) {
        const double value = (*in)[c];
        (*out)[c] = sign < 0 ? -value : value;
    }
}

static void turn_rows_double_by_19(double_by_19 *to_points, const hx_region *to, const double_by_19 *from_points,
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
            double_by_19 *out = to_points + k * to_k + j * to_j;
            const double_by_19 *in = from_points + k * from_k + j * from_j;
            memcpy(out, in, (size_t)n_i * sizeof *out);
        }
    }
}

static void copy_turned_double_by_19(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                                     int sign)
{
    double_by_19 *to_points = (double_by_19 *)to_field + to->at;
    const double_by_19 *from_points = (const double_by_19 *)from_field + from->at;
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1 && sign > 0) {
        turn_rows_double_by_19(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            double_by_19 *out = to_points + k * to_k + j * to_j;
            const double_by_19 *in = from_points + k * from_k + j * from_j;
            for (ptrdiff_t i = 0; i < n_i; ++i) {
                turn_double_by_19(out + i * to_i, in + i * from_i, sign);
            }
        }
    }
}

/* ---- bool: whole rows along x ---- */

static void pack_bool(const void *field, const hx_region *from, void *buffer)
{
    const bool *points = (const bool *)field + from->at;
    bool *out = buffer;
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

static void unpack_bool(void *field, const hx_region *to, const void *buffer)
{
    bool *points = (bool *)field + to->at;
    const bool *in = buffer;
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

static void copy_bool(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    bool *out = (bool *)to_field + to->at;
    const bool *in = (const bool *)from_field + from->at;
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

/* ---- bool: rows of 1 along x ---- */

static void pack_bool_1(const void *field, const hx_region *from, void *buffer)
{
    const bool *points = (const bool *)field + from->at;
    bool *out = buffer;
    const ptrdiff_t nz = from->n[2], sz = from->stride[2];
    const ptrdiff_t ny = from->n[1], sy = from->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            *out = points[j * sy + k * sz];
            out += 1;
        }
    }
}

static void unpack_bool_1(void *field, const hx_region *to, const void *buffer)
{
    bool *points = (bool *)field + to->at;
    const bool *in = buffer;
    const ptrdiff_t nz = to->n[2], sz = to->stride[2];
    const ptrdiff_t ny = to->n[1], sy = to->stride[1];
    for (ptrdiff_t k = 0; k < nz; ++k) {
        for (ptrdiff_t j = 0; j < ny; ++j) {
            points[j * sy + k * sz] = *in;
            in += 1;
        }
    }
}

static void copy_bool_1(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    bool *out = (bool *)to_field + to->at;
    const bool *in = (const bool *)from_field + from->at;
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

/* ---- bool: both halos across x, 1 below and 1 above, together ---- */

static void pack_pair_bool_1_1(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                               void *hi_buffer)
{
    const bool *lo_points = (const bool *)field + lo->at;
    const bool *hi_points = (const bool *)field + hi->at;
    bool *lo_out = lo_buffer;
    bool *hi_out = hi_buffer;
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

static void unpack_pair_bool_1_1(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                                 const void *hi_buffer)
{
    bool *lo_points = (bool *)field + lo->at;
    bool *hi_points = (bool *)field + hi->at;
    const bool *lo_in = lo_buffer;
    const bool *hi_in = hi_buffer;
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

static void copy_pair_bool_1_1(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                               const void *from_field, const hx_region *from_lo, const hx_region *from_hi)
{
    bool *lo_out = (bool *)to_field + to_lo->at;
    bool *hi_out = (bool *)to_field + to_hi->at;
    const bool *lo_in = (const bool *)from_field + from_lo->at;
    const bool *hi_in = (const bool *)from_field + from_hi->at;
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

/* ---- bool: any strides at both ends, with a sign ---- */

static inline void turn_bool(bool *out, const bool *in, int sign)
{
    (void)sign; /* values of this type have no opposite */
    memcpy(out, in, sizeof *out);
}

static void turn_rows_bool(bool *to_points, const hx_region *to, const bool *from_points,
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
            bool *out = to_points + k * to_k + j * to_j;
            const bool *in = from_points + k * from_k + j * from_j;
            memcpy(out, in, (size_t)n_i * sizeof *out);
        }
    }
}

static void copy_turned_bool(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                             int sign)
{
    bool *to_points = (bool *)to_field + to->at;
    const bool *from_points = (const bool *)from_field + from->at;
    const ptrdiff_t n_k = to->n[2], to_k = to->stride[2], from_k = from->stride[2];
    const ptrdiff_t n_j = to->n[1], to_j = to->stride[1], from_j = from->stride[1];
    const ptrdiff_t n_i = to->n[0], to_i = to->stride[0], from_i = from->stride[0];
    if (to_i == 1 && from_i == 1) {
        turn_rows_bool(to_points, to, from_points, from);
        return;
    }
    for (ptrdiff_t k = 0; k < n_k; ++k) {
        for (ptrdiff_t j = 0; j < n_j; ++j) {
            bool *out = to_points + k * to_k + j * to_j;
            const bool *in = from_points + k * from_k + j * from_j;
            for (ptrdiff_t i = 0; i < n_i; ++i) {
                turn_bool(out + i * to_i, in + i * from_i, sign);
            }
        }
    }
}

/* ---- kernels by the depths of the halos below and above along the fastest axis ---- */

static const hx_picking picking_double_by_19 = {
    .pack = pack_picked_double_by_19,
    .unpack = unpack_picked_double_by_19,
    .copy = copy_picked_double_by_19,
};

static const hx_kernels kernels_double_by_19_picked = {
    .picking = &picking_double_by_19,
};

static const hx_kernels kernels_double_by_19_any = {
    .pack = pack_double_by_19,
    .unpack = unpack_double_by_19,
    .copy = copy_double_by_19,
    .copy_turned = copy_turned_double_by_19,
};

static const hx_pair pair_bool_1_1 = {1, 1, pack_pair_bool_1_1, unpack_pair_bool_1_1, copy_pair_bool_1_1};

static const hx_strip strips_bool_1_1[] = {
    {1, pack_bool_1, unpack_bool_1, copy_bool_1},
    {.points = HX_END},
};
static const hx_kernels kernels_bool_1_1 = {
    .pack = pack_bool,
    .unpack = unpack_bool,
    .copy = copy_bool,
    .strip = strips_bool_1_1,
    .strips = HX_ROWS(strips_bool_1_1),
    .pair = &pair_bool_1_1,
};

static const hx_kernels kernels_bool_any = {
    .pack = pack_bool,
    .unpack = unpack_bool,
    .copy = copy_bool,
    .copy_turned = copy_turned_bool,
};

/* ---- where the points beyond the sides of a tile come from ---- */

/*
 * The tables from here to lattice_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
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
    {{0, 0, 0}, links_1, HX_ROWS(links_1), {-1, -1, -1}, NULL, 0, UINT64_C(0x27acc2e2b80f1f49)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "f",
        .type = "double",
        .line = 12,
        .size = sizeof(double[19]),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {1, 1, 1},
        .halo_hi = {1, 1, 1},
        .pointer = offsetof(lattice_fields, f),
        .components = 19,
        .sum = UINT64_C(0x65d51b6706606b37),
    },
    {
        .name = "solid",
        .type = "bool",
        .line = 13,
        .size = sizeof(bool),
        .alignment = _Alignof(bool),
        .positions = 0,
        .order = {0, 1, 2},
        .halo_lo = {1, 1, 1},
        .halo_hi = {1, 1, 1},
        .pointer = offsetof(lattice_fields, solid),
        .sum = UINT64_C(0x71eb7722b682295d),
    },
    {.line = HX_END},
};

/* What moves any box of a field, for redistribution. */
static const hx_kernels *const kernels_of_any_box[] = {
    &kernels_double_by_19_any,
    &kernels_bool_any,
};

/* ---- exchanges: fields in the order in which they lie in a message, with the layers below and above ---- */

static const signed char directions_1[][HX_MAX_AXES] = {
    {-1, -1, 0},
    {-1, 0, -1},
    {-1, 0, 0},
    {-1, 0, 1},
    {-1, 1, 0},
    {0, -1, -1},
    {0, -1, 0},
    {0, -1, 1},
    {0, 0, -1},
    {0, 0, 1},
    {0, 1, -1},
    {0, 1, 0},
    {0, 1, 1},
    {1, -1, 0},
    {1, 0, -1},
    {1, 0, 0},
    {1, 0, 1},
    {1, 1, 0},
    {HX_END},
};

static const signed char directions_2[][HX_MAX_AXES] = {
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

/* The components that travel, for each direction of an exchange. */
static const int picked_1[] = {7, HX_END};
static const int picked_2[] = {11, HX_END};
static const int picked_3[] = {1, 7, 9, 11, 13, HX_END};
static const int picked_4[] = {13, HX_END};
static const int picked_5[] = {9, HX_END};
static const int picked_6[] = {15, HX_END};
static const int picked_7[] = {3, 7, 10, 15, 17, HX_END};
static const int picked_8[] = {17, HX_END};
static const int picked_9[] = {5, 11, 14, 15, 18, HX_END};
static const int picked_10[] = {6, 12, 13, 16, 17, HX_END};
static const int picked_11[] = {18, HX_END};
static const int picked_12[] = {4, 8, 9, 16, 18, HX_END};
static const int picked_13[] = {16, HX_END};
static const int picked_14[] = {10, HX_END};
static const int picked_15[] = {14, HX_END};
static const int picked_16[] = {2, 8, 10, 12, 14, HX_END};
static const int picked_17[] = {12, HX_END};
static const int picked_18[] = {8, HX_END};

static const hx_picks picks_1[] = {
    {HX_ROWS(picked_1), picked_1},
    {HX_ROWS(picked_2), picked_2},
    {HX_ROWS(picked_3), picked_3},
    {HX_ROWS(picked_4), picked_4},
    {HX_ROWS(picked_5), picked_5},
    {HX_ROWS(picked_6), picked_6},
    {HX_ROWS(picked_7), picked_7},
    {HX_ROWS(picked_8), picked_8},
    {HX_ROWS(picked_9), picked_9},
    {HX_ROWS(picked_10), picked_10},
    {HX_ROWS(picked_11), picked_11},
    {HX_ROWS(picked_12), picked_12},
    {HX_ROWS(picked_13), picked_13},
    {HX_ROWS(picked_14), picked_14},
    {HX_ROWS(picked_15), picked_15},
    {HX_ROWS(picked_16), picked_16},
    {HX_ROWS(picked_17), picked_17},
    {HX_ROWS(picked_18), picked_18},
    {.count = HX_END},
};

static const hx_exchange_field fields_of_populations[] = {
    {LATTICE_F, {1, 1, 1}, {1, 1, 1}, &kernels_double_by_19_picked, picks_1, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_geometry[] = {
    {LATTICE_SOLID, {1, 1, 1}, {1, 1, 1}, &kernels_bool_1_1, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "populations",
        .line = 16,
        .field = fields_of_populations,
        .fields = HX_ROWS(fields_of_populations),
        .direction = directions_1,
        .directions = HX_ROWS(directions_1),
        .sum = UINT64_C(0xd6896b1b903473e1),
    },
    {
        .name = "geometry",
        .line = 17,
        .field = fields_of_geometry,
        .fields = HX_ROWS(fields_of_geometry),
        .direction = directions_2,
        .directions = HX_ROWS(directions_2),
        .by_dimension = 1,
        .sum = UINT64_C(0x3c06d618404c0a1b),
    },
    {.line = HX_END},
};

HX_STATIC_ASSERT(HX_ROWS(field_table) == LATTICE_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_COUNT(kernels_of_any_box) == LATTICE_FIELDS, "a field has no kernels for redistribution, or twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == LATTICE_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec lattice_spec = {
    .abi = HX_ABI,
    .name = "lattice",
    .file = "lattice.lua",
    .hash = UINT64_C(0x84435edf23453ef1),
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
    .fields_size = sizeof(lattice_fields),
    .shape_size = sizeof(lattice_shape),
    .shape_stride = offsetof(lattice_shape, stride),
    .face_bytes = {82.0, 82.0, 82.0},
    .sum = UINT64_C(0x6ad542468efe42cb),
    .any = kernels_of_any_box,
};

/* ---- what lattice.h declares ---- */

lattice_shape lattice_shape_dense(const hx_part *part)
{
    lattice_shape shape = {.part = *part};
    hx_dense_strides(&lattice_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

lattice_shape lattice_shape_best(const hx_part *part)
{
    lattice_shape shape = {.part = *part};
    hx_best_strides(&lattice_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status lattice_shape_of(const hx_part *part, const hx_strided_array *arrays, lattice_shape *shape)
{
    return hx_shape_of_arrays(&lattice_spec, part, arrays, shape);
}

size_t lattice_points(const lattice_shape *shape, int field)
{
    return hx_points(&lattice_spec, shape, field);
}

hx_boxes lattice_owned_points(const lattice_shape *shape, int field)
{
    return hx_owned_points(&lattice_spec, shape, field);
}

hx_boxes lattice_populations_interior(const lattice_shape *shape, int field)
{
    return hx_interior(&lattice_spec, shape, LATTICE_POPULATIONS, field);
}

hx_boxes lattice_populations_rim(const lattice_shape *shape, int field)
{
    return hx_rim(&lattice_spec, shape, LATTICE_POPULATIONS, field);
}

hx_boxes lattice_geometry_interior(const lattice_shape *shape, int field)
{
    return hx_interior(&lattice_spec, shape, LATTICE_GEOMETRY, field);
}

hx_boxes lattice_geometry_rim(const lattice_shape *shape, int field)
{
    return hx_rim(&lattice_spec, shape, LATTICE_GEOMETRY, field);
}

hx_status lattice_create_for(const char *model, MPI_Comm comm, const lattice_shape *shape, const hx_options *options,
                             lattice **h)
{
    const hx_blocks blocks = {
        .comm = comm, .tiles = 1, .partition = shape ? &shape->part.partition : NULL, .count = 1};
    return lattice_create_blocks_for(model, &blocks, shape, options, h);
}

hx_status lattice_create_blocks_for(const char *model, const hx_blocks *blocks, const lattice_shape *shapes,
                                    const hx_options *options, lattice **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_for(model, &lattice_spec, blocks, shapes, options, h ? &handle : NULL);
    if (h) {
        *h = (lattice *)handle;
    }
    return status;
}

hx_status lattice_create_like(lattice *like, const hx_blocks *blocks, const lattice_shape *shapes, lattice **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_like((hx_handle *)like, blocks, shapes, h ? &handle : NULL);
    if (h) {
        *h = (lattice *)handle;
    }
    return status;
}

hx_status lattice_create_wide(lattice *narrow, MPI_Comm comm, const hx_options *options, lattice **h)
{
    hx_handle *handle = NULL;
    const hx_status status = hx_create_wide(&lattice_spec, (hx_handle *)narrow, comm, options, h ? &handle : NULL);
    if (h) {
        *h = (lattice *)handle;
    }
    return status;
}

hx_status lattice_rebalance(lattice *h, const double work[], int owners[], int *moved)
{
    return hx_rebalance((hx_handle *)h, work, owners, moved);
}

hx_status lattice_destroy(lattice *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status lattice_alloc(lattice *h, lattice_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status lattice_free(lattice *h, lattice_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status lattice_register(lattice *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status lattice_unregister(lattice *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *lattice_handle(lattice *h)
{
    return (hx_handle *)h;
}

const char *lattice_describe(lattice *h)
{
    return hx_describe((hx_handle *)h);
}

const char *lattice_describe_json(lattice *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status lattice_traffic(const lattice *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status lattice_audit(lattice *h, int exchange, const lattice_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status lattice_redistribute(lattice *from, const lattice_fields *source, lattice *to, const lattice_fields *target)
{
    return hx_redistribute((hx_handle *)from, source, (hx_handle *)to, target);
}

hx_status lattice_redistribute_with(lattice *from, const lattice_fields *source, lattice *to, const lattice_fields *target,
                                    const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status lattice_gather(lattice *h, const lattice_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_gather((hx_handle *)h, f, field, root, whole);
}

hx_status lattice_scatter(lattice *h, const lattice_fields *f, int field, int root, const hx_strided_array *whole)
{
    return hx_scatter((hx_handle *)h, f, field, root, whole);
}

hx_status lattice_gather_selected(lattice *h, const lattice_fields *f, const hx_selection *wanted, int count)
{
    return hx_gather_selected((hx_handle *)h, f, wanted, count);
}

hx_status lattice_scatter_selected(lattice *h, const lattice_fields *f, const hx_selection *given, int count)
{
    return hx_scatter_selected((hx_handle *)h, f, given, count);
}

hx_status lattice_message_buffers(const lattice *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status lattice_extents(const lattice *h, int field, int block, int pass, hx_extent *extent, int *count)
{
    return hx_extents((const hx_handle *)h, field, block, pass, extent, count);
}

int lattice_file_passes(int field)
{
    return hx_file_passes(&lattice_spec, field);
}

hx_status lattice_memory_type(const lattice *h, int field, int pass, const lattice_fields *f,
                              MPI_Datatype *type)
{
    return hx_memory_type((const hx_handle *)h, field, pass, f, type);
}

hx_status lattice_file_type(const lattice *h, int field, int pass, MPI_Datatype *type)
{
    return hx_file_type((const hx_handle *)h, field, pass, type);
}

hx_status lattice_populations_start(lattice *h, const lattice_fields *f)
{
    return hx_start((hx_handle *)h, LATTICE_POPULATIONS, f);
}

hx_status lattice_populations_test(lattice *h, int *done)
{
    return hx_test((hx_handle *)h, LATTICE_POPULATIONS, done);
}

hx_status lattice_populations_finish(lattice *h)
{
    return hx_finish((hx_handle *)h, LATTICE_POPULATIONS);
}

hx_status lattice_populations(lattice *h, const lattice_fields *f)
{
    const hx_status status = lattice_populations_start(h, f);
    return status == HX_OK ? lattice_populations_finish(h) : status;
}

hx_status lattice_geometry_start(lattice *h, const lattice_fields *f)
{
    return hx_start((hx_handle *)h, LATTICE_GEOMETRY, f);
}

hx_status lattice_geometry_test(lattice *h, int *done)
{
    return hx_test((hx_handle *)h, LATTICE_GEOMETRY, done);
}

hx_status lattice_geometry_finish(lattice *h)
{
    return hx_finish((hx_handle *)h, LATTICE_GEOMETRY);
}

hx_status lattice_geometry(lattice *h, const lattice_fields *f)
{
    const hx_status status = lattice_geometry_start(h, f);
    return status == HX_OK ? lattice_geometry_finish(h) : status;
}
