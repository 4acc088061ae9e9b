/*
 * Blocks that disagree about a shared point: an audit names it with what each block has.
 */
#include "shared.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 4, MINE = 2, BLOCKS = 4 };

/* A program of four ranks, two by two; along x the grid is a ring. */
typedef struct program {
    shared_shape shape;
    shared *halo;
    shared_fields f;
    int rank;
} program;

static double *force_at(const program *p, int i, int j)
{
    return &p->f.force[shared_force_at(&p->shape, i, j)];
}

static int32_t *flux_at(const program *p, int i, int j, int c)
{
    return &p->f.flux[shared_flux_at(&p->shape, i, j, c)];
}

static program begin(void)
{
    program p;
    hx_partition grid = shared_partition(CELLS, CELLS);
    hx_part mine;
    setenv("HX_AUDIT", "1", 1);
    grid.ranks[0] = 2;
    grid.ranks[1] = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    p.shape = shared_shape_dense(&mine);
    CHECK_STATUS(shared_create(MPI_COMM_WORLD, &p.shape, NULL, &p.halo), HX_OK);
    CHECK_STATUS(shared_alloc(p.halo, &p.f), HX_OK);
    for (int j = 0; j <= MINE; ++j) {
        for (int i = 0; i <= MINE; ++i) {
            *force_at(&p, i, j) = 1.0 + p.rank;
            if (j < MINE) {
                *flux_at(&p, i, j, 0) = 10 * (mine.first[0] + i) % (10 * CELLS) + mine.first[1] + j;
                *flux_at(&p, i, j, 1) = -*flux_at(&p, i, j, 0);
            }
        }
    }
    return p;
}

static void end(program *p)
{
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(shared_destroy(p->halo), HX_OK);
}

static void says(hx_status got, const char *first, const char *second)
{
    CHECK(got == HX_ERR_MISMATCH, "%s in place of a finding", hx_status_name(got));
    CHECK(strstr(hx_last_error(), first) != NULL, "\"%s\" is not in: %s", first, hx_last_error());
    CHECK(strstr(hx_last_error(), second) != NULL, "\"%s\" is not in: %s", second, hx_last_error());
}

/* Blocks 0 and 1 lie side by side along x, or along y, as the ranks are numbered; so say what all four have. */
static void disagreed(void)
{
    program p = begin();
    says(shared_audit(p.halo, SHARED_ASSEMBLE, &p.f),
         "audit on rank 0 as called: field force (line 4): rank 0 has 1 at", "The exchange has not run yet.");
    CHECK_STATUS(shared_assemble(p.halo, &p.f), HX_OK);
    CHECK_STATUS(shared_audit(p.halo, SHARED_ASSEMBLE, &p.f), HX_OK);
    CHECK(*force_at(&p, MINE, MINE) == (p.rank == 0 ? 10.0 : *force_at(&p, MINE, MINE)),
          "the sum of four is %g", *force_at(&p, MINE, MINE));
    /* In the middle all four meet. */
    *force_at(&p, p.rank == 0 ? MINE : 1, p.rank == 0 ? MINE : 1) += p.rank == 0 ? 0.5 : 0.0;
    const hx_status status = shared_audit(p.halo, SHARED_ASSEMBLE, &p.f);
    says(
        status,
        "audit on rank 0 as called: field force (line 4): rank 0 has 10.5 at the shared point (2, 2) of block 0, "
        "which is (2, 2) of the grid; rank ",
        "So differ 2 more copies.  The exchange last ran as run 1: who has written to its copy since?");
    static const char *const others[] = {"; rank 1 has 10 in block 1 at (", "; rank 2 has 10 in block 2 at (",
                                         "; rank 3 has 10 in block 3 at (0, 0)"};
    for (int i = 0; i < BLOCKS - 1; ++i) {
        CHECK(strstr(hx_last_error(), others[i]) != NULL, "\"%s\" is not in: %s", others[i], hx_last_error());
    }
    end(&p);
}

/* The right numbers, and around the ring: x = 0 is x = 4. */
static void wrote_one_component(void)
{
    program p = begin();
    CHECK_STATUS(shared_agree(p.halo, &p.f), HX_OK);
    CHECK_STATUS(shared_audit(p.halo, SHARED_AGREE, &p.f), HX_OK);
    *flux_at(&p, 0, 1, 1) -= p.rank == 0;
    says(
        shared_audit(p.halo, SHARED_AGREE, &p.f),
        "component 1 of field flux (line 5): rank 0 has -2 at the shared point (0, 1) of block 0, which is (0, 1) of "
        "the grid; rank ",
        " has -1 in block ");
    end(&p);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    disagreed();
    wrote_one_component();
    return check_verdict("audits of shared points");
}
