/*
 * Ghost points in the corners of tiles where no tile lies: filled from beside them, without messages, when
 * the application asks for it.
 */
#ifndef HX_CORNERS_H
#define HX_CORNERS_H

#include "grid/layout.h"
#include "pack/ops.h"

typedef struct hx_corner_op {
    hx_copy_op copy;
    int field;
    bool on_device; /* the field lies there: what is to be done, and no kernel that does it */
} hx_corner_op;

typedef struct hx_corners {
    hx_corner_op *op;
    int ops;
    int *first; /* operation of each fill of the exchange, and the end of the last */
    hx_region *region;
} hx_corners;

/* work: of the exchange, without segments. */
hx_status hx_corners_make(const hx_work *work, const hx_layout *layout, hx_corners *corners);
void hx_corners_free(hx_corners *corners);

/* All that is not on a device.  base: the arrays, by slot. */
void hx_corners_run(const hx_corners *corners, int fill, void *const *base);

#endif
