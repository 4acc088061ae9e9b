/*
 * Tiles joined by turns: links that turn, vectors, and faces that two blocks store, end to end.
 */
#include "adjoint.h"
#include "canary.h"
#include "check.h"
#include "connected.h"
#include "folded.h"
#include "specs.h"
#include "trial.h"

#include <stdio.h>
#include <string.h>

static int ranks;

/* Blocks in turn, so that neighbors are on different ranks, and in one heap on the last rank. */
static int in_turn(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

static int heap(void *context, int tile, int block)
{
    (void)context;
    return tile == 0 && block == 0 ? 0 : ranks - 1;
}

static void try_partition(const hx_spec *spec, const connected *grid, const hx_partition partition[],
                          int number)
{
    layout l;
    layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, number % 4 == 3 ? heap : in_turn, NULL,
                                      grid->faces, number % 3});
    trial_run(&l, grid->topology);
    static const char *const transports[] = {"shared", "persistent", "neighbor", "p2p", "rma"};
    adjoint_run(&l, transports[number % 5]);
    layout_free(&l);
}

/* One block a rank, by default all of A before all of B. */
static void try_default_owner(const hx_spec *spec)
{
    static const int cut_of_a[] = {0, 1, 4};
    hx_partition partition[2];
    for (int t = 0; t < 2; ++t) {
        partition[t] = (hx_partition){.axes = 2, .cells = {4, 4}, .ranks = {1, 1}};
    }
    if (ranks == 4) {
        partition[0].ranks[0] = 2;
        partition[0].cuts[0] = cut_of_a;
        partition[1].ranks[1] = 2;
    }
    if (ranks == 2 || ranks == 4) {
        layout l;
        layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, NULL, NULL, canary_faces, 0});
        trial_run(&l, canary_topology);
        layout_free(&l);
    }
}

/* Extents that do not meet, and a tile too thin for the width of the other: refused, not guessed. */
static void try_misfits(const hx_spec *spec)
{
    static const int extents[][2][2] = {{{3, 3}, {3, 4}}, {{3, 3}, {1, 3}}, {{3, 1}, {3, 3}}};
    for (size_t i = 0; i < sizeof extents / sizeof *extents; ++i) {
        hx_partition partition[2];
        for (int t = 0; t < 2; ++t) {
            partition[t] =
                (hx_partition){.axes = 2, .cells = {extents[i][t][0], extents[i][t][1]}, .ranks = {1, 1}};
        }
        layout l;
        hx_handle *handle = NULL;
        check_about("%s, misfit %zu", spec->name, i);
        layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, in_turn, NULL, canary_faces, 0});
        CHECK_REFUSED(MPI_COMM_WORLD, hx_create(spec, &l.blocks, l.shapes, NULL, &handle), HX_ERR_PARTITION,
                      "");
        layout_free(&l);
    }
}

/*
 * Tiles of one cell, of which each has a neighbor behind its neighbor: not followed, since ways may differ.
 */
static void try_thin(const hx_spec *spec, const connected *grid)
{
    hx_partition partition[LAYOUT_TILES];
    for (int t = 0; t < spec->tiles; ++t) {
        partition[t] = (hx_partition){.axes = spec->axes, .cells = {1, 1, 1, 1}, .ranks = {1, 1, 1, 1}};
    }
    layout l;
    hx_handle *handle = NULL;
    check_about("%s, tiles of one cell", spec->name);
    layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, in_turn, NULL, grid->faces, 0});
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create(spec, &l.blocks, l.shapes, NULL, &handle), HX_ERR_PARTITION,
                  "reaches across tile");
    layout_free(&l);
}

/* A fold that is too short across: that axis is named, not the one that closes on itself, where points are
 * missing too. */
static void try_short(const hx_spec *spec)
{
    for (int along = 0; along < 2; ++along) {
        hx_partition partition = {.axes = spec->axes, .cells = {1, 1, 1, 1}, .ranks = {1, 1, 1, 1}};
        partition.cells[along] = 9;
        layout l;
        hx_handle *handle = NULL;
        check_about("%s, 9 cells along axis %s", spec->name, spec->axis[along]);
        layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, &partition, in_turn, NULL, folded_faces, 0});
        const hx_status status = hx_create(spec, &l.blocks, l.shapes, NULL, &handle);
        CHECK(status == HX_OK || !strstr(hx_last_error(), "9 cells"), "%s", hx_last_error());
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        layout_free(&l);
    }
}

/* Every partition of the canaries; of the others every third or ninth, of folds every third or fourth, others
 * on other ranks. */
static void try_partitions(const hx_spec *spec, const connected *grid)
{
    const int step = grid->topology == canary_topology   ? 1
                     : ranks == 1                        ? 3
                     : grid->topology == folded_topology ? 4
                                                         : 9;
    hx_partition partition[LAYOUT_TILES];
    int number = ranks % step;
    for (int fits = 0; (fits = grid->partitions(spec, number, partition)) >= 0; number += step) {
        if (fits) {
            try_partition(spec, grid, partition, number);
        }
    }
}

/* Where small halos are swept, too, some were. */
static void check_sweeps(void)
{
#ifdef HX_SWEEP_LEAST
    const long swept = trial_count_sweeps();
    check_about("sweeps");
    CHECK(swept > 0, "no halo is filled in one walk");
#endif
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < specs_count; ++i) {
        const connected *grid = connected_find(specs[i]);
        try_partitions(specs[i], grid);
        if (grid->topology == canary_topology) {
            try_default_owner(specs[i]);
            try_misfits(specs[i]);
        } else {
            try_thin(specs[i], grid);
        }
        if (grid->topology == folded_topology) {
            try_short(specs[i]);
        }
    }
    check_sweeps();
    char summary[80];
    snprintf(summary, sizeof summary, "turned links, %ld runs on %d ranks", trial_count(), ranks);
    return check_verdict(summary);
}
