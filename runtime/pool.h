/*
 * What a pool does for libhx alone.
 */
#ifndef HX_POOL_INTERNAL_H
#define HX_POOL_INTERNAL_H

#include "use.h"

#include <hx/pool.h>

#include <stdbool.h>

/* All buffers of a new pool lie in this memory of a window; returns its use of that, for hx_use_begin. */
hx_use *hx_pool_move(hx_pool *pool, unsigned char *memory, size_t bytes);

/*
 * Leaves a buffer, which a peer may still write into, where it is until the process ends.  NULL is allowed.
 */
void hx_pool_abandon(hx_pool *pool, void *buffer);

#endif
