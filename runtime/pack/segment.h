/*
 * The segments of an exchange: each one box of points of one field, from one block to another, that starts or
 * ends at this rank.
 */
#ifndef HX_SEGMENT_H
#define HX_SEGMENT_H

#include "grid/block.h"
#include "grid/cut.h"
#include "grid/neighbors.h"
#include "grid/schedule.h"

enum { HX_SEGMENT_ALIGNMENT = 16 }; /* the strictest that an element can ask for; see hx_segments_place */

/* Where an exchange adds, the side with the ghost points sends. */
typedef enum hx_segment_kind { HX_SENT, HX_RECEIVED, HX_WITHIN } hx_segment_kind;

/* How the points of a message get to the other rank; see direct.h. */
typedef enum hx_passage {
    HX_BUFFERED, /* they are packed, or in place */
    HX_PUSHED    /* the sender may copy them straight into the receiver's arrays */
} hx_passage;

typedef struct hx_segment {
    hx_segment_kind kind;
    hx_link link;
    int direction; /* its number in the exchange's list */
    int item;      /* number of the field in the exchange's list */
    int to;        /* number among my blocks, -1: another rank's */
    int from;
    const hx_picks *picks;  /* components that travel; NULL: all */
    const hx_runs *to_runs; /* of points of a list, at an end on this rank; else NULL */
    const hx_runs *from_runs;
    hx_term term; /* of shared points; see cut.h */
    hx_term own_term;
    size_t bytes;
    int way; /* by which transport; see routes.h */
    hx_passage passage;
    /* of points of a list that are pushed: the first one at the receiver, who has them in one run */
    int first;
    bool alone;    /* in a message of its own; see in_place.h for these three */
    bool in_place; /* without a buffer at this end, ... */
    size_t place;  /* ... so many bytes behind the array's pointer */
} hx_segment;

typedef struct hx_segments {
    hx_segment *segment;
    int count;
    int room;
} hx_segments;

/* This rank's blocks, and those around them. */
typedef struct hx_neighborhood {
    const hx_spec *spec;
    const hx_layout *layout;
    const hx_block_list *mine;
    const hx_places *neighbors; /* may feed this rank, or be fed by it */
    int rank;
} hx_neighborhood;

/*
 * All segments of an exchange, in message order: first those sent, by peer; then those received, by peer;
 * then those within this rank.  Offsets are not set.
 */
hx_status hx_segments_find(const hx_neighborhood *n, int exchange, hx_segments *found);

/* The same for one phase of a schedule by dimension. */
hx_status hx_segments_find_along(const hx_neighborhood *n, int exchange, const hx_course *course, int phase,
                                 hx_segments *found);
void hx_segments_free(hx_segments *segments);

/* Puts them in message order again, after a change of what decides about it. */
void hx_segments_sort(hx_segments *segments);

/*
 * Sets the offsets of the segments of one message: multiples of the alignment, or on devices as far behind
 * one as rows are in arrays.  Returns the bytes from the begin of the message to the end of the last segment.
 */
size_t hx_segments_place(const hx_spec *spec, hx_segment *segment, int count);

/*
 * A field whose components lie apart travels component after component, so many; any other all in one.  Each
 * of them takes so many bytes of the segment.
 */
int hx_segment_parts(const hx_spec *spec, const hx_segment *segment);
size_t hx_segment_part_bytes(const hx_spec *spec, const hx_segment *segment);

/* Where in its message that is. */
size_t hx_segment_part_offset(const hx_spec *spec, const hx_segment *segment, int part);

/* The number in its field of a component that travels; 0 where components do not lie apart. */
int hx_segment_component(const hx_spec *spec, const hx_segment *segment, int part);

/* The order of segments in a message, and of all of an exchange regardless of messages: < 0, 0, > 0. */
int hx_segments_compare(const hx_segment *x, const hx_segment *y);

/* Do the two ends lie otherwise, or do values change their sign on the way? */
bool hx_link_turns(const hx_link *link);

/* A fingerprint of the segments of one message, the same on both sides. */
uint64_t hx_segments_hash(const hx_segment *segment, int count);

#endif
