/*
 * Redistribute, gather, scatter, rebalance and create_like while on one rank after the other the n-th piece of memory is refused that libhx
 * asks for in the call, or the n-th collective call of MPI says that it failed.  All ranks fail alike, nothing is
 * written or left behind, and the call works afterwards.  Linked with --wrap, so that every piece of libhx passes
 * through here; the agreement of ranks is exempt: nothing can be agreed without it.
 *
 * Likewise the n-th call of MPI by which messages travel: then each rank gets a status, and nothing hangs.
 */
#include "check.h"
#include "isle.h"
#include "redistribution/moving.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 6, LAND = 3, BEFORE = -7, UNTOLD = -9 };

static int rank;
static int ranks;

/* ---- what is refused ----------------------------------------------------------------------------------- */

static long live;            /* pieces of memory */
static long pieces;          /* that were asked for */
static long refused_at = -1; /* none */

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void __real_hxi_memory_free(void *memory);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void __wrap_hxi_memory_free(void *memory);

/* What is asked for instead where it is to be refused is more than there can be. */
static size_t count_for(size_t count)
{
    return pieces++ == refused_at ? SIZE_MAX : count;
}

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    void *memory = __real_hxi_memory_get(count_for(count), size, purpose);
    live += memory != NULL;
    return memory;
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    void *memory = __real_hxi_memory_grow(old, used, count_for(count), size, purpose);
    live += memory != NULL && old == NULL;
    return memory;
}

void __wrap_hxi_memory_free(void *memory)
{
    live -= memory != NULL;
    __real_hxi_memory_free(memory);
}

static int calls;         /* of MPI, collective ones */
static int fails_at = -1; /* none */
static bool exempt;

static int faulty(int code)
{
    return !exempt && calls++ == fails_at ? MPI_ERR_OTHER : code;
}

int MPI_Allgather(const void *mine, int count, MPI_Datatype type, void *all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm)
{
    return faulty(PMPI_Allgather(mine, count, type, all, all_count, all_type, comm));
}

int MPI_Allgatherv(const void *mine, int count, MPI_Datatype type, void *all, const int counts[],
                   const int first[], MPI_Datatype all_type, MPI_Comm comm)
{
    return faulty(PMPI_Allgatherv(mine, count, type, all, counts, first, all_type, comm));
}

int MPI_Gatherv(const void *mine, int count, MPI_Datatype type, void *all, const int counts[],
                const int first[], MPI_Datatype all_type, int root, MPI_Comm comm)
{
    return faulty(PMPI_Gatherv(mine, count, type, all, counts, first, all_type, root, comm));
}

int MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return faulty(PMPI_Allreduce(mine, all, count, type, op, comm));
}

hx_status __real_hxi_topology_agree(MPI_Comm comm, hx_status status);
hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status);

hx_status __wrap_hxi_topology_agree(MPI_Comm comm, hx_status status)
{
    exempt = true;
    const hx_status agreed = __real_hxi_topology_agree(comm, status);
    exempt = false;
    return agreed;
}

/* Calls while messages travel, and the deadline then: others may wait for what this rank does not send. */
static const double soon = 0.3;
static bool travels;
static bool is_short;
static int passed;
static int breaks_at = -1;

static int broken(int code)
{
    return travels && passed++ == breaks_at ? MPI_ERR_OTHER : code;
}

hx_status __real_hxi_moving_run(hx_handle *h, hxi_moving *moving, const char *caller);
hx_status __wrap_hxi_moving_run(hx_handle *h, hxi_moving *moving, const char *caller);
hx_status __real_hxi_moving_start(hx_handle *h, hxi_moving *moving);
hx_status __wrap_hxi_moving_start(hx_handle *h, hxi_moving *moving);
hx_status __real_hxi_moving_finish(hx_handle *h, hxi_moving *moving, const char *caller);
hx_status __wrap_hxi_moving_finish(hx_handle *h, hxi_moving *moving, const char *caller);

static void travel(hx_handle *h)
{
    travels = true;
    h->options.deadline = is_short ? soon : 0.0;
}

static hx_status arrive(hx_status status)
{
    travels = false;
    return status;
}

hx_status __wrap_hxi_moving_run(hx_handle *h, hxi_moving *moving, const char *caller)
{
    travel(h);
    return arrive(__real_hxi_moving_run(h, moving, caller));
}

hx_status __wrap_hxi_moving_start(hx_handle *h, hxi_moving *moving)
{
    travel(h);
    return arrive(__real_hxi_moving_start(h, moving));
}

hx_status __wrap_hxi_moving_finish(hx_handle *h, hxi_moving *moving, const char *caller)
{
    travel(h);
    return arrive(__real_hxi_moving_finish(h, moving, caller));
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return broken(PMPI_Irecv(data, count, type, from, tag, comm, request));
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return broken(PMPI_Isend(data, count, type, to, tag, comm, request));
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int numbers[], MPI_Status statuses[])
{
    return broken(PMPI_Testsome(count, requests, done, numbers, statuses));
}

int MPI_Testall(int count, MPI_Request requests[], int *done, MPI_Status statuses[])
{
    return broken(PMPI_Testall(count, requests, done, statuses));
}

/* ---- two handles and a whole array --------------------------------------------------------------------- */

typedef struct end {
    hx_partition partition;
    int owner[MOST];
    hx_blocks blocks;
    isle_shape shape[MOST];
    isle_fields fields[MOST];
    isle *halo;
} end;

static end from, to;
static double whole[7 * 5];
static const hx_strided_array array = {
    .base = whole, .bytes = 8, .extent = {7, 5}, .stride = {8, 56}, .components = 1};

static const char *transport = "shared";

static void end_make(end *e, int x, int y, int land)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    *e = (end){.partition = isle_partition(6, 4)};
    e->partition.ranks[ISLE_AXIS_X] = x;
    e->partition.ranks[ISLE_AXIS_Y] = y;
    e->blocks =
        (hx_blocks){.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &e->partition, .owners = e->owner};
    for (int b = 0; b < x * y; ++b) {
        e->owner[b] = b == land ? HX_NO_OWNER : b % ranks;
        if (e->owner[b] == rank) {
            hx_part part;
            CHECK_STATUS(hx_part_of(&e->partition, 0, b, &part), HX_OK);
            e->shape[e->blocks.count++] = isle_shape_dense(&part);
        }
    }
    CHECK_STATUS(isle_create_blocks(&e->blocks, e->shape, &options, &e->halo), HX_OK);
    CHECK_STATUS(isle_alloc(e->halo, e->fields), HX_OK);
}

/* Of corners, counted in the grid: what arrives.  Two of them only land holds. */
static double corner_of(int x, int y)
{
    return x == 3 && y > 2 ? BEFORE : 10 * x + y;
}

/* True if all corners of this end hold what arrives, or what they held before. */
static bool holds(const end *e, bool moved)
{
    bool all = true;
    for (int i = 0; i < e->blocks.count * 9; ++i) {
        const hx_part *part = &e->shape[i / 9].part;
        const int x = i % 3, y = i / 3 % 3;
        const double found = e->fields[i / 9].w[isle_w_at(&e->shape[i / 9], x, y)];
        all = all && found == (moved ? corner_of(part->first[0] + x, part->first[1] + y) : BEFORE);
    }
    return all;
}

static bool whole_holds(bool moved)
{
    bool all = true;
    for (int i = 0; i < 35 && rank == 0; ++i) {
        all = all && whole[i] == (moved ? corner_of(i % 7, i / 7) : BEFORE);
    }
    return all;
}

static void fill(const end *e, bool values)
{
    for (int i = 0; i < e->blocks.count * 9; ++i) {
        const hx_part *part = &e->shape[i / 9].part;
        const int x = i % 3, y = i / 3 % 3;
        e->fields[i / 9].w[isle_w_at(&e->shape[i / 9], x, y)] =
            values ? corner_of(part->first[0] + x, part->first[1] + y) : BEFORE;
    }
}

/* ---- what is tried ------------------------------------------------------------------------------------- */

typedef enum call { REDISTRIBUTE, GATHER, SCATTER, REBALANCE, LIKE, CALLS } call;
static const char *const names[] = {"redistribute", "gather", "scatter", "rebalance", "create_like"};

/* What is told where all works: two blocks of one unit leave the rank that has one of five units, too. */
static const int balanced[MOST] = {0, 1, 1, HX_NO_OWNER, 1, 1};
static int owners[MOST];
static bool trying; /* with a fault */

static hx_status rebalance(void)
{
    const double work[] = {rank == 0 ? 5.0 : 1.0, 1.0, 1.0};
    int moved;
    for (int b = 0; b < MOST; ++b) {
        owners[b] = UNTOLD;
    }
    return isle_rebalance(from.halo, work, owners, &moved);
}

/* A handle with these owners, of which all messages arrive, unless there was a fault. */
static hx_status make_like(void)
{
    isle *made = NULL;
    isle_shape shape[MOST];
    isle_fields fields[MOST];
    hx_blocks blocks = from.blocks;
    blocks.owners = balanced;
    blocks.count = 0;
    for (int b = 0; b < MOST; ++b) {
        hx_part part;
        if (balanced[b] == rank && hx_part_of(&from.partition, 0, b, &part) == HX_OK) {
            shape[blocks.count++] = isle_shape_dense(&part);
        }
    }
    const hx_status status = isle_create_like(from.halo, &blocks, shape, &made);
    CHECK((made != NULL) == (status == HX_OK), "a handle is left");
    if (made && !trying) {
        CHECK_STATUS(isle_alloc(made, fields), HX_OK);
        CHECK_STATUS(isle_redistribute(from.halo, from.fields, made, fields), HX_OK);
        CHECK_STATUS(isle_plain(made, fields), HX_OK);
    }
    CHECK_STATUS(isle_destroy(made), HX_OK);
    return status;
}

static hx_status make_call(call which)
{
    return which == REDISTRIBUTE ? isle_redistribute(from.halo, from.fields, to.halo, to.fields)
           : which == REBALANCE  ? rebalance()
           : which == LIKE       ? make_like()
           : which == GATHER     ? isle_gather(from.halo, from.fields, ISLE_W, 0, &array)
                                 : isle_scatter(to.halo, to.fields, ISLE_W, 0, &array);
}

static void check_moved(call which, bool moved)
{
    bool all = which == GATHER ? whole_holds(moved) : which > SCATTER || holds(&to, moved);
    for (int b = 0; b < MOST && which == REBALANCE; ++b) {
        all = all && owners[b] == (moved ? balanced[b] : UNTOLD);
    }
    CHECK(all, "the target is not %s", moved ? "written" : "as it was");
}

typedef enum fault { MEMORY, MPI_CALL, FAULTS } fault;

/* The same call twice, the first time with a fault; true if it came to that. */
static bool call_twice(call which, fault what, int on, int n)
{
    pieces = calls = 0;
    refused_at = what == MEMORY && rank == on ? n : -1;
    fails_at = what == MPI_CALL && rank == on ? n : -1;
    trying = true;
    const hx_status status = make_call(which);
    trying = false;
    refused_at = fails_at = -1;
    int reached = (what == MEMORY ? (int)pieces : calls) > n;
    MPI_Bcast(&reached, 1, MPI_INT, on, MPI_COMM_WORLD);
    if (reached) {
        CHECK_REFUSED(MPI_COMM_WORLD, status, what == MEMORY ? HX_ERR_MEMORY : HX_ERR_MPI,
                      what == MEMORY ? "more than a pointer can reach" : "MPI says");
        check_moved(which, false);
    }
    CHECK_STATUS(reached ? make_call(which) : status, HX_OK);
    check_moved(which, true);
    return reached;
}

static bool try_fault(call which, fault what, int on, int n)
{
    const long before = live;
    check_about("%s, rank %d, %s %d", names[which], on, what == MEMORY ? "piece" : "call", n);
    end_make(&from, 3, 2, LAND);
    end_make(&to, 2, 2, -1);
    fill(&from, true);
    fill(&to, false);
    for (int i = 0; i < 35; ++i) {
        whole[i] = which == SCATTER ? corner_of(i % 7, i / 7) : BEFORE;
    }
    const bool reached = call_twice(which, what, on, n);
    CHECK_STATUS(isle_destroy(from.halo), HX_OK);
    CHECK_STATUS(isle_destroy(to.halo), HX_OK);
    CHECK(live == before, "%ld pieces of memory are left", live - before);
    return reached;
}

/* The rank where it fails says so, the others that they are through or have waited; true if it came to that. */
static bool break_off(call which, int on, int n)
{
    check_about("%s by %s, rank %d, call %d while messages travel", names[which], transport, on, n);
    end_make(&from, 3, 2, LAND);
    end_make(&to, 2, 2, -1);
    passed = 0;
    is_short = true;
    breaks_at = rank == on ? n : -1;
    const hx_status status = make_call(which);
    breaks_at = -1;
    is_short = false;
    int reached = passed > n;
    MPI_Bcast(&reached, 1, MPI_INT, on, MPI_COMM_WORLD);
    if (reached && rank == on) {
        CHECK(status == HX_ERR_MPI && strstr(hx_last_error(), "MPI says"), "%s, not HX_ERR_MPI: %s",
              hx_status_name(status), hx_last_error());
        CHECK_STATUS(make_call(which), HX_ERR_MPI); /* the handle can only be destroyed */
    } else if (reached) {
        CHECK(status == HX_OK || status == HX_ERR_DEADLINE, "%s: %s", hx_status_name(status),
              hx_last_error());
    }
    CHECK_STATUS(isle_destroy(from.halo), HX_OK);
    CHECK_STATUS(isle_destroy(to.halo), HX_OK);
    return reached;
}

static void break_all(call which)
{
    for (int i = 0; i < 2 * ranks; ++i) {
        transport = i % 2 == 0 ? "shared" : "p2p";
        int n = 0;
        while (n < 4 && break_off(which, i / 2, n)) {
            ++n;
        }
        CHECK(which != REDISTRIBUTE || n >= 3, "only %d calls failed", n);
    }
    transport = "shared";
}

/* The plan of the first call serves the next ones, until other fields move. */
static void keeps_plans(void)
{
    check_about("plans that are kept");
    end_make(&from, 3, 2, LAND);
    end_make(&to, 2, 2, -1);
    long asked[3];
    for (int i = 0; i < 3; ++i) {
        fill(&from, true);
        fill(&to, false);
        pieces = 0;
        CHECK_STATUS(make_call(REDISTRIBUTE), HX_OK);
        asked[i] = pieces;
        check_moved(REDISTRIBUTE, true);
    }
    CHECK(asked[1] < asked[0] / 3 && asked[2] == asked[1], "%ld, %ld and %ld pieces of memory", asked[0],
          asked[1], asked[2]);
    CHECK_STATUS(isle_destroy(from.halo), HX_OK);
    CHECK_STATUS(isle_destroy(to.halo), HX_OK);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    keeps_plans();
    for (int i = 0; i < CALLS * FAULTS * ranks; ++i) {
        const call which = (call)(i % CALLS);
        const fault what = (fault)(i / CALLS % FAULTS);
        const int step = which == LIKE ? 7 : 1; /* it asks for memory more than a hundred times */
        int n = 0;
        while (try_fault(which, what, i / CALLS / FAULTS, n)) {
            n += step;
        }
        const int least = which <= SCATTER ? (what == MEMORY ? 20 : 3) : what == MEMORY ? 6 : 1;
        CHECK(n >= least, "only %d were refused or failed", n);
    }
    for (int which = 0; which <= SCATTER; ++which) {
        break_all((call)which);
    }
    return check_verdict("faults in what moves fields");
}
