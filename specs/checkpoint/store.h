/*
 * Checkpoints of any spec whose fields are doubles, by number: nothing in here knows the heat.
 */
#ifndef CHECKPOINT_STORE_H
#define CHECKPOINT_STORE_H

#include <hx/files.h>

typedef struct store {
    MPI_Comm comm;
    hx_handle *handle;
    int blocks;    /* of this rank */
    void **fields; /* for each block a pointer for each field of the spec */
} store;

/* All fields, to one file or from it.  Collective.  Ends the program where that fails. */
typedef void store_move(const store *s, const char *path);
store_move mpi_io_write, mpi_io_read;
store_move netcdf_write, netcdf_read;

#endif
