/*
 * What goes wrong is said in words and leaves nothing behind: after each failure the next create and exchange
 * work.  What create refuses is in mistakes_test.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "exchange/handle.h"
#include "harness.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each rank sends to each other one, at once. */
static void set(harness_setting *s)
{
    harness_set(s, "auto");
    s->options.deadline = 30.0;
    s->options.schedule = "one-phase";
}

static hx_handle *create(const harness_setting *s)
{
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    return handle;
}

/* ---- the error handler of the application ------------------------------------------------------ */

static int handlers_set; /* on the communicator of the application */

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    handlers_set += comm == MPI_COMM_WORLD;
    return PMPI_Comm_set_errhandler(comm, handler);
}

/* Create exchanges it for another and gives it back, or leaves it alone. */
static void test_error_handler(void)
{
    harness_setting s;
    set(&s);
    handlers_set = 0;
    expect_ok(hx_destroy(create(&s)));
    expect(handlers_set == 2);
    s.options.keep_errhandler = 1;
    handlers_set = 0;
    expect_ok(hx_destroy(create(&s)));
    expect(handlers_set == 0);
    setenv("HX_KEEP_ERRHANDLER", "0", 1);
    expect_ok(hx_destroy(create(&s)));
    expect(handlers_set == 2);
    setenv("HX_KEEP_ERRHANDLER", "1", 1);
    int periodic = 0;
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &harness_ranks, &periodic, 0, &line);
    const int cells = 2 * harness_ranks;
    hx_part mine;
    expect_ok(hx_partition_from_cart(line, &cells, &mine));
    expect(handlers_set == 2);
    unsetenv("HX_KEEP_ERRHANDLER");
    MPI_Comm_free(&line);
    harness_unset(&s);
}

/* ---- what the environment asks for --------------------------------------------------------------- */

/* That of rank 0 counts, on all ranks, and no other one. */
static void test_environment(void)
{
    static const struct {
        const char *first; /* HX_AUDIT of rank 0 */
        const char *others;
        bool audits;
    } cases[] = {{"1", "0", true}, {"0", "1", false}, {"", "2", false}};
    harness_setting s;
    set(&s);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        setenv("HX_AUDIT", harness_rank == 0 ? cases[i].first : cases[i].others, 1);
        hx_handle *handle = create(&s);
        expect((handle->audits != NULL) == cases[i].audits);
        expect_ok(hx_destroy(handle));
    }
    unsetenv("HX_AUDIT");
    hx_handle *handle = NULL;
    if (harness_rank == 0) {
        setenv("HX_POISON", "yes", 1);
    }
    expect_status(HX_ERR_ARGUMENT, hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    expect_text(hx_last_error(), "The environment variable HX_POISON is \"yes\"; it takes 0 or 1.");
    unsetenv("HX_POISON");
    expect_ok(hx_destroy(create(&s)));
    harness_unset(&s);
}

/* ---- start and finish ------------------------------------------------------------------------ */

/* Each field would spoil the other's ghost points, whatever was given before. */
static void test_shared_array(void)
{
    harness_setting s;
    set(&s);
    hx_handle *handle = create(&s);
    const example_fields twice = {s.fields.a, (int32_t *)(void *)s.fields.a};
    const example_fields unaligned = {s.fields.a, (int32_t *)(void *)((char *)s.fields.a + 1)};
    for (int i = 0; i < 2; ++i) {
        expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &unaligned));
        for (int j = 0; j < 2; ++j) { /* again with the same pointers */
            expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &twice));
            expect_text(hx_last_error(),
                        "for field a of block 0 and for field b of block 0; give each its own.");
        }
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    }
    /* The one is new to a call that is refused for the other, and the other was there before. */
    double *const b = (double *)(void *)s.fields.b;
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &(example_fields){b, unaligned.b}));
    expect_text(hx_last_error(), "which is not aligned for int32_t");
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &(example_fields){b, s.fields.b}));
    expect_text(hx_last_error(), "for field a of block 0 and for field b of block 0; give each its own.");
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

/* An exchange is through when the others have started it, too, and not before. */
static void test_of_an_exchange(void)
{
    static const char *const transports[] = {"p2p", "persistent", "shared", "rma", "neighbor"};
    for (size_t t = 0; t < sizeof transports / sizeof transports[0]; ++t) {
        harness_setting s;
        set(&s);
        s.options.transport = transports[t];
        hx_handle *handle = create(&s);
        int done = 0;
        harness_about("test, %s", transports[t]);
        if (harness_rank > 0) {
            expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
            expect_ok(hx_test(handle, EXAMPLE_BOTH, &done));
            expect(!done || harness_rank > 1); /* of four, rank 2 may not lie beside rank 0 */
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (harness_rank == 0) {
            expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
        }
        while (!done && hx_test(handle, EXAMPLE_BOTH, &done) == HX_OK) {
        }
        expect(done);
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
        expect_ok(hx_destroy(handle));
        harness_unset(&s);
    }
    harness_about("%s", "");
}

static void test_order_of_calls(void)
{
    harness_setting s;
    set(&s);
    hx_handle *handle = create(&s);
    int done = 0;
    expect_status(HX_ERR_STATE, hx_test(handle, EXAMPLE_BOTH, &done));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" was tested on rank ");
    expect_status(HX_ERR_ARGUMENT, hx_test(handle, EXAMPLE_BOTH, NULL));
    expect_text(hx_last_error(), "is a null pointer; give the address of an int.");
    expect_status(HX_ERR_STATE, hx_finish(handle, EXAMPLE_BOTH));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" was finished on rank ");
    expect_text(hx_last_error(), " without having been started; start it first.");
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_status(HX_ERR_STATE, hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" was started again on rank ");
    expect_text(hx_last_error(), "finish it first, or make a second handle.");
    expect_status(HX_ERR_STATE, hx_destroy(handle));
    expect_text(hx_last_error(), "example.lua:7: exchange \"both\" is under way");
    expect_ok(hx_start(handle, EXAMPLE_STAR, &s.fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_status(HX_ERR_STATE, hx_destroy(handle));
    expect_text(hx_last_error(), "example.lua:8: exchange \"star\" is under way");
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

static void test_arguments(void)
{
    harness_setting s;
    set(&s);
    hx_handle *handle = create(&s);
    expect_status(HX_ERR_ARGUMENT, hx_start(NULL, 0, &s.fields));
    expect_text(hx_last_error(), "The handle given to start an exchange is a null pointer");
    expect_status(HX_ERR_ARGUMENT, hx_test(NULL, 0, &(int){0}));
    expect_text(hx_last_error(), "The handle given to test an exchange is a null pointer");
    expect_status(HX_ERR_ARGUMENT, hx_finish(NULL, 0));
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_EXCHANGES, &s.fields));
    expect_text(hx_last_error(), "there is no exchange 2; example.lua has 2");
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, -1, &s.fields));
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, NULL));
    expect_text(hx_last_error(),
                " gave to example_both_start are a null pointer; give one example_fields a block.");
    example_fields bad = s.fields;
    bad.b = NULL;
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &bad));
    expect_text(hx_last_error(), "exchange \"both\" needs field b (line 4)");
    expect_text(hx_last_error(), " gave to example_both_start its pointer is null; set it");
    bad.b = (int32_t *)(void *)((char *)s.fields.b + 2);
    expect_status(HX_ERR_ARGUMENT, hx_start(handle, EXAMPLE_BOTH, &bad));
    expect_text(hx_last_error(), "not aligned for int32_t; give an address that is a multiple of 4");
    expect_ok(hx_start(handle, EXAMPLE_STAR, &bad)); /* needs no b */
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    hx_traffic traffic;
    int links = 0;
    expect_status(HX_ERR_ARGUMENT, hx_traffic_of(handle, 2, &traffic));
    expect_status(HX_ERR_ARGUMENT, hx_traffic_of(handle, 0, NULL));
    expect_status(HX_ERR_ARGUMENT, hx_links(NULL, 0, NULL, &links));
    expect_ok(hx_destroy(handle));
    expect_ok(hx_destroy(NULL));
    harness_unset(&s);
}

/* ---- who may use a handle -------------------------------------------------------------------- */

/* Every call is refused in words. */
/* All calls that take a handle.  words: what hx_describe says of it. */
static int refuses_all(hx_handle *handle, harness_setting *s, const char *words)
{
    hx_traffic traffic;
    int count = 0;
    int done = 0;
    const hx_strided_array array = {.base = s->fields.a};
    const hx_status refused[] = {
        hx_start(handle, EXAMPLE_BOTH, &s->fields),
        hx_test(handle, EXAMPLE_BOTH, &done),
        hx_finish(handle, EXAMPLE_BOTH),
        hx_start_on(handle, EXAMPLE_BOTH, &s->fields, NULL),
        hx_finish_on(handle, EXAMPLE_BOTH, NULL),
        hx_pack_on(handle, EXAMPLE_BOTH, &s->fields, NULL),
        hx_send_on(handle, EXAMPLE_BOTH, NULL),
        hx_receive(handle, EXAMPLE_BOTH),
        hx_unpack_on(handle, EXAMPLE_BOTH, &s->fields, NULL),
        hx_alloc(handle, &s->fields),
        hx_free(handle, &s->fields),
        hx_register(handle, NULL),
        hx_unregister(handle, NULL),
        hx_set_boundary(handle, NULL, NULL),
        hx_set_boundary_on(handle, NULL, NULL),
        hx_fill_corners(handle, EXAMPLE_BOTH, 0, &s->fields),
        hx_fill_corners_on(handle, EXAMPLE_BOTH, 0, &s->fields, NULL),
        hx_audit(handle, EXAMPLE_BOTH, &s->fields),
        hx_stats(handle, NULL),
        hx_links(handle, EXAMPLE_BOTH, NULL, &count),
        hx_message_buffers(handle, EXAMPLE_BOTH, NULL, &count),
        hx_traffic_of(handle, EXAMPLE_BOTH, &traffic),
        hx_check_array(handle, "call", 0, EXAMPLE_A, &array),
        hx_destroy(handle),
    };
    int right = strstr(hx_describe(handle), words) != NULL;
    right = right && hx_describe_json(handle) == NULL && hx_spec_of(handle) == NULL;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        if (refused[i] != HX_ERR_STATE) {
            printf("rank %d: call %zu of refuses_all gave %s\n", harness_rank, i, hx_status_name(refused[i]));
            right = 0;
        }
    }
    return right;
}

static hx_handle *given;

/*
 * A handle's memory after destroy: kept as it was, since whatever malloc and the next owner write there would
 * make no handle of it, either.
 */
static void *kept;
static int is_kept;

void __real_hxi_memory_free(void *memory);
void __wrap_hxi_memory_free(void *memory);

void __wrap_hxi_memory_free(void *memory)
{
    if (memory && memory == kept) {
        is_kept = 1;
    } else {
        __real_hxi_memory_free(memory);
    }
}

static void *use_elsewhere(void *setting)
{
    expect(
        refuses_all(given, setting, "to describe was made by another thread, and MPI was initialised for"));
    expect(refuses_all(given, setting, "MPI_THREAD_FUNNELED"));
    return NULL;
}

/* A thread that is not to call MPI, a child that shares the parent's MPI, and after destroy. */
static void test_owner(void)
{
    harness_setting s;
    set(&s);
    given = create(&s);
    pthread_t other;
    expect(pthread_create(&other, NULL, use_elsewhere, &s) == 0 && pthread_join(other, NULL) == 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        hx_handle *own = NULL;
        const int right =
            refuses_all(given, &s, "A child of the process that made handles was asked to describe.") &&
            hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &own) == HX_ERR_STATE;
        _exit(right ? 77 : 1);
    }
    int ended = 0;
    expect(waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 77);
    expect_ok(hx_start(given, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_finish(given, EXAMPLE_BOTH));
    kept = given;
    expect_ok(hx_destroy(given));
    kept = NULL;
    expect(is_kept && refuses_all(given, &s, "to describe is none, or was destroyed; give one that"));
    __real_hxi_memory_free(given);
    harness_unset(&s);
}

/* What links say adds up to what traffic says. */
static void test_links(void)
{
    harness_setting s;
    set(&s);
    s.options.timing = 1;
    hx_handle *handle = create(&s);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    int count = 0;
    expect_ok(hx_links(handle, EXAMPLE_BOTH, NULL, &count));
    hx_link *link = calloc((size_t)count, sizeof *link);
    expect_ok(hx_links(handle, EXAMPLE_BOTH, link, &count));
    uint64_t sent = 0;
    uint64_t copied = 0;
    for (int i = 0; i < count; ++i) {
        uint64_t bytes = (uint64_t)s.e.field[link[i].field].size;
        for (int a = 0; a < 3; ++a) {
            bytes *= (uint64_t)(link[i].hi[a] - link[i].lo[a]);
        }
        sent += link[i].incoming ? 0 : (bytes + 15) / 16 * 16;
        copied += link[i].peer == harness_rank ? bytes : 0;
        expect(link[i].offset % 16 == 0);
        expect(link[i].peer != harness_rank || link[i].incoming);
    }
    hx_traffic traffic;
    expect_ok(hx_traffic_of(handle, EXAMPLE_BOTH, &traffic));
    expect(traffic.bytes_copied == copied);
    expect(traffic.bytes_sent <= sent && sent < traffic.bytes_sent + 16 * (uint64_t)(traffic.peers + 1));
    expect(traffic.peers == (harness_ranks > 1 ? harness_ranks - 1 : 0));
    expect(traffic.exchanges == 1 && traffic.pack_seconds > 0.0 && traffic.wait_seconds >= 0.0);
    free(link);
    expect_text(hx_describe(handle), "exchange both (example.lua:7)");
    const bool alone = harness_ranks == 1;
    const bool apart = strstr(hx_describe(handle), "by persistent: ") != NULL; /* on several machines */
    expect_text(hx_describe(handle), alone   ? "this rank, by self: "
                                     : apart ? "by persistent: "
                                             : "by shared: ");
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

/* A halo on one side only: data goes around the ring, and each rank talks to two others. */
static void test_one_sided(void)
{
    example e;
    example_make(&e, 1, 1);
    e.item[EXAMPLE_STAR][0].width_hi[0] = 0;
    const int cells = 4 * harness_ranks;
    const hx_partition request = example_partition(&e, &cells);
    hx_part part;
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &part));
    const example_shape shape = example_shape_of(&e, &part, 0);
    const hx_blocks blocks = {MPI_COMM_WORLD, 1, &part.partition, NULL, NULL, 1, NULL};
    hx_handle *handle = NULL;
    expect_ok(hx_create(&e.spec, &blocks, &shape, NULL, &handle));
    hx_traffic traffic;
    expect_ok(hx_traffic_of(handle, EXAMPLE_STAR, &traffic));
    expect(traffic.peers == (harness_ranks < 3 ? harness_ranks - 1 : 2));
    expect(traffic.messages == (harness_ranks > 1));
    expect_text(hx_describe(handle),
                harness_ranks > 1 ? " in 1 segment to it" : "copying: 1 call of kernels: 1 ");
    expect(strstr(hx_describe(handle), ", 0 ") == NULL);
    expect_ok(hx_destroy(handle));
}

/* ---- Cartesian communicators ----------------------------------------------------------------- */

static void test_cart(void)
{
    int dims[] = {0, 0};
    const int open[] = {0, 0};
    int at[] = {0, 0};
    MPI_Comm cart;
    MPI_Dims_create(harness_ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, 0, &cart);
    MPI_Cart_coords(cart, harness_rank, 2, at);
    int n[] = {3 + at[0], 4 + 2 * at[1]};
    hx_part part;
    expect_ok(hx_partition_from_cart(cart, n, &part));
    expect(part.partition.axes == 2);
    for (int a = 0; a < 2; ++a) {
        expect(part.index[a] == at[a] && part.n[a] == n[a] && part.partition.ranks[a] == dims[a]);
    }
    expect(part.first[0] == 3 * at[0] + at[0] * (at[0] - 1) / 2);
    expect(part.first[1] == 4 * at[1] + at[1] * (at[1] - 1));
    example e;
    example_make(&e, 2, 3);
    const example_shape shape = example_shape_of(&e, &part, 0);
    const hx_blocks blocks = {cart, 1, &part.partition, NULL, NULL, 1, NULL};
    hx_handle *handle = NULL;
    expect_ok(hx_create(&e.spec, &blocks, &shape, NULL, &handle));
    expect_ok(hx_destroy(handle));
    hx_partition_free(&part.partition);
    hx_partition_free(&part.partition);

    n[0] = harness_rank == harness_ranks - 1 ? 0 : n[0];
    expect_status(HX_ERR_PARTITION, hx_partition_from_cart(cart, n, &part));
    expect_text(hx_last_error(), "owns 0 cells along axis 0");
    expect_status(HX_ERR_ARGUMENT, hx_partition_from_cart(cart, harness_rank == 0 ? NULL : n, &part));
    expect_text(hx_last_error(), "The cells given to hx_partition_from_cart are a null pointer; give how");
    n[0] = 3 + at[0];
    n[1] += harness_rank == harness_ranks - 1;
    if (dims[0] > 1) {
        expect_status(HX_ERR_PARTITION, hx_partition_from_cart(cart, n, &part));
        expect_text(hx_last_error(), "along dimension 1 of the Cartesian communicator own from");
    }
    expect_status(HX_ERR_ARGUMENT, hx_partition_from_cart(MPI_COMM_WORLD, n, &part));
    expect_text(hx_last_error(), "MPI_Cart_create");
    part.tile = 7;
    expect_status(HX_ERR_ARGUMENT, hx_partition_from_cart(MPI_COMM_NULL, n, &part));
    expect_text(hx_last_error(), "The communicator given to hx_partition_from_cart is MPI_COMM_NULL.");
    expect(part.tile == 0);
    expect_status(HX_ERR_ARGUMENT, hx_partition_from_cart((MPI_Comm)0, n, &part));
    expect_text(hx_last_error(), "The communicator given to hx_partition_from_cart is 0; set it.");
    MPI_Comm_free(&cart);
}

/* More cells along an axis, or more axes, than libhx counts. */
static void test_large_cart(void)
{
    const int dims[] = {harness_ranks, 1, 1, 1, 1};
    const int open[] = {0, 0, 0, 0, 0};
    const int n[] = {INT_MAX, 1, 1, 1, 1};
    for (int axes = 1; axes <= 5; axes += 4) {
        MPI_Comm cart;
        MPI_Cart_create(MPI_COMM_WORLD, axes, dims, open, 0, &cart);
        hx_part part;
        expect_status(axes == 1 ? HX_ERR_LIMIT : HX_ERR_PARTITION, hx_partition_from_cart(cart, n, &part));
        expect_text(hx_last_error(),
                    axes == 1 ? "cells along axis 0; libhx counts up to 1000000000" : "has 5 dimensions");
        expect(part.partition.axes == 0);
        MPI_Comm_free(&cart);
    }
}

/* Calls that get nothing to work on. */
static void test_nothing(void)
{
    hx_handle *handle = NULL;
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD};
    expect_status(HX_ERR_ARGUMENT, hx_create(NULL, &blocks, NULL, NULL, &handle));
    expect_text(hx_last_error(), "The spec given to hx_create is a null pointer");
    expect_text(hx_describe(NULL), "no handle");
    const hx_partition grid = {.axes = 1, .cells = {4}};
    hx_part part;
    expect_status(HX_ERR_ARGUMENT, hx_decompose_as(3, 3, &grid, &part));
    expect_text(hx_last_error(), "There is no rank 3 of 3");
    char text[512];
    expect(hx_explain_partition(0, &grid, text, sizeof text) > 0);
    expect_text(text, "There is no partition for 0 ranks");
}

/* ---- what ends a handle ---------------------------------------------------------------------- */

static void test_deadline(const char *transport, const char *schedule, const char *place)
{
    harness_setting s;
    set(&s);
    s.options.transport = transport;
    s.options.schedule = schedule;
    hx_handle *handle = create(&s);
    handle->options.deadline = 0.2; /* of what comes after create */
    if (harness_rank == 0) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, EXAMPLE_BOTH));
        expect_text(hx_last_error(), "after 0.2 seconds rank 0 still waits");
        expect_text(hx_last_error(), place);
        expect_text(hx_last_error(), " for messages from rank ");
        expect_status(HX_ERR_DEADLINE, hx_finish(handle, EXAMPLE_BOTH));
        expect_status(HX_ERR_DEADLINE, hx_start(handle, EXAMPLE_STAR, &s.fields));
        expect_text(hx_last_error(), "can only be destroyed");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    MPI_Barrier(MPI_COMM_WORLD);
    harness_unset(&s);
}

/* A rank that has lost count is found out. */
static void test_check(void)
{
    harness_setting s;
    set(&s);
    s.options.check = 1;
    hx_handle *handle = create(&s);
    handle->plan[EXAMPLE_BOTH].sequence = harness_rank == 1 ? 4 : 0;
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &s.fields));
    const hx_status status = hx_finish(handle, EXAMPLE_BOTH);
    if (harness_rank < 2) {
        expect_status(HX_ERR_MISMATCH, status);
        expect_text(hx_last_error(), harness_rank == 0 ? "start 0" : "start 4");
        expect_text(hx_last_error(), "waits for exchange 0");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(handle));
    harness_unset(&s);
}

static void test_finalize(void)
{
    harness_setting s;
    set(&s);
    hx_handle *idle = create(&s);
    const int failed = harness_end();
    hx_handle *made = NULL;
    hx_part part;
    expect_status(HX_ERR_STATE, hx_create(&s.e.spec, &s.blocks, &s.shape, NULL, &made));
    expect_status(HX_ERR_STATE, hx_start(idle, EXAMPLE_BOTH, &s.fields));
    expect_text(hx_last_error(), "example_both_start was called after MPI_Finalize");
    expect_status(HX_ERR_STATE, hx_decompose(MPI_COMM_WORLD, &s.part.partition, &part));
    expect_ok(hx_destroy(idle));
    harness_unset(&s);
    exit(failed || harness_failures() > 0);
}

int main(int argc, char **argv)
{
    hx_part part;
    hx_partition unused = {0};
    expect_status(HX_ERR_STATE, hx_decompose(MPI_COMM_WORLD, &unused, &part));
    expect_text(hx_last_error(), "before MPI_Init");
    harness_begin(&argc, &argv);
    test_error_handler();
    test_environment();
    test_shared_array();
    test_order_of_calls();
    test_of_an_exchange();
    test_arguments();
    test_owner();
    test_links();
    test_one_sided();
    test_cart();
    test_large_cart();
    test_nothing();
    if (harness_ranks > 1) {
        test_deadline("persistent", "one-phase", " rank 1 (");
        test_deadline("shared", "one-phase", " rank 1 (");
        test_deadline("p2p", "by-dimension", "waits in phase ");
        test_deadline("neighbor", "one-phase", " rank 1 (");
        test_deadline("rma", "one-phase", " rank 1 (");
        test_check();
    }
    harness_expect_works();
    test_finalize();
}
