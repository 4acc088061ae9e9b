/*
 * What fills ghost points of a rank's arrays from these arrays, beyond walls and in corners of tiles, as
 * tables of moves.
 */
#ifndef HX_CUDA_FILLS_H
#define HX_CUDA_FILLS_H

#include "device/tables/cuda_list.h"
#include "pack/boundary.h"
#include "pack/corners.h"

/*
 * Steps follow each other: those of walls, one behind the other in each exchange, then one for each of its
 * ways to fill corners, each by itself.  What is in one depends on nothing else in it.
 */
typedef struct hxi_cuda_step {
    hxi_cuda_list copy;
    hxi_cuda_list zero;
} hxi_cuda_step;

typedef struct hxi_cuda_fills {
    hxi_cuda_step *step;
    int steps;
} hxi_cuda_fills;

/* The step of what is done at a wall. */
int hxi_cuda_boundary_step(const hx_exchange *exchange, const hxi_boundary_op *op);
int hxi_cuda_corner_step(int fill);

/* work: without segments; aligned: as in hxi_cuda_lists_make. */
hx_status hxi_cuda_fills_make(const hxi_work *work, const hx_cuda_kernels *kernels, bool aligned,
                              const hxi_boundary *boundary, const hxi_corners *corners,
                              hxi_cuda_fills *fills);
void hxi_cuda_fills_free(hxi_cuda_fills *fills);

#endif
