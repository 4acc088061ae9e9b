/*
 * One start and one finish of an exchange: prints each function that they enter, for way.sh to name its file.
 *
 * usage: way TRANSPORT
 *
 * Compiled, like libhx, with -finstrument-functions, so that each function tells here when it begins and ends.  Rank 0
 * prints a line "start|finish DEPTH ADDRESS" for each, with the address as addr2line takes it.
 */
#include "channel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 32, WARM_UP = 4, MOST = 10000 };

static const char *call; /* that is traced; NULL: none */
static int depth;
static struct {
    const char *call;
    int depth;
    uintptr_t address;
} entered[MOST];
static int entries;

extern const char __executable_start; /* of the linker */

#define UNTRACED __attribute__((no_instrument_function))

UNTRACED void __cyg_profile_func_enter(void *function, void *caller);
UNTRACED void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (call && entries < MOST) {
        entered[entries].call = call;
        entered[entries].depth = depth++;
        entered[entries++].address = (uintptr_t)function - (uintptr_t)&__executable_start;
    }
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function;
    (void)caller;
    depth -= call != NULL;
}

UNTRACED static void check(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "%s\n", hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

/* The rank that is traced finds its peer ready, and all messages there: so it goes the same way in each run. */
UNTRACED static void exchange(channel *halo, const channel_fields *fields, int rank, int traced)
{
    for (int turn = 1; turn >= 0; --turn) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn == rank) {
            call = traced ? "start" : NULL;
            check(channel_velocity_start(halo, fields));
            call = NULL;
        }
    }
    for (int turn = 1; turn >= 0; --turn) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn == rank) {
            call = traced ? "finish" : NULL;
            check(channel_velocity_finish(halo));
            call = NULL;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

UNTRACED int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const hx_partition grid = channel_partition(CELLS, CELLS, CELLS);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = argc > 1 ? argv[1] : NULL;
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const channel_shape shape = channel_shape_dense(&mine);
    channel *halo;
    channel_fields fields;
    check(channel_create(MPI_COMM_WORLD, &shape, &options, &halo));
    check(channel_alloc(halo, &fields));
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= WARM_UP; ++i) {
        exchange(halo, &fields, rank, i == WARM_UP);
    }
    for (int i = 0; i < entries && rank == 0; ++i) {
        printf("%s %d %" PRIxPTR "\n", entered[i].call, entered[i].depth, entered[i].address);
    }
    check(channel_destroy(halo));
    MPI_Finalize();
    return EXIT_SUCCESS;
}
