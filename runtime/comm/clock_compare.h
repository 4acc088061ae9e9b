/*
 * How far the clocks of ranks are apart: CLOCK_MONOTONIC counts from the start of each machine.
 */
#ifndef HX_CLOCK_COMPARE_H
#define HX_CLOCK_COMPARE_H

#include "comm/topology.h"

/* hxi_clock() + ahead is what rank 0's hxi_clock() says at the same time, give or take `uncertain`: seconds. */
typedef struct hxi_clock_offset {
    double ahead;
    double uncertain;
} hxi_clock_offset;

/*
 * Collective: each rank asks rank 0 for the time, some times over, and believes the quickest answer.  Half its
 * round trip is what may be wrong; of a rank that shares memory with rank 0, nothing.  Fails on all ranks or on none.
 */
hx_status hxi_clock_compare(const hxi_topology *topology, hxi_clock_offset *offset);

#endif
