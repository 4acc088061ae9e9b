/*
 * Where the messages of a handle are: in buffers of a pool.
 */
#ifndef HX_BUFFERS_H
#define HX_BUFFERS_H

#include "pool.h"

#include <stdbool.h>

typedef struct hx_buffers {
    hx_pool *pool;
    bool own;       /* the pool is this handle's alone */
    size_t most;    /* bytes of messages of one exchange; 0: each exchange has buffers of its own */
    void *room;     /* for those of any exchange; NULL until one asks */
    size_t used;    /* of it, by the exchange that is bound at the moment */
    bool abandoned; /* a peer may still write there */
} hx_buffers;

/* Bytes that a buffer takes up, since no two are on one cache line. */
size_t hx_buffers_round(size_t bytes);

/* pool: the user's, or NULL for one of the handle's own; check: of that. */
hx_status hx_buffers_open(hx_pool *pool, int check, hx_buffers *buffers);
void hx_buffers_close(hx_buffers *buffers);

/* The next exchange is bound: it may have the room that others have. */
void hx_buffers_turn(hx_buffers *buffers);

/* For one exchange alone.  On failure *buffer is NULL. */
hx_status hx_buffers_take(hx_buffers *buffers, size_t bytes, void **buffer);

/* The same for what is used only while its exchange is under way. */
hx_status hx_buffers_take_shared(hx_buffers *buffers, size_t bytes, void **buffer);

/* abandon: as in hx_transport.  NULL is allowed. */
void hx_buffers_give(hx_buffers *buffers, void *buffer, int abandon);

#endif
