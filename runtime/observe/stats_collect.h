/*
 * Statistics of one handle on this rank: what events tell, added up.
 */
#ifndef HX_STATS_COLLECT_H
#define HX_STATS_COLLECT_H

#include "exchange/handle.h"
#include "observe/sample.h"
#include "observe/stats_counts.h"

#include <hx/observe.h>

/* One exchange. */
typedef struct hxi_collected {
    hxi_exchange_counts counts; /* times of this rank's clock */
    hxi_sample sample;
    hxi_occurrence coming; /* start was called, and may fail */
    hxi_occurrence now;    /* the one that is under way */
    double busy;           /* of the handle, when its finish was called */
} hxi_collected;

typedef struct hxi_collection {
    const hx_handle *handle; /* NULL: it is destroyed */
    hxi_collected *exchange;
    int exchanges;
    double busy;          /* seconds of packing, copying and unpacking, of all exchanges */
    double before;        /* when the last finish ended */
    double waited_before; /* in it */
    hxi_rank_counts counts;
} hxi_collection;

hx_status hxi_collection_make(const hx_handle *handle, hxi_collection *collection);
void hxi_collection_free(hxi_collection *collection);

void hxi_collection_note(hxi_collection *collection, const hx_event *event);

#endif
