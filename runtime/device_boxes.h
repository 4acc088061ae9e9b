/*
 * Memory of a device that other ranks of the node write messages into: this rank's own piece, and those of
 * others that it has opened.  A handle has one.
 */
#ifndef HX_DEVICE_BOXES_H
#define HX_DEVICE_BOXES_H

#include "board.h"
#include "device.h"
#include "text.h"

enum { HX_DEVICE_BOXES_WHY = 512 };

typedef struct hx_device_boxes {
    hx_kept kept; /* after it was abandoned */
    const hx_device_home *home;
    const hx_board *board;         /* NULL: no rank of the node has any */
    unsigned char *own;            /* as large as the board has it, and more; NULL: nothing */
    size_t bytes;                  /* of that */
    unsigned char **other;         /* by rank of the node; NULL: this rank puts nothing there */
    int ranks;                     /* of the node */
    hx_device_token token;         /* of its own */
    bool usable;                   /* all ranks of the node have opened what they write into */
    char why[HX_DEVICE_BOXES_WHY]; /* it is not */
} hx_device_boxes;

/* Local.  board: as it is laid out; a rank without slots there needs no memory.  A device that cannot show
 * its memory to others is no failure. */
hx_status hx_device_boxes_make(const hx_device_home *home, const hx_topology *topology, const hx_board *board,
                               hx_device_boxes **made);

/*
 * Collective over the node, fails on all of its ranks or on none, after the board is shown.  Where a rank
 * cannot reach what it has to write into, none of them uses any.
 */
hx_status hx_device_boxes_open(hx_device_boxes *boxes, const hx_topology *topology, const hx_board *board);

/* Bytes of this rank's own, for hx_describe; NULL is allowed. */
size_t hx_device_boxes_bytes(const hx_device_boxes *boxes);

/*
 * In three steps, since nobody may free what another one has opened.  leave: nothing of this rank's will be
 * written to others, who see that; abandon: something may.  It fails where something cannot be closed, and
 * says that to them, too.  are_left: have others done so?  tell: the ranks that have not.  close: what they
 * have not left stays.  NULL is allowed, but for tell.
 */
hx_status hx_device_boxes_leave(hx_device_boxes *boxes, int abandon);
bool hx_device_boxes_are_left(const hx_device_boxes *boxes);
void hx_device_boxes_tell(const hx_device_boxes *boxes, hx_text *text);
void hx_device_boxes_close(hx_device_boxes *boxes, int abandon);

#endif
