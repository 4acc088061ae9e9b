/*
 * Messages between ranks of a node that need no buffer: the sender copies points from its arrays into the
 * receiver's, where these are in memory that the node shares.
 */
#ifndef HX_DIRECT_H
#define HX_DIRECT_H

#include "pack/ops.h"
#include "transport/partners.h"

struct hxi_transport;

/* A message that is pushed. */
typedef struct hxi_direct {
    hxi_ops ops;           /* copies and sweeps only */
    hxi_partners partners; /* none: there is nothing */
    int rests;             /* so many starts do not wait for the receiver */
} hxi_direct;

/*
 * Marks the segments of a copying exchange whose messages may go this way, at both ends alike: those to ranks
 * of the node that consist of long runs.  Short ones are better packed: it is slower to move each of them
 * between the memories of two ranks than to read them once from a buffer that lies together.  Points of a
 * list go this way where they come to lie in one run; who sends them finds out only from the receiver's
 * board. transport: by number.
 */
void hxi_direct_mark(const hx_spec *spec, const hxi_block_list *mine,
                     const struct hxi_transport *const transport[], hxi_segments *segments);

/* Local.  work: its segments are those of the message. */
hx_status hxi_direct_make(const hxi_work *work, const hxi_board *board, const hxi_sets *sets,
                          hxi_direct *direct);
void hxi_direct_free(hxi_direct *direct);

#endif
