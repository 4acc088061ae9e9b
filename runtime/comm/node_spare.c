#include "comm/node_spare.h"

#include "base/memory.h"

#include <pthread.h>

struct hxi_node_spare {
    pthread_mutex_t lock; /* handles may be of several threads */
    int handles;
    hxi_node_memory memory; /* number 0: there is none */
};

static const char purpose[] = "memory that handles hand on";

/* At most so much is kept for a handle that may never come. */
static const size_t most = 4 << 20;

/* For one handle; NULL: there is no memory. */
static hxi_node_spare *begin_line(void)
{
    hxi_node_spare *made = hxi_memory_get(1, sizeof *made, purpose);
    if (made) {
        pthread_mutex_init(&made->lock, NULL);
        made->handles = 1;
    }
    return made;
}

hx_status hxi_node_spare_make(const hxi_topology *topology, size_t bytes, hxi_node_spare **spare)
{
    hxi_node_memory memory = {0};
    *spare = begin_line();
    const size_t room = bytes + bytes / 4;
    const hx_status status =
        hxi_node_memory_open(topology, room <= most ? room : 0, bytes > 0 && room <= most, &memory);
    if (status == HX_OK && *spare && memory.shared) {
        (*spare)->memory = memory;
    } else {
        hxi_node_memory_close(&memory);
    }
    return *spare ? status : HX_ERR_MEMORY;
}

hxi_node_spare *hxi_node_spare_join(hxi_node_spare **spare)
{
    if (!*spare) {
        *spare = begin_line();
        if (!*spare) {
            return NULL;
        }
    }
    pthread_mutex_lock(&(*spare)->lock);
    (*spare)->handles++;
    pthread_mutex_unlock(&(*spare)->lock);
    return *spare;
}

/* Puts a piece there, and returns what lay there before.  The caller has the lock. */
static hxi_node_memory exchange(hxi_node_spare *spare, const hxi_node_memory *memory)
{
    const hxi_node_memory before = spare->memory;
    spare->memory = memory ? *memory : (hxi_node_memory){0};
    return before;
}

static hxi_node_memory take(hxi_node_spare *spare)
{
    pthread_mutex_lock(&spare->lock);
    const hxi_node_memory found = exchange(spare, NULL);
    pthread_mutex_unlock(&spare->lock);
    return found;
}

/* In one lock: the last handle of the line, which another thread may end, frees the rest. */
void hxi_node_spare_leave(hxi_node_spare *spare, hxi_node_memory *memory)
{
    if (!spare) {
        return;
    }
    hxi_node_memory before = {0};
    pthread_mutex_lock(&spare->lock);
    const int left = --spare->handles;
    if (left > 0 && memory && memory->shared && memory->number != 0) {
        before = exchange(spare, memory);
        *memory = (hxi_node_memory){0};
    }
    pthread_mutex_unlock(&spare->lock);
    hxi_node_memory_close(&before);
    if (left == 0) {
        hxi_node_memory_close(&spare->memory);
        pthread_mutex_destroy(&spare->lock);
        hxi_memory_free(spare);
    }
}

/* Who looks whether a rank has a part sees where the next one begins. */
static bool fits(const hxi_node_memory *memory, int rank, size_t bytes)
{
    const size_t part = memory->number != 0 ? memory->first[rank + 1] - memory->first[rank] : 0;
    return part >= bytes && (part > 0) == (bytes > 0);
}

hx_status hxi_node_spare_open(const hxi_topology *topology, size_t bytes, hxi_node_spare *spare,
                              hxi_node_memory *memory)
{
    hxi_node_memory found = spare ? take(spare) : (hxi_node_memory){0};
    const bool usable = fits(&found, topology->node_rank, bytes);
    bool alike = false;
    const hx_status status =
        spare ? hxi_topology_node_alike(topology, usable ? found.number : 0, &alike) : HX_OK;
    if (status == HX_OK && alike) {
        *memory = found;
        memory->bytes = bytes;
        memory->again = true;
        return HX_OK;
    }
    hxi_node_memory_close(&found);
    return status == HX_OK ? hxi_node_memory_open(topology, bytes, true, memory) : status;
}
