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

/* Messages of a comparison, one after the other. */
typedef struct hxi_clock_trips {
    hxi_clock_offset offset; /* from the quickest answer */
    MPI_Request request;
    double told; /* room for the message */
    double asked;
    int peer;     /* with whom: rank 0's go from 1 to the last, each in turn */
    int messages; /* that are done with it */
    bool receives;
} hxi_clock_trips;

/*
 * The same once more, for a line, which stays as it is where that fails.  After so many seconds (0: never) a rank leaves by
 * itself with HX_ERR_DEADLINE, and MPI may read the trips from then on.  No rank knows how it went on the others.
 */
hx_status hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_trips *trips, double deadline,
                                  hxi_clock_line *line);

#endif
