/*
 * Lists of points: on grids without boxes, which points of this rank other ranks get, and which they fill.
 */
#ifndef HX_LISTS_H
#define HX_LISTS_H

#include "comm/topology.h"

#include <hx/abi.h>

/* What this rank shares with one other, or with itself: those of the same number are the same point. */
typedef struct hxi_partner_list {
    int peer;
    hx_runs sent;
    hx_runs received;
} hxi_partner_list;

typedef struct hxi_lists {
    hxi_partner_list *partner; /* by rising peer */
    int partners;
    hx_run *run; /* of all of them */
} hxi_lists;

/* Local: checks the lists of a rank that has so many points, and finds their runs. */
hx_status hxi_lists_make(const hx_spec *spec, const hx_index_list *given, int points, int rank, int ranks,
                         hxi_lists *lists);
void hxi_lists_free(hxi_lists *lists);

/* What the others are told of the lists, and expect: had before the ranks talk. */
hx_status hxi_lists_promise(const hxi_lists *lists, int rank, hxi_confirmation *confirmation);

/* A number for all of this rank's lists. */
uint64_t hxi_lists_hash(const hxi_lists *lists);

#endif
