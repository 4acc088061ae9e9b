/*
 * Windows as places of fields, on 1 to 4 ranks of one node: arrays anywhere in them travel as others do, to
 * the bit, and straight into the receiver's where those lie in a window that is registered; what is refused.
 */
#include "exchange/handle.h"
#include "harness.h"

#include <hx/window.h>

#include <stdint.h>
#include <string.h>

static example e;
static example_shape shape;
static example_fields own; /* of malloc */
static hx_handle *handle;
static size_t bytes[EXAMPLE_FIELDS];

/*
 * Ranks cut y, so runs are long; by dimension a message waits for its receiver's start, so those that may go
 * straight into arrays do.
 */
static hx_handle *create(MPI_Comm comm, double deadline)
{
    static const int cells[] = {24, 9, 24};
    hx_options options = HX_OPTIONS_INIT;
    options.schedule = "by-dimension";
    options.deadline = deadline;
    hx_part part;
    hx_partition request = example_partition(&e, cells);
    request.ranks[0] = request.ranks[2] = 1;
    expect_ok(hx_decompose(comm, &request, &part));
    shape = example_shape_of(&e, &part, 3);
    const hx_blocks blocks = {.comm = comm, .tiles = 1, .partition = &part.partition, .count = 1};
    hx_handle *made = NULL;
    expect_ok(hx_create(&e.spec, &blocks, &shape, &options, &made));
    return made;
}

static void begin(MPI_Comm comm)
{
    example_make(&e, 3, 7);
    handle = create(comm, 30.0);
    own = example_alloc(&e, &shape);
    bytes[EXAMPLE_A] = hx_points(&e.spec, &shape, EXAMPLE_A) * sizeof(double);
    bytes[EXAMPLE_B] = hx_points(&e.spec, &shape, EXAMPLE_B) * sizeof(int32_t);
}

static void end(void)
{
    expect_ok(hx_destroy(handle));
    example_free(&own);
}

static hx_window *make_window(MPI_Comm comm, const char *name, hx_window_memory memory, size_t size)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = name;
    request.memory = memory;
    request.extent[0] = (int64_t)size;
    hx_window *window = NULL;
    expect_ok(hx_window_create(comm, &request, &window));
    return window;
}

/* Room for both arrays of any rank, and for something between. */
static size_t room(void)
{
    size_t most = 0;
    const size_t mine = bytes[EXAMPLE_A] + bytes[EXAMPLE_B] + 1024;
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Two arrays at a distance from the beginning of a rank's memory, and from each other. */
static example_fields place(const hx_window *window, int node_rank, size_t offset)
{
    void *memory = NULL;
    int64_t elements = 0;
    expect_ok(hx_window_pointer(window, node_rank, &memory, &elements));
    unsigned char *at = (unsigned char *)memory + offset;
    at += (64 - (uintptr_t)at % 64) % 64 + 8;
    return (example_fields){(double *)(void *)at, (int32_t *)(void *)(at + bytes[EXAMPLE_A] + 40)};
}

static void exchange(const example_fields *f)
{
    for (size_t i = 0; i < bytes[EXAMPLE_A] / sizeof *f->a; ++i) {
        f->a[i] = (double)i + 1e6 * harness_rank;
    }
    for (size_t i = 0; i < bytes[EXAMPLE_B] / sizeof *f->b; ++i) {
        f->b[i] = (int32_t)i + 1000000 * harness_rank;
    }
    expect_ok(hx_start(handle, EXAMPLE_BOTH, f));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
}

/* Messages of this rank that may go straight into arrays; those that did so far. */
static uint64_t count(uint64_t *may)
{
    const hxi_plan *plan = &handle->plan[EXAMPLE_BOTH];
    uint64_t did = 0;
    *may = 0;
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_phase *phase = &plan->phase[p];
        for (int m = 0; phase->push && m < phase->sends; ++m) {
            *may += phase->push[m].partners.count > 0;
            did += phase->push[m].partners.count > 0 ? phase->push[m].partners.partner->runs : 0;
        }
    }
    return did;
}

enum { NONE, ALL };

/*
 * Does the same with these arrays as with those of malloc; all messages that may go straight, or none, did.
 */
static void compare(const example_fields *f, int straight)
{
    uint64_t may = 0;
    const uint64_t before = count(&may);
    exchange(f);
    const uint64_t did = count(&may) - before;
    exchange(&own);
    expect(count(&may) == before + did);
    expect(may > 0 || handle->topology.ranks == 1);
    expect(did == (straight == ALL ? may : 0));
    expect(memcmp(f->a, own.a, bytes[EXAMPLE_A]) == 0);
    expect(memcmp(f->b, own.b, bytes[EXAMPLE_B]) == 0);
}

/* ---- where arrays may lie ------------------------------------------------------------------------------ */

static void test_parts(void)
{
    begin(MPI_COMM_WORLD);
    hx_window *window = make_window(MPI_COMM_WORLD, "places", HX_WINDOW_PARTS, room());
    const example_fields f = place(window, harness_rank, 100);
    compare(&f, NONE);
    expect_ok(hx_register(handle, window));
    compare(&f, ALL);
    expect_text(hx_describe(handle), "arrays may lie in window \"places\"");
    if (harness_ranks > 1) {
        expect_text(hx_describe(handle), ", straight into its arrays 1 time");
    }
    expect_ok(hx_register(handle, window)); /* once is enough */
    compare(&f, ALL);
    exchange(&f);
    expect_ok(hx_unregister(handle, window));
    uint64_t may = 0;
    const uint64_t before = count(&may);
    exchange(&f); /* with the pointers of the call before */
    expect(count(&may) == before);
    compare(&f, NONE);
    expect_ok(hx_unregister(handle, window));
    expect_ok(hx_register(handle, window));
    compare(&f, ALL);
    expect_ok(hx_unregister(handle, window));
    expect_ok(hx_window_free(&window));
    expect_ok(hx_unregister(handle, window)); /* which is none any more */
    end();
}

/* One buffer of the node, of which ranks take pieces in an order of their own. */
static void test_one_buffer(void)
{
    begin(MPI_COMM_WORLD);
    const size_t each = room();
    hx_window *window = make_window(MPI_COMM_WORLD, "whole", HX_WINDOW_SHARED, each * (size_t)harness_ranks);
    expect_ok(hx_register(handle, window));
    const example_fields f = place(window, 0, each * (size_t)(harness_ranks - 1 - harness_rank));
    compare(&f, ALL);
    expect_ok(hx_destroy(handle)); /* unregisters */
    expect_ok(hx_window_free(&window));
    handle = NULL;
    end();
}

/* Fields in different windows, of alloc and of malloc; other mixtures on other ranks, and in each call. */
static void test_mixtures(void)
{
    begin(MPI_COMM_WORLD);
    hx_window *first = make_window(MPI_COMM_WORLD, "first", HX_WINDOW_PARTS, room());
    hx_window *second = make_window(MPI_COMM_WORLD, "second", HX_WINDOW_PARTS, room());
    expect_ok(hx_register(handle, first));
    example_fields allocated;
    expect_ok(hx_alloc(handle, &allocated));
    expect_ok(hx_register(handle, second));
    const example_fields elsewhere = example_alloc(&e, &shape);
    const example_fields in[] = {place(first, harness_rank, 0), place(second, harness_rank, 8), allocated,
                                 elsewhere};
    for (int i = 0; i < 9; ++i) { /* all of them can be reached */
        const example_fields f = {in[(i + harness_rank) % 3].a, in[(i / 3 + 2 * harness_rank) % 3].b};
        compare(&f, ALL);
    }
    for (int i = 0; i < 4; ++i) { /* those of field a, which all messages have, cannot */
        const example_fields f = {in[3].a, in[i].b};
        compare(&f, NONE);
    }
    for (int i = 0; i < 16; ++i) { /* on some ranks */
        const example_fields f = {in[(i + harness_rank) % 4].a, in[(i / 4 + 3 * harness_rank) % 4].b};
        exchange(&f);
        exchange(&own);
        expect(memcmp(f.a, own.a, bytes[EXAMPLE_A]) == 0 && memcmp(f.b, own.b, bytes[EXAMPLE_B]) == 0);
    }
    expect_ok(hx_unregister(handle, first));
    const example_fields f = {in[1].a, in[2].b};
    compare(&f, ALL);
    expect_ok(hx_free(handle, &allocated));
    compare(&in[1], ALL);
    expect_ok(hx_destroy(handle));
    handle = NULL;
    expect_ok(hx_window_free(&first));
    expect_ok(hx_window_free(&second));
    example_free(&(example_fields){elsewhere.a, elsewhere.b});
    end();
}

/* An array lies in a window if all of it does. */
static void test_bounds(void)
{
    begin(MPI_COMM_WORLD);
    const size_t size = room();
    hx_window *window = make_window(MPI_COMM_WORLD, "bounds", HX_WINDOW_PARTS, size);
    expect_ok(hx_register(handle, window));
    void *memory = NULL;
    int64_t elements = 0;
    expect_ok(hx_window_pointer(window, 0, &memory, &elements));
    const unsigned char *first = memory;
    const unsigned char *last = first + size * (size_t)harness_ranks;
    const hxi_sets *sets = &handle->sets;
    expect(hxi_sets_find(sets, first, 100).set == 1 && hxi_sets_find(sets, last - 100, 100).set == 1);
    expect(hxi_sets_find(sets, last - 100, 100).offset == (uint64_t)(last - 100 - first));
    expect(hxi_sets_find(sets, first - 1, 100).set == 0);
    expect(hxi_sets_find(sets, last - 100, 101).set == 0);
    expect(hxi_sets_find(sets, last - 100, SIZE_MAX).set == 0);
    expect(hxi_sets_find(sets, last, 1).set == 0);
    /* Also the last element of the last array of the last rank. */
    void *mine = NULL;
    expect_ok(hx_window_pointer(window, harness_rank, &mine, &elements));
    unsigned char *b = (unsigned char *)mine + size - bytes[EXAMPLE_B];
    b -= (uintptr_t)b % sizeof(int32_t);
    const example_fields f = {place(window, harness_rank, 0).a, (int32_t *)(void *)b};
    compare(&f, ALL);
    hxi_set *set = handle->sets.first; /* as if it were shorter by what the last rank's array ends with */
    set->bytes = (size_t)(b - first) + bytes[EXAMPLE_B] - 1;
    expect(hxi_sets_find(sets, f.b, bytes[EXAMPLE_B]).set == 0);
    expect_ok(hx_unregister(handle, window));
    expect_ok(hx_window_free(&window));
    end();
}

/* ---- handles and ranks --------------------------------------------------------------------------------- */

/* A window of all ranks, and two handles of each half of them. */
static void test_several_handles(void)
{
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, harness_rank % 2, -harness_rank, &half);
    begin(half);
    hx_handle *first = handle;
    hx_handle *second = create(half, 30.0);
    hx_window *window = make_window(MPI_COMM_WORLD, "common", HX_WINDOW_PARTS, room());
    const example_fields f = place(window, harness_rank, 0);
    expect_ok(hx_register(first, window));
    expect_ok(hx_register(second, window));
    compare(&f, ALL);
    expect_ok(hx_unregister(first, window));
    compare(&f, NONE);
    handle = second;
    compare(&f, ALL);
    expect_status(HX_ERR_STATE, hx_window_free(&window));
    expect_ok(hx_unregister(second, window));
    expect_ok(hx_window_free(&window));
    expect_ok(hx_destroy(first));
    end();
    MPI_Comm_free(&half);
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

static void expect_refused(hx_status expected, hx_status found, const char *words)
{
    expect_status(expected, found);
    expect_text(hx_last_error(), words);
}

static void test_memory_that_is_not_shared(void)
{
    begin(MPI_COMM_WORLD);
    hx_window *window = make_window(MPI_COMM_WORLD, "mine", HX_WINDOW_PRIVATE, 100);
    expect_refused(
        HX_ERR_ARGUMENT, hx_register(handle, window),
        "Window \"mine\", given to example_register, has private memory, which ranks of a node do not "
        "share; ask for HX_WINDOW_SHARED or HX_WINDOW_PARTS");
    expect_ok(hx_window_free(&window));
    window = make_window(MPI_COMM_WORLD, "any", HX_WINDOW_AUTO, 100);
    if (harness_ranks == 1) {
        expect_refused(HX_ERR_ARGUMENT, hx_register(handle, window), "because the largest node has 1 rank");
    } else {
        expect_ok(hx_register(handle, window));
        expect_ok(hx_unregister(handle, window));
    }
    expect_ok(hx_window_free(&window));
    expect_refused(HX_ERR_ARGUMENT, hx_register(NULL, NULL), "The handle given to register");
    end();
}

/* One rank gives none, or another one: all are told, and nothing is registered. */
static void test_ranks_that_disagree(void)
{
    begin(MPI_COMM_WORLD);
    hx_window *a = make_window(MPI_COMM_WORLD, "a", HX_WINDOW_PARTS, 100);
    hx_window *b = make_window(MPI_COMM_WORLD, "b", HX_WINDOW_PARTS, 100);
    hx_window *alone = make_window(MPI_COMM_SELF, "alone", HX_WINDOW_PARTS, 100);
    const int last = harness_rank == harness_ranks - 1;
    expect_refused(HX_ERR_ARGUMENT, hx_register(handle, last ? NULL : a),
                   "example_register is a null pointer");
    expect(!handle->sets.first);
    if (harness_ranks > 1) {
        expect_refused(HX_ERR_MISMATCH, hx_register(handle, last ? b : a),
                       "gave example_register window \"b\", which is not the window \"a\" that rank 0");
        expect_refused(HX_ERR_MISMATCH, hx_register(handle, alone), "made over all ranks of the handle");
        expect(!handle->sets.first);
        expect_ok(hx_register(handle, a));
        expect_refused(HX_ERR_MISMATCH, hx_unregister(handle, last ? b : a),
                       "gave example_unregister window \"b\"");
        expect(handle->sets.first != NULL);
        expect_ok(hx_unregister(handle, a));
        expect(!handle->sets.first);
    }
    expect_ok(hx_window_free(&a));
    expect_ok(hx_window_free(&b));
    expect_ok(hx_window_free(&alone));
    end();
}

static void test_windows_in_use(void)
{
    begin(MPI_COMM_WORLD);
    hx_window *window = make_window(MPI_COMM_WORLD, "used", HX_WINDOW_PARTS, room());
    const example_fields f = place(window, harness_rank, 0);
    expect_ok(hx_register(handle, window));
    expect_refused(HX_ERR_STATE, hx_window_free(&window),
                   "Window \"used\" is in use on rank 0: fields of example may lie in it; call "
                   "example_unregister or example_destroy first.");
    expect(window != NULL);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &f));
    expect_refused(HX_ERR_STATE, hx_unregister(handle, window),
                   "exchange \"both\" is under way and uses arrays in window \"used\", which was given to "
                   "example_unregister; finish it first");
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    compare(&f, ALL);
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &own));
    expect_ok(hx_unregister(handle, window)); /* which nobody uses */
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    expect_ok(hx_window_free(&window));
    end();
}

/* A handle that can only be destroyed gives its windows back, too. */
static void test_deadline(void)
{
    begin(MPI_COMM_WORLD);
    hx_window *window = make_window(MPI_COMM_WORLD, "late", HX_WINDOW_PARTS, room());
    hx_handle *late = create(MPI_COMM_WORLD, 0.2);
    expect_ok(hx_register(late, window));
    const example_fields f = place(window, harness_rank, 0);
    if (harness_ranks > 1 && harness_rank == 0) {
        expect_ok(hx_start(late, EXAMPLE_BOTH, &f));
        expect_status(HX_ERR_DEADLINE, hx_finish(late, EXAMPLE_BOTH));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_ok(hx_destroy(late));
    expect_ok(hx_window_free(&window));
    end();
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    test_parts();
    test_one_buffer();
    test_mixtures();
    test_bounds();
    test_several_handles();
    test_memory_that_is_not_shared();
    test_ranks_that_disagree();
    test_windows_in_use();
    test_deadline();
    return harness_end();
}
