#include "nodes.h"

nodes_kind nodes_now;
nodes_fault nodes_fault_now;
int nodes_fault_everywhere;
int nodes_open;

static int world_rank(void)
{
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int nodes_real_first(void)
{
    MPI_Comm node = MPI_COMM_NULL;
    int first = world_rank();
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    return first;
}

int nodes_are_several(void)
{
    int several = nodes_real_first() > 0;
    PMPI_Allreduce(MPI_IN_PLACE, &several, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return several;
}

static int is_last(void)
{
    int ranks = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return world_rank() == ranks - 1;
}

/* Refuses before the call, on all ranks. */
static int refuses(nodes_fault fault)
{
    return nodes_fault_now == fault && nodes_fault_everywhere;
}

/* What the caller is told of a call that was made. */
static int tell(nodes_fault fault, int code)
{
    return nodes_fault_now == fault && is_last() ? MPI_ERR_OTHER : code;
}

static int made(nodes_fault fault, int code, int exists)
{
    nodes_open += code == MPI_SUCCESS && exists;
    return tell(fault, code);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    return refuses(FAULT_DUP) ? MPI_ERR_OTHER : made(FAULT_DUP, PMPI_Comm_dup(comm, copy), 1);
}

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *part)
{
    static const int node[] = {0, 0, 1, 2, 2, 2};
    if (refuses(FAULT_SPLIT_TYPE)) {
        return MPI_ERR_OTHER;
    }
    const int rank = world_rank();
    const int code = nodes_now == NODES_REAL    ? PMPI_Comm_split_type(comm, kind, key, info, part)
                     : nodes_now == NODES_ALONE ? PMPI_Comm_split(comm, rank, key, part)
                                                : PMPI_Comm_split(comm, rank < 6 ? node[rank] : 3, key, part);
    return made(FAULT_SPLIT_TYPE, code, 1);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    if (refuses(FAULT_SPLIT)) {
        return MPI_ERR_OTHER;
    }
    const int code = PMPI_Comm_split(comm, color, key, part);
    return made(FAULT_SPLIT, code, *part != MPI_COMM_NULL);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    nodes_open--;
    return PMPI_Comm_free(comm);
}

int MPI_Allgather(const void *out, int outs, MPI_Datatype out_type, void *in, int ins, MPI_Datatype in_type,
                  MPI_Comm comm)
{
    const int code = PMPI_Allgather(out, outs, out_type, in, ins, in_type, comm);
    return refuses(FAULT_ALLGATHER) ? MPI_ERR_OTHER : tell(FAULT_ALLGATHER, code);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    return refuses(FAULT_SHARED)
               ? MPI_ERR_OTHER
               : made(FAULT_SHARED, PMPI_Win_allocate_shared(size, unit, info, comm, base, win), 1);
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *unit, void *base)
{
    const int code = PMPI_Win_shared_query(win, rank, size, unit, base);
    return refuses(FAULT_QUERY) ? MPI_ERR_OTHER : tell(FAULT_QUERY, code);
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *base)
{
    /* Also MPI gives no memory when it says so. */
    if (refuses(FAULT_ALLOC) || tell(FAULT_ALLOC, MPI_SUCCESS) != MPI_SUCCESS) {
        return MPI_ERR_OTHER;
    }
    const int code = PMPI_Alloc_mem(size, info, base);
    nodes_open += *(void **)base != 0; /* there is nothing to give back of no bytes */
    return code;
}

int MPI_Free_mem(void *base)
{
    nodes_open--;
    return PMPI_Free_mem(base);
}

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return refuses(FAULT_CREATE) ? MPI_ERR_OTHER
                                 : made(FAULT_CREATE, PMPI_Win_create(base, size, unit, info, comm, win), 1);
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return refuses(FAULT_DYNAMIC) ? MPI_ERR_OTHER
                                  : made(FAULT_DYNAMIC, PMPI_Win_create_dynamic(info, comm, win), 1);
}

int MPI_Win_free(MPI_Win *win)
{
    nodes_open--;
    return PMPI_Win_free(win);
}
