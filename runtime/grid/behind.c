#include "grid/behind.h"

#include "base/saturate.h"

hxi_sides hxi_behind_sides(const hx_spec *spec, const int index[], const int parts[])
{
    hxi_sides sides = 0;
    for (int a = 0; a < spec->axes; ++a) {
        sides |= spec->periodic[a] || index[a] > 0 ? hxi_side(a, HX_LOW) : 0;
        sides |= spec->periodic[a] || index[a] + 1 < parts[a] ? hxi_side(a, HX_HIGH) : 0;
    }
    return sides;
}

static int owned(const hxi_planes *p, int axis)
{
    return p->cells[axis] + p->spec->positions[p->field->positions].extra[axis];
}

static int depth(const hxi_planes *p, int axis, int side)
{
    return side == HX_LOW ? p->field->halo_lo[axis] : p->field->halo_hi[axis];
}

/* 0: there is none. */
static ptrdiff_t points_of(const hxi_planes *p, int axis, int side)
{
    ptrdiff_t points = (p->sides & hxi_side(axis, side)) != 0 ? depth(p, axis, side) : 0;
    for (int a = 0; a < p->spec->axes; ++a) {
        points = a == axis ? points : hxi_times(points, owned(p, a));
    }
    return points;
}

ptrdiff_t hxi_planes_before(const hxi_planes *p, int axis, int side)
{
    ptrdiff_t before = 0;
    for (int position = p->spec->axes - 1; p->field->order[position] != axis; --position) {
        before = hxi_plus(before, points_of(p, p->field->order[position], HX_LOW));
        before = hxi_plus(before, points_of(p, p->field->order[position], HX_HIGH));
    }
    before = hxi_plus(before, side == HX_HIGH ? points_of(p, axis, HX_LOW) : 0);
    return points_of(p, axis, side) > 0 ? before : -1;
}

ptrdiff_t hxi_planes_points(const hxi_planes *p)
{
    ptrdiff_t points = 0;
    for (int a = 0; a < p->spec->axes; ++a) {
        points = hxi_plus(points, hxi_plus(points_of(p, a, HX_LOW), points_of(p, a, HX_HIGH)));
    }
    return points;
}

bool hxi_planes_side(const hxi_planes *p, const int point[], int *axis, int *side)
{
    for (int a = 0; a < p->spec->axes; ++a) {
        if (point[a] < 0 || point[a] >= owned(p, a)) {
            *axis = a;
            *side = point[a] < 0 ? HX_LOW : HX_HIGH;
            return true;
        }
    }
    return false;
}

ptrdiff_t hxi_planes_within(const hxi_planes *p, int axis, int side, const int point[], ptrdiff_t stride[])
{
    ptrdiff_t at = 0;
    ptrdiff_t step = 1;
    for (int position = 0; position < p->spec->axes; ++position) {
        const int a = p->field->order[position];
        const int first = a != axis ? 0 : side == HX_LOW ? -depth(p, a, side) : owned(p, a);
        stride[a] = step;
        at += (point[a] - first) * step;
        step *= a == axis ? depth(p, a, side) : owned(p, a);
    }
    return at;
}
