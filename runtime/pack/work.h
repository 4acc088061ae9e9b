/*
 * What the operations of one phase are made from: its segments, and where their two ends are on this rank.
 */
#ifndef HX_WORK_H
#define HX_WORK_H

#include "pack/segment.h"

/* What the operations are to do. */
typedef enum hxi_scope {
    HX_PHASE, /* all that a phase does */
    /* what is copied in place of one message; not all that fills a halo, so nothing is swept */
    HX_ONE_MESSAGE
} hxi_scope;

/* An array of an exchange.  Slots number them: block * (number of its fields) + field. */
typedef struct hxi_slot {
    size_t pointer; /* offset of the array's pointer among the structs of pointers that start is given */
    int block;
    int field;
    size_t bytes; /* of the array */
} hxi_slot;

struct hxi_ops;

/* What another plan has made that is right for this one as well: copies between blocks that lie as they did. */
typedef struct hxi_kept_ops {
    const struct hxi_ops *ops; /* of the same phase, without sweeps */
    const int *block;          /* by block there: its number here; -1: it is not here, or lies otherwise */
    const bool *alike;         /* by block here: it is one of those, which have the same order in both */
} hxi_kept_ops;

typedef struct hxi_work {
    const hx_spec *spec;
    const hx_exchange *exchange;
    const hxi_block_list *mine;
    const hxi_segments *segments;
    const int *slot_of;    /* number of each field of the spec among those of the exchange, ... */
    int fields;            /* ... which has so many */
    const int *message_of; /* number of each segment's message; NULL where only copies are made */
    hxi_scope scope;
    bool any_strides;         /* arrays may have others than 1 along the fastest axis */
    const hxi_kept_ops *kept; /* NULL: nothing is taken over */
} hxi_work;

/* The work of some of the segments, with lists of its own. */
typedef struct hxi_share {
    hxi_work work;
    hxi_segments segments;
    int *message_of;
} hxi_share;

/* Those of arrays that lie in the memory of a device, or those of all others. */
hx_status hxi_share_make(const hxi_work *work, bool on_device, hxi_share *share);
void hxi_share_free(hxi_share *share);

/*
 * The end with the ghost points, which an exchange that copies fills, and the one with what they stand for.
 */
typedef enum hxi_end { HX_TO, HX_FROM } hxi_end;

/* The slot of a field of the spec. */
int hxi_work_slot(const hxi_work *work, int block, int field);

/* Of an end that is on this rank: its array, ... */
int hxi_work_end_slot(const hxi_work *work, const hxi_segment *segment, hxi_end end);

/* ... and its points there, by the axes of the destination.  component: as for hxi_block_region. */
hx_region hxi_work_end(const hxi_work *work, const hxi_segment *segment, hxi_end end, int component);

#endif
