#include "grid/points.h"

uintptr_t hxi_points_end(const hxi_points *p)
{
    uintptr_t last = p->first;
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        last += p->n[i] > 1 ? (uintptr_t)((p->n[i] - 1) * p->stride[i]) : 0;
    }
    return last + (uintptr_t)p->bytes;
}

/*
 * From a point of one box to a point of the other it is a fixed distance and some steps of each stride.  Which
 * numbers of steps are there, of strides that both have together?
 */
typedef struct steps {
    ptrdiff_t stride;
    ptrdiff_t least;
    ptrdiff_t most;
} steps;

enum { STEPS = 2 * HX_POINTS_STEPS };

/* Sorts them in, the longest first; returns how many there are. */
static int add_steps(steps *all, int count, const hxi_points *p, bool backwards)
{
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        if (p->n[i] < 2) {
            continue;
        }
        int at = 0;
        while (at < count && all[at].stride > p->stride[i]) {
            ++at;
        }
        if (at == count || all[at].stride != p->stride[i]) {
            for (int k = count++; k > at; --k) {
                all[k] = all[k - 1];
            }
            all[at] = (steps){.stride = p->stride[i]};
        }
        all[at].least -= backwards ? p->n[i] - 1 : 0;
        all[at].most += backwards ? 0 : p->n[i] - 1;
    }
    return count;
}

static ptrdiff_t divide_down(ptrdiff_t a, ptrdiff_t b)
{
    return a / b - (a % b < 0);
}

/* Can a distance and some of these steps come to lie between low and high?  Where strides are nested, as those of
 * arrays, two or three numbers of each step are looked at. */
static bool can_reach(const steps *all, int count, ptrdiff_t distance, ptrdiff_t low, ptrdiff_t high)
{
    if (count == 0) {
        return low < distance && distance < high;
    }
    ptrdiff_t below = 0; /* what the shorter steps can add */
    ptrdiff_t above = 0;
    for (int i = 1; i < count; ++i) {
        below += all[i].least * all[i].stride;
        above += all[i].most * all[i].stride;
    }
    const ptrdiff_t first = -divide_down(distance + above - low - 1, all->stride);
    const ptrdiff_t last = divide_down(high - 1 - distance - below, all->stride);
    bool reaches = false;
    for (ptrdiff_t k = first > all->least ? first : all->least; k <= last && k <= all->most && !reaches;
         ++k) {
        reaches = can_reach(all + 1, count - 1, distance + k * all->stride, low, high);
    }
    return reaches;
}

bool hxi_points_meet(const hxi_points *one, const hxi_points *other)
{
    if (one->first >= hxi_points_end(other) || other->first >= hxi_points_end(one)) {
        return false;
    }
    steps all[STEPS];
    const int count = add_steps(all, add_steps(all, 0, other, false), one, true);
    return can_reach(all, count, (ptrdiff_t)(other->first - one->first), -other->bytes, one->bytes);
}
