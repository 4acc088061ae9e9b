#include "device/array_memory.h"

static const char *kind_of(const hx_memory_place *place)
{
    static const char *const names[] = {[HX_MEMORY_HOST] = "memory of the host",
                                        [HX_MEMORY_PINNED] = "pinned memory of the host",
                                        [HX_MEMORY_DEVICE] = "memory of a device",
                                        [HX_MEMORY_MANAGED] = "managed memory"};
    return names[place->kind];
}

static bool is_good(const hxi_device_context *device, bool on_device, const hx_memory_place *place)
{
    if (!on_device) {
        return place->kind != HX_MEMORY_DEVICE;
    }
    return place->kind == HX_MEMORY_MANAGED ||
           (place->kind != HX_MEMORY_HOST && place->device == device->number);
}

int hxi_array_memory_fault(const hxi_device_context *device, const void *array, bool on_device,
                           hxi_text *fault)
{
    hx_memory_place place;
    const int error = device->calls->place(array, &place);
    if (error != 0 || is_good(device, on_device, &place)) {
        return error;
    }
    hxi_text_add(fault, "%p, which is %s", array, kind_of(&place));
    if (place.kind == HX_MEMORY_DEVICE && on_device && place.device >= 0) {
        hxi_text_add(fault, ", number %d; the handle was made on device %d", place.device, device->number);
    } else if (place.kind != HX_MEMORY_HOST && on_device) {
        hxi_text_add(fault, ", which kernels of device %d cannot reach at that address", device->number);
    }
    return 0;
}
