/* Gives every cell a number of its own, exchanges, and looks at the whole halo. */
#include "heat.h"

#include <hx/abi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 12, NY = 10 };

static void check(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "heat: %s: %s\n", hx_status_name(status), hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

/* What belongs at (i, j), counted in the block, inside it or not. */
static double number_at(const hx_part *part, int i, int j)
{
    return (part->first[0] + i + NX) % NX + NX * ((part->first[1] + j + NY) % NY);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const hx_partition grid = heat_partition(NX, NY);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const heat_shape shape = heat_shape_dense(&mine);
    const int nx = mine.n[0], ny = mine.n[1];
    const int layers = (int)(heat_t_at(&shape, 0, 0) % shape.stride[HEAT_T][1]);

    heat_fields fields = {.t = malloc(heat_points(&shape, HEAT_T) * sizeof *fields.t)};
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            fields.t[heat_t_at(&shape, i, j)] = number_at(&mine, i, j);
        }
    }
    heat *halo;
    check(heat_create(MPI_COMM_WORLD, &shape, NULL, &halo));
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2 == 1) { /* by number, as frameworks do */
        check(hx_start(heat_handle(halo), HEAT_TEMPERATURE, &fields));
        check(hx_finish(heat_handle(halo), HEAT_TEMPERATURE));
    } else {
        check(heat_temperature(halo, &fields));
    }

    int wrong = 0, all_wrong = 0;
    for (int j = -layers; j < ny + layers; ++j) {
        for (int i = -layers; i < nx + layers; ++i) {
            wrong += fields.t[heat_t_at(&shape, i, j)] != number_at(&mine, i, j);
        }
    }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d layers, %d points wrong\n", layers, all_wrong);
    }
    check(heat_destroy(halo));
    free(fields.t);
    MPI_Finalize();
    return all_wrong > 0;
}
