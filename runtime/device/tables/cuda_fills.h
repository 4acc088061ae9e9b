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
typedef struct hx_cuda_step {
    hx_cuda_list copy;
    hx_cuda_list zero;
} hx_cuda_step;

typedef struct hx_cuda_fills {
    hx_cuda_step *step;
    int steps;
} hx_cuda_fills;

/* The step of what is done at a wall. */
int hx_cuda_wall_step(const hx_exchange *exchange, const hx_wall_op *op);
int hx_cuda_corner_step(int fill);

/* work: without segments; aligned: as in hx_cuda_lists_make. */
hx_status hx_cuda_fills_make(const hx_work *work, const hx_cuda_kernels *kernels, bool aligned,
                             const hx_walls *walls, const hx_corners *corners, hx_cuda_fills *fills);
void hx_cuda_fills_free(hx_cuda_fills *fills);

#endif
