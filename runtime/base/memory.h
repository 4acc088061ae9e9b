/*
 * The one place from which libhx gets memory, so that tests can count and refuse.
 */
#ifndef HX_MEMORY_H
#define HX_MEMORY_H

#include <stddef.h>

/*
 * Zeroed memory for count elements of size bytes, on a cache line of its own; of 4 MiB or more on huge pages,
 * where the system has them.  NULL if there is none; the
 * sentence for hx_last_error, which says what it was for, is then set, and the caller returns HX_ERR_MEMORY.
 */
void *hxi_memory_get(size_t count, size_t size, const char *purpose);

/* The same with the contents of old, of which `used` elements are kept; old is released unless it fails. */
void *hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

/* Memory of this that is still all zeros stays so; whole pages of it lie near whoever touches them next. */
void hxi_memory_place_anew(void *memory, size_t bytes);

void hxi_memory_free(void *memory);

/* A part of memory that has to stay until the process ends if MPI or a peer may still write to it. */
typedef struct hxi_kept {
    struct hxi_kept *next;
} hxi_kept;

/* In a list, so that tools do not take it for a leak.  For any thread. */
void hxi_memory_keep(hxi_kept *left);

#endif
