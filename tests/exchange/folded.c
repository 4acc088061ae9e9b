#include "folded.h"

#include <string.h>

enum { CUTS = 8 };

/* Cells along the side and across it, and parts. */
static const int extents[][2] = {{1, 4}, {2, 5}, {3, 4}, {4, 6}, {5, 4}, {6, 5}, {7, 4}, {12, 5}};
static const int divisions[][2] = {{1, 1}, {2, 1}, {1, 2}, {3, 2}, {4, 2}};
enum { EXTENTS = sizeof extents / sizeof *extents, DIVISIONS = sizeof divisions / sizeof *divisions };

/* The fold, from the end of the spec's name. */
typedef struct folding {
    int along;
    int across;
    int high;  /* the high side is folded */
    int pivot; /* the first one along the side, in half cells from where the axis begins */
    int inset; /* from the side to the line about which it is folded, in half cells */
} folding;

static folding folding_of(const hx_spec *spec)
{
    const char *end = spec->name + strlen(spec->name) - 3;
    const int north = end[0] == 'n' || end[0] == 's';
    return (folding){.along = !north,
                     .across = north,
                     .high = end[0] == 'n' || end[0] == 'e',
                     .pivot = end[1] == 'c',
                     .inset = end[2] == 'c'};
}

static char letter(const hx_spec *spec, int field, int axis)
{
    const char *name = spec->field[field].name;
    return name[strlen(name) - 2 + (size_t)axis];
}

int folded_faces(const hx_spec *spec, int field, int axis)
{
    return axis < 2 && letter(spec, field, axis) == 'b';
}

int folded_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    static int cuts[2][CUTS];
    const folding f = folding_of(spec);
    if (number >= EXTENTS * DIVISIONS) {
        return -1;
    }
    int fits = 1;
    *partition = (hx_partition){.axes = spec->axes, .cells = {0, 0, 2, 0}, .ranks = {0, 0, 1, 0}};
    for (int i = 0; i < 2; ++i) {
        const int axis = i == 0 ? f.along : f.across;
        const int cells = extents[number / DIVISIONS][i];
        const int parts = divisions[number % DIVISIONS][i];
        fits = fits && parts <= cells;
        for (int p = 0; fits && p <= parts; ++p) {
            cuts[axis][p] = number / DIVISIONS % 2 && p > 0 ? cells - parts + p : cells * p / parts;
        }
        partition->cells[axis] = cells;
        partition->ranks[axis] = parts;
        partition->cuts[axis] = cuts[axis];
    }
    return fits;
}

/* The place of index 0 along an axis, in half cells. */
static int first_of(const hx_spec *spec, int field, int axis)
{
    const char at = letter(spec, field, axis);
    return at == 'c' ? 1 : at == 'h' ? 2 : 0;
}

/* Half cells behind the line about which the grid is folded; negative: before it. */
static int behind(const layout *l, const folding *f, int field, int index)
{
    const int place = first_of(l->spec, field, f->across) + 2 * index;
    const int cells = l->partition[0].cells[f->across];
    return f->high ? place - (2 * cells - f->inset) : f->inset - place;
}

/* On the line: the half from the second pivot around to the first. */
static bool in_far_half(const layout *l, const folding *f, int field, int index)
{
    const int ring = 2 * l->partition[0].cells[f->along];
    const int place = first_of(l->spec, field, f->along) + 2 * index - f->pivot;
    return (place % ring + ring) % ring > ring / 2;
}

static bool lies_on_another(const layout *l, const folding *f, int field, const int at[])
{
    const int depth = behind(l, f, field, at[f->across]);
    return depth > 0 || (depth == 0 && in_far_half(l, f, field, at[f->along]));
}

/*
 * The index that turning about the pivots gives: their places are the middle between the two.  Beyond an end
 * of the axis the next pivots are nearer; that makes a difference only between the two faces at its ends,
 * which are the same.
 */
static void turn(const layout *l, const folding *f, int field, int at[])
{
    const int *cells = l->partition[0].cells;
    const int points = cells[f->along] + folded_faces(l->spec, field, f->along);
    const int rings = 1 + (at[f->along] >= points) - (at[f->along] < 0);
    const int line = f->high ? 2 * cells[f->across] - f->inset : f->inset;
    at[f->along] = f->pivot + rings * cells[f->along] - first_of(l->spec, field, f->along) - at[f->along];
    at[f->across] = line - first_of(l->spec, field, f->across) - at[f->across];
}

/* Into the ring: its points are 0 to n - 1, and n, too, where both faces are stored. */
static void around(const layout *l, const folding *f, int field, int at[])
{
    const int cells = l->partition[0].cells[f->along];
    const int points = cells + folded_faces(l->spec, field, f->along);
    while (at[f->along] < 0 || at[f->along] >= points) {
        at[f->along] += at[f->along] < 0 ? cells : -cells;
    }
}

bool folded_rewrites(const layout *l, const hx_exchange_field *item, int block, const int point[])
{
    const folding f = folding_of(l->spec);
    const hx_part *part = &l->part[block];
    const int at[] = {part->first[0] + point[0], part->first[1] + point[1]};
    const int width = f.high ? item->width_hi[f.across] : item->width_lo[f.across];
    return width > 0 && lies_on_another(l, &f, item->field, at);
}

bool folded_topology(const layout *l, int field, int block, const int point[], origin *from)
{
    const folding f = folding_of(l->spec);
    const hx_part *part = &l->part[block];
    const char kind = l->spec->field[field].name[0];
    int at[] = {part->first[0] + point[0], part->first[1] + point[1]};
    const int *cells = l->partition[0].cells;
    const int points = cells[f.across] + folded_faces(l->spec, field, f.across);
    const bool outside = at[f.across] < 0 || at[f.across] >= points;
    if (outside && (at[f.across] >= points) != f.high) {
        return false;
    }
    if (!outside) {
        around(l, &f, field, at);
    }
    const bool turned = outside || lies_on_another(l, &f, field, at);
    if (turned) {
        turn(l, &f, field, at);
        around(l, &f, field, at);
    }
    *from = (origin){.field = field, .sign = turned && kind != 's' ? -1 : 1};
    from->at[2] = point[2]; /* nobody cuts a third axis, and nothing turns it */
    for (int a = 0; a < 2; ++a) {
        from->at[a] = at[a];
        from->high[a] =
            folded_faces(l->spec, field, a) && at[a] == cells[a]
                ? 1
                : oracle_copy(l, &(oracle_point){field, block, point}, a, from, a, turned ? -1 : 1);
    }
    return true;
}
