#include "oracle.h"

#include "folded.h"

#include <string.h>

/* Has the block an owner that has a point of the grid? */
static bool has_owner(const layout *l, const origin *from)
{
    const hx_partition *p = &l->partition[from->tile];
    int number = 0;
    int all = 0;
    for (int k = 0; k < p->axes; ++k) {
        const int a = p->first_fastest ? p->axes - 1 - k : k;
        int part = 0;
        while (layout_cut(p, a, part + 1) <= from->at[a]) {
            ++part;
        }
        number = number * p->ranks[a] + part;
    }
    for (int t = 0; t < from->tile; ++t) {
        int parts = 1;
        for (int a = 0; a < l->partition[t].axes; ++a) {
            parts *= l->partition[t].ranks[a];
        }
        all += parts;
    }
    return l->blocks.owner    ? l->blocks.owner(l->blocks.context, from->tile, number) >= 0
           : l->blocks.owners ? l->blocks.owners[all + number] >= 0
                              : true;
}

bool oracle_cartesian(const layout *l, int field, int block, const int point[], origin *from)
{
    const hx_part *part = &l->part[block];
    *from = (origin){.field = field, .tile = part->tile, .sign = 1};
    for (int a = 0; a < l->spec->axes; ++a) {
        const int at = part->first[a] + point[a];
        const int cells = l->partition[part->tile].cells[a];
        const bool outside = at < 0 || at >= cells;
        if (outside && !l->spec->periodic[a]) {
            return false;
        }
        from->at[a] = (at % cells + cells) % cells;
    }
    return has_owner(l, from);
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

bool oracle_fills(const layout *l, const hx_exchange *exchange, const hx_exchange_field *item,
                  const oracle_point *ghost, oracle_topology *topology, origin *from)
{
    const int block = ghost->block;
    const int *point = ghost->at;
    int outside = 0;
    for (int a = 0; a < l->spec->axes; ++a) {
        const int n = layout_points(l, block, item->field, a);
        if (point[a] < -item->width_lo[a] || point[a] >= n + item->width_hi[a]) {
            return false;
        }
        outside += point[a] < 0 || point[a] >= n;
    }
    if (outside == 0 && topology == folded_topology) {
        return folded_rewrites(l, item, block, point) && topology(l, item->field, block, point, from);
    }
    if (outside == 0 || (outside > 1 && strstr(exchange->name, "star") != NULL)) {
        return false;
    }
    return topology(l, item->field, block, point, from);
}
