/*
 * A bug on one rank alone, behind whose finish the audit asks the owner what it had: an owner that comes to
 * libhx again says so, and one that does not is named.
 */
#include "check.h"
#include "tube.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_X = 8, CELLS_Y = 4, MINE_X = 4 };

/* A program of two ranks side by side along x. */
typedef struct program {
    tube_shape shape;
    tube *halo;
    tube_fields f;
    int rank;
    int wrong_on; /* the rank whose function for walls has the bug */
} program;

/* Fills a row too far to the left: corners of the tube, and (bug) the ghost point above them, too. */
static void fill(void *context, const hx_wall *wall)
{
    const program *p = context;
    double *t = wall->array;
    for (int j = wall->lo[1]; j < wall->hi[1]; ++j) {
        for (int i = wall->lo[0]; i < wall->hi[0]; ++i) {
            t[tube_t_at(&p->shape, i, j)] = -1.0;
        }
    }
    if (p->rank == p->wrong_on && wall->side == 0) {
        t[tube_t_at(&p->shape, -1, 1)] = -1.0;
    }
}

static void begin(program *p, int wrong_on, double deadline)
{
    hx_partition grid = tube_partition(CELLS_X, CELLS_Y);
    hx_part mine;
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = deadline;
    grid.ranks[0] = 2;
    grid.ranks[1] = 1;
    p->wrong_on = wrong_on;
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    p->shape = tube_shape_dense(&mine);
    CHECK_STATUS(tube_create(MPI_COMM_WORLD, &p->shape, &options, &p->halo), HX_OK);
    CHECK_STATUS(tube_alloc(p->halo, &p->f), HX_OK);
    CHECK_STATUS(tube_set_boundary(p->halo, fill, p), HX_OK);
    for (int j = 0; j < CELLS_Y; ++j) {
        for (int i = 0; i < MINE_X; ++i) {
            p->f.t[tube_t_at(&p->shape, i, j)] = 100.0 * (mine.first[0] + i) + j;
        }
    }
}

static void end(program *p)
{
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(tube_destroy(p->halo), HX_OK);
}

static void is_said(hx_status got, const char *words)
{
    CHECK(got == HX_ERR_MISMATCH, "%s in place of a finding", hx_status_name(got));
    CHECK(strstr(hx_last_error(), words) != NULL, "\"%s\" is not in: %s", words, hx_last_error());
}

/* The owner, rank 0, goes on to its next exchange, in which it waits for rank 1. */
static void owner_answers(void)
{
    program p;
    begin(&p, 1, 60.0);
    for (int run = 0; run < 5; ++run) {
        p.f.t[tube_t_at(&p.shape, 3, 1)] += 0.5;
        const double had = 301.0 + 0.5 * (run + 1);
        const hx_status status = tube_heat(p.halo, &p.f);
        if (p.rank == 1) {
            char words[200];
            snprintf(words, sizeof words,
                     "is -1 at ghost point (-1, 1) of block 1 and must be %g, as rank 0 had it in block 0 at "
                     "(3, 1)",
                     had);
            is_said(status, words);
        } else {
            CHECK_STATUS(status, HX_OK);
        }
        p.f.t[tube_t_at(&p.shape, 3, 1)] += p.rank == 0 ? 1000.0 : 0.0; /* it has what it had at start */
        CHECK_STATUS(tube_salt(p.halo, &p.f), HX_OK);
        p.f.t[tube_t_at(&p.shape, 3, 1)] -= p.rank == 0 ? 1000.0 : 0.0;
    }
    end(&p);
}

/* The owner has started the next run before it is asked, and waits there. */
static void owner_is_ahead(void)
{
    program p;
    int token = 0;
    begin(&p, 1, 60.0);
    if (p.rank == 0) {
        CHECK_STATUS(tube_heat(p.halo, &p.f), HX_OK);
        p.f.t[tube_t_at(&p.shape, 3, 1)] = 7.0;
        CHECK_STATUS(tube_heat_start(p.halo, &p.f), HX_OK);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        CHECK_STATUS(tube_heat_finish(p.halo), HX_OK);
    } else {
        CHECK_STATUS(tube_heat_start(p.halo, &p.f), HX_OK);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        is_said(tube_heat_finish(p.halo), "and must be 301, as rank 0 had it");
        is_said(tube_heat(p.halo, &p.f), "and must be 7, as rank 0 had it");
    }
    CHECK_STATUS(tube_salt(p.halo, &p.f), HX_OK);
    end(&p);
}

/* The owner waits in a barrier of its own. */
static void owner_is_silent(void)
{
    program p;
    begin(&p, 1, 0.5);
    for (int run = 0; run < 2; ++run) {
        const hx_status status = tube_heat(p.halo, &p.f);
        if (p.rank == 1) {
            is_said(
                status,
                "field t (line 4) is wrong at one of the ghost points from (-1, 0) to (-1, 3) of block 1.  "
                "Rank 0, which feeds them, has not called libhx since");
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_STATUS(tube_salt(p.halo, &p.f), HX_OK); /* in which rank 0 answers: too late */
    end(&p);
}

int main(int argc, char **argv)
{
    setenv("HX_AUDIT", "1", 1);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    check_about("an owner that answers");
    owner_answers();
    check_about("an owner that is ahead");
    owner_is_ahead();
    check_about("an owner that is silent");
    owner_is_silent();
    return check_verdict("questions of audits");
}
