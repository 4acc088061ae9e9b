/*
 * Messages of more bytes than MPI can count, and than it can be told of in larger units; libhx is compiled
 * with a small limit for this.
 */
#include "example.h"
#include "harness.h"

static int no_types; /* on the last rank */

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made)
{
    const int code = PMPI_Type_contiguous(count, type, made);
    return no_types && harness_rank == harness_ranks - 1 ? MPI_ERR_OTHER : code;
}

/* Two axes, of which the first is cut: a message has one row of each field or more. */
static hx_status create(const char *transport, int row, hx_handle **handle)
{
    const int cells[] = {8 * harness_ranks, row};
    example e;
    hx_part part;
    example_make(&e, 2, 3);
    hx_partition request = example_partition(&e, cells);
    request.ranks[1] = 1;
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &part));
    const example_shape shape = example_shape_of(&e, &part, 0);
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &part.partition, .count = 1};
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    *handle = NULL;
    return hx_create(&e.spec, &blocks, &shape, &options, handle);
}

static void expect_refused(const char *transport, int row, hx_status status, const char *words)
{
    hx_handle *handle;
    expect_status(harness_ranks > 1 ? status : HX_OK, create(transport, row, &handle));
    expect_text(harness_ranks > 1 ? hx_last_error() : words, words);
    expect((handle == NULL) == (harness_ranks > 1));
    expect_ok(hx_destroy(handle));
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    const int long_row = HX_REQUESTS_MOST;
    const int endless_row = HX_REQUESTS_MOST << 18; /* units have 2^20 bytes, a row 12 for each point */
    expect_refused("rma", long_row, HX_ERR_LIMIT, "can count 256.  Choose another one.");
    expect_refused("p2p", endless_row, HX_ERR_LIMIT,
                   "is longer than what MPI can count, 256 units of 1048576 bytes");
    hx_handle *handle;
    expect_ok(create("persistent", long_row, &handle));
    expect_ok(hx_destroy(handle));
    no_types = 1;
    expect_refused("persistent", long_row, HX_ERR_MPI, "Making a datatype for a message of ");
    return harness_end();
}
