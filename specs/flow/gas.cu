/*
 * The Euler equations by finite volumes: straight lines through each cell, of second order since the gas is
 * smooth, and Rusanov's flux where they meet at a face.
 *
 * Written in the words of <hx/cuda.h>, as emitted device code is, so that it can be tried without a GPU, too;
 * plain CUDA does as well.
 */
#include "gas.h"

#include <hx/cuda.h>

#include <math.h>

typedef struct gas_state {
    double q[GAS_FIELDS];
} gas_state;

/* ---- one face ---- */

HX_DEVICE double pressure(const gas_state *s)
{
    const double *q = s->q;
    const double kinetic = 0.5 *
                           (q[GAS_MOMENTUM_X] * q[GAS_MOMENTUM_X] + q[GAS_MOMENTUM_Y] * q[GAS_MOMENTUM_Y]) /
                           q[GAS_DENSITY];
    return (GAS_GAMMA - 1.0) * (q[GAS_ENERGY] - kinetic);
}

/* What flows along an axis, and the speed of the fastest wave. */
HX_DEVICE double flow_along(int axis, const gas_state *s, gas_state *flux)
{
    const double p = pressure(s);
    const double speed = s->q[GAS_MOMENTUM_X + axis] / s->q[GAS_DENSITY];
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        flux->q[f] = speed * s->q[f];
    }
    flux->q[GAS_MOMENTUM_X + axis] += p;
    flux->q[GAS_ENERGY] += speed * p;
    return fabs(speed) + sqrt(GAS_GAMMA * p / s->q[GAS_DENSITY]);
}

/* Through the face between the second and the third of four cells in a row, the first of which is at `from`.
 */
HX_DEVICE void through_face(int axis, const double *const field[], ptrdiff_t at, ptrdiff_t step,
                            gas_state *flux)
{
    gas_state low, high, flow_low, flow_high;
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        const double *c = field[f] + at;
        low.q[f] = c[step] + 0.25 * (c[2 * step] - c[0]);
        high.q[f] = c[2 * step] - 0.25 * (c[3 * step] - c[step]);
    }
    const double speed = fmax(flow_along(axis, &low, &flow_low), flow_along(axis, &high, &flow_high));
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        flux->q[f] = 0.5 * (flow_low.q[f] + flow_high.q[f] - speed * (high.q[f] - low.q[f]));
    }
}

/* ---- one cell ---- */

HX_DEVICE void update(const gas_stage *s, int i, int j)
{
    const ptrdiff_t at = (ptrdiff_t)j * s->pitch + i;
    gas_state change = {{0.0}};
    HX_UNROLL
    for (int axis = 0; axis < 2; ++axis) {
        const ptrdiff_t step = axis == 0 ? 1 : s->pitch;
        gas_state in, out;
        through_face(axis, s->from, at - 2 * step, step, &in);
        through_face(axis, s->from, at - step, step, &out);
        HX_UNROLL
        for (int f = 0; f < GAS_FIELDS; ++f) {
            change.q[f] += s->ratio[axis] * (in.q[f] - out.q[f]);
        }
    }
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        s->to[f][at] = s->weight * s->base[f][at] + (1.0 - s->weight) * (s->from[f][at] + change.q[f]);
    }
}

/* ---- all cells: a thread has one ---- */

HX_KERNEL(gas, gas_stage)
{
    unsigned n = blockIdx.x * HX_CUDA_THREADS + threadIdx.x;
    for (int b = 0; b < a->boxes; ++b) {
        const gas_box *box = &a->box[b];
        const unsigned wide = (unsigned)(box->hi[0] - box->lo[0]);
        const unsigned cells = wide * (unsigned)(box->hi[1] - box->lo[1]);
        if (n < cells) {
            update(a, box->lo[0] + (int)(n % wide), box->lo[1] + (int)(n / wide));
            return;
        }
        n -= cells;
    }
}

int gas_launch(const gas_stage *stage, void *stream)
{
    unsigned cells = 0;
    for (int b = 0; b < stage->boxes; ++b) {
        const gas_box *box = &stage->box[b];
        cells += (unsigned)(box->hi[0] - box->lo[0]) * (unsigned)(box->hi[1] - box->lo[1]);
    }
    const unsigned blocks = (cells + HX_CUDA_THREADS - 1) / HX_CUDA_THREADS;
    return blocks > 0 ? HX_LAUNCH(gas, stage, blocks, stream) : 0;
}
