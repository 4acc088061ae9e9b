#include "device/device_fills.h"

static const char purpose[] = "what fills ghost points on a device";

/* ---- making -------------------------------------------------------------------------------------------- */

/* The list of copies of a step, or that of zeros. */
static const hxi_cuda_list *list_of(const hxi_cuda_fills *lists, int number)
{
    const hxi_cuda_step *step = &lists->step[number / 2];
    return number % 2 ? &step->zero : &step->copy;
}

static hx_status make_tables(hxi_device_fills *f)
{
    const int lists = 2 * f->lists[0].steps;
    hxi_device_entry *entry = hxi_memory_get(2 * (size_t)lists, sizeof *entry, purpose);
    if (!entry) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < 2 * lists; ++i) {
        const int number = i % lists;
        entry[i] = (hxi_device_entry){list_of(&f->lists[i / lists], number), &f->tables[i / lists][number]};
    }
    const hx_status status = hxi_device_place_tables(f->device, entry, 2 * lists, &f->memory);
    hxi_memory_free(entry);
    return status;
}

hx_status hxi_device_fills_make(const hxi_device_context *device, const hxi_work *work,
                                const hxi_boundary *boundary, const hxi_corners *corners,
                                hxi_device_fills **made)
{
    hxi_device_fills *f = hxi_memory_get(1, sizeof *f, purpose);
    *made = f;
    if (!f) {
        return HX_ERR_MEMORY;
    }
    f->device = device;
    f->exchange = work->exchange;
    f->boundary = boundary;
    f->slots = work->mine->blocks * work->fields;
    f->base = hxi_memory_get((size_t)f->slots, sizeof *f->base, purpose);
    hx_status status = f->base ? HX_OK : HX_ERR_MEMORY;
    for (int aligned = 0; aligned < 2 && status == HX_OK; ++aligned) {
        status = hxi_cuda_fills_make(work, device->spec->cuda, aligned != 0, boundary, corners,
                                     &f->lists[aligned]);
        f->tables[aligned] =
            hxi_memory_get(2 * (size_t)f->lists[aligned].steps, sizeof *f->tables[aligned], purpose);
        status = status == HX_OK && !f->tables[aligned] ? HX_ERR_MEMORY : status;
    }
    return status == HX_OK ? make_tables(f) : status;
}

void hxi_device_fills_free(hxi_device_fills *f, int abandon)
{
    if (!f) {
        return;
    }
    if (abandon) {
        hxi_memory_keep(&f->kept);
        return;
    }
    if (f->memory) {
        f->device->calls->free(HX_MEMORY_DEVICE, f->memory);
    }
    hxi_memory_free(f->base);
    for (int aligned = 0; aligned < 2; ++aligned) {
        hxi_cuda_fills_free(&f->lists[aligned]);
        hxi_memory_free(f->tables[aligned]);
    }
    hxi_memory_free(f);
}

/* ---- running ------------------------------------------------------------------------------------------- */

static hx_status run_step(const hxi_device_fills *f, int step, void *const *base, bool aligned,
                          hx_stream stream)
{
    const hx_cuda_kernels *k = f->device->spec->cuda;
    int error = 0;
    for (int zeros = 0; zeros < 2 && error == 0; ++zeros) {
        const int number = 2 * step + zeros;
        error = hxi_cuda_run(list_of(&f->lists[aligned], number), zeros ? k->zero : k->move,
                             &f->tables[aligned][number], base, stream);
    }
    return error == 0 ? HX_OK
                      : hxi_device_fail(f->device->calls, error,
                                        "Launching what fills ghost points on device %d", f->device->number);
}

/* The calls of the application's function, behind what else is done in a step. */
static void call(const hxi_device_fills *f, int step, void *const *base, const hxi_device_hook *hook,
                 hx_stream stream)
{
    for (int i = 0; i < f->boundary->ops; ++i) {
        const hxi_boundary_op *op = &f->boundary->op[i];
        if (op->on_device && op->kind == HX_BOUNDARY_HOOK &&
            hxi_cuda_boundary_step(f->exchange, op) == step) {
            hx_wall wall = op->run.hook.box;
            wall.array = base[op->run.hook.slot];
            hook->fill(hook->context, &wall, stream);
        }
    }
}

hx_status hxi_device_fills_boundary(const hxi_device_fills *f, void *const *base, bool aligned,
                                    const hxi_device_hook *hook, hx_stream stream)
{
    hx_status status = HX_OK;
    for (int step = 0; f && step < HX_MAX_AXES && status == HX_OK; ++step) {
        status = run_step(f, step, base, aligned, stream);
        if (status == HX_OK) {
            call(f, step, base, hook, stream);
        }
    }
    return status;
}

hx_status hxi_device_fills_corners(const hxi_device_fills *f, int fill, const bool on_device[],
                                   hx_stream stream)
{
    bool aligned = true;
    for (int s = 0; s < f->slots; ++s) {
        aligned = aligned && (!on_device[s] || (uintptr_t)f->base[s] % 16 == 0);
    }
    return run_step(f, hxi_cuda_corner_step(fill), f->base, aligned, stream);
}

int hxi_device_fills_launches(const hxi_device_fills *f)
{
    int launches = 0;
    for (int number = 0; f && number < 2 * HX_MAX_AXES; ++number) {
        launches += list_of(&f->lists[1], number)->launches;
    }
    return launches;
}
