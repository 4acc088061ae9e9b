/*
 * A redistribution with its messages: what hx_redistribute, hx_gather and hx_scatter make and run.
 */
#ifndef HX_MOVING_H
#define HX_MOVING_H

#include "comm/peer_round.h"
#include "device/device_work.h"
#include "exchange/handle.h"
#include "pack/redistribution.h"

/* How one message travels. */
typedef struct hxi_moving_message {
    int node_rank;  /* of the peer, where it lies in shared memory; -1: MPI carries it */
    uint64_t at;    /* where it begins there, in the sender's part */
    int first_note; /* of those that MPI carries */
    int notes;
    int awaited; /* of those received, while they travel */
} hxi_moving_message;

typedef struct hxi_moving {
    hxi_redistribution r;
    int which; /* 0 or 1: of the two pieces of memory of the node that a handle has for messages */
    hxi_peer_round round;
    void **base;        /* arrays by slot, as the caller sets them before each run */
    unsigned char **in; /* where messages lie while they travel */
    unsigned char **out;
    hxi_moving_message *send;
    hxi_moving_message *receive;
    int *message_of;         /* each note's that is received */
    size_t bytes;            /* of all messages that MPI carries, in a buffer of the handle's */
    void *buffer;            /* while it is held; NULL: it is not */
    hxi_device_work *device; /* what a device does; NULL: no field that moves lies there */
    bool *on_device;         /* then, by slot */
    bool aware;              /* likewise: messages lie in its memory, and MPI is given that */
    hx_stream stream;        /* likewise, as the caller sets it before each run */
} hxi_moving;

/* Local.  Whatever comes of it: free it. */
hx_status hxi_moving_make(const hx_handle *handle, const hxi_redistribution_task *task, hxi_moving *made);
void hxi_moving_free(hxi_moving *moving);

/*
 * Collective over the ranks of the handle: finds out how messages travel, holds the buffer, and asks whether both
 * ends of each message see the same.  When it fails, let it go.
 */
hx_status hxi_moving_open(hx_handle *h, hxi_moving *moving);

/* Local: the buffer for a run, taken and given back.  Whoever runs or has opened it holds it. */
hx_status hxi_moving_hold(hx_handle *h, hxi_moving *moving);
void hxi_moving_let_go(hx_handle *h, hxi_moving *moving);

/*
 * Collective; it is held, and let go.  After a failure of a call of MPI or a deadline the handle is broken, and what
 * the messages lie in is not to be freed.
 */
hx_status hxi_moving_run(hx_handle *h, hxi_moving *moving, const char *caller);

/*
 * The same in two steps, so that the next one may begin before one ends: with the other piece of memory, and after it was opened,
 * which all ranks do.
 */
hx_status hxi_moving_start(hx_handle *h, hxi_moving *moving, const char *caller);
hx_status hxi_moving_finish(hx_handle *h, hxi_moving *moving, const char *caller);

#endif
