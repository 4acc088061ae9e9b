/*
 * Windows that do not work on one rank: every rank goes by persistent requests, and says so.
 *
 *   rma_test [FAULT]    only that one, by its number; with MPICH, calls wait for ever once many windows were
 * abandoned
 */
#include "example.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

typedef enum fault { NO_FAULT, NO_WINDOW, NO_FLUSH, NO_EPOCH, OTHER_BYTES, NO_FLAG, FAULTS } fault;

static fault present; /* on the last rank */
static int windows;   /* that are there */

static int has(fault f)
{
    return present == f && harness_rank == harness_ranks - 1;
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
    const int code = PMPI_Win_allocate_shared(size, unit, info, comm, base, win);
    windows += code == MPI_SUCCESS;
    return has(NO_WINDOW) ? MPI_ERR_OTHER : code;
}

int MPI_Win_free(MPI_Win *win)
{
    windows--;
    return PMPI_Win_free(win);
}

int MPI_Win_flush(int target, MPI_Win win)
{
    const int code = PMPI_Win_flush(target, win);
    return has(NO_FLUSH) ? MPI_ERR_OTHER : code;
}

int MPI_Win_fence(int assertions, MPI_Win win)
{
    const int code = PMPI_Win_fence(assertions, win);
    return has(NO_EPOCH) ? MPI_ERR_OTHER : code;
}

int MPI_Win_wait(MPI_Win win)
{
    const int code = PMPI_Win_wait(win);
    return has(NO_EPOCH) ? MPI_ERR_OTHER : code;
}

/* Flags have 8 bytes. */
int MPI_Put(const void *from, int count, MPI_Datatype type, int target, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win win)
{
    static const unsigned char zeros[1 << 16];
    expect(count <= (int)sizeof zeros);
    if (count == 8 && has(NO_FLAG)) {
        return MPI_SUCCESS;
    }
    return PMPI_Put(count > 8 && has(OTHER_BYTES) ? zeros : from, count, type, target, at, there, type_there,
                    win);
}

int MPI_Get(void *into, int count, MPI_Datatype type, int target, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win win)
{
    const int code = PMPI_Get(into, count, type, target, at, there, type_there, win);
    if (has(OTHER_BYTES)) {
        PMPI_Win_flush(target, win);
        memset(into, 0, (size_t)count);
    }
    return code;
}

static int warnings;
static char warning[1024]; /* the last */

static void take_warning(void *context, int level, const char *line)
{
    (void)context;
    warnings += level == HX_LOG_WARNING;
    strncpy(warning, line, sizeof warning - 1);
}

static void test_fault(const char *transport, fault f)
{
    static const char *const reason[] = {
        [NO_FAULT] = "",
        [NO_WINDOW] = "MPI_Win_allocate",
        [NO_EPOCH] = "Putting messages into windows",
        [NO_FLUSH] = "took more than 1 seconds", /* says a rank that waits for the last */
        [OTHER_BYTES] = "which sent",
        [NO_FLAG] = "took more than 1 seconds",
    };
    harness_setting s;
    harness_set(&s, transport);
    s.options.log_level = HX_LOG_WARNING;
    s.options.log = take_warning;
    warnings = 0;
    present = f;
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    present = NO_FAULT;
    const int works = f == NO_FAULT || harness_ranks == 1; /* who is alone has no messages */
    expect((warnings == 0) == works);
    expect((strstr(hx_describe(handle), "by persistent, not as chosen: Rank ") == NULL) == works);
    if (!works) {
        expect_text(warning, reason[f]);
        expect_text(hx_describe(handle), reason[f]);
    }
    example_fields fields = example_alloc(&s.e, &s.shape);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    example_free(&fields);
    expect_ok(hx_destroy(handle));
    expect(f != NO_FAULT || windows == 0);
    windows = 0; /* those that failed are left where they are */
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    const int only = argc > 1 ? atoi(argv[1]) : -1;
    for (fault f = NO_FAULT; f < FAULTS; ++f) {
        if (only >= 0 && f != (fault)only) {
            continue;
        }
        if (f != NO_EPOCH) {
            test_fault("rma", f);
            test_fault("rma-get", f);
        }
        if (f != NO_FLUSH && f != NO_FLAG) { /* of which these two have none */
            test_fault("rma-fence", f);
            test_fault("rma-pscw", f);
        }
    }
    return harness_end();
}
