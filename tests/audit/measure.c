/*
 * What audits cost: blocks of 64 x 64 x 64 cells, 3 layers, one field, three, and one that is added, by two transports.
 *
 *   HX_AUDIT=0 mpirun -n 2 tests/audit/audit_cost; HX_AUDIT=1 mpirun -n 2 tests/audit/audit_cost [RUNS [idle]]
 *
 * Between exchanges the program works on all points of its arrays, as programs do.  One that is "idle" does not: ghost points
 * that nobody reads stay in the cache of the rank that writes them, and no program exchanges them for that.
 *
 * The shortest of many runs is told: other programs on the machine only make runs longer.
 */
#include "cost.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, MOST_RUNS = 2000 };

static int runs = 500; /* or as the program is told */
static bool idle;

static void stop(const char *call)
{
    fprintf(stderr, "%s: %s\n", call, hx_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void fill(const cost_shape *shape, double *array, int rank)
{
    const size_t points = cost_points(shape, COST_U);
    for (size_t i = 0; i < points; ++i) {
        array[i] = (double)i + 0.5 * rank;
    }
}

/* Reads and writes all points. */
static void work(const cost_shape *shape, double *array)
{
    const size_t points = cost_points(shape, COST_U);
    for (size_t i = 0; i < points; ++i) {
        array[i] = 0.999 * array[i] + 0.001;
    }
}

/* Seconds of one run, or of one audit that the program asks for, on the slower rank; the shortest of all. */
static double time_of(cost *halo, const cost_shape *shape, cost_fields *f, int exchange, bool called)
{
    static double taken[MOST_RUNS];
    double best = 1e9;
    double *const array[] = {f->u, f->v, f->w};
    for (int run = 0; run < runs; ++run) {
        for (int i = 0; i < (exchange == COST_THREE ? 3 : 1) && !idle && !called; ++i) {
            work(shape, array[i]);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        const double begun = MPI_Wtime();
        const hx_status status = called                   ? cost_audit(halo, exchange, f)
                                 : exchange == COST_ONE   ? cost_one(halo, f)
                                 : exchange == COST_THREE ? cost_three(halo, f)
                                                          : cost_added(halo, f);
        taken[run] = MPI_Wtime() - begun;
        if (status != HX_OK) {
            stop("an exchange");
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, taken, runs, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int run = 0; run < runs; ++run) {
        best = taken[run] < best ? taken[run] : best;
    }
    return best;
}

static void measure(const char *transport)
{
    static const char *const name[] = {
        [COST_ONE] = "1 field ", [COST_THREE] = "3 fields", [COST_ADDED] = "1 added "};
    int ranks;
    int rank;
    hx_part mine;
    cost *halo;
    cost_fields f;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hx_partition grid = cost_partition(CELLS, CELLS, CELLS * ranks);
    grid.ranks[0] = 1;
    grid.ranks[1] = 1;
    grid.ranks[2] = ranks;
    if (hx_decompose(MPI_COMM_WORLD, &grid, &mine) != HX_OK) {
        stop("hx_decompose");
    }
    const cost_shape shape = cost_shape_best(&mine);
    if (cost_create(MPI_COMM_WORLD, &shape, &options, &halo) != HX_OK || cost_alloc(halo, &f) != HX_OK) {
        stop("create");
    }
    fill(&shape, f.u, rank);
    fill(&shape, f.v, rank);
    fill(&shape, f.w, rank);
    for (int exchange = 0; exchange < COST_EXCHANGES; ++exchange) {
        const double run = time_of(halo, &shape, &f, exchange, false);
        const bool can = exchange != COST_ADDED; /* there is none of sums */
        const double call = can ? time_of(halo, &shape, &f, exchange, true) : 0.0;
        if (rank == 0) {
            printf("%-8s %d ranks, %s: exchange %7.1f us, cost_audit %7.1f us\n", transport, ranks,
                   name[exchange], 1e6 * run, 1e6 * call);
        }
    }
    cost_destroy(halo);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) <= MOST_RUNS) {
        runs = atoi(argv[1]);
    }
    idle = argc > 2 && strcmp(argv[2], "idle") == 0;
    measure("shared");
    measure("p2p");
    MPI_Finalize();
    return 0;
}
