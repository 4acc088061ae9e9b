/*
 * Messages between ranks of a node that need no buffer: the sender copies points from its arrays into the
 * receiver's, where these are in memory that the node shares.
 */
#ifndef HX_DIRECT_H
#define HX_DIRECT_H

#include "pack/ops.h"
#include "transport/partners.h"

struct hx_transport;

/* A message that is pushed. */
typedef struct hx_direct {
    hx_ops ops;           /* copies and sweeps only */
    hx_partners partners; /* none: there is nothing */
    int rests;            /* so many starts do not wait for the receiver */
} hx_direct;

/*
 * Marks the segments of a copying exchange whose messages may go this way, at both ends alike: those to ranks
 * of the node that consist of long runs.  Short ones are better packed: it is slower to move each of them
 * between the memories of two ranks than to read them once from a buffer that lies together.  Points of a
 * list go this way where they come to lie in one run; who sends them finds out only from the receiver's
 * board. transport: by way.
 */
void hx_direct_mark(const hx_spec *spec, const hx_block_list *mine,
                    const struct hx_transport *const transport[], hx_segments *segments);

/* Local.  work: its segments are those of the message. */
hx_status hx_direct_make(const hx_work *work, const hx_board *board, const hx_sets *sets, hx_direct *direct);
void hx_direct_free(hx_direct *direct);

/* Has the receiver of a pushed message started so often?  Then its ghost points may be written. */
bool hx_direct_ready(const hx_direct *direct, uint64_t start);

/* Copies the points from this rank's arrays; false: the receiver's are not all in memory that is shared. */
bool hx_direct_push(hx_direct *direct, void *const *base);

#endif
