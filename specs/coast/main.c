/*
 * coast NX NY STEPS [write MAP | read MAP]
 *
 * Heat spreads in an ocean with a continent and islands.  Blocks of land have no owner; which ranks have the
 * others is chosen, or read from the file that another run wrote.  No heat may be lost.
 */
#include "coast.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include <hx/mask.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: coast NX NY STEPS [write MAP | read MAP]";

/* Cells of a block along each axis, at most: as suits the caches of some machine. */
enum { thickness = 8 };

/* What rounding may do to the sum of all heat. */
static const double tolerance = 1e-12;

typedef struct ocean {
    int cells[2];
    hx_map *map;
    coast *halo;
    int blocks; /* of this rank */
    coast_shape *shape;
    coast_fields *now, *next;
} ocean;

/* ---- the case ------------------------------------------------------------------------------------------ */

/* Is there water in a column?  A continent, and islands beside it.  cell: x and y. */
static int wet_at(void *context, const int cell[])
{
    const ocean *o = context;
    const double x = (cell[0] + 0.5) / o->cells[0], y = (cell[1] + 0.5) / o->cells[1];
    return fabs(x - 0.3 - 0.1 * sin(7.0 * y)) > 0.14 && hypot(x - 0.7, y - 0.6) > 0.12 &&
           hypot(x - 0.85, y - 0.2) > 0.06;
}

static int is_wet(const ocean *o, int i, int j)
{
    const int cell[] = {(i + o->cells[0]) % o->cells[0], j};
    return j >= 0 && j < o->cells[1] && wet_at((void *)(uintptr_t)o, cell);
}

static void start(ocean *o)
{
    for (int b = 0; b < o->blocks; ++b) {
        const hx_part *part = &o->shape[b].part;
        for (int i = 0; i < part->n[0]; ++i) {
            for (int j = 0; j < part->n[1]; ++j) {
                const double y = (part->first[1] + j + 0.5) / o->cells[1];
                const int wet = is_wet(o, part->first[0] + i, part->first[1] + j);
                o->now[b].t[coast_t_at(&o->shape[b], i, j)] =
                    wet ? 2.0 + 25.0 * y * (1.0 + (part->first[0] + i) % 3) : 0.0;
            }
        }
    }
}

/* ---- the model ----------------------------------------------------------------------------------------- */

/* Through a face, between two columns of water. */
static double flux(const ocean *o, const coast_shape *shape, const double *t, const int at[], const int to[])
{
    const int *first = shape->part.first;
    if (!is_wet(o, first[0] + to[0], first[1] + to[1])) {
        return 0.0; /* what a ghost point holds there is not read */
    }
    return 0.2 * (t[coast_t_at(shape, to[0], to[1])] - t[coast_t_at(shape, at[0], at[1])]);
}

static void step_block(const ocean *o, int block)
{
    const coast_shape *shape = &o->shape[block];
    const hx_part *part = &shape->part;
    const double *t = o->now[block].t;
    for (int i = 0; i < part->n[0]; ++i) {
        for (int j = 0; j < part->n[1]; ++j) {
            double gain = 0.0;
            if (is_wet(o, part->first[0] + i, part->first[1] + j)) {
                const int at[] = {i, j};
                const double along_x =
                    flux(o, shape, t, at, (int[]){i - 1, j}) + flux(o, shape, t, at, (int[]){i + 1, j});
                const double along_y =
                    flux(o, shape, t, at, (int[]){i, j - 1}) + flux(o, shape, t, at, (int[]){i, j + 1});
                gain = along_x + along_y;
            }
            o->next[block].t[coast_t_at(shape, i, j)] = t[coast_t_at(shape, i, j)] + gain;
        }
    }
}

static void step(ocean *o)
{
    check(coast_heat(o->halo, o->now));
    for (int b = 0; b < o->blocks; ++b) {
        step_block(o, b);
    }
    coast_fields *last = o->now;
    o->now = o->next;
    o->next = last;
}

/* ---- blocks and ranks ---------------------------------------------------------------------------------- */

static void make_map(ocean *o, int ranks, int rank, char **option)
{
    if (option && strcmp(option[0], "read") == 0) {
        check(hx_map_read(option[1], &o->map));
        if (o->map->ranks != ranks) {
            fail("%s is a map for %d ranks; run as many", option[1], o->map->ranks);
        }
        return;
    }
    hx_partition request = coast_partition(o->cells[0], o->cells[1]);
    for (int a = 0; a < 2; ++a) {
        request.ranks[a] = (o->cells[a] + thickness - 1) / thickness; /* 0 would have it chosen */
    }
    const hx_mask mask = {.wet_at = wet_at, .context = o};
    check(hx_choose_mask(ranks, &request, &mask, &o->map));
    if (option && rank == 0) {
        check(hx_map_write(o->map, option[1]));
    }
}

static void make_blocks(ocean *o, int rank)
{
    const hx_map *map = o->map;
    o->shape = allocate((size_t)map->blocks, sizeof *o->shape);
    for (int b = 0; b < map->blocks; ++b) {
        if (map->owner[b] == rank) {
            hx_part part;
            check(hx_part_of(&map->partition, 0, b, &part));
            o->shape[o->blocks++] = coast_shape_dense(&part);
        }
    }
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD,
                              .tiles = 1,
                              .partition = &map->partition,
                              .count = o->blocks,
                              .owners = map->owner};
    check(coast_create_blocks(&blocks, o->shape, NULL, &o->halo));
    o->now = allocate((size_t)o->blocks, sizeof *o->now);
    o->next = allocate((size_t)o->blocks, sizeof *o->next);
    check(coast_alloc(o->halo, o->now));
    check(coast_alloc(o->halo, o->next));
}

/* ---- what came of it ----------------------------------------------------------------------------------- */

static double heat_of(const ocean *o, uint64_t *checksum)
{
    double sum = 0.0, heat;
    uint64_t bits = 0;
    for (int b = 0; b < o->blocks; ++b) {
        const hx_part *part = &o->shape[b].part;
        for (int i = 0; i < part->n[0]; ++i) {
            for (int j = 0; j < part->n[1]; ++j) {
                const int x = part->first[0] + i, y = part->first[1] + j;
                const double t = o->now[b].t[coast_t_at(&o->shape[b], i, j)];
                if (is_wet(o, x, y)) {
                    sum += t;
                    bits += checksum_of(t, (uint64_t)x * (uint64_t)o->cells[1] + (uint64_t)y);
                }
            }
        }
    }
    MPI_Allreduce(&sum, &heat, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, checksum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return heat;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int has_map = argc == 6 && (strcmp(argv[4], "write") == 0 || strcmp(argv[4], "read") == 0);
    if (argc != 4 && !has_map) {
        fail("%s", usage);
    }
    ocean o = {.cells = {whole_number(argv[1], 1, 100000, usage), whole_number(argv[2], 1, 100000, usage)}};
    const int steps = whole_number(argv[3], 1, 100000, usage);
    make_map(&o, ranks, rank, has_map ? argv + 4 : NULL);
    make_blocks(&o, rank);
    start(&o);
    uint64_t checksum;
    const double before = heat_of(&o, &checksum);
    for (int s = 0; s < steps; ++s) {
        step(&o);
    }
    const double change = fabs(heat_of(&o, &checksum) / before - 1.0);
    if (rank == 0) {
        printf(
            "coast      %d x %d columns in %d x %d blocks, %d of them land; %.2f times the mean on the busiest rank\n",
            o.cells[0], o.cells[1], o.map->partition.ranks[0], o.map->partition.ranks[1], o.map->land,
            (double)o.map->most * ranks / (double)o.map->wet);
        printf("heat       changed by %.1e of itself; at most %.0e: %s\n", change, tolerance,
               change < tolerance ? "good" : "TOO MUCH");
        printf("checksum   %016" PRIx64 "\n\n%s", checksum, coast_describe(o.halo));
    }
    check(coast_destroy(o.halo));
    hx_map_free(o.map);
    free(o.shape);
    free(o.now);
    free(o.next);
    MPI_Finalize();
    return change < tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
}
