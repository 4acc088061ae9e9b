/*
 * A spec of 70 fields.  Audits note of 64 whether their arrays are others than in the last run; of those behind
 * them they must not say what is true of one 64 numbers before.
 */
#include "check.h"
#include "many.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 4 };

int main(int argc, char **argv)
{
    many_shape shape;
    many_fields f;
    many_fields other;
    many *halo = NULL;
    hx_part mine;
    hx_partition grid = many_partition(CELLS);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    setenv("HX_AUDIT", "1", 1);
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    shape = many_shape_dense(&mine);
    CHECK_STATUS(many_create(MPI_COMM_WORLD, &shape, NULL, &halo), HX_OK);
    CHECK_STATUS(many_alloc(halo, &f), HX_OK);
    CHECK_STATUS(many_alloc(halo, &other), HX_OK);
    for (int i = 0; i < CELLS; ++i) {
        f.f1[many_f1_at(&shape, i)] = 10.0 + i;
        f.f65[many_f65_at(&shape, i)] = 650.0 + i;
    }
    CHECK_STATUS(many_all(halo, &f), HX_OK);
    memcpy(other.f1, f.f1, many_points(&shape, MANY_F1) * sizeof *f.f1);
    f.f1 = other.f1;
    f.f65[many_f65_at(&shape, -1)] = 7.0;
    CHECK_STATUS(many_audit(halo, MANY_ALL, &f), HX_ERR_MISMATCH);
    CHECK(strstr(hx_last_error(), "field f65") != NULL, "%s", hx_last_error());
    CHECK(strstr(hx_last_error(), "this rank has written to the ghost point since") != NULL, "%s",
          hx_last_error());
    CHECK_STATUS(many_destroy(halo), HX_OK);
    return check_verdict("an audit of 70 fields");
}
