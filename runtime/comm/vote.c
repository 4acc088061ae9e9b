#include "comm/vote.h"

#include "base/status.h"

static const char not_agreed[] = "Agreeing on what ranks have found failed";

hx_status hxi_vote_start(hxi_vote *vote, MPI_Comm comm)
{
    const int code = MPI_Iallreduce(vote->mine, vote->most, 2, MPI_INT64_T, MPI_MAX, comm, &vote->request);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_agreed);
}

hx_status hxi_vote_tell(hxi_vote *vote, MPI_Comm comm, int rank)
{
    const int code = MPI_Ibcast(&vote->told, (int)sizeof vote->told, MPI_BYTE, rank, comm, &vote->request);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_agreed);
}

hx_status hxi_vote_test(hxi_vote *vote, bool *done)
{
    int flag = 0;
    const int code = MPI_Test(&vote->request, &flag, MPI_STATUS_IGNORE);
    *done = flag != 0;
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_agreed);
}
