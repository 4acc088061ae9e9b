/*
 * Walls: what fills ghost points beyond the ends of the grid, when all messages of an exchange are in.  Of
 * tiles that are connected those are the sides that are not.
 */
#ifndef HX_WALL_H
#define HX_WALL_H

#include "pack/ops.h"

typedef enum hx_wall_kind { HX_WALL_COPY, HX_WALL_ZERO, HX_WALL_HOOK } hx_wall_kind;

typedef struct hx_wall_op {
    hx_wall_kind kind;
    int field;
    int axis;       /* across which the wall lies */
    bool on_device; /* the field lies there: what is to be done, and no kernel that does it */
    hx_region to;
    hx_region from;
    union {
        hx_copy_op copy; /* of images */
        hx_zero_op zero;
        struct {
            hx_wall box;
            int slot;
        } hook;
    } run;
} hx_wall_op;

typedef struct hx_walls {
    hx_wall_op *op; /* in the order in which they are to run */
    int ops;
    int hooks;     /* of the operations, calls of the application's functions */
    int on_device; /* of the others, those of fields that lie there */
    /* Does the exchange call a function of the application's, on some rank: for fields of the host, of
     * devices? */
    bool needs_hook;
    bool needs_hook_on;
} hx_walls;

/*
 * The operations of an exchange for this rank's blocks.  work: of the exchange, without segments.  Fails
 * where a block has no point that an image could be copied from.
 */
hx_status hx_walls_make(const hx_work *work, const hx_layout *layout, hx_walls *walls);
void hx_walls_free(hx_walls *walls);

/* All that is not on a device. */
void hx_walls_run(const hx_walls *walls, void *const *base, hx_wall_fn *fill, void *context);

#endif
