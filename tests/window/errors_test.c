/*
 * Misuse of windows: each gets its sentence, and where all ranks take part the same on all of them.  Calls of
 * MPI that fail: making a window fails on all ranks, and nothing is left.
 */
#include "check.h"
#include "nodes.h"

#include <hx/window.h>

#include <limits.h>
#include <string.h>

static int rank;
static int ranks;

static hx_window_request ask(hx_window_memory memory, unsigned ways)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = "w";
    request.memory = memory;
    request.ways = ways;
    request.element = 8;
    request.axes = 1;
    request.extent[0] = 12;
    request.check = 1;
    return request;
}

/* ---- requests ------------------------------------------------------------------------------------------ */

static void refused(const hx_window_request *request, hx_status status, const char *words)
{
    hx_window *w = (hx_window *)&rank;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_create(MPI_COMM_WORLD, request, &w), status, words);
    CHECK(w == NULL, "a window that was not made is there: %s", words);
}

static void test_requests(void)
{
    check_about("requests");
    const int last = rank == ranks - 1;
    hx_window_request r = ask(HX_WINDOW_PRIVATE, HX_WINDOW_NODE | HX_WINDOW_PEERS);
    refused(&r, HX_ERR_ARGUMENT, "private memory, which ranks of a node cannot share");
    r = ask(HX_WINDOW_PRIVATE, 0);
    refused(&r, HX_ERR_ARGUMENT,
            "has private memory and no ways, so nobody could reach it; ask for HX_WINDOW_PEERS");
    r = ask(HX_WINDOW_USER, 0);
    refused(&r, HX_ERR_ARGUMENT, "has user memory and no ways");
    r = ask(HX_WINDOW_DYNAMIC, HX_WINDOW_LEADERS);
    refused(&r, HX_ERR_ARGUMENT, "Window \"w\" is dynamic: its ways are HX_WINDOW_PEERS (2), not 4.");
    r = ask(HX_WINDOW_USER, HX_WINDOW_PEERS);
    refused(&r, HX_ERR_ARGUMENT, "The memory of 96 bytes given to window \"w\" is a null pointer");
    r = ask(HX_WINDOW_AUTO, 8);
    refused(&r, HX_ERR_ARGUMENT, "The request of window \"w\" has ways 8; give 0 to 7.");
    r = ask(HX_WINDOW_AUTO, HX_WINDOW_PEERS);
    r.axes = 1000000; /* extents that no request has are not looked at */
    refused(&r, HX_ERR_ARGUMENT, "axes 1000000; give 0 to 4");
    r.axes = -1;
    refused(&r, HX_ERR_ARGUMENT, "axes -1; give 0 to 4");
    r = ask(HX_WINDOW_AUTO, HX_WINDOW_PEERS);
    r.element = 0;
    refused(&r, HX_ERR_ARGUMENT, "elements of 0 bytes");
    r = ask(HX_WINDOW_AUTO, HX_WINDOW_PEERS);
    r.extent[0] = last ? -3 : 12; /* on one rank only */
    refused(&r, HX_ERR_ARGUMENT, "Axis 0 of window \"w\" has -3 elements");
    r.extent[0] = INT64_MAX / 2;
    refused(&r, HX_ERR_LIMIT, "more than memory can hold");
    r.axes = 2;
    r.extent[1] = INT64_MAX / 2;
    refused(&r, HX_ERR_LIMIT, "more elements than memory can hold");
    r = ask(HX_WINDOW_AUTO, HX_WINDOW_PEERS);
    r.size = 8;
    refused(&r, HX_ERR_ARGUMENT, "The request given to hx_window_create is of 8 bytes; this libhx knows ");
    refused(&r, HX_ERR_ARGUMENT, ".  Start from HX_WINDOW_REQUEST_INIT.");
    refused(NULL, HX_ERR_ARGUMENT, "is of 0 bytes");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_create(MPI_COMM_WORLD, &r, NULL), HX_ERR_ARGUMENT,
                  "is a null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_create(MPI_COMM_NULL, &r, NULL), HX_ERR_ARGUMENT,
                  "MPI_COMM_NULL");
    if (ranks > 1) {
        r = ask(HX_WINDOW_PRIVATE, HX_WINDOW_PEERS);
        r.element = last ? 4 : 8;
        refused(&r, HX_ERR_MISMATCH, "elements of 4 bytes.  Rank 0: elements of 8 bytes");
        r = ask(HX_WINDOW_SHARED, HX_WINDOW_PEERS);
        r.extent[0] = last ? 13 : 12;
        refused(&r, HX_ERR_MISMATCH, "12 to 13 elements of window \"w\"");
    }
}

/* ---- accesses ------------------------------------------------------------------------------------------ */

#define REFUSED(call, status, words) CHECK_REFUSED(MPI_COMM_WORLD, call, status, words)

static const hx_window_operation *operation(MPI_Datatype type, MPI_Op op)
{
    static hx_window_operation how;
    how = (hx_window_operation){type, op};
    return &how;
}

static hx_window_part part(int64_t at, int64_t count)
{
    return (hx_window_part){HX_WINDOW_PEERS, 0, at, count};
}

static void test_parts(hx_window *w, int64_t *b)
{
    check_about("parts");
    hx_window_part p = part(5, 8);
    REFUSED(hx_window_put(w, b, &p, NULL), HX_ERR_ARGUMENT,
            "8 elements from element 5 of target 0; it exposes 12");
    p = part(-1, 1);
    REFUSED(hx_window_get(w, b, &p, NULL), HX_ERR_ARGUMENT, "1 elements from element -1");
    p = part(0, INT64_MAX);
    REFUSED(hx_window_get(w, b, &p, NULL), HX_ERR_ARGUMENT, "it exposes 12");
    p = part(0, 1);
    p.target = ranks;
    REFUSED(hx_window_put(w, b, &p, NULL), HX_ERR_ARGUMENT, "given target");
    p = part(0, 1);
    p.way = HX_WINDOW_LEADERS;
    REFUSED(hx_window_put(w, b, &p, NULL), HX_ERR_STATE, "is not open to leaders");
    p.way = (hx_window_way)3;
    REFUSED(
        hx_window_put(w, b, &p, NULL), HX_ERR_ARGUMENT,
        "hx_window_put of window \"w\" was given way 3; one is HX_WINDOW_NODE (1), HX_WINDOW_PEERS (2) or "
        "HX_WINDOW_LEADERS (4).");
    p = part(0, 2);
    REFUSED(hx_window_accumulate(w, b, &p, operation(MPI_INT, MPI_SUM), NULL), HX_ERR_ARGUMENT,
            "has 4 bytes; an element of window \"w\" has 8");
    REFUSED(hx_window_fetch_and_op(w, b, b + 1, &p, operation(MPI_INT64_T, MPI_SUM)), HX_ERR_ARGUMENT,
            "2 elements; it takes 1");
    REFUSED(hx_window_put(NULL, b, &p, NULL), HX_ERR_ARGUMENT, "was it freed?");
    REFUSED(hx_window_put(w, b, NULL, NULL), HX_ERR_ARGUMENT, "part given to hx_window_put is a null");
    REFUSED(hx_window_put(w, NULL, &p, NULL), HX_ERR_ARGUMENT, "to read from given to hx_window_put");
    REFUSED(hx_window_get(w, NULL, &p, NULL), HX_ERR_ARGUMENT, "to write into given to hx_window_get");
    REFUSED(hx_window_accumulate(w, NULL, &p, operation(MPI_INT64_T, MPI_SUM), NULL), HX_ERR_ARGUMENT,
            "read from");
    REFUSED(hx_window_get_accumulate(w, b, NULL, &p, operation(MPI_INT64_T, MPI_SUM), NULL), HX_ERR_ARGUMENT,
            "to write into");
    REFUSED(hx_window_fetch_and_op(w, b, b + 1, NULL, operation(MPI_INT64_T, MPI_SUM)), HX_ERR_ARGUMENT,
            "part given to hx_window_fetch_and_op");
    REFUSED(hx_window_accumulate(w, b, &p, NULL, NULL), HX_ERR_ARGUMENT,
            "operation given to hx_window_accumulate is a null pointer");
    REFUSED(hx_window_fence(NULL, HX_WINDOW_PEERS, 0), HX_ERR_ARGUMENT, "was it freed?");
    void *memory = NULL;
    int64_t elements = 0;
    REFUSED(hx_window_pointer(w, ranks, &memory, &elements), HX_ERR_ARGUMENT,
            "of private memory, has pointers for");
    REFUSED(hx_window_pointer(NULL, 0, &memory, &elements), HX_ERR_ARGUMENT,
            "The window given to hx_window_pointer is a null pointer; was it freed?");
    REFUSED(hx_window_attach(w, b, 8), HX_ERR_STATE, "is for windows of HX_WINDOW_DYNAMIC");
    REFUSED(hx_window_detach(w, b), HX_ERR_STATE, "hx_window_detach is for windows of HX_WINDOW_DYNAMIC");
}

/* ---- epochs -------------------------------------------------------------------------------------------- */

static void test_order(hx_window *w, int64_t *b)
{
    check_about("order");
    const hx_window_way peers = HX_WINDOW_PEERS;
    const hx_window_part p = part(0, 1);
    MPI_Request request = MPI_REQUEST_NULL;
    REFUSED(hx_window_put(w, b, &p, NULL), HX_ERR_STATE, "is in no epoch; call hx_window_fence");
    REFUSED(hx_window_unlock(w, peers, 0), HX_ERR_STATE, "is in no epoch; call hx_window_lock before");
    REFUSED(hx_window_flush(w, peers, 0), HX_ERR_STATE, "is in no epoch; call hx_window_lock or");
    REFUSED(hx_window_complete(w, peers), HX_ERR_STATE, "call hx_window_start before");
    REFUSED(hx_window_wait(w, peers), HX_ERR_STATE, "is not exposed; call hx_window_post before.");
    int done = 1;
    REFUSED(hx_window_test(w, peers, &done), HX_ERR_STATE, "is not exposed");
    CHECK(!done, "what nobody may ask is done");
    REFUSED(hx_window_flush_local(w, peers, 0), HX_ERR_STATE, "is in no epoch; call hx_window_lock or");
    REFUSED(hx_window_sync(w, peers), HX_ERR_STATE, "is in no epoch");
    CHECK_STATUS(hx_window_fence(w, peers, 0), HX_OK);
    REFUSED(hx_window_get(w, b, &p, &request), HX_ERR_STATE, "requests are for epochs of hx_window_lock");
    CHECK_STATUS(hx_window_get(w, b, &p, NULL), HX_OK);
    REFUSED(hx_window_lock_all(w, peers, 0), HX_ERR_STATE, "has accesses (1) since the last hx_window_fence");
    REFUSED(hx_window_fence(w, peers, MPI_MODE_NOPRECEDE), HX_ERR_STATE, "but gives MPI_MODE_NOPRECEDE");
    CHECK_STATUS(hx_window_fence(w, peers, MPI_MODE_NOSUCCEED), HX_OK);
    REFUSED(hx_window_get(w, b, &p, NULL), HX_ERR_STATE, "is in no epoch");
    REFUSED(hx_window_lock(w, peers, HX_WINDOW_ALL, 0, 0), HX_ERR_ARGUMENT, "given target -1");
    CHECK_STATUS(hx_window_lock(w, peers, rank, 0, 0), HX_OK);
    REFUSED(hx_window_lock(w, peers, rank, 0, 0), HX_ERR_STATE, "has locked target");
    CHECK(strstr(hx_last_error(), " already; call hx_window_unlock before.") != NULL, "%s", hx_last_error());
    REFUSED(hx_window_unlock(w, peers, HX_WINDOW_ALL), HX_ERR_ARGUMENT, "given target -1");
    REFUSED(hx_window_flush(w, peers, ranks), HX_ERR_ARGUMENT, "given target");
    REFUSED(hx_window_fence(w, peers, 0), HX_ERR_STATE,
            "is in an epoch of hx_window_lock; end that with hx_window_unlock");
    if (ranks > 1) {
        const hx_window_part other = {peers, (rank + 1) % ranks, 0, 1};
        REFUSED(hx_window_put(w, b, &other, NULL), HX_ERR_STATE, "hx_window_lock that does not reach target");
        REFUSED(hx_window_flush(w, peers, (rank + 1) % ranks), HX_ERR_STATE, "has not locked target");
    }
    CHECK_STATUS(hx_window_unlock(w, peers, rank), HX_OK);
    const int twice[2] = {0, 0};
    REFUSED(hx_window_start(w, peers, 2, twice, 0), HX_ERR_ARGUMENT,
            "Rank 0 is given to hx_window_start of window \"w\" twice; give each once.");
    REFUSED(hx_window_post(w, peers, -1, twice, 0), HX_ERR_ARGUMENT, "was given -1 ranks");
    CHECK_STATUS(hx_window_post(w, peers, 1, &rank, 0), HX_OK);
    REFUSED(hx_window_post(w, peers, 1, &rank, 0), HX_ERR_STATE, "is exposed by hx_window_post");
    CHECK_STATUS(hx_window_start(w, peers, 1, &rank, 0), HX_OK);
    CHECK_STATUS(hx_window_complete(w, peers), HX_OK);
    CHECK_STATUS(hx_window_wait(w, peers), HX_OK);
}

static void test_conflicts(hx_window *w, int64_t *b, int64_t *own)
{
    check_about("conflicts");
    const hx_window_way peers = HX_WINDOW_PEERS;
    const hx_window_part p = part(2, 3);
    const hx_window_part q = part(4, 2);
    const hx_window_part apart = part(6, 2);
    CHECK_STATUS(hx_window_lock_all(w, peers, 0), HX_OK);
    CHECK_STATUS(hx_window_put(w, b, &p, NULL), HX_OK);
    REFUSED(hx_window_put(w, b, &q, NULL), HX_ERR_STATE,
            "puts bytes 32 to 47 of target 0, but before, in the same epoch, it puts bytes 16 to 39 there");
    REFUSED(hx_window_get(w, b + 4, &q, NULL), HX_ERR_STATE, "gets bytes 32 to 47");
    REFUSED(hx_window_accumulate(w, b, &q, operation(MPI_INT64_T, MPI_SUM), NULL), HX_ERR_STATE,
            "accumulates bytes 32 to 47");
    CHECK_STATUS(hx_window_put(w, b, &apart, NULL), HX_OK);
    CHECK_STATUS(hx_window_flush(w, peers, 0), HX_OK);
    CHECK_STATUS(hx_window_get(w, b + 4, &q, NULL), HX_OK);
    CHECK_STATUS(hx_window_get(w, b + 6, &p, NULL), HX_OK);
    REFUSED(hx_window_get(w, b + 5, &apart, NULL), HX_ERR_STATE,
            "gets with memory of its own that an access");
    CHECK_STATUS(hx_window_flush_local(w, peers, HX_WINDOW_ALL), HX_OK);
    CHECK_STATUS(hx_window_get(w, b + 5, &apart, NULL), HX_OK);
    REFUSED(hx_window_put(w, b, &q, NULL), HX_ERR_STATE, "it gets bytes 32 to 47 there");
    CHECK_STATUS(hx_window_flush(w, peers, HX_WINDOW_ALL), HX_OK);
    CHECK_STATUS(hx_window_accumulate(w, b, &p, operation(MPI_INT64_T, MPI_SUM), NULL), HX_OK);
    CHECK_STATUS(hx_window_accumulate(w, b, &q, operation(MPI_INT64_T, MPI_SUM), NULL), HX_OK);
    REFUSED(hx_window_accumulate(w, b, &q, operation(MPI_INT64_T, MPI_MAX), NULL), HX_ERR_STATE,
            "it accumulates bytes 16 to 39");
    CHECK_STATUS(hx_window_flush(w, peers, HX_WINDOW_ALL), HX_OK);
    const hx_window_part self = {peers, rank, 0, 2};
    CHECK_STATUS(hx_window_put(w, b, &self, NULL), HX_OK);
    REFUSED(hx_window_get(w, own + 1, &(hx_window_part){peers, rank, 8, 1}, NULL), HX_ERR_STATE,
            "memory of its own");
    CHECK_STATUS(hx_window_unlock_all(w, peers), HX_OK);
}

static void test_free(hx_window *w)
{
    check_about("free");
    hx_window *same = w;
    if (rank == ranks - 1) {
        CHECK_STATUS(hx_window_lock(w, HX_WINDOW_PEERS, rank, 0, 0), HX_OK);
    }
    REFUSED(hx_window_free(&same), HX_ERR_STATE, "hx_window_free of window \"w\" to peers: rank");
    CHECK(same == w, "a window inside an epoch was freed");
    if (rank == ranks - 1) {
        CHECK_STATUS(hx_window_unlock(w, HX_WINDOW_PEERS, rank), HX_OK);
    }
    CHECK_STATUS(hx_window_free(&same), HX_OK);
}

static void test_pointers(void)
{
    check_about("pointers");
    hx_window_request request = ask(HX_WINDOW_SHARED, HX_WINDOW_NODE | HX_WINDOW_PEERS);
    hx_window *w = NULL;
    void *memory = &w;
    int64_t elements = 1;
    CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &w), HX_OK);
    REFUSED(hx_window_pointer(w, ranks, &memory, &elements), HX_ERR_ARGUMENT,
            "of shared memory, has pointers for 0 to ");
    CHECK(!memory && elements == 0, "memory although it was refused");
    CHECK_STATUS(hx_window_free(&w), HX_OK);
}

static void test_misuse(void)
{
    hx_window_request request = ask(HX_WINDOW_PRIVATE, HX_WINDOW_PEERS);
    hx_window *w = NULL;
    if (!CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &w), HX_OK)) {
        return;
    }
    int64_t buffer[16] = {0};
    void *own = NULL;
    int64_t elements = 0;
    hx_window_facts facts;
    hx_window_query(w, &facts);
    CHECK_STATUS(hx_window_pointer(w, facts.node_rank, &own, &elements), HX_OK);
    test_parts(w, buffer);
    test_order(w, buffer);
    test_conflicts(w, buffer, own);
    test_free(w);
}

/* ---- calls of MPI that fail ---------------------------------------------------------------------------- */

/* Where windows between nodes cannot be made the sentence says what may help, and else it does not. */
static void check_advice(nodes_fault fault)
{
#ifdef OPEN_MPI
    const int between = nodes_now == NODES_UNEVEN && (fault == FAULT_CREATE || fault == FAULT_DYNAMIC);
    CHECK((strstr(hx_last_error(), "set OMPI_MCA_osc=^ucx") != NULL) == between, "%s", hx_last_error());
#else
    (void)fault;
#endif
}

static void test_fault(nodes_fault fault, int everywhere, hx_window_memory memory, int happens)
{
    check_about("fault %d, everywhere %d, memory %d, nodes %d", (int)fault, everywhere, (int)memory,
                (int)nodes_now);
    int64_t own[12];
    hx_window_request request =
        ask(memory, memory == HX_WINDOW_DYNAMIC ? HX_WINDOW_PEERS : HX_WINDOW_PEERS | HX_WINDOW_LEADERS);
    request.base = memory == HX_WINDOW_USER ? own : NULL;
    hx_window *w = NULL;
    const int before = nodes_open;
    nodes_fault_now = fault;
    nodes_fault_everywhere = everywhere;
    if (happens) {
        CHECK_REFUSED(MPI_COMM_WORLD, hx_window_create(MPI_COMM_WORLD, &request, &w), HX_ERR_MPI,
                      "failed: MPI says");
        check_advice(fault);
    } else {
        CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &w), HX_OK);
    }
    nodes_fault_now = FAULT_NONE;
    CHECK_STATUS(hx_window_free(&w), HX_OK);
    CHECK(nodes_open == before, "%d things of MPI were left", nodes_open - before);
}

static void test_faults(void)
{
    for (nodes_fault fault = FAULT_DUP; fault < FAULTS; ++fault) {
        for (hx_window_memory memory = HX_WINDOW_SHARED; memory <= HX_WINDOW_DYNAMIC; ++memory) {
            const int shared = memory == HX_WINDOW_SHARED || memory == HX_WINDOW_PARTS;
            const int dynamic = memory == HX_WINDOW_DYNAMIC;
            const int alone = ranks == 1; /* then ways are made by MPI_Win_allocate_shared */
            const int one_leader = nodes_now == NODES_REAL && !dynamic; /* likewise, on rank 0 */
            const int happens = fault == FAULT_SHARED    ? shared || alone
                                : fault == FAULT_QUERY   ? shared
                                : fault == FAULT_ALLOC   ? memory == HX_WINDOW_PRIVATE
                                : fault == FAULT_CREATE  ? !dynamic && !alone
                                : fault == FAULT_DYNAMIC ? dynamic && !alone
                                                         : 1;
            test_fault(fault, 0, memory, happens);
            test_fault(fault, 1, memory, happens || (fault == FAULT_SHARED && one_leader));
        }
    }
}

int main(int argc, char **argv)
{
    hx_window_request request = ask(HX_WINDOW_AUTO, HX_WINDOW_PEERS);
    hx_window *left = NULL;
    CHECK(hx_window_create(MPI_COMM_WORLD, &request, &left) == HX_ERR_STATE &&
              strstr(hx_last_error(), "hx_window_create was called before MPI_Init"),
          "%s", hx_last_error());
    CHECK(hx_window_fence(left, HX_WINDOW_PEERS, 0) == HX_ERR_STATE &&
              strstr(hx_last_error(), "hx_window_fence was called before MPI_Init"),
          "%s", hx_last_error());
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test_requests();
    test_misuse();
    test_pointers();
    nodes_now = ranks > 3 ? NODES_UNEVEN : NODES_REAL;
    test_faults();
    CHECK(nodes_open == 0, "%d things of MPI are left", nodes_open);
    return check_verdict("errors of windows");
}
