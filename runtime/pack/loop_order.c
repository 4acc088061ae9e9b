#include "pack/loop_order.h"

#include <stdint.h>

/* How far apart neighbors along an axis lie in memory; where there is one point, it does not matter. */
static ptrdiff_t step(const hx_region *region, int axis)
{
    const ptrdiff_t stride = region->stride[axis];
    return region->n[axis] == 1 ? PTRDIFF_MAX : stride < 0 ? -stride : stride;
}

/* The place in a list of axes of the one with the shortest step. */
static int nearest(const hx_region *region, const int axis[], int axes)
{
    int found = 0;
    for (int i = 1; i < axes; ++i) {
        found = step(region, axis[i]) < step(region, axis[found]) ? i : found;
    }
    return found;
}

static hx_region reordered(const hx_region *region, int axes, const int order[])
{
    hx_region out = *region;
    for (int i = 0; i < axes; ++i) {
        out.n[i] = region->n[order[i]];
        out.stride[i] = region->stride[order[i]];
    }
    return out;
}

void hxi_loop_order_order(int axes, hx_region *to, hx_region *from)
{
    int order[HX_MAX_AXES] = {0, 1, 2, 3};
    for (int first = 0; first < axes; ++first) {
        int *rest = order + first;
        const int there = nearest(to, rest, axes - first);
        const int here = nearest(from, rest, axes - first);
        const int inner = to->n[rest[there]] <= to->n[rest[here]] ? there : here;
        const int axis = rest[inner];
        rest[inner] = rest[0];
        rest[0] = axis;
    }
    *to = reordered(to, axes, order);
    *from = reordered(from, axes, order);
}

hx_copy_turned_fn *hxi_loop_order_choose(const hx_kernels *kernels, int axes, hx_region *to, hx_region *from)
{
    hxi_loop_order_order(axes, to, from);
    for (int i = 0; i < kernels->turneds; ++i) {
        if (kernels->turned[i].points == to->n[0]) {
            return kernels->turned[i].copy;
        }
    }
    return kernels->copy_turned;
}

hx_region hxi_loop_order_message(const int order[], int axes, const hx_region *region)
{
    hx_region message = *region;
    ptrdiff_t points = 1;
    message.at = 0;
    for (int i = 0; i < axes; ++i) {
        message.stride[order[i]] = points;
        points *= region->n[order[i]];
    }
    return message;
}
