#include "device/tables/cuda_fills.h"

#include "base/memory.h"

static const char purpose[] = "what fills ghost points on a device";

/* Axis by axis, where later ones read what earlier ones have filled; else nothing read is filled. */
int hxi_cuda_boundary_step(const hx_exchange *exchange, const hxi_boundary_op *op)
{
    return exchange->box ? op->axis : 0;
}

int hxi_cuda_corner_step(int fill)
{
    return HX_MAX_AXES + fill;
}

/* ---- making -------------------------------------------------------------------------------------------- */

static hx_status add_wall(hxi_cuda_maker *m, const hxi_boundary_op *op, bool zeros)
{
    if (!op->on_device || op->kind != (zeros ? HX_BOUNDARY_ZERO : HX_BOUNDARY_COPY)) {
        return HX_OK;
    }
    return zeros ? hxi_cuda_add_fill_of_zeros(m, op->field, &op->run.zero)
                 : hxi_cuda_add_fill(m, op->field, &op->run.copy);
}

static hx_status add_walls(hxi_cuda_maker *m, const hxi_boundary *boundary, int step, bool zeros)
{
    hx_status status = HX_OK;
    for (int i = 0; i < boundary->ops && status == HX_OK; ++i) {
        const hxi_boundary_op *op = &boundary->op[i];
        status = hxi_cuda_boundary_step(m->work->exchange, op) == step ? add_wall(m, op, zeros) : HX_OK;
    }
    return status;
}

static hx_status add_corners(hxi_cuda_maker *m, const hxi_corners *corners, int fill)
{
    hx_status status = HX_OK;
    for (int i = corners->first[fill]; i < corners->first[fill + 1] && status == HX_OK; ++i) {
        const hxi_corner_op *op = &corners->op[i];
        status = op->on_device ? hxi_cuda_add_fill(m, op->field, &op->copy) : HX_OK;
    }
    return status;
}

static void begin(hxi_cuda_maker *m, hxi_cuda_list *list, int bases)
{
    m->list = list;
    for (int b = 0; b < bases; ++b) {
        m->number_of[b] = -1;
    }
}

hx_status hxi_cuda_fills_make(const hxi_work *work, const hx_cuda_kernels *kernels, bool aligned,
                              const hxi_boundary *boundary, const hxi_corners *corners, hxi_cuda_fills *fills)
{
    const int bases = work->mine->blocks * work->fields;
    hxi_cuda_maker m = {.work = work, .kernels = kernels, .aligned = aligned};
    fills->steps = HX_MAX_AXES + work->exchange->corner_fills;
    fills->step = hxi_memory_get((size_t)fills->steps, sizeof *fills->step, purpose);
    m.number_of = hxi_memory_get((size_t)bases, sizeof *m.number_of, purpose);
    hx_status status = fills->step && m.number_of ? HX_OK : HX_ERR_MEMORY;
    for (int i = 0; i < fills->steps && status == HX_OK; ++i) {
        begin(&m, &fills->step[i].copy, bases);
        status =
            i < HX_MAX_AXES ? add_walls(&m, boundary, i, false) : add_corners(&m, corners, i - HX_MAX_AXES);
        status = status == HX_OK ? hxi_cuda_list_end(m.list, HX_CUDA_IN_TURN) : status;
        begin(&m, &fills->step[i].zero, bases);
        status = status == HX_OK && i < HX_MAX_AXES ? add_walls(&m, boundary, i, true) : status;
        status = status == HX_OK ? hxi_cuda_list_end(m.list, HX_CUDA_IN_TURN) : status;
    }
    hxi_memory_free(m.number_of);
    return status;
}

void hxi_cuda_fills_free(hxi_cuda_fills *fills)
{
    for (int i = 0; fills->step && i < fills->steps; ++i) {
        hxi_cuda_list_free(&fills->step[i].copy);
        hxi_cuda_list_free(&fills->step[i].zero);
    }
    hxi_memory_free(fills->step);
    *fills = (hxi_cuda_fills){0};
}
