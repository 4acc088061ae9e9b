/*
 * Integers without a sign that travel in two bytes, and come back from across a fold with the other sign: 300 fits in two
 * bytes, and what arrives, 2^32 - 300, does not.
 */
#include "check.h"
#include "folded.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_X = 8, CELLS_Y = 4, MINE_X = 4 };

int main(int argc, char **argv)
{
    int rank;
    hx_partition grid = folded_partition(CELLS_X, CELLS_Y);
    hx_part mine;
    folded *halo;
    folded_fields f;
    setenv("HX_AUDIT", "1", 1);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    grid.ranks[0] = 2;
    grid.ranks[1] = 1;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    const folded_shape shape = folded_shape_dense(&mine);
    CHECK_STATUS(folded_create(MPI_COMM_WORLD, &shape, NULL, &halo), HX_OK);
    CHECK_STATUS(folded_alloc(halo, &f), HX_OK);
    for (int j = 0; j < CELLS_Y; ++j) {
        for (int i = 0; i < MINE_X; ++i) {
            f.east[folded_east_at(&shape, i, j)] = 300 + 10 * (uint32_t)(mine.first[0] + i) + (uint32_t)j;
            f.north[folded_north_at(&shape, i, j)] = 0;
        }
    }
    CHECK_STATUS(folded_drifts(halo, &f), HX_OK);
    CHECK_STATUS(folded_audit(halo, FOLDED_DRIFTS, &f), HX_OK);
    /* North of (1, 3) lies (6, 3), which rank 1 has at (2, 3): 363. */
    uint32_t *ghost = &f.east[folded_east_at(&shape, 1, CELLS_Y)];
    CHECK(rank != 0 || *ghost == UINT32_MAX - 362, "%lu", (unsigned long)*ghost);
    *ghost = rank == 0 ? 363 : *ghost;
    CHECK_STATUS(folded_audit(halo, FOLDED_DRIFTS, &f), HX_ERR_MISMATCH);
    CHECK(strstr(hx_last_error(),
                 "is 363 at ghost point (1, 4) of block 0 and must be 4294966933, as rank 1 has it") != NULL,
          "%s", hx_last_error());
    CHECK_STATUS(folded_destroy(halo), HX_OK);
    return check_verdict("audit of opposites");
}
