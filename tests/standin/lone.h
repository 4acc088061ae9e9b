/*
 * MPI for one rank of very many: it exists, and the others do not.  Collective calls end at once, as if all had given what
 * this one gave; messages vanish.  So what a rank plans can be tried for numbers of ranks that no test has.
 */
#ifndef LONE_H
#define LONE_H

#include <mpi.h>

/* From here on MPI_COMM_WORLD has so many ranks, this is one of them, and so many share its node. */
void lone_set(int rank, int ranks, int node_ranks);

/* Calls so far. */
typedef struct lone_calls {
    long collectives; /* of all ranks */
    long node;        /* of those of a node */
    long messages;    /* started, or made to be */
} lone_calls;
lone_calls lone_called(void);

/* Bytes that libhx has, and the most that it had since lone_watch. */
long lone_bytes(void);
long lone_most(void);
void lone_watch(void);

#endif
