/*
 * The part of topology.h about nodes: ranks that share memory, and processors.
 */
#include "base/hash.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/status.h"
#include "comm/topology.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

hx_status hxi_topology_find_node(MPI_Comm comm, hxi_topology *topology)
{
    const int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &topology->node);
    hxi_first first = {0};
    if (code != MPI_SUCCESS || topology->node == MPI_COMM_NULL) {
        hxi_first_note(&first, hxi_fail_mpi(code, "Finding the ranks of this machine (MPI_Comm_split_type)"));
    }
    if (topology->node == MPI_COMM_NULL) {
        return hxi_first_tell(&first);
    }
    MPI_Comm_set_errhandler(topology->node, MPI_ERRORS_RETURN);
    MPI_Comm_rank(topology->node, &topology->node_rank);
    MPI_Comm_size(topology->node, &topology->node_ranks);
    topology->one_machine = topology->node_ranks == topology->ranks;
    topology->member =
        hxi_memory_get((size_t)topology->node_ranks, sizeof *topology->member, "the ranks of this machine");
    hxi_first_note(&first, topology->member ? HX_OK : HX_ERR_MEMORY);
    return hxi_first_tell(&first);
}

hx_status hxi_topology_meet_node(hxi_topology *topology)
{
    hxi_first first = {0};
    int code = MPI_Allgather(&topology->rank, 1, MPI_INT, topology->member, 1, MPI_INT, topology->node);
    if (code != MPI_SUCCESS) {
        hxi_first_note(&first, hxi_fail_mpi(code, "Finding the ranks of this machine (MPI_Allgather)"));
    }
    const hxi_processors mine = hxi_processors_mine();
    hxi_processors all = mine;
    code = MPI_Allreduce(&mine, &all, (int)sizeof all, MPI_BYTE, MPI_BOR, topology->node);
    if (code != MPI_SUCCESS) {
        hxi_first_note(&first, hxi_fail_mpi(code, "Counting the processors of this machine (MPI_Allreduce)"));
    }
    topology->processors = hxi_processors_count(&all);
    topology->crowded = topology->node_ranks > topology->processors;
    return hxi_first_tell(&first);
}

hx_status hxi_topology_survey(hxi_topology *topology)
{
    const hx_status found = hxi_topology_find_node(topology->comm, topology);
    if (topology->node == MPI_COMM_NULL) {
        return found;
    }
    const hx_status agreed = hxi_topology_node_agree(topology, found);
    return agreed == HX_OK ? hxi_topology_meet_node(topology) : agreed;
}

int hxi_topology_node_rank(const hxi_topology *topology, int rank)
{
    int low = 0;
    int high = topology->node_ranks;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (topology->member[middle] < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < topology->node_ranks && topology->member[low] == rank ? low : -1;
}

hx_status hxi_topology_node_gather(const hxi_topology *topology, uint64_t mine, uint64_t *all)
{
    const int code = MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, topology->node);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Asking the ranks of a node (MPI_Allgather)");
}

hx_status hxi_topology_node_alike(const hxi_topology *topology, uint64_t mine, bool *alike)
{
    enum { LARGEST, SMALLEST, WORDS };
    const int64_t word = (int64_t)(mine >> 1);
    const int64_t told[WORDS] = {word, -word};
    int64_t most[WORDS] = {0, 0};
    const int code = MPI_Allreduce(told, most, WORDS, MPI_INT64_T, MPI_MAX, topology->node);
    *alike = code == MPI_SUCCESS && most[LARGEST] != 0 && most[LARGEST] == -most[SMALLEST];
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Asking the ranks of a node (MPI_Allreduce)");
}

hx_status hxi_topology_node_sum(const hxi_topology *topology, uint64_t mine, uint64_t *sum)
{
    const uint64_t most = UINT64_MAX / (uint64_t)topology->node_ranks;
    mine = mine < most ? mine : most;
    const int code = MPI_Allreduce(&mine, sum, 1, MPI_UINT64_T, MPI_SUM, topology->node);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Adding up what a node needs (MPI_Allreduce)");
}

enum { NAME = 128 };

/* The first words of what MPI says of its version, and a fingerprint of it all. */
static const char *name_mpi(char name[NAME])
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(mpi, &length);
    uint64_t fingerprint = HX_HASH_SEED;
    for (int i = 0; i < length; ++i) {
        fingerprint = hxi_hash(fingerprint, mpi[i]);
        mpi[i] = mpi[i] == '\t' ? ' ' : mpi[i];
    }
    const int words = (int)strcspn(mpi, ",\n");
    snprintf(name, NAME, "%.*s (%016llx)", words < NAME / 2 ? words : NAME / 2, mpi,
             (unsigned long long)fingerprint);
    return name;
}

static const char *name_host(char name[NAME])
{
    name[0] = '\0';
    gethostname(name, NAME - 1);
    name[NAME - 1] = '\0';
    return name;
}

void hxi_topology_name(const hxi_topology *topology, char *text, size_t size)
{
    char host[NAME];
    char mpi[NAME];
    const hxi_processors mine = hxi_processors_mine();
    snprintf(text, size, "%d of %d rank%s on %s, which has %d processor%s for the first, %s",
             topology->node_ranks, topology->ranks, topology->ranks == 1 ? "" : "s", name_host(host),
             hxi_processors_count(&mine), hxi_processors_count(&mine) == 1 ? "" : "s", name_mpi(mpi));
}

hx_status hxi_topology_node_agree(const hxi_topology *topology, hx_status status)
{
    return hxi_topology_agree(topology->node, hxi_topology_sign(topology->rank, topology->ranks, status));
}

hx_status hxi_topology_node_tell(const hxi_topology *topology, void *data, size_t bytes)
{
    const int code = MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, topology->node);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling the ranks of a node (MPI_Bcast)");
}
