#include "memory/buffers.h"

#include "base/devices.h"
#include "base/memory.h"
#include "base/status.h"

enum { LINE = 64 };

size_t hxi_buffers_round(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

hx_status hxi_buffers_open(hx_pool *pool, int check, bool shares, hxi_buffers *buffers)
{
    *buffers = (hxi_buffers){.pool = pool, .own = !pool};
    const hx_status status = pool ? HX_OK : hx_pool_create(check, &buffers->pool);
    buffers->shares = shares && status == HX_OK;
    return status;
}

void hxi_buffers_join(const hxi_buffers *all, size_t bytes, hxi_buffers *joined)
{
    *joined = (hxi_buffers){.pool = all->pool, .joins = true, .most = bytes};
}

void hxi_buffers_put(const hxi_buffers *all, const hx_device *device, hxi_buffers *put)
{
    *put = (hxi_buffers){.pool = all->pool, .device = device};
}

/* ---- rooms --------------------------------------------------------------------------------------------- */

/* The smallest room that is large enough, or else a new one.  The pool's sharing is locked. */
static hx_status find_room(hxi_buffers *buffers, hxi_sharing *sharing)
{
    hxi_room *found = NULL;
    for (hxi_room *room = sharing->rooms; room && !buffers->joins; room = room->next) {
        found = room->bytes >= buffers->most && (!found || room->bytes < found->bytes) ? room : found;
    }
    if (!found) {
        found = hxi_memory_get(1, sizeof *found, "buffers that exchanges share");
        if (!found) {
            return HX_ERR_MEMORY;
        }
        const hx_status status = hxi_buffers_take(buffers, buffers->most, &found->memory);
        if (status != HX_OK) {
            hxi_memory_free(found);
            return status;
        }
        found->bytes = buffers->most;
        found->next = sharing->rooms;
        sharing->rooms = found;
    }
    found->handles++;
    buffers->room = found;
    return HX_OK;
}

/* The last handle gives it back. */
static void leave_room(const hxi_buffers *buffers, hxi_sharing *sharing)
{
    hxi_room *room = buffers->room;
    room->abandoned = room->abandoned || buffers->abandoned;
    if (--room->handles > 0) {
        return;
    }
    hxi_room **link = &sharing->rooms;
    while (*link != room) {
        link = &(*link)->next;
    }
    *link = room->next;
    if (room->abandoned) {
        hxi_pool_abandon(buffers->pool, room->memory);
    } else {
        hx_pool_release(buffers->pool, room->memory);
    }
    hxi_memory_free(room);
}

void hxi_buffers_close(hxi_buffers *buffers)
{
    if (buffers->room) {
        hxi_sharing *sharing = hxi_pool_sharing(buffers->pool);
        pthread_mutex_lock(&sharing->lock);
        leave_room(buffers, sharing);
        pthread_mutex_unlock(&sharing->lock);
    }
    if (buffers->own) {
        hx_pool_destroy(buffers->pool);
    }
    *buffers = (hxi_buffers){0};
}

void hxi_buffers_turn(hxi_buffers *buffers)
{
    buffers->used = 0;
}

hx_status hxi_buffers_take(hxi_buffers *buffers, size_t bytes, void **buffer)
{
    return hx_pool_acquire(buffers->pool, bytes, buffer);
}

hx_status hxi_buffers_take_shared(hxi_buffers *buffers, size_t bytes, void **buffer)
{
    const size_t rounded = hxi_buffers_round(bytes);
    if (buffers->device) {
        const int error = buffers->device->get(HX_MEMORY_DEVICE, rounded, buffer);
        return error == 0
                   ? HX_OK
                   : hxi_device_fail(buffers->device, error,
                                     "Getting %zu bytes of the memory of a device for a message", rounded);
    }
    if (rounded > buffers->most - buffers->used) {
        return hxi_buffers_take(buffers, bytes, buffer);
    }
    if (!buffers->room) {
        hxi_sharing *sharing = hxi_pool_sharing(buffers->pool);
        pthread_mutex_lock(&sharing->lock);
        const hx_status status = find_room(buffers, sharing);
        pthread_mutex_unlock(&sharing->lock);
        if (status != HX_OK) {
            return status;
        }
    }
    *buffer = (unsigned char *)buffers->room->memory + buffers->used;
    buffers->used += rounded;
    return HX_OK;
}

static bool is_in_room(const hxi_buffers *buffers, const void *buffer)
{
    const uintptr_t at = (uintptr_t)buffer;
    const uintptr_t room = buffers->room ? (uintptr_t)buffers->room->memory : 0;
    return buffers->room && at >= room && at - room <= buffers->most;
}

void hxi_buffers_give(hxi_buffers *buffers, void *buffer, int abandon)
{
    if (buffer && is_in_room(buffers, buffer)) {
        buffers->abandoned = buffers->abandoned || abandon;
    } else if (abandon) {
        hxi_pool_abandon(buffers->pool, buffer);
    } else {
        hx_pool_release(buffers->pool, buffer);
    }
}

void hxi_buffers_give_shared(hxi_buffers *buffers, void *buffer, int abandon)
{
    if (!buffers->device) {
        hxi_buffers_give(buffers, buffer, abandon);
    } else if (buffer && !abandon) {
        buffers->device->free(HX_MEMORY_DEVICE, buffer);
    }
}

/* ---- one after the other ------------------------------------------------------------------------------- */

/* A handle that was destroyed while its messages travelled is under way for ever. */
static const hxi_sharer lost;

/* HX_OK: nobody is under way any more. */
static hx_status refuse(const hxi_buffers *buffers, const hxi_sharer *sharer, const hxi_sharer *other)
{
    const char *file = sharer->spec->file;
    const char *name = sharer->exchange->name;
    if (!other) {
        return HX_OK;
    }
    if (other == &lost) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s:%d: exchange \"%s\" cannot start on rank %d: it shares its buffers (option "
            "share_buffers) with a handle that was destroyed while messages travelled, and these may "
            "still come.  Make handles with another pool.",
            file, sharer->exchange->line, name, sharer->rank);
    }
    return hxi_fail(
        HX_ERR_STATE,
        "%s:%d: exchange \"%s\" cannot start on rank %d while \"%s\" (%s:%d) is under way: the "
        "exchanges of %s share their buffers (option share_buffers, or HX_SHARE_BUFFERS).  Finish that "
        "one first, or create without the option.",
        file, sharer->exchange->line, name, sharer->rank, other->exchange->name, other->spec->file,
        other->exchange->line, buffers->own ? "this handle" : "all handles with this pool");
}

hx_status hxi_buffers_claim(hxi_buffers *buffers, const hxi_sharer *sharer)
{
    if (!buffers->shares) {
        return HX_OK;
    }
    hxi_sharing *sharing = hxi_pool_sharing(buffers->pool);
    for (;;) {
        const hxi_sharer *other = NULL;
        if (atomic_compare_exchange_strong_explicit(&sharing->user, &other, sharer, memory_order_acquire,
                                                    memory_order_relaxed)) {
            buffers->claimed = true;
            return HX_OK;
        }
        pthread_mutex_lock(&sharing->lock); /* until then nobody frees it */
        const hx_status status = refuse(buffers, sharer, atomic_load(&sharing->user));
        pthread_mutex_unlock(&sharing->lock);
        if (status != HX_OK) {
            return status;
        }
    }
}

void hxi_buffers_yield(hxi_buffers *buffers)
{
    if (buffers->claimed) {
        buffers->claimed = false;
        atomic_store_explicit(&hxi_pool_sharing(buffers->pool)->user, NULL, memory_order_release);
    }
}

void hxi_buffers_leave(hxi_buffers *buffers)
{
    if (!buffers->shares) {
        return;
    }
    hxi_sharing *sharing = hxi_pool_sharing(buffers->pool);
    pthread_mutex_lock(&sharing->lock);
    if (buffers->claimed) {
        atomic_store(&sharing->user, &lost);
    }
    pthread_mutex_unlock(&sharing->lock);
}
