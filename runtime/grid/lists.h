/*
 * Lists of points: on grids without boxes, which points of this rank other ranks get, and which they fill.
 */
#ifndef HX_LISTS_H
#define HX_LISTS_H

#include "comm/topology.h"

#include <hx/abi.h>

/* What this rank shares with one other, or with itself: those of the same number are the same point. */
typedef struct hx_partner_list {
    int peer;
    hx_runs sent;
    hx_runs received;
} hx_partner_list;

typedef struct hx_lists {
    hx_partner_list *partner; /* by rising peer */
    int partners;
    hx_run *run; /* of all of them */
} hx_lists;

/* Local: checks the lists of a rank that has so many points, and finds their runs. */
hx_status hx_lists_make(const hx_spec *spec, const hx_index_list *given, int points, int rank, int ranks,
                        hx_lists *lists);
void hx_lists_free(hx_lists *lists);

/* What the others are told of the lists, and expect: had before the ranks talk. */
hx_status hx_lists_promise(const hx_lists *lists, int rank, hx_confirmation *confirmation);

/* A number for all of this rank's lists. */
uint64_t hx_lists_hash(const hx_lists *lists);

#endif
