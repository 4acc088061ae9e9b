/*
 * Grids for tests of points that several blocks own: cut into blocks as a seed says, which ranks own in any
 * order; the same on all ranks.  What they are is told by the names of specs (walls, rings, fold, star,
 * cone, sphere, corners), and where the points of a field lie by the name of the field:
 *
 *     n            on all faces
 *     q m          on both faces along x and y
 *     k            on both faces along z
 *     p            at the centers
 *     a b c d e    components of vectors, 1 along x and 2 along y: a at the centers, b on both faces along
 * both axes, c along the axis of the component, d along the other one, e along the former and z
 */
#ifndef SHARED_GRID_H
#define SHARED_GRID_H

#include <hx/abi.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    GRID_TILES = 8,
    GRID_PARTS = 3, /* along an axis of a tile */
    DEEPEST = 3     /* halo whose corners are filled */
};

enum { X, Y };

typedef struct grid {
    const hx_spec *spec;
    uint64_t seed;
    int rank, ranks;
    int axis[3]; /* of x, y and z; -1: there is none */
    hx_partition partition[GRID_TILES];
    int cuts[GRID_TILES][HX_MAX_AXES][GRID_PARTS + 1];
    bool one_block; /* a tile */
    bool alike;     /* all blocks of a tile hold the same: then no partition may change a mean */
} grid;

/* Of the ranks of MPI_COMM_WORLD. */
void grid_make(grid *g, const hx_spec *spec, uint64_t seed);

/* Is that in the name of the spec? */
bool grid_is(const grid *g, const char *what);

/* As in hx_blocks; the context is the grid. */
int grid_owner(void *context, int tile, int block);

/* Blocks of a tile, one of them, and the number of one. */
int grid_blocks(const grid *g, int tile);
hx_part grid_part(const grid *g, int tile, int block);
int grid_number(const hx_part *part);

/* Does a field have points on both faces of a block along an axis? */
bool grid_has_faces(const grid *g, int field, int axis);

/* Of a field's vector; the field itself if it is in none. */
int grid_other_component(const hx_spec *spec, int field);

/* A number out of two. */
uint64_t grid_mix(uint64_t h, uint64_t v);

#endif
