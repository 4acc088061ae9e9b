/*
 * Statistics of one handle on this rank: what events tell, added up.
 */
#ifndef HX_STATS_COLLECT_H
#define HX_STATS_COLLECT_H

#include "exchange/handle.h"
#include "observe/sample.h"
#include "observe/stats_counts.h"

#include <hx/observe.h>

#include <stdbool.h>

/* One exchange. */
typedef struct hxi_collected {
    /* Times of this rank's clock; pack, copy, unpack and device: of those that are timed. */
    hxi_exchange_counts counts;
    hxi_sample sample;
    bool timing;        /* the start that comes next, or is under way, is clocked within */
    hxi_occurrence now; /* the one that is under way */
    double busy;        /* of the handle, when its finish was called */
    double finishes;    /* seconds in finish */
    double busy_inside; /* of them, packing, copying and unpacking, in those that are timed */
} hxi_collected;

/*
 * Looking at the clock costs more than all else that statistics do.  So a start is clocked within where it is to be
 * in the sample: all of the first ones, and of many a few.  Of the others finish is clocked as a whole.
 */
typedef struct hxi_collection {
    const hx_handle *handle; /* NULL: it is destroyed */
    hxi_collected *exchange;
    int exchanges;
    int timing;    /* exchanges that are clocked within */
    double busy;   /* seconds of packing, copying and unpacking, of all exchanges; while any is timed */
    double before; /* when the last finish ended */
    double waited_before; /* in it */
    hxi_rank_counts counts;
} hxi_collection;

hx_status hxi_collection_make(const hx_handle *handle, hxi_collection *collection);
void hxi_collection_free(hxi_collection *collection);

/* Kinds of events that are to be noted now; they change at HX_EVENT_FINISHED alone. */
uint64_t hxi_collection_kinds(const hxi_collection *collection);
void hxi_collection_note(hxi_collection *collection, const hx_event *event);

/* Seconds for which an exchange waited in finish, each time together. */
double hxi_collection_wait(const hxi_collected *x);

#endif
