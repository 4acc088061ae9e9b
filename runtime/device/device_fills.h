/*
 * What a device does of an exchange when all messages are unpacked, and later when the application asks for
 * it: ghost points beyond walls and in corners of tiles.
 */
#ifndef HX_DEVICE_FILLS_H
#define HX_DEVICE_FILLS_H

#include "device/device_tables.h"
#include "device/tables/cuda_fills.h"

typedef struct hxi_device_fills {
    hxi_kept kept; /* after it was abandoned */
    const hxi_device_context *device;
    const hx_exchange *exchange;
    const hxi_boundary *boundary;
    hxi_cuda_fills lists[2];    /* arrays anywhere; all at multiples of 16 bytes */
    hxi_cuda_tables *tables[2]; /* of the device: two for each step, of copies and of zeros */
    void *memory;               /* of the device: all tables */
    void **base;                /* room for the arrays of a call, by slot */
    int slots;
} hxi_device_fills;

/* Who fills walls that nothing else does. */
typedef struct hxi_device_hook {
    hx_wall_on_fn *fill;
    void *context;
} hxi_device_hook;

/* Local.  work: of the exchange, without segments; the walls stay where they are. */
hx_status hxi_device_fills_make(const hxi_device_context *device, const hxi_work *work,
                                const hxi_boundary *boundary, const hxi_corners *corners,
                                hxi_device_fills **made);

/* NULL is allowed, here and below.  abandon: as for hxi_device_close. */
void hxi_device_fills_free(hxi_device_fills *fills, int abandon);

/* base: the arrays, by slot; aligned: those of the device begin at multiples of 16 bytes. */
hx_status hxi_device_fills_boundary(const hxi_device_fills *fills, void *const *base, bool aligned,
                                    const hxi_device_hook *hook, hx_stream stream);

/* The arrays are those in base; on_device: which of them lie there. */
hx_status hxi_device_fills_corners(const hxi_device_fills *fills, int fill, const bool on_device[],
                                   hx_stream stream);

/* Launches that fill walls, for hx_describe. */
int hxi_device_fills_launches(const hxi_device_fills *fills);

#endif
