/*
 * Pools in windows, on nodes of different sizes: peers find the buffers, and whatever pools of the host
 * promise holds for them, too.
 */
#include "check.h"
#include "nodes.h"

#include <hx/pool.h>
#include <hx/window.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int ranks;

enum { PART = 8000 }; /* elements of a rank's part */

static hx_window *make_window(hx_window_memory memory)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = "pooled";
    request.memory = memory;
    request.ways = HX_WINDOW_PEERS;
    request.element = sizeof(int64_t);
    request.extent[0] = PART + rank;
    hx_window *window = NULL;
    CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &window), HX_OK);
    return window;
}

static hx_pool *make_pool(hx_window *window, int check)
{
    hx_pool *pool = NULL;
    CHECK_STATUS(hx_pool_create_in(window, check, &pool), HX_OK);
    return pool;
}

static void *acquire(hx_pool *pool, size_t bytes)
{
    void *buffer = NULL;
    CHECK_STATUS(hx_pool_acquire(pool, bytes, &buffer), HX_OK);
    CHECK((uintptr_t)buffer % 64 == 0, "a buffer begins at %p", buffer);
    return buffer;
}

static hx_pool_counters count(hx_pool *pool)
{
    hx_pool_counters counters = {0};
    CHECK_STATUS(hx_pool_count(pool, &counters), HX_OK);
    return counters;
}

static void expect_words(const char *words)
{
    CHECK(strstr(hx_last_error(), words), "not in words \"%s\": %s", words, hx_last_error());
}

static void drop(hx_pool *pool, hx_window **window)
{
    CHECK_STATUS(hx_pool_destroy(pool), HX_OK);
    CHECK_STATUS(hx_window_free(window), HX_OK);
}

/* ---- who finds what ------------------------------------------------------------------------------------ */

enum { BUFFERS = 5, ELEMENTS = 100 };

static int64_t value(int from, int buffer, int i)
{
    return ((int64_t)from * BUFFERS + buffer) * ELEMENTS + i + 1;
}

static void check_values(const int64_t *found, int from, int buffer, const char *how)
{
    int wrong = 0;
    for (int i = 0; i < ELEMENTS; ++i) {
        wrong += found[i] != value(from, buffer, i);
    }
    CHECK(wrong == 0, "%d of %d elements of buffer %d of rank %d are wrong, %s", wrong, (int)ELEMENTS, buffer,
          from, how);
}

/* Every rank reads the buffers of all others: by pointers where it shares memory with them, else by gets. */
static void test_peers(hx_window_memory memory)
{
    hx_window *window = make_window(memory);
    hx_pool *pool = make_pool(window, 0);
    uint64_t mine[BUFFERS];
    void *buffer[BUFFERS];
    uint64_t *all = malloc((size_t)ranks * sizeof mine);
    for (int b = 0; b < BUFFERS; ++b) {
        size_t offset = 0;
        buffer[b] = acquire(pool, ELEMENTS * sizeof(int64_t) * (size_t)(b + 1));
        CHECK_STATUS(hx_pool_offset(pool, buffer[b], &offset), HX_OK);
        mine[b] = offset;
        for (int i = 0; i < ELEMENTS; ++i) {
            ((int64_t *)buffer[b])[i] = value(rank, b, i);
        }
    }
    MPI_Allgather(mine, BUFFERS, MPI_UINT64_T, all, BUFFERS, MPI_UINT64_T, MPI_COMM_WORLD);
    CHECK_STATUS(hx_window_fence(window, HX_WINDOW_PEERS, 0), HX_OK);
    int64_t got[ELEMENTS];
    for (int i = 0; i < ranks * BUFFERS; ++i) {
        const hx_window_part part = {HX_WINDOW_PEERS, i / BUFFERS, (int64_t)(all[i] / sizeof *got), ELEMENTS};
        CHECK(all[i] % sizeof *got == 0, "an element begins between two");
        CHECK_STATUS(hx_window_get(window, got, &part, NULL), HX_OK);
        CHECK_STATUS(hx_window_fence(window, HX_WINDOW_PEERS, 0), HX_OK);
        check_values(got, i / BUFFERS, i % BUFFERS, "got");
    }
    hx_window_facts facts;
    hx_window_query(window, &facts);
    const int first = rank - facts.node_rank; /* ranks of a node follow each other */
    for (int i = 0; i < facts.node_ranks * BUFFERS && memory == HX_WINDOW_PARTS; ++i) {
        void *part = NULL;
        int64_t elements = 0;
        CHECK_STATUS(hx_window_pointer(window, i / BUFFERS, &part, &elements), HX_OK);
        const unsigned char *there = (unsigned char *)part + all[first * BUFFERS + i];
        check_values((const int64_t *)(const void *)there, first + i / BUFFERS, i % BUFFERS, "by pointer");
    }
    CHECK_STATUS(hx_window_fence(window, HX_WINDOW_PEERS, 0), HX_OK);
    CHECK(count(pool).held == BUFFERS, "%d buffers are held", (int)count(pool).held);
    for (int b = 0; b < BUFFERS; ++b) {
        CHECK_STATUS(hx_pool_release(pool, buffer[b]), HX_OK);
    }
    free(all);
    drop(pool, &window);
}

/* ---- room ---------------------------------------------------------------------------------------------- */

/* Takes buffers until there is no room, and tells how many bytes they have. */
static size_t fill(hx_pool *pool, size_t bytes, void **buffer, int most, int *taken)
{
    size_t sum = 0;
    *taken = 0;
    hx_status status = HX_OK;
    while (*taken < most && (status = hx_pool_acquire(pool, bytes, &buffer[*taken])) == HX_OK) {
        memset(buffer[*taken], *taken, bytes);
        sum += bytes;
        ++*taken;
    }
    CHECK_STATUS(status, HX_ERR_MEMORY);
    expect_words("There is no room for a buffer of");
    for (int i = 0; i < *taken; ++i) {
        const unsigned char *byte = buffer[i];
        CHECK(byte[0] == (unsigned char)i && memcmp(byte, byte + 1, bytes - 1) == 0, "buffer %d is not alone",
              i);
    }
    return sum;
}

/*
 * What was small buffers becomes large ones, and small ones again; no room is lost but a rest here and there.
 */
static void test_room(void)
{
    enum { MOST = 300 };
    static void *buffer[MOST];
    hx_window *window = make_window(HX_WINDOW_PARTS);
    hx_pool *pool = make_pool(window, 1);
    const size_t part = (PART + (size_t)rank) * sizeof(int64_t);
    int taken = 0;
    const size_t bytes[] = {256, 4096, 1024, 256, 40 * 1024, 256};
    for (int i = 0; i < 6; ++i) {
        const size_t sum = fill(pool, bytes[i], buffer, MOST, &taken);
        CHECK(sum + (size_t)taken * 64 + 3 * (bytes[i] + 64) > part, "%d buffers of %zu bytes, %zu in all",
              taken, bytes[i], sum);
        CHECK(sum + (size_t)taken * 64 <= part, "%d buffers of %zu bytes are more than there is", taken,
              bytes[i]);
        for (int b = 0; b < taken; b += 2) { /* odd ones last, so that gaps join */
            CHECK_STATUS(hx_pool_release(pool, buffer[b]), HX_OK);
        }
        for (int b = 1; b < taken; b += 2) {
            CHECK_STATUS(hx_pool_release(pool, buffer[b]), HX_OK);
        }
    }
    CHECK(count(pool).held == 0 && count(pool).in_use == 0 && count(pool).idle > 0, "counters");
    CHECK(count(pool).high_water <= part && count(pool).high_water > part / 2, "high water");
    CHECK_STATUS(hx_pool_trim(pool), HX_OK);
    CHECK(count(pool).idle == 0, "idle");
    CHECK_STATUS(hx_pool_acquire(pool, part, buffer), HX_ERR_MEMORY);
    CHECK_STATUS(hx_pool_acquire(pool, SIZE_MAX, buffer), HX_ERR_MEMORY);
    CHECK(!buffer[0], "a buffer that there is not");
    drop(pool, &window);
}

/* ---- misuse -------------------------------------------------------------------------------------------- */

/* Idle buffers make room for a larger one, and among them is one that somebody has written to. */
static void test_spoiled_room(void)
{
    hx_window *window = make_window(HX_WINDOW_PARTS);
    hx_pool *pool = make_pool(window, 1);
    unsigned char *spoiled = acquire(pool, (size_t)PART * 5);
    CHECK_STATUS(hx_pool_release(pool, spoiled), HX_OK);
    spoiled[5] = 1;
    void *other = NULL;
    CHECK_STATUS(hx_pool_acquire(pool, (size_t)PART * 4, &other), HX_ERR_STATE);
    expect_words("was written to after it had been released: its byte 5 is 1");
    CHECK(!other, "a buffer although making room failed");
    drop(pool, &window);
}

static void test_misuse(void)
{
    hx_window *window = make_window(HX_WINDOW_PARTS);
    hx_pool *pool = make_pool(window, 1);
    size_t offset = 1;
    void *a = acquire(pool, 1000);
    void *b = acquire(pool, 1000);
    CHECK_STATUS(hx_pool_release(pool, (unsigned char *)a + 64), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_pool_offset(pool, (unsigned char *)a + 64, &offset), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_pool_release(pool, a), HX_OK);
    CHECK_STATUS(hx_pool_release(pool, a), HX_ERR_STATE);
    expect_words("is released for the second time");
    CHECK_STATUS(hx_pool_offset(pool, a, &offset), HX_ERR_ARGUMENT);
    expect_words("is no buffer in use of a pool in a window");
    CHECK_STATUS(hx_pool_destroy(pool), HX_ERR_STATE);
    CHECK_STATUS(hx_window_free(&window), HX_ERR_STATE);
    expect_words("buffers of a pool lie in it; call hx_pool_destroy first");
    ((unsigned char *)a)[10] = 1; /* as a peer may do, too */
    void *c = NULL;
    CHECK_STATUS(hx_pool_acquire(pool, 1000, &c), HX_ERR_STATE);
    expect_words("was written to after it had been released: its byte 10 is 1");
    c = acquire(pool, 1000);
    CHECK(c != a && c != b, "a buffer that somebody writes to was given away");
    CHECK_STATUS(hx_pool_release(pool, a), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_pool_release(pool, b), HX_OK);
    CHECK_STATUS(hx_pool_release(pool, c), HX_OK);
    CHECK_STATUS(hx_pool_trim(pool), HX_OK);
    void *d = acquire(pool, 1000); /* the first gap is behind the spoiled one */
    CHECK(d == b, "what was trimmed has no room");
    CHECK_STATUS(hx_pool_release(pool, d), HX_OK);
    drop(pool, &window);
}

static void test_refusals(void)
{
    hx_pool *pool = NULL;
    size_t offset = 1;
    CHECK_STATUS(hx_pool_create_in(NULL, 0, &pool), HX_ERR_ARGUMENT);
    expect_words("The window given to hx_pool_create_in is a null pointer");
    hx_window *window = make_window(HX_WINDOW_DYNAMIC);
    CHECK_STATUS(hx_pool_create_in(window, 0, NULL), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_pool_create_in(window, 0, &pool), HX_ERR_ARGUMENT);
    expect_words("holds no memory of window \"pooled\"");
    CHECK(!pool, "a pool without memory");
    CHECK_STATUS(hx_window_free(&window), HX_OK);
    CHECK_STATUS(hx_pool_create(0, &pool), HX_OK);
    void *buffer = acquire(pool, 10);
    CHECK_STATUS(hx_pool_offset(pool, buffer, &offset), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_pool_offset(pool, buffer, NULL), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_pool_release(pool, buffer), HX_OK);
    CHECK_STATUS(hx_pool_destroy(pool), HX_OK);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

static void *take_and_give(void *pool)
{
    static const size_t bytes[] = {300, 5000, 700};
    long wrong = 0;
    for (int i = 0; i < 5000; ++i) {
        unsigned char *buffer = NULL;
        const size_t size = bytes[i % 3];
        wrong += hx_pool_acquire(pool, size, (void **)&buffer) != HX_OK;
        if (buffer) {
            memset(buffer, i, size);
            wrong += buffer[0] != (unsigned char)i || memcmp(buffer, buffer + 1, size - 1) != 0;
            wrong += hx_pool_release(pool, buffer) != HX_OK;
        }
    }
    return (void *)wrong;
}

static void test_threads(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    hx_window *window = make_window(HX_WINDOW_PRIVATE);
    hx_pool *pool = make_pool(window, 1);
    for (int i = 0; i < THREADS; ++i) {
        pthread_create(&thread[i], NULL, take_and_give, pool);
    }
    for (int i = 0; i < THREADS; ++i) {
        void *wrong = NULL;
        pthread_join(thread[i], &wrong);
        CHECK(!wrong, "%ld things went wrong in thread %d", (long)wrong, i);
    }
    drop(pool, &window);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (nodes_now = NODES_REAL; nodes_now < NODES_KINDS; ++nodes_now) {
        if (nodes_now == NODES_UNEVEN && nodes_are_several()) {
            continue; /* ranks of different machines do not look like those of one */
        }
        test_peers(HX_WINDOW_PARTS);
        test_peers(HX_WINDOW_PRIVATE);
    }
    nodes_now = NODES_REAL;
    test_room();
    test_spoiled_room();
    test_misuse();
    test_refusals();
    test_threads();
    CHECK(nodes_open == 0, "%d things of MPI are left", nodes_open);
    return check_verdict("pools in windows");
}
