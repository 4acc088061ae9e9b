/*
 * Windows of every kind, on nodes of different sizes: what is put and got, accumulated and shared, against
 * what a serial program would have.
 */
#include "check.h"
#include "nodes.h"

#include <hx/window.h>

#include <stdlib.h>
#include <string.h>

static int rank;
static int ranks;

enum { SLOT = 37 }; /* elements; long enough for several of what HX_WINDOW_MOST is in one of the builds */

/* Element i of what a rank has to say. */
static int64_t value(int from, int round, int i)
{
    return ((int64_t)from * 1000 + round) * 1000 + i + 1;
}

static hx_window_request ask(const char *name, hx_window_memory memory, unsigned ways, int64_t elements)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = name;
    request.memory = memory;
    request.ways = ways;
    request.element = sizeof(int64_t);
    request.axes = 1;
    request.extent[0] = elements;
    request.check = 1;
    return request;
}

static hx_window *make(const hx_window_request *request)
{
    hx_window *window = NULL;
    CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, request, &window), HX_OK);
    return window;
}

static void drop(hx_window **window)
{
    CHECK_STATUS(hx_window_free(window), HX_OK);
    CHECK(*window == NULL, "a window that was freed is still there");
}

/* ---- put and get, by every kind of epoch --------------------------------------------------------------- */

typedef enum way_of_sync { FENCE, PSCW, LOCK, LOCK_ALL, REQUESTS, SYNCS } way_of_sync;
static const char *const sync_names[] = {"fence", "pscw", "lock", "lock_all", "requests"};

static void begin(hx_window *w, way_of_sync sync, const int *all)
{
    if (sync == FENCE) {
        CHECK_STATUS(hx_window_fence(w, HX_WINDOW_PEERS, MPI_MODE_NOPRECEDE), HX_OK);
    } else if (sync == PSCW) {
        CHECK_STATUS(hx_window_post(w, HX_WINDOW_PEERS, ranks, all, 0), HX_OK);
        CHECK_STATUS(hx_window_start(w, HX_WINDOW_PEERS, ranks, all, 0), HX_OK);
    } else if (sync != LOCK) {
        CHECK_STATUS(hx_window_lock_all(w, HX_WINDOW_PEERS, 0), HX_OK);
    }
}

static void end(hx_window *w, way_of_sync sync)
{
    if (sync == FENCE) {
        CHECK_STATUS(hx_window_fence(w, HX_WINDOW_PEERS, MPI_MODE_NOSUCCEED), HX_OK);
    } else if (sync == PSCW) {
        CHECK_STATUS(hx_window_complete(w, HX_WINDOW_PEERS), HX_OK);
        int done = 0;
        for (int i = 0; i < 3 && !done; ++i) {
            CHECK_STATUS(hx_window_test(w, HX_WINDOW_PEERS, &done), HX_OK);
        }
        if (!done) {
            CHECK_STATUS(hx_window_wait(w, HX_WINDOW_PEERS), HX_OK);
        }
    } else if (sync != LOCK) {
        CHECK_STATUS(hx_window_flush_local(w, HX_WINDOW_PEERS, HX_WINDOW_ALL), HX_OK);
        CHECK_STATUS(hx_window_flush(w, HX_WINDOW_PEERS, HX_WINDOW_ALL), HX_OK);
        CHECK_STATUS(hx_window_sync(w, HX_WINDOW_PEERS), HX_OK);
        CHECK_STATUS(hx_window_unlock_all(w, HX_WINDOW_PEERS), HX_OK);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void move(hx_window *w, way_of_sync sync, int64_t *buffer, hx_window_part part, int puts)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request *place = sync == REQUESTS ? &request : NULL;
    if (sync == LOCK) {
        CHECK_STATUS(hx_window_lock(w, HX_WINDOW_PEERS, part.target, puts, 0), HX_OK);
    }
    CHECK_STATUS(puts ? hx_window_put(w, buffer, &part, place) : hx_window_get(w, buffer, &part, place),
                 HX_OK);
    if (place) {
        MPI_Wait(place, MPI_STATUS_IGNORE);
    }
    if (sync == LOCK) {
        CHECK_STATUS(hx_window_flush(w, HX_WINDOW_PEERS, part.target), HX_OK);
        CHECK_STATUS(hx_window_unlock(w, HX_WINDOW_PEERS, part.target), HX_OK);
    }
}

/* A window has a slot for each rank to put into, and one of its own to get from. */
static void trade(hx_window *w, int64_t *memory, way_of_sync sync, int round)
{
    int64_t *mine = malloc(SLOT * sizeof *mine);
    int64_t *got = calloc((size_t)ranks * SLOT, sizeof *got);
    int *all = malloc((size_t)ranks * sizeof *all);
    for (int i = 0; i < SLOT; ++i) {
        mine[i] = memory[ranks * SLOT + i] = value(rank, round, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) {
        all[r] = r;
    }
    begin(w, sync, all);
    for (int r = 0; r < ranks; ++r) {
        move(w, sync, mine, (hx_window_part){HX_WINDOW_PEERS, r, rank * SLOT, SLOT}, 1);
    }
    for (int r = 0; r < ranks; ++r) {
        move(w, sync, got + r * SLOT, (hx_window_part){HX_WINDOW_PEERS, r, ranks * SLOT, SLOT}, 0);
    }
    end(w, sync);
    CHECK(memcmp(memory, got, (size_t)ranks * SLOT * sizeof *got) == 0, "put and get differ");
    for (int i = 0; i < ranks * SLOT; ++i) {
        const int64_t expected = value(i / SLOT, round, i % SLOT);
        if (memory[i] != expected) {
            CHECK(0, "element %d is %lld, not %lld", i, (long long)memory[i], (long long)expected);
            break;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    free(all);
    free(got);
    free(mine);
}

static void test_trade(void)
{
    static const hx_window_memory memories[] = {HX_WINDOW_PARTS, HX_WINDOW_PRIVATE, HX_WINDOW_USER};
    const int64_t elements = (ranks + 1) * SLOT;
    for (int m = 0; m < 3; ++m) {
        hx_window_request request = ask("trade", memories[m], HX_WINDOW_PEERS, elements);
        int64_t *own = malloc((size_t)elements * sizeof *own);
        request.base = memories[m] == HX_WINDOW_USER ? own : NULL;
        hx_window *w = make(&request);
        hx_window_facts facts;
        hx_window_query(w, &facts);
        void *memory = NULL;
        int64_t found = 0;
        CHECK_STATUS(hx_window_pointer(w, facts.node_rank, &memory, &found), HX_OK);
        CHECK(found == elements, "%lld elements", (long long)found);
        CHECK(request.base == NULL || request.base == memory, "other memory than the user's");
        for (way_of_sync sync = FENCE; memory && sync < SYNCS; ++sync) {
            check_about("nodes %d, memory %d, %s", (int)nodes_now, (int)memories[m], sync_names[sync]);
            trade(w, memory, sync, m * SYNCS + (int)sync);
        }
        drop(&w);
        free(own);
    }
}

/* ---- accumulate ---------------------------------------------------------------------------------------- */

static void test_accumulate(void)
{
    check_about("accumulate, nodes %d", (int)nodes_now);
    hx_window_request request = ask("sums", HX_WINDOW_PRIVATE, HX_WINDOW_PEERS, 2 * SLOT + 1);
    hx_window *w = make(&request);
    void *memory = NULL;
    int64_t elements = 0;
    hx_window_facts facts;
    hx_window_query(w, &facts);
    CHECK_STATUS(hx_window_pointer(w, facts.node_rank, &memory, &elements), HX_OK);
    memset(memory, 0, (size_t)elements * sizeof(int64_t));
    MPI_Barrier(MPI_COMM_WORLD);
    int64_t mine[SLOT];
    int64_t before[SLOT];
    for (int i = 0; i < SLOT; ++i) {
        mine[i] = value(rank, 0, i);
    }
    const hx_window_part sums = {HX_WINDOW_PEERS, 0, 0, SLOT};
    const hx_window_part largest = {HX_WINDOW_PEERS, 0, SLOT, SLOT};
    const hx_window_part counter = {HX_WINDOW_PEERS, 0, 2 * SLOT, 1};
    const hx_window_operation add = {MPI_INT64_T, MPI_SUM};
    const hx_window_operation max = {MPI_INT64_T, MPI_MAX};
    const int64_t one = 1;
    int64_t ticket = -1;
    MPI_Request request_of[2];
    CHECK_STATUS(hx_window_lock_all(w, HX_WINDOW_PEERS, 0), HX_OK);
    CHECK_STATUS(hx_window_accumulate(w, mine, &sums, &add, NULL), HX_OK);
    CHECK_STATUS(hx_window_accumulate(w, mine, &sums, &add, &request_of[0]), HX_OK);
    MPI_Wait(&request_of[0], MPI_STATUS_IGNORE);
    CHECK_STATUS(hx_window_get_accumulate(w, mine, before, &largest, &max, &request_of[1]), HX_OK);
    MPI_Wait(&request_of[1], MPI_STATUS_IGNORE);
    CHECK_STATUS(hx_window_get_accumulate(w, mine, before, &largest, &max, NULL), HX_OK);
    CHECK_STATUS(hx_window_fetch_and_op(w, &one, &ticket, &counter, &add), HX_OK);
    CHECK_STATUS(hx_window_unlock_all(w, HX_WINDOW_PEERS), HX_OK);
    for (int i = 0; i < SLOT; ++i) {
        CHECK(before[i] >= mine[i], "after the largest of all was taken, element %d was %lld", i,
              (long long)before[i]);
    }
    int64_t tickets = (int64_t)1 << ticket;
    MPI_Allreduce(MPI_IN_PLACE, &tickets, 1, MPI_INT64_T, MPI_BOR, MPI_COMM_WORLD);
    CHECK(tickets == ((int64_t)1 << ranks) - 1, "tickets %llx", (unsigned long long)tickets);
    for (int i = 0; i < SLOT && rank == 0; ++i) {
        int64_t sum = 0;
        for (int r = 0; r < ranks; ++r) {
            sum += 2 * value(r, 0, i);
        }
        const int64_t *found = memory;
        CHECK(found[i] == sum, "sum %d is %lld, not %lld", i, (long long)found[i], (long long)sum);
        CHECK(found[SLOT + i] == value(ranks - 1, 0, i), "the largest is %lld", (long long)found[SLOT + i]);
    }
    drop(&w);
}

/* ---- nodes --------------------------------------------------------------------------------------------- */

static int real_first;

static int node_start(void) /* of its node, the first rank, as nodes.c divides them */
{
    static const int first[] = {0, 0, 2, 3, 3, 3};
    return nodes_now == NODES_REAL ? real_first : nodes_now == NODES_ALONE ? rank : first[rank];
}

/* Parts of different lengths, also 0, follow each other; all ranks of the node see all of them. */
static void test_parts(void)
{
    check_about("parts, nodes %d", (int)nodes_now);
    hx_window_request request = ask("parts", HX_WINDOW_PARTS, HX_WINDOW_LEADERS, rank % 3);
    hx_window *w = make(&request);
    hx_window_facts facts;
    hx_window_query(w, &facts);
    CHECK(facts.node_rank == rank - node_start(), "node rank %d", facts.node_rank);
    CHECK(facts.memory == HX_WINDOW_PARTS && facts.elements == rank % 3, "%lld elements",
          (long long)facts.elements);
    CHECK((facts.ways & HX_WINDOW_NODE) && !(facts.ways & HX_WINDOW_PEERS), "ways %u", facts.ways);
    CHECK(((facts.ways & HX_WINDOW_LEADERS) != 0) == (facts.node_rank == 0), "ways %u", facts.ways);
    void *memory = NULL;
    int64_t elements = 0;
    CHECK_STATUS(hx_window_pointer(w, facts.node_rank, &memory, &elements), HX_OK);
    CHECK_STATUS(hx_window_lock_all(w, HX_WINDOW_NODE, 0), HX_OK);
    for (int64_t i = 0; i < elements; ++i) {
        ((int64_t *)memory)[i] = value(rank, 0, (int)i);
    }
    CHECK_STATUS(hx_window_sync(w, HX_WINDOW_NODE), HX_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(hx_window_sync(w, HX_WINDOW_NODE), HX_OK);
    const int64_t *next = NULL;
    for (int n = 0; n < facts.node_ranks; ++n) {
        const int r = node_start() + n;
        CHECK_STATUS(hx_window_pointer(w, n, &memory, &elements), HX_OK);
        CHECK(elements == r % 3, "rank %d has %lld elements", r, (long long)elements);
        CHECK(elements == 0 || !next || memory == (const void *)next, "there is a gap before rank %d", r);
        int64_t got = 0;
        const hx_window_part first = {HX_WINDOW_NODE, n, 0, elements > 0};
        CHECK_STATUS(hx_window_get(w, &got, &first, NULL), HX_OK);
        CHECK_STATUS(hx_window_flush(w, HX_WINDOW_NODE, n), HX_OK);
        CHECK(elements == 0 || got == value(r, 0, 0), "got %lld of rank %d", (long long)got, r);
        for (int64_t i = 0; i < elements; ++i) {
            const int64_t found = ((const int64_t *)memory)[i];
            CHECK(found == value(r, 0, (int)i), "rank %d has %lld", r, (long long)found);
        }
        next = elements > 0 ? (const int64_t *)memory + elements : next;
    }
    CHECK_STATUS(hx_window_unlock_all(w, HX_WINDOW_NODE), HX_OK);
    drop(&w);
}

/*
 * A node's buffer, that the leader of the node before puts into; peers reach it at the leader, nowhere else.
 */
static void test_shared(void)
{
    check_about("shared, nodes %d", (int)nodes_now);
    hx_window_request request = ask("shared", HX_WINDOW_SHARED, HX_WINDOW_PEERS | HX_WINDOW_LEADERS, SLOT);
    request.axes = 3;
    request.extent[1] = 1;
    request.extent[2] = 1;
    hx_window *w = make(&request);
    hx_window_facts facts;
    hx_window_query(w, &facts);
    CHECK(facts.axes == 3 && facts.extent[0] == SLOT && facts.element == 8 && facts.bytes == SLOT * 8,
          "%zu bytes", facts.bytes);
    int64_t mine[SLOT];
    for (int i = 0; i < SLOT; ++i) {
        mine[i] = value(facts.node, 1, i);
    }
    if (facts.node >= 0) {
        const hx_window_part part = {HX_WINDOW_LEADERS, (facts.node + 1) % facts.nodes, 0, SLOT};
        CHECK_STATUS(hx_window_fence(w, HX_WINDOW_LEADERS, 0), HX_OK);
        CHECK_STATUS(hx_window_put(w, mine, &part, NULL), HX_OK);
        CHECK_STATUS(hx_window_fence(w, HX_WINDOW_LEADERS, 0), HX_OK);
    } else {
        CHECK(hx_window_fence(w, HX_WINDOW_LEADERS, 0) == HX_ERR_STATE &&
                  strstr(hx_last_error(), "leads no node"),
              "%s", hx_last_error());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int place[2] = {facts.node, facts.nodes};
    const int first = node_start();
    void *memory = NULL;
    int64_t elements = 0;
    CHECK_STATUS(hx_window_pointer(w, 0, &memory, &elements), HX_OK);
    CHECK(elements == SLOT, "%lld elements", (long long)elements);
    if (first == rank) {
        const int64_t from = (place[0] + place[1] - 1) % place[1];
        CHECK(((const int64_t *)memory)[0] == value((int)from, 1, 0), "%lld",
              (long long)((const int64_t *)memory)[0]);
    } else {
        CHECK_STATUS(hx_window_pointer(w, facts.node_rank, &memory, &elements), HX_OK);
        CHECK(elements == 0, "a rank that is no leader holds %lld elements", (long long)elements);
    }
    int64_t got = 0;
    CHECK_STATUS(hx_window_lock(w, HX_WINDOW_PEERS, first, 0, 0), HX_OK);
    CHECK_STATUS(hx_window_get(w, &got, &(hx_window_part){HX_WINDOW_PEERS, first, SLOT - 1, 1}, NULL), HX_OK);
    CHECK_STATUS(hx_window_unlock(w, HX_WINDOW_PEERS, first), HX_OK);
    CHECK_STATUS(hx_window_pointer(w, 0, &memory, &elements), HX_OK);
    CHECK(got == ((const int64_t *)memory)[SLOT - 1], "got %lld", (long long)got);
    drop(&w);
}

/* ---- further kinds ------------------------------------------------------------------------------------- */

static void test_auto(void)
{
    check_about("auto, nodes %d", (int)nodes_now);
    hx_window_request request = ask("auto", HX_WINDOW_AUTO, HX_WINDOW_PEERS, 5);
    hx_window *w = make(&request);
    hx_window_facts facts;
    hx_window_query(w, &facts);
    const int shares = ranks > 1 && nodes_now != NODES_ALONE;
    CHECK(facts.memory == (shares ? HX_WINDOW_SHARED : HX_WINDOW_PRIVATE), "memory %d", (int)facts.memory);
    CHECK(strstr(facts.why, "the largest node has ") != NULL, "why: %s", facts.why);
    drop(&w);
    nodes_fault_now = shares ? FAULT_SHARED : FAULT_NONE;
    for (nodes_fault_everywhere = 0; nodes_fault_everywhere < 2; ++nodes_fault_everywhere) {
        w = make(&request);
        hx_window_query(w, &facts);
        CHECK(facts.memory == HX_WINDOW_PRIVATE && facts.ways == HX_WINDOW_PEERS, "memory %d",
              (int)facts.memory);
        CHECK(!shares || strstr(facts.why, "MPI_Win_allocate_shared of 40 bytes failed"), "why: %s",
              facts.why);
        drop(&w);
    }
    nodes_fault_everywhere = 0;
    nodes_fault_now = FAULT_NONE;
    request.ways = 0; /* for ranks of a node, if there are several; else each has a buffer for itself */
    w = make(&request);
    void *memory = NULL;
    int64_t elements = 0;
    hx_window_query(w, &facts);
    CHECK(facts.ways == (shares ? HX_WINDOW_NODE : 0), "ways %u", facts.ways);
    CHECK_STATUS(hx_window_pointer(w, 0, &memory, &elements),
                 shares || facts.node_rank == 0 ? HX_OK : HX_ERR_ARGUMENT);
    CHECK(memory && elements == 5, "%lld elements at %p", (long long)elements, memory);
    drop(&w);
}

static void test_dynamic(void)
{
    check_about("dynamic");
    hx_window_request request = ask("dynamic", HX_WINDOW_DYNAMIC, HX_WINDOW_PEERS, 0);
    hx_window *w = make(&request);
    int64_t pieces[2][SLOT] = {{0}};
    for (int p = 0; p < 2; ++p) {
        CHECK_STATUS(hx_window_attach(w, pieces[p], sizeof pieces[p]), HX_OK);
    }
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_attach(w, &pieces[1][1], 8), HX_ERR_STATE,
                  "overlap 296 bytes at");
    const int64_t mine = hx_window_address(&pieces[1][2]);
    int64_t *there = malloc((size_t)ranks * sizeof *there);
    PMPI_Allgather(&mine, 1, MPI_INT64_T, there, 1, MPI_INT64_T, MPI_COMM_WORLD);
    const int next = (rank + 1) % ranks;
    const int64_t sent = value(rank, 3, 0);
    CHECK_STATUS(hx_window_lock_all(w, HX_WINDOW_PEERS, 0), HX_OK);
    CHECK_STATUS(hx_window_put(w, &sent, &(hx_window_part){HX_WINDOW_PEERS, next, there[next], 1}, NULL),
                 HX_OK);
    CHECK_STATUS(hx_window_unlock_all(w, HX_WINDOW_PEERS), HX_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    const int64_t expected = value((rank + ranks - 1) % ranks, 3, 0);
    CHECK(pieces[1][2] == expected, "%lld, not %lld", (long long)pieces[1][2], (long long)expected);
    CHECK_STATUS(hx_window_detach(w, pieces[0]), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_detach(w, pieces[0]), HX_ERR_STATE,
                  "is attached to window \"dynamic\"");
    drop(&w); /* with the other piece attached */
    free(there);
}

/* Several at once, of no bytes and of some, freed in another order. */
static void test_several(void)
{
    check_about("several, nodes %d", (int)nodes_now);
    static const hx_window_memory memories[] = {HX_WINDOW_SHARED, HX_WINDOW_PARTS, HX_WINDOW_PRIVATE,
                                                HX_WINDOW_USER};
    hx_window *w[8];
    for (int i = 0; i < 8; ++i) {
        hx_window_request request =
            ask("none", memories[i / 2], HX_WINDOW_PEERS | HX_WINDOW_LEADERS, i % 2 ? 0 : 3);
        int64_t memory[3];
        request.base = i == 6 ? memory : NULL;
        w[i] = make(&request);
        CHECK_STATUS(hx_window_fence(w[i], HX_WINDOW_PEERS, 0), HX_OK);
        CHECK_STATUS(
            hx_window_put(w[i], memory, &(hx_window_part){HX_WINDOW_PEERS, 0, i % 2 ? 0 : 3, 0}, NULL),
            HX_OK);
        CHECK_STATUS(hx_window_fence(w[i], HX_WINDOW_PEERS, MPI_MODE_NOSUCCEED), HX_OK);
    }
    for (int i = 0; i < 8; ++i) {
        drop(&w[(i * 3) % 8]);
        CHECK_STATUS(hx_window_free(&w[(i * 3) % 8]), HX_OK);
    }
    hx_window_facts facts;
    hx_window_query(w[0], &facts);
    CHECK(facts.ways == 0 && facts.bytes == 0 && facts.element == 0, "facts of no window: ways %u",
          facts.ways);
    CHECK_STATUS(hx_window_free(NULL), HX_OK);
}

/* ---- log lines ----------------------------------------------------------------------------------------- */

static int lines;

static void take_line(void *context, int level, const char *line)
{
    lines += level == HX_LOG_INFO && strstr(line, context) != NULL;
}

static void test_log(void)
{
    for (int log = HX_WINDOW_LOG_NONE; log <= HX_WINDOW_LOG_EVERY; ++log) {
        check_about("log %d", log);
        static char words[] = "window \"told\"";
        hx_window_request request = ask("told", HX_WINDOW_AUTO, HX_WINDOW_PEERS, 5);
        request.log = log;
        request.log_line = take_line;
        request.log_context = words;
        lines = 0;
        hx_window *w = make(&request);
        drop(&w);
        const int expected = log == HX_WINDOW_LOG_EVERY || (log == HX_WINDOW_LOG_ROOT && rank == 0) ? 2 : 0;
        CHECK(lines == expected, "%d lines, expected %d", lines, expected);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    real_first = nodes_real_first();
    for (nodes_now = NODES_REAL; nodes_now < NODES_KINDS; ++nodes_now) {
        if (nodes_now == NODES_UNEVEN && nodes_are_several()) {
            continue; /* ranks of different machines do not look like those of one */
        }
        test_trade();
        test_accumulate();
        test_parts();
        test_shared();
        test_auto();
        test_several();
    }
    nodes_now = NODES_REAL;
    test_dynamic();
    test_log();
    CHECK(nodes_open == 0, "%d things of MPI are left", nodes_open);
    return check_verdict("windows");
}
