#include "pool.h"

#include "memory.h"

#include <pthread.h>

/* Four classes to each power of two, so that a fifth of a buffer or less is lost by rounding. */
enum { STEPS = 4, SMALLEST = 256, CLASSES = STEPS * 56, LINE = 64 };

/* Stands before each buffer, on a line of its own. */
typedef union header {
    struct {
        union header *next; /* idle buffers of the same class */
        int class;
    } link;
    unsigned char line[LINE];
} header;

struct hx_pool {
    pthread_mutex_t lock;
    header *idle[CLASSES];
    hx_pool_counters counters;
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

static size_t size_of(int class)
{
    const size_t power = (size_t)SMALLEST << (class / STEPS);
    return power + (size_t)(class % STEPS) * (power / STEPS);
}

hx_pool *hx_pool_make(void)
{
    hx_pool *pool = hx_memory_get(1, sizeof *pool, "a pool of buffers");
    if (pool) {
        pthread_mutex_init(&pool->lock, NULL);
    }
    return pool;
}

void hx_pool_free(hx_pool *pool)
{
    if (pool) {
        hx_pool_trim(pool);
        pthread_mutex_destroy(&pool->lock);
        hx_memory_free(pool);
    }
}

void *hx_pool_acquire(hx_pool *pool, size_t bytes)
{
    size_t size = 0;
    const int class = class_of(bytes, &size);
    pthread_mutex_lock(&pool->lock);
    header *found = pool->idle[class];
    if (found) {
        pool->idle[class] = found->link.next;
        pool->counters.reused++;
        pool->counters.idle -= size;
    } else if (size <= SIZE_MAX - sizeof *found) {
        found = hx_memory_get(1, sizeof *found + size, "a message buffer");
    }
    if (found) {
        found->link.class = class;
        pool->counters.acquired++;
        pool->counters.in_use += size;
        if (pool->counters.in_use > pool->counters.high_water) {
            pool->counters.high_water = pool->counters.in_use;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return found ? found + 1 : NULL;
}

void hx_pool_release(hx_pool *pool, void *buffer)
{
    if (!buffer) {
        return;
    }
    header *released = (header *)buffer - 1;
    const int class = released->link.class;
    const size_t size = size_of(class);
    pthread_mutex_lock(&pool->lock);
    released->link.next = pool->idle[class];
    pool->idle[class] = released;
    pool->counters.in_use -= size;
    pool->counters.idle += size;
    pthread_mutex_unlock(&pool->lock);
}

void hx_pool_abandon(hx_pool *pool, void *buffer)
{
    /* What cannot be freed is kept in a list, so that tools do not take it for a leak. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static header *abandoned;
    if (!buffer) {
        return;
    }
    header *left = (header *)buffer - 1;
    pthread_mutex_lock(&pool->lock);
    pool->counters.in_use -= size_of(left->link.class);
    pthread_mutex_unlock(&pool->lock);
    pthread_mutex_lock(&lock);
    left->link.next = abandoned;
    abandoned = left;
    pthread_mutex_unlock(&lock);
}

void hx_pool_trim(hx_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    for (int class = 0; class < CLASSES; ++class) {
        header *next = NULL;
        for (header *idle = pool->idle[class]; idle; idle = next) {
            next = idle->link.next;
            hx_memory_free(idle);
        }
        pool->idle[class] = NULL;
    }
    pool->counters.idle = 0;
    pthread_mutex_unlock(&pool->lock);
}

hx_pool_counters hx_pool_count(hx_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    const hx_pool_counters counters = pool->counters;
    pthread_mutex_unlock(&pool->lock);
    return counters;
}
