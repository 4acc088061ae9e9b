/*
 * polygons: loops and tables of the halo exchanges of polygons.lua.  See polygons.h.
 *
 * Emitted by halogen 0.1.0 from polygons.lua, model fa5778b295f06545.  This file belongs to whoever wrote the spec.
 * For compilers of C11 and later.
 */
#include "polygons.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

HX_REQUIRE_ABI(23);

const char polygons_model_fa5778b295f06545_23 = 0; /* see polygons.h */

/* ---- points of fields whose components lie side by side ---- */

typedef int int_by_2[2];

/* ---- int_by_2_rows_of_6: runs of the points of a list ---- */

static void pack_listed_int_by_2_rows_of_6(const void *field, const hx_region *from, const hx_runs *runs, void *buffer)
{
    const int_by_2 *points = (const int_by_2 *)field + from->at;
    int_by_2 *out = buffer;
    const ptrdiff_t step = 6;
    const ptrdiff_t row = 6;
    for (const hx_run *run = runs->run, *end = run + runs->runs; run != end; ++run) {
        const int_by_2 *in = points + run->first * step;
        const ptrdiff_t whole = run->points * row, piece = step == row ? whole : row;
        for (ptrdiff_t done = 0; done < whole; done += piece) {
            memcpy(out, in, (size_t)piece * sizeof *out);
            in += step;
            out += piece;
        }
    }
}

static void unpack_listed_int_by_2_rows_of_6(void *field, const hx_region *to, const hx_runs *runs, const void *buffer)
{
    int_by_2 *points = (int_by_2 *)field + to->at;
    const int_by_2 *in = (const int_by_2 *)buffer;
    const ptrdiff_t step = 6;
    const ptrdiff_t row = 6;
    for (const hx_run *run = runs->run, *end = run + runs->runs; run != end; ++run) {
        int_by_2 *out = points + run->first * step;
        const ptrdiff_t whole = run->points * row, piece = step == row ? whole : row;
        for (ptrdiff_t done = 0; done < whole; done += piece) {
            memcpy(out, in, (size_t)piece * sizeof *out);
            in += piece;
            out += step;
        }
    }
}

static void copy_listed_int_by_2_rows_of_6(void *to_field, const hx_region *to, const hx_runs *to_runs,
                                           const void *from_field, const hx_region *from, const hx_runs *from_runs)
{
    int_by_2 *to_points = (int_by_2 *)to_field + to->at;
    const int_by_2 *from_points = (const int_by_2 *)from_field + from->at;
    const hx_run *to_run = to_runs->run, *from_run = from_runs->run;
    const ptrdiff_t to_step = 6;
    const ptrdiff_t row = 6;
    const ptrdiff_t from_step = 6;
    for (int r = 0; r < to_runs->runs; ++r) {
        int_by_2 *out = to_points + to_run[r].first * to_step;
        const int_by_2 *in = from_points + from_run[r].first * from_step;
        const ptrdiff_t whole = to_run[r].points * row, piece = to_step == row && from_step == row ? whole : row;
        for (ptrdiff_t done = 0; done < whole; done += piece) {
            memcpy(out, in, (size_t)piece * sizeof *out);
            in += from_step;
            out += to_step;
        }
    }
}

static void add_unpack_listed_int_by_2_rows_of_6(void *field, const hx_region *to, const hx_runs *runs, const void *buffer)
{
    int_by_2 *points = (int_by_2 *)field + to->at;
    const int_by_2 *in = (const int_by_2 *)buffer;
    const ptrdiff_t step = 6;
    const ptrdiff_t row = 6;
    for (const hx_run *run = runs->run, *end = run + runs->runs; run != end; ++run) {
        int_by_2 *out = points + run->first * step;
        for (int i = 0; i < run->points; ++i) {
            for (ptrdiff_t j = 0; j < row; ++j) {
                for (int c = 0; c < 2; ++c) {
                    out[j][c] = (int)((uintmax_t)out[j][c] + (uintmax_t)in[j][c]);
                }
            }
            in += row;
            out += step;
        }
    }
}

static void add_copy_listed_int_by_2_rows_of_6(void *to_field, const hx_region *to, const hx_runs *to_runs,
                                               const void *from_field, const hx_region *from, const hx_runs *from_runs)
{
    int_by_2 *to_points = (int_by_2 *)to_field + to->at;
    const int_by_2 *from_points = (const int_by_2 *)from_field + from->at;
    const hx_run *to_run = to_runs->run, *from_run = from_runs->run;
    const ptrdiff_t to_step = 6;
    const ptrdiff_t row = 6;
    const ptrdiff_t from_step = 6;
    for (int r = 0; r < to_runs->runs; ++r) {
        int_by_2 *out = to_points + to_run[r].first * to_step;
        const int_by_2 *in = from_points + from_run[r].first * from_step;
        for (int i = 0; i < to_run[r].points; ++i) {
            for (ptrdiff_t j = 0; j < row; ++j) {
                for (int c = 0; c < 2; ++c) {
                    out[j][c] = (int)((uintmax_t)out[j][c] + (uintmax_t)in[j][c]);
                }
            }
            in += from_step;
            out += to_step;
        }
    }
}

static void zero_listed_int_by_2_rows_of_6(void *field, const hx_region *to, const hx_runs *runs)
{
    int_by_2 *points = (int_by_2 *)field + to->at;
    const ptrdiff_t step = 6;
    const ptrdiff_t row = 6;
    for (const hx_run *run = runs->run, *end = run + runs->runs; run != end; ++run) {
        int_by_2 *out = points + run->first * step;
        const ptrdiff_t whole = run->points * row, piece = step == row ? whole : row;
        for (ptrdiff_t done = 0; done < whole; done += piece) {
            memset(out, 0, (size_t)piece * sizeof *out);
            out += step;
        }
    }
}

/* ---- tables of these kernels ---- */

static const hx_listing listing_int_by_2_rows_of_6 = {
    .pack = pack_listed_int_by_2_rows_of_6,
    .unpack = unpack_listed_int_by_2_rows_of_6,
    .copy = copy_listed_int_by_2_rows_of_6,
};

static const hx_listing add_listing_int_by_2_rows_of_6 = {
    .pack = pack_listed_int_by_2_rows_of_6,
    .unpack = add_unpack_listed_int_by_2_rows_of_6,
    .copy = add_copy_listed_int_by_2_rows_of_6,
    .zero = zero_listed_int_by_2_rows_of_6,
};

static const hx_kernels kernels_int_by_2_rows_of_6_listed = {
    .listing = &listing_int_by_2_rows_of_6,
};

static const hx_kernels kernels_int_by_2_rows_of_6_listed_add = {
    .listing = &add_listing_int_by_2_rows_of_6,
};

/* ---- where points lie ---- */

/*
 * The tables from here to polygons_spec describe the spec.  HX_END marks the end of one.  Do not change them by hand:
 * create compares their numbers with the sums beside them.
 */

static const hx_positions position_table[] = {
    {{0, 0}, NULL, 0, {-1, -1}, NULL, 0, UINT64_C(0xdae29b569c342645)},
    {{0, 1}, NULL, 0, {-1, 0}, NULL, 0, UINT64_C(0x0fc296f76abe5c95)},
    {.links = HX_END},
};

/* ---- fields ---- */

static const hx_field field_table[] = {
    {
        .name = "t",
        .type = "double",
        .line = 4,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {1, 0},
        .halo_lo = {0, 0},
        .halo_hi = {0, 0},
        .pointer = offsetof(polygons_fields, t),
        .on_device = 1,
        .fixed_stride = {6, 0},
        .sum = UINT64_C(0x4e79a8377527c41b),
    },
    {
        .name = "qv",
        .type = "double",
        .line = 4,
        .size = sizeof(double),
        .alignment = _Alignof(double),
        .positions = 0,
        .order = {1, 0},
        .halo_lo = {0, 0},
        .halo_hi = {0, 0},
        .pointer = offsetof(polygons_fields, qv),
        .on_device = 1,
        .fixed_stride = {6, 0},
        .sum = UINT64_C(0xeacd9d2d0c880e27),
    },
    {
        .name = "w",
        .type = "float",
        .line = 5,
        .size = sizeof(float),
        .alignment = _Alignof(float),
        .positions = 1,
        .order = {1, 0},
        .halo_lo = {0, 0},
        .halo_hi = {0, 0},
        .pointer = offsetof(polygons_fields, w),
        .on_device = 1,
        .fixed_stride = {7, 0},
        .sum = UINT64_C(0x07ddef928bc5bef5),
    },
    {
        .name = "land",
        .type = "int",
        .line = 6,
        .size = sizeof(int[2]),
        .alignment = _Alignof(int),
        .positions = 0,
        .order = {1, 0},
        .halo_lo = {0, 0},
        .halo_hi = {0, 0},
        .pointer = offsetof(polygons_fields, land),
        .components = 2,
        .fixed_stride = {12, 0},
        .sum = UINT64_C(0xb9bdc35a7b3c555d),
    },
    {.line = HX_END},
};

/* ---- exchanges: fields in the order in which they lie in a message ---- */

static const hx_exchange_field fields_of_state[] = {
    {POLYGONS_T, {0, 0}, {0, 0}, NULL, NULL, HX_WIRE_NOT},
    {POLYGONS_QV, {0, 0}, {0, 0}, NULL, NULL, HX_WIRE_NOT},
    {POLYGONS_W, {0, 0}, {0, 0}, NULL, NULL, HX_WIRE_NOT},
    {POLYGONS_LAND, {0, 0}, {0, 0}, &kernels_int_by_2_rows_of_6_listed, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_fluxes[] = {
    {POLYGONS_QV, {0, 0}, {0, 0}, NULL, NULL, HX_WIRE_NOT},
    {POLYGONS_LAND, {0, 0}, {0, 0}, &kernels_int_by_2_rows_of_6_listed_add, NULL, HX_WIRE_NOT},
    {POLYGONS_W, {0, 0}, {0, 0}, NULL, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange_field fields_of_host[] = {
    {POLYGONS_LAND, {0, 0}, {0, 0}, &kernels_int_by_2_rows_of_6_listed, NULL, HX_WIRE_NOT},
    {.field = HX_END},
};

static const hx_exchange exchange_table[] = {
    {
        .name = "state",
        .line = 8,
        .field = fields_of_state,
        .fields = HX_ROWS(fields_of_state),
        .direction = NULL,
        .directions = 0,
        .sum = UINT64_C(0x188f977fd2b39535),
    },
    {
        .name = "fluxes",
        .line = 9,
        .field = fields_of_fluxes,
        .fields = HX_ROWS(fields_of_fluxes),
        .direction = NULL,
        .directions = 0,
        .operation = HX_ADD,
        .sum = UINT64_C(0x681533fe90c72525),
    },
    {
        .name = "host",
        .line = 10,
        .field = fields_of_host,
        .fields = HX_ROWS(fields_of_host),
        .direction = NULL,
        .directions = 0,
        .sum = UINT64_C(0xd3df962dd7459a5f),
    },
    {.line = HX_END},
};

extern const struct hx_cuda_kernels polygons_cuda; /* polygons.cu */

HX_STATIC_ASSERT(HX_ROWS(field_table) == POLYGONS_FIELDS, "a field is missing from the tables, or there twice");
HX_STATIC_ASSERT(HX_ROWS(exchange_table) == POLYGONS_EXCHANGES, "an exchange is missing from the tables, or there twice");

const hx_spec polygons_spec = {
    .abi = HX_ABI,
    .name = "polygons",
    .file = "polygons.lua",
    .hash = UINT64_C(0xfa5778b295f06545),
    .axes = 2,
    .axis = {"cell", "level"},
    .periodic = {0, 0},
    .decomposed = {1, 0},
    .cells = {0, 6},
    .tiles = 1,
    .positions = position_table,
    .position_classes = HX_ROWS(position_table),
    .field = field_table,
    .fields = HX_ROWS(field_table),
    .exchange = exchange_table,
    .exchanges = HX_ROWS(exchange_table),
    .fields_size = sizeof(polygons_fields),
    .shape_size = sizeof(polygons_shape),
    .shape_stride = offsetof(polygons_shape, stride),
    .cuda = &polygons_cuda,
    .list = 1,
    .face_bytes = {0.0, 0.0},
    .sum = UINT64_C(0xdf02b45e2fb2931f),
    .cuda_sum = UINT64_C(0x853d4ff42e2068b3), /* of the tables in polygons.cu */
};

/* ---- what polygons.h declares ---- */

polygons_shape polygons_shape_dense(const hx_part *part)
{
    polygons_shape shape = {.part = *part};
    hx_dense_strides(&polygons_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

polygons_shape polygons_shape_best(const hx_part *part)
{
    polygons_shape shape = {.part = *part};
    hx_best_strides(&polygons_spec, part, &shape.stride[0][0], NULL);
    return shape;
}

hx_status polygons_shape_of(const hx_part *part, const hx_strided_array *arrays, polygons_shape *shape)
{
    return hx_shape_of_arrays(&polygons_spec, part, arrays, shape);
}

size_t polygons_points(const polygons_shape *shape, int field)
{
    return hx_points(&polygons_spec, shape, field);
}

hx_status polygons_create_for(const char *model, MPI_Comm comm, const polygons_shape *shape, const hx_index_list *list,
                              const hx_options *options, polygons **h)
{
    const hx_listed listed = {.comm = comm, .list = list};
    hx_handle *handle = NULL;
    const hx_status status =
        hx_create_listed_for(model, &polygons_spec, &listed, shape, options, h ? &handle : NULL);
    if (h) {
        *h = (polygons *)handle;
    }
    return status;
}

hx_status polygons_destroy(polygons *h)
{
    return hx_destroy((hx_handle *)h);
}

hx_status polygons_alloc(polygons *h, polygons_fields *f)
{
    return hx_alloc((hx_handle *)h, f);
}

hx_status polygons_free(polygons *h, polygons_fields *f)
{
    return hx_free((hx_handle *)h, f);
}

hx_status polygons_register(polygons *h, hx_window *window)
{
    return hx_register((hx_handle *)h, window);
}

hx_status polygons_unregister(polygons *h, hx_window *window)
{
    return hx_unregister((hx_handle *)h, window);
}

hx_handle *polygons_handle(polygons *h)
{
    return (hx_handle *)h;
}

const char *polygons_describe(polygons *h)
{
    return hx_describe((hx_handle *)h);
}

const char *polygons_describe_json(polygons *h)
{
    return hx_describe_json((hx_handle *)h);
}

hx_status polygons_traffic(const polygons *h, int exchange, hx_traffic *traffic)
{
    return hx_traffic_of((const hx_handle *)h, exchange, traffic);
}

hx_status polygons_audit(polygons *h, int exchange, const polygons_fields *f)
{
    return hx_audit((hx_handle *)h, exchange, f);
}

hx_status polygons_redistribute_with(polygons *from, const polygons_fields *source, polygons *to, const polygons_fields *target,
                                     const hx_redistribution *how)
{
    return hx_redistribute_with((hx_handle *)from, source, (hx_handle *)to, target, how);
}

hx_status polygons_message_buffers(const polygons *h, int exchange, hx_message_buffer *buffer, int *count)
{
    return hx_message_buffers((const hx_handle *)h, exchange, buffer, count);
}

hx_status polygons_memory_type(const polygons *h, int field, const hx_ids *ids,
                               const polygons_fields *f, MPI_Datatype *type)
{
    return hx_memory_type_of_ids((const hx_handle *)h, field, ids, f, type);
}

hx_status polygons_file_type(const polygons *h, int field, const hx_ids *ids, int64_t points,
                             MPI_Datatype *type)
{
    return hx_file_type_of_ids((const hx_handle *)h, field, ids, points, type);
}

hx_status polygons_state_start(polygons *h, const polygons_fields *f, hx_stream stream)
{
    return hx_start_on((hx_handle *)h, POLYGONS_STATE, f, stream);
}

hx_status polygons_state_test(polygons *h, int *done)
{
    return hx_test((hx_handle *)h, POLYGONS_STATE, done);
}

hx_status polygons_state_finish(polygons *h, hx_stream stream)
{
    return hx_finish_on((hx_handle *)h, POLYGONS_STATE, stream);
}

hx_status polygons_state(polygons *h, const polygons_fields *f, hx_stream stream)
{
    const hx_status status = polygons_state_start(h, f, stream);
    return status == HX_OK ? polygons_state_finish(h, stream) : status;
}

hx_status polygons_state_pack(polygons *h, const polygons_fields *f, hx_stream stream)
{
    return hx_pack_on((hx_handle *)h, POLYGONS_STATE, f, stream);
}

hx_status polygons_state_send(polygons *h, hx_stream stream)
{
    return hx_send_on((hx_handle *)h, POLYGONS_STATE, stream);
}

hx_status polygons_state_receive(polygons *h)
{
    return hx_receive((hx_handle *)h, POLYGONS_STATE);
}

hx_status polygons_state_unpack(polygons *h, const polygons_fields *f, hx_stream stream)
{
    return hx_unpack_on((hx_handle *)h, POLYGONS_STATE, f, stream);
}

hx_status polygons_fluxes_start(polygons *h, const polygons_fields *f, hx_stream stream)
{
    return hx_start_on((hx_handle *)h, POLYGONS_FLUXES, f, stream);
}

hx_status polygons_fluxes_test(polygons *h, int *done)
{
    return hx_test((hx_handle *)h, POLYGONS_FLUXES, done);
}

hx_status polygons_fluxes_finish(polygons *h, hx_stream stream)
{
    return hx_finish_on((hx_handle *)h, POLYGONS_FLUXES, stream);
}

hx_status polygons_fluxes(polygons *h, const polygons_fields *f, hx_stream stream)
{
    const hx_status status = polygons_fluxes_start(h, f, stream);
    return status == HX_OK ? polygons_fluxes_finish(h, stream) : status;
}

hx_status polygons_fluxes_pack(polygons *h, const polygons_fields *f, hx_stream stream)
{
    return hx_pack_on((hx_handle *)h, POLYGONS_FLUXES, f, stream);
}

hx_status polygons_fluxes_send(polygons *h, hx_stream stream)
{
    return hx_send_on((hx_handle *)h, POLYGONS_FLUXES, stream);
}

hx_status polygons_fluxes_receive(polygons *h)
{
    return hx_receive((hx_handle *)h, POLYGONS_FLUXES);
}

hx_status polygons_fluxes_unpack(polygons *h, const polygons_fields *f, hx_stream stream)
{
    return hx_unpack_on((hx_handle *)h, POLYGONS_FLUXES, f, stream);
}

hx_status polygons_host_start(polygons *h, const polygons_fields *f)
{
    return hx_start((hx_handle *)h, POLYGONS_HOST, f);
}

hx_status polygons_host_test(polygons *h, int *done)
{
    return hx_test((hx_handle *)h, POLYGONS_HOST, done);
}

hx_status polygons_host_finish(polygons *h)
{
    return hx_finish((hx_handle *)h, POLYGONS_HOST);
}

hx_status polygons_host(polygons *h, const polygons_fields *f)
{
    const hx_status status = polygons_host_start(h, f);
    return status == HX_OK ? polygons_host_finish(h) : status;
}
