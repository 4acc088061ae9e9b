/*
 * The mesh: cells of water, at places that lie as irregularly as one likes, each beside up to eight others.
 * The program makes it up; a code of yours has it from a file.
 */
#ifndef LAKES_MESH_H
#define LAKES_MESH_H

#include <stdint.h>

enum { BESIDE = 8 };

/* All water, as every rank could read it. */
typedef struct water {
    int nx, ny;
    int cells;
    int *cell_at;  /* by place in the rectangle: its number, -1 on land */
    int *place_of; /* and back */
} water;

void water_make(water *w, int nx, int ny);
void water_free(water *w);

/* Cells of one rank: those it owns, which are one range of numbers, and behind them all others that lie
 * beside them. */
typedef struct mesh {
    int owned;
    int points; /* with those of the halo */
    int64_t *id;
    int (*beside)[BESIDE]; /* of each owned cell: points, -1 where there is land */
    double (*weight)[BESIDE];
} mesh;

void mesh_make(mesh *m, const water *w, int rank, int ranks);
void mesh_free(mesh *m);

#endif
