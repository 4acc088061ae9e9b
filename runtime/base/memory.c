#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64, HUGE_PAGE = 1 << 21 };

/* Pages of 2 MiB, for whole ones.  The system may refuse, or know none: then pages are as small as ever. */
static void ask_for_huge_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

void *hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    if (size != 0 && count > (PTRDIFF_MAX - HUGE_PAGE) / size) {
        hxi_fail(HX_ERR_MEMORY, "%zu times %zu bytes for %s are more than a pointer can reach.", count, size,
                 purpose);
        return NULL;
    }
    /* At least one line, so that NULL always means that there is no memory. */
    const size_t bytes = (count * size + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
    const bool large = bytes >= 2 * HUGE_PAGE;
    const size_t alignment = large ? HUGE_PAGE : CACHE_LINE;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) {
        hxi_fail(HX_ERR_MEMORY, "There is no memory left: %zu bytes for %s were refused.", bytes, purpose);
        return NULL;
    }
    if (large) {
        ask_for_huge_pages(memory, bytes);
    }
    /*
     * Here and not later: a page lies near the processor of the thread that touches it first, which is to be the one that
     * gets it.  And no byte of a message is undefined.
     */
    memset(memory, 0, bytes);
    return memory;
}

void *hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    void *memory = hxi_memory_get(count, size, purpose);
    if (!memory) {
        return NULL;
    }
    if (used != 0) {
        memcpy(memory, old, used * size);
    }
    hxi_memory_free(old);
    return memory;
}

void hxi_memory_place_anew(void *memory, size_t bytes)
{
#ifdef MADV_DONTNEED
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (first < end) {
        madvise((unsigned char *)memory + (first - (uintptr_t)memory), end - first, MADV_DONTNEED);
    }
#else
    (void)memory;
    (void)bytes;
#endif
}

void hxi_memory_free(void *memory)
{
    free(memory);
}

void hxi_memory_keep(hxi_kept *left)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static hxi_kept *kept;
    pthread_mutex_lock(&lock);
    left->next = kept;
    kept = left;
    pthread_mutex_unlock(&lock);
}
