#include "device/device_signals.h"

#include <stdatomic.h>

static const char purpose[] = "flags between devices";

/* Links begin on a cache line of their own. */
enum { LINKS_AT = sizeof(hx_cuda_flags) };

_Static_assert(sizeof(hx_cuda_epoch) <= LINKS_AT, "links are behind the epoch");

static hx_status get_late(hxi_device_signals *s)
{
    const hx_device *calls = s->device->calls;
    void *memory = NULL;
    int error = calls->get(HX_MEMORY_PINNED, sizeof *s->late, &memory);
    if (error == 0) {
        s->late = memory;
        atomic_store_explicit(s->late, 0, memory_order_relaxed);
        error = calls->mapped(memory, &s->late_there);
    }
    return error == 0 ? HX_OK
                      : hxi_device_fail(calls, error, "Getting pinned memory that device %d sees",
                                        s->device->number);
}

static hx_status place_links(hxi_device_signals *s, const hx_cuda_link *link)
{
    const hxi_device_context *device = s->device;
    const size_t bytes = (size_t)s->links * sizeof *link;
    const hx_status status = hxi_device_get(device, LINKS_AT + bytes, purpose, &s->memory);
    if (status != HX_OK) {
        return status;
    }
    const int error = device->calls->copy((unsigned char *)s->memory + LINKS_AT, link, bytes, device->stream);
    return error == 0 ? hxi_device_settle(device, purpose)
                      : hxi_device_fail(device->calls, error, "Copying %zu bytes of tables to device %d",
                                        bytes, device->number);
}

hx_status hxi_device_signals_make(const hxi_device_context *device, const hx_cuda_link *link, int links,
                                  hxi_device_signals **made)
{
    hxi_device_signals *s = hxi_memory_get(1, sizeof *s, purpose);
    *made = s;
    if (!s) {
        return HX_ERR_MEMORY;
    }
    s->device = device;
    s->links = links;
    const hx_status status = get_late(s);
    return status == HX_OK ? place_links(s, link) : status;
}

void hxi_device_signals_free(hxi_device_signals *s, int abandon)
{
    if (!s) {
        return;
    }
    if (abandon) {
        hxi_memory_keep(&s->kept);
        return;
    }
    if (s->memory) {
        s->device->calls->free(HX_MEMORY_DEVICE, s->memory);
    }
    if (s->late) {
        s->device->calls->free(HX_MEMORY_PINNED, (void *)s->late);
    }
    hxi_memory_free(s);
}

hx_status hxi_device_signals_run(const hxi_device_signals *s, int step, hx_stream stream)
{
    const double deadline = s->device->options->deadline;
    const hx_cuda_signal arguments = {
        .link = (const hx_cuda_link *)(const void *)((unsigned char *)s->memory + LINKS_AT),
        .links = (uint32_t)s->links,
        .step = (uint32_t)step,
        .epoch = s->memory,
        .late = s->late_there,
        .patience = deadline > 0.0 ? (uint64_t)(deadline * 1e9) + 1 : 0,
    };
    const int error = s->device->spec->cuda->signal(&arguments, stream);
    return error == 0 ? HX_OK
                      : hxi_device_fail(s->device->calls, error,
                                        "Launching what raises flags between devices on device %d",
                                        s->device->number);
}

bool hxi_device_signals_late(const hxi_device_signals *s, hxi_late_link *late)
{
    const uint64_t word = s ? atomic_load_explicit(s->late, memory_order_acquire) : 0;
    if (word != 0) {
        *late = (hxi_late_link){.link = (int)((word - 1) / 2), .message = word % 2 == 0};
    }
    return word != 0;
}
