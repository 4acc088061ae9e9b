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

/* ---- fields ---- */

HX_DEVICE gas_state get(const gas_stage *s, const flow_fields *f, int i, int j)
{
    gas_state gas;
    gas.q[GAS_DENSITY] = f->density[flow_density_at(&s->shape, i, j)];
    gas.q[GAS_MOMENTUM_X] = f->momentum_x[flow_momentum_x_at(&s->shape, i, j)];
    gas.q[GAS_MOMENTUM_Y] = f->momentum_y[flow_momentum_y_at(&s->shape, i, j)];
    gas.q[GAS_ENERGY] = f->energy[flow_energy_at(&s->shape, i, j)];
    return gas;
}

HX_DEVICE void put(const gas_stage *s, const flow_fields *f, int i, int j, const gas_state *gas)
{
    f->density[flow_density_at(&s->shape, i, j)] = gas->q[GAS_DENSITY];
    f->momentum_x[flow_momentum_x_at(&s->shape, i, j)] = gas->q[GAS_MOMENTUM_X];
    f->momentum_y[flow_momentum_y_at(&s->shape, i, j)] = gas->q[GAS_MOMENTUM_Y];
    f->energy[flow_energy_at(&s->shape, i, j)] = gas->q[GAS_ENERGY];
}

/* ---- one cell ---- */

/* Through the face between cell (i, j) and the next one along an axis. */
HX_DEVICE void through_face(const gas_stage *s, int axis, int i, int j, gas_state *flux)
{
    const int x = axis == 0, y = axis == 1;
    const gas_state before = get(s, &s->from, i - x, j - y);
    const gas_state here = get(s, &s->from, i, j);
    const gas_state next = get(s, &s->from, i + x, j + y);
    const gas_state behind = get(s, &s->from, i + 2 * x, j + 2 * y);
    gas_state low, high, flow_low, flow_high;
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        low.q[f] = here.q[f] + 0.25 * (next.q[f] - before.q[f]);
        high.q[f] = next.q[f] - 0.25 * (behind.q[f] - here.q[f]);
    }
    const double speed = fmax(flow_along(axis, &low, &flow_low), flow_along(axis, &high, &flow_high));
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        flux->q[f] = 0.5 * (flow_low.q[f] + flow_high.q[f] - speed * (high.q[f] - low.q[f]));
    }
}

HX_DEVICE void update(const gas_stage *s, int i, int j)
{
    const gas_state from = get(s, &s->from, i, j);
    const gas_state base = get(s, &s->base, i, j);
    gas_state change = {{0.0}}, to;
    HX_UNROLL
    for (int axis = 0; axis < 2; ++axis) {
        gas_state in, out;
        through_face(s, axis, i - (axis == 0), j - (axis == 1), &in);
        through_face(s, axis, i, j, &out);
        HX_UNROLL
        for (int f = 0; f < GAS_FIELDS; ++f) {
            change.q[f] += s->ratio[axis] * (in.q[f] - out.q[f]);
        }
    }
    HX_UNROLL
    for (int f = 0; f < GAS_FIELDS; ++f) {
        to.q[f] = s->weight * base.q[f] + (1.0 - s->weight) * (from.q[f] + change.q[f]);
    }
    put(s, &s->to, i, j, &to);
}

/* ---- all cells: a thread has one ---- */

HX_KERNEL(gas, gas_stage)
{
    int i, j;
    if (flow_point(&a->cells, hx_thread(), &i, &j)) {
        update(a, i, j);
    }
}

int gas_launch(const gas_stage *stage, hx_stream stream)
{
    return HX_LAUNCH(gas, stage, hx_thread_blocks(&stage->cells, HX_CUDA_THREADS), stream);
}
