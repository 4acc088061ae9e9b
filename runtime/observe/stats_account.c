#include "observe/stats_account.h"

#include "base/memory.h"

#include <string.h>

/* A sample stands for all: its waits are so many times as long. */
static double weight_of(const hxi_collected *x)
{
    return x->sample.waited > 0.0 ? hxi_collection_wait(x) / x->sample.waited : 0.0;
}

/* Is it known when others came to an exchange? */
static bool is_told(const hxi_telling *t, int exchange)
{
    return t->round >= (exchange + 1) * HX_MAX_AXES;
}

static int count_awaited(const hxi_telling *t)
{
    int count = 0;
    for (int e = 0; e < t->collection->exchanges; ++e) {
        count += is_told(t, e) ? t->late[e].count : 0;
    }
    return count;
}

/* Those that were clocked within stand for all. */
static void scale(hxi_exchange_counts *counts)
{
    const double times = counts->timed > 0 ? (double)counts->count / (double)counts->timed : 0.0;
    counts->pack *= times;
    counts->copy *= times;
    counts->unpack *= times;
    counts->device *= times;
}

static hxi_exchange_counts account_for(const hxi_telling *t, int exchange)
{
    const hxi_collected *x = &t->collection->exchange[exchange];
    hxi_exchange_counts counts = x->counts;
    scale(&counts);
    counts.wait = hxi_collection_wait(x);
    counts.first = hxi_clock_shared(&t->clock, counts.first);
    counts.last = hxi_clock_shared(&t->clock, counts.last);
    if (is_told(t, exchange)) {
        const double late = t->late[exchange].late * weight_of(x);
        counts.late = late < counts.wait ? late : counts.wait;
        counts.sampled = (uint64_t)x->sample.count;
    }
    return counts;
}

static void account_for_awaited(const hxi_telling *t, hxi_awaited *to)
{
    for (int e = 0; e < t->collection->exchanges; ++e) {
        const double weight = weight_of(&t->collection->exchange[e]);
        for (int i = 0; is_told(t, e) && i < t->late[e].count; ++i) {
            *to = t->late[e].awaited[i];
            to->own *= weight;
            to->inherited *= weight;
            ++to;
        }
    }
}

char *hxi_account_make(const hxi_telling *telling, size_t *bytes)
{
    const size_t exchanges = (size_t)telling->collection->exchanges;
    hxi_rank_counts counts = telling->collection->counts;
    counts.awaited = count_awaited(telling);
    *bytes = sizeof counts + exchanges * sizeof(hxi_exchange_counts) +
             (size_t)counts.awaited * sizeof(hxi_awaited);
    hxi_rank_counts *whole = hxi_memory_get(*bytes, 1, "what a rank tells for statistics");
    if (!whole) {
        *bytes = 0;
        return NULL;
    }
    hxi_exchange_counts *each = (hxi_exchange_counts *)(whole + 1);
    for (int e = 0; e < telling->collection->exchanges; ++e) {
        each[e] = account_for(telling, e);
        counts.wait += each[e].wait;
        counts.late += each[e].late;
    }
    counts.first = hxi_clock_shared(&telling->clock, counts.first);
    counts.last = hxi_clock_shared(&telling->clock, counts.last);
    account_for_awaited(telling, (hxi_awaited *)(each + exchanges));
    *whole = counts;
    return (char *)whole;
}
