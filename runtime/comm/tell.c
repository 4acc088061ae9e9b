#include "comm/tell.h"

#include "base/memory.h"
#include "base/status.h"
#include "comm/topology.h"

static const char purpose[] = "what ranks tell each other";

void hxi_tell_begins(const int count[], int first[], int ranks)
{
    int all = 0;
    for (int r = 0; r < ranks; ++r) {
        first[r] = all;
        all += count[r];
    }
}

/* Collective: a call that failed on one rank failed on all. */
static hx_status agree_on(MPI_Comm comm, int code)
{
    return hxi_topology_agree(
        comm, code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling who has which block failed"));
}

hx_status hxi_tell_owners(MPI_Comm comm, const int *mine, int count, int *owner, int blocks)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    int *counts = hxi_memory_get((size_t)ranks + 1, sizeof *counts, purpose);
    int *first = hxi_memory_get((size_t)ranks + 1, sizeof *first, purpose);
    int *all = hxi_memory_get((size_t)blocks + 1, sizeof *all, purpose);
    hx_status status = hxi_topology_agree(comm, counts && first && all ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        status = agree_on(comm, MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, comm));
    }
    if (status == HX_OK) {
        hxi_tell_begins(counts, first, ranks);
        status = agree_on(comm, MPI_Allgatherv(mine, count, MPI_INT, all, counts, first, MPI_INT, comm));
    }
    for (int r = 0; r < ranks && status == HX_OK; ++r) {
        for (int i = 0; i < counts[r]; ++i) {
            owner[all[first[r] + i]] = r;
        }
    }
    hxi_memory_free(counts);
    hxi_memory_free(first);
    hxi_memory_free(all);
    return status;
}

/* Collective: a call that failed on one rank failed on all. */
static hx_status agree_on_lists(MPI_Comm comm, int code)
{
    return hxi_topology_agree(
        comm, code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling what each rank asks for failed"));
}

hx_status hxi_tell_each(MPI_Comm comm, const int mine[], int count, int all[])
{
    return agree_on_lists(comm, MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, comm));
}

hx_status hxi_tell_lists(MPI_Comm comm, int all[], const int counts[], const int first[])
{
    return agree_on_lists(
        comm, MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, first, MPI_INT, comm));
}

hx_status hxi_tell_first(MPI_Comm comm, const double mine[], int count, double all[], const int counts[],
                         const int first[])
{
    const int code = MPI_Gatherv(mine, count, MPI_DOUBLE, all, counts, first, MPI_DOUBLE, 0, comm);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling rank 0 (MPI_Gatherv)");
}
