/*
 * Arithmetic on partitions: parts along each axis, and cuts between them.  No MPI.
 */
#ifndef HX_PARTITION_H
#define HX_PARTITION_H

#include <hx/hx.h>

#include <stdbool.h>

/* Are axes, cells, ranks and cuts possible?  chosen: all of ranks[] must be given. */
hx_status hxi_partition_check(const hx_partition *partition, bool chosen);

/* First cell of part i along an axis; i = ranks[axis] gives the number of cells. */
int hxi_partition_cut(const hx_partition *partition, int axis, int i);

/* The i-th axis in the order in which numbers of blocks rise along them, the fastest first. */
int hxi_partition_nth_axis(int axes, bool first_fastest, int i);

/* Number of parts; -1 if an int cannot count them.  ranks[] that are 0 count as 1. */
int hxi_partition_parts(const hx_partition *partition);

/* Fills in the ranks[] that are 0, so that there are `ranks` parts.  The partition has been checked. */
hx_status hxi_partition_choose(int ranks, hx_partition *partition);

#endif
