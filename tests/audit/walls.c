/*
 * Bugs about ghost points behind walls: what the boundary of an exchange makes of them is written down by hand.
 */
#include "check.h"
#include "walled.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_X = 8, CELLS_Y = 4, MINE_X = 4 };

/* A program of two ranks side by side along x, with walls along y. */
typedef struct program {
    walled_shape shape;
    walled *halo;
    walled_fields f;
    int rank;
} program;

static double *t_at(const program *p, int i, int j)
{
    return &p->f.t[walled_t_at(&p->shape, i, j)];
}

static int32_t *v_at(const program *p, int i, int j, int c)
{
    return &p->f.v[walled_v_at(&p->shape, i, j, c)];
}

static program begin(void)
{
    program p;
    hx_partition grid = walled_partition(CELLS_X, CELLS_Y);
    hx_part mine;
    setenv("HX_AUDIT", "1", 1);
    grid.ranks[0] = 2;
    grid.ranks[1] = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    p.shape = walled_shape_dense(&mine);
    CHECK_STATUS(walled_create(MPI_COMM_WORLD, &p.shape, NULL, &p.halo), HX_OK);
    CHECK_STATUS(walled_alloc(p.halo, &p.f), HX_OK);
    for (int j = 0; j < CELLS_Y; ++j) {
        for (int i = 0; i < MINE_X; ++i) {
            *t_at(&p, i, j) = 10.0 * (mine.first[0] + i) + j;
            *v_at(&p, i, j, 0) = 100 * (mine.first[0] + i) + 10 * j;
            *v_at(&p, i, j, 1) = 100 * (mine.first[0] + i) + 10 * j + 1;
        }
    }
    return p;
}

static void end(program *p)
{
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(walled_destroy(p->halo), HX_OK);
}

static void says(hx_status got, const char *first, const char *second)
{
    CHECK(got == HX_ERR_MISMATCH, "%s in place of a finding", hx_status_name(got));
    CHECK(strstr(hx_last_error(), first) != NULL, "\"%s\" is not in: %s", first, hx_last_error());
    CHECK(strstr(hx_last_error(), second) != NULL, "\"%s\" is not in: %s", second, hx_last_error());
}

/* On rank 0 alone, with what was there put back. */
static void write_wrong(const program *p, int exchange, double *at, const char *first)
{
    const double right = *at;
    *at = p->rank == 0 ? -77.0 : right;
    says(walled_audit(p->halo, exchange, &p->f), first, "this rank has written to the ghost point since");
    *at = right;
    CHECK_STATUS(walled_audit(p->halo, exchange, &p->f), HX_OK);
}

static void wrote_images(void)
{
    program p = begin();
    CHECK_STATUS(walled_images(p.halo, &p.f), HX_OK);
    CHECK_STATUS(walled_audit(p.halo, WALLED_IMAGES, &p.f), HX_OK);
    write_wrong(
        &p, WALLED_IMAGES, t_at(&p, 2, -2),
        "field t (line 4) is -77 at ghost point (2, -2) of block 0, behind a wall, and must be 20, which the "
        "boundary makes of (2, 0).");
    write_wrong(
        &p, WALLED_IMAGES, t_at(&p, 1, 5),
        "is -77 at ghost point (1, 5) of block 0, behind a wall, and must be 12, which the boundary makes of "
        "(1, 2).");
    /* The corner, of what the other rank feeds: its point (0, 0). */
    write_wrong(
        &p, WALLED_IMAGES, t_at(&p, 4, -1),
        "is -77 at ghost point (4, -1) of block 0, behind a wall, and must be 40, which the boundary makes of "
        "(4, 0).");
    end(&p);
}

static void wrote_opposites(void)
{
    program p = begin();
    CHECK_STATUS(walled_opposites(p.halo, &p.f), HX_OK);
    CHECK_STATUS(walled_audit(p.halo, WALLED_OPPOSITES, &p.f), HX_OK);
    write_wrong(
        &p, WALLED_OPPOSITES, t_at(&p, 3, -2),
        "is -77 at ghost point (3, -2) of block 0, behind a wall, and must be -31, which the boundary makes "
        "of (3, 1).");
    write_wrong(
        &p, WALLED_OPPOSITES, t_at(&p, 3, 4),
        "is -77 at ghost point (3, 4) of block 0, behind a wall, and must be 0, as the boundary says.");
    /* Row 0 of v lies on the wall, and row -1 is the opposite of row 1. */
    *v_at(&p, 2, -1, 1) += p.rank == 0;
    says(
        walled_audit(p.halo, WALLED_OPPOSITES, &p.f),
        "component 1 of field v (line 5) is -210 at ghost point (2, -1) of block 0, behind a wall, and must be -211,",
        "which the boundary makes of (2, 1).");
    end(&p);
}

static void computed_after_the_exchange(void)
{
    program p = begin();
    CHECK_STATUS(walled_images(p.halo, &p.f), HX_OK);
    *t_at(&p, 2, 3) += p.rank == 0 ? 0.5 : 0.0;
    says(
        walled_audit(p.halo, WALLED_IMAGES, &p.f),
        "is 23 at ghost point (2, 4) of block 0, behind a wall, and must be 23.5, which the boundary makes of (2, 3)",
        "The halo is stale");
    end(&p);
}

/* Four blocks of 4 x 2 cells.  The last one is land: above block 2, on the right of block 1, and across a corner of 0. */
static void beside_land(void)
{
    static const int owners[] = {0, 0, 1, HX_NO_OWNER};
    program p = {.halo = NULL};
    hx_partition grid = walled_partition(CELLS_X, CELLS_Y);
    hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &grid, .owners = owners};
    walled_shape shape[2];
    walled_fields fields[2];
    setenv("HX_AUDIT", "1", 1);
    grid.ranks[0] = 2;
    grid.ranks[1] = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    for (int b = 0; b < 4; ++b) {
        hx_part part;
        if (owners[b] == p.rank) {
            CHECK_STATUS(hx_part_of(&grid, 0, b, &part), HX_OK);
            shape[blocks.count++] = walled_shape_dense(&part);
        }
    }
    CHECK_STATUS(walled_create_blocks(&blocks, shape, NULL, &p.halo), HX_OK);
    CHECK_STATUS(walled_alloc(p.halo, fields), HX_OK);
    for (int b = 0; b < blocks.count; ++b) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 2; ++j) {
                const hx_part *part = &shape[b].part;
                fields[b].t[walled_t_at(&shape[b], i, j)] = 10.0 * (part->first[0] + i) + part->first[1] + j;
            }
        }
    }
    p.shape = shape[0];
    p.f = fields[0];
    CHECK_STATUS(walled_images(p.halo, fields), HX_OK);
    CHECK_STATUS(walled_audit(p.halo, WALLED_IMAGES, fields), HX_OK);
    const double right = *t_at(&p, 2, 3);
    *t_at(&p, 2, 3) = p.rank == 1 ? -77.0 : right;
    says(
        walled_audit(p.halo, WALLED_IMAGES, fields),
        "field t (line 4) is -77 at ghost point (2, 3) of block 2, behind a wall, and must be 60, which the boundary "
        "makes of (2, 0).",
        "this rank has written to the ghost point since");
    *t_at(&p, 2, 3) = right;
    *t_at(&p, 5, 2) = p.rank == 0 ? -77.0 : *t_at(&p, 5, 2);
    says(
        walled_audit(p.halo, WALLED_IMAGES, fields),
        "is -77 at ghost point (5, 2) of block 0, behind a wall, and must be 51, which the boundary makes of (5, 1).",
        "this rank has written to the ghost point since");
    end(&p);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    wrote_images();
    wrote_opposites();
    computed_after_the_exchange();
    beside_land();
    return check_verdict("audits of walls");
}
