/*
 * tripolar COLUMNS TURNS [PICTURE]
 *
 * Two clouds of tracers in a vortex that turns them across the north fold of an ocean's grid, TURNS times
 * around; COLUMNS, a multiple of 16, are the cells around the ocean.
 */
#include "../common/check.h"
#include "../common/checksum.h"
#include "picture.h"
#include "solver.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: tripolar COLUMNS TURNS [PICTURE]";

/* What rounding may do. */
static const double tolerance = 1e-12;

/* ---- the whole ocean on one rank ---- */

/*
 * All tracers on rank 0, [row][column][number]; free() it.  NULL elsewhere.  Each rank has the bits of its
 * own cells, and zeros elsewhere.
 */
static double *gather(const solver *s, int rank)
{
    const hx_part *part = &s->shape.part;
    const int columns = s->ocean.columns, count = columns * s->ocean.rows * TRACERS;
    double *mine = allocate((size_t)count, sizeof *mine);
    for (int j = 0; j < part->n[1]; ++j) {
        const ptrdiff_t at = (ptrdiff_t)(part->first[1] + j) * columns + part->first[0];
        memcpy(mine + at * TRACERS, s->now.c + tripolar_c_at(&s->shape, 0, j, 0),
               (size_t)part->n[0] * TRACERS * sizeof *mine);
    }
    double *all = rank == 0 ? allocate((size_t)count, sizeof *all) : NULL;
    MPI_Reduce(mine, all, count, MPI_UINT64_T, MPI_BOR, 0, MPI_COMM_WORLD);
    free(mine);
    return all;
}

static double value(const ocean *o, const double *state, int column, int row, int number)
{
    return state[TRACERS * (row * o->columns + column) + number];
}

/* How much there is of the first tracer, and how far it is from where it should be. */
static double mass_of(const ocean *o, const double *state, double time, double *error)
{
    double mass = 0.0;
    *error = 0.0;
    for (int row = 0; row < o->rows; ++row) {
        for (int column = 0; column < o->columns; ++column) {
            const double area = share_of(o, column, row) * area_of(o, column, row);
            const double c = value(o, state, column, row, 0);
            mass += area * c;
            *error += area * fabs(c - tracer(0, place_of(o, column, row), time));
        }
    }
    return mass;
}

/* The second tracer began as the first one, turned half around. */
static double asymmetry(const ocean *o, const double *state)
{
    double largest = 0.0;
    for (int row = 0; row < o->rows; ++row) {
        for (int column = 0; column < o->columns; ++column) {
            const int across = (column + o->columns / 2) % o->columns;
            largest = fmax(largest, fabs(value(o, state, column, row, 0) - value(o, state, across, row, 1)));
        }
    }
    return largest;
}

/* In the last row cells lie on others.  Each was updated by itself. */
static double seam(const ocean *o, const double *state)
{
    double largest = 0.0;
    const int last = o->rows - 1;
    for (int column = 1; column < o->columns; ++column) {
        largest = fmax(
            largest, fabs(value(o, state, column, last, 0) - value(o, state, o->columns - column, last, 0)));
    }
    return largest;
}

/* Depends on every bit and its place. */
static uint64_t checksum(const ocean *o, const double *state)
{
    uint64_t sum = 0;
    for (int i = 0; i < TRACERS * o->columns * o->rows; ++i) {
        sum += checksum_of(state[i], (uint64_t)i);
    }
    return sum;
}

static int is_small(const char *what, double number, const char *how)
{
    const int good = number <= tolerance;
    printf("%-10s %.1e %s; at most %.0e: %s\n", what, number, how, tolerance, good ? "good" : "TOO MUCH");
    return good;
}

/* Prints what became of the tracers, on rank 0.  Returns whether nothing was lost, and nothing is askew. */
static int report(const ocean *o, double mass, double time, const double *state)
{
    double error;
    const double lost = fabs(mass_of(o, state, time, &error) / mass - 1.0);
    printf("error      %.3e of the tracer is elsewhere than it should be\n", error / mass);
    const int kept = is_small("mass", lost, "of the tracer was lost or made");
    const int even = is_small("symmetry", asymmetry(o, state), "between a cloud and its twin");
    const int sewn = is_small("fold", seam(o, state), "between cells that lie on each other");
    printf("checksum   %016" PRIx64 "\n", checksum(o, state));
    return kept && even && sewn;
}

/* ---- the run ---- */

static double turns_of(const char *text)
{
    char *end;
    const double turns = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(turns >= 0.0 && turns <= 1000.0)) {
        fail("'%s' is not a number from 0 to 1000\n%s", text, usage);
    }
    return turns;
}

static double mass_now(const solver *s, int rank)
{
    double unused = 0.0;
    double *state = gather(s, rank);
    const double mass = rank == 0 ? mass_of(&s->ocean, state, 0.0, &unused) : 0.0;
    free(state);
    return mass;
}

static int run(solver *s, int steps, double time, int rank, const char *picture)
{
    const double mass = mass_now(s, rank);
    for (int step = 0; step < steps; ++step) {
        solver_step(s);
    }
    double *state = gather(s, rank);
    const int good = rank == 0 ? report(&s->ocean, mass, time, state) : 1;
    const char *problem =
        rank == 0 && picture ? picture_write(picture, &s->ocean, &s->shape.part.partition, state) : NULL;
    if (problem != NULL) {
        fail("%s could not be written: %s", picture, problem);
    }
    free(state);
    return good;
}

int main(int argc, char **argv)
{
    int rank, steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 3 || argc > 4) {
        fail("%s", usage);
    }
    const int columns = whole_number(argv[1], 16, 100000, usage);
    if (columns % 16 != 0) {
        fail("%d is no multiple of 16\n%s", columns, usage);
    }
    const double time = turn * turns_of(argv[2]);
    const ocean o = ocean_of(columns);
    const hx_partition grid = tripolar_partition(o.columns, o.rows);
    hx_part mine;
    check(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    solver s;
    solver_create(&s, MPI_COMM_WORLD, &mine, time, &steps);
    if (rank == 0) {
        const int *parts = mine.partition.ranks;
        printf("tripolar   %d x %d cells in %d x %d blocks, %d steps\n", o.columns, o.rows, parts[0],
               parts[1], steps);
    }
    const int good = run(&s, steps, time, rank, argc > 3 ? argv[3] : NULL);
    solver_destroy(&s);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
