#include "memory/pool.h"

#include "base/devices.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <pthread.h>
#include <string.h>

/* Four classes to each power of two, so that a fifth of a buffer or less is lost by rounding. */
enum { STEPS = 4, SMALLEST = 256, CLASSES = STEPS * 56, LINE = 64 };

/* What idle buffers hold in check mode: as an address, a number of points or a double it does no good. */
enum { PATTERN = 0xdb };

/* What becomes of a buffer; lost: somebody may still write there, so nobody gets it. */
enum { IN_USE, IDLE, LOST };

/* Stands before each buffer, on a line of its own. */
typedef union header {
    struct {
        union header *next; /* idle buffers of the same class */
        size_t size;
        int class;
        int state;
    } of;
    hxi_kept kept; /* of no pool any more */
    unsigned char line[LINE];
} header;

struct hx_pool {
    hxi_kept kept; /* after it was destroyed, if messages may still come into its window */
    pthread_mutex_t lock;
    bool check;
    unsigned char *memory;  /* of a window, where all buffers lie; NULL: each has memory of its own */
    size_t bytes;           /* of it */
    const hx_device *calls; /* what gives pinned memory; NULL: buffers are memory of the host's own */
    hxi_lease use;          /* of the window */
    bool abandoned;         /* a buffer in it was */
    header *idle[CLASSES];
    header **known; /* all buffers, by rising address */
    size_t count;
    size_t room;
    hx_pool_counters counters;
    hxi_sharing sharing;
};

/* The smallest class whose buffers have so many bytes, and these. */
static int class_of(size_t bytes, size_t *rounded)
{
    size_t power = SMALLEST;
    int class = 0;
    while (power < SIZE_MAX / 2 && 2 * power <= bytes) {
        power *= 2;
        class += STEPS;
    }
    size_t size = power;
    while (size < bytes && class < CLASSES - 1) {
        size += power / STEPS;
        ++class;
    }
    *rounded = size < bytes ? bytes : size;
    return class;
}

/* ---- which buffers there are --------------------------------------------------------------------------- */

/* The first known buffer that does not lie below this one. */
static size_t place_of(const hx_pool *pool, const header *wanted)
{
    size_t low = 0;
    size_t high = pool->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)pool->known[middle] < (uintptr_t)wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* NULL if the address is none of this pool's. */
static header *find(const hx_pool *pool, const void *buffer)
{
    header *wanted = (header *)((uintptr_t)buffer - sizeof(header));
    const size_t place = place_of(pool, wanted);
    return place < pool->count && pool->known[place] == wanted ? wanted : NULL;
}

static void forget(hx_pool *pool, const header *gone)
{
    const size_t place = place_of(pool, gone);
    pool->count--;
    memmove(pool->known + place, pool->known + place + 1, (pool->count - place) * sizeof *pool->known);
}

/* It is used no more, but not by anybody else either. */
static void lose(hx_pool *pool, header *lost)
{
    if (pool->memory) {
        lost->of.state = LOST;
    } else {
        forget(pool, lost);
        hxi_memory_keep(&lost->kept);
    }
}

/* ---- idle buffers -------------------------------------------------------------------------------------- */

/* Takes a buffer of a class that is idle, if there is one. */
static header *take_idle(hx_pool *pool, int class)
{
    header *taken = pool->idle[class];
    if (taken) {
        pool->idle[class] = taken->of.next;
        pool->counters.idle -= taken->of.size;
        taken->of.state = IN_USE;
    }
    return taken;
}

/* Has nobody written to a buffer while it was idle?  Who did may do so again: it is given to nobody. */
static hx_status check_idle(hx_pool *pool, header *taken)
{
    const unsigned char *byte = (const unsigned char *)(taken + 1);
    const size_t size = taken->of.size;
    if (!pool->check || (byte[0] == PATTERN && memcmp(byte, byte + 1, size - 1) == 0)) {
        return HX_OK;
    }
    size_t at = 0;
    while (byte[at] == PATTERN) {
        ++at;
    }
    lose(pool, taken);
    return hxi_fail(HX_ERR_STATE,
                    "The buffer at %p, of %zu bytes, was written to after it had been released: its byte %zu "
                    "is %d, not %d.  Release a buffer when nothing uses it any more; this one is not used "
                    "again.",
                    (const void *)byte, size, at, byte[at], PATTERN);
}

static hx_status give_memory(const hx_pool *pool, header *idle)
{
    if (pool->calls) {
        const size_t size = idle->of.size;
        const int error = pool->calls->free(HX_MEMORY_PINNED, idle);
        return error == 0 ? HX_OK
                          : hxi_device_fail(pool->calls, error, "Freeing a buffer of %zu pinned bytes", size);
    }
    hxi_memory_free(pool->memory ? NULL : idle);
    return HX_OK;
}

static hx_status trim(hx_pool *pool)
{
    hxi_first first = {0};
    for (int class = 0; class < CLASSES; ++class) {
        for (header *idle = take_idle(pool, class); idle; idle = take_idle(pool, class)) {
            const hx_status status = check_idle(pool, idle);
            hxi_first_note(&first, status);
            if (status == HX_OK) {
                forget(pool, idle);
                hxi_first_note(&first, give_memory(pool, idle));
            }
        }
    }
    return hxi_first_tell(&first);
}

/* ---- new buffers --------------------------------------------------------------------------------------- */

/* The first gap between known buffers that has room for a header and so many bytes. */
static header *find_gap(const hx_pool *pool, size_t size)
{
    uintptr_t at = ((uintptr_t)pool->memory + LINE - 1) / LINE * LINE;
    for (size_t i = 0; i <= pool->count; ++i) {
        const uintptr_t end =
            i < pool->count ? (uintptr_t)pool->known[i] : (uintptr_t)pool->memory + pool->bytes;
        if (end > at && end - at >= LINE && end - at - LINE >= size) {
            return (header *)at;
        }
        at = end + LINE + (i < pool->count ? pool->known[i]->of.size : 0);
    }
    return NULL;
}

/* In the window; idle buffers of other classes make room where there is none. */
static hx_status get_part(hx_pool *pool, size_t size, header **got)
{
    *got = find_gap(pool, size);
    if (!*got && pool->counters.idle > 0) {
        const hx_status status = trim(pool);
        if (status != HX_OK) {
            return status;
        }
        *got = find_gap(pool, size);
    }
    return *got ? HX_OK
                : hxi_fail(
                      HX_ERR_MEMORY,
                      "There is no room for a buffer of %zu bytes in the %zu of a window that a pool has on "
                      "this rank; %llu buffers, %zu bytes, are in use.  Release some, or make a larger "
                      "window.",
                      size, pool->bytes, (unsigned long long)pool->counters.held, pool->counters.in_use);
}

static hx_status get_memory(hx_pool *pool, size_t size, header **got)
{
    if (pool->memory) {
        return get_part(pool, size, got);
    }
    /* What is longer than all memory is refused by name, not by the sum. */
    const size_t bytes = size <= SIZE_MAX - LINE ? LINE + size : size;
    if (pool->calls) {
        void *pinned = NULL;
        const int error = pool->calls->get(HX_MEMORY_PINNED, bytes, &pinned);
        *got = pinned;
        return error == 0 ? HX_OK : hxi_device_fail(pool->calls, error, "Getting %zu pinned bytes", bytes);
    }
    *got = hxi_memory_get(bytes, 1, "a buffer of a pool");
    return *got ? HX_OK : HX_ERR_MEMORY;
}

static hx_status make(hx_pool *pool, size_t size, int class, header **made)
{
    if (pool->count == pool->room) {
        const size_t room = 2 * pool->room + 16;
        header **more =
            hxi_memory_grow(pool->known, pool->count, room, sizeof(header *), "the list of a pool's buffers");
        if (!more) {
            return HX_ERR_MEMORY;
        }
        pool->known = more;
        pool->room = room;
    }
    const hx_status status = get_memory(pool, size, made);
    if (status != HX_OK) {
        return status;
    }
    **made = (header){.of = {.size = size, .class = class, .state = IN_USE}};
    const size_t place = place_of(pool, *made);
    memmove(pool->known + place + 1, pool->known + place, (pool->count - place) * sizeof(header *));
    pool->known[place] = *made;
    pool->count++;
    return HX_OK;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

static hx_status check_pool(const hx_pool *pool, const void *out, const char *caller)
{
    return pool && out ? HX_OK
                       : hxi_fail(HX_ERR_ARGUMENT, "The %s given to hx_pool_%s is a null pointer.",
                                  pool ? "place for the answer" : "pool", caller);
}

hx_status hx_pool_create(int check, hx_pool **out)
{
    if (!out) {
        return hxi_fail(HX_ERR_ARGUMENT, "The place for the pool given to hx_pool_create is a null pointer.");
    }
    hx_pool *pool = hxi_memory_get(1, sizeof *pool, "a pool of buffers");
    *out = pool;
    if (!pool) {
        return HX_ERR_MEMORY;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->sharing.lock, NULL);
    pool->check = check != 0;
    return HX_OK;
}

hxi_sharing *hxi_pool_sharing(hx_pool *pool)
{
    return &pool->sharing;
}

void hxi_pool_pin(hx_pool *pool, const hx_device *calls)
{
    pool->calls = calls;
}

hxi_lease *hxi_pool_move(hx_pool *pool, unsigned char *memory, size_t bytes)
{
    pool->memory = memory;
    pool->bytes = bytes;
    return &pool->use;
}

hx_status hx_pool_destroy(hx_pool *pool)
{
    if (!pool) {
        return HX_OK;
    }
    pthread_mutex_lock(&pool->lock);
    const hx_pool_counters counters = pool->counters;
    const hx_status status = counters.held == 0 ? trim(pool) : HX_OK;
    pthread_mutex_unlock(&pool->lock);
    if (counters.held > 0) {
        return hxi_fail(HX_ERR_STATE,
                        "%llu buffer%s of the pool, %zu bytes, %s in use; release what was acquired, and "
                        "destroy the handles that use it, before the pool.",
                        (unsigned long long)counters.held, hxi_s((int64_t)counters.held), counters.in_use,
                        counters.held == 1 ? "is" : "are");
    }
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->sharing.lock);
    hxi_memory_free(pool->known);
    if (pool->abandoned) {
        hxi_memory_keep(&pool->kept); /* and the window, which it uses */
    } else {
        hxi_lease_end(&pool->use);
        hxi_memory_free(pool);
    }
    return status;
}

static void count_acquired(hx_pool_counters *counters, size_t size, bool reused)
{
    counters->acquired++;
    counters->reused += reused;
    counters->held++;
    counters->in_use += size;
    if (counters->in_use > counters->high_water) {
        counters->high_water = counters->in_use;
    }
}

/* The pool is locked. */
static hx_status acquire(hx_pool *pool, size_t bytes, void **buffer)
{
    size_t size = 0;
    const int class = class_of(bytes, &size);
    header *found = take_idle(pool, class);
    const bool reused = found != NULL;
    const hx_status status = reused ? check_idle(pool, found) : make(pool, size, class, &found);
    if (status != HX_OK) {
        return status;
    }
    count_acquired(&pool->counters, size, reused);
    *buffer = found + 1;
    return HX_OK;
}

hx_status hx_pool_acquire(hx_pool *pool, size_t bytes, void **buffer)
{
    hx_status status = check_pool(pool, buffer, "acquire");
    if (status != HX_OK) {
        return status;
    }
    *buffer = NULL;
    pthread_mutex_lock(&pool->lock);
    status = acquire(pool, bytes, buffer);
    pthread_mutex_unlock(&pool->lock);
    return status;
}

/* The pool is locked. */
static hx_status release(hx_pool *pool, void *buffer)
{
    header *released = find(pool, buffer);
    if (!released || released->of.state == LOST) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The pointer %p given to hx_pool_release is no buffer of this pool; give what "
                        "hx_pool_acquire gave, once, to the pool that it is from.",
                        buffer);
    }
    if (released->of.state == IDLE) {
        return hxi_fail(HX_ERR_STATE,
                        "The buffer at %p, of %zu bytes, is released for the second time; who released it "
                        "first, or uses it still?",
                        buffer, released->of.size);
    }
    if (pool->check) {
        memset(buffer, PATTERN, released->of.size);
    }
    released->of.state = IDLE;
    released->of.next = pool->idle[released->of.class];
    pool->idle[released->of.class] = released;
    pool->counters.held--;
    pool->counters.in_use -= released->of.size;
    pool->counters.idle += released->of.size;
    return HX_OK;
}

hx_status hx_pool_release(hx_pool *pool, void *buffer)
{
    if (!buffer) {
        return HX_OK;
    }
    hx_status status = check_pool(pool, buffer, "release");
    if (status == HX_OK) {
        pthread_mutex_lock(&pool->lock);
        status = release(pool, buffer);
        pthread_mutex_unlock(&pool->lock);
    }
    return status;
}

void hxi_pool_abandon(hx_pool *pool, void *buffer)
{
    if (!buffer) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    header *left = (header *)buffer - 1;
    pool->counters.held--;
    pool->counters.in_use -= left->of.size;
    pool->abandoned = pool->abandoned || pool->memory;
    lose(pool, left);
    pthread_mutex_unlock(&pool->lock);
}

hx_status hx_pool_offset(hx_pool *pool, const void *buffer, size_t *offset)
{
    hx_status status = check_pool(pool, offset, "offset");
    if (status != HX_OK) {
        return status;
    }
    *offset = 0;
    pthread_mutex_lock(&pool->lock);
    const header *found = find(pool, buffer);
    if (!pool->memory || !found || found->of.state != IN_USE) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "The pointer %p given to hx_pool_offset is no buffer in use of a pool in a window.",
                          buffer);
    } else {
        *offset = (size_t)((const unsigned char *)buffer - pool->memory);
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

hx_status hx_pool_trim(hx_pool *pool)
{
    hx_status status = check_pool(pool, pool, "trim");
    if (status == HX_OK) {
        pthread_mutex_lock(&pool->lock);
        status = trim(pool);
        pthread_mutex_unlock(&pool->lock);
    }
    return status;
}

hx_status hx_pool_count(hx_pool *pool, hx_pool_counters *counters)
{
    const hx_status status = check_pool(pool, counters, "count");
    if (status == HX_OK) {
        pthread_mutex_lock(&pool->lock);
        *counters = pool->counters;
        pthread_mutex_unlock(&pool->lock);
    }
    return status;
}
