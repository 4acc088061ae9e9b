/*
 * How many collective calls of MPI this rank has made.  Counted are those that MPI calls collective, whether they return
 * at once or not, that make a communicator or a window, too; not counted: MPI_Comm_free, MPI_Win_free and files.
 */
#ifndef COUNTED_H
#define COUNTED_H

typedef struct counted {
    long all;  /* on communicators of any ranks, ... */
    long node; /* ... but for those that MPI_Comm_split_type made: of ranks that share memory */
} counted;

counted counted_collectives(void);

#endif
