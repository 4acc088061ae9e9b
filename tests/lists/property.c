/*
 * Exchanges of lists of points, by every transport: property [FIRST_SEED [SEEDS]]
 */
#include "trial.h"

#include "../exchange/check.h"
#include "specs.h"

#include <stdlib.h>

static const char *const transports[] = {"p2p", "persistent", "neighbor", "shared", "shared-pull", "auto"};
static const char *const windows[] = {"rma", "rma-get", "rma-fence", "rma-pscw", "mixed"}; /* long to make */
enum { TRANSPORTS = sizeof transports / sizeof *transports, WINDOWS = sizeof windows / sizeof *windows };

int main(int argc, char **argv)
{
    int rank = 0;
    int ranks = 1;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int first = argc > 1 ? atoi(argv[1]) : 0;
    const int seeds = argc > 2 ? atoi(argv[2]) : 8;
    for (int s = 0; s < specs_count; ++s) {
        for (int seed = first; seed < first + seeds; ++seed) {
            trial_run(specs[s], (uint64_t)seed, rank, ranks, transports, TRANSPORTS);
            trial_run(specs[s], (uint64_t)seed, rank, ranks, &windows[(s + seed) % WINDOWS], 1);
        }
    }
    return check_verdict("exchanges of lists of points");
}
