/*
 * Walls: what fills ghost points beyond the ends of the grid, when all messages of an exchange are in.  Of
 * tiles that are connected those are the sides that are not.
 */
#ifndef HX_BOUNDARY_H
#define HX_BOUNDARY_H

#include "pack/ops.h"

typedef enum hxi_boundary_kind { HX_BOUNDARY_COPY, HX_BOUNDARY_ZERO, HX_BOUNDARY_HOOK } hxi_boundary_kind;

typedef struct hxi_boundary_op {
    hxi_boundary_kind kind;
    int field;
    int axis;       /* across which the wall lies */
    bool on_device; /* the field lies there: what is to be done, and no kernel that does it */
    hx_region to;
    hx_region from;
    union {
        hxi_copy_op copy; /* of images */
        hxi_zero_op zero;
        struct {
            hx_wall box;
            int slot;
        } hook;
    } run;
} hxi_boundary_op;

typedef struct hxi_boundary {
    hxi_boundary_op *op; /* in the order in which they are to run */
    int ops;
    int hooks;     /* of the operations, calls of the application's functions */
    int on_device; /* of the others, those of fields that lie there */
    /* Does the exchange call a function of the application's, on some rank: for fields of the host, of
     * devices? */
    bool needs_hook;
    bool needs_hook_on;
} hxi_boundary;

/*
 * The operations of an exchange for this rank's blocks.  work: of the exchange, without segments.  Fails
 * where a block has no point that an image could be copied from.
 */
hx_status hxi_boundary_make(const hxi_work *work, const hxi_layout *layout, hxi_boundary *boundary);
void hxi_boundary_free(hxi_boundary *boundary);

/* All that is not on a device. */
void hxi_boundary_run(const hxi_boundary *boundary, void *const *base, hx_wall_fn *fill, void *context);

#endif
