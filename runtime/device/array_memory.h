/*
 * Do arrays lie where they are to?
 */
#ifndef HX_ARRAY_MEMORY_H
#define HX_ARRAY_MEMORY_H

#include "base/text.h"
#include "device/device.h"

/*
 * Asks the library of the device where an array lies, and returns its error.  on_device: kernels of the device are to
 * reach it; else loops of the host.  fault: what it is instead, for the middle of a sentence; nothing if all is well.
 */
int hxi_array_memory_fault(const hxi_device_context *device, const void *array, bool on_device,
                           hxi_text *fault);

#endif
