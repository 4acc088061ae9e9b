/* One tile, whose axes are periodic or end at walls. */
#include "check/grid.h"

static bool is_wall(const check_run *r, int tile, int axis, int end)
{
    (void)tile; /* there is one */
    (void)end;
    return !r->spec->periodic[axis];
}

/* The last face of a periodic axis is the first. */
static bool find(const check_run *r, const check_spot *spot, check_place *found)
{
    *found = (check_place){.field = spot->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        const int cells = r->grid[0].cells[a];
        int at = spot->part->first[a] + spot->point[a];
        if (at < 0 || at >= cells) {
            const bool beyond = at < 0 || at >= hxi_check_points(r, 0, spot->field, a);
            if (beyond && !r->spec->periodic[a]) {
                return false;
            }
            at = r->spec->periodic[a] ? (at % cells + cells) % cells : at;
        }
        found->index[a] = at;
    }
    return true;
}

static bool find_beside(const check_run *r, const check_spot *spot, const int at[], check_place *found)
{
    *found = (check_place){.field = spot->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        found->index[a] = at[a];
    }
    return true;
}

static int see_across(const check_run *r, const check_place *here, int axis, int end, check_place *there)
{
    const int cells = r->grid[0].cells[axis];
    *there = *here;
    there->index[axis] = end ? 0 : cells;
    return r->spec->periodic[axis] && hxi_check_faces(r, here->field, axis) &&
           here->index[axis] == end * cells;
}

/*
 * Along an axis; -1: the block does not own it.  Beside a block are those with the same cells along the axis;
 * else a face belongs to the cell above it, the last one to the last block.
 */
static int owner_along(const check_run *r, const hx_part *mine, const check_spot *spot, int axis)
{
    const int cells = r->grid[0].cells[axis], faces = hxi_check_faces(r, spot->field, axis);
    const int point = spot->point[axis];
    if (point >= 0 && point < spot->part->n[axis] + faces) {
        return mine->index[axis] == spot->part->index[axis] ? point : -1;
    }
    int at = spot->part->first[axis] + point;
    while (r->spec->periodic[axis] && (at < 0 || at >= cells + faces)) {
        at += at < 0 ? cells : -cells;
    }
    const bool last = mine->first[axis] + mine->n[axis] == cells;
    at -= mine->first[axis];
    return at >= 0 && at < mine->n[axis] + (last ? faces : 0) ? at : -1;
}

static bool owner_index(const check_run *r, const hx_part *mine, const check_spot *spot,
                        const check_place *at, int owner[])
{
    (void)at; /* which of two faces it is depends on where the block lies */
    for (int a = 0; a < r->spec->axes; ++a) {
        owner[a] = owner_along(r, mine, spot, a);
        if (owner[a] < 0) {
            return false;
        }
    }
    return true;
}

static bool is_kept(const check_run *r, const check_place *place)
{
    (void)r;
    (void)place;
    return true;
}

const check_grid hxi_check_boxes = {
    .is_wall = is_wall,
    .find = find,
    .find_beside = find_beside,
    .see_across = see_across,
    .owner_index = owner_index,
    .is_kept = is_kept,
};
