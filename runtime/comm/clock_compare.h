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

/* The shared clock, from two comparisons: clocks of machines run at speeds that differ by some millionths. */
typedef struct hxi_clock_line {
    double ahead; /* at the first one */
    double drift; /* seconds that are added to it in a second; 0 until there is a second one */
    double since; /* this rank's clock at the first one */
} hxi_clock_line;

static inline double hxi_clock_shared(const hxi_clock_line *line, double seconds)
{
    return seconds + line->ahead + line->drift * (seconds - line->since);
}

/*
 * Collective: each rank asks rank 0 for the time, some times over, and believes the quickest answer.  Half its
 * round trip is what may be wrong; of a rank that shares memory with rank 0, nothing.  Fails on all ranks or on none.
 */
hx_status hxi_clock_compare(const hxi_topology *topology, hxi_clock_offset *offset);

/* The same once more, for a line.  It stays as it is where that fails. */
hx_status hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_line *line);

#endif
