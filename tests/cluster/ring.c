#include "ring.h"

#include <stdio.h>
#include <stdlib.h>

void ring_need(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "%s: %s\n", hx_status_name(status), hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double *allocate(const duo_shape *shape, int field)
{
    double *array = calloc(duo_points(shape, field), sizeof *array);
    if (!array) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return array;
}

ring ring_make(int *argc, char ***argv, int cells)
{
    ring r = {0};
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    hx_partition grid = duo_partition(cells, cells, cells * r.ranks);
    grid.ranks[0] = grid.ranks[1] = 1;
    hx_part mine;
    ring_need(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const duo_shape shape = duo_shape_dense(&mine);
    r.fields.u = allocate(&shape, DUO_U);
    r.fields.v = allocate(&shape, DUO_V);
    ring_need(duo_create(MPI_COMM_WORLD, &shape, NULL, &r.halo));
    return r;
}
