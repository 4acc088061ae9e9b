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

enum { HX_SEGMENT_ALIGNMENT = 16 }; /* the strictest that an element can ask for; see hxi_segments_place */

/* Where an exchange adds, the side with the ghost points sends. */
typedef enum hxi_segment_kind { HX_SENT, HX_RECEIVED, HX_WITHIN } hxi_segment_kind;

/* How the points of a message get to the other rank; see direct.h. */
typedef enum hxi_delivery {
    HX_BUFFERED, /* they are packed, or in place */
    HX_PUSHED    /* the sender may copy them straight into the receiver's arrays */
} hxi_delivery;

typedef struct hxi_segment {
    hxi_segment_kind kind;
    hx_link link;
    int direction; /* its number in the exchange's list */
    int item;      /* number of the field in the exchange's list */
    int to;        /* number among my blocks, -1: another rank's */
    int from;
    bool kept; /* as another plan had it, whose rank was the same, and so were the owners of its blocks */
    const hx_picks *picks;  /* components that travel; NULL: all */
    const hx_runs *to_runs; /* of points of a list, at an end on this rank; else NULL */
    const hx_runs *from_runs;
    hxi_term term; /* of shared points; see cut.h */
    hxi_term own_term;
    size_t bytes;
    int transport; /* number of the one that carries it; see routes.h */
    hxi_delivery delivery;
    /* of points of a list that are pushed: the first one at the receiver, who has them in one run */
    int first;
    bool alone;    /* in a message of its own; see in_place.h for these three */
    bool in_place; /* without a buffer at this end, ... */
    size_t at;     /* ... so many bytes behind the array's pointer */
} hxi_segment;

typedef struct hxi_segments {
    hxi_segment *segment;
    int count;
    int room;
} hxi_segments;

/* Asked of each segment as it is found: false leaves it out, so that none need be stored that is only added up. */
typedef struct hxi_segment_filter {
    bool (*keeps)(void *context, const hxi_segment *segment);
    void *context;
} hxi_segment_filter;

/* This rank's blocks, and those around them. */
typedef struct hxi_neighborhood {
    const hx_spec *spec;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const hxi_neighbors *neighbors; /* may feed this rank, or be fed by it */
    int rank;
    const hxi_segment_filter *filter; /* NULL: all are kept, which is what exchanges need */
} hxi_neighborhood;

/*
 * All segments of an exchange, in message order: first those sent, by peer; then those received, by peer;
 * then those within this rank.  Offsets are not set.
 */
hx_status hxi_segments_find(const hxi_neighborhood *n, int exchange, hxi_segments *found);

/* The same for one phase of a schedule by dimension. */
hx_status hxi_segments_find_along(const hxi_neighborhood *n, int exchange,
                                  const hxi_schedule_choice *schedule, int phase, hxi_segments *found);
void hxi_segments_free(hxi_segments *segments);

/* Segments of one phase of an exchange, as a plan has them whose blocks may have other owners. */
typedef struct hxi_known_segments {
    const hxi_segment *segment;
    int count;
    /* By number among the blocks of that plan's rank: that among mine, -1: another rank's.  NULL: the plan was
     * another rank's. */
    const int *renumber;
    const unsigned char *moved; /* by number of a block of the grid: 1: it has another owner now */
} hxi_known_segments;

/*
 * The same without cutting, since where ghost boxes are cut does not depend on who owns the blocks.  Those of the
 * rank's own plan at whose blocks nothing has changed stay in order.
 */
hx_status hxi_segments_keep(const hxi_neighborhood *n, int exchange, const hxi_known_segments *known,
                            hxi_segments *found);

/* Behind them, the others that start or end at a block of mine.  Of several plans some are there twice:
 * hxi_segments_settle drops those, and sorts, from number `first` on. */
hx_status hxi_segments_take(const hxi_neighborhood *n, int exchange, const hxi_known_segments *known,
                            hxi_segments *found);
void hxi_segments_settle(hxi_segments *found, int first);

/* Room for so many more; whoever knows how many will come asks once. */
hx_status hxi_segments_reserve(hxi_segments *found, int more);

/* One more, of zeros; NULL: there is no memory. */
hxi_segment *hxi_segments_add(hxi_segments *found);

/* Puts them in message order again, after a change of what decides about it. */
void hxi_segments_sort(hxi_segments *segments);

/*
 * Sets the offsets of the segments of one message: multiples of the alignment, or on devices as far behind
 * one as rows are in arrays.  Returns the bytes from the begin of the message to the end of the last segment.
 */
size_t hxi_segments_place(const hx_spec *spec, hxi_segment *segment, int count);

/*
 * A field whose components lie apart travels component after component, so many; any other all in one.  Each
 * of them takes so many bytes of the segment.
 */
int hxi_segment_parts(const hx_spec *spec, const hxi_segment *segment);
size_t hxi_segment_part_bytes(const hx_spec *spec, const hxi_segment *segment);

/* Where in its message that is. */
size_t hxi_segment_part_offset(const hx_spec *spec, const hxi_segment *segment, int part);

/* The number in its field of a component that travels; 0 where components do not lie apart. */
int hxi_segment_component(const hx_spec *spec, const hxi_segment *segment, int part);

/* The order of segments in a message, and of all of an exchange regardless of messages: < 0, 0, > 0. */
int hxi_segments_compare(const hxi_segment *x, const hxi_segment *y);

/* Do the two ends lie otherwise, or do values change their sign on the way? */
bool hxi_link_turns(const hx_link *link);

/* A fingerprint of the segments of one message, the same on both sides. */
uint64_t hxi_segments_hash(const hxi_segment *segment, int count);

#endif
