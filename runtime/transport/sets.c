#include "transport/sets.h"

void hxi_sets_add(hxi_sets *sets, hxi_set *set)
{
    set->number = ++sets->made;
    set->next = sets->first;
    sets->first = set;
    sets->changes++;
}

void hxi_sets_drop(hxi_set *set)
{
    if (!set) {
        return;
    }
    if (!hxi_device_shared_may_free(&set->there)) {
        hxi_memory_keep(&set->kept);
        return;
    }
    hxi_lease_end(&set->use);
    hxi_node_memory_close(&set->memory);
    hxi_node_memory_close(&set->shown);
    hxi_device_shared_free(&set->there);
    if (set->device) {
        set->calls->free(HX_MEMORY_DEVICE, set->device);
    }
    hxi_memory_free(set->offset);
    hxi_memory_free(set->state);
    hxi_memory_free(set);
}

void hxi_sets_free(hxi_sets *sets, int abandon)
{
    for (hxi_set *set = sets->first; set;) {
        hxi_set *next = set->next;
        if (abandon && !set->window) {
            hxi_memory_keep(&set->kept);
        } else {
            hxi_sets_drop(set);
        }
        set = next;
    }
    *sets = (hxi_sets){0};
}

hxi_where hxi_sets_find(const hxi_sets *sets, const void *array, size_t bytes)
{
    for (const hxi_set *set = sets->first; set; set = set->next) {
        const uintptr_t offset = (uintptr_t)array - (uintptr_t)set->shared;
        if (set->shared && offset < set->bytes && bytes <= set->bytes - offset) {
            return (hxi_where){(uint64_t)set->number, offset};
        }
    }
    return (hxi_where){0, 0};
}

void *hxi_sets_reach(const hxi_sets *sets, const hxi_where *where)
{
    for (const hxi_set *set = sets->first; set && where->set != 0; set = set->next) {
        if ((uint64_t)set->number == where->set && set->shared) {
            return set->shared + where->offset;
        }
    }
    return NULL;
}

hxi_where hxi_sets_find_there(const hxi_sets *sets, const void *array, size_t bytes)
{
    for (const hxi_set *set = sets->first; set; set = set->next) {
        const uintptr_t offset = (uintptr_t)array - (uintptr_t)set->device;
        if (set->there.usable && set->device && offset < set->device_bytes &&
            bytes <= set->device_bytes - offset) {
            return (hxi_where){(uint64_t)set->number, offset};
        }
    }
    return (hxi_where){0, 0};
}

void *hxi_sets_reach_there(const hxi_sets *sets, int node_rank, const hxi_where *where)
{
    for (const hxi_set *set = sets->first; set && where->set != 0; set = set->next) {
        if ((uint64_t)set->number == where->set && set->there.usable &&
            set->there.partner[node_rank].memory) {
            return set->there.partner[node_rank].memory + where->offset;
        }
    }
    return NULL;
}
