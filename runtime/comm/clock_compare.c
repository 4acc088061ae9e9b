#include "comm/clock_compare.h"

#include "base/clock.h"
#include "base/status.h"

enum { ROUNDS = 16 };

/* Of tags that no exchange has; meetings have the one behind it. */
static int tag_of(const hxi_topology *topology)
{
    return topology->last_tag - 2;
}

/* Rank 0's part for one other rank.  Returns MPI's code. */
static int answer(const hxi_topology *topology, int rank)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < ROUNDS && code == MPI_SUCCESS; ++i) {
        double now = 0.0;
        code = MPI_Recv(&now, 1, MPI_DOUBLE, rank, tag_of(topology), topology->comm, MPI_STATUS_IGNORE);
        now = hxi_clock();
        if (code == MPI_SUCCESS) {
            code = MPI_Send(&now, 1, MPI_DOUBLE, rank, tag_of(topology), topology->comm);
        }
    }
    return code;
}

/* The part of the others.  The first answer comes when it is this rank's turn, and so takes longest. */
static int ask(const hxi_topology *topology, hxi_clock_offset *offset)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < ROUNDS && code == MPI_SUCCESS; ++i) {
        double there = 0.0;
        const double before = hxi_clock();
        code = MPI_Send(&before, 1, MPI_DOUBLE, 0, tag_of(topology), topology->comm);
        if (code == MPI_SUCCESS) {
            code = MPI_Recv(&there, 1, MPI_DOUBLE, 0, tag_of(topology), topology->comm, MPI_STATUS_IGNORE);
        }
        const double half = (hxi_clock() - before) / 2.0;
        if (i == 0 || half < offset->uncertain) {
            *offset = (hxi_clock_offset){.ahead = there - (before + half), .uncertain = half};
        }
    }
    return code;
}

/* Ranks that share memory share a clock, but where somebody gave a container another one. */
static void believe_node(const hxi_topology *topology, hxi_clock_offset *offset)
{
    const double off = offset->ahead < 0.0 ? -offset->ahead : offset->ahead;
    if (hxi_topology_node_rank(topology, 0) >= 0 && off <= offset->uncertain) {
        *offset = (hxi_clock_offset){.ahead = 0.0};
    }
}

hx_status hxi_clock_compare(const hxi_topology *topology, hxi_clock_offset *offset)
{
    *offset = (hxi_clock_offset){.ahead = 0.0};
    int code = topology->rank == 0 ? MPI_SUCCESS : ask(topology, offset);
    for (int r = 1; topology->rank == 0 && r < topology->ranks && code == MPI_SUCCESS; ++r) {
        code = answer(topology, r);
    }
    const hx_status status =
        code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Asking rank 0 for the time (MPI_Send, MPI_Recv)");
    believe_node(topology, offset);
    return hxi_topology_agree(topology->comm, status);
}

hx_status hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_line *line)
{
    hxi_clock_offset now;
    const hx_status status = hxi_clock_compare(topology, &now);
    const double passed = hxi_clock() - line->since;
    if (status == HX_OK && passed > 0.0) {
        line->drift = (now.ahead - line->ahead) / passed;
    }
    return status;
}
