/*
 * The device of a handle: its calls, and what all exchanges there have in common.
 */
#ifndef HX_DEVICE_H
#define HX_DEVICE_H

#include "base/devices.h"
#include "base/memory.h"
#include "base/status.h"
#include "comm/topology.h"
#include "memory/buffers.h"

#include <hx/abi.h>
#include <hx/cuda.h>

typedef struct hxi_device_context {
    hxi_kept kept; /* after it was abandoned */
    const hx_spec *spec;
    const hx_device *calls;
    int number; /* of the device, which is the current one of whoever calls */
    hx_device_identity identity;
    uint64_t *met; /* those of all ranks of the node, as fingerprints */
    const hx_options *options;
    hx_stream stream;     /* for tables and zeros */
    hx_device_event *end; /* of what it was given so far, for settle */
    hx_stream *own;       /* one of each exchange, by number, urgent; NULL: it has no field there */
    hxi_buffers buffers;  /* of messages: pinned memory, which kernels write and read */
} hxi_device_context;

/* Local.  The options stay where they are, as long as the device is used.  There is room for so many ranks of
 * the node. */
hx_status hxi_device_open(const hx_spec *spec, const hx_options *options, int node_ranks,
                          hxi_device_context **device);

/* Collective over the node: who has which device? */
hx_status hxi_device_meet(hxi_device_context *device, const hxi_topology *topology);

/* Then: has a rank of the node the same device as this one, or the same slice? */
bool hxi_device_same(const hxi_device_context *device, const hxi_topology *topology, int node_rank);

/*
 * From enter to return its device is the current one of this thread, whichever that was; for what frees, at
 * any time, and for who moves exchanges of others on.  NULL is allowed.
 */
typedef struct hxi_device_guard {
    const hx_device *calls; /* NULL: nothing to undo */
    int before;
} hxi_device_guard;

hxi_device_guard hxi_device_enter(const hxi_device_context *device);
void hxi_device_return(const hxi_device_guard *guard);

/* NULL is allowed.  abandon: kernels and messages may still be under way, so everything stays. */
void hxi_device_close(hxi_device_context *device, int abandon);

/*
 * Waits for all that its streams have been given, whatever came of it.  NULL is allowed.  False: the deadline
 * passed; then whatever frees something would wait on, so nothing is to be freed.
 */
bool hxi_device_drain(const hxi_device_context *device);

/*
 * Does every call of it fail, as after a kernel that failed?  Nothing that it was given will be done then, and
 * nothing can be given back.  NULL is allowed.
 */
bool hxi_device_lost(const hxi_device_context *device);

/* Is it the current device of this thread?  caller: for the sentence. */
hx_status hxi_device_check_current(const hxi_device_context *device, const char *caller);

/* Is a stream one of that device?  What is put into one of another device fails when something was put elsewhere
 * already. */
hx_status hxi_device_check_stream(const hxi_device_context *device, hx_stream stream, const char *caller);

/* Waits until its stream has come to here, or, HX_ERR_DEADLINE, for too long.  For create and alloc. */
hx_status hxi_device_settle(const hxi_device_context *device, const char *purpose);

/* Memory of the device, set to zero when its stream comes to here. */
hx_status hxi_device_get(const hxi_device_context *device, size_t bytes, const char *purpose, void **memory);

#endif
