/*
 * The stand-in's MPI_Finalize calls nobody back, so nothing can be gathered there.  No rank asks for it:
 * HX_DESCRIBE is not set.
 */
#include "comm/final_gather.h"

#include "base/status.h"

hx_status hxi_final_gather_open(const hxi_topology *topology, hxi_final_gather *gather)
{
    (void)topology;
    (void)gather;
    return hxi_fail(HX_ERR_STATE, "The stand-in for MPI calls nobody in MPI_Finalize.");
}

int hxi_final_gather_process(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
