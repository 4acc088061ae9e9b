/*
 * The device of a handle: its calls, and what all exchanges there have in common.
 */
#ifndef HX_DEVICE_H
#define HX_DEVICE_H

#include "base/devices.h"
#include "base/memory.h"
#include "base/status.h"
#include "memory/buffers.h"

#include <hx/abi.h>
#include <hx/cuda.h>

typedef struct hx_device_home {
    hx_kept kept; /* after it was abandoned */
    const hx_spec *spec;
    const hx_device *calls;
    int number; /* of the device, which is the current one of whoever calls */
    const hx_options *options;
    hx_stream stream;     /* for tables and zeros */
    hx_device_event *end; /* of what it was given so far, for settle */
    hx_stream *own;       /* one of each exchange, by number, urgent; NULL: it has no field there */
    hx_buffers buffers;   /* of messages: pinned memory, which kernels write and read */
} hx_device_home;

/* Local.  The options stay where they are, as long as the device is used. */
hx_status hx_device_open(const hx_spec *spec, const hx_options *options, hx_device_home **home);

/*
 * From enter to return its device is the current one of this thread, whichever that was; for what frees, at
 * any time, and for who moves exchanges of others on.  NULL is allowed.
 */
typedef struct hx_device_stay {
    const hx_device *calls; /* NULL: nothing to undo */
    int before;
} hx_device_stay;

hx_device_stay hx_device_enter(const hx_device_home *home);
void hx_device_return(const hx_device_stay *stay);

/* NULL is allowed.  abandon: kernels and messages may still be under way, so everything stays. */
void hx_device_close(hx_device_home *home, int abandon);

/*
 * Waits for all that its streams have been given, whatever came of it.  NULL is allowed.  False: the deadline
 * passed; then whatever frees something would wait on, so nothing is to be freed.
 */
bool hx_device_drain(const hx_device_home *home);

/* Is it the current device of this thread?  caller: for the sentence. */
hx_status hx_device_check_current(const hx_device_home *home, const char *caller);

/* Waits until its stream has come to here, or, HX_ERR_DEADLINE, for too long.  For create and alloc. */
hx_status hx_device_settle(const hx_device_home *home, const char *purpose);

/* Memory of the device, set to zero when its stream comes to here. */
hx_status hx_device_get(const hx_device_home *home, size_t bytes, const char *purpose, void **memory);

#endif
