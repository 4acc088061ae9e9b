/*
 * The cubed sphere as a sphere: what arrives in the halo is the position, and the wind, that lie beyond the
 * side.
 *
 * Each tile is a square of equal angles, seen from the center of the sphere; where the six lie in space is
 * told below, from which sides meet.  Cells tell their positions to their neighbors, so that a halo knows
 * where its points are; they must go on from the block's own without a gap.  Then winds are exchanged, of
 * which every tile knows only the components along its own axes.  In the halo they must be those of the same
 * wind along the lines on which the positions there lie: components that change places or signs as they
 * should not are far off.  Nothing here knows indices of other tiles.
 */
#include "gnomonic.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

enum { TILES = 6, CELLS = 24, X = 0, Y = 1, SPACE = 3, DEEP = 3, WIDE = 2, WINDS = 8, MOST = 9 };

typedef struct vec {
    double c[SPACE];
} vec;

/* The middle of each tile, and the ways to its east and to its north. */
static const vec middle[TILES] = {{{1, 0, 0}},  {{0, 1, 0}},  {{0, 0, 1}},
                                  {{-1, 0, 0}}, {{0, -1, 0}}, {{0, 0, -1}}};
static const vec east[TILES] = {{{0, 1, 0}},  {{-1, 0, 0}}, {{-1, 0, 0}},
                                {{0, 0, -1}}, {{0, 0, -1}}, {{0, 1, 0}}};
static const vec north[TILES] = {{{0, 0, 1}},  {{0, 0, 1}}, {{0, -1, 0}},
                                 {{0, -1, 0}}, {{1, 0, 0}}, {{1, 0, 0}}};

static vec sum(vec a, double s, vec b)
{
    for (int i = 0; i < SPACE; ++i) {
        a.c[i] += s * b.c[i];
    }
    return a;
}

static double dot(vec a, vec b)
{
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static vec unit(vec a)
{
    return sum((vec){{0}}, 1 / sqrt(dot(a, a)), a);
}

/* The sphere turns about a tilted axis. */
static vec wind(vec p)
{
    static const vec axis = {{0.3, -0.5, 0.8}};
    return (vec){{axis.c[1] * p.c[2] - axis.c[2] * p.c[1], axis.c[2] * p.c[0] - axis.c[0] * p.c[2],
                  axis.c[0] * p.c[1] - axis.c[1] * p.c[0]}};
}

/* Where x, y of a tile lie, counted in cells. */
static vec place(int tile, double x, double y)
{
    const double quarter = acos(-1.0) / 4;
    const double a = tan(quarter * (2 * x / CELLS - 1));
    const double b = tan(quarter * (2 * y / CELLS - 1));
    return unit(sum(sum(middle[tile], a, east[tile]), b, north[tile]));
}

/* The way along an axis, at a place inside a tile. */
static vec way(int tile, double x, double y, int axis)
{
    const double step = 1e-4;
    const double dx = axis == X ? step : 0;
    const double dy = axis == Y ? step : 0;
    return unit(sum(place(tile, x + dx, y + dy), -1, place(tile, x - dx, y - dy)));
}

/* Fields of winds: the axis of the component, and whether it lies on both faces along each axis. */
typedef struct placement {
    int field;
    int component;
    int faces[2];
} placement;

static const placement placements[WINDS] = {
    {GNOMONIC_A1, X, {0, 0}}, {GNOMONIC_A2, Y, {0, 0}}, {GNOMONIC_B1, X, {1, 1}}, {GNOMONIC_B2, Y, {1, 1}},
    {GNOMONIC_C1, X, {1, 0}}, {GNOMONIC_C2, Y, {0, 1}}, {GNOMONIC_D1, X, {0, 1}}, {GNOMONIC_D2, Y, {1, 0}},
};

/* One block. */
typedef struct world {
    gnomonic_shape shape;
    gnomonic_fields f;
} world;

static double *array_of(gnomonic_fields *f, int field)
{
    double *all[] = {f->p1, f->p2, f->p3, f->a1, f->a2, f->b1, f->b2, f->c1, f->c2, f->d1, f->d2};
    return all[field];
}

/* A point of a field, by the index in the block; every field of this spec may have other strides. */
static double *point_of(world *w, int field, int i, int j)
{
    const int halo = field <= GNOMONIC_P3 ? DEEP : WIDE;
    return array_of(&w->f, field) + (i + halo) + (j + halo) * w->shape.stride[field][Y];
}

static vec position(world *w, int i, int j)
{
    return (vec){
        {*point_of(w, GNOMONIC_P1, i, j), *point_of(w, GNOMONIC_P2, i, j), *point_of(w, GNOMONIC_P3, i, j)}};
}

static void fill(world *w)
{
    const hx_part *part = &w->shape.part;
    for (int field = 0; field < GNOMONIC_FIELDS; ++field) {
        double *array = array_of(&w->f, field);
        for (size_t k = 0; k < gnomonic_points(&w->shape, field); ++k) {
            array[k] = NAN;
        }
    }
    for (int j = 0; j < part->n[Y]; ++j) {
        for (int i = 0; i < part->n[X]; ++i) {
            const vec p = place(part->tile, part->first[X] + i + 0.5, part->first[Y] + j + 0.5);
            for (int c = 0; c < SPACE; ++c) {
                *point_of(w, GNOMONIC_P1 + c, i, j) = p.c[c];
            }
        }
    }
    for (const placement *s = placements; s < placements + WINDS; ++s) {
        for (int j = 0; j < part->n[Y] + s->faces[Y]; ++j) {
            for (int i = 0; i < part->n[X] + s->faces[X]; ++i) {
                const double x = part->first[X] + i + (s->faces[X] ? 0 : 0.5);
                const double y = part->first[Y] + j + (s->faces[Y] ? 0 : 0.5);
                *point_of(w, s->field, i, j) =
                    dot(wind(place(part->tile, x, y)), way(part->tile, x, y, s->component));
            }
        }
    }
}

/* 0 inside the tile, else how many layers beyond it; `points` of the tile. */
static int beyond(int index, int points)
{
    return index < 0 ? -index : index >= points ? index - points + 1 : 0;
}

/* Cells of the halo go on from those before them: about one cell farther, in about the same sense. */
static void check_positions(world *w)
{
    const hx_part *part = &w->shape.part;
    const double cell = acos(-1.0) / 2 / CELLS;
    for (int j = -DEEP; j < part->n[Y] + DEEP; ++j) {
        for (int i = -DEEP; i < part->n[X] + DEEP; ++i) {
            const int out_x = beyond(part->first[X] + i, CELLS);
            const int out_y = beyond(part->first[Y] + j, CELLS);
            const vec here = position(w, i, j);
            if (out_x && out_y) {
                CHECK(isnan(here.c[0]), "tile %d: something came to its corner, (%d, %d)", part->tile, i, j);
            } else if (out_x || out_y) {
                const int back_i = out_x ? (i < 0 ? 1 : -1) : 0;
                const int back_j = out_y ? (j < 0 ? 1 : -1) : 0;
                const vec step = sum(here, -1, position(w, i + back_i, j + back_j));
                const vec before =
                    sum(position(w, i + back_i, j + back_j), -1, position(w, i + 2 * back_i, j + 2 * back_j));
                const double length = sqrt(dot(step, step));
                CHECK(length > 0.5 * cell && length < 1.5 * cell,
                      "tile %d: (%d, %d) is %g cells from its neighbor", part->tile, i, j, length / cell);
                CHECK(dot(unit(step), unit(before)) > 0.75, "tile %d: (%d, %d) lies aside", part->tile, i, j);
            }
        }
    }
}

/* Which cells' positions are known beyond a side: those of a block, its halo included, as far as one tile has
 * them. */
static void known(const hx_part *part, int axis, int index, int points, int *low, int *high)
{
    const int first = part->first[axis];
    const int at = first + index;
    *low = at >= points ? CELLS - first : -DEEP;
    *high = at < 0 ? -1 - first : part->n[axis] + DEEP - 1;
    if (at >= 0 && at < points) {
        *low = first + *low < 0 ? -first : *low;
        *high = first + *high >= CELLS ? CELLS - 1 - first : *high;
    }
}

/* What the wind is at a place of the halo, along the line of positions on which it lies there. */
static double expected(world *w, const placement *s, int i, int j)
{
    const hx_part *part = &w->shape.part;
    const int index[2] = {i, j};
    int cell[2];
    double rest[2];
    for (int a = X; a <= Y; ++a) {
        const double at = index[a] - (s->faces[a] ? 0.5 : 0.0); /* counted from the center of cell 0 */
        int low;
        int high;
        known(part, a, index[a], CELLS + s->faces[a], &low, &high);
        cell[a] = (int)floor(at);
        cell[a] = cell[a] < low ? low : cell[a] > high - 1 ? high - 1 : cell[a];
        rest[a] = at - cell[a];
    }
    const vec corner = position(w, cell[X], cell[Y]);
    const vec along[2] = {sum(position(w, cell[X] + 1, cell[Y]), -1, corner),
                          sum(position(w, cell[X], cell[Y] + 1), -1, corner)};
    const vec here = unit(sum(sum(corner, rest[X], along[X]), rest[Y], along[Y]));
    return dot(wind(here), unit(along[s->component]));
}

static void check_winds(world *w)
{
    const hx_part *part = &w->shape.part;
    for (const placement *s = placements; s < placements + WINDS; ++s) {
        for (int j = -WIDE; j < part->n[Y] + s->faces[Y] + WIDE; ++j) {
            for (int i = -WIDE; i < part->n[X] + s->faces[X] + WIDE; ++i) {
                const int out_x = beyond(part->first[X] + i, CELLS + s->faces[X]);
                const int out_y = beyond(part->first[Y] + j, CELLS + s->faces[Y]);
                const double got = *point_of(w, s->field, i, j);
                if (out_x && out_y) {
                    CHECK(isnan(got), "tile %d: a wind came to its corner, (%d, %d)", part->tile, i, j);
                } else if (out_x || out_y) {
                    const double wanted = expected(w, s, i, j);
                    CHECK(fabs(got - wanted) < 0.1, "tile %d, field %d: the wind at (%d, %d) is %g, not %g",
                          part->tile, s->field, i, j, got, wanted);
                }
            }
        }
    }
}

static int ranks;

static int owner(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

/* All tiles cut alike. */
static void try_layout(int px, int py, int rank)
{
    hx_partition tile[TILES];
    world *w = calloc(TILES * MOST, sizeof *w);
    gnomonic_shape *shapes = calloc(TILES * MOST, sizeof *shapes);
    gnomonic_fields *fields = calloc(TILES * MOST, sizeof *fields);
    gnomonic *h = NULL;
    int count = 0;
    check_about("%d x %d blocks a tile", px, py);
    for (int t = 0; t < TILES; ++t) {
        tile[t] = gnomonic_partition(CELLS, CELLS);
        tile[t].ranks[X] = px;
        tile[t].ranks[Y] = py;
        for (int b = 0; b < px * py; ++b) {
            hx_part part;
            CHECK_STATUS(hx_part_of(&tile[t], t, b, &part), HX_OK);
            if (owner(NULL, t, b) == rank) {
                shapes[count++] = gnomonic_shape_dense(&part);
            }
        }
    }
    const hx_blocks blocks = {
        .comm = MPI_COMM_WORLD, .tiles = TILES, .partition = tile, .owner = owner, .count = count};
    if (CHECK_STATUS(gnomonic_create_blocks(&blocks, shapes, NULL, &h), HX_OK)) {
        CHECK_STATUS(gnomonic_alloc(h, fields), HX_OK);
        for (int k = 0; k < count; ++k) {
            w[k] = (world){shapes[k], fields[k]};
            fill(&w[k]);
        }
        CHECK_STATUS(gnomonic_positions(h, fields), HX_OK);
        CHECK_STATUS(gnomonic_winds(h, fields), HX_OK);
        for (int k = 0; k < count; ++k) {
            check_positions(&w[k]);
            check_winds(&w[k]);
        }
        CHECK_STATUS(gnomonic_destroy(h), HX_OK);
    }
    free(w);
    free(shapes);
    free(fields);
}

int main(int argc, char **argv)
{
    int rank = 0;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try_layout(1, 1, rank);
    try_layout(2, 2, rank);
    try_layout(3, 1, rank);
    try_layout(2, 3, rank);
    return check_verdict("positions and winds on the sphere");
}
