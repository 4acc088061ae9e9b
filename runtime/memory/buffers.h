/*
 * Where the messages of a handle are: in buffers of a pool.
 *
 * With the option share_buffers the messages of all exchanges of all handles of a pool that have it lie in
 * one room, and one exchange after the other uses it.
 */
#ifndef HX_BUFFERS_H
#define HX_BUFFERS_H

#include "memory/pool.h"

#include <hx/abi.h>

#include <stdbool.h>

/* An exchange that uses what is shared, as sentences of others name it. */
typedef struct hxi_sharer {
    const hx_spec *spec;
    const hx_exchange *exchange;
    int rank;
} hxi_sharer;

typedef struct hxi_buffers {
    hx_pool *pool;
    bool own;                /* the pool is this handle's alone */
    bool shares;             /* option share_buffers */
    bool claimed;            /* an exchange of this handle uses what is shared */
    bool abandoned;          /* a peer may still write to the room */
    bool joins;              /* the room is for one exchange alone */
    size_t most;             /* bytes of messages of one exchange; 0: each message has a buffer of its own */
    hxi_room *room;          /* for those of any exchange; NULL until one asks */
    size_t used;             /* of it, by the exchange that is bound at the moment */
    const hx_device *device; /* in whose memory messages lie, each on its own; NULL: in that of the pool */
} hxi_buffers;

/* Bytes that a buffer takes up, since no two are on one cache line. */
size_t hxi_buffers_round(size_t bytes);

/* pool: the user's, or NULL for one of the handle's own; check: of that. */
hx_status hxi_buffers_open(hx_pool *pool, int check, bool shares, hxi_buffers *buffers);

/* Of the same pool, for one exchange: all its messages, of so many bytes, lie in one buffer. */
void hxi_buffers_join(const hxi_buffers *all, size_t bytes, hxi_buffers *joined);

/* The same for messages in memory of a device. */
void hxi_buffers_put(const hxi_buffers *all, const hx_device *device, hxi_buffers *put);

/* Before the sharers of this handle are freed: others may be reading who is under way. */
void hxi_buffers_leave(hxi_buffers *buffers);
void hxi_buffers_close(hxi_buffers *buffers);

/* The next exchange is bound: it may have the room that others have. */
void hxi_buffers_turn(hxi_buffers *buffers);

/* For one exchange alone.  On failure *buffer is NULL. */
hx_status hxi_buffers_take(hxi_buffers *buffers, size_t bytes, void **buffer);

/* The same for messages, which are used only while their exchange is under way. */
hx_status hxi_buffers_take_shared(hxi_buffers *buffers, size_t bytes, void **buffer);

/* abandon: as in hxi_transport.  NULL is allowed. */
void hxi_buffers_give(hxi_buffers *buffers, void *buffer, int abandon);
void hxi_buffers_give_shared(hxi_buffers *buffers, void *buffer, int abandon);

/*
 * When an exchange starts, and when it is through.  HX_ERR_STATE, in words, if it shares buffers and another
 * that does is under way, in whatever thread.
 */
hx_status hxi_buffers_claim(hxi_buffers *buffers, const hxi_sharer *sharer);
void hxi_buffers_yield(hxi_buffers *buffers);

#endif
