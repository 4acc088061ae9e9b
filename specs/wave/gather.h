/*
 * A field of the whole grid in one place: to compare runs on different numbers of ranks, and to look at it.
 */
#ifndef WAVE_GATHER_H
#define WAVE_GATHER_H

#include "solver.h"

#include <stdint.h>

/* The field (WAVE_P ...) of all ranks on rank 0, x fastest, then y, then z; free() it.  NULL elsewhere.
 * Collective. */
double *gather_field(const solver *s, MPI_Comm comm, int field);

/* The pressure in the lowest cells, x fastest: on rank 0; NULL on others. */
double *gather_floor(const solver *s, MPI_Comm comm);

/*
 * A sum over all fields and cells that depends on every bit and its place, and not on the ranks.  Collective.
 */
uint64_t gather_checksum(const solver *s, MPI_Comm comm);

/* Writes all fields, one after the other, as they lie in memory.  Collective. */
void gather_write(const solver *s, MPI_Comm comm, const char *path);

#endif
