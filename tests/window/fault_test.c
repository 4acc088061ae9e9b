/*
 * The first, second, ... call of MPI on one rank returns an error although it was made, and the first,
 * second,
 * ... request of libhx for memory gets none, in the whole life of windows.  Making one fails on all ranks or
 * on none; anything else says on that rank what happened, and on the others nothing.
 *
 * Exempt is the agreement of ranks, by --wrap.  MPI counts up to HX_WINDOW_MOST.
 */
#include "check.h"

#include "base/memory.h"
#include "base/status.h"
#include "comm/topology.h"

#include <hx/window.h>

#include <stdbool.h>
#include <string.h>

static int rank;
static int ranks;

/* ---- what fails ---------------------------------------------------------------------------------------- */

static int calls_until_fault;  /* of MPI; 0: none fails */
static int pieces_until_fault; /* of memory */
static bool agreeing;
static hx_status failed; /* what became of the fault on this rank; HX_OK: it did not come to it */

static int faulty(int code)
{
    if (agreeing || calls_until_fault == 0 || --calls_until_fault > 0) {
        return code;
    }
    failed = HX_ERR_MPI;
    return MPI_ERR_OTHER;
}

static bool is_refused(void)
{
    if (pieces_until_fault == 0 || --pieces_until_fault > 0) {
        return false;
    }
    failed = hxi_fail(HX_ERR_MEMORY, "refused");
    return true;
}

hx_status __real_hxi_topology_agree(MPI_Comm comm, hx_status status);
hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status);
void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status)
{
    agreeing = true;
    const hx_status agreed = __real_hxi_topology_agree(comm, status);
    agreeing = false;
    return agreed;
}

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    return is_refused() ? NULL : __real_hxi_memory_get(count, size, purpose);
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    return is_refused() ? NULL : __real_hxi_memory_grow(old, used, count, size, purpose);
}

int MPI_Allreduce(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return faulty(PMPI_Allreduce(from, into, count, type, op, comm));
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return faulty(PMPI_Bcast(data, count, type, root, comm));
}

int MPI_Type_size(MPI_Datatype type, int *bytes)
{
    return faulty(PMPI_Type_size(type, bytes));
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made)
{
    return faulty(PMPI_Type_contiguous(count, type, made));
}

int MPI_Type_commit(MPI_Datatype *type)
{
    return faulty(PMPI_Type_commit(type));
}

int MPI_Win_shared_query(MPI_Win win, int of, MPI_Aint *size, int *unit, void *base)
{
    return faulty(PMPI_Win_shared_query(win, of, size, unit, base));
}

int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint bytes)
{
    return faulty(PMPI_Win_attach(win, base, bytes));
}

int MPI_Win_detach(MPI_Win win, const void *base)
{
    return faulty(PMPI_Win_detach(win, base));
}

int MPI_Win_fence(int assertion, MPI_Win win)
{
    return faulty(PMPI_Win_fence(assertion, win));
}

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win)
{
    return faulty(PMPI_Win_post(group, assertion, win));
}

int MPI_Win_test(MPI_Win win, int *done)
{
    const int code = PMPI_Win_test(win, done);
    return *done ? faulty(code) : code;
}

int MPI_Win_lock(int kind, int target, int assertion, MPI_Win win)
{
    return faulty(PMPI_Win_lock(kind, target, assertion, win));
}

int MPI_Win_flush(int target, MPI_Win win)
{
    return faulty(PMPI_Win_flush(target, win));
}

int MPI_Win_sync(MPI_Win win)
{
    return faulty(PMPI_Win_sync(win));
}

int MPI_Win_free(MPI_Win *win)
{
    return faulty(PMPI_Win_free(win));
}

int MPI_Put(const void *from, int count, MPI_Datatype type, int target, MPI_Aint at, int there,
            MPI_Datatype type_there, MPI_Win win)
{
    return faulty(PMPI_Put(from, count, type, target, at, there, type_there, win));
}

/* ---- a life -------------------------------------------------------------------------------------------- */

enum { ELEMENTS = 64, LONG = 24 }; /* more than HX_WINDOW_MOST */

static hx_status first; /* that is not HX_OK */

static void note(hx_status status)
{
    first = first == HX_OK ? status : first;
}

/* Accesses of every kind, in epochs of every kind, to the first rank; at: the first element there. */
static void access_all(hx_window *w, int64_t at)
{
    static const hx_window_way peers = HX_WINDOW_PEERS;
    static int64_t from[ELEMENTS];
    static int64_t into[ELEMENTS];
    const int64_t step = at == 0 ? 1 : (int64_t)sizeof from[0]; /* dynamic windows count in bytes */
    const hx_window_part whole = {peers, 0, at, LONG};
    const hx_window_part one = {peers, 0, at + LONG * step, 1};
    const hx_window_operation sum = {MPI_INT64_T, MPI_SUM};
    note(hx_window_fence(w, peers, 0));
    note(rank == ranks - 1 ? hx_window_put(w, from, &whole, NULL) : HX_OK);
    note(hx_window_fence(w, peers, MPI_MODE_NOSUCCEED));
    note(hx_window_lock(w, peers, 0, 1, 0));
    note(hx_window_get(w, into, &whole, NULL));
    note(hx_window_flush(w, peers, 0));
    note(hx_window_accumulate(w, from, &whole, &sum, NULL));
    note(hx_window_flush_local(w, peers, 0));
    note(hx_window_unlock(w, peers, 0));
    note(hx_window_lock_all(w, peers, 0));
    note(hx_window_fetch_and_op(w, from, into + LONG, &one, &sum));
    note(hx_window_flush(w, peers, HX_WINDOW_ALL));
    note(hx_window_sync(w, peers));
    note(hx_window_unlock_all(w, peers));
    int done = 0;
    note(hx_window_post(w, peers, 1, &rank, 0));
    note(hx_window_start(w, peers, 1, &rank, 0));
    note(hx_window_complete(w, peers));
    while (!done) {
        note(hx_window_test(w, peers, &done));
    }
}

static hx_status live(hx_window_memory memory, int check)
{
    static int64_t own[ELEMENTS];
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.memory = memory;
    request.ways = memory == HX_WINDOW_SHARED ? HX_WINDOW_NODE | HX_WINDOW_PEERS : HX_WINDOW_PEERS;
    request.element = sizeof own[0];
    request.axes = memory == HX_WINDOW_DYNAMIC ? 0 : 1;
    request.extent[0] = ELEMENTS;
    request.check = check;
    hx_window *w = NULL;
    first = HX_OK;
    note(hx_window_create(MPI_COMM_WORLD, &request, &w));
    if (first != HX_OK) {
        return first;
    }
    int64_t at = 0;
    if (memory == HX_WINDOW_DYNAMIC) {
        note(hx_window_attach(w, own, sizeof own));
        at = hx_window_address(own);
        PMPI_Bcast(&at, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    } else {
        void *pointer = NULL;
        int64_t elements = 0;
        hx_window_facts facts;
        hx_window_query(w, &facts);
        note(hx_window_pointer(w, facts.node_rank, &pointer, &elements));
    }
    access_all(w, at);
    PMPI_Barrier(MPI_COMM_WORLD);
    if (memory == HX_WINDOW_DYNAMIC && first == HX_OK) {
        note(hx_window_detach(w, own));
    }
    note(hx_window_free(&w));
    return first;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* Returns the status that the fault of the last rank should have, HX_OK if no fault happened there. */
static hx_status try_fault(hx_window_memory memory, int call, int piece)
{
    const bool guilty = rank == ranks - 1;
    calls_until_fault = guilty ? call : 0;
    pieces_until_fault = guilty ? piece : 0;
    failed = HX_OK;
    const hx_status status = live(memory, piece > 0);
    calls_until_fault = pieces_until_fault = 0;
    int expected = (int)failed;
    PMPI_Bcast(&expected, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD);
    CHECK(guilty ? status == (hx_status)expected : status == HX_OK || status == (hx_status)expected,
          "%s instead of %s: %s", hx_status_name(status), hx_status_name((hx_status)expected),
          hx_last_error());
    return (hx_status)expected;
}

static void test_faults(hx_window_memory memory)
{
    int n = 0;
    do {
        check_about("memory %d, call %d fails", (int)memory, ++n);
    } while (try_fault(memory, n, 0) != HX_OK);
    CHECK(n > 10, "only %d calls of MPI", n - 1);
    n = 0;
    do {
        check_about("memory %d, piece of memory %d is refused", (int)memory, ++n);
    } while (try_fault(memory, 0, n) != HX_OK);
    CHECK(n > 3, "only %d pieces of memory", n - 1);
}

/* More elements at once than a count of counts can tell. */
static void test_limit(void)
{
    enum { MORE = HX_WINDOW_MOST * HX_WINDOW_MOST + HX_WINDOW_MOST };
    static char memory[MORE];
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.memory = HX_WINDOW_PRIVATE;
    request.ways = HX_WINDOW_PEERS;
    request.axes = 1;
    request.element = 1;
    request.extent[0] = MORE;
    hx_window *w = NULL;
    check_about("limit");
    CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &w), HX_OK);
    const hx_window_part part = {HX_WINDOW_PEERS, 0, 0, MORE};
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_get(w, memory, &part, NULL), HX_ERR_LIMIT,
                  "420 elements at once; MPI can be told of 400.");
    CHECK_STATUS(hx_window_free(&w), HX_OK);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test_faults(HX_WINDOW_SHARED);
    test_faults(HX_WINDOW_PRIVATE);
    test_faults(HX_WINDOW_DYNAMIC);
    test_limit();
    return check_verdict("faults of windows");
}
