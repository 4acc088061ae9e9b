/*
 * Reusable buffers of host memory, by size class.  Any thread may acquire and release.
 */
#ifndef HX_POOL_H
#define HX_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct hx_pool hx_pool;

typedef struct hx_pool_counters {
    uint64_t acquired; /* calls that succeeded */
    uint64_t reused;   /* of these, served from buffers released before */
    size_t in_use;     /* bytes, rounded up to size classes */
    size_t idle;
    size_t high_water; /* the most that in_use has been */
} hx_pool_counters;

/* NULL if there is no memory; hx_last_error has the sentence. */
hx_pool *hx_pool_make(void);

/* Frees what is idle, and the pool. */
void hx_pool_free(hx_pool *pool);

/* At least so many bytes, on a cache line of their own.  NULL if there is no memory. */
void *hx_pool_acquire(hx_pool *pool, size_t bytes);

/* NULL is allowed. */
void hx_pool_release(hx_pool *pool, void *buffer);

/*
 * Leaves a buffer, which a peer may still write into, where it is until the process ends.  NULL is allowed.
 */
void hx_pool_abandon(hx_pool *pool, void *buffer);

/* Gives idle buffers back to the system. */
void hx_pool_trim(hx_pool *pool);

hx_pool_counters hx_pool_count(hx_pool *pool);

#endif
