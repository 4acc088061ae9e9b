/*
 * Heat that flows with inertia, on the blocks of any grid of heat.lua:
 *
 *     q = 0.9 q + 0.1 (fall of t along x)     on faces across x; r likewise across y
 *     t = t + 0.1 (what flows in - what flows out)
 *
 * Blocks that share a face compute the same bits there.
 */
#ifndef CHECKPOINT_SOLVER_H
#define CHECKPOINT_SOLVER_H

#include "store.h"

#include <stdint.h>

/* How a grid is cut: into blocks x blocks for each tile, dealt out to ranks as a seed says. */
typedef struct cut {
    int cells;
    int blocks;
    int seed;
} cut;

typedef struct solver {
    const struct hx_spec *spec;
    hx_partition tile[6];
    store store;
} solver;

void solver_create(solver *s, const struct hx_spec *spec, const cut *how);
void solver_begin(solver *s); /* the first state, but for halos */
void solver_step(solver *s);
void solver_destroy(solver *s);

/* Of all bits of all ranks, whoever has them. */
uint64_t solver_checksum(const solver *s);

#endif
