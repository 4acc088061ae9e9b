#include "mesh.h"

#include "../common/check.h"

#include <math.h>
#include <stdlib.h>

static const int step[BESIDE][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};

/* ---- all water ---- */

static int is_water(const water *w, int place)
{
    const double x = (place % w->nx + 0.5) / w->nx, y = ((double)place / w->nx + 0.5) / w->ny;
    return sin(13.0 * x + 3.0 * y) * sin(11.0 * y - 4.0 * x) + 0.5 * sin(29.0 * x * y) > -0.1;
}

/* Digits of x and y in turn: cells of near numbers lie near each other, and so do those of one rank. */
static uint64_t along_curve(int x, int y)
{
    uint64_t at = 0;
    for (int bit = 0; bit < 20; ++bit) {
        at |= (uint64_t)(x >> bit & 1) << 2 * bit | (uint64_t)(y >> bit & 1) << (2 * bit + 1);
    }
    return at;
}

typedef struct numbered {
    uint64_t at;
    int place;
} numbered;

static int compare(const void *left, const void *right)
{
    const numbered *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

void water_make(water *w, int nx, int ny)
{
    const size_t places = (size_t)nx * (size_t)ny;
    *w = (water){nx, ny, 0, allocate(places, sizeof(int)), allocate(places, sizeof(int))};
    numbered *wet = allocate(places, sizeof *wet);
    for (int place = 0; place < nx * ny; ++place) {
        w->cell_at[place] = -1;
        if (is_water(w, place)) {
            wet[w->cells++] = (numbered){along_curve(place % nx, place / nx), place};
        }
    }
    qsort(wet, (size_t)w->cells, sizeof *wet, compare);
    for (int cell = 0; cell < w->cells; ++cell) {
        w->place_of[cell] = wet[cell].place;
        w->cell_at[wet[cell].place] = cell;
    }
    free(wet);
}

void water_free(water *w)
{
    free(w->cell_at);
    free(w->place_of);
}

/* The cell beside another one, -1: land, or the end of the rectangle. */
static int cell_beside(const water *w, int cell, int direction)
{
    const int x = w->place_of[cell] % w->nx + step[direction][0];
    const int y = w->place_of[cell] / w->nx + step[direction][1];
    return x >= 0 && x < w->nx && y >= 0 && y < w->ny ? w->cell_at[y * w->nx + x] : -1;
}

/* Between 0 and 1, and anything there. */
static double scattered(int cell)
{
    uint64_t bits = ((uint64_t)cell + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (double)(bits >> 11) * 0x1p-53;
}

/* How much goes from one to the other: the same seen from both. */
static double weight_between(int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    return 0.02 + 0.08 * scattered(low) * scattered(high);
}

/* ---- one rank's ---- */

static int compare_ids(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Numbers of others beside owned ones, behind these: rising, each once. */
static void find_halo(mesh *m, const water *w)
{
    int64_t *halo = m->id + m->owned;
    size_t found = 0;
    for (int p = 0; p < m->owned; ++p) {
        for (int d = 0; d < BESIDE; ++d) {
            const int other = cell_beside(w, (int)m->id[p], d);
            if (other >= 0 && (other < m->id[0] || other > m->id[m->owned - 1])) {
                halo[found++] = other;
            }
        }
    }
    qsort(halo, found, sizeof *halo, compare_ids);
    m->points = m->owned;
    for (size_t i = 0; i < found; ++i) {
        if (i == 0 || halo[i] != halo[i - 1]) {
            m->id[m->points++] = halo[i];
        }
    }
}

static int point_of(const mesh *m, int64_t id)
{
    const int64_t *halo = m->id + m->owned;
    if (id >= m->id[0] && id < m->id[0] + m->owned) {
        return (int)(id - m->id[0]);
    }
    const int64_t *found = bsearch(&id, halo, (size_t)(m->points - m->owned), sizeof *halo, compare_ids);
    return (int)(found - m->id);
}

void mesh_make(mesh *m, const water *w, int rank, int ranks)
{
    const int first = (int)((int64_t)w->cells * rank / ranks);
    const int end = (int)((int64_t)w->cells * (rank + 1) / ranks);
    *m = (mesh){.owned = end - first};
    m->id = allocate((size_t)m->owned * (BESIDE + 1) + 1, sizeof *m->id);
    m->beside = allocate((size_t)m->owned + 1, sizeof *m->beside);
    m->weight = allocate((size_t)m->owned + 1, sizeof *m->weight);
    for (int p = 0; p < m->owned; ++p) {
        m->id[p] = first + p;
    }
    find_halo(m, w);
    for (int p = 0; p < m->owned; ++p) {
        for (int d = 0; d < BESIDE; ++d) {
            const int other = cell_beside(w, first + p, d);
            m->beside[p][d] = other < 0 ? -1 : point_of(m, other);
            m->weight[p][d] = other < 0 ? 0.0 : weight_between(first + p, other);
        }
    }
}

void mesh_free(mesh *m)
{
    free(m->id);
    free(m->beside);
    free(m->weight);
}
