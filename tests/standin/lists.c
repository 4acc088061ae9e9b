/*
 * Lists of points, by ids and otherwise, in orders of delivery that a seed draws: lists [--parallel]
 * [--orders N]
 */
#include "../lists/trial.h"
#include "check.h"
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec cells_spec, edges_spec, strata_spec;

static const trial_way ways[] = {
    {.transport = "p2p"},
    {.transport = "persistent"},
    {.transport = "neighbor"},
    {.transport = "shared"},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct order {
    long seed;
    int ranks;
} order;

static void run_rank(void *context, int rank)
{
    const order *o = context;
    const hx_spec *const specs[] = {&cells_spec, &edges_spec, &strata_spec};
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    trial_run(specs[o->seed % 3], (uint64_t)o->seed, rank, o->ranks, &ways[o->seed % WAYS], 1);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    long orders = 300;
    bool parallel = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--parallel") == 0) {
            parallel = true;
        } else if (i + 1 < argc && strcmp(argv[i], "--orders") == 0) {
            orders = strtol(argv[++i], NULL, 10);
        }
    }
    for (long seed = 1; seed <= orders && check_failures() == 0; ++seed) {
        char about[64];
        order o = {seed, 1 + (int)(seed % 5)};
        snprintf(about, sizeof about, "lists, order %ld on %d ranks", seed, o.ranks);
        standin_run(&(standin_setting){o.ranks, (uint64_t)seed, parallel, about}, run_rank, &o);
    }
    printf("lists of points in %ld orders: %ld failures\n", orders, check_failures());
    return check_failures() > 0;
}
