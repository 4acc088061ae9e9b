/*
 * Tests of windows: a machine that looks like several nodes, calls of MPI that fail, and a count of what MPI
 * was asked for and was not given back.
 */
#ifndef WINDOW_NODES_H
#define WINDOW_NODES_H

#include <mpi.h>

/* How MPI_Comm_split_type divides the ranks: as they are; 0 1 | 2 | 3 4 5 | 6 ...; each alone. */
typedef enum nodes_kind { NODES_REAL, NODES_UNEVEN, NODES_ALONE, NODES_KINDS } nodes_kind;
extern nodes_kind nodes_now;

/* The call of MPI that fails, on the last rank: after it was made, or on all ranks instead of being made. */
typedef enum nodes_fault {
    FAULT_NONE,
    FAULT_DUP,
    FAULT_SPLIT_TYPE,
    FAULT_SPLIT,
    FAULT_SHARED,
    FAULT_QUERY,
    FAULT_ALLGATHER,
    FAULT_ALLOC,
    FAULT_CREATE,
    FAULT_DYNAMIC,
    FAULTS
} nodes_fault;
extern nodes_fault nodes_fault_now;
extern int nodes_fault_everywhere;

/* The first rank of this rank's real node, and whether there are several of them.  Collective. */
int nodes_real_first(void);
int nodes_are_several(void);

/* Communicators, windows and memory of MPI that exist on this rank. */
extern int nodes_open;

#endif
