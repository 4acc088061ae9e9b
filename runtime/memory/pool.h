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
typedef struct hxi_room {
    struct hxi_room *next;
    void *memory;
    size_t bytes;
    int handles;    /* that have it */
    bool abandoned; /* a peer may still write there */
} hxi_room;

struct hxi_sharer;

/* Likewise: who shares buffers through a pool. */
typedef struct hxi_sharing {
    pthread_mutex_t lock; /* for all but the course of exchanges */
    hxi_room *rooms;
    _Atomic(const struct hxi_sharer *) user; /* the one that is under way; NULL: none */
} hxi_sharing;

hxi_sharing *hxi_pool_sharing(hx_pool *pool);

/* All buffers of a new pool lie in this memory of a window; returns its use of that, for hxi_lease_begin. */
hxi_lease *hxi_pool_move(hx_pool *pool, unsigned char *memory, size_t bytes);

/* All buffers of a new pool are pinned memory, which the library of a device gives. */
void hxi_pool_pin(hx_pool *pool, const hx_device *calls);

/*
 * Leaves a buffer, which a peer may still write into, where it is until the process ends.  NULL is allowed.
 */
void hxi_pool_abandon(hx_pool *pool, void *buffer);

#endif
