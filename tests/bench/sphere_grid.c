#include "sphere.h"

#include <stdlib.h>
#include <string.h>

/* ---- tiles and their sides ---- */

/* In the order of struct beyond: -x, +x, -y, +y. */
static const int across[SIDES][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static beyond beyond_on_sphere(int tile, int side)
{
    static const int even[SIDES] = {-2, 1, -1, 2}; /* to the next tile, modulo 6 */
    static const int odd[SIDES] = {-1, 2, -2, 1};
    const int step = tile % 2 ? odd[side] : even[side];
    return (beyond){(tile + step + MOST_TILES) % MOST_TILES, across[side][0], across[side][1],
                    abs(step) == 2};
}

static beyond beyond_link(const world *w, int tile, int side)
{
    const bool there = tile == 0 && (w->claimed == ALONG_X ? side == 1 : side == 3);
    return (beyond){there ? w->claimed == ALONG_X ? 1 : 2 : -1, across[side][0], across[side][1],
                    w->tiling == TURNED_LINKS};
}

beyond world_beyond(const world *w, int tile, int side)
{
    return w->tiling == SPHERE ? beyond_on_sphere(tile, side) : beyond_link(w, tile, side);
}

void world_follow(const world *w, const beyond *b, int i, int j, int *there_i, int *there_j)
{
    const int along_i = i - b->dx * w->n, along_j = j - b->dy * w->n; /* as if it went straight on */
    *there_i = !b->turned ? along_i : b->dx != 0 ? w->n - 1 - j : along_j;
    *there_j = !b->turned ? along_j : b->dx != 0 ? along_i : w->n - 1 - i;
}

int world_feeding(const beyond *b, int field, int *sign)
{
    if (!b->turned || field > V) {
        *sign = 1;
        return field;
    }
    *sign = (field == U) == (b->dx != 0) ? 1 : -1;
    return field == U ? V : U;
}

/* ---- arrays ---- */

ptrdiff_t world_at(const world *w, int i, int j, int k)
{
    return (i + HALO) * w->x + (j + HALO) * w->y + k * w->k;
}

static size_t points(const world *w)
{
    const size_t width = (size_t)w->n + 2 * HALO;
    return width * width * (size_t)w->levels;
}

world *world_create(tiling how, claimed which, bool level_fastest, int n, int levels)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const ptrdiff_t width = n + 2 * HALO;
    world *w = allocate(sizeof *w);
    *w = (world){.tiling = how, .claimed = which, .level_fastest = level_fastest, .n = n, .levels = levels};
    w->tiles = how == SPHERE ? MOST_TILES : 3;
    w->k = level_fastest ? 1 : width * width;
    w->y = level_fastest ? levels : width;
    w->x = level_fastest ? levels * width : 1;
    for (int t = 0; t < w->tiles; ++t) {
        /* The two ends of a link are on different ranks, if there are two. */
        w->owner[t] = how == SPHERE ? t * ranks / w->tiles : t > 0 && ranks > 1;
        for (int f = 0; f < SPHERE_FIELDS && w->owner[t] == rank; ++f) {
            w->array[t][f] = allocate(points(w) * sizeof(double));
        }
    }
    return w;
}

void world_destroy(world *w)
{
    for (int t = 0; t < w->tiles; ++t) {
        for (int f = 0; f < SPHERE_FIELDS; ++f) {
            free(w->array[t][f]);
        }
    }
    free(w);
}

/* ---- values ---- */

static const double spoiled = -1;

typedef struct spot {
    int tile, field, i, j, k;
} spot;

static double value_of(const world *w, const spot *s, int run)
{
    const int64_t level = ((int64_t)s->tile * SPHERE_FIELDS + s->field) * w->levels + s->k;
    const int64_t number = (level * w->n + s->j) * w->n + s->i;
    return (double)(number * 16 + run + 1);
}

static bool owned(const world *w, int i, int j)
{
    return i >= 0 && i < w->n && j >= 0 && j < w->n;
}

/* What a point has after an exchange. */
static double expected(const world *w, const spot *s, int run)
{
    const int i = s->i, j = s->j;
    if (owned(w, i, j)) {
        return value_of(w, s, run);
    }
    for (int side = 0; side < SIDES; ++side) {
        const beyond b = world_beyond(w, s->tile, side);
        if (b.tile >= 0 && owned(w, i - b.dx * w->n, j - b.dy * w->n)) {
            int there_i, there_j, sign;
            world_follow(w, &b, i, j, &there_i, &there_j);
            const int feeding = world_feeding(&b, s->field, &sign);
            return sign * value_of(w, &(spot){b.tile, feeding, there_i, there_j, s->k}, run);
        }
    }
    return spoiled; /* beyond a corner */
}

/* Writes a point, or tells whether it is wrong. */
static bool visit_point(const world *w, const spot *s, int run, bool write)
{
    double *point = &w->array[s->tile][s->field][world_at(w, s->i, s->j, s->k)];
    if (write) {
        *point = owned(w, s->i, s->j) ? value_of(w, s, run) : spoiled;
        return false;
    }
    return *point != expected(w, s, run);
}

/* All points, as they lie in memory. */
static long visit(const world *w, int run, bool write)
{
    const int width = w->n + 2 * HALO;
    const int outermost = w->level_fastest ? width : w->levels,
              innermost = w->level_fastest ? w->levels : width;
    long wrong = 0;
    for (int t = 0; t < w->tiles; ++t) {
        for (int f = 0; f < SPHERE_FIELDS && w->array[t][f]; ++f) {
            for (int outer = 0; outer < outermost; ++outer) {
                for (int j = -HALO; j < w->n + HALO; ++j) {
                    for (int inner = 0; inner < innermost; ++inner) {
                        const int i = (w->level_fastest ? outer : inner) - HALO;
                        const int k = w->level_fastest ? inner : outer;
                        wrong += visit_point(w, &(spot){t, f, i, j, k}, run, write);
                    }
                }
            }
        }
    }
    return wrong;
}

void world_fill(world *w, int run)
{
    visit(w, run, true);
}

long world_wrong_points(const world *w, int run)
{
    const long wrong = visit(w, run, false);
    long total;
    MPI_Allreduce(&wrong, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* ---- the sweep ---- */

/* In place; a row is finished aside first, so that the loop over it has no dependence. */
static void sweep_row(double *restrict row, double *restrict next, ptrdiff_t n, ptrdiff_t x, ptrdiff_t y)
{
    for (ptrdiff_t i = 0; i < n; ++i) {
        next[i] = row[i] * 0.6 + (row[i - x] + row[i + x] + row[i - y] + row[i + y]) * 0.1;
    }
    memcpy(row, next, (size_t)n * sizeof *row);
}

void world_sweep(void *opaque)
{
    static double next[LARGEST];
    const world *w = opaque;
    const int rows = w->level_fastest ? w->n : w->levels, row = w->level_fastest ? w->levels : w->n;
    for (int t = 0; t < w->tiles; ++t) {
        for (int f = 0; f < SPHERE_FIELDS && w->array[t][f]; ++f) {
            for (int outer = 0; outer < rows; ++outer) {
                for (int j = 0; j < w->n; ++j) {
                    const ptrdiff_t at =
                        w->level_fastest ? world_at(w, outer, j, 0) : world_at(w, 0, j, outer);
                    sweep_row(w->array[t][f] + at, next, row, w->x, w->y);
                }
            }
        }
    }
}
