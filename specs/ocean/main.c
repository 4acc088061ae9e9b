/*
 * ocean NX NY STEPS [PX PY]
 *
 * A wave spreads over a channel with a ridge, shelves and an island, and the wind begins to drive a current.
 * Neither water nor heat may be lost, and salt that is everywhere the same must stay so.  PX and PY are
 * blocks along each axis, as many as there are ranks; libhx chooses if they are left out.
 */
#include "solver.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: ocean NX NY STEPS [PX PY]";

static const double salinity = 35.0;

/* What rounding may do to a sum, or to a number that should not change. */
static const double tolerance = 1e-12;

/* ---- the ocean ---- */

static double bell(double x)
{
    return exp(-x * x);
}

/* Depth of the bottom at a place in the ocean, which is 1 long and 1 wide: 0 on land. */
static double depth_at(double x, double y)
{
    if (hypot(x - 0.65, y - 0.4) < 0.1) {
        return 0.0;
    }
    const double shelf = 5.0 * (y < 0.5 ? y : 1.0 - y);
    const double basin = shelf < 0.9 ? 400.0 + 4000.0 * shelf : 4000.0;
    return basin * (1.0 - 0.6 * bell((x - 0.3) / 0.08));
}

/* All of it: as a file would have it, so on one rank only.  NULL elsewhere. */
static double *read_depth(const int cells[], int rank)
{
    const size_t count = (size_t)cells[0] * (size_t)cells[1];
    double *depth = rank == 0 ? allocate(count, sizeof *depth) : NULL;
    for (size_t c = 0; c < count && rank == 0; ++c) {
        const double x = (double)(c % (size_t)cells[0]) + 0.5, y = (double)(c / (size_t)cells[0]) + 0.5;
        const double depth_here = depth_at(x / cells[0], y / cells[1]);
        depth[c] = depth_here > 0.0 && depth_here < layer_height ? layer_height : depth_here;
    }
    return depth;
}

static void start(solver *s)
{
    const hx_part *part = &s->shape.part;
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            const double x = (part->first[0] + i + 0.5) / part->partition.cells[0];
            const double y = (part->first[1] + j + 0.5) / part->partition.cells[1];
            const ptrdiff_t column = ocean_t_at(&s->shape, i, j, 0);
            if (solver_depth(s, i, j) > 0.0) {
                s->now.eta[ocean_eta_at(&s->shape, i, j)] = bell((x - 0.5) / 0.1) * bell((y - 0.7) / 0.1);
            }
            for (int k = 0; k < LAYERS; ++k) {
                s->now.t[column + k] = 2.0 + 18.0 * (1.0 - y) * exp(-0.3 * k);
                s->now.s[column + k] = salinity;
            }
        }
    }
}

/* ---- what must not change ---- */

typedef struct totals {
    double water, heat;
    double salt_error; /* the largest */
    double highest, fastest;
} totals;

static void add_column(const solver *s, int i, int j, totals *sum)
{
    const ocean_shape *shape = &s->shape;
    const double depth = solver_depth(s, i, j), eta = s->now.eta[ocean_eta_at(shape, i, j)];
    for (int k = 0; k < LAYERS && depth > 0.0; ++k) {
        const double water = solver_thickness(depth, k) + (k == 0 ? eta : 0.0);
        const double salt = s->now.s[ocean_s_at(shape, i, j, k)];
        sum->water += water;
        sum->heat += water * s->now.t[ocean_t_at(shape, i, j, k)];
        sum->salt_error = fmax(sum->salt_error, fabs(salt / salinity - 1.0));
        sum->fastest = fmax(sum->fastest, fabs(s->now.u[ocean_u_at(shape, i, j, k)]));
    }
    sum->highest = fmax(sum->highest, fabs(eta));
}

static totals total_of(const solver *s)
{
    const int *n = s->shape.part.n;
    totals sum = {0};
    for (int j = 0; j < n[1]; ++j) {
        for (int i = 0; i < n[0]; ++i) {
            add_column(s, i, j, &sum);
        }
    }
    double sums[] = {sum.water, sum.heat}, most[] = {sum.salt_error, sum.highest, sum.fastest};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return (totals){sums[0], sums[1], most[0], most[1], most[2]};
}

/* Of all fields; depends on every bit and its place, and not on the ranks. */
static uint64_t checksum(const solver *s)
{
    const ocean_shape *shape = &s->shape;
    const hx_part *part = &shape->part;
    uint64_t sum = 0, total;
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            uint64_t place = (uint64_t)(part->first[1] + j) * (uint64_t)part->partition.cells[0];
            place = (place + (uint64_t)(part->first[0] + i)) * (4 * LAYERS + 1);
            sum += checksum_of(s->now.eta[ocean_eta_at(shape, i, j)], place);
            for (int k = 0; k < LAYERS; ++k, place += 4) {
                sum += checksum_of(s->now.u[ocean_u_at(shape, i, j, k)], place + 1);
                sum += checksum_of(s->now.v[ocean_v_at(shape, i, j, k)], place + 2);
                sum += checksum_of(s->now.t[ocean_t_at(shape, i, j, k)], place + 3);
                sum += checksum_of(s->now.s[ocean_s_at(shape, i, j, k)], place + 4);
            }
        }
    }
    MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* Prints what became of the ocean.  Returns whether nothing was lost. */
static int report(const solver *s, const totals *before, int rank)
{
    const totals after = total_of(s);
    const double water = fabs(after.water / before->water - 1.0),
                 heat = fabs(after.heat / before->heat - 1.0);
    const uint64_t sum = checksum(s);
    const int good = water < tolerance && heat < tolerance && after.salt_error < tolerance;
    if (rank == 0) {
        printf("surface    up to %.3f m from rest; currents up to %.3f m/s\n", after.highest, after.fastest);
        printf("water      changed by %.1e of itself, heat by %.1e, salinity by %.1e; at most %.0e: %s\n",
               water, heat, after.salt_error, tolerance, good ? "good" : "TOO MUCH");
        printf("checksum   %016" PRIx64 "\n", sum);
        printf("\n%s", ocean_describe(s->halo));
    }
    return good;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 4 && argc != 6) {
        fail("%s", usage);
    }
    hx_partition grid =
        ocean_partition(whole_number(argv[1], 1, 100000, usage), whole_number(argv[2], 1, 100000, usage));
    const int steps = whole_number(argv[3], 1, 100000, usage);
    for (int a = 0; a < argc - 4; ++a) {
        grid.ranks[a] = whole_number(argv[4 + a], 1, 100000, usage);
    }
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    double *depth = read_depth(grid.cells, rank);
    solver s;
    solver_create(&s, MPI_COMM_WORLD, &mine, depth);
    free(depth); /* every rank has it now */
    start(&s);
    if (rank == 0) {
        printf("ocean      %d x %d columns of %d layers in %d x %d blocks, %d steps of %.0f s\n",
               grid.cells[0], grid.cells[1], LAYERS, mine.partition.ranks[0], mine.partition.ranks[1], steps,
               time_step);
    }
    const totals before = total_of(&s);
    for (int step = 0; step < steps; ++step) {
        solver_step(&s);
    }
    const int good = report(&s, &before, rank);
    solver_destroy(&s);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
