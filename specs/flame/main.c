/*
 * flame NX NY STEPS
 *
 * A flame spreads from a corner through a mixture.  A cell that burns takes many small steps in time, so work is where
 * the flame is, and moves with it.  From time to time blocks change their ranks; the state stays the same bit for bit.
 */
#include "flame.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: flame NX NY STEPS";

enum { PARTS_X = 12, PARTS_Y = 8, BLOCKS = PARTS_X * PARTS_Y, INTERVAL = 20 };

/* What rounding may do to the sum of all heat and fuel. */
static const double tolerance = 1e-12;

typedef struct flame_world {
    int rank, ranks;
    hx_partition partition;
    int owner[BLOCKS];
    flame *halo;
    int blocks; /* of this rank */
    flame_shape shape[BLOCKS];
    flame_fields now[BLOCKS], next[BLOCKS];
    double work[BLOCKS]; /* of each block: small steps since balance() was called last */
    int moves;
} flame_world;

/* ---- blocks and ranks ------------------------------------------------------------------------------------ */

/* The blocks of this rank, as the owners say. */
static hx_blocks list_blocks(flame_world *w)
{
    w->blocks = 0;
    for (int b = 0; b < BLOCKS; ++b) {
        if (w->owner[b] == w->rank) {
            hx_part part;
            check(hx_part_of(&w->partition, 0, b, &part));
            w->shape[w->blocks++] = flame_shape_dense(&part);
        }
    }
    return (hx_blocks){.comm = MPI_COMM_WORLD,
                       .tiles = 1,
                       .partition = &w->partition,
                       .count = w->blocks,
                       .owners = w->owner};
}

static void create(flame_world *w)
{
    for (int b = 0; b < BLOCKS; ++b) {
        w->owner[b] = b * w->ranks / BLOCKS;
    }
    const hx_blocks blocks = list_blocks(w);
    check(flame_create_blocks(&blocks, w->shape, NULL, &w->halo));
    check(flame_alloc(w->halo, w->now));
    check(flame_alloc(w->halo, w->next));
}

/* Blocks go to ranks that have less to do, with the state that they hold. */
static void balance(flame_world *w)
{
    int moves;
    check(flame_rebalance(w->halo, w->work, w->owner, &moves));
    if (moves > 0) {
        flame *halo;
        flame_fields state[BLOCKS];
        const hx_blocks blocks = list_blocks(w);
        check(flame_create_like(w->halo, &blocks, w->shape, &halo));
        check(flame_alloc(halo, state));
        check(flame_redistribute(w->halo, w->now, halo, state));
        check(flame_destroy(w->halo)); /* its arrays go with it */
        w->halo = halo;
        check(flame_alloc(halo, w->next));
        for (int b = 0; b < w->blocks; ++b) {
            w->now[b] = state[b];
        }
        w->moves += moves;
    }
    for (int b = 0; b < w->blocks; ++b) {
        w->work[b] = 0.0;
    }
}

/* ---- the model ------------------------------------------------------------------------------------------- */

static void start(flame_world *w)
{
    for (int b = 0; b < w->blocks; ++b) {
        const hx_part *part = &w->shape[b].part;
        for (int i = 0; i < part->n[0]; ++i) {
            for (int j = 0; j < part->n[1]; ++j) {
                const double x = (double)(part->first[0] + i) / part->partition.cells[0];
                const double y = (double)(part->first[1] + j) / part->partition.cells[1];
                w->now[b].t[flame_t_at(&w->shape[b], i, j)] = hypot(x, y) < 0.2 ? 1.0 : 0.0;
                w->now[b].fuel[flame_fuel_at(&w->shape[b], i, j)] = 1.0;
            }
        }
    }
}

/* Fuel becomes heat, the more small steps the hotter it is; returns how many there were. */
static int burn(double *t, double *fuel)
{
    const double heat = *t < 0.3 ? 0.0 : (*t - 0.3) * *fuel;
    const int steps = 1 + (int)(400.0 * heat);
    for (int s = 0; s < steps; ++s) {
        const double rate = *t < 0.3 ? 0.0 : (*t - 0.3) * *fuel;
        const double burnt = 0.5 * rate / steps;
        *t += burnt;
        *fuel -= burnt;
    }
    return steps;
}

static double spread(const flame_shape *shape, const double *f, int i, int j)
{
    const double here = f[flame_t_at(shape, i, j)]; /* both fields lie alike */
    const double along_x = f[flame_t_at(shape, i - 1, j)] - here + (f[flame_t_at(shape, i + 1, j)] - here);
    const double along_y = f[flame_t_at(shape, i, j - 1)] - here + (f[flame_t_at(shape, i, j + 1)] - here);
    return here + 0.15 * (along_x + along_y);
}

static int step_block(flame_world *w, int block)
{
    const flame_shape *shape = &w->shape[block];
    int steps = 0;
    for (int j = 0; j < shape->part.n[1]; ++j) {
        for (int i = 0; i < shape->part.n[0]; ++i) {
            double t = spread(shape, w->now[block].t, i, j);
            double fuel = spread(shape, w->now[block].fuel, i, j);
            steps += burn(&t, &fuel);
            w->next[block].t[flame_t_at(shape, i, j)] = t;
            w->next[block].fuel[flame_fuel_at(shape, i, j)] = fuel;
        }
    }
    return steps;
}

static void step(flame_world *w)
{
    check(flame_mixture(w->halo, w->now));
    for (int b = 0; b < w->blocks; ++b) {
        w->work[b] += step_block(w, b);
        const flame_fields last = w->now[b];
        w->now[b] = w->next[b];
        w->next[b] = last;
    }
}

/* ---- what came of it ------------------------------------------------------------------------------------- */

static double sum_of(const flame_world *w, uint64_t *checksum)
{
    double mine = 0.0, all;
    uint64_t bits = 0;
    for (int b = 0; b < w->blocks; ++b) {
        const hx_part *part = &w->shape[b].part;
        for (int i = 0; i < part->n[0]; ++i) {
            for (int j = 0; j < part->n[1]; ++j) {
                const size_t at = (size_t)flame_t_at(&w->shape[b], i, j);
                const uint64_t place = (uint64_t)(part->first[0] + i) * (uint64_t)part->partition.cells[1] +
                                       (uint64_t)(part->first[1] + j);
                mine += w->now[b].t[at] + w->now[b].fuel[at];
                bits +=
                    checksum_of(w->now[b].t[at], 2 * place) + checksum_of(w->now[b].fuel[at], 2 * place + 1);
            }
        }
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, checksum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The work of the busiest rank since balance() was called last, over the mean of all ranks. */
static double imbalance(const flame_world *w)
{
    double mine = 0.0, most, all;
    for (int b = 0; b < w->blocks; ++b) {
        mine += w->work[b];
    }
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return most * w->ranks / all;
}

int main(int argc, char **argv)
{
    static flame_world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.ranks);
    if (argc != 4) {
        fail("%s", usage);
    }
    w.partition = flame_partition(whole_number(argv[1], PARTS_X, 100000, usage),
                                  whole_number(argv[2], PARTS_Y, 100000, usage));
    w.partition.ranks[FLAME_AXIS_X] = PARTS_X;
    w.partition.ranks[FLAME_AXIS_Y] = PARTS_Y;
    const int steps = whole_number(argv[3], INTERVAL, 100000, usage);
    create(&w);
    start(&w);
    uint64_t checksum;
    const double before = sum_of(&w, &checksum);
    double first = 0.0, last = 0.0;
    for (int s = 1; s <= steps; ++s) {
        step(&w);
        if (s % INTERVAL == 0) {
            last = imbalance(&w);
            first = s == INTERVAL ? last : first;
            balance(&w);
        }
    }
    const double change = fabs(sum_of(&w, &checksum) / before - 1.0);
    if (w.rank == 0) {
        printf(
            "flame      %d moves of %d blocks; the busiest rank did %.2f times the mean at first, %.2f at last\n",
            w.moves, BLOCKS, first, last);
        printf("mixture    changed by %.1e of itself; at most %.0e: %s\n", change, tolerance,
               change < tolerance ? "good" : "TOO MUCH");
        printf("checksum   %016" PRIx64 "\n\n%s", checksum, flame_describe(w.halo));
    }
    check(flame_destroy(w.halo));
    MPI_Finalize();
    return change < tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
}
