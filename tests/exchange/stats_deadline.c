/*
 * A rank that stops in hx_stats, when all have come together: the others leave with the deadline.
 *
 *     stats_deadline clocks|telling
 *
 * Rank 1 takes no part where clocks are compared, or where all tell rank 0.  The program is linked with
 * -Wl,--wrap=hxi_clock_compare_again and -Wl,--wrap=hxi_final_gather_now.
 */
#include "check.h"
#include "isle.h"

#include "base/status.h"
#include "comm/clock_compare.h"
#include "comm/final_gather.h"

#include <stdlib.h>
#include <string.h>

static bool stops_in_clocks;
static bool stops_in_telling;

hx_status __real_hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_trips *trips,
                                         double deadline, hxi_clock_line *line);
hx_status __wrap_hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_trips *trips,
                                         double deadline, hxi_clock_line *line);
bool __real_hxi_final_gather_now(hxi_final_gather *gather);
bool __wrap_hxi_final_gather_now(hxi_final_gather *gather);

hx_status __wrap_hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_trips *trips,
                                         double deadline, hxi_clock_line *line)
{
    return stops_in_clocks ? hxi_fail(HX_ERR_DEADLINE, "rank 1 stopped")
                           : __real_hxi_clock_compare_again(topology, trips, deadline, line);
}

bool __wrap_hxi_final_gather_now(hxi_final_gather *gather)
{
    return !stops_in_telling && __real_hxi_final_gather_now(gather);
}

int main(int argc, char **argv)
{
    int rank;
    int ranks;
    hx_partition grid = isle_partition(8, 8);
    hx_part mine;
    isle *halo;
    hx_options options = HX_OPTIONS_INIT;
    setenv("HX_STATS", "1", 1);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    options.deadline = 1.0;
    grid.ranks[ISLE_AXIS_X] = ranks;
    grid.ranks[ISLE_AXIS_Y] = 1;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    const isle_shape shape = isle_shape_dense(&mine);
    CHECK_STATUS(isle_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK);
    CHECK_STATUS(hx_stats(isle_handle(halo), NULL), HX_OK);
    stops_in_clocks = rank == 1 && strcmp(argv[argc - 1], "clocks") == 0;
    stops_in_telling = rank == 1 && strcmp(argv[argc - 1], "telling") == 0;
    CHECK_STATUS(hx_stats(isle_handle(halo), NULL), HX_ERR_DEADLINE);
    CHECK(rank == 1 || strstr(hx_last_error(), "after 1 seconds rank ") != NULL, "%s", hx_last_error());
    CHECK_STATUS(hx_stats(isle_handle(halo), NULL), HX_ERR_DEADLINE); /* which the handle remembers */
    isle_destroy(halo);
    return check_verdict("statistics with a deadline");
}
