#include "redistribution/moving_lists.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>

static const char purpose[] = "a redistribution of lists";

static bool is_owned(const hx_ids *ids, int point)
{
    return ids->owns ? ids->owns[point] != 0 : point < ids->owned;
}

hx_status hxi_moving_ids_check(const hx_handle *h, const hx_ids *ids, const char *end, const char *caller)
{
    const int points = h->mine.block[0].cells[0];
    if (!ids || (points > 0 && !ids->id)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s on rank %d: the ids of the %s are a null pointer; give that of each point of the %s.", caller,
            h->topology.rank, end, end);
    }
    if (ids->points != points) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: there are ids for %d point%s of the %s, which has %d.", caller,
                        h->topology.rank, ids->points, hxi_s(ids->points), end, points);
    }
    return HX_OK;
}

uint64_t hxi_moving_ids_hash(uint64_t hash, const hx_ids *ids)
{
    hash = hxi_hash(hash, ids->points);
    for (int p = 0; p < ids->points; ++p) {
        hash = hxi_hash(hash, is_owned(ids, p) ? ids->id[p] : -1);
    }
    return hash;
}

/* Points of the target ask, as those of a halo do, and points of the source answer. */
static hx_status join_ids(const hx_ids *source, const hx_ids *target, int64_t *id, unsigned char *owns)
{
    if (!id || !owns) {
        return HX_ERR_MEMORY;
    }
    for (int p = 0; p < target->points; ++p) {
        id[p] = is_owned(target, p) ? target->id[p] : -1;
    }
    for (int p = 0; p < source->points; ++p) {
        id[target->points + p] = is_owned(source, p) ? source->id[p] : -1;
        owns[target->points + p] = 1;
    }
    return HX_OK;
}

/* Those that are sent are numbered among points of the source again. */
static void count_from_source(hxi_lists *lists, int points)
{
    for (int i = 0; i < lists->partners; ++i) {
        const hx_runs *sent = &lists->partner[i].sent;
        for (int k = 0; k < sent->runs; ++k) {
            lists->run[sent->run - lists->run + k].first -= points;
        }
    }
}

static hx_status find_lists(const hx_handle *h, const hx_ids *all, hxi_lists *made)
{
    const hxi_topology *t = &h->topology;
    hx_index_list *list = NULL;
    hx_status status = hx_index_list_of_ids(t->comm, all, &list);
    if (status != HX_OK) {
        char sentence[HX_SENTENCE];
        snprintf(sentence, sizeof sentence, "%s", hx_last_error());
        return hxi_fail(status,
                        "Of ids of source and target, counted as points of a halo with their owners "
                        "behind them: %s",
                        sentence);
    }
    status = hxi_lists_make(h->spec, list, all->points, t->rank, t->ranks, made);
    hx_index_list_free(list);
    return hxi_topology_agree(t->comm, status);
}

hx_status hxi_moving_lists_make(const hx_handle *h, const hx_ids *source, const hx_ids *target,
                                hxi_lists *made)
{
    const size_t points = (size_t)source->points + (size_t)target->points;
    const bool countable = points <= INT_MAX;
    int64_t *id = countable ? hxi_memory_get(points, sizeof *id, purpose) : NULL;
    unsigned char *owns = countable ? hxi_memory_get(points, 1, purpose) : NULL;
    hx_status status =
        countable ? join_ids(source, target, id, owns)
                  : hxi_fail(HX_ERR_LIMIT, "Rank %d has %zu points in source and target; %d are possible.",
                             h->topology.rank, points, INT_MAX);
    *made = (hxi_lists){0};
    status = hxi_topology_agree(h->topology.comm, status);
    const hx_ids all = {.points = (int)points, .id = id, .owns = owns};
    status = status == HX_OK ? find_lists(h, &all, made) : status;
    if (status == HX_OK) {
        count_from_source(made, target->points);
    }
    hxi_memory_free(id);
    hxi_memory_free(owns);
    return status;
}
