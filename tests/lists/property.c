/*
 * Exchanges of lists of points, by every transport: property [FIRST_SEED [SEEDS]]
 *
 * With HX_DIRECT_SMALLEST, and direct.c of libhx compiled along, short messages go straight into arrays, too.
 */
#include "trial.h"

#include "../exchange/carry.h"
#include "../exchange/check.h"
#include "specs.h"

#include <stdlib.h>
#include <unistd.h>

static char figures[] = "/tmp/hx-lists-XXXXXX"; /* of rank 0, which alone looks at it */

static const trial_way each[] = {
    {.transport = "p2p"},    {.transport = "persistent"}, {.transport = "neighbor"},
    {.transport = "shared"}, {.transport = "auto"},
};
/* Those that take long to make: one of them for each cloud. */
static const trial_way one[] = {
    {.transport = "rma"},         {.transport = "rma-get"}, {.transport = "rma-fence"},
    {.transport = "rma-pscw"},    {.transport = "mixed"},   {.transport = "manual", .carry = carry},
#if MPI_VERSION >= 4
    {.transport = "partitioned"},
#endif
};
/* Of a large cloud: packed, and straight into arrays of alloc. */
static const trial_way large[] = {{.transport = "p2p"}, {.transport = "shared"}};
/* Two clouds of each spec. */
static const trial_way measured = {.transport = "auto", .figures = figures};
enum {
    EACH = sizeof each / sizeof *each,
    ONE = sizeof one / sizeof *one,
    LARGE = sizeof large / sizeof *large
};

int main(int argc, char **argv)
{
    int rank = 0;
    int ranks = 1;
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int file = rank == 0 ? mkstemp(figures) : -1;
    CHECK(rank != 0 || file >= 0, "there is no room for a file in /tmp");
    const int first = argc > 1 ? atoi(argv[1]) : 0;
    const int seeds = argc > 2 ? atoi(argv[2]) : 8;
    for (int s = 0; s < specs_count; ++s) {
        if (s < 2) { /* they have lists with levels and without */
            trial_comb(specs[s], rank, ranks, large, LARGE);
        }
        for (int seed = first; seed < first + seeds; ++seed) {
            trial_run(specs[s], (uint64_t)seed, rank, ranks, each, EACH);
            trial_run(specs[s], (uint64_t)seed, rank, ranks, &one[(s + seed) % ONE], 1);
            trial_run(specs[s], (uint64_t)seed, rank, ranks, &measured, seed < first + 2);
        }
    }
    if (rank == 0) {
        close(file);
        unlink(figures);
    }
#ifdef HX_DIRECT_SMALLEST
    long straight = trial_straight();
    MPI_Allreduce(MPI_IN_PLACE, &straight, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(ranks == 1 || straight > 0, "no message went straight into an array");
#endif
    return check_verdict("exchanges of lists of points");
}
