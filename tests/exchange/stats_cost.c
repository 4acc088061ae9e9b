/*
 * How much longer does an exchange take with HX_STATS?
 *
 *     stats_cost [BATCHES [CELLS [BEFORE]]]
 *
 * Three handles exchange blocks of CELLS^3 in 3 layers, ten times each in turn.  The second one has statistics; how far apart the
 * other two are is noise.  BEFORE: how often each has exchanged by then.  Of the first 1024 starts more is clocked than later.
 */
#include "layers.h"

#include <stdio.h>
#include <stdlib.h>

enum { HANDLES = 3, COUNTED = 1, AT_A_TIME = 10, MOST = 10000 };

typedef struct side {
    layers *halo;
    layers_fields f;
    double took[MOST];
} side;

static side sides[HANDLES];

static void need(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "%s\n", hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void make(side *s, int cells, const char *statistics)
{
    int ranks;
    hx_part mine;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    hx_partition grid = layers_partition(cells * ranks, cells, cells);
    grid.ranks[0] = ranks;
    grid.ranks[1] = grid.ranks[2] = 1;
    setenv("HX_STATS", statistics, 1);
    need(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const layers_shape shape = layers_shape_best(&mine);
    need(layers_create(MPI_COMM_WORLD, &shape, NULL, &s->halo));
    need(layers_alloc(s->halo, &s->f));
}

static void exchange(side *s, int times)
{
    for (int i = 0; i < times; ++i) {
        need(layers_all(s->halo, &s->f));
    }
}

static int by_length(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In microseconds. */
static double median_of(side *s, int batches)
{
    qsort(s->took, (size_t)batches, sizeof *s->took, by_length);
    return 1e6 * s->took[batches / 2];
}

static void report(int batches)
{
    const double with = median_of(&sides[COUNTED], batches);
    const double without = median_of(&sides[0], batches);
    const double again = median_of(&sides[2], batches);
    const double mean = (without + again) / 2.0;
    printf("median of %d: %.3f us without, %.3f with: %+.3f us, ratio %.4f; without it twice: ratio %.4f\n",
           batches, mean, with, with - mean, with / mean, again / without);
}

int main(int argc, char **argv)
{
    const int batches = argc > 1 ? atoi(argv[1]) : 400;
    const int cells = argc > 2 ? atoi(argv[2]) : 64;
    const int before = argc > 3 ? atoi(argv[3]) : 3000;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < HANDLES; ++k) {
        make(&sides[k], cells, k == COUNTED ? "1" : "0");
        exchange(&sides[k], before);
    }
    for (int i = 0; i < batches && i < MOST; ++i) {
        for (int k = 0; k < HANDLES; ++k) {
            side *s = &sides[(i + k) % HANDLES];
            MPI_Barrier(MPI_COMM_WORLD);
            const double began = MPI_Wtime();
            exchange(s, AT_A_TIME);
            s->took[i] = (MPI_Wtime() - began) / AT_A_TIME;
        }
    }
    if (rank == 0) {
        report(batches < MOST ? batches : MOST);
    }
    for (int k = 0; k < HANDLES; ++k) {
        need(layers_destroy(sides[k].halo));
    }
    MPI_Finalize();
    return 0;
}
