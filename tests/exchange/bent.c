#include "bent.h"

#include "sphere.h"

enum { X, Y, TILES = 3, CUTS = 8 };

/* Cells along x and y, where tiles have as many; parts along x and y of tile t: (t + number) % DIVISIONS. */
static const int extents[][2] = {{2, 2}, {5, 3}, {4, 6}, {7, 2}};
static const int divisions[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1}};
enum { EXTENTS = sizeof extents / sizeof *extents, DIVISIONS = sizeof divisions / sizeof *divisions };

int bent_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    static int cuts[TILES][2][CUTS];
    if (number >= EXTENTS * DIVISIONS) {
        return -1;
    }
    int fits = 1;
    for (int t = 0; t < spec->tiles; ++t) {
        partition[t] = (hx_partition){.axes = 2};
        for (int a = X; a <= Y; ++a) {
            const int middle = t == 1 && a == X; /* the wing itself is as long as it likes */
            const int cells = extents[number / DIVISIONS][a] + middle;
            const int parts = divisions[(t + number) % DIVISIONS][a];
            fits = fits && parts <= cells;
            for (int i = 0; fits && i <= parts; ++i) {
                cuts[t][a][i] = number % 2 && i > 0 ? cells - parts + i : cells * i / parts;
            }
            partition[t].cells[a] = cells;
            partition[t].ranks[a] = parts;
            partition[t].cuts[a] = cuts[t][a];
        }
    }
    return fits;
}

/* A point, counted in its tile, and how many there are along each axis. */
typedef struct spot {
    int at[2];
    int cells[2];
    int faces[2];
} spot;

static spot spot_of(const layout *l, int field, int block, const int point[])
{
    const hx_part *part = &l->part[block];
    spot s;
    for (int a = X; a <= Y; ++a) {
        s.at[a] = part->first[a] + point[a];
        s.cells[a] = l->partition[part->tile].cells[a];
        s.faces[a] = sphere_faces(l->spec, field, a);
    }
    return s;
}

/* -1, 0, 1: below, within, above the tile. */
static int beyond(const spot *s, int axis)
{
    return s->at[axis] < 0 ? -1 : s->at[axis] >= s->cells[axis] + s->faces[axis] ? 1 : 0;
}

/* Who feeds a point: that of a tile, which runs along some axes backwards. */
static bool feeds(const layout *l, const oracle_point *ghost, int tile, const int at[], const int backwards[],
                  origin *from)
{
    const char *name = l->spec->field[ghost->field].name;
    *from = (origin){.field = ghost->field, .tile = tile, .sign = 1};
    for (int a = X; a <= Y; ++a) {
        const bool is_component = name[1] == (a == X ? '1' : '2');
        from->at[a] = at[a];
        from->high[a] = oracle_copy(l, ghost, a, from, a, backwards[a] ? -1 : 1);
        from->sign = is_component && backwards[a] ? -1 : from->sign;
    }
    return true;
}

/* x closes on itself; above y one comes down again on the other side of the pole. */
bool bent_fold(const layout *l, int field, int block, const int point[], origin *from)
{
    const spot s = spot_of(l, field, block, point);
    const int folded = beyond(&s, Y) > 0;
    const int around = s.at[X] - beyond(&s, X) * s.cells[X];
    const int at[] = {folded ? s.cells[X] - 1 + s.faces[X] - around : around,
                      folded ? 2 * s.cells[Y] - 1 + s.faces[Y] - s.at[Y] : s.at[Y]};
    return beyond(&s, Y) >= 0 &&
           feeds(l, &(oracle_point){field, block, point}, 0, at, (int[]){folded, folded}, from);
}

/* x closes on itself upside down. */
bool bent_twist(const layout *l, int field, int block, const int point[], origin *from)
{
    const spot s = spot_of(l, field, block, point);
    const int around = beyond(&s, X);
    const int at[] = {s.at[X] - around * s.cells[X],
                      around ? s.cells[Y] - 1 + s.faces[Y] - s.at[Y] : s.at[Y]};
    return beyond(&s, Y) == 0 &&
           feeds(l, &(oracle_point){field, block, point}, 0, at, (int[]){0, around != 0}, from);
}

/* Three tiles in a row, of which the first and the last lie back to back below y. */
bool bent_wing(const layout *l, int field, int block, const int point[], origin *from)
{
    const spot s = spot_of(l, field, block, point);
    const int tile = l->part[block].tile;
    const int next = tile + beyond(&s, X);
    if (beyond(&s, Y) < 0 && beyond(&s, X) == 0 && tile != 1) {
        const int at[] = {s.cells[X] - 1 + s.faces[X] - s.at[X], -1 + s.faces[Y] - s.at[Y]};
        return feeds(l, &(oracle_point){field, block, point}, 2 - tile, at, (int[]){1, 1}, from);
    }
    if (beyond(&s, Y) != 0 || next < 0 || next >= TILES) {
        return false;
    }
    const int shift = beyond(&s, X) > 0 ? -s.cells[X] : beyond(&s, X) < 0 ? l->partition[next].cells[X] : 0;
    return feeds(l, &(oracle_point){field, block, point}, next, (int[]){s.at[X] + shift, s.at[Y]},
                 (int[]){0, 0}, from);
}
