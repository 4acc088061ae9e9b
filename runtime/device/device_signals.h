/*
 * What the device of a rank tells those of its peers on the node, and hears from them, while a stream runs:
 * boxes may be written, messages are there.  So an exchange can be part of a graph, and no host has to do
 * anything.
 */
#ifndef HX_DEVICE_SIGNALS_H
#define HX_DEVICE_SIGNALS_H

#include "device/device.h"

typedef struct hxi_device_signals {
    hxi_kept kept; /* after it was abandoned */
    const hxi_device_context *device;
    int links;
    void *memory;           /* of the device: the epoch, then links */
    _Atomic uint64_t *late; /* pinned: as in hx_cuda_signal */
    void *late_there;       /* where the device has that */
} hxi_device_signals;

/* Local.  link: by peer; they are copied. */
hx_status hxi_device_signals_make(const hxi_device_context *device, const hx_cuda_link *link, int links,
                                  hxi_device_signals **made);

/* NULL is allowed.  abandon: as for hxi_device_close. */
void hxi_device_signals_free(hxi_device_signals *signals, int abandon);

/* A step of hx_cuda_signal, when the stream comes to here.  It waits up to the deadline of the options. */
hx_status hxi_device_signals_run(const hxi_device_signals *signals, int step, hx_stream stream);

/*
 * Did a wait of a stream come to the deadline?  Then what was awaited: the number of a link, and whether its
 * message, rather than its box.
 */
typedef struct hxi_late_link {
    int link;
    bool message;
} hxi_late_link;

bool hxi_device_signals_late(const hxi_device_signals *signals, hxi_late_link *late);

#endif
