/*
 * What a device does of a redistribution: fields in its memory are packed and unpacked there.
 */
#ifndef HX_MOVING_DEVICE_H
#define HX_MOVING_DEVICE_H

#include "redistribution/moving.h"

/* Local: may fields of the handle's device be moved behind a stream, by this thread? */
hx_status hxi_moving_device_check(const hx_handle *h, hx_stream stream, const char *caller);

/* Local: tables of what the device does; nothing, where no field that moves lies there. */
hx_status hxi_moving_device_make(const hx_handle *h, const hxi_redistribution_task *task, hxi_moving *m);
void hxi_moving_device_free(hxi_moving *m);

/*
 * Local, when all messages have a place: packs them, and copies what stays on the rank, behind what the stream was given
 * before.  Waits for that, up to the deadline.
 */
hx_status hxi_moving_device_leave(hx_handle *h, hxi_moving *m, const char *caller);

/* Local, when all messages have come: unpacks them, and waits for that. */
hx_status hxi_moving_device_arrive(hx_handle *h, hxi_moving *m, const char *caller);

#endif
