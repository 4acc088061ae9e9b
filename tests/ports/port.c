#include "port.h"

#include "../../specs/common/check.h"
#include "../bench/times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 12, ROUNDS = 41 };

static const double seconds = 0.02; /* of a round of one way */
static double entered, spent;       /* microseconds */
static int rank;

void port_enter(void)
{
    entered = now();
}

void port_leave(void)
{
    spent += now() - entered;
}

double port_larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* ---- is it right? ---- */

static bool try_way(const port *p, way by)
{
    static const char *const name[WAYS] = {"by hand", "emitted"};
    void *parallel = p->create(MPI_COMM_WORLD, p->n, by), *serial = p->create(MPI_COMM_SELF, p->n, BY_HAND);
    for (int s = 0; s < STEPS; ++s) {
        p->step(parallel);
        p->step(serial);
    }
    double worst = p->difference(parallel, serial);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const bool right = worst <= p->tolerance; /* not so for NaN */
    if (rank == 0) {
        printf("%-9s n = %d, %s: differs by %.1e after %d steps, at most %.0e: %s\n", p->name, p->n, name[by],
               worst, STEPS, p->tolerance, right ? "good" : "WRONG");
    }
    p->destroy(parallel);
    p->destroy(serial);
    return right;
}

/* ---- how long does it take? ---- */

typedef struct times {
    double step[ROUNDS], exchange[ROUNDS];
} times;

/* Of the slowest rank, of one step. */
static void measure(const port *p, void *state, int steps, double *step, double *exchange)
{
    MPI_Barrier(MPI_COMM_WORLD);
    spent = 0.0;
    const double begin = now();
    for (int s = 0; s < steps; ++s) {
        p->step(state);
    }
    double both[2] = {(now() - begin) / steps, spent / steps};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *step = both[0];
    *exchange = both[1];
}

static void report(const char *what, double own[ROUNDS], double hand[ROUNDS])
{
    double ratio[ROUNDS];
    for (int r = 0; r < ROUNDS; ++r) {
        ratio[r] = own[r] / hand[r];
    }
    printf("  %s %.2f us, by hand %.2f: %.2f (%.2f-%.2f)", what, median(own, ROUNDS), median(hand, ROUNDS),
           median(ratio, ROUNDS), quantile(ratio, ROUNDS, 0.25), quantile(ratio, ROUNDS, 0.75));
}

static void compare(const port *p, int n)
{
    static times all[WAYS];
    void *state[WAYS];
    double step, exchange;
    for (int w = 0; w < WAYS; ++w) {
        state[w] = p->create(MPI_COMM_WORLD, n, (way)w);
        measure(p, state[w], 3, &step, &exchange); /* warm */
    }
    const int steps = 1 + (int)(seconds * 1e6 / step);
    for (int r = 0; r < ROUNDS; ++r) {
        for (int i = 0; i < WAYS; ++i) {
            const int w = r % 2 == 0 ? i : WAYS - 1 - i;
            measure(p, state[w], steps, &all[w].step[r], &all[w].exchange[r]);
        }
    }
    if (rank == 0) {
        printf("%-9s n = %-4d", p->name, n);
        report("exchanges", all[EMITTED].exchange, all[BY_HAND].exchange);
        report("step", all[EMITTED].step, all[BY_HAND].step);
        printf("\n");
        fflush(stdout);
    }
    for (int w = 0; w < WAYS; ++w) {
        p->destroy(state[w]);
    }
}

int port_main(const port *p, int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool measured = argc == 2 && strcmp(argv[1], "-b") == 0;
    if (argc > 1 && !measured) {
        fail("usage: %s [-b]", p->name);
    }
    bool right = true;
    for (int w = 0; w < WAYS; ++w) {
        right = try_way(p, (way)w) && right;
    }
    for (int i = 0; measured && right && i < 4 && p->sizes[i] > 0; ++i) {
        compare(p, p->sizes[i]);
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
