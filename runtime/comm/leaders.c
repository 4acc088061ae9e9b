/*
 * The part of topology.h about leaders of nodes.
 */
#include "base/status.h"
#include "comm/topology.h"

hx_status hxi_topology_join_leaders(hxi_topology *topology)
{
    const int color = topology->node_rank == 0 ? 0 : MPI_UNDEFINED;
    const int code = MPI_Comm_split(topology->comm, color, topology->rank, &topology->leaders);
    if (topology->leaders != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(topology->leaders, MPI_ERRORS_RETURN);
        MPI_Comm_rank(topology->leaders, &topology->leader);
    }
    hxi_first first = {0};
    hxi_first_note(&first, code == MPI_SUCCESS
                               ? HX_OK
                               : hxi_fail_mpi(code, "Joining the leaders of nodes (MPI_Comm_split)"));
    hxi_first_note(&first, hxi_topology_node_tell(topology, &topology->leader, sizeof topology->leader));
    return hxi_first_tell(&first);
}
