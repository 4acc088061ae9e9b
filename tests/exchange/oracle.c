#include "oracle.h"

#include "check/grid.h"
#include "folded.h"

#include <string.h>

bool oracle_cartesian(const layout *l, int field, int block, const int point[], origin *from)
{
    const check_spot spot = hxi_check_spot_at(l->run, &l->part[block], field, point);
    check_place place;
    if (!hxi_check_find(l->run, &spot, &place)) {
        return false;
    }
    *from = (origin){.field = field, .sign = 1};
    memcpy(from->at, place.index, sizeof from->at);
    return true;
}

static bool is_cut(const hx_partition *p, int axis, int face)
{
    for (int i = 1; i <= p->ranks[axis]; ++i) {
        if (layout_cut(p, axis, i) == face) {
            return true;
        }
    }
    return false;
}

int oracle_copy(const layout *l, const oracle_point *ghost, int axis, const origin *from, int source_axis,
                int turn)
{
    const int *point = ghost->at;
    const hx_partition *p = &l->partition[from->tile];
    const int n = layout_points(l, ghost->block, ghost->field, axis);
    const int face = from->at[source_axis];
    int cell = face;
    if (l->faces == NULL || !l->faces(l->spec, from->field, source_axis)) {
        return 0;
    }
    if (point[axis] < 0 || point[axis] >= n) {
        cell = face == p->cells[source_axis] ? face - 1 : face;
    } else if ((turn > 0) == (point[axis] == n - 1)) {
        cell = face - 1;
    }
    return cell == face - 1 && is_cut(p, source_axis, face);
}

const hx_check_exchange *oracle_says(const hx_exchange *exchange)
{
    static const hx_check_exchange star = {.stencil = HX_CHECK_STAR}, all = {.stencil = HX_CHECK_BOX};
    return strstr(exchange->name, "star") != NULL ? &star : &all;
}

bool oracle_fills(const layout *l, const check_step *step, const check_spot *spot, int block,
                  oracle_topology *topology)
{
    return spot->sides > 0
               ? hxi_check_claims(l->run, step, spot)
               : topology == folded_topology && folded_rewrites(l, step->item, block, spot->point);
}
