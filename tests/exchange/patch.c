#include "patch.h"

#include <string.h>

enum { AXES = 3, MOST_SLICES = 4, CUTS = 8 };

/* Tiles along each axis of space, for two axes and for three. */
static const int slices_of[2][AXES] = {{4, 2, 1}, {2, 2, 2}};

/* How a tile lies in space: along axis a of space runs its axis own[a], in the sense of sign[a]. */
typedef struct turn {
    int own[AXES];
    int sign[AXES];
} turn;

static const int orders[6][AXES] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/*
 * Turn number k of 8 or 48, as in the specs: the order of axes first, then a bit for each that is reversed.
 */
static turn turn_of(int axes, int tile)
{
    const int count = axes == 2 ? 2 : 6;
    const int number = axes == 2 ? tile : (7 * tile + 3) % 48;
    turn t = {{0}, {0}};
    for (int a = 0; a < axes; ++a) {
        t.own[a] = orders[number % count][a];
        t.sign[a] = number / count >> a & 1 ? -1 : 1;
    }
    return t;
}

/* Where a tile stands among the slices; the last axis of space varies fastest.  And back. */
static void slice_of(int axes, int tile, int slice[])
{
    for (int a = axes - 1; a >= 0; --a) {
        slice[a] = tile % slices_of[axes - 2][a];
        tile /= slices_of[axes - 2][a];
    }
}

static int tile_at(int axes, const int slice[])
{
    int tile = 0;
    for (int a = 0; a < axes; ++a) {
        tile = tile * slices_of[axes - 2][a] + slice[a];
    }
    return tile;
}

/* Cells of the slices along each axis of space; none is thinner than the widest halo. */
static const int thick[][AXES][MOST_SLICES] = {
    {{2, 3, 4, 2}, {3, 2}, {2, 2}},
    {{5, 2, 2, 3}, {2, 4}, {3, 2}},
    {{3, 3, 3, 3}, {3, 3}, {3, 3}},
};

/* Parts along the axes of tiles: those of tile t are parts[(t + number) % PARTS]. */
static const int parts[][AXES] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 2}, {1, 1, 2}, {2, 1, 2}};
enum { THICK = sizeof thick / sizeof *thick, PARTS = sizeof parts / sizeof *parts };

/* Even, or all blocks but the first of one cell. */
static void cut(hx_partition *p, int axis, int first_large)
{
    static int cuts[LAYOUT_TILES][AXES][CUTS];
    static int tile;
    tile = axis == 0 ? (tile + 1) % LAYOUT_TILES : tile;
    int *here = cuts[tile][axis];
    for (int i = 0; i <= p->ranks[axis]; ++i) {
        here[i] =
            first_large && i > 0 ? p->cells[axis] - p->ranks[axis] + i : p->cells[axis] * i / p->ranks[axis];
    }
    p->cuts[axis] = here;
}

int patch_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    if (number >= THICK * (PARTS + 1)) {
        return -1;
    }
    const int kind = number % (PARTS + 1);
    for (int t = 0; t < spec->tiles; ++t) {
        const turn turned = turn_of(spec->axes, t);
        const int *here = parts[kind == PARTS ? 0 : (t + kind) % PARTS];
        int slice[AXES];
        slice_of(spec->axes, t, slice);
        partition[t] = (hx_partition){.axes = spec->axes};
        for (int a = 0; a < spec->axes; ++a) {
            partition[t].cells[turned.own[a]] = thick[number / (PARTS + 1)][a][slice[a]];
            partition[t].ranks[turned.own[a]] = here[turned.own[a]];
        }
        for (int a = 0; a < spec->axes; ++a) {
            cut(&partition[t], a, number % 2);
        }
    }
    return 1;
}

/* The axis of a component, or -1. */
static int component_of(const char *name)
{
    return name[1] >= '1' && name[1] <= '3' ? name[1] - '1' : -1;
}

int patch_faces(const hx_spec *spec, int field, int axis)
{
    const char *name = spec->field[field].name;
    return name[0] == 'q' || (name[0] == 'c' && component_of(name) == axis) ||
           (name[0] == 'd' && component_of(name) != axis);
}

/* 1, or -1 if one of two tiles is the mirror image of the other. */
static int handedness(int axes, const turn *here, const turn *there)
{
    int sign = 1;
    for (int a = 0; a < axes; ++a) {
        sign *= here->sign[a] * there->sign[a];
        for (int b = 0; b < a; ++b) {
            sign *= here->own[a] < here->own[b] ? -1 : 1;
            sign *= there->own[a] < there->own[b] ? -1 : 1;
        }
    }
    return sign;
}

/* The field of the same letter for another component; the field itself, if it is no component. */
static int sister(const hx_spec *spec, int field, int axis)
{
    if (component_of(spec->field[field].name) < 0) {
        return field;
    }
    for (int f = 0; f < spec->fields; ++f) {
        const char *name = spec->field[f].name;
        if (name[0] == spec->field[field].name[0] && component_of(name) == axis) {
            return f;
        }
    }
    return -1;
}

/* The slices that one comes to from a tile; false: space ends on the way. */
static bool step(int axes, int tile, const int direction[], int slice[])
{
    slice_of(axes, tile, slice);
    bool there = true;
    for (int a = 0; a < axes; ++a) {
        const int count = slices_of[axes - 2][a];
        slice[a] += direction[a];
        there = there && (a == 0 || (slice[a] >= 0 && slice[a] < count));
        slice[a] = (slice[a] + count) % count;
    }
    return there;
}

/* Positions are counted in half cells from the low corner of a tile, along the axes of space. */
bool patch_topology(const layout *l, int field, int block, const int point[], origin *from)
{
    const hx_spec *spec = l->spec;
    const hx_part *part = &l->part[block];
    const turn here = turn_of(spec->axes, part->tile);
    const hx_partition *p = &l->partition[part->tile];
    int direction[AXES];
    int position[AXES];
    int slice[AXES];
    for (int a = 0; a < spec->axes; ++a) {
        const int own = here.own[a];
        const int faces = patch_faces(spec, field, own);
        const int index = part->first[own] + point[own];
        const int cells = p->cells[own];
        direction[a] = here.sign[a] * (index < 0 ? -1 : index >= cells + faces ? 1 : 0);
        position[a] = here.sign[a] > 0 ? 2 * index + !faces : 2 * (cells - index) - !faces;
        position[a] -= direction[a] > 0 ? 2 * cells : 0;
    }
    if (!step(spec->axes, part->tile, direction, slice)) {
        return false;
    }
    *from = (origin){.field = field, .tile = tile_at(spec->axes, slice), .sign = 1};
    const turn there = turn_of(spec->axes, from->tile);
    const char *name = spec->field[field].name;
    const int component = component_of(name);
    for (int a = 0; a < spec->axes; ++a) {
        if (here.own[a] == component) {
            from->field = sister(spec, field, there.own[a]);
            from->sign = here.sign[a] * there.sign[a];
            from->sign *= name[0] == 's' ? handedness(spec->axes, &here, &there) : 1;
            from->sign = name[0] == 'h' ? 1 : from->sign;
        }
    }
    for (int a = 0; a < spec->axes; ++a) {
        const int own = there.own[a];
        const int cells = l->partition[from->tile].cells[own];
        const int at = position[a] + (direction[a] < 0 ? 2 * cells : 0);
        const int turned = here.sign[a] * there.sign[a];
        from->at[own] = (there.sign[a] > 0 ? at : 2 * cells - at) / 2;
        from->high[own] =
            oracle_copy(l, &(oracle_point){field, block, point}, here.own[a], from, own, turned);
    }
    return true;
}
