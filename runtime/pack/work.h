/*
 * What the operations of one phase are made from: its segments, and where their two ends are on this rank.
 */
#ifndef HX_WORK_H
#define HX_WORK_H

#include "pack/segment.h"

/* What the operations are to do. */
typedef enum hx_scope {
    HX_PHASE, /* all that a phase does */
    /* what is copied in place of one message; not all that fills a halo, so nothing is swept */
    HX_ONE_MESSAGE
} hx_scope;

typedef struct hx_work {
    const hx_spec *spec;
    const hx_exchange *exchange;
    const hx_block_list *mine;
    const hx_segments *segments;
    const int *slot_of;    /* number of each field of the spec among those of the exchange, ... */
    int fields;            /* ... which has so many */
    const int *message_of; /* number of each segment's message; NULL where only copies are made */
    hx_scope scope;
} hx_work;

/* The work of some of the segments, with lists of its own. */
typedef struct hx_share {
    hx_work work;
    hx_segments segments;
    int *message_of;
} hx_share;

/* Those of fields that lie in the memory of a device, or those of all others. */
hx_status hx_share_make(const hx_work *work, bool on_device, hx_share *share);
void hx_share_free(hx_share *share);

/*
 * The end with the ghost points, which an exchange that copies fills, and the one with what they stand for.
 */
typedef enum hx_end { HX_TO, HX_FROM } hx_end;

/* Slots number the arrays of an exchange: block * (number of its fields) + field. */
int hx_work_slot(const hx_work *work, int block, int field);

/* Of an end that is on this rank: its array, ... */
int hx_work_end_slot(const hx_work *work, const hx_segment *segment, hx_end end);

/* ... and its points there, by the axes of the destination.  component: as for hx_block_region. */
hx_region hx_work_end(const hx_work *work, const hx_segment *segment, hx_end end, int component);

#endif
