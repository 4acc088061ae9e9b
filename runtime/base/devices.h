/*
 * What is asked about devices everywhere: has an exchange fields there, and what is said of a call that
 * failed?
 */
#ifndef HX_DEVICES_H
#define HX_DEVICES_H

#include "base/status.h"

#include <hx/abi.h>
#include <hx/cuda.h>

/* Does an exchange, or with NULL the spec, have fields in the memory of a device? */
bool hxi_device_has(const hx_spec *spec, const hx_exchange *exchange);

/* Has one that has such fields others, too? */
bool hxi_device_mixes(const hx_spec *spec, const hx_exchange *exchange);

/* As hxi_fail, with what the library of the device says of an error. */
hx_status hxi_device_fail(const hx_device *calls, int error, const char *format, ...) HX_PRINTF(3, 4);

#endif
