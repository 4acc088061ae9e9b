/*
 * Bugs of programs that add, average or take minima: what must come of which numbers is written down by hand.
 */
#include "totals.h"
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_X = 8, CELLS_Y = 4, MINE_X = 4 };

/* A program of two ranks side by side along x; the grid is a ring along both axes. */
typedef struct program {
    totals_shape shape;
    totals *halo;
    totals_fields f;
    int rank;
} program;

static double *charge_at(const program *p, int i, int j)
{
    return &p->f.charge[totals_charge_at(&p->shape, i, j)];
}

static int16_t *count_at(const program *p, int i, int j, int c)
{
    return &p->f.count[totals_count_at(&p->shape, i, j, c)];
}

static float *first_at(const program *p, int i, int j)
{
    return &p->f.first[totals_first_at(&p->shape, i, j)];
}

static double *force_at(const program *p, int i, int j)
{
    return &p->f.force[totals_force_at(&p->shape, i, j)];
}

/* Owned points know where they are; ghost points are 0.5, or 1, more on rank 1. */
static void fill(const program *p)
{
    const int from = MINE_X * p->rank;
    for (int j = -1; j <= CELLS_Y; ++j) {
        for (int i = -1; i <= MINE_X; ++i) {
            const bool owned = i >= 0 && i < MINE_X && j >= 0 && j < CELLS_Y;
            *charge_at(p, i, j) = owned ? 10.0 * (from + i) + j : 0.5 + p->rank;
            *first_at(p, i, j) = owned ? (float)(10 * (from + i) + j) : (float)(33 - 30 * p->rank);
            *count_at(p, i, j, 0) = (int16_t)(owned ? 100 * (from + i) + j : 30000);
            *count_at(p, i, j, 1) = (int16_t)(owned ? -j : 2 + p->rank);
            if (j >= 0 && j < CELLS_Y && i >= 0) {
                *force_at(p, i, j) = 10.0 * (from + i) + j + 0.25 * p->rank;
            }
        }
    }
}

static program begin(void)
{
    program p;
    hx_partition grid = totals_partition(CELLS_X, CELLS_Y);
    hx_part mine;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "p2p"; /* adds in finish */
    setenv("HX_AUDIT", "1", 1);
    grid.ranks[0] = 2;
    grid.ranks[1] = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    p.shape = totals_shape_dense(&mine);
    CHECK_STATUS(totals_create(MPI_COMM_WORLD, &p.shape, &options, &p.halo), HX_OK);
    CHECK_STATUS(totals_alloc(p.halo, &p.f), HX_OK);
    fill(&p);
    return p;
}

static void end(program *p)
{
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(totals_destroy(p->halo), HX_OK);
}

/* Finish on the rank with the bug tells all these words, and on the other one nothing. */
static void finish_says(const program *p, int exchange, int wrong_on, const char *const words[])
{
    hx_handle *handle = totals_handle(p->halo);
    const hx_status status = hx_finish(handle, exchange);
    CHECK(status == (p->rank == wrong_on ? HX_ERR_MISMATCH : HX_OK), "%s: %s", hx_status_name(status),
          hx_last_error());
    for (int i = 0; words[i] && p->rank == wrong_on; ++i) {
        CHECK(strstr(hx_last_error(), words[i]) != NULL, "\"%s\" is not in: %s", words[i], hx_last_error());
    }
}

#define FINISH_SAYS(p, exchange, wrong_on, ...)                                                              \
    finish_says((p), (exchange), (wrong_on), (const char *const[]){__VA_ARGS__, NULL})

static void right(void)
{
    program p = begin();
    for (int run = 0; run < 3; ++run) {
        for (int e = 0; e < TOTALS_EXCHANGES; ++e) {
            CHECK_STATUS(hx_start(totals_handle(p.halo), e, &p.f), HX_OK);
            CHECK_STATUS(hx_finish(totals_handle(p.halo), e), HX_OK);
        }
        *charge_at(&p, -1, 2) = 0.1 * run; /* sums are rounded */
        *charge_at(&p, -1, -1) = 1e-7;
        *force_at(&p, 0, 1) *= 1.1;
    }
    CHECK_REFUSED(
        MPI_COMM_WORLD, totals_audit(p.halo, TOTALS_DEPOSIT, &p.f), HX_ERR_ARGUMENT,
        "cannot audit exchange \"deposit\": behind it nobody has what its ghost points were.  Set HX_AUDIT=1");
    end(&p);
}

static void wrote_a_sum_too_early(void)
{
    program p = begin();
    CHECK_STATUS(totals_deposit_start(p.halo, &p.f), HX_OK);
    *charge_at(&p, 0, 0) = p.rank == 1 ? 7.0 : *charge_at(&p, 0, 0);
    /* Its row above and below are its own ghost points, beside and across a corner lie those of rank 0. */
    FINISH_SAYS(
        &p, TOTALS_DEPOSIT, 1, "totals.lua:10: exchange \"deposit\", audit on rank 1 behind finish",
        "field charge (line 4) is 9.5 at owned point (0, 0) of block 1, which is (4, 0) of the grid, and "
        "must be 42.5, the sum: at start it was 40; ",
        "; rank 0 gave 0.5 from ghost point (4, 0) of block 0",
        "; rank 0 gave 0.5 from ghost point (4, 4) of block 0",
        "; rank 1 gave 1.5 from ghost point (0, 4) of block 1", "Did this rank write there");
    end(&p);
}

static void added_to_ghost_points_too_late(void)
{
    program p = begin();
    CHECK_STATUS(totals_deposit_start(p.halo, &p.f), HX_OK);
    *charge_at(&p, 4, 2) += p.rank == 0 ? 3.0 : 0.0;
    FINISH_SAYS(
        &p, TOTALS_DEPOSIT, 0,
        "field charge (line 4) is 3.5 at ghost point (4, 2) of block 0, and must be 0.5, as it was at start: "
        "what is written there until finish is lost.");
    end(&p);
}

/* In the first seven runs an audit looks at all ghost points that are sent, later at each once in seven runs. */
static void added_to_ghost_points_too_late_after_many_runs(void)
{
    program p = begin();
    int found = 0;
    for (int step = 1; step <= 16; ++step) {
        CHECK_STATUS(totals_deposit_start(p.halo, &p.f), HX_OK);
        *charge_at(&p, 4, 2) += step > 8 && p.rank == 0 ? 3.0 : 0.0;
        const hx_status status = totals_deposit_finish(p.halo);
        if (status != HX_OK) {
            found++;
            CHECK(strstr(hx_last_error(),
                         "field charge (line 4) is 3 at ghost point (4, 2) of block 0, and must be 0, as it "
                         "was at start") != NULL,
                  "%s", hx_last_error());
        }
    }
    CHECK(p.rank == 1 ? found == 0 : found >= 1 && found < 8, "found %d times", found);
    end(&p);
}

static void changed_what_is_kept(void)
{
    program p = begin();
    CHECK_STATUS(totals_tally_start(p.halo, &p.f), HX_OK);
    *count_at(&p, -1, 3, 1) = p.rank == 1 ? 0 : *count_at(&p, -1, 3, 1);
    FINISH_SAYS(
        &p, TOTALS_TALLY, 1,
        "component 1 of field count (line 5) is 0 at ghost point (-1, 3) of block 1, and must be 3, as it was at "
        "start.");
    end(&p);
}

/* 700 + 1 + 30000 + ... wraps as the exchange does. */
static void wrote_a_wrapped_sum(void)
{
    program p = begin();
    CHECK_STATUS(totals_tally_start(p.halo, &p.f), HX_OK);
    *count_at(&p, 3, 3, 0) = p.rank == 1 ? 0 : *count_at(&p, 3, 3, 0);
    /* 703 + 3 x 30000 - 65536; without 703 it is 24464. */
    FINISH_SAYS(&p, TOTALS_TALLY, 1, "component 0 of field count (line 5) is 24464 at owned point (3, 3)",
                "and must be 25167, the sum: at start it was 703",
                "; rank 0 gave 30000 from ghost point (-1, 3) of block 0");
    end(&p);
}

static void wrote_a_minimum_too_early(void)
{
    program p = begin();
    CHECK_STATUS(totals_earliest_start(p.halo, &p.f), HX_OK);
    *first_at(&p, 3, 2) = p.rank == 0 ? -1.0F : *first_at(&p, 3, 2);
    FINISH_SAYS(
        &p, TOTALS_EARLIEST, 0,
        "field first (line 6) is -1 at owned point (3, 2) of block 0, which is (3, 2) of the grid, and must be 3, "
        "the least: at start it was 32; rank 1 gave 3 from ghost point (-1, 2) of block 1.");
    end(&p);
}

static void wrote_shared_points_too_early(void)
{
    program p = begin();
    CHECK_STATUS(totals_assemble_start(p.halo, &p.f), HX_OK);
    *force_at(&p, 4, 1) = p.rank == 0 ? 1.0 : *force_at(&p, 4, 1);
    /* 41 and 41.25 */
    FINISH_SAYS(
        &p, TOTALS_ASSEMBLE, 0,
        "field force (line 7) is 42.25 at the shared point (4, 1) of block 0, which is (4, 1) of the grid, and must be "
        "82.25, the sum: at start it was 41; rank 1 gave 41.25 from (0, 1) of block 1.");
    fill(&p);
    CHECK_STATUS(totals_average_start(p.halo, &p.f), HX_OK);
    *force_at(&p, 0, 3) = p.rank == 0 ? 1.0 : *force_at(&p, 0, 3);
    /* The ring joins 3 and 83.25: two places, one block each. */
    FINISH_SAYS(&p, TOTALS_AVERAGE, 0, "is 42.125 at the shared point (0, 3)",
                "and must be 43.125, the mean: at start it was 3; "
                "rank 1 gave 83.25 from (4, 3) of block 1.");
    fill(&p);
    CHECK_STATUS(totals_take_start(p.halo, &p.f), HX_OK);
    *force_at(&p, 0, 2) = p.rank == 1 ? 5.0 : *force_at(&p, 0, 2);
    FINISH_SAYS(
        &p, TOTALS_TAKE, 1, "is 5 at the shared point (0, 2) of block 1",
        "and must be what one block had: at start it was 42.25; rank 0 gave 42 from (4, 2) of block 0.");
    end(&p);
}

/* Two exchanges of one field under way at once: which of them came first nobody can tell. */
static void under_way_together(void)
{
    program p = begin();
    CHECK_STATUS(totals_assemble_start(p.halo, &p.f), HX_OK);
    CHECK_STATUS(totals_take_start(p.halo, &p.f), HX_OK);
    CHECK_STATUS(totals_take_finish(p.halo), HX_OK);
    CHECK_STATUS(totals_assemble_finish(p.halo), HX_OK);
    end(&p);
}

int main(int argc, char **argv)
{
    static void (*const bugs[])(void) = {right,
                                         wrote_a_sum_too_early,
                                         added_to_ghost_points_too_late,
                                         added_to_ghost_points_too_late_after_many_runs,
                                         changed_what_is_kept,
                                         wrote_a_wrapped_sum,
                                         wrote_a_minimum_too_early,
                                         wrote_shared_points_too_early,
                                         under_way_together};
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    for (size_t i = 0; i < sizeof bugs / sizeof bugs[0]; ++i) {
        check_about("bug %zu", i);
        bugs[i]();
    }
    return check_verdict("audits of sums");
}
