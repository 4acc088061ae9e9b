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
static hx_status find_device(hxi_device_context *home)
{
    const hx_spec *spec = home->spec;
    const hx_field *field = first_field(spec);
    int devices = 0;
    int error = home->calls->count(&devices);
    if (error != 0 || devices == 0) {
        return hxi_fail(
            HX_ERR_DEVICE,
            "%s:%d: field %s lies in the memory of a device, and this process has none: %s.  Run it "
            "where there is a GPU and its driver, or set memory = \"host\" in the spec and generate "
            "again.",
            spec->file, field->line, field->name,
            error != 0 ? home->calls->text(error) : "its library counts 0");
    }
    error = home->calls->current(&home->number);
    error = error == 0 ? home->calls->about(&home->identity) : error;
    return error == 0 ? HX_OK : hxi_device_fail(home->calls, error, "Asking for the current device");
}

/*
 * Exchanges have a stream each, and keep it: what one waits for in a stream of the application is not what
 * another one that shares it waits for.
 */
static hx_status open_streams(hxi_device_context *home)
{
    const hx_spec *spec = home->spec;
    home->own = hxi_memory_get((size_t)spec->exchanges, sizeof *home->own, "the streams of exchanges");
    if (!home->own) {
        return HX_ERR_MEMORY;
    }
    int error = home->calls->stream_open(false, &home->stream);
    for (int i = 0; i < spec->exchanges && error == 0; ++i) {
        if (hxi_device_has(spec, &spec->exchange[i])) {
            error = home->calls->stream_open(true, &home->own[i]);
        }
    }
    return error == 0 ? HX_OK : hxi_device_fail(home->calls, error, "Making a stream");
}

static void close_streams(hxi_device_context *home)
{
    for (int i = 0; home->own && i < home->spec->exchanges; ++i) {
        if (home->own[i]) {
            home->calls->stream_close(home->own[i]);
        }
    }
    if (home->stream) {
        home->calls->stream_close(home->stream);
    }
    hxi_memory_free(home->own);
}

static hx_status open_home(hxi_device_context *home, int check)
{
    hx_status status = check_versions(home->spec);
    if (status != HX_OK) {
        return status;
    }
    home->calls = home->spec->cuda->device;
    status = find_device(home);
    if (status == HX_OK) {
        status = hxi_buffers_open(NULL, check, false, &home->buffers);
    }
    if (status == HX_OK) {
        hxi_pool_pin(home->buffers.pool, home->calls);
        status = open_streams(home);
    }
    if (status == HX_OK) {
        const int error = home->calls->event_open(&home->end);
        status = error == 0 ? HX_OK : hxi_device_fail(home->calls, error, "Making an event");
    }
    return status;
}

hx_status hxi_device_open(const hx_spec *spec, const hx_options *options, int node_ranks,
                          hxi_device_context **home)
{
    hxi_device_context *made = hxi_memory_get(1, sizeof *made, "what is known of a device");
    *home = made;
    if (!made) {
        return HX_ERR_MEMORY;
    }
    made->spec = spec;
    made->options = options;
    made->met = hxi_memory_get((size_t)node_ranks, sizeof *made->met, "the devices of a node");
    return made->met ? open_home(made, options->check) : HX_ERR_MEMORY;
}

hx_status hxi_device_meet(hxi_device_context *home, const hxi_topology *topology)
{
    uint64_t mine = HX_HASH_SEED;
    for (size_t i = 0; i < sizeof home->identity.uuid; ++i) {
        mine = hxi_hash(mine, home->identity.uuid[i]);
    }
    return hxi_topology_node_gather(topology, mine, home->met);
}

bool hxi_device_same(const hxi_device_context *home, const hxi_topology *topology, int node_rank)
{
    return home->met[node_rank] == home->met[topology->node_rank];
}

void hxi_device_close(hxi_device_context *home, int abandon)
{
    if (home && abandon) {
        hxi_memory_keep(&home->kept);
    } else if (home) {
        if (home->end) {
            home->calls->event_close(home->end);
        }
        close_streams(home);
        if (home->buffers.pool) {
            hxi_buffers_close(&home->buffers);
        }
        hxi_memory_free(home->met);
        hxi_memory_free(home);
    }
}

/* ---- what others need ---------------------------------------------------------------------------------- */

hx_status hxi_device_check_current(const hxi_device_context *home, const char *caller)
{
    int number = 0;
    const int error = home->calls->current(&number);
    if (error != 0) {
        return hxi_device_fail(home->calls, error, "%s: asking for the current device", caller);
    }
    return number == home->number
               ? HX_OK
               : hxi_fail(
                     HX_ERR_STATE,
                     "%s: the current device of this thread is %d, and the handle was made on device %d; "
                     "make that one current first, or make another handle.",
                     caller, number, home->number);
}

hx_status hxi_device_check_stream(const hxi_device_context *home, hx_stream stream, const char *caller)
{
    bool here = !stream;
    const int error = stream ? home->calls->stream_here(stream, &here) : 0;
    if (error != 0) {
        return hxi_device_fail(home->calls, error, "%s: asking for the device of the stream %p", caller,
                               (void *)stream);
    }
    return here ? HX_OK
                : hxi_fail(HX_ERR_ARGUMENT,
                           "%s: the stream %p is of another device than the handle, which was made on device "
                           "%d; give a stream of that one.",
                           caller, (void *)stream, home->number);
}

hxi_device_guard hxi_device_enter(const hxi_device_context *home)
{
    hxi_device_guard guard = {0};
    if (home && home->calls && home->calls->current(&guard.before) == 0 && guard.before != home->number &&
        home->calls->use(home->number) == 0) {
        guard.calls = home->calls;
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

static void tell_of_waiting(const hxi_device_context *home, const char *purpose)
{
    hxi_log(home->options, HX_LOG_WARNING,
            "%s: after %d seconds device %d still has to do what its streams were given before, for %s; the "
            "option deadline, which is 0, ends such waits.  Do kernels there wait for something?",
            home->spec->name, PATIENCE, home->number, purpose);
}

hx_status hxi_device_settle(const hxi_device_context *home, const char *purpose)
{
    const hx_device *calls = home->calls;
    const double deadline = home->options->deadline;
    const double before = hxi_clock();
    bool told = deadline > 0.0;
    bool done = false;
    int error = calls->event_record(home->end, home->stream);
    for (; error == 0 && !done; hxi_clock_yield()) {
        error = calls->event_done(home->end, &done);
        const double waited = hxi_clock() - before;
        if (error == 0 && !done && deadline > 0.0 && waited > deadline) {
            return hxi_fail(
                HX_ERR_DEADLINE,
                "After %g seconds device %d still has to do what its streams were given before, for "
                "%s.  Do kernels there wait for something?",
                deadline, home->number, purpose);
        }
        if (!done && !told && waited > PATIENCE) {
            tell_of_waiting(home, purpose);
            told = true;
        }
    }
    return error == 0 ? HX_OK
                      : hxi_device_fail(calls, error, "Waiting for device %d, for %s", home->number, purpose);
}

/*
 * What exchanges have to do comes before what settle waits for.  A device that fails is waited for no longer.
 */
static void gather(const hxi_device_context *home)
{
    int error = 0;
    for (int i = 0; i < home->spec->exchanges && error == 0; ++i) {
        if (home->own[i]) {
            error = home->calls->event_record(home->end, home->own[i]);
            error = error == 0 ? home->calls->event_wait(home->end, home->stream) : error;
        }
    }
}

bool hxi_device_drain(const hxi_device_context *home)
{
    if (!home || !home->end) {
        return true;
    }
    gather(home);
    return hxi_device_settle(home, "what destroy frees") != HX_ERR_DEADLINE;
}

/* What fails by chance may succeed the next time. */
bool hxi_device_lost(const hxi_device_context *home)
{
    return home && home->end && home->calls->event_record(home->end, home->stream) != 0 &&
           home->calls->event_record(home->end, home->stream) != 0;
}

hx_status hxi_device_get(const hxi_device_context *home, size_t bytes, const char *purpose, void **memory)
{
    const hx_device *calls = home->calls;
    *memory = NULL;
    int error = calls->get(HX_MEMORY_DEVICE, bytes, memory);
    if (error != 0) {
        *memory = NULL;
        return hxi_device_fail(calls, error, "Getting %zu bytes of the memory of device %d for %s", bytes,
                               home->number, purpose);
    }
    error = calls->zero(*memory, bytes, home->stream);
    if (error != 0) {
        calls->free(HX_MEMORY_DEVICE, *memory);
        *memory = NULL;
        return hxi_device_fail(calls, error, "Setting %zu bytes of the memory of device %d to zero", bytes,
                               home->number);
    }
    return HX_OK;
}
