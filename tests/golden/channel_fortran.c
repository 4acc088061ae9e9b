/*
 * channel_fortran: what channel_module.f90 calls.
 *
 * Emitted by halogen 0.1.0 from channel.lua, model 0c89b90230c8b2dc.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  Compile it with the C compiler that goes with your Fortran compiler, whose
 * ISO_Fortran_binding.h it includes.
 */
#include "channel.h"

#include <hx/fortran.h>

#include <stddef.h>

HX_REQUIRE_ABI(23);

static const hx_f_spec spec = {"channel", &channel_spec, CHANNEL_ASKS_FOR_MODEL, CFI_VERSION};

void channel_f_create(const CFI_cdesc_t *comm, const channel_shape *shape, hx_f_handle *halo,
                      const hx_f_options *options, int *ierr)
{
    const hx_f_wanted wanted = {.options = options};
    hx_f_answer(hx_f_create(&spec, comm, shape, &wanted, halo), ierr);
}

void channel_f_create_blocks(const CFI_cdesc_t *comm, const CFI_cdesc_t *partition, const CFI_cdesc_t *shape,
                             hx_f_handle *halo, const CFI_cdesc_t *owners, const hx_f_options *options, int *ierr)
{
    const hx_f_several given = {.partition = partition, .shape = shape, .owners = owners, .options = options};
    hx_f_answer(hx_f_create_blocks(&spec, comm, &given, halo), ierr);
}

void channel_f_create_like(const hx_f_handle *halo, const CFI_cdesc_t *partition, const CFI_cdesc_t *shape,
                           hx_f_handle *next, const CFI_cdesc_t *owners, int *ierr)
{
    const hx_f_several given = {.partition = partition, .shape = shape, .owners = owners};
    hx_f_answer(hx_f_create_like(&spec, halo, &given, next), ierr);
}

void channel_f_create_wide(const hx_f_handle *narrow, const CFI_cdesc_t *comm, hx_f_handle *halo,
                           const hx_f_options *options, int *ierr)
{
    hx_f_answer(hx_f_create_wide(&spec, narrow, comm, options, halo), ierr);
}

void channel_f_rebalance(const hx_f_handle *halo, const CFI_cdesc_t *work, const CFI_cdesc_t *owners, int *moved, int *ierr)
{
    hx_f_answer(hx_f_rebalance(halo, "channel_rebalance", work, owners, moved), ierr);
}

void channel_f_destroy(hx_f_handle *halo, int *ierr)
{
    hx_f_answer(hx_f_destroy(halo), ierr);
}

void channel_f_register(const hx_f_handle *halo, const hx_f_window *window, int *ierr)
{
    hx_f_answer(hx_f_register(halo, "channel_register", window), ierr);
}

void channel_f_unregister(const hx_f_handle *halo, const hx_f_window *window, int *ierr)
{
    hx_f_answer(hx_f_unregister(halo, "channel_unregister", window), ierr);
}

void channel_f_partition(int nx, int ny, int nz, hx_partition *hx_made)
{
    *hx_made = channel_partition(nx, ny, nz);
}

void channel_f_shape_dense(const hx_part *part, channel_shape *shape)
{
    *shape = channel_shape_dense(part);
}

void channel_f_shape_best(const hx_part *part, channel_shape *shape)
{
    *shape = channel_shape_best(part);
}

void channel_f_shape_of(const hx_part *part,
                        const CFI_cdesc_t *array_of_u,
                        const CFI_cdesc_t *array_of_v,
                        const CFI_cdesc_t *array_of_w,
                        const CFI_cdesc_t *array_of_p,
                        channel_shape *shape, int *ierr)
{
    const CFI_cdesc_t *const arrays[CHANNEL_FIELDS] = {
        array_of_u,
        array_of_v,
        array_of_w,
        array_of_p
    };
    hx_f_answer(hx_f_shape_of(&spec, part, arrays, shape), ierr);
}

int channel_f_file_passes(int field)
{
    return channel_file_passes(field - 1);
}

size_t channel_f_points(const channel_shape *shape, int field)
{
    return channel_points(shape, field - 1);
}

void channel_f_point_1(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *array)
{
    hx_f_point(halo, field, block, array);
}

void channel_f_release_1(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *array)
{
    hx_f_release(halo, field, block, array);
}

int channel_f_whole_1(struct hx_f_halo *halo, int scatters, int blocks, int field, int root, const CFI_cdesc_t *whole)
{
    const hx_f_whole how = {scatters ? "channel_scatter" : "channel_gather", scatters, field - 1, root};
    return hx_f_move_whole(halo, &how, blocks, whole);
}

int channel_f_selected_1(struct hx_f_halo *halo, const hx_f_selection *how, const CFI_cdesc_t *array)
{
    return hx_f_move_selected(halo, how->scatters ? "channel_scatter_selected" : "channel_gather_selected", how, array);
}

void channel_f_point_2(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *array)
{
    hx_f_point(halo, field, block, array);
}

void channel_f_release_2(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *array)
{
    hx_f_release(halo, field, block, array);
}

int channel_f_whole_2(struct hx_f_halo *halo, int scatters, int blocks, int field, int root, const CFI_cdesc_t *whole)
{
    const hx_f_whole how = {scatters ? "channel_scatter" : "channel_gather", scatters, field - 1, root};
    return hx_f_move_whole(halo, &how, blocks, whole);
}

int channel_f_selected_2(struct hx_f_halo *halo, const hx_f_selection *how, const CFI_cdesc_t *array)
{
    return hx_f_move_selected(halo, how->scatters ? "channel_scatter_selected" : "channel_gather_selected", how, array);
}

static const int fields_of_velocity[] = {
    CHANNEL_U,
    CHANNEL_V,
    CHANNEL_W
};
static const hx_f_exchange exchange_velocity = {
    "channel_velocity", CHANNEL_VELOCITY, 0, 3, fields_of_velocity, 0};

void channel_f_velocity(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_u,
    const CFI_cdesc_t *array_of_v,
    const CFI_cdesc_t *array_of_w,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_u, NULL},
        {array_of_v, NULL},
        {array_of_w, NULL}
    };
    const hx_f_how how = {HX_F_WHOLE, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_velocity, &how, arrays), ierr);
}

void channel_f_velocity_start(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_u,
    const CFI_cdesc_t *array_of_v,
    const CFI_cdesc_t *array_of_w,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_u, NULL},
        {array_of_v, NULL},
        {array_of_w, NULL}
    };
    const hx_f_how how = {HX_F_START, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_velocity, &how, arrays), ierr);
}

void channel_f_velocity_finish(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_u,
    const CFI_cdesc_t *array_of_v,
    const CFI_cdesc_t *array_of_w,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_u, NULL},
        {array_of_v, NULL},
        {array_of_w, NULL}
    };
    const hx_f_how how = {HX_F_FINISH, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_velocity, &how, arrays), ierr);
}

void channel_f_velocity_audit(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_u,
    const CFI_cdesc_t *array_of_v,
    const CFI_cdesc_t *array_of_w,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_u, NULL},
        {array_of_v, NULL},
        {array_of_w, NULL}
    };
    const hx_f_how how = {HX_F_AUDIT, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_velocity, &how, arrays), ierr);
}

static hx_f_how how_of_velocity(int part, int fill, hx_stream stream)
{
    return (hx_f_how){(hx_f_part)part, fill, NULL, stream};
}

int channel_f_check_velocity(const struct hx_f_halo *halo, int part, int fill, int blocks)
{
    const hx_f_how how = how_of_velocity(part, fill, NULL);
    return hx_f_check(halo, &exchange_velocity, &how, blocks);
}

int channel_f_take_velocity(
    struct hx_f_halo *hx_halo, int hx_what, int hx_number, int hx_block,
    const CFI_cdesc_t *array_of_u,
    const CFI_cdesc_t *array_of_v,
    const CFI_cdesc_t *array_of_w)
{
    const hx_f_array arrays[] = {
        {array_of_u, NULL},
        {array_of_v, NULL},
        {array_of_w, NULL}
    };
    const hx_f_how how = how_of_velocity(hx_what, hx_number, NULL);
    return hx_f_take(hx_halo, &exchange_velocity, &how, hx_block, arrays);
}

int channel_f_go_velocity(struct hx_f_halo *halo, int part, int fill, hx_stream stream)
{
    const hx_f_how how = how_of_velocity(part, fill, stream);
    return hx_f_go(halo, &exchange_velocity, &how);
}

static const int fields_of_pressure[] = {
    CHANNEL_P
};
static const hx_f_exchange exchange_pressure = {
    "channel_pressure", CHANNEL_PRESSURE, 0, 1, fields_of_pressure, 0};

void channel_f_pressure(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_p,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_p, NULL}
    };
    const hx_f_how how = {HX_F_WHOLE, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_pressure, &how, arrays), ierr);
}

void channel_f_pressure_start(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_p,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_p, NULL}
    };
    const hx_f_how how = {HX_F_START, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_pressure, &how, arrays), ierr);
}

void channel_f_pressure_finish(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_p,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_p, NULL}
    };
    const hx_f_how how = {HX_F_FINISH, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_pressure, &how, arrays), ierr);
}

void channel_f_pressure_audit(
    const hx_f_handle *halo,
    const CFI_cdesc_t *array_of_p,
    int *ierr)
{
    const hx_f_array arrays[] = {
        {array_of_p, NULL}
    };
    const hx_f_how how = {HX_F_AUDIT, 0, NULL, NULL};
    hx_f_answer(hx_f_exchange_one(halo, &exchange_pressure, &how, arrays), ierr);
}

static hx_f_how how_of_pressure(int part, int fill, hx_stream stream)
{
    return (hx_f_how){(hx_f_part)part, fill, NULL, stream};
}

int channel_f_check_pressure(const struct hx_f_halo *halo, int part, int fill, int blocks)
{
    const hx_f_how how = how_of_pressure(part, fill, NULL);
    return hx_f_check(halo, &exchange_pressure, &how, blocks);
}

int channel_f_take_pressure(
    struct hx_f_halo *hx_halo, int hx_what, int hx_number, int hx_block,
    const CFI_cdesc_t *array_of_p)
{
    const hx_f_array arrays[] = {
        {array_of_p, NULL}
    };
    const hx_f_how how = how_of_pressure(hx_what, hx_number, NULL);
    return hx_f_take(hx_halo, &exchange_pressure, &how, hx_block, arrays);
}

int channel_f_go_pressure(struct hx_f_halo *halo, int part, int fill, hx_stream stream)
{
    const hx_f_how how = how_of_pressure(part, fill, stream);
    return hx_f_go(halo, &exchange_pressure, &how);
}
