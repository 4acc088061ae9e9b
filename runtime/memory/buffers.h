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
typedef struct hx_sharer {
    const hx_spec *spec;
    const hx_exchange *exchange;
    int rank;
} hx_sharer;

typedef struct hx_buffers {
    hx_pool *pool;
    bool own;                /* the pool is this handle's alone */
    bool shares;             /* option share_buffers */
    bool claimed;            /* an exchange of this handle uses what is shared */
    bool abandoned;          /* a peer may still write to the room */
    bool joins;              /* the room is for one exchange alone */
    size_t most;             /* bytes of messages of one exchange; 0: each message has a buffer of its own */
    hx_room *room;           /* for those of any exchange; NULL until one asks */
    size_t used;             /* of it, by the exchange that is bound at the moment */
    const hx_device *device; /* in whose memory messages lie, each on its own; NULL: in that of the pool */
} hx_buffers;

/* Bytes that a buffer takes up, since no two are on one cache line. */
size_t hx_buffers_round(size_t bytes);

/* pool: the user's, or NULL for one of the handle's own; check: of that. */
hx_status hx_buffers_open(hx_pool *pool, int check, bool shares, hx_buffers *buffers);

/* Of the same pool, for one exchange: all its messages, of so many bytes, lie in one buffer. */
void hx_buffers_join(const hx_buffers *all, size_t bytes, hx_buffers *joined);

/* The same for messages in memory of a device. */
void hx_buffers_put(const hx_buffers *all, const hx_device *device, hx_buffers *put);

/* Before the sharers of this handle are freed: others may be reading who is under way. */
void hx_buffers_leave(hx_buffers *buffers);
void hx_buffers_close(hx_buffers *buffers);

/* The next exchange is bound: it may have the room that others have. */
void hx_buffers_turn(hx_buffers *buffers);

/* For one exchange alone.  On failure *buffer is NULL. */
hx_status hx_buffers_take(hx_buffers *buffers, size_t bytes, void **buffer);

/* The same for messages, which are used only while their exchange is under way. */
hx_status hx_buffers_take_shared(hx_buffers *buffers, size_t bytes, void **buffer);

/* abandon: as in hx_transport.  NULL is allowed. */
void hx_buffers_give(hx_buffers *buffers, void *buffer, int abandon);
void hx_buffers_give_shared(hx_buffers *buffers, void *buffer, int abandon);

/*
 * When an exchange starts, and when it is through.  HX_ERR_STATE, in words, if it shares buffers and another
 * that does is under way, in whatever thread.
 */
hx_status hx_buffers_claim(hx_buffers *buffers, const hx_sharer *sharer);
void hx_buffers_yield(hx_buffers *buffers);

#endif
