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

/* The same for halos that are up to 33 deep. */
static const int deep_extents[][3] = {{140, 40, 36}, {33, 34, 35}};

enum {
    DIVISIONS = sizeof divisions / sizeof *divisions,
    EXTENTS = sizeof extents / sizeof *extents,
    DEEP_EXTENTS = sizeof deep_extents / sizeof *deep_extents,
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

static int partitions(const int cells_of[][3], int extents_given, int number, hx_partition partition[])
{
    if (number >= DIVISIONS * extents_given) {
        return -1;
    }
    const division *d = &divisions[number % DIVISIONS];
    const int *e = cells_of[number / DIVISIONS];
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

int canary_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    (void)spec;
    return partitions(extents, EXTENTS, number, partition);
}

int deep_canary_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    (void)spec;
    return partitions(deep_extents, DEEP_EXTENTS, number, partition);
}

int canary_faces(const hx_spec *spec, int field, int axis)
{
    (void)field;
    (void)axis;
    return strcmp(spec->name, "both_vector") == 0;
}

bool canary_topology(const layout *l, int field, int block, const int point[], origin *from)
{
    enum { U, V }; /* fields of the vector */
    const hx_part *part = &l->part[block];
    const int both = canary_faces(l->spec, field, X);
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
        from->high[X] = oracle_copy(l, &(oracle_point){field, block, point}, X, from, X, 1);
        from->high[Y] = oracle_copy(l, &(oracle_point){field, block, point}, Y, from, Y, 1);
        return true;
    }
    if (part->tile == A && within_x && y > last_y) {
        from->tile = B;
        from->at[X] = y - Ay;
        from->at[Y] = both ? By - x : By - 1 - x;
        from->high[X] = oracle_copy(l, &(oracle_point){field, block, point}, Y, from, X, 1);
        from->high[Y] = oracle_copy(l, &(oracle_point){field, block, point}, X, from, Y, -1);
    } else if (part->tile == B && within_y && x < 0) {
        from->tile = A;
        from->at[X] = both ? By - y : By - 1 - y;
        from->at[Y] = Ay + x;
        from->high[X] = oracle_copy(l, &(oracle_point){field, block, point}, Y, from, X, -1);
        from->high[Y] = oracle_copy(l, &(oracle_point){field, block, point}, X, from, Y, 1);
    } else {
        return false;
    }
    if (both) {
        from->field = field == U ? V : U;
        from->sign = (part->tile == A) == (field == U) ? -1 : 1;
    }
    return true;
}
