/*
 * sphere TEST CELLS HOURS [PX PY] [PICTURE]
 *
 * Shallow water on a sphere of 6 tiles of CELLS x CELLS: Williamson's test 2 or 5, or 0, a sea at rest.  PX
 * and PY are blocks along both axes of each tile; left out or 0, they are such that each rank owns as many.
 */
#include "../common/check.h"
#include "../common/checksum.h"
#include "picture.h"
#include "vorticity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: sphere TEST CELLS HOURS [PX PY] [PICTURE]";

/* What rounding may do to the mass. */
static const double tolerance = 1e-12;

/* ---- blocks ---- */

static int blocks_of(const hx_partition *tile)
{
    return tile->ranks[0] * tile->ranks[1];
}

typedef struct owners {
    int ranks, blocks; /* of all tiles */
} owners;

/* The blocks of all tiles in order, evenly: any number of ranks will do. */
static int owner_of(void *context, int tile, int part)
{
    const owners *o = context;
    const long long number = tile * (o->blocks / TILES) + part;
    return (int)(number * o->ranks / o->blocks);
}

/* Chooses the blocks of a tile, if nobody did: the fewest with which each rank owns as many. */
static void divide(hx_partition *tile, int ranks)
{
    if (tile->ranks[0] == 0 || tile->ranks[1] == 0) {
        int parts = 1;
        while (TILES * parts * parts % ranks != 0) {
            ++parts;
        }
        tile->ranks[0] = tile->ranks[1] = parts;
    }
}

static int count_owned(owners *o, int rank)
{
    int count = 0;
    for (int number = 0; number < o->blocks; ++number) {
        count += owner_of(o, number / (o->blocks / TILES), number % (o->blocks / TILES)) == rank;
    }
    return count;
}

/* ---- the whole sphere on one rank ---- */

/*
 * All states on rank 0: [tile][y][x], NUMBERS of each cell; free() it.  NULL elsewhere.  Sums over them do
 * not depend on the ranks.  Each rank has the bits of its own cells, and zeros elsewhere.
 */
static double *gather(const solver *s, int rank)
{
    const int n = s->cells, count = TILES * n * n * NUMBERS;
    double *mine = allocate((size_t)count, sizeof *mine);
    for (int number = 0; number < s->blocks; ++number) {
        const sphere_shape *shape = &s->block[number].shape;
        const hx_part *part = &shape->part;
        for (int j = 0; j < part->n[1]; ++j) {
            for (int i = 0; i < part->n[0]; ++i) {
                const int at = (part->tile * n + part->first[1] + j) * n + part->first[0] + i;
                memcpy(mine + (ptrdiff_t)NUMBERS * at, s->now[number].q + sphere_q_at(shape, i, j, 0),
                       NUMBERS * sizeof *mine);
            }
        }
    }
    double *all = rank == 0 ? allocate((size_t)count, sizeof *all) : NULL;
    MPI_Reduce(mine, all, count, MPI_UINT64_T, MPI_BOR, 0, MPI_COMM_WORLD);
    free(mine);
    return all;
}

/* Integrals over the sphere, of the depth and of its error: what Williamson's norms are made of. */
typedef struct sums {
    double mass;
    double error, error_squared, largest_error;
    double exact, exact_squared, largest;
    double lowest_level, highest_level;
} sums;

static sums sums_of(const flow *f, int n, const double *state)
{
    sums s = {.lowest_level = INFINITY, .highest_level = -INFINITY};
    for (int number = 0; number < TILES * n * n; ++number) {
        const int tile = number / (n * n), i = number % n, j = number / n % n;
        const vec place = middle_of_cell(tile, i, j, n);
        const double area = area_of_cell(tile, i, j, n), bed = flow_bed(f, place);
        const double level = state[NUMBERS * number + SURFACE];
        const double depth = level - bed, exact = flow_level(f, place) - bed;
        const double error = fabs(depth - exact);
        s.mass += area * depth;
        s.error += area * error;
        s.error_squared += area * error * error;
        s.largest_error = fmax(s.largest_error, error);
        s.exact += area * exact;
        s.exact_squared += area * exact * exact;
        s.largest = fmax(s.largest, exact);
        s.lowest_level = fmin(s.lowest_level, level);
        s.highest_level = fmax(s.highest_level, level);
    }
    return s;
}

/* Depends on every bit and its place. */
static uint64_t checksum(int n, const double *state)
{
    uint64_t sum = 0;
    for (size_t number = 0; number < (size_t)(TILES * NUMBERS) * (size_t)n * (size_t)n; ++number) {
        sum += checksum_of(state[number], number);
    }
    return sum;
}

/* Prints what became of the water, on rank 0.  Returns whether none was lost. */
static int report(const solver *s, double mass, double vorticity_error, const double *state)
{
    const flow *f = s->flow;
    const sums now = sums_of(f, s->cells, state);
    const double lost = fabs(now.mass / mass - 1.0);
    printf("surface    %.3f m to %.3f m high\n", now.lowest_level, now.highest_level);
    if (f->steady) {
        printf("error      l1 %.3e  l2 %.3e  linf %.3e  of the depth\n", now.error / now.exact,
               sqrt(now.error_squared / now.exact_squared), now.largest_error / now.largest);
    }
    if (f->steady && f->speed > 0.0) {
        printf("vorticity  %.3e of the largest: its error at the corners of the cells\n",
               vorticity_error / flow_vorticity(f, f->axis));
    }
    printf("mass       changed by %.1e of itself; at most %.0e: %s\n", lost, tolerance,
           lost <= tolerance ? "good" : "TOO MUCH");
    printf("checksum   %016" PRIx64 "\n", checksum(s->cells, state));
    return lost <= tolerance;
}

/* ---- the run ---- */

static double mass_of(const solver *s, int rank)
{
    double *state = gather(s, rank);
    const double mass = rank == 0 ? sums_of(s->flow, s->cells, state).mass : 0.0;
    free(state);
    return mass;
}

static void draw(const char *path, const solver *s, double seconds, const double *state)
{
    const size_t cells = (size_t)TILES * (size_t)s->cells * (size_t)s->cells;
    double *surface = allocate(cells, sizeof *surface);
    for (size_t number = 0; number < cells; ++number) {
        surface[number] = state[NUMBERS * number + SURFACE];
    }
    const char *problem = picture_write(path, s->flow, s->cells, seconds, surface);
    if (problem != NULL) {
        fail("%s could not be written: %s", path, problem);
    }
    free(surface);
}

/* Runs, and prints.  Returns whether nothing was lost; on rank 0, the others believe it. */
static int run(solver *s, int steps, int rank, const char *picture)
{
    const double mass = mass_of(s, rank);
    for (int step = 0; step < steps; ++step) {
        solver_step(s);
    }
    const double mine = vorticity_error(s);
    double largest;
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double *state = gather(s, rank);
    int good = 1;
    if (rank == 0) {
        good = report(s, mass, largest, state);
    }
    if (rank == 0 && picture != NULL) {
        draw(picture, s, steps * s->time_step, state);
    }
    free(state);
    return good;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4 || argc > 7) {
        fail("%s", usage);
    }
    const flow *f = flow_of_test(whole_number(argv[1], 0, 1000, usage));
    if (f == NULL) {
        fail("there is no test %s; there are 2, 5 and 0\n%s", argv[1], usage);
    }
    const int cells = whole_number(argv[2], 2, 1000, usage), hours = whole_number(argv[3], 0, 1000, usage);
    const int steps = (int)ceil(3600.0 * hours / solver_time_step(f, cells));
    const char *picture = argc % 2 == 1 ? argv[argc - 1] : NULL;

    hx_partition tile = sphere_partition(cells, cells);
    for (int a = 0; a < 2 && argc > 5; ++a) {
        tile.ranks[a] = whole_number(argv[4 + a], 0, 1000, usage);
    }
    divide(&tile, ranks);
    const hx_partition tiles[TILES] = {tile, tile, tile, tile, tile, tile};
    owners o = {.ranks = ranks, .blocks = TILES * blocks_of(&tile)};
    const hx_blocks blocks = {
        .comm = MPI_COMM_WORLD,
        .tiles = TILES,
        .partition = tiles,
        .owner = owner_of,
        .context = &o,
        .count = count_owned(&o, rank),
    };
    solver s;
    solver_create(&s, &blocks, f, steps > 0 ? 3600.0 * hours / steps : 0.0);
    if (rank == 0) {
        printf("sphere     test %d (%s), 6 x %d x %d cells in 6 x %d x %d blocks, ranks: %d, %d steps of "
               "%.0f s\n",
               f->test, f->name, cells, cells, tile.ranks[0], tile.ranks[1], ranks, steps, s.time_step);
    }
    const int good = run(&s, steps, rank, picture);
    solver_destroy(&s);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
