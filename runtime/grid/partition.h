/*
 * Arithmetic on partitions: parts along each axis, and cuts between them.  No MPI.
 */
#ifndef HX_PARTITION_H
#define HX_PARTITION_H

#include <hx/hx.h>

#include <stdbool.h>
#include <stdint.h>

/* Are axes, cells, ranks and cuts possible?  chosen: all of ranks[] must be given. */
hx_status hxi_partition_check(const hx_partition *partition, bool chosen);

/* First cell of part i along an axis; i = ranks[axis] gives the number of cells. */
int hxi_partition_cut(const hx_partition *partition, int axis, int i);

/* The same of parts that are as even as possible: the first ones are one cell longer if it does not divide evenly. */
static inline int hxi_even_cut(int cells, int parts, int i)
{
    const int longer = cells % parts;
    return i * (cells / parts) + (i < longer ? i : longer);
}

/* The i-th axis in the order in which numbers of blocks rise along them, the fastest first. */
int hxi_partition_nth_axis(int axes, bool first_fastest, int i);

/* Number of parts; -1 if an int cannot count them.  ranks[] that are 0 count as 1. */
int hxi_partition_parts(const hx_partition *partition);

/* Is there a place for a part?  And gives the caller a part, or after a failure an empty one, which has no
 * points; returns the status. */
hx_status hxi_part_check_place(const hx_part *mine);
hx_status hxi_part_give(hx_status status, const hx_part *made, hx_part *mine);

/*
 * One way to divide, and what it costs the busiest rank: the bytes it sends and receives when every exchange
 * is done once, as face_bytes says; those of corners and edges, which are few, are not counted.  And its
 * neighbors, with corners.
 */
typedef struct hxi_process_grid {
    int parts[HX_MAX_AXES];
    double bytes;
    int neighbors;
} hxi_process_grid;

enum { HX_PROCESS_GRIDS = 8 };

typedef struct hxi_process_grids {
    hxi_process_grid best[HX_PROCESS_GRIDS]; /* best first */
    int kept;
    int64_t tried;
} hxi_process_grids;

/* The best ways for so many ranks.  The partition has been checked.  Fails, in words, if there is none. */
hx_status hxi_process_grids_find(int ranks, const hx_partition *request, hxi_process_grids *found);

/* Fills in the ranks[] that are 0, so that there are `ranks` parts.  The partition has been checked. */
hx_status hxi_partition_choose(int ranks, hx_partition *partition);

#endif
