/*
 * Partitions of the ranks of a communicator.
 */
#include "base/memory.h"
#include "base/status.h"
#include "comm/arrival.h"
#include "comm/topology.h"
#include "grid/partition.h"

#include <string.h>

hx_status hx_decompose(MPI_Comm comm, const hx_partition *request, hx_part *mine)
{
    int rank = 0;
    int ranks = 0;
    const hx_status status = hxi_topology_place(comm, "hx_decompose", &rank, &ranks);
    return status == HX_OK ? hx_decompose_as(rank, ranks, request, mine) : hxi_part_give(status, NULL, mine);
}

/* The cuts along all axes, one after another in one piece of memory that cuts[0] points to. */
static hx_status make_cuts(int axes, const int parts[], const int *lengths, hx_partition *made)
{
    int total = 0;
    for (int a = 0; a < axes; ++a) {
        total += parts[a] + 1;
    }
    int *cut = hxi_memory_get((size_t)total, sizeof *cut, "the cuts of a partition");
    if (!cut) {
        return HX_ERR_MEMORY;
    }
    made->axes = axes;
    made->cuts[0] = cut;
    for (int a = 0; a < axes; ++a) {
        made->ranks[a] = parts[a];
        made->cuts[a] = cut;
        int64_t cell = 0;
        for (int i = 0; i < parts[a]; ++i) {
            cell += *lengths++;
            *++cut = (int)(cell < HX_MAX_CELLS ? cell : HX_MAX_CELLS);
        }
        made->cells[a] = *cut++;
        if (cell > HX_MAX_CELLS) {
            hx_partition_free(made);
            return hxi_fail(HX_ERR_LIMIT, "The ranks own %lld cells along axis %d; libhx counts up to %d.",
                            (long long)cell, a, (int)HX_MAX_CELLS);
        }
    }
    return HX_OK;
}

static hx_status from_cart(MPI_Comm cart, int rank, hx_status ready, const int n[], hx_part *mine)
{
    hxi_cart place;
    hx_status status = hxi_topology_cart(cart, rank, ready, n, &place);
    if (status != HX_OK) {
        return hxi_part_give(status, NULL, mine);
    }
    hx_partition partition = {0};
    hx_part part = {0};
    status = hxi_part_check_place(mine);
    if (status == HX_OK) {
        status = make_cuts(place.axes, place.parts, place.lengths, &partition);
    }
    if (status == HX_OK) {
        status = hx_part_of(&partition, 0, rank, &part);
    }
    status = hxi_topology_agree(cart, status);
    hxi_memory_free(place.lengths);
    if (status != HX_OK) {
        hx_partition_free(&partition);
    }
    return hxi_part_give(status, &part, mine);
}

hx_status hx_partition_from_cart(MPI_Comm cart, const int n[], hx_part *mine)
{
    int rank = 0;
    int ranks = 0;
    static const char caller[] = "hx_partition_from_cart";
    hx_status status = hxi_topology_place(cart, caller, &rank, &ranks);
    if (status != HX_OK && status != HX_ERR_MPI) { /* an error of MPI may be this rank's alone */
        return hxi_part_give(status, NULL, mine);
    }
    const MPI_Errhandler handler = hxi_topology_quiet(cart, 0);
    hxi_first first = {0};
    double deadline = 0.0;
    hxi_first_note(&first, status);
    status = hxi_arrival_meet(cart, caller, &deadline);
    hxi_first_note(&first, status);
    status = hxi_arrival_failed(status) ? hxi_part_give(status, NULL, mine)
                                        : from_cart(cart, rank, hxi_first_tell(&first), n, mine);
    hxi_topology_restore(cart, handler);
    return status;
}

void hx_partition_free(hx_partition *partition)
{
    if (partition) {
        hxi_memory_free((void *)partition->cuts[0]);
        memset(partition->cuts, 0, sizeof partition->cuts);
    }
}
