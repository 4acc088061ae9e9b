/*
 * What a handle gets from another one of the same grid whose blocks have other owners: segments of its exchanges.
 * Where ghost boxes are cut depends on the grid alone.  So a rank keeps the segments of blocks that it keeps, and
 * whoever gives a block away tells the new owner what it knows of it.
 */
#ifndef HX_INHERIT_H
#define HX_INHERIT_H

#include "pack/work.h"

#include <stdbool.h>

typedef struct hxi_inheritance hxi_inheritance;

/*
 * Collective over the ranks of h, which has its layout, blocks and communicator; h->like has its owners (see
 * block_owners.h).  ready: what came before on this rank; it takes part all the same.  A failure may be this rank's
 * alone.  *together: ranks go on together all the same; false: a deadline has passed, and no other collective call
 * follows.  *made is NULL, on all ranks, where the two divide the grid differently.
 */
hx_status hxi_inherit_make(const hx_handle *h, hx_status ready, hxi_inheritance **made, bool *together);

/* Local: the segments of a phase, as hxi_segments_find gives them. */
hx_status hxi_inherit_segments(const hxi_inheritance *inherits, const hxi_neighborhood *n, int exchange,
                               int phase, hxi_segments *found);

/*
 * Local: operations of a phase that stay as they are.  slot_of: of the fields of the exchange, as plans have it.  False:
 * none do.
 */
bool hxi_inherit_ops(const hxi_inheritance *inherits, int exchange, int phase, const int slot_of[],
                     hxi_kept_ops *kept);

void hxi_inherit_free(hxi_inheritance *inherits);

#endif
