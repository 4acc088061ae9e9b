/*
 * A redistribution with its messages: what hx_redistribute, hx_gather and hx_scatter make and run.
 */
#ifndef HX_MOVING_H
#define HX_MOVING_H

#include "comm/peer_round.h"
#include "exchange/handle.h"
#include "pack/redistribution.h"

typedef struct hxi_moving {
    hxi_redistribution r;
    hxi_peer_round round;
    void **base;        /* arrays by slot, as the caller sets them before each run */
    unsigned char **in; /* where messages lie while they travel */
    unsigned char **out;
    size_t bytes; /* of all of them */
} hxi_moving;

/* Local.  Whatever comes of it: free it. */
hx_status hxi_moving_make(const hx_handle *handle, const hxi_redistribution_task *task, hxi_moving *made);
void hxi_moving_free(hxi_moving *moving);

/* Collective: do both ends of each message see the same? */
hx_status hxi_moving_confirm(const hx_handle *handle, const hxi_redistribution *r);

/*
 * Collective, over the ranks of the handle, whose buffers it uses.  After a failure of a call of MPI or a
 * deadline the handle is broken, and what the messages lie in is not to be freed.
 */
hx_status hxi_moving_run(hx_handle *h, hxi_moving *plan, const char *caller);

#endif
