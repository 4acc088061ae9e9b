/*
 * Messages between ranks of which only the sender knows.
 */
#ifndef HX_SPARSE_EXCHANGE_H
#define HX_SPARSE_EXCHANGE_H

#include "comm/topology.h"

/* A few numbers for one rank, or from one. */
typedef struct hxi_note {
    int64_t peer;
    int64_t value[3];
} hxi_note;

/*
 * Collective.  Each rank sends its notes, which are sorted by peer, and gets those that others have for it,
 * by rising sender and else in their order; hxi_memory_free.  A rank may write to itself.  ready: the status
 * of what came before on this rank.  Fails on all ranks, with nothing to free, or on none.
 */
hx_status hxi_sparse_exchange(const hxi_topology *topology, hx_status ready, const hxi_note *out, size_t outs,
                              hxi_note **in, size_t *ins);

#endif
