/*
 * What a pool does for libhx alone.
 */
#ifndef HX_POOL_INTERNAL_H
#define HX_POOL_INTERNAL_H

#include <hx/pool.h>

/*
 * Leaves a buffer, which a peer may still write into, where it is until the process ends.  NULL is allowed.
 */
void hx_pool_abandon(hx_pool *pool, void *buffer);

#endif
