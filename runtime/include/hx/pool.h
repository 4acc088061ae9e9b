/*
 * Pools: memory for buffers that come and go, such as those of messages; of the host, or of a window.
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
 * Buffers that were released are kept, by size class, and serve later requests of their class.  Nobody else
 * gets them until hx_pool_trim.  Any thread may call any function of a pool at any time, but nothing may be
 * called while hx_pool_destroy is.  No function here talks to other ranks, and none but hx_pool_create_in
 * needs MPI to be running.
 *
 * In a window (hx/window.h) buffers are where others reach them.  Such are arrays that exchanges write straight
 * into (NAME_register), messages of the transport "manual" that a peer reads where they were packed, or puts
 * where they are unpacked, and whatever else ranks hand each other without copying it first:
 *
 *     hx_pool_create_in(window, 0, &pool);        ... of what this rank holds of the window
 *     hx_pool_acquire(pool, bytes, &buffer);
 *     hx_pool_offset(pool, buffer, &offset);      ... which you tell a peer
 *     hx_window_pointer(window, node_rank, &memory, &elements);
 *
 * Whoever is told the offset looks so many bytes behind memory, or, on another node, gets and puts from there.
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
 * The same with buffers in what this rank holds of a window.  That is all there is: where an acquired buffer
 * finds no room, also when idle ones have been given up, hx_pool_acquire is HX_ERR_MEMORY.  Each takes a
 * cache line beside.  HX_ERR_ARGUMENT if this rank holds none, as all but the leader of a node in
 * HX_WINDOW_SHARED.
 *
 * A window that has a pool in it is refused by hx_window_free.  So is one, for ever, if a handle with messages
 * in that pool was destroyed while they travelled, as after a deadline.
 */
hx_status hx_pool_create_in(hx_window *window, int check, hx_pool **out);

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

/*
 * How many bytes a buffer in use lies behind the beginning of what this rank holds of the window.
 * HX_ERR_ARGUMENT if it is none, or the pool is not in a window.
 */
hx_status hx_pool_offset(hx_pool *pool, const void *buffer, size_t *offset);

/* Gives idle buffers back to the system, or to the window.  HX_ERR_STATE if one was written to after its
 * release; it stays. */
hx_status hx_pool_trim(hx_pool *pool);

hx_status hx_pool_count(hx_pool *pool, hx_pool_counters *counters);

#ifdef __cplusplus
}
#endif
#endif
