#include "device/device.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "memory/pool.h"

#include <stdio.h>

/* ---- opening and closing ------------------------------------------------------------------------------- */

static const hx_field *first_field(const hx_spec *spec)
{
    int f = 0;
    while (!spec->field[f].on_device) {
        ++f;
    }
    return &spec->field[f];
}

static hx_status check_versions(const hx_spec *spec)
{
    const int kernels = spec->cuda->abi;
    const int calls = spec->cuda->abi == HX_CUDA_ABI ? spec->cuda->device->abi : HX_CUDA_ABI;
    if (kernels == HX_CUDA_ABI && calls == HX_CUDA_ABI) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_ARGUMENT,
                    "The %s of %s speaks to libhx as of device ABI %d, this libhx as of %d; %s.",
                    kernels == HX_CUDA_ABI ? "libhx_cuda" : "device code", spec->name,
                    kernels == HX_CUDA_ABI ? calls : kernels, HX_CUDA_ABI,
                    kernels == HX_CUDA_ABI ? "link with the libhx_cuda that came with this libhx"
                                           : "generate it again with the halogen that came with this libhx");
}

/* Is there a device, and which one is it? */
static hx_status find_device(hxi_device_context *device)
{
    const hx_spec *spec = device->spec;
    const hx_field *field = first_field(spec);
    int devices = 0;
    int error = device->calls->count(&devices);
    if (error != 0 || devices == 0) {
        return hxi_fail(
            HX_ERR_DEVICE,
            "%s:%d: field %s lies in the memory of a device, and this process has none: %s.  Run it "
            "where there is a GPU and its driver, or set memory = \"host\" in the spec and generate "
            "again.",
            spec->file, field->line, field->name,
            error != 0 ? device->calls->text(error) : "its library counts 0");
    }
    error = device->calls->current(&device->number);
    error = error == 0 ? device->calls->about(&device->identity) : error;
    return error == 0 ? HX_OK : hxi_device_fail(device->calls, error, "Asking for the current device");
}

/*
 * Exchanges have a stream each, and keep it: what one waits for in a stream of the application is not what
 * another one that shares it waits for.
 */
static hx_status open_streams(hxi_device_context *device)
{
    const hx_spec *spec = device->spec;
    device->own = hxi_memory_get((size_t)spec->exchanges, sizeof *device->own, "the streams of exchanges");
    if (!device->own) {
        return HX_ERR_MEMORY;
    }
    int error = device->calls->stream_open(false, &device->stream);
    for (int i = 0; i < spec->exchanges && error == 0; ++i) {
        if (hxi_device_has(spec, &spec->exchange[i])) {
            error = device->calls->stream_open(true, &device->own[i]);
        }
    }
    return error == 0 ? HX_OK : hxi_device_fail(device->calls, error, "Making a stream");
}

static void close_streams(hxi_device_context *device)
{
    for (int i = 0; device->own && i < device->spec->exchanges; ++i) {
        if (device->own[i]) {
            device->calls->stream_close(device->own[i]);
        }
    }
    if (device->stream) {
        device->calls->stream_close(device->stream);
    }
    hxi_memory_free(device->own);
}

static hx_status open_device(hxi_device_context *device, int check)
{
    hx_status status = check_versions(device->spec);
    if (status != HX_OK) {
        return status;
    }
    device->calls = device->spec->cuda->device;
    status = find_device(device);
    if (status == HX_OK) {
        status = hxi_buffers_open(NULL, check, false, &device->buffers);
    }
    if (status == HX_OK) {
        hxi_pool_pin(device->buffers.pool, device->calls);
        status = open_streams(device);
    }
    if (status == HX_OK) {
        const int error = device->calls->event_open(&device->end);
        status = error == 0 ? HX_OK : hxi_device_fail(device->calls, error, "Making an event");
    }
    return status;
}

hx_status hxi_device_open(const hx_spec *spec, const hx_options *options, int node_ranks,
                          hxi_device_context **device)
{
    hxi_device_context *made = hxi_memory_get(1, sizeof *made, "what is known of a device");
    *device = made;
    if (!made) {
        return HX_ERR_MEMORY;
    }
    made->spec = spec;
    made->options = options;
    made->met = hxi_memory_get((size_t)node_ranks, sizeof *made->met, "the devices of a node");
    return made->met ? open_device(made, options->check) : HX_ERR_MEMORY;
}

hx_status hxi_device_meet(hxi_device_context *device, const hxi_topology *topology)
{
    uint64_t mine = HX_HASH_SEED;
    for (size_t i = 0; i < sizeof device->identity.uuid; ++i) {
        mine = hxi_hash(mine, device->identity.uuid[i]);
    }
    return hxi_topology_node_gather(topology, mine, device->met);
}

bool hxi_device_same(const hxi_device_context *device, const hxi_topology *topology, int node_rank)
{
    return device->met[node_rank] == device->met[topology->node_rank];
}

void hxi_device_close(hxi_device_context *device, int abandon)
{
    if (device && abandon) {
        hxi_memory_keep(&device->kept);
    } else if (device) {
        if (device->end) {
            device->calls->event_close(device->end);
        }
        close_streams(device);
        if (device->buffers.pool) {
            hxi_buffers_close(&device->buffers);
        }
        hxi_memory_free(device->met);
        hxi_memory_free(device);
    }
}

/* ---- what others need ---------------------------------------------------------------------------------- */

hx_status hxi_device_check_current(const hxi_device_context *device, const char *caller)
{
    int number = 0;
    const int error = device->calls->current(&number);
    if (error != 0) {
        return hxi_device_fail(device->calls, error, "%s: asking for the current device", caller);
    }
    return number == device->number
               ? HX_OK
               : hxi_fail(
                     HX_ERR_STATE,
                     "%s: the current device of this thread is %d, and the handle was made on device %d; "
                     "make that one current first, or make another handle.",
                     caller, number, device->number);
}

hx_status hxi_device_check_stream(const hxi_device_context *device, hx_stream stream, const char *caller)
{
    bool here = !stream;
    const int error = stream ? device->calls->stream_here(stream, &here) : 0;
    if (error != 0) {
        return hxi_device_fail(device->calls, error, "%s: asking for the device of the stream %p", caller,
                               (void *)stream);
    }
    return here ? HX_OK
                : hxi_fail(HX_ERR_ARGUMENT,
                           "%s: the stream %p is of another device than the handle, which was made on device "
                           "%d; give a stream of that one.",
                           caller, (void *)stream, device->number);
}

hxi_device_guard hxi_device_enter(const hxi_device_context *device)
{
    hxi_device_guard guard = {0};
    if (device && device->calls && device->calls->current(&guard.before) == 0 &&
        guard.before != device->number && device->calls->use(device->number) == 0) {
        guard.calls = device->calls;
    }
    return guard;
}

void hxi_device_return(const hxi_device_guard *guard)
{
    if (guard->calls) {
        guard->calls->use(guard->before);
    }
}

enum { PATIENCE = 5 }; /* seconds of waiting without a deadline, until that is told */

static void tell_of_waiting(const hxi_device_context *device, const char *purpose)
{
    hxi_log(device->options, HX_LOG_WARNING,
            "%s: after %d seconds device %d still has to do what its streams were given before, for %s; the "
            "option deadline, which is 0, ends such waits.  Do kernels there wait for something?",
            device->spec->name, PATIENCE, device->number, purpose);
}

hx_status hxi_device_settle(const hxi_device_context *device, const char *purpose)
{
    const hx_device *calls = device->calls;
    const double deadline = device->options->deadline;
    const double before = hxi_clock();
    bool told = deadline > 0.0;
    bool done = false;
    int error = calls->event_record(device->end, device->stream);
    for (; error == 0 && !done; hxi_clock_yield()) {
        error = calls->event_done(device->end, &done);
        const double waited = hxi_clock() - before;
        if (error == 0 && !done && deadline > 0.0 && waited > deadline) {
            return hxi_fail(
                HX_ERR_DEADLINE,
                "After %g seconds device %d still has to do what its streams were given before, for "
                "%s.  Do kernels there wait for something?",
                deadline, device->number, purpose);
        }
        if (!done && !told && waited > PATIENCE) {
            tell_of_waiting(device, purpose);
            told = true;
        }
    }
    return error == 0
               ? HX_OK
               : hxi_device_fail(calls, error, "Waiting for device %d, for %s", device->number, purpose);
}

/*
 * What exchanges have to do comes before what settle waits for.  A device that fails is waited for no longer.
 */
static void gather(const hxi_device_context *device)
{
    int error = 0;
    for (int i = 0; i < device->spec->exchanges && error == 0; ++i) {
        if (device->own[i]) {
            error = device->calls->event_record(device->end, device->own[i]);
            error = error == 0 ? device->calls->event_wait(device->end, device->stream) : error;
        }
    }
}

bool hxi_device_drain(const hxi_device_context *device)
{
    if (!device || !device->end) {
        return true;
    }
    gather(device);
    return hxi_device_settle(device, "what destroy frees") != HX_ERR_DEADLINE;
}

/* What fails by chance may succeed the next time. */
bool hxi_device_lost(const hxi_device_context *device)
{
    return device && device->end && device->calls->event_record(device->end, device->stream) != 0 &&
           device->calls->event_record(device->end, device->stream) != 0;
}

hx_status hxi_device_get(const hxi_device_context *device, size_t bytes, const char *purpose, void **memory)
{
    const hx_device *calls = device->calls;
    *memory = NULL;
    int error = calls->get(HX_MEMORY_DEVICE, bytes, memory);
    if (error != 0) {
        *memory = NULL;
        return hxi_device_fail(calls, error, "Getting %zu bytes of the memory of device %d for %s", bytes,
                               device->number, purpose);
    }
    error = calls->zero(*memory, bytes, device->stream);
    if (error != 0) {
        calls->free(HX_MEMORY_DEVICE, *memory);
        *memory = NULL;
        return hxi_device_fail(calls, error, "Setting %zu bytes of the memory of device %d to zero", bytes,
                               device->number);
    }
    return HX_OK;
}
