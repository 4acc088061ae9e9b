/*
 * Gas on a device: what the kernel of gas.cu does, and its launch.
 */
#ifndef FLOW_GAS_H
#define FLOW_GAS_H

#include "flow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In this order everywhere. */
enum { GAS_DENSITY, GAS_MOMENTUM_X, GAS_MOMENTUM_Y, GAS_ENERGY, GAS_FIELDS };

#define GAS_GAMMA 1.4

/* Half a step: in some cells, to = weight * base + (1 - weight) * (from + time step * slope of from). */
typedef struct gas_stage {
    flow_fields from, base, to; /* on the device; `to` has other arrays than `from` */
    flow_shape shape;
    hx_boxes cells;
    double ratio[2]; /* time step over spacing */
    double weight;
} gas_stage;

/* Queues it in the stream.  Returns an error of CUDA, or 0. */
int gas_launch(const gas_stage *stage, hx_stream stream);

#ifdef __cplusplus
}
#endif
#endif
