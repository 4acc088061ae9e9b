/*
 * Neighborhood collectives that do not work on one rank: every rank goes by persistent requests, and says so.
 */
#include "base/clock.h"
#include "example.h"
#include "harness.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef enum fault { NO_FAULT, NO_GRAPH, NO_CALL, OTHER_BYTES, NO_END, NO_START, FAULTS } fault;

static fault present; /* on the last rank */
static MPI_Request endless = MPI_REQUEST_NULL;

/* Time stands still unless ranks wait for what never comes: else a busy machine could end a probe. */
double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

double __wrap_hxi_clock(void)
{
    return present == NO_END ? __real_hxi_clock() : 0.0;
}

static int has(fault f)
{
    return present == f && harness_rank == harness_ranks - 1;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int ins, const int from[], const int in_weight[], int outs,
                                   const int to[], const int out_weight[], MPI_Info info, int reorder,
                                   MPI_Comm *graph)
{
    const int code = PMPI_Dist_graph_create_adjacent(comm, ins, from, in_weight, outs, to, out_weight, info,
                                                     reorder, graph);
    return has(NO_GRAPH) ? MPI_ERR_OTHER : code;
}

int MPI_Ineighbor_alltoallv(const void *out, const int out_count[], const int out_at[], MPI_Datatype out_type,
                            void *in, const int in_count[], const int in_at[], MPI_Datatype in_type,
                            MPI_Comm comm, MPI_Request *request)
{
    static unsigned char zeros[4096];
    const int code = PMPI_Ineighbor_alltoallv(has(OTHER_BYTES) ? zeros : out, out_count, out_at, out_type, in,
                                              in_count, in_at, in_type, comm, request);
    endless = has(NO_END) ? *request : MPI_REQUEST_NULL;
    return has(NO_CALL) ? MPI_ERR_OTHER : code;
}

#ifdef HX_MPI_NEIGHBOR_INIT
enum { PERSISTENT = 1 };

/* For faults of the other calls the last rank has none, so all ranks do without. */
int MPI_Neighbor_alltoallv_init(const void *out, const int out_count[], const int out_at[],
                                MPI_Datatype out_type, void *in, const int in_count[], const int in_at[],
                                MPI_Datatype in_type, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const bool lacks = present != NO_FAULT && present != NO_START && harness_rank == harness_ranks - 1;
    return lacks ? MPI_ERR_OTHER
                 : PMPI_Neighbor_alltoallv_init(out, out_count, out_at, out_type, in, in_count, in_at,
                                                in_type, comm, info, request);
}

int MPI_Start(MPI_Request *request)
{
    const int code = PMPI_Start(request);
    return has(NO_START) ? MPI_ERR_OTHER : code;
}
#else
enum { PERSISTENT = 0 };
#endif

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    if (has(NO_END) && *request == endless) {
        *done = 0;
        return MPI_SUCCESS;
    }
    return PMPI_Test(request, done, status);
}

typedef struct setting {
    example e;
    hx_part part;
    hx_blocks blocks;
    example_shape shape;
    hx_options options;
    int warnings;
    char warning[1024]; /* the last */
} setting;

static void take_warning(void *context, int level, const char *line)
{
    setting *s = context;
    s->warnings += level == HX_LOG_WARNING;
    strncpy(s->warning, line, sizeof s->warning - 1);
}

static void make_setting(setting *s, int axes, int extent)
{
    const int cells[] = {extent, extent, extent};
    memset(s, 0, sizeof *s);
    example_make(&s->e, axes, 7);
    const hx_partition request = example_partition(&s->e, cells);
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &s->part));
    s->blocks = (hx_blocks){MPI_COMM_WORLD, 1, &s->part.partition, NULL, NULL, 1, NULL};
    s->shape = example_shape_of(&s->e, &s->part, 0);
    s->options = (hx_options)HX_OPTIONS_INIT;
    s->options.transport = "neighbor";
    s->options.deadline = 30.0;
    s->options.log_level = HX_LOG_WARNING;
    s->options.log = take_warning;
    s->options.log_context = s;
}

/* The point before the first is the last one of the rank before. */
static void exchange(const setting *s, hx_handle *handle)
{
    const int last[] = {s->part.n[0] - 1};
    const int before[] = {-1};
    example_fields fields = example_alloc(&s->e, &s->shape);
    fields.a[example_at(&s->e, &s->shape, EXAMPLE_A, last)] = harness_rank + 1;
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    const int came = (int)fields.a[example_at(&s->e, &s->shape, EXAMPLE_A, before)];
    expect(came == (harness_rank + harness_ranks - 1) % harness_ranks + 1);
    example_free(&fields);
}

static void test_fault(fault f)
{
    static const char *const reason[] = {
        [NO_FAULT] = "",
        [NO_GRAPH] = "MPI_Dist_graph_create_adjacent",
        [NO_CALL] = "MPI_Ineighbor_alltoallv on rank",
        [OTHER_BYTES] = "which sent",
        [NO_END] = "took more than 1 seconds",
        [NO_START] = "MPI_Start of MPI_Neighbor_alltoallv_init on rank",
    };
    setting s;
    make_setting(&s, 1, 4 * harness_ranks);
    hx_handle *handle = NULL;
    present = f;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    present = NO_FAULT;
    const bool harmless = f == NO_FAULT || (f == OTHER_BYTES && harness_ranks == 1);
    if (harmless || (f == NO_START && !PERSISTENT)) {
        expect(s.warnings == 0);
        expect(strstr(hx_describe(handle), "persistent") == NULL);
    } else {
        expect(s.warnings == EXAMPLE_EXCHANGES);
        expect_text(s.warning, "travels by persistent, not by neighbor: Rank ");
        expect_text(s.warning, reason[f]);
        expect_text(hx_describe(handle), "by persistent, not as chosen: Rank ");
        expect_text(hx_describe(handle), reason[f]);
    }
    exchange(&s, handle);
    expect_ok(hx_destroy(handle));
}

static void test_limit(void)
{
    setting s;
    make_setting(&s, 3, 20);
    hx_handle *handle = NULL;
    const hx_status status = hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle);
    expect_status(harness_ranks > 1 ? HX_ERR_LIMIT : HX_OK, status);
    if (status != HX_OK) {
        expect_text(hx_last_error(), "a neighborhood collective can count 4096.");
    }
    expect_ok(hx_destroy(handle));
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    const fault first = argc > 1 ? (fault)atoi(argv[1]) : NO_FAULT;
    for (fault f = first; f < (argc > 1 ? first + 1 : FAULTS); ++f) {
        test_fault(f);
    }
    test_limit();
    return harness_end();
}
