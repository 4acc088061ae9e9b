/*
 * Pools: memory of the host for buffers that come and go, such as those of messages.
 *
 *     hx_pool *pool;
 *     hx_pool_create(0, &pool);
 *     hx_options options = HX_OPTIONS_INIT;
 *     options.pool = pool;              ... message buffers of handles come from it and go back to it
 *     void *buffer;
 *     hx_pool_acquire(pool, bytes, &buffer);      ... and so do yours
 *     hx_pool_release(pool, buffer);
 *     hx_pool_destroy(pool);            ... after the handles
 *
 * Buffers that were released are kept, by size class, and serve later requests of their class; nobody else
 * gets them until hx_pool_trim.  Any thread may call any function of a pool at any time, but nothing may be
 * called while hx_pool_destroy is.  No function here talks to other ranks, and none needs MPI to be running.
 */
#ifndef HX_POOL_H
#define HX_POOL_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes are those of size classes: a fifth more than was asked for at most, and 256 at least. */
typedef struct hx_pool_counters {
    uint64_t acquired; /* buffers, since the pool was made */
    uint64_t reused;   /* of these, had been released before */
    uint64_t held;     /* buffers that are in use */
    size_t in_use;     /* bytes */
    size_t idle;       /* bytes of released buffers that are kept */
    size_t high_water; /* the most that in_use has been */
} hx_pool_counters;

/*
 * check: 1: buffers are filled with a pattern when they are released, and whoever writes to them after that
 * is found out when they are acquired again, trimmed or destroyed.  This takes the time of a write and a
 * read.  0: not.
 */
hx_status hx_pool_create(int check, hx_pool **out);

/*
 * Gives all memory back to the system.  HX_ERR_STATE, and nothing happens, while buffers are in use; handles
 * use theirs until they are destroyed.  Where a checked buffer was written to after its release HX_ERR_STATE
 * says so, but the pool is gone.  NULL is allowed.
 */
hx_status hx_pool_destroy(hx_pool *pool);

/*
 * A buffer of at least so many bytes, which begins on a cache line (64 bytes) and shares none.  What it holds
 * is undefined.  Large ones get huge pages, where the system gives them to those who ask.  On failure *buffer
 * is NULL: HX_ERR_MEMORY, or HX_ERR_STATE if the buffer that was to be reused was written to after its
 * release; it is not used again then, and the next call may succeed.
 */
hx_status hx_pool_acquire(hx_pool *pool, size_t bytes, void **buffer);

/*
 * HX_ERR_STATE if the buffer was released before, HX_ERR_ARGUMENT if it is none of this pool's; nothing
 * happens then.  The pool knows its buffers by their addresses and looks at no others.  NULL is allowed.
 */
hx_status hx_pool_release(hx_pool *pool, void *buffer);

/* Gives idle buffers back to the system.  HX_ERR_STATE if one was written to after its release; it stays. */
hx_status hx_pool_trim(hx_pool *pool);

hx_status hx_pool_count(hx_pool *pool, hx_pool_counters *counters);

#ifdef __cplusplus
}
#endif
#endif
