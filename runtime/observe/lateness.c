#include "observe/lateness.h"

#include "base/memory.h"

#include <math.h>

static const char purpose[] = "ranks that others wait for";

void hxi_due_own(const hxi_sample *sample, bool to_start, const hxi_clock_line *clock, int rank,
                 hxi_due due[])
{
    for (int i = 0; i < sample->count; ++i) {
        const hxi_occurrence *o = &sample->kept[i];
        due[i] = (hxi_due){.number = o->number,
                           .due = hxi_clock_shared(clock, to_start ? o->started : o->finishing),
                           .before = hxi_clock_shared(clock, o->before),
                           .waited = o->waited_before,
                           .rank = rank};
    }
}

void hxi_due_none(const hxi_sample *sample, hxi_due due[])
{
    for (int i = 0; i < sample->count; ++i) {
        due[i] = (hxi_due){.number = sample->kept[i].number, .due = -INFINITY, .rank = -1};
    }
}

void hxi_due_take(hxi_due due[], int count, const hxi_due heard[], int heards)
{
    int h = 0;
    for (int i = 0; i < count; ++i) {
        while (h < heards && heard[h].number < due[i].number) {
            ++h;
        }
        if (h < heards && heard[h].number == due[i].number && heard[h].due > due[i].due) {
            due[i] = heard[h];
        }
    }
}

/* ---- whose fault --------------------------------------------------------------------------------------- */

static double at_least_zero(double seconds)
{
    return seconds > 0.0 ? seconds : 0.0;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* Where a rank stands, or is to stand, in the list. */
static int find_place(const hxi_lateness *found, int64_t rank)
{
    int low = 0;
    int high = found->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (found->awaited[middle].rank < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* There is room for as many as the sample has occurrences. */
static hxi_awaited *awaited_of(hxi_lateness *found, int64_t rank)
{
    const int place = find_place(found, rank);
    if (place == found->count || found->awaited[place].rank != rank) {
        for (int i = found->count++; i > place; --i) {
            found->awaited[i] = found->awaited[i - 1];
        }
        found->awaited[place] = (hxi_awaited){.rank = rank};
    }
    return &found->awaited[place];
}

/*
 * That one was late because its finish before ended later than this rank's, as far as it had waited there: so
 * much it has from somebody else.  Where two ranks go on at the same time, the rest is its own work.
 */
static void blame(const hxi_occurrence *o, const hxi_clock_line *clock, const hxi_due *due,
                  hxi_lateness *found)
{
    const double late = lesser(at_least_zero(due->due - hxi_clock_shared(clock, o->finishing)), o->waited);
    if (late > 0.0) {
        const double behind = at_least_zero(due->before - hxi_clock_shared(clock, o->before));
        const double inherited = lesser(lesser(behind, due->waited), late);
        hxi_awaited *awaited = awaited_of(found, due->rank);
        awaited->inherited += inherited;
        awaited->own += late - inherited;
        found->late += late;
    }
}

hx_status hxi_lateness_make(hxi_lateness *found)
{
    *found = (hxi_lateness){.awaited = hxi_memory_get(HX_SAMPLE, sizeof *found->awaited, purpose)};
    return found->awaited ? HX_OK : HX_ERR_MEMORY;
}

void hxi_lateness_find(const hxi_sample *sample, const hxi_clock_line *clock, const hxi_due due[],
                       hxi_lateness *found)
{
    found->late = 0.0;
    found->count = 0;
    for (int i = 0; i < sample->count; ++i) {
        blame(&sample->kept[i], clock, &due[i], found);
    }
}

void hxi_lateness_free(hxi_lateness *found)
{
    hxi_memory_free(found->awaited);
    *found = (hxi_lateness){0};
}
