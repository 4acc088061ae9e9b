/*
 * Measures exchanges on the cubed sphere, and single links, turned ones against others of the same size.
 *
 *   sphere.c          arguments, cases and the table
 *   sphere_grid.c     tiles: whom their sides meet, values of their points, and a sweep that uses them
 *   sphere_index.c    exchanges by index arrays, as one writes them by hand for any grid
 *   sphere_emitted.c  exchanges by emitted code and libhx
 *   measure.c, rounds.c   as for the other benchmark
 */
#ifndef SPHERE_H
#define SPHERE_H

#include "bench.h"

enum { SPHERE_FIELDS = 7, U = 0, V = 1, HALO = 3, MOST_TILES = 6, SIDES = 4 };

/* Six tiles; or tile 0 with tile 1 beyond its side +x and tile 2 beyond +y. */
typedef enum tiling { SPHERE, STRAIGHT_LINKS, TURNED_LINKS } tiling;

/* What is exchanged: the whole halo, or what lies beyond +x or +y of tile 0. */
typedef enum claimed { WHOLE, ALONG_X, ALONG_Y } claimed;

/* The tiles of this rank, n by n cells and so many levels each, and their fields: wind u, v and scalars. */
typedef struct world {
    tiling tiling;
    claimed claimed;
    bool level_fastest; /* in memory; else it is the slowest axis, and x the fastest */
    int n, levels, tiles;
    ptrdiff_t x, y, k;                        /* elements from a point to the next along an axis */
    int owner[MOST_TILES];                    /* ranks */
    double *array[MOST_TILES][SPHERE_FIELDS]; /* their first element; NULL: of another rank */
} world;

/* The tile beyond a side, and how index (i, j) there, counted here, is counted by that tile. */
typedef struct beyond {
    int tile; /* -1: nothing that is exchanged */
    int dx, dy;
    bool turned;
} beyond;

world *world_create(tiling how, claimed which, bool level_fastest, int n, int levels);
void world_destroy(world *w);

/* side: 0 ... SIDES - 1 */
beyond world_beyond(const world *w, int tile, int side);
void world_follow(const world *w, const beyond *b, int i, int j, int *there_i, int *there_j);
/* The field that feeds another beyond a side, and its sign. */
int world_feeding(const beyond *b, int field, int *sign);
/* Of a point: its element in an array. */
ptrdiff_t world_at(const world *w, int i, int j, int k);

/* Gives each owned point a value of its own, different in each run, and spoils the halos. */
void world_fill(world *w, int run);
/* Points anywhere in the arrays without the value that they should have after an exchange; of all ranks. */
long world_wrong_points(const world *w, int run);
/* Averages over all owned points and their neighbors; leaves the caches as a simulation does. */
void world_sweep(void *world);

/* Ways to exchange. */
typedef struct method {
    void *(*create)(world *w);
    void (*exchange)(void *state);
    void (*destroy)(void *state);
} method;

extern const method index_arrays, emitted_plain, emitted_allocated;

#endif
