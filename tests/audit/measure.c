/*
 * What audits cost: blocks of 64 x 64 x 64 cells, 3 layers, one field, three, and one that is added, by two transports.
 *
 *   HX_AUDIT=0 mpirun -n 2 tests/audit/audit_cost; HX_AUDIT=1 mpirun -n 2 tests/audit/audit_cost [RUNS]
 *
 * The shortest of many runs is told: other programs on the machine only make runs longer.  Without HX_AUDIT a loop is timed,
 * too, that only looks at the memory that an audit has to look at: no audit of this kind is faster than exchange and loop together.
 */
#include "cost.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, LAYERS = 3, MOST_RUNS = 2000 };

static int runs = 500; /* or as the program is told */

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

/* Seconds of one run, or of one audit that the program asks for, on the slower rank; the shortest of all. */
static double time_of(cost *halo, cost_fields *f, int exchange, int called)
{
    static double taken[MOST_RUNS];
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
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

/* ---- the memory that an audit looks at ------------------------------------------------------------------ */

/* A box of ghost points, and as many owned points on the other side of the block. */
typedef struct box {
    int n[3];
    size_t ghost;
    size_t owned;
} box;

static box box_at(const cost_shape *shape, const int direction[3])
{
    box b;
    int ghost[3];
    int owned[3];
    for (int a = 0; a < 3; ++a) {
        b.n[a] = direction[a] == 0 ? CELLS : LAYERS;
        ghost[a] = direction[a] < 0 ? -LAYERS : direction[a] > 0 ? CELLS : 0;
        owned[a] = direction[a] < 0 ? CELLS - LAYERS : 0;
    }
    b.ghost = (size_t)cost_u_at(shape, ghost[0], ghost[1], ghost[2]);
    b.owned = (size_t)cost_u_at(shape, owned[0], owned[1], owned[2]);
    return b;
}

static uint64_t bits_of(const double *number)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    return bits;
}

/* With the length as a literal.  kept: where owned points go; NULL: they are compared with the ghost points. */
static inline uint64_t look_at_row(const double *ghost, const double *owned, int n, double *kept)
{
    uint64_t seen = 0;
    for (int i = 0; i < n; ++i) {
        seen |= bits_of(&ghost[i]) ^ bits_of(&owned[i]);
    }
    if (kept) {
        memcpy(kept, owned, (size_t)n * sizeof *owned);
    }
    return seen;
}

/* Of what comes from another rank the owned points are read at start, when they are kept, and in finish, the ghost points in
 * finish. */
static uint64_t look_at_box(const cost_shape *shape, const double *array, const box *b, double *kept)
{
    const size_t row = (size_t)(cost_u_at(shape, 0, 1, 0) - cost_u_at(shape, 0, 0, 0));
    const size_t plane = (size_t)(cost_u_at(shape, 0, 0, 1) - cost_u_at(shape, 0, 0, 0));
    uint64_t seen = 0;
    for (int k = 0; k < b->n[2]; ++k) {
        for (int j = 0; j < b->n[1]; ++j) {
            const size_t at = (size_t)k * plane + (size_t)j * row;
            const double *ghost = array + b->ghost + at;
            const double *owned = array + b->owned + at;
            seen |= b->n[0] == LAYERS ? look_at_row(ghost, owned, LAYERS, kept)
                                      : look_at_row(ghost, owned, CELLS, kept);
            kept = kept ? kept + b->n[0] : NULL;
        }
    }
    return seen;
}

static uint64_t look(const cost_shape *shape, const double *array, int ranks, double *room)
{
    uint64_t seen = 0;
    for (int d = 0; d < 27; ++d) {
        const int direction[] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
        const box b = box_at(shape, direction);
        if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0) {
            continue;
        }
        double *kept = ranks > 1 && direction[2] != 0 ? room : NULL;
        seen |= kept ? look_at_box(shape, array, &b, kept) : 0;
        seen |= look_at_box(shape, array, &b, NULL);
        room += (size_t)b.n[0] * (size_t)b.n[1] * (size_t)b.n[2];
    }
    return seen;
}

/* Seconds that it takes behind an exchange, the shortest of all. */
static double time_of_looking(cost *halo, const cost_shape *shape, cost_fields *f, int exchange)
{
    int ranks;
    double best = 1e9;
    uint64_t seen = 0;
    double *room = malloc(3 * cost_points(shape, COST_U) * sizeof *room);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int run = 0; run < runs && room; ++run) {
        if ((exchange == COST_ONE ? cost_one(halo, f) : cost_three(halo, f)) != HX_OK) {
            stop("an exchange");
        }
        const double begun = MPI_Wtime();
        seen |= look(shape, f->u, ranks, room);
        if (exchange == COST_THREE) {
            seen |= look(shape, f->v, ranks, room + cost_points(shape, COST_U));
            seen |= look(shape, f->w, ranks, room + 2 * cost_points(shape, COST_U));
        }
        const double taken = MPI_Wtime() - begun;
        best = taken < best ? taken : best;
    }
    free(room);
    return seen == 1 ? 0.0 : best; /* so that no compiler leaves the loops out */
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
        const double run = time_of(halo, &f, exchange, 0);
        const double call =
            exchange == COST_ADDED ? 0.0 : time_of(halo, &f, exchange, 1); /* there is none of sums */
        const double looking = exchange == COST_ADDED ? 0.0 : time_of_looking(halo, &shape, &f, exchange);
        if (rank == 0) {
            printf("%-8s %d ranks, %s: exchange %7.1f us, cost_audit %7.1f us, loop %7.1f us\n", transport,
                   ranks, name[exchange], 1e6 * run, 1e6 * call, 1e6 * looking);
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
    measure("shared");
    measure("p2p");
    MPI_Finalize();
    return 0;
}
