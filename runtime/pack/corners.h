/*
 * Ghost points in the corners of tiles where no tile lies: filled from beside them, without messages, when
 * the application asks for it.
 */
#ifndef HX_CORNERS_H
#define HX_CORNERS_H

#include "grid/layout.h"
#include "pack/ops.h"

typedef struct hxi_corner_op {
    hxi_copy_op copy;
    int field;
    bool on_device; /* the field lies there: what is to be done, and no kernel that does it */
} hxi_corner_op;

typedef struct hxi_corners {
    hxi_corner_op *op;
    int ops;
    int *first; /* operation of each fill of the exchange, and the end of the last */
    hx_region *region;
} hxi_corners;

/* work: of the exchange, without segments. */
hx_status hxi_corners_make(const hxi_work *work, const hxi_layout *layout, hxi_corners *corners);
void hxi_corners_free(hxi_corners *corners);

/* All that is not on a device.  base: the arrays, by slot. */
void hxi_corners_run(const hxi_corners *corners, int fill, void *const *base);

#endif
