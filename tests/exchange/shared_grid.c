#include "shared_grid.h"

#include "layout.h"

#include <string.h>

enum { MOST_CELLS = 7 };

/* ---- numbers out of a seed, the same on all ranks ----------------------------------------------------- */

uint64_t grid_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static int draw(uint64_t seed, int what, int below)
{
    return (int)(grid_mix(grid_mix(seed, 77), (uint64_t)what) % (uint64_t)below);
}

/* ---- partitions ---------------------------------------------------------------------------------------- */

bool grid_is(const grid *g, const char *what)
{
    return strstr(g->spec->name, what) != NULL;
}

/* Tiles of the sphere, around the star and of the cone are squares of one size; z is not cut there. */
static int cells_of(const grid *g, int axis)
{
    const bool square = (g->spec->tiles > 1 || grid_is(g, "cone")) && axis != g->axis[2];
    if (grid_is(g, "corners") && square) {
        return DEEPEST + draw(g->seed, 10, 6);
    }
    return 1 + draw(g->seed, square ? 10 : 10 + axis, MOST_CELLS - 1) + (grid_is(g, "fold") && axis == Y);
}

/* Blocks in the corners of tiles are as thick as the halo. */
static int cut_thick(const grid *g, int tile, int axis, int n, int cuts[])
{
    int parts = 1 + draw(g->seed, 100 + 10 * tile + axis, GRID_PARTS);
    parts = n < 2 * DEEPEST ? 1 : n == 2 * DEEPEST && parts > 2 ? 2 : parts;
    for (int i = 1; i < parts; ++i) {
        cuts[i] = i == 1 ? DEEPEST : n - DEEPEST;
    }
    cuts[parts] = n;
    return parts;
}

static void cut(grid *g, int tile, int axis)
{
    hx_partition *p = &g->partition[tile];
    const int n = cells_of(g, axis);
    const bool whole = g->one_block || !g->spec->decomposed[axis];
    int parts = whole ? 1 : 1 + draw(g->seed, 100 + 10 * tile + axis, GRID_PARTS);
    parts = parts > n ? n : parts;
    int *cuts = g->cuts[tile][axis];
    for (int i = 1; i <= parts; ++i) {
        const int most = n - (parts - i) - cuts[i - 1]; /* each part after this one has a cell */
        cuts[i] = i == parts ? n : cuts[i - 1] + 1 + draw(g->seed, 300 + 100 * tile + 10 * axis + i, most);
    }
    if (grid_is(g, "corners") && !whole && axis != g->axis[2]) {
        parts = cut_thick(g, tile, axis, n, cuts);
    }
    p->cells[axis] = n;
    p->ranks[axis] = parts;
    p->cuts[axis] = cuts;
}

void grid_make(grid *g, const hx_spec *spec, uint64_t seed)
{
    *g = (grid){
        .spec = spec, .seed = seed, .axis = {-1, -1, -1}, .one_block = seed % 5 == 0, .alike = seed % 4 == 2};
    MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g->ranks);
    for (int a = 0; a < spec->axes; ++a) {
        g->axis[spec->axis[a][0] - 'x'] = a;
    }
    for (int t = 0; t < spec->tiles; ++t) {
        g->partition[t].axes = spec->axes;
        g->partition[t].first_fastest = spec->first_fastest;
        for (int a = 0; a < spec->axes; ++a) {
            cut(g, t, a);
        }
    }
}

int grid_owner(void *context, int tile, int block)
{
    const grid *g = context;
    return draw(g->seed, 5000 + 100 * tile + block, g->ranks);
}

int grid_blocks(const grid *g, int tile)
{
    return layout_parts(&g->partition[tile]);
}

hx_part grid_part(const grid *g, int tile, int block)
{
    return layout_part(&g->partition[tile], tile, block);
}

int grid_number(const hx_part *part)
{
    int number = 0;
    for (int k = part->partition.axes - 1; k >= 0; --k) {
        const int a = part->partition.first_fastest ? k : part->partition.axes - 1 - k;
        number = number * part->partition.ranks[a] + part->index[a];
    }
    return number;
}

/* ---- where points lie ---------------------------------------------------------------------------------- */

bool grid_has_faces(const grid *g, int field, int axis)
{
    const char *name = g->spec->field[field].name;
    const int own = name[1] == '2' ? g->axis[Y] : g->axis[X];
    switch (name[0]) {
    case 'n':
        return true;
    case 'q':
    case 'b':
    case 'm':
        return axis != g->axis[2];
    case 'k':
        return axis == g->axis[2];
    case 'c':
        return axis == own;
    case 'd':
        return axis != g->axis[2] && axis != own;
    case 'e':
        return axis == g->axis[2] || axis == own;
    default:
        return false;
    }
}

int grid_other_component(const hx_spec *spec, int field)
{
    const char *name = spec->field[field].name;
    for (int f = 0; name[1] != '\0' && f < spec->fields; ++f) {
        if (f != field && spec->field[f].name[0] == name[0]) {
            return f;
        }
    }
    return field;
}
