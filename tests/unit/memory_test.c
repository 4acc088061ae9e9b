/*
 * Memory: create fails on all ranks when any allocation of any rank does, and leaves nothing behind; start
 * and finish allocate nothing.
 *
 * Linked with --wrap, so that every call of libhx for memory passes through here.
 */
#include "example.h"
#include "harness.h"

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

typedef struct setting {
    example e;
    hx_part part;
    hx_blocks blocks;
    example_shape shape;
    example_fields fields;
    hx_options options;
} setting;

static void make_setting(setting *s, const char *transport)
{
    static const int cells[] = {8, 9, 10};
    example_make(&s->e, 3, 7);
    const hx_partition request = example_partition(&s->e, cells);
    expect_ok(hx_decompose(MPI_COMM_WORLD, &request, &s->part));
    s->blocks = (hx_blocks){MPI_COMM_WORLD, 1, &s->part.partition, NULL, NULL, 1, NULL};
    s->shape = example_shape_of(&s->e, &s->part, 0);
    s->fields = example_alloc(&s->e, &s->shape);
    s->options = (hx_options)HX_OPTIONS_INIT;
    s->options.transport = transport;
}

/* One rank is refused one piece of memory, then the next, until create needs no more. */
static void test_refusals(setting *s, int on)
{
    const long before = live;
    int created = 0;
    for (long refused = 0; !created; ++refused) {
        hx_handle *handle = NULL;
        calls = 0;
        refuse_at = harness_rank == on ? refused : -1;
        const hx_status status = hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle);
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

static void test_steady_state(setting *s)
{
    hx_handle *handle = NULL;
    expect_ok(hx_create(&s->e.spec, &s->blocks, &s->shape, &s->options, &handle));
    calls = 0;
    for (int i = 0; i < 5; ++i) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, &s->fields));
        expect_ok(hx_start(handle, EXAMPLE_STAR, &s->fields));
        expect_ok(hx_finish(handle, EXAMPLE_BOTH));
        expect_ok(hx_finish(handle, EXAMPLE_STAR));
    }
    expect(calls == 0);
    expect_ok(hx_destroy(handle));
}

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    static const char *const transports[] = {"persistent", "p2p", "neighbor"};
    for (int i = 0; i < 3; ++i) {
        setting s;
        make_setting(&s, transports[i]);
        for (int rank = 0; rank < harness_ranks; ++rank) {
            test_refusals(&s, rank);
        }
        test_steady_state(&s);
        s.options.check = 1;
        test_steady_state(&s);
        example_free(&s.fields);
    }
    return harness_end();
}
