/*
 * Gas on a device: what the kernel of gas.cu does, and its launch.
 */
#ifndef FLOW_GAS_H
#define FLOW_GAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In this order everywhere. */
enum { GAS_DENSITY, GAS_MOMENTUM_X, GAS_MOMENTUM_Y, GAS_ENERGY, GAS_FIELDS };

#define GAS_GAMMA 1.4

/* Cells lo <= (i, j) < hi. */
typedef struct gas_box {
    int lo[2], hi[2];
} gas_box;

enum { GAS_BOXES = 4 };

/* Half a step: in all cells of some boxes, to = weight * base + (1 - weight) * (from + time step * slope of
 * from). */
typedef struct gas_stage {
    const double *from[GAS_FIELDS], *base[GAS_FIELDS]; /* at owned cell (0, 0), as `to` is; on the device */
    double *to[GAS_FIELDS];                            /* not the arrays of from */
    ptrdiff_t pitch;                                   /* from a row to the next */
    gas_box box[GAS_BOXES];
    int boxes;
    double ratio[2]; /* time step over spacing */
    double weight;
} gas_stage;

/* Queues it in the stream, a cudaStream_t.  Returns an error of CUDA, or 0. */
int gas_launch(const gas_stage *stage, void *stream);

#ifdef __cplusplus
}
#endif
#endif
