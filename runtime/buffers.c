#include "buffers.h"

enum { LINE = 64 };

size_t hx_buffers_round(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

hx_status hx_buffers_open(hx_pool *pool, int check, hx_buffers *buffers)
{
    *buffers = (hx_buffers){.pool = pool, .own = !pool};
    return pool ? HX_OK : hx_pool_create(check, &buffers->pool);
}

void hx_buffers_close(hx_buffers *buffers)
{
    if (buffers->abandoned) {
        hx_pool_abandon(buffers->pool, buffers->room);
    } else if (buffers->room) {
        hx_pool_release(buffers->pool, buffers->room);
    }
    if (buffers->own) {
        hx_pool_destroy(buffers->pool);
    }
    *buffers = (hx_buffers){0};
}

void hx_buffers_turn(hx_buffers *buffers)
{
    buffers->used = 0;
}

hx_status hx_buffers_take(hx_buffers *buffers, size_t bytes, void **buffer)
{
    return hx_pool_acquire(buffers->pool, bytes, buffer);
}

hx_status hx_buffers_take_shared(hx_buffers *buffers, size_t bytes, void **buffer)
{
    const size_t rounded = hx_buffers_round(bytes);
    if (rounded > buffers->most - buffers->used) {
        return hx_buffers_take(buffers, bytes, buffer);
    }
    if (!buffers->room) {
        const hx_status status = hx_buffers_take(buffers, buffers->most, &buffers->room);
        if (status != HX_OK) {
            return status;
        }
    }
    *buffer = (unsigned char *)buffers->room + buffers->used;
    buffers->used += rounded;
    return HX_OK;
}

static bool is_in_room(const hx_buffers *buffers, const void *buffer)
{
    const uintptr_t at = (uintptr_t)buffer;
    const uintptr_t room = (uintptr_t)buffers->room;
    return buffers->room && at >= room && at - room <= buffers->most;
}

void hx_buffers_give(hx_buffers *buffers, void *buffer, int abandon)
{
    if (buffer && is_in_room(buffers, buffer)) {
        buffers->abandoned = buffers->abandoned || abandon;
    } else if (abandon) {
        hx_pool_abandon(buffers->pool, buffer);
    } else {
        hx_pool_release(buffers->pool, buffer);
    }
}
