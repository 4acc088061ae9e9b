/*
 * Rank 0 does not finish an exchange, and rank 1 waits for it inside MPI, where only deadline_exit helps.
 *
 *   stuck TRANSPORT none      rank 0 does not even start
 *   stuck TRANSPORT started   rank 0 has started
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 60 };

static int late; /* rank 0 is, from here on */

/* Memory that ranks share needs no flush, so it would wait for nobody. */
int MPI_Win_flush(int target, MPI_Win win)
{
    if (late) {
        sleep(LONG);
    }
    return PMPI_Win_flush(target, win);
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    if (argc != 3) {
        return 2;
    }
    harness_setting s;
    harness_set(&s, argv[1]);
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect(strstr(hx_describe(handle), "not as chosen") == NULL);
    if (harness_rank > 0 || strcmp(argv[2], "started") == 0) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    late = 1;
    if (harness_rank > 0) {
        hx_finish(handle, EXAMPLE_BOTH);
        printf("finish came back: %s\n", hx_last_error());
    } else {
        sleep(LONG); /* until rank 1 ends the job */
    }
    return 1;
}
