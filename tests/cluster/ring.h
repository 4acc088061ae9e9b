/*
 * A handle of duo.lua: one block a rank, in a ring along z.
 */
#ifndef RING_H
#define RING_H

#include "duo.h"

typedef struct ring {
    int rank;
    int ranks;
    duo *halo;
    duo_fields fields;
} ring;

/* Starts MPI, and makes a handle for blocks of so many cells along each axis; options come from the
 * environment. What fails ends the job. */
ring ring_make(int *argc, char ***argv, int cells);

/* Ends the job, in words, if a call failed. */
void ring_need(hx_status status);

#endif
