/*
 * Memory: create fails on all ranks when any allocation of any rank does, and leaves nothing behind; start
 * and finish allocate nothing.
 *
 * Linked with --wrap, so that every call of libhx for memory passes through here.
 */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "sample.h"

#include <hx/pool.h>
#include <hx/window.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __real_free(void *memory);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __wrap_free(void *memory);

static long calls;          /* for memory, so far */
static long live;           /* pieces that are not freed */
static long refuse_at = -1; /* the call that gets nothing */

static int next_call(void)
{
    return calls++ != refuse_at;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *memory = next_call() ? __real_aligned_alloc(alignment, bytes) : NULL;
    live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    void *memory = next_call() ? __real_malloc(bytes) : NULL;
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = next_call() ? __real_calloc(count, bytes) : NULL;
    live += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    live += memory == NULL;
    return next_call() ? __real_realloc(memory, bytes) : NULL;
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    live++;
    return next_call() ? __real_posix_memalign(memory, alignment, bytes) : 12;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

/* What create is given. */
typedef struct given {
    const hx_spec *spec;
    const hx_blocks *blocks;
    const void *shapes;
    const void *fields;
    const hx_options *options;
} given;

/* One rank is refused one piece of memory, then the next, until create needs no more. */
static void test_refusals(const given *g, int on)
{
    const long before = live;
    int created = 0;
    for (long refused = 0; !created; ++refused) {
        hx_handle *handle = NULL;
        calls = 0;
        refuse_at = harness_rank == on ? refused : -1;
        const hx_status status = hx_create(g->spec, g->blocks, g->shapes, g->options, &handle);
        refuse_at = -1;
        created = status == HX_OK;
        if (created) {
            expect(harness_rank != on || calls <= refused);
            expect(refused > 30);
            expect_ok(hx_destroy(handle));
        } else {
            expect_status(HX_ERR_MEMORY, status);
            expect_text(hx_last_error(), "no memory left");
            expect(handle == NULL);
        }
        expect(live == before);
    }
}

static void test_steady_state(const given *g)
{
    hx_handle *handle = NULL;
    expect_ok(hx_create(g->spec, g->blocks, g->shapes, g->options, &handle));
    calls = 0;
    for (int i = 0; i < 3; ++i) {
        for (int e = 0; e < g->spec->exchanges; ++e) {
            expect_ok(hx_start(handle, e, g->fields));
        }
        for (int e = 0; e < g->spec->exchanges; ++e) {
            expect_ok(hx_finish(handle, e));
        }
    }
    expect(calls == 0);
    expect_ok(hx_destroy(handle));
}

/* The same for arrays: all ranks keep what they had, and nothing is left behind. */
static void test_refused_fields(const given *g, int on)
{
    hx_handle *handle = NULL;
    example_fields fields = {NULL, NULL};
    expect_ok(hx_create(g->spec, g->blocks, g->shapes, g->options, &handle));
    const long before = live;
    hx_status status = HX_ERR_MEMORY;
    for (long refused = 0; status != HX_OK; ++refused) {
        calls = 0;
        refuse_at = harness_rank == on ? refused : -1;
        status = hx_alloc(handle, &fields);
        refuse_at = -1;
        expect((status == HX_OK) == (fields.a != NULL));
        if (status == HX_OK) {
            expect(refused > 3);
        } else {
            expect_status(HX_ERR_MEMORY, status);
            expect_text(hx_last_error(), "no memory left");
            expect(live == before);
        }
    }
    expect_ok(hx_free(handle, &fields));
    expect(live == before);
    expect_ok(hx_alloc(handle, &fields));
    expect_ok(hx_destroy(handle));
}

static void test_transport(const char *transport)
{
    harness_setting s;
    harness_set(&s, transport);
    const given g = {&s.e.spec, &s.blocks, &s.shape, &s.fields, &s.options};
    for (int rank = 0; rank < harness_ranks; ++rank) {
        test_refusals(&g, rank);
        const long before = live;
        test_refused_fields(&g, rank);
        expect(live == before);
    }
    test_steady_state(&g);
    s.options.check = 1;
    test_steady_state(&g);
    harness_unset(&s);
}

/* An audit that a rank is refused memory for fails on all; the next one finds all that it needs. */
static int audit_refused(const given *g, int on, long refused)
{
    hx_handle *handle = NULL;
    const long before = live;
    expect_ok(hx_create(g->spec, g->blocks, g->shapes, g->options, &handle));
    expect_ok(hx_start(handle, EXAMPLE_BOTH, g->fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    calls = 0;
    refuse_at = harness_rank == on ? refused : -1;
    const hx_status status = hx_audit(handle, EXAMPLE_BOTH, g->fields);
    refuse_at = -1;
    int over = calls <= refused;
    MPI_Bcast(&over, 1, MPI_INT, on, MPI_COMM_WORLD);
    expect_status(over ? HX_OK : HX_ERR_MEMORY, status);
    expect_ok(hx_audit(handle, EXAMPLE_BOTH, g->fields));
    expect_ok(hx_destroy(handle));
    expect(live == before);
    return over;
}

/* HX_AUDIT=1 warns of it, and the exchange runs without. */
static int begin_refused(const given *g, int on, long refused)
{
    hx_handle *handle = NULL;
    const long before = live;
    calls = 0;
    refuse_at = harness_rank == on ? refused : -1;
    expect_ok(hx_create(g->spec, g->blocks, g->shapes, g->options, &handle));
    refuse_at = -1;
    int over = calls <= refused;
    MPI_Bcast(&over, 1, MPI_INT, on, MPI_COMM_WORLD);
    calls = 0;
    expect_ok(hx_start(handle, EXAMPLE_BOTH, g->fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect(calls == 0);
    expect_ok(hx_destroy(handle));
    expect(live == before);
    return over;
}

static void count_line(void *lines, int level, const char *line)
{
    expect(level == HX_LOG_WARNING && strstr(line, "no memory left"));
    ++*(long *)lines;
}

static long calls_of_create(const given *g)
{
    hx_handle *handle = NULL;
    calls = 0;
    expect_ok(hx_create(g->spec, g->blocks, g->shapes, g->options, &handle));
    const long made = calls;
    expect_ok(hx_destroy(handle));
    return made;
}

static void test_audits(int on)
{
    harness_setting s;
    harness_set(&s, "p2p");
    long lines = 0;
    s.options.log = count_line;
    s.options.log_context = &lines;
    const given g = {&s.e.spec, &s.blocks, &s.shape, &s.fields, &s.options};
    long refused = 0;
    while (!audit_refused(&g, on, refused)) {
        ++refused;
    }
    expect(refused > 20);
    const long plain = calls_of_create(&g);
    setenv("HX_AUDIT", "1", 1);
    refused = 0;
    while (!begin_refused(&g, on, plain + refused)) {
        ++refused;
    }
    setenv("HX_AUDIT", "0", 1);
    expect(harness_rank != on || lines == refused);
    expect(refused > 20);
    harness_unset(&s);
}

/* hx_describe has no status: it gives the sentence, and next time a description. */
static void test_description(void)
{
    harness_setting s;
    hx_handle *handle = NULL;
    harness_set(&s, "persistent");
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    calls = 0;
    refuse_at = 0;
    expect_text(hx_describe(handle), "There is no memory left: ");
    refuse_at = -1;
    expect_text(hx_describe(handle), "exchange both (example.lua:7)");
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

static void test_cart(int on)
{
    const int open = 0;
    const int n = 3;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &harness_ranks, &open, 0, &cart);
    const long before = live;
    hx_part part;
    hx_status status = HX_ERR_MEMORY;
    long refused = 0;
    for (; status != HX_OK; ++refused) {
        calls = 0;
        refuse_at = harness_rank == on ? refused : -1;
        status = hx_partition_from_cart(cart, &n, &part);
        refuse_at = -1;
        expect_status(status == HX_OK ? HX_OK : HX_ERR_MEMORY, status);
        expect(status == HX_OK || live == before);
    }
    expect(refused == 4); /* the arrival, lengths, and cuts */
    hx_partition_free(&part.partition);
    expect(live == before);
    MPI_Comm_free(&cart);
}

static hx_status register_window(hx_handle *handle, hx_window *window)
{
    const hx_status status = hx_register(handle, window);
    if (status == HX_OK) {
        expect_ok(hx_unregister(handle, window));
    }
    return status;
}

/* A pool, and a buffer of it.  Only this rank may have been refused, and only this one is told. */
static hx_status use_pool(hx_handle *unused, hx_window *window)
{
    (void)unused;
    hx_pool *pool = NULL;
    void *buffer = NULL;
    hx_status status = hx_pool_create_in(window, 0, &pool);
    expect((status == HX_OK) == (pool != NULL));
    status = status == HX_OK ? hx_pool_acquire(pool, 100, &buffer) : status;
    expect((status == HX_OK) == (buffer != NULL));
    if (buffer) {
        expect_ok(hx_pool_release(pool, buffer));
    }
    expect_ok(hx_pool_destroy(pool));
    return status;
}

/* What is done with a window while one rank is refused memory. */
static void test_window(hx_status (*use)(hx_handle *handle, hx_window *window), bool together)
{
    harness_setting s;
    hx_handle *handle = NULL;
    hx_window *window = NULL;
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.memory = HX_WINDOW_PARTS;
    request.extent[0] = 1000;
    harness_set(&s, "shared");
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect_ok(hx_window_create(MPI_COMM_WORLD, &request, &window));
    const long before = live;
    const bool told = together || harness_rank == 0;
    hx_status status = HX_ERR_MEMORY;
    long refused = 0;
    for (int over = 0; !over; ++refused) {
        calls = 0;
        refuse_at = harness_rank == 0 ? refused : -1;
        status = use(handle, window);
        refuse_at = -1;
        expect(status == HX_OK || (told && status == HX_ERR_MEMORY));
        expect(live == before);
        over = status == HX_OK;
        MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    expect(refused > 1);
    expect_ok(hx_destroy(handle));
    expect_ok(hx_window_free(&window)); /* which nobody uses */
    harness_unset(&s);
}

/* Windows that need groups of peers. */
static void test_groups(void)
{
    harness_setting s;
    harness_set(&s, "rma-pscw");
    const given g = {&s.e.spec, &s.blocks, &s.shape, &s.fields, &s.options};
    test_refusals(&g, harness_ranks - 1);
    harness_unset(&s);
}

/* Messages in portions.  Where the MPI has none create goes on without them, and is refused memory there, too. */
static void test_portions(void)
{
    harness_setting s;
    harness_set(&s, "partitioned");
    const given g = {&s.e.spec, &s.blocks, &s.shape, &s.fields, &s.options};
    test_refusals(&g, harness_ranks - 1);
    test_steady_state(&g);
    harness_unset(&s);
}

/* Messages that nobody moves here. */
static void test_manual(void)
{
    harness_setting s;
    harness_set(&s, "manual");
    const given g = {&s.e.spec, &s.blocks, &s.shape, &s.fields, &s.options};
    test_refusals(&g, harness_ranks - 1);
    test_steady_state(&g);
    s.options.share_buffers = 1;
    test_refusals(&g, 0);
    harness_unset(&s);
}

/* Exchanges that add, with walls, and of fields with components. */
static void test_sample(void)
{
    static sample s;
    sample_make(&s, 2, 2);
    s.exchange[SAMPLE_WALLS].box = 1;
    s.exchange[SAMPLE_WALLS].wall[0][0] = HX_FILL_MIRROR;
    s.exchange[SAMPLE_WALLS].wall[0][1] = HX_FILL_ZERO;
    static const int cells[] = {4, 4};
    static const int parts[] = {2, 4};
    sample_divide(&s, cells, parts, harness_ranks);
    const hx_blocks blocks = sample_blocks(&s);
    const given g = {&s.spec, &blocks, s.shape, s.fields, NULL};
    test_refusals(&g, harness_ranks - 1); /* the others were refused enough above */
    test_steady_state(&g);
    sample_release(&s);
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    static const char *const transports[] = {"persistent", "p2p", "neighbor", "shared", "rma"};
    for (size_t i = 0; i < sizeof transports / sizeof transports[0]; ++i) {
        test_transport(transports[i]);
    }
    test_groups();
    test_portions();
    test_window(register_window, true);
    test_window(use_pool, false);
    test_description();
    test_audits(harness_ranks - 1);
    test_cart(harness_ranks - 1);
    test_manual();
    test_sample();
    return harness_end();
}
