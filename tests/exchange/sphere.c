#include "sphere.h"

enum { X, Y, Z, AXES, TILES = 6, CUTS = 8 };

static int axis_named(const hx_spec *spec, char name)
{
    for (int a = 0; a < spec->axes; ++a) {
        if (spec->axis[a][0] == name) {
            return a;
        }
    }
    return -1;
}

/* Cells of a tile along both axes, and parts along x and y of tile t: division (t + shift) % DIVISIONS if
 * they differ from tile to tile. */
static const int extents[] = {3, 4, 5, 7};
static const int deep_extents[] = {16, 21}; /* for halos that are up to 16 deep */
static const int divisions[][2] = {{1, 1}, {2, 2}, {1, 2}, {3, 3}, {3, 1}, {2, 3}};
enum {
    EXTENTS = sizeof extents / sizeof *extents,
    DEEP_EXTENTS = sizeof deep_extents / sizeof *deep_extents,
    DIVISIONS = sizeof divisions / sizeof *divisions
};

static const int *cut(int tile, int axis, int parts, int cells, int uneven)
{
    static int cuts[TILES][AXES][CUTS];
    int *here = cuts[tile][axis];
    for (int i = 0; i <= parts; ++i) {
        here[i] = uneven && i > 0 ? cells - parts + i : cells * i / parts;
    }
    return here;
}

static int partitions(const hx_spec *spec, const int cells[], int extents_given, int number,
                      hx_partition partition[])
{
    const int levels = 2;
    if (number >= extents_given * (DIVISIONS + 2)) {
        return -1;
    }
    const int kind = number % (DIVISIONS + 2);
    const int n = cells[number / (DIVISIONS + 2)];
    for (int t = 0; t < TILES; ++t) {
        const int *parts = divisions[kind < DIVISIONS ? kind : (t + kind) % DIVISIONS];
        partition[t] = (hx_partition){.axes = spec->axes};
        for (int a = 0; a < spec->axes; ++a) {
            const char name = spec->axis[a][0];
            partition[t].cells[a] = name == 'z' ? levels : n;
            partition[t].ranks[a] = name == 'z' ? 1 : parts[name == 'y'];
            partition[t].cuts[a] = cut(t, a, partition[t].ranks[a], partition[t].cells[a], kind % 2);
        }
    }
    return 1;
}

int sphere_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    return partitions(spec, extents, EXTENTS, number, partition);
}

int deep_sphere_partitions(const hx_spec *spec, int number, hx_partition partition[])
{
    return partitions(spec, deep_extents, DEEP_EXTENTS, number, partition);
}

static int faces_along(const char *name, char axis)
{
    const char own = name[1] == '1' ? 'x' : 'y';
    switch (name[0]) {
    case 'q':
    case 'b':
        return axis != 'z';
    case 'w':
        return axis == 'z';
    case 'c':
        return axis == own;
    case 'd':
        return axis != 'z' && axis != own;
    default:
        return 0;
    }
}

int sphere_faces(const hx_spec *spec, int field, int axis)
{
    return faces_along(spec->field[field].name, spec->axis[axis][0]);
}

static int is_component(const hx_spec *spec, int field)
{
    return spec->field[field].name[1] != '\0';
}

/* The other component of a vector. */
static int other(const hx_spec *spec, int field)
{
    const char *name = spec->field[field].name;
    for (int f = 0; f < spec->fields; ++f) {
        if (f != field && spec->field[f].name[0] == name[0]) {
            return f;
        }
    }
    return field;
}

/* What lies beyond a side of a tile of even or of odd number. */
typedef struct beyond {
    int tile;   /* ahead of this one, modulo 6 */
    int turned; /* the source's axes are exchanged, and so are components */
    int sign_x; /* of what becomes component x */
    int sign_y;
} beyond;

enum { WEST, EAST, SOUTH, NORTH };
static const beyond sides[2][4] = {
    {{4, 1, 1, -1}, {1, 0, 1, 1}, {5, 0, 1, 1}, {2, 1, -1, 1}},
    {{5, 0, 1, 1}, {2, 1, 1, -1}, {4, 1, -1, 1}, {1, 0, 1, 1}},
};

/*
 * Who feeds (i, j), which lies beyond one side, in a field with faces[X], faces[Y] points more than cells;
 * those of the source's field are source_faces.
 */
static void find(int even, int side, int n, const int source_faces[], const int beyond_at[], int at[])
{
    const int i = beyond_at[X], j = beyond_at[Y];
    switch (side) {
    case WEST:
        at[X] = even ? n - 1 + source_faces[X] - j : i + n;
        at[Y] = even ? n + i : j;
        break;
    case EAST:
        at[X] = even ? i - n : n - 1 + source_faces[X] - j;
        at[Y] = even ? j : i - n;
        break;
    case NORTH:
        at[X] = even ? j - n : i;
        at[Y] = even ? n - 1 + source_faces[Y] - i : j - n;
        break;
    default:
        at[X] = even ? i : n + j;
        at[Y] = even ? j + n : n - 1 + source_faces[Y] - i;
        break;
    }
}

/* Which copy, where two blocks of the source store a face. */
static void set_copies(const layout *l, const oracle_point *ghost, origin *from, const int axis[], int side,
                       int turned)
{
    /* East and west the source's x runs against the destination's y; north and south its y against x. */
    const int x_sense = turned && (side == WEST || side == EAST) ? -1 : 1;
    const int y_sense = turned && (side == NORTH || side == SOUTH) ? -1 : 1;
    from->high[axis[X]] = oracle_copy(l, ghost, axis[turned ? Y : X], from, axis[X], x_sense);
    from->high[axis[Y]] = oracle_copy(l, ghost, axis[turned ? X : Y], from, axis[Y], y_sense);
}

bool sphere_topology(const layout *l, int field, int block, const int point[], origin *from)
{
    const hx_spec *spec = l->spec;
    const oracle_point ghost = {field, block, point};
    const hx_part *part = &l->part[block];
    const int axis[] = {axis_named(spec, 'x'), axis_named(spec, 'y'), axis_named(spec, 'z')};
    const int n = l->partition[part->tile].cells[axis[X]];
    const int i = part->first[axis[X]] + point[axis[X]];
    const int j = part->first[axis[Y]] + point[axis[Y]];
    const int last_i = n - 1 + sphere_faces(spec, field, axis[X]);
    const int last_j = n - 1 + sphere_faces(spec, field, axis[Y]);
    const bool beyond_x = i < 0 || i > last_i;
    const bool beyond_y = j < 0 || j > last_j;
    *from = (origin){.field = field, .tile = part->tile, .sign = 1};
    if (axis[Z] >= 0) {
        from->at[axis[Z]] = part->first[axis[Z]] + point[axis[Z]];
        if (from->at[axis[Z]] < 0 ||
            from->at[axis[Z]] >= part->n[axis[Z]] + sphere_faces(spec, field, axis[Z])) {
            return false;
        }
        from->high[axis[Z]] = oracle_copy(l, &ghost, axis[Z], from, axis[Z], 1);
    }
    if (beyond_x && beyond_y) {
        return false;
    }
    if (!beyond_x && !beyond_y) {
        from->at[axis[X]] = i;
        from->at[axis[Y]] = j;
        set_copies(l, &ghost, from, axis, EAST, 0);
        return true;
    }
    const int even = part->tile % 2 == 0;
    const int side = beyond_x ? (i < 0 ? WEST : EAST) : j < 0 ? SOUTH : NORTH;
    const beyond *b = &sides[!even][side];
    from->tile = (part->tile + b->tile) % TILES;
    if (is_component(spec, field)) {
        from->sign = spec->field[field].name[1] == '1' ? b->sign_x : b->sign_y;
        from->field = b->turned ? other(spec, field) : field;
    }
    const int source_faces[] = {sphere_faces(spec, from->field, axis[X]),
                                sphere_faces(spec, from->field, axis[Y])};
    int at[2];
    find(even, side, n, source_faces, (int[]){i, j}, at);
    from->at[axis[X]] = at[X];
    from->at[axis[Y]] = at[Y];
    set_copies(l, &ghost, from, axis, side, b->turned);
    return true;
}
