#include "transport/sets.h"

void hx_sets_add(hx_sets *sets, hx_set *set)
{
    set->number = ++sets->made;
    set->next = sets->first;
    sets->first = set;
    sets->changes++;
}

void hx_sets_drop(hx_set *set)
{
    if (!set) {
        return;
    }
    if (!hx_device_shared_may_free(&set->there)) {
        hx_memory_keep(&set->kept);
        return;
    }
    hx_use_end(&set->use);
    hx_node_memory_close(&set->memory);
    hx_node_memory_close(&set->shown);
    hx_device_shared_free(&set->there);
    if (set->device) {
        set->calls->free(HX_MEMORY_DEVICE, set->device);
    }
    hx_memory_free(set->offset);
    hx_memory_free(set->state);
    hx_memory_free(set);
}

void hx_sets_free(hx_sets *sets, int abandon)
{
    for (hx_set *set = sets->first; set;) {
        hx_set *next = set->next;
        if (abandon && !set->window) {
            hx_memory_keep(&set->kept);
        } else {
            hx_sets_drop(set);
        }
        set = next;
    }
    *sets = (hx_sets){0};
}

hx_where hx_sets_find(const hx_sets *sets, const void *array, size_t bytes)
{
    for (const hx_set *set = sets->first; set; set = set->next) {
        const uintptr_t offset = (uintptr_t)array - (uintptr_t)set->shared;
        if (set->shared && offset < set->bytes && bytes <= set->bytes - offset) {
            return (hx_where){(uint64_t)set->number, offset};
        }
    }
    return (hx_where){0, 0};
}

void *hx_sets_reach(const hx_sets *sets, const hx_where *where)
{
    for (const hx_set *set = sets->first; set && where->set != 0; set = set->next) {
        if ((uint64_t)set->number == where->set && set->shared) {
            return set->shared + where->offset;
        }
    }
    return NULL;
}

hx_where hx_sets_find_there(const hx_sets *sets, const void *array, size_t bytes)
{
    for (const hx_set *set = sets->first; set; set = set->next) {
        const uintptr_t offset = (uintptr_t)array - (uintptr_t)set->device;
        if (set->there.usable && set->device && offset < set->device_bytes &&
            bytes <= set->device_bytes - offset) {
            return (hx_where){(uint64_t)set->number, offset};
        }
    }
    return (hx_where){0, 0};
}

void *hx_sets_reach_there(const hx_sets *sets, int node_rank, const hx_where *where)
{
    for (const hx_set *set = sets->first; set && where->set != 0; set = set->next) {
        if ((uint64_t)set->number == where->set && set->there.usable &&
            set->there.partner[node_rank].memory) {
            return set->there.partner[node_rank].memory + where->offset;
        }
    }
    return NULL;
}
