/* The program that commands of the documents run. */
#include "channel.h"

#include <stdio.h>
#include <stdlib.h>

static void check(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "%s\n", hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const hx_partition grid = channel_partition(16, 16, 16);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const channel_shape shape = channel_shape_dense(&mine);
    channel *halo;
    channel_fields f;
    check(channel_create(MPI_COMM_WORLD, &shape, NULL, &halo));
    check(channel_alloc(halo, &f));
    check(channel_velocity(halo, &f));
    check(channel_destroy(halo));
    MPI_Finalize();
    return 0;
}
