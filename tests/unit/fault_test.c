/*
 * MPI: the n-th call of one rank fails, though it was made.  Create fails on all ranks or on none, and start
 * and finish say what happened; the next create works.  Exempt is the agreement itself: nothing can be agreed
 * without it.
 *
 * What a peer of that rank waits for may never come: its deadline passes, and as soon as it may.  Time flies
 * there from when that rank is through, and no sooner, however long a rank may have been without a processor.
 */
#define _POSIX_C_SOURCE 200809L
#include "audit/audit.h"
#include "base/clock.h"
#include "base/status.h"
#include "comm/topology.h"
#include "harness.h"

#include <hx/observe.h>
#include <stdlib.h>
#include <string.h>

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

static int few_tags;

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found)
{
    const int code = PMPI_Comm_get_attr(comm, key, value, found);
    if (few_tags) {
        static int last = 10;
        *(int **)value = &last;
        *found = 1;
    }
    return outcome(code);
}

static int has_nodes = 1;

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    *part = MPI_COMM_NULL;
    return has_nodes ? PMPI_Comm_split_type(comm, type, key, info, part) : MPI_ERR_OTHER;
}

/* What the agreement of ranks calls fails only where a test says so. */
static int reductions_fail;
static int broadcasts_fail;

int MPI_Allreduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    const int code = PMPI_Allreduce(from, into, count, type, op, comm);
    return reductions_fail ? MPI_ERR_OTHER : code;
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const int code = PMPI_Bcast(data, count, type, root, comm);
    return broadcasts_fail ? MPI_ERR_OTHER : code;
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return outcome(PMPI_Issend(buffer, count, type, to, tag, comm, request));
}

static int probes_fail;

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status)
{
    const int code = PMPI_Iprobe(from, tag, comm, found, status);
    return probes_fail ? MPI_ERR_OTHER : outcome_of_poll(code, *found);
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

static int message_fails;   /* the first that comes or goes */
static int polls_until_one; /* that fails, whatever it finds; 0: none */

int MPI_Testsome(int count, MPI_Request request[], int *finished, int done[], MPI_Status status[])
{
    const int code = PMPI_Testsome(count, request, finished, done, status);
    if (message_fails && *finished > 0) {
        status[0].MPI_ERROR = MPI_ERR_TRUNCATE;
        return MPI_ERR_IN_STATUS;
    }
    if (polls_until_one > 0 && --polls_until_one == 0) {
        return MPI_ERR_OTHER;
    }
    return outcome_of_poll(code, *finished != MPI_UNDEFINED && *finished > 0);
}

/* ---- a call that fails --------------------------------------------------------------------------------- */

/* Rank `on` tells the others when it is through, and whether it got to the call that is to fail. */
static int told;
static MPI_Comm apart; /* from all that libhx does */
static MPI_Request telling = MPI_REQUEST_NULL;
static double flown; /* seconds that passed faster than they do */

double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

double __wrap_hxi_clock(void)
{
    if (telling != MPI_REQUEST_NULL) {
        int through = 0;
        PMPI_Request_get_status(telling, &through, MPI_STATUS_IGNORE);
        flown += through && told ? 20.0 : 0.0;
    }
    return __real_hxi_clock() + flown;
}

/* The n-th call of rank `on` will fail, or none if n is negative. */
static void begin_attempt(int on, int n)
{
    calls = 0;
    fail_at = n;
    counting = harness_rank == on;
    told = 0;
    if (harness_rank != on) {
        PMPI_Ibcast(&told, 1, MPI_INT, on, apart, &telling);
    }
}

/* True on all ranks if what was to fail was reached on rank `on`, which says so. */
static int end_attempt(int on, int reached)
{
    counting = 0;
    if (harness_rank == on) {
        told = reached;
        PMPI_Ibcast(&told, 1, MPI_INT, on, apart, &telling);
    }
    PMPI_Wait(&telling, MPI_STATUS_IGNORE);
    return told;
}

static void test_create(const harness_setting *s, int on)
{
    int reached = 1;
    int n = 0;
    for (; reached; ++n) {
        harness_about("%s: call %d of create fails on rank %d", s->options.transport, n, on);
        hx_handle *handle = NULL;
        begin_attempt(on, n);
        const hx_status status = hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle);
        reached = end_attempt(on, calls > n);
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
    expect(n > (harness_ranks > 1 ? 12 : 4));
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
    for (int i = 0; reached; ++i) {
        harness_about("call %d of hx_partition_from_cart fails on rank %d", i, on);
        begin_attempt(on, i);
        const hx_status status = hx_partition_from_cart(cart, &n, &part);
        reached = end_attempt(on, calls > i);
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
    expect(returned > 2); /* whenever it was asked */
    expect(failed_at_all ==
           9); /* three about its ranks, three calls until all have come, three about its shape */
    MPI_Comm_free(&cart);
}

static void test_exchange(const harness_setting *s, int on)
{
    int reached = 1;
    for (int n = 0; reached; ++n) {
        harness_about("%s: call %d of an exchange fails on rank %d", s->options.transport, n, on);
        hx_handle *handle = NULL;
        expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
        begin_attempt(on, n);
        hx_status status = hx_start(handle, EXAMPLE_BOTH, &s->fields);
        if (status == HX_OK) {
            status = hx_finish(handle, EXAMPLE_BOTH);
        }
        reached = end_attempt(on, calls > n);
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

/* ---- other ways to fail -------------------------------------------------------------------------------- */

static void test_agreement(int on)
{
    harness_about("agreement fails on rank %d", on);
    reductions_fail = harness_rank == on;
    hx_status status = hxi_topology_agree(MPI_COMM_WORLD, HX_OK);
    reductions_fail = 0;
    expect_status(harness_rank == on ? HX_ERR_MPI : HX_OK, status);
    expect(harness_rank != on || strstr(hx_last_error(), "Agreeing on a status (MPI_Allreduce) failed"));
    broadcasts_fail = harness_rank == on;
    status = harness_rank == 0 ? hxi_fail(HX_ERR_STATE, "It rains.") : HX_OK;
    status = hxi_topology_agree(MPI_COMM_WORLD, status);
    broadcasts_fail = 0;
    expect_status(harness_rank == on ? HX_ERR_MPI : HX_ERR_STATE, status);
    expect_text(hx_last_error(), harness_rank == on
                                     ? "Telling all ranks what rank 0 ran into (MPI_Bcast) failed"
                                     : ": It rains.");
}

static void expect_no_handle(const harness_setting *s, hx_status expected, const char *words)
{
    hx_handle *handle = NULL;
    expect_status(expected, hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    expect_text(hx_last_error(), words);
    expect(handle == NULL);
}

static void test_limits(const harness_setting *s)
{
    harness_about("limits");
    has_nodes = 0;
    expect_no_handle(s, HX_ERR_MPI, "Finding the ranks of this machine (MPI_Comm_split_type) failed");
    has_nodes = 1;
    few_tags = 1;
    expect_no_handle(s, HX_ERR_LIMIT, "example.lua has 2 exchanges; this MPI has tags for 1.");
    few_tags = 0;
}

/*
 * One rank starts two exchanges and waits for one of them, and a call of MPI fails there that goes wrong in
 * its own way.  The others start afterwards, if it takes messages for that, and else never, so that none
 * comes before.  Returns what it got.
 */
static hx_status wait_with_fault(const harness_setting *s, int on, int *fault, int value, int with_messages)
{
    hx_handle *handle = NULL;
    hx_status status = HX_OK;
    expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    if (harness_rank == on) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s->fields));
        expect_ok(hx_start(handle, EXAMPLE_STAR, &s->fields));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    begin_attempt(on, -1);
    if (harness_rank == on) {
        *fault = value;
        status = hx_finish(handle, EXAMPLE_BOTH);
        *fault = 0;
    } else if (with_messages) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s->fields));
        expect_ok(hx_start(handle, EXAMPLE_STAR, &s->fields));
        if (hx_finish(handle, EXAMPLE_BOTH) == HX_OK) {
            hx_finish(handle, EXAMPLE_STAR);
        }
    }
    expect(end_attempt(on, 1));
    expect_ok(hx_destroy(handle));
    return status;
}

static void test_waiting(harness_setting *s, int on)
{
    const char *transport = s->options.transport;
    const int here = harness_rank == on;
    harness_about("a message fails on rank %d", on);
    s->options.transport = "p2p";
    hx_status status = wait_with_fault(s, on, &message_fails, 1, 1);
    expect(!here || status == HX_ERR_MPI);
    expect(!here || (strstr(hx_last_error(), "\": Rank ") &&
                     (strstr(hx_last_error(), " receiving ") || strstr(hx_last_error(), " sending "))));
    harness_about("the second poll fails on rank %d", on);
    status = wait_with_fault(s, on, &polls_until_one, 2, 0);
    expect(!here || status == HX_ERR_MPI);
    expect(!here || strstr(hx_last_error(), "example.lua:8: exchange \"star\": MPI_Testsome on rank "));
    harness_about("letting MPI go on fails on rank %d", on);
    s->options.transport = "shared";
    status = wait_with_fault(s, on, &probes_fail, 1, 0);
    expect(!here || status == HX_ERR_MPI);
    expect(!here ||
           strstr(hx_last_error(), "example.lua:7: exchange \"both\": Letting MPI go on (MPI_Iprobe)"));
    s->options.transport = transport;
}

/* The first poll while an audit waits fails, its own or that of another exchange; until then nothing comes for it. */
static int auditing;
static int audits_fail;

hx_status __real_hxi_audit_test(hxi_audits *audits, int exchange, bool *done);
hx_status __wrap_hxi_audit_test(hxi_audits *audits, int exchange, bool *done);

hx_status __wrap_hxi_audit_test(hxi_audits *audits, int exchange, bool *done)
{
    if (audits_fail) {
        return hxi_fail(HX_ERR_MPI, "It hails.");
    }
    if (auditing) {
        auditing = 0;
        polls_until_one = 1;
    }
    if (polls_until_one > 0) {
        *done = false;
        return HX_OK;
    }
    return __real_hxi_audit_test(audits, exchange, done);
}

typedef struct heard {
    int failures;
    int exchange;
} heard;

static void note_failure(void *context, const hx_event *event)
{
    heard *h = context;
    h->failures += event->kind == HX_EVENT_FAILED;
    h->exchange = event->kind == HX_EVENT_FAILED ? event->exchange : h->exchange;
}

/* What fails is the audit, or another exchange, which only rank `on` has started.  Observers hear of it, once. */
static void test_audit(harness_setting *s, int on, bool of_its_own)
{
    const int here = harness_rank == on;
    const char *transport = s->options.transport;
    hx_handle *handle = NULL;
    heard failed = {0, -1};
    harness_about("%s fails while an audit waits on rank %d", of_its_own ? "it" : "another exchange", on);
    s->options.transport = "p2p";
    setenv("HX_AUDIT", "1", 1);
    expect_ok(hx_observe(note_failure, &failed));
    expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    expect_ok(hx_unobserve(note_failure, &failed));
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s->fields));
    if (here && !of_its_own) {
        expect_ok(hx_start(handle, EXAMPLE_STAR, &s->fields));
    }
    auditing = here && !of_its_own;
    audits_fail = here && of_its_own;
    const hx_status status = hx_finish(handle, EXAMPLE_BOTH);
    audits_fail = 0;
    expect_status(here ? HX_ERR_MPI : HX_OK, status);
    expect(failed.failures == here);
    if (here) {
        expect_text(hx_last_error(), of_its_own ? "example.lua:7: exchange \"both\": It hails."
                                                : "example.lua:8: exchange \"star\": MPI_Testsome on rank ");
        expect_status(HX_ERR_MPI, hx_start(handle, EXAMPLE_BOTH, &s->fields));
        expect(failed.exchange == (of_its_own ? EXAMPLE_BOTH : EXAMPLE_STAR));
    }
    expect(failed.failures == here);
    expect_ok(hx_destroy(handle));
    setenv("HX_AUDIT", "0", 1);
    s->options.transport = transport;
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    PMPI_Comm_dup(MPI_COMM_WORLD, &apart);
    static const char *const transports[] = {"persistent", "p2p", "neighbor"};
    for (int i = 0; i < 3; ++i) {
        harness_setting s;
        harness_set(&s, transports[i]);
        s.options.deadline = 60.0;
        for (int rank = 0; rank < harness_ranks; ++rank) {
            test_create(&s, rank);
            test_exchange(&s, rank);
            test_cart(rank);
        }
        test_limits(&s);
        for (int rank = 0; rank < harness_ranks && i == 0; ++rank) {
            test_agreement(rank);
            if (harness_ranks > 1) {
                test_waiting(&s, rank);
                test_audit(&s, rank, false);
                test_audit(&s, rank, true);
            }
        }
        harness_unset(&s);
    }
    MPI_Comm_free(&apart);
    return harness_end();
}
