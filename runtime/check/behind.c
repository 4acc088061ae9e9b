#include "check/behind.h"

/* A side of a block: an axis, and an end of it, 0 or 1. */
typedef struct end {
    int axis;
    int high;
} end;

/* Layers of ghost points that a field has beyond an end; 0 where the block has no neighbor there. */
static int layers_at(const check_run *r, const hx_part *part, int field, end e)
{
    const hx_field *f = &r->spec->field[field];
    const int last = part->first[e.axis] + part->n[e.axis];
    const bool inner = e.high ? last < part->partition.cells[e.axis] : part->first[e.axis] > 0;
    return inner || r->spec->periodic[e.axis] ? (e.high ? f->halo_hi : f->halo_lo)[e.axis] : 0;
}

/* Points of the plane beyond an end. */
static ptrdiff_t plane_at(const check_run *r, const hx_part *part, int field, end e)
{
    ptrdiff_t points = layers_at(r, part, field, e);
    for (int a = 0; a < r->spec->axes; ++a) {
        points *= a == e.axis ? 1 : hxi_check_owned(r, part, field, a);
    }
    return points;
}

/* Points of the planes that lie before that beyond an end: the slowest axis comes first.  NULL: of all. */
static ptrdiff_t points_before(const check_run *r, const hx_part *part, int field, const end *before)
{
    ptrdiff_t points = 0;
    for (int i = r->spec->axes - 1; i >= 0; --i) {
        for (int high = 0; high < 2; ++high) {
            const end e = {.axis = r->spec->field[field].order[i], .high = high};
            if (before && before->axis == e.axis && before->high == high) {
                return points;
            }
            points += plane_at(r, part, field, e);
        }
    }
    return points;
}

/* The end that a point lies beyond, which is one. */
static end end_of(const check_run *r, const check_spot *spot)
{
    end e = {0};
    for (int a = 0; a < r->spec->axes; ++a) {
        if (spot->side[a] != 0) {
            e = (end){.axis = a, .high = spot->side[a] > 0};
        }
    }
    return e;
}

bool hxi_check_has_place(const check_run *r, const check_spot *spot)
{
    if (!r->spec->field[spot->field].behind || spot->sides == 0) {
        return true;
    }
    return spot->sides == 1 && layers_at(r, spot->part, spot->field, end_of(r, spot)) > 0;
}

/* Owned points are what the array has without the planes. */
ptrdiff_t hxi_check_index_behind(const check_run *r, const check_block *b, const check_spot *spot)
{
    const int field = spot->field, components = hxi_check_components(r, field);
    const hx_part *part = spot->part;
    const end e = end_of(r, spot);
    const ptrdiff_t points = (ptrdiff_t)hx_points(r->spec, b->shape, field) / components;
    ptrdiff_t at = points - points_before(r, part, field, NULL) + points_before(r, part, field, &e);
    ptrdiff_t step = 1;
    for (int i = 0; i < r->spec->axes; ++i) {
        const int axis = r->spec->field[field].order[i], owned = hxi_check_owned(r, part, field, axis);
        const int layers = layers_at(r, part, field, e);
        const int first = axis != e.axis ? 0 : e.high ? owned : -layers;
        at += (spot->point[axis] - first) * step;
        step *= axis == e.axis ? layers : owned;
    }
    return at * components;
}
