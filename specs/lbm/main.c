/*
 * lbm CELLS STEPS [PX PY PZ]
 *
 * A Taylor-Green vortex in a periodic box of CELLS^3, and the decay of its kinetic energy beside the analytic
 * one.  Its plane is spanned by x and by the diagonal between y and z, so that populations of all velocities
 * take part:
 *
 *     u     =  U sin kx cos k(y+z)       pressure = U^2 / 4 (cos 2kx + cos 2k(y+z) / 2)
 *     v = w = -U/2 cos kx sin k(y+z)     velocities ~ exp(-3 k^2 viscosity time)
 *
 * U shrinks with the spacing, as the Mach number has to for the error to be of second order.  PX ... are
 * blocks along each axis, as many as there are ranks; libhx chooses if they are left out.
 */
#include "solver.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include "lbm_all.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: lbm CELLS STEPS [PX PY PZ]";

static const double pi = 3.14159265358979323846;

static const double viscosity = 0.05;

typedef struct vortex {
    double k, speed;
} vortex;

static vortex vortex_of(int cells)
{
    return (vortex){2.0 * pi / cells, 0.64 / cells};
}

static void start(solver *s, vortex v)
{
    const int *n = s->shape.part.n, *first = s->shape.part.first;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                const double x = v.k * (first[0] + i), d = v.k * (first[1] + j + first[2] + k);
                const double pressure = 0.25 * v.speed * v.speed * (cos(2.0 * x) + 0.5 * cos(2.0 * d));
                const double across = -0.5 * v.speed * cos(x) * sin(d);
                const flow at = {1.0 + 3.0 * pressure, {v.speed * sin(x) * cos(d), across, across}};
                equilibrium(&at, solver_cell(s, i, j, k));
            }
        }
    }
}

/* Twice the mean kinetic energy of a cell. */
static double energy(const solver *s)
{
    const int *n = s->shape.part.n, *cells = s->shape.part.partition.cells;
    double mine = 0.0, sum;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                const flow at = flow_of(solver_cell(s, i, j, k));
                mine += at.density * (at.u[0] * at.u[0] + at.u[1] * at.u[1] + at.u[2] * at.u[2]);
            }
        }
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum / cells[0] / cells[1] / cells[2];
}

/* Of all populations; depends on every bit and its place, and not on the ranks. */
static uint64_t checksum(const solver *s)
{
    const int *n = s->shape.part.n, *first = s->shape.part.first, *cells = s->shape.part.partition.cells;
    uint64_t sum = 0, total;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                const double *cell = solver_cell(s, i, j, k);
                uint64_t place = (uint64_t)(first[2] + k);
                place = place * (uint64_t)cells[1] + (uint64_t)(first[1] + j);
                place = place * (uint64_t)cells[0] + (uint64_t)(first[0] + i);
                for (int c = 0; c < POPULATIONS; ++c) {
                    sum += checksum_of(cell[c], place * POPULATIONS + (uint64_t)c);
                }
            }
        }
    }
    MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* Bytes that all ranks send, and copy between their own blocks, in one exchange. */
static void total_bytes(const hx_traffic *traffic, double total[2])
{
    const double mine[2] = {(double)traffic->bytes_sent, (double)traffic->bytes_copied};
    MPI_Allreduce(mine, total, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void report_bytes(const solver *s, int rank)
{
    hx_traffic traffic;
    double some[2], all[2];
    check(lbm_traffic(s->halo, LBM_POPULATIONS, &traffic));
    total_bytes(&traffic, some);

    lbm_all *whole;
    const lbm_all_shape shape = lbm_all_shape_dense(&s->shape.part);
    check(lbm_all_create(MPI_COMM_WORLD, &shape, NULL, &whole));
    check(lbm_all_traffic(whole, LBM_ALL_POPULATIONS, &traffic));
    total_bytes(&traffic, all);
    check(lbm_all_destroy(whole));

    if (rank == 0) {
        printf("bytes      %.0f sent and %.0f copied per exchange; all 19 populations: %.0f and %.0f\n",
               some[0], some[1], all[0], all[1]);
        printf("share      %.3f of them\n", (some[0] + some[1]) / (all[0] + all[1]));
    }
}

/*
 * Energies decay as exp(-6 k^2 viscosity time); the fraction that is left comes out too small by two parts of
 * order k^2.  Cells start in equilibrium, as if the viscosity had been 1/6, until collisions have made the
 * stress, which takes a relaxation time.  And the viscosity is too large by a fraction, 0.35 k^2 as measured.
 */
static double bound_of(vortex v, int steps)
{
    const double decay = 6.0 * v.k * v.k * viscosity * steps;
    const double begin = 6.0 * (1.0 / 6.0 - viscosity) * (3.0 * viscosity + 0.5);
    return v.k * v.k * (begin + 0.37 * decay);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3 && argc != 6) {
        fail("%s", usage);
    }
    const int cells = whole_number(argv[1], 1, 100000, usage),
              steps = whole_number(argv[2], 1, 100000, usage);
    const vortex v = vortex_of(cells);

    hx_partition grid = lbm_partition(cells, cells, cells);
    for (int a = 0; a < argc - 3; ++a) {
        grid.ranks[a] = whole_number(argv[3 + a], 1, 100000, usage);
    }
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    solver s;
    solver_create(&s, MPI_COMM_WORLD, &mine, viscosity);
    start(&s, v);
    if (rank == 0) {
        const int *parts = mine.partition.ranks;
        printf("lbm        %d^3 cells in %d x %d x %d blocks, %d steps\n", cells, parts[0], parts[1],
               parts[2], steps);
    }
    const double before = energy(&s);
    for (int step = 0; step < steps; ++step) {
        solver_step(&s);
    }
    const double left = energy(&s) / before;
    const double exact = exp(-6.0 * v.k * v.k * viscosity * steps);
    const double error = fabs(left / exact - 1.0), bound = bound_of(v, steps);
    const uint64_t sum = checksum(&s);
    if (rank == 0) {
        printf("energy     %.6f of the first is left, %.6f by the analytic solution\n", left, exact);
        printf("error      %.3e of it; at most %.3e by the order of the scheme: %s\n", error, bound,
               error <= bound ? "good" : "TOO LARGE");
        printf("checksum   %016" PRIx64 "\n", sum);
    }
    report_bytes(&s, rank);
    solver_destroy(&s);
    MPI_Finalize();
    return error <= bound ? EXIT_SUCCESS : EXIT_FAILURE;
}
