/*
 * All ranks of an exchange in one process, without MPI: what they send each other lies in memory, and what
 * moves points is either device kernels, run by the shim, or the loops of the host.
 */
#ifndef RANKS_H
#define RANKS_H

#include "device/tables/cuda_list.h"

#include <hx/hx.h>

/* Fails the test if tables and arguments of kernels do not fit together, or messages are not as they should
 * be.
 */
typedef struct device_rank device_rank;

/* One of so many ranks.  kernels: NULL for the loops of the host, which the spec has then. */
typedef struct device_place {
    const hx_spec *spec;
    const hx_cuda_kernels *kernels;
    int rank, ranks;
} device_place;

/* As hx_create; a failure of libhx is returned. */
hx_status device_rank_make(const device_place *place, const hx_blocks *blocks, const void *shapes,
                           device_rank **made);
void device_rank_free(device_rank *rank);

/* The same for a list of points. */
hx_status device_rank_make_listed(const device_place *place, const hx_index_list *list, const void *shape,
                                  device_rank **made);

/* The function that fills walls where the spec says "hook". */
void device_rank_set_hook(device_rank *rank, hx_wall_fn *fill, void *context);

/* Packs what a rank sends; fields as for hx_start. */
void device_rank_start(device_rank *rank, int exchange, const void *fields);

/* When all ranks have started: takes what peers have packed, and does what remains. */
void device_rank_finish(device_rank *rank, device_rank *const *all, int exchange, const void *fields);

/* Fills corners of tiles by one of the exchange's ways. */
void device_rank_corners(device_rank *rank, int exchange, int fill, const void *fields);

#endif
