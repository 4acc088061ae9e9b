/*
 * The linker finds these before MPI's own, which have a second name.
 */
#include "counted.h"

#include <mpi.h>
#include <stdbool.h>

static counted so_far;

enum { NODES = 64 };
static MPI_Comm node[NODES];
static int nodes;

counted counted_collectives(void)
{
    return so_far;
}

static int find(MPI_Comm comm)
{
    int i = 0;
    while (i < nodes && node[i] != comm) {
        ++i;
    }
    return i;
}

static void count(MPI_Comm comm)
{
    if (find(comm) < nodes) {
        so_far.node++;
    } else {
        so_far.all++;
    }
}

/* A number may be given to another communicator afterwards. */
int MPI_Comm_free(MPI_Comm *comm)
{
    const int found = find(*comm);
    if (found < nodes) {
        node[found] = node[--nodes];
    }
    return PMPI_Comm_free(comm);
}

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *part)
{
    count(comm);
    const int code = PMPI_Comm_split_type(comm, kind, key, info, part);
    if (code == MPI_SUCCESS && *part != MPI_COMM_NULL && nodes < NODES) {
        node[nodes++] = *part;
    }
    return code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    count(comm);
    const bool is_node = find(comm) < nodes;
    const int code = PMPI_Comm_dup(comm, copy);
    if (code == MPI_SUCCESS && is_node && nodes < NODES) {
        node[nodes++] = *copy;
    }
    return code;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    count(comm);
    return PMPI_Comm_split(comm, color, key, part);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int ins, const int from[], const int in_weight[], int outs,
                                   const int to[], const int out_weight[], MPI_Info info, int reorder,
                                   MPI_Comm *graph)
{
    count(comm);
    return PMPI_Dist_graph_create_adjacent(comm, ins, from, in_weight, outs, to, out_weight, info, reorder,
                                           graph);
}

int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    count(comm);
    return PMPI_Win_allocate_shared(bytes, unit, info, comm, base, win);
}

int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    count(comm);
    return PMPI_Win_allocate(bytes, unit, info, comm, base, win);
}

int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    count(comm);
    return PMPI_Win_create(base, bytes, unit, info, comm, win);
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    count(comm);
    return PMPI_Win_create_dynamic(info, comm, win);
}

int MPI_Barrier(MPI_Comm comm)
{
    count(comm);
    return PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    count(comm);
    return PMPI_Ibarrier(comm, request);
}

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    count(comm);
    return PMPI_Bcast(buffer, n, type, root, comm);
}

int MPI_Allreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(comm);
    return PMPI_Allreduce(mine, all, n, type, op, comm);
}

int MPI_Iallreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    count(comm);
    return PMPI_Iallreduce(mine, all, n, type, op, comm, request);
}

int MPI_Allgather(const void *mine, int n, MPI_Datatype type, void *all, int m, MPI_Datatype there,
                  MPI_Comm comm)
{
    count(comm);
    return PMPI_Allgather(mine, n, type, all, m, there, comm);
}

int MPI_Allgatherv(const void *mine, int n, MPI_Datatype type, void *all, const int m[], const int at[],
                   MPI_Datatype there, MPI_Comm comm)
{
    count(comm);
    return PMPI_Allgatherv(mine, n, type, all, m, at, there, comm);
}

int MPI_Gatherv(const void *mine, int n, MPI_Datatype type, void *all, const int m[], const int at[],
                MPI_Datatype there, int root, MPI_Comm comm)
{
    count(comm);
    return PMPI_Gatherv(mine, n, type, all, m, at, there, root, comm);
}

int MPI_Alltoall(const void *mine, int n, MPI_Datatype type, void *all, int m, MPI_Datatype there,
                 MPI_Comm comm)
{
    count(comm);
    return PMPI_Alltoall(mine, n, type, all, m, there, comm);
}

int MPI_Alltoallv(const void *mine, const int n[], const int from[], MPI_Datatype type, void *all,
                  const int m[], const int to[], MPI_Datatype there, MPI_Comm comm)
{
    count(comm);
    return PMPI_Alltoallv(mine, n, from, type, all, m, to, there, comm);
}
