/*
 * A rank that stops in hx_stats, when all have come together: the others leave with the deadline.
 *
 *     stats_deadline clocks|telling
 *
 * Rank 1 takes no part where clocks are compared, or where all tell rank 0.  Then MPI_Finalize does not wait again for what
 * was left, and rank 0 does not tell it twice.  The program is linked with -Wl,--wrap=hxi_clock_compare_again,
 * -Wl,--wrap=hxi_final_gather_now and -Wl,--wrap=hxi_table_write.
 */
#include "check.h"
#include "isle.h"

#include "base/status.h"
#include "comm/clock_compare.h"
#include "comm/final_gather.h"
#include "observe/stats_table.h"

#include <stdio.h>
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

/* A table is measured first, and then written. */
static int tables;

void __real_hxi_table_write(const hxi_report *report, hxi_text *text);
void __wrap_hxi_table_write(const hxi_report *report, hxi_text *text);

void __wrap_hxi_table_write(const hxi_report *report, hxi_text *text)
{
    tables += text->at != NULL;
    __real_hxi_table_write(report, text);
}

/* libhx calls this one, for nothing else: whoever waits for what others tell looks for messages. */
static int looks;

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *there, MPI_Message *message, MPI_Status *status)
{
    looks++;
    return PMPI_Improbe(source, tag, comm, there, message, status);
}

/* Behind MPI_Finalize: 0 or 1, as main returns. */
static int look_at_the_end(int rank, bool left)
{
    const int tables_wanted =
        rank == 0 ? 2 : 0; /* of the first call; then of the one that was left, or MPI_Finalize */
    const bool right = tables == tables_wanted && (!left || looks == 0);
    if (!right) {
        printf("rank %d: %d tables in place of %d; %d looks for messages in MPI_Finalize\n", rank, tables,
               tables_wanted, looks);
    }
    return !right;
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
    const bool left = strcmp(argv[argc - 1], "telling") == 0;
    looks = 0;
    const int verdict = check_verdict("statistics with a deadline");
    return verdict != 0 ? verdict : look_at_the_end(rank, left);
}
