#include "canary.h"

#include <string.h>

enum { A, B };
enum { X, Y };

/* How the tiles are divided; first_large: all blocks but the first along an axis have one cell. */
typedef struct division {
    int parts[2][2]; /* of a tile, along an axis */
    int first_large;
} division;

static const division divisions[] = {
    {{{1, 1}, {1, 1}}, 0}, {{{2, 1}, {1, 2}}, 0}, {{{2, 1}, {1, 2}}, 1},
    {{{3, 1}, {1, 2}}, 0}, {{{1, 1}, {1, 4}}, 1}, {{{4, 1}, {1, 1}}, 0},
    {{{2, 2}, {2, 2}}, 0}, {{{1, 3}, {3, 1}}, 0}, {{{3, 2}, {2, 5}}, 1},
};

/* Cells of A along x (and so of B along y), of A along y, of B along x. */
static const int extents[][3] = {{1, 2, 2}, {2, 2, 3}, {3, 2, 2}, {4, 3, 2}, {5, 4, 6}, {6, 2, 5}};

enum {
    DIVISIONS = sizeof divisions / sizeof *divisions,
    EXTENTS = sizeof extents / sizeof *extents,
    PARTITIONS = DIVISIONS * EXTENTS,
};

static int cuts_of_case[2][2][8];

static const int *cut(int tile, int axis, int parts, int cells, int first_large)
{
    int *cuts = cuts_of_case[tile][axis];
    for (int i = 0; i <= parts; ++i) {
        cuts[i] = first_large && i > 0 ? cells - parts + i : cells * i / parts;
    }
    return cuts;
}

int canary_partitions(int number, hx_partition partition[2])
{
    if (number >= PARTITIONS) {
        return -1;
    }
    const division *d = &divisions[number % DIVISIONS];
    const int *e = extents[number / DIVISIONS];
    const int cells[2][2] = {{e[0], e[1]}, {e[2], e[0]}};
    int fits = 1;
    for (int t = A; t <= B; ++t) {
        partition[t] = (hx_partition){.axes = 2};
        for (int a = X; a <= Y; ++a) {
            const int parts = d->parts[t][a];
            fits = fits && parts <= cells[t][a];
            partition[t].cells[a] = cells[t][a];
            partition[t].ranks[a] = parts;
            partition[t].cuts[a] = cut(t, a, parts, cells[t][a], d->first_large);
        }
    }
    return fits;
}

int canary_both_faces(const hx_spec *spec)
{
    return strcmp(spec->name, "both_vector") == 0;
}

/*
 * Of a face that two blocks store, which copy: along the ghost box (beyond = 0) a point goes with the cell
 * above it in its own block, and the last one with the cell below it; across the box with the cell above it
 * in the source, and the last one of the tile with the last cell.  `turn` is the sense in which the source's
 * axis follows.
 */
static int is_high_copy(const layout *l, int tile, int axis, int face, int beyond, int last_of_block,
                        int turn)
{
    const hx_partition *p = &l->partition[tile];
    const int below = face - 1;
    int cell = face;
    if (beyond != 0) {
        cell = face == p->cells[axis] ? below : face;
    } else if ((turn > 0) == (last_of_block != 0)) {
        cell = below;
    }
    for (int i = 1; i <= p->ranks[axis]; ++i) {
        if (layout_cut(p, axis, i) == face) {
            return cell == below;
        }
    }
    return 0;
}

/* Which copy the point of one axis of a block's halo comes from, along the axis of the source that follows
 * it. */
static int copy_of(const layout *l, int block, int axis, const int point[], const origin *from,
                   int source_axis, int turn)
{
    const int n = layout_points(l, block, axis);
    const int beyond = point[axis] < 0 || point[axis] >= n;
    if (!l->both_faces) {
        return 0;
    }
    return is_high_copy(l, from->tile, source_axis, from->at[source_axis], beyond, point[axis] == n - 1,
                        turn);
}

bool canary_topology(const layout *l, int field, int block, const int point[], origin *from)
{
    enum { U, V }; /* fields of the vector */
    const hx_part *part = &l->part[block];
    const int both = l->both_faces;
    const int x = part->first[X] + point[X];
    const int y = part->first[Y] + point[Y];
    const int last_x = l->partition[part->tile].cells[X] - 1 + both;
    const int last_y = l->partition[part->tile].cells[Y] - 1 + both;
    const int Ay = l->partition[A].cells[Y];
    const int By = l->partition[B].cells[Y];
    const bool within_x = x >= 0 && x <= last_x;
    const bool within_y = y >= 0 && y <= last_y;

    *from = (origin){.field = field, .tile = part->tile, .at = {x, y}, .sign = 1};
    if (within_x && within_y) {
        from->high[X] = copy_of(l, block, X, point, from, X, 1);
        from->high[Y] = copy_of(l, block, Y, point, from, Y, 1);
        return true;
    }
    if (part->tile == A && within_x && y > last_y) {
        from->tile = B;
        from->at[X] = y - Ay;
        from->at[Y] = both ? By - x : By - 1 - x;
        from->high[X] = copy_of(l, block, Y, point, from, X, 1);
        from->high[Y] = copy_of(l, block, X, point, from, Y, -1);
    } else if (part->tile == B && within_y && x < 0) {
        from->tile = A;
        from->at[X] = both ? By - y : By - 1 - y;
        from->at[Y] = Ay + x;
        from->high[X] = copy_of(l, block, Y, point, from, X, -1);
        from->high[Y] = copy_of(l, block, X, point, from, Y, 1);
    } else {
        return false;
    }
    if (both) {
        from->field = field == U ? V : U;
        from->sign = (part->tile == A) == (field == U) ? -1 : 1;
    }
    return true;
}
