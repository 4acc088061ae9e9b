/*
 * MPI: the n-th call of one rank fails, though it was made.  Create fails on all ranks or on none, and start
 * and finish say what happened; the next create works.  Exempt is the agreement itself: nothing can be agreed
 * without it.
 */
#include "harness.h"

#include <stdlib.h>

static int counting; /* on this rank, now */
static int calls;
static int fail_at;

static int outcome(int code)
{
    return counting && calls++ == fail_at ? MPI_ERR_OTHER : code;
}

/* Polls that find nothing are as many as they like, and do not count. */
static int outcome_of_poll(int code, int found)
{
    return found ? outcome(code) : code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    return outcome(PMPI_Comm_dup(comm, copy));
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    return outcome(PMPI_Comm_set_errhandler(comm, handler));
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found)
{
    return outcome(PMPI_Comm_get_attr(comm, key, value, found));
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return outcome(PMPI_Issend(buffer, count, type, to, tag, comm, request));
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status)
{
    const int code = PMPI_Iprobe(from, tag, comm, found, status);
    return outcome_of_poll(code, *found);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    return outcome(PMPI_Recv(buffer, count, type, from, tag, comm, status));
}

int MPI_Testall(int count, MPI_Request request[], int *done, MPI_Status status[])
{
    const int code = PMPI_Testall(count, request, done, status);
    return outcome_of_poll(code, *done);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return outcome(PMPI_Ibarrier(comm, request));
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    const int code = PMPI_Test(request, done, status);
    return outcome_of_poll(code, *done);
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return outcome(PMPI_Send_init(buffer, count, type, to, tag, comm, request));
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return outcome(PMPI_Recv_init(buffer, count, type, from, tag, comm, request));
}

int MPI_Startall(int count, MPI_Request request[])
{
    return outcome(PMPI_Startall(count, request));
}

int MPI_Start(MPI_Request *request)
{
    return outcome(PMPI_Start(request));
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return outcome(PMPI_Irecv(buffer, count, type, from, tag, comm, request));
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return outcome(PMPI_Isend(buffer, count, type, to, tag, comm, request));
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int ins, const int from[], const int in_weight[], int outs,
                                   const int to[], const int out_weight[], MPI_Info info, int reorder,
                                   MPI_Comm *graph)
{
    return outcome(PMPI_Dist_graph_create_adjacent(comm, ins, from, in_weight, outs, to, out_weight, info,
                                                   reorder, graph));
}

int MPI_Ineighbor_alltoallv(const void *out, const int out_count[], const int out_at[], MPI_Datatype out_type,
                            void *in, const int in_count[], const int in_at[], MPI_Datatype in_type,
                            MPI_Comm comm, MPI_Request *request)
{
    return outcome(PMPI_Ineighbor_alltoallv(out, out_count, out_at, out_type, in, in_count, in_at, in_type,
                                            comm, request));
}

int MPI_Testsome(int count, MPI_Request request[], int *finished, int done[], MPI_Status status[])
{
    const int code = PMPI_Testsome(count, request, finished, done, status);
    return outcome_of_poll(code, *finished != MPI_UNDEFINED && *finished > 0);
}

/* True on all ranks if the call that is to fail on rank `on` was reached there. */
static int was_reached(int on)
{
    int reached = calls > fail_at;
    MPI_Bcast(&reached, 1, MPI_INT, on, MPI_COMM_WORLD);
    return reached;
}

static void test_create(const harness_setting *s, int on)
{
    int reached = 1;
    for (fail_at = 0; reached; ++fail_at) {
        hx_handle *handle = NULL;
        calls = 0;
        counting = harness_rank == on;
        const hx_status status = hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle);
        counting = 0;
        reached = was_reached(on);
        int failed = status != HX_OK;
        int failures = 0;
        MPI_Allreduce(&failed, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect(failures == 0 || failures == harness_ranks);
        expect(!failed || handle == NULL);
        if (failed) {
            expect_status(HX_ERR_MPI, status);
            expect_text(hx_last_error(), "failed: MPI says");
        }
        expect(reached || !failed);
        expect_ok(hx_destroy(handle));
    }
    expect(fail_at > (harness_ranks > 1 ? 12 : 4));
}

/*
 * While libhx talks on the user's communicator, errors there are returned; afterwards it is the user's again.
 */
static int asked;
static int returned;

int MPI_Topo_test(MPI_Comm comm, int *kind)
{
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(comm, &handler);
    asked++;
    returned += handler == MPI_ERRORS_RETURN;
    MPI_Errhandler_free(&handler);
    return outcome(PMPI_Topo_test(comm, kind));
}

int MPI_Comm_test_inter(MPI_Comm comm, int *joins_groups)
{
    return outcome(PMPI_Comm_test_inter(comm, joins_groups));
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    return outcome(PMPI_Comm_rank(comm, rank));
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    return outcome(PMPI_Comm_size(comm, size));
}

int MPI_Cartdim_get(MPI_Comm comm, int *axes)
{
    return outcome(PMPI_Cartdim_get(comm, axes));
}

int MPI_Cart_get(MPI_Comm comm, int most, int parts[], int periodic[], int coordinates[])
{
    return outcome(PMPI_Cart_get(comm, most, parts, periodic, coordinates));
}

static void expect_fatal(MPI_Comm comm)
{
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(comm, &handler);
    expect(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

static void test_cart(int on)
{
    MPI_Comm cart;
    const int open = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &harness_ranks, &open, 0, &cart);
    const int n = 3;
    const int none = 0;
    hx_part part;
    asked = 0;
    returned = 0;
    expect_ok(hx_partition_from_cart(cart, &n, &part));
    expect_fatal(cart);
    hx_partition_free(&part.partition);
    expect_status(HX_ERR_PARTITION, hx_partition_from_cart(cart, &none, &part));
    expect_fatal(cart);
    int failed_at_all = 0;
    int reached = 1;
    for (fail_at = 0; reached; ++fail_at) {
        calls = 0;
        counting = harness_rank == on;
        const hx_status status = hx_partition_from_cart(cart, &n, &part);
        counting = 0;
        reached = was_reached(on);
        const int failed = status != HX_OK;
        int failures = 0;
        MPI_Allreduce(&failed, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect(failures == 0 || failures == harness_ranks);
        expect(reached || !failed);
        if (failed) {
            expect_status(HX_ERR_MPI, status);
            expect_text(hx_last_error(), "failed: MPI says");
            expect(part.partition.axes == 0);
            failed_at_all++;
        }
        expect_fatal(cart);
        hx_partition_free(&part.partition);
    }
    expect(returned > 2);       /* whenever it was asked */
    expect(failed_at_all == 6); /* three questions about its ranks, three about its shape */
    MPI_Comm_free(&cart);
}

static void test_exchange(const harness_setting *s, int on)
{
    int reached = 1;
    for (fail_at = 0; reached; ++fail_at) {
        hx_handle *handle = NULL;
        expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
        calls = 0;
        counting = harness_rank == on;
        hx_status status = hx_start(handle, EXAMPLE_BOTH, &s->fields);
        if (status == HX_OK) {
            status = hx_finish(handle, EXAMPLE_BOTH);
        }
        counting = 0;
        reached = was_reached(on);
        if (harness_rank == on && reached) {
            expect_status(HX_ERR_MPI, status);
            expect_text(hx_last_error(), "example.lua:7: exchange \"both\": ");
            expect_status(HX_ERR_MPI, hx_start(handle, EXAMPLE_STAR, &s->fields));
        } else {
            expect(status == HX_OK || (reached && status == HX_ERR_DEADLINE));
        }
        expect_ok(hx_destroy(handle));
    }
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    static const char *const transports[] = {"persistent", "p2p", "neighbor"};
    for (int i = 0; i < 3; ++i) {
        harness_setting s;
        harness_set(&s, transports[i]);
        s.options.deadline = 0.3;
        for (int rank = 0; rank < harness_ranks; ++rank) {
            test_create(&s, rank);
            test_exchange(&s, rank);
            test_cart(rank);
        }
        harness_unset(&s);
    }
    return harness_end();
}
