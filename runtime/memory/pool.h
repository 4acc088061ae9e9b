/*
 * What a pool does for libhx alone.
 */
#ifndef HX_POOL_INTERNAL_H
#define HX_POOL_INTERNAL_H

#include "base/lease.h"

#include <hx/cuda.h>
#include <hx/pool.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* For buffers.c: a buffer that exchanges have one after the other. */
typedef struct hx_room {
    struct hx_room *next;
    void *memory;
    size_t bytes;
    int handles;    /* that have it */
    bool abandoned; /* a peer may still write there */
} hx_room;

struct hx_sharer;

/* Likewise: who shares buffers through a pool. */
typedef struct hx_sharing {
    pthread_mutex_t lock; /* for all but the course of exchanges */
    hx_room *rooms;
    _Atomic(const struct hx_sharer *) user; /* the one that is under way; NULL: none */
} hx_sharing;

hx_sharing *hx_pool_sharing(hx_pool *pool);

/* All buffers of a new pool lie in this memory of a window; returns its use of that, for hx_use_begin. */
hx_use *hx_pool_move(hx_pool *pool, unsigned char *memory, size_t bytes);

/* All buffers of a new pool are pinned memory, which the library of a device gives. */
void hx_pool_pin(hx_pool *pool, const hx_device *calls);

/*
 * Leaves a buffer, which a peer may still write into, where it is until the process ends.  NULL is allowed.
 */
void hx_pool_abandon(hx_pool *pool, void *buffer);

#endif
