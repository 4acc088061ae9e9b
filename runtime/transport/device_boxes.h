/*
 * Memory of a device that other ranks of the node write messages into: this rank's own piece, and those of
 * others that it has opened.  A handle has one.
 */
#ifndef HX_DEVICE_BOXES_H
#define HX_DEVICE_BOXES_H

#include "device/device.h"
#include "transport/board.h"

typedef struct hxi_device_boxes {
    hxi_kept kept; /* after it was abandoned */
    const hxi_device_context *device;
    unsigned char *own; /* as large as the board has it, at least; NULL: nothing */
    size_t bytes;       /* of that */
    hxi_device_shared shared;
} hxi_device_boxes;

/* Local.  board: as it is laid out; a rank without slots there needs no memory.  A device that cannot show
 * its memory to others is no failure. */
hx_status hxi_device_boxes_make(const hxi_device_context *device, const hxi_topology *topology,
                                const hxi_board *board, hxi_device_boxes **made);

/*
 * Collective over the node, after the board is shown.  Where a rank cannot reach what it has to write into,
 * none of them uses any.
 */
void hxi_device_boxes_open(hxi_device_boxes *boxes, const hxi_board *board);

/* In its place on a rank that has none, since it failed to make them: no rank of the node opens any. */
void hxi_device_boxes_open_without(const hxi_board *board);

/* Bytes of this rank's own memory.  NULL is allowed. */
size_t hxi_device_boxes_bytes(const hxi_device_boxes *boxes);

/* As hxi_device_shared leaves; close: what others have not closed stays.  NULL is allowed. */
void hxi_device_boxes_close(hxi_device_boxes *boxes, int abandon);

#endif
