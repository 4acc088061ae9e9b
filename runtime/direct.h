/*
 * Messages between ranks of a node that need no buffer: points are copied straight into the arrays of the
 * receiver, where these are in memory that the node shares.
 */
#ifndef HX_DIRECT_H
#define HX_DIRECT_H

#include "alloc.h"
#include "board.h"
#include "ops.h"

struct hx_transport;

/* One message that this rank sends. */
typedef struct hx_direct {
    hx_ops ops; /* copies only */
    const hx_sets *sets;
    const hx_notice *notice; /* of the receiver; NULL: no message of this kind */
    int node_rank;           /* of the receiver */
    uint64_t version;        /* of the notice, as it was read last */
    bool reached;            /* then all arrays were in sets */
    uint64_t runs;           /* so far */
    void **base;             /* arrays by slot: those of this rank, then those of the receiver's blocks */
    int own;
    int slots;
    int *told; /* of each slot: where in the notice its array is told; -1: nowhere */
} hx_direct;

/*
 * Marks the segments of a copying exchange whose messages may go this way, at both ends alike: those to ranks
 * of the node that consist of long runs.  Short ones are better packed: it is slower to store each of them
 * into another rank's memory than to read them once from a buffer that lies together.  transport: by way.
 */
void hx_direct_mark(const hx_spec *spec, const struct hx_transport *const transport[], hx_segments *segments);

/* Local.  work: its segments are those of one message to a rank of the node, the rest as for its phase. */
hx_status hx_direct_make(const hx_work *work, const hx_board *board, const hx_sets *sets, hx_direct *direct);
void hx_direct_free(hx_direct *direct);

/* Has the receiver started so often?  Then its ghost points may be written. */
bool hx_direct_ready(const hx_direct *direct, uint64_t start);

/* Copies the points from this rank's arrays; false: the receiver's are not all in memory that is shared. */
bool hx_direct_run(hx_direct *direct, void *const *base);

#endif
