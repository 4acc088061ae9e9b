/*
 * How long an exchange takes on this network, from the moment in which all ranks start it until the last one has
 * finished.  Ranks of one machine have one clock, so they begin at a time that rank 0 chooses.
 *
 *   fabric X Y Z     an exchange of duo.lua on so many cells
 *   fabric pingpong  half of the way to the last rank and back, with 8 bytes
 *
 * Rank 0 prints microseconds: the median of some tries.
 */
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 11, LEAD_MS = 150 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double time)
{
    const long seconds = (long)time;
    const struct timespec t = {seconds, (long)(1e9 * (time - (double)seconds))};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Seconds of each try, as the slowest rank has them; the first ones open connections, and are not counted. */
static void print_median(double seconds[], int tries)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    qsort(seconds, (size_t)tries, sizeof *seconds, compare);
    if (rank == 0) {
        printf("%.1f\n", 1e6 * seconds[tries / 2]);
    }
}

static void time_exchanges(int cells[3])
{
    enum { WARM = 6 };
    double took[WARM + TRIES];
    const hx_partition grid = duo_partition(cells[0], cells[1], cells[2]);
    hx_part mine;
    duo *halo = NULL;
    duo_fields fields = {0};
    ring_need(hx_decompose(MPI_COMM_WORLD, &grid, &mine));
    const duo_shape shape = duo_shape_dense(&mine);
    ring_need(duo_create(MPI_COMM_WORLD, &shape, NULL, &halo));
    fields.u = calloc(duo_points(&shape, DUO_U), sizeof *fields.u);
    for (int i = 0; i < WARM + TRIES && fields.u; ++i) {
        double begin = now() + 1e-3 * LEAD_MS;
        MPI_Bcast(&begin, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        sleep_until(begin);
        ring_need(duo_first(halo, &fields));
        const double mine_took = now() - begin;
        MPI_Allreduce(&mine_took, &took[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    print_median(&took[WARM], TRIES);
    ring_need(duo_destroy(halo));
    free(fields.u);
}

static void time_pingpong(void)
{
    double took[TRIES] = {0};
    double ball = 0.0;
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < TRIES; ++i) {
        const double begin = now();
        if (rank == 0) {
            MPI_Send(&ball, 1, MPI_DOUBLE, ranks - 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&ball, 1, MPI_DOUBLE, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == ranks - 1) {
            MPI_Recv(&ball, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&ball, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
        took[i] = 0.5 * (now() - begin);
    }
    print_median(took, TRIES);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc == 4) {
        time_exchanges((int[3]){atoi(argv[1]), atoi(argv[2]), atoi(argv[3])});
    } else {
        time_pingpong();
    }
    MPI_Finalize();
    return 0;
}
