/*
 * Memory of a device that other ranks of the node write messages into: this rank's own piece, and those of
 * others that it has opened.  A handle has one.
 */
#ifndef HX_DEVICE_BOXES_H
#define HX_DEVICE_BOXES_H

#include "device/device.h"
#include "transport/board.h"

typedef struct hx_device_boxes {
    hx_kept kept; /* after it was abandoned */
    const hx_device_home *home;
    unsigned char *own; /* as large as the board has it, at least; NULL: nothing */
    size_t bytes;       /* of that */
    hx_device_shared shared;
} hx_device_boxes;

/* Local.  board: as it is laid out; a rank without slots there needs no memory.  A device that cannot show
 * its memory to others is no failure. */
hx_status hx_device_boxes_make(const hx_device_home *home, const hx_topology *topology, const hx_board *board,
                               hx_device_boxes **made);

/*
 * Collective over the node, after the board is shown.  Where a rank cannot reach what it has to write into,
 * none of them uses any.
 */
void hx_device_boxes_open(hx_device_boxes *boxes, const hx_board *board);

/* Bytes of this rank's own memory.  NULL is allowed. */
size_t hx_device_boxes_bytes(const hx_device_boxes *boxes);

/* As hx_device_shared leaves; close: what others have not closed stays.  NULL is allowed. */
void hx_device_boxes_close(hx_device_boxes *boxes, int abandon);

#endif
