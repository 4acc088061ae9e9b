/*
 * In place of runtime/comm/node_memory.c: ranks are threads, so one of them gets memory for all, at the same
 * address for each of them; ThreadSanitizer sees who touches what.
 */
#include "comm/node_memory.h"

#include "base/memory.h"
#include "base/status.h"
#include "engine.h"

enum { PAGE = 4096 };

static size_t in_pages(uint64_t bytes)
{
    return ((size_t)bytes + PAGE - 1) / PAGE * PAGE;
}

hx_status hxi_node_memory_open(const hxi_topology *t, size_t bytes, bool share, hxi_node_memory *m)
{
    *m = (hxi_node_memory){.bytes = bytes, .real = SIZE_MAX};
    uint64_t asked[STANDIN_RANKS];
    m->first = hxi_memory_get((size_t)t->node_ranks + 1, sizeof *m->first, "the parts of shared memory");
    hx_status status = hxi_topology_agree(t->node, m->first ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        status = hxi_topology_agree(t->node, hxi_topology_node_gather(t, 2 * (uint64_t)bytes + share, asked));
    }
    if (status != HX_OK) {
        return status;
    }
    for (int i = 0; i < t->node_ranks; ++i) {
        m->first[i + 1] = m->first[i] + in_pages(asked[i] / 2);
        share = share || asked[i] % 2 == 1;
    }
    m->mapped = m->first[t->node_ranks];
    if (!share) {
        m->own = bytes > 0 ? hxi_memory_get(bytes, 1, "what nobody shares") : NULL;
        return hxi_topology_agree(t->node, m->own || bytes == 0 ? HX_OK : HX_ERR_MEMORY);
    }
    uint64_t address = 0;
    if (t->node_rank == 0 && m->mapped > 0) {
        standin_lock();
        address = (uint64_t)(uintptr_t)standin_get(m->mapped);
        standin_unlock();
    }
    status = hxi_topology_agree(t->node, hxi_topology_node_tell(t, &address, sizeof address));
    if (status == HX_OK) {
        m->map = (unsigned char *)(uintptr_t)address;
        m->shared = m->mapped > 0;
        m->own = bytes > 0 ? m->map + m->first[t->node_rank] : NULL;
    }
    return status;
}

/* Threads see one address for all, so nothing can be mapped twice. */
hx_status hxi_node_memory_open_over(const hxi_topology *t, size_t bytes, size_t real, hxi_node_memory *m)
{
    (void)real;
    return hxi_node_memory_open(t, bytes, true, m);
}

unsigned char *hxi_node_memory_of(const hxi_node_memory *m, int node_rank)
{
    return m->shared ? m->map + m->first[node_rank] : NULL;
}

void hxi_node_memory_close(hxi_node_memory *m)
{
    if (!m->shared) {
        hxi_memory_free(m->own);
    }
    hxi_memory_free(m->first);
    *m = (hxi_node_memory){0};
}
