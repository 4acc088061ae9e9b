/*
 * Clocks that run at different speeds, as those of two machines do in hours: that of rank 1 is slower by a twentieth.
 * Rank 1 comes 10 ms late to each exchange.  Whoever takes the speeds for the same takes most of that for transfer.
 *
 * The program is linked with -Wl,--wrap=clock_gettime.
 */
#include "check.h"
#include "isle.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 60, LATE = 10000000 }; /* nanoseconds */

static const char file[] = "drifting.json";
static double begun;
static bool slow;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const int code = __real_clock_gettime(clock, now);
    if (clock == CLOCK_MONOTONIC && slow) {
        const double real = (double)now->tv_sec + 1e-9 * (double)now->tv_nsec;
        const double shown = 1000.0 + begun + 0.95 * (real - begun);
        now->tv_sec = (time_t)shown;
        now->tv_nsec = (long)(1e9 * (shown - (double)now->tv_sec));
    }
    return code;
}

static double number_in(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    CHECK(at != NULL, "no %s in %s", key, text);
    return at ? strtod(at + strlen(key), NULL) : 0.0;
}

/* What is told of rank 0 first: of its waiting most is somebody's lateness. */
static void look(void)
{
    static char text[1 << 16];
    FILE *in = fopen(file, "r");
    CHECK(in != NULL, "there is no %s", file);
    if (in) {
        text[fread(text, 1, sizeof text - 1, in)] = '\0';
        fclose(in);
        const double wait = number_in(text, "\"wait_seconds\":");
        const double late = number_in(text, "\"late_seconds\":");
        CHECK(wait > 0.8e-9 * LATE * STEPS, "waited %g s", wait);
        CHECK(late > 0.5 * wait, "of %g s of waiting %g are told to be lateness", wait, late);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank;
    hx_partition grid = isle_partition(8, 4);
    hx_part mine;
    isle *halo;
    isle_fields f;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "p2p";
    grid.ranks[ISLE_AXIS_X] = 2;
    grid.ranks[ISLE_AXIS_Y] = 1;
    setenv("HX_STATS", "1", 1);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begun = seconds();
    slow = rank == 1;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    const isle_shape shape = isle_shape_dense(&mine);
    CHECK_STATUS(isle_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK);
    CHECK_STATUS(isle_alloc(halo, &f), HX_OK);
    for (int step = 0; step < STEPS; ++step) {
        nanosleep(&(struct timespec){.tv_nsec = slow ? LATE : 0}, NULL);
        CHECK_STATUS(isle_plain(halo, &f), HX_OK);
    }
    CHECK_STATUS(hx_stats(isle_handle(halo), file), HX_OK);
    if (rank == 0) {
        look();
        remove(file);
    }
    CHECK_STATUS(isle_destroy(halo), HX_OK);
    return check_verdict("clocks that drift");
}
