#include "shim.h"

#include "fake/fake.h"

#include <hx/cuda.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

shim_index blockIdx;
shim_index threadIdx;
shim_order shim_order_of_threads;

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The number of the thread that runs as the i-th. */
static uint64_t thread_of(uint64_t i, uint64_t threads, uint64_t stride)
{
    switch (shim_order_of_threads) {
    case SHIM_BACKWARD:
        return threads - 1 - i;
    case SHIM_SHUFFLED:
        return (i * stride + threads / 3) % threads;
    default:
        return i;
    }
}

/* What a stream is given: the arguments are a copy, since the host may do with its own what it likes. */
typedef struct launch {
    shim_kernel *kernel;
    unsigned blocks;
    _Alignas(16) unsigned char arguments[];
} launch;

/* ---- blocks whose threads wait for each other ---------------------------------------------------------- */

/*
 * Threads are plain calls, in any order, whatever block they belong to, until one comes to a barrier.  Then
 * its block begins again, with threads that can be left and taken up: nothing that others see may have been
 * written before a barrier, and no thread of the block may have ended.
 */
enum { STACK = 64 << 10 };

typedef enum fiber_state { FIBER_READY, FIBER_WAITING, FIBER_ENDED } fiber_state;

typedef struct fiber {
    ucontext_t context;
    fiber_state state;
    char *stack;
} fiber;

static fiber fibers[HX_CUDA_THREADS];
static fiber *running; /* NULL: threads are plain calls */
static ucontext_t scheduler;
static jmp_buf out_of_thread;
static const launch *launched;
static void *shared;
static size_t shared_bytes;

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "block %u, thread %u: %s\n", blockIdx.x, threadIdx.x, why);
    abort();
}

static void forget_shared(void)
{
    free(shared);
    shared = NULL;
}

void *shim_shared(size_t bytes)
{
    enum { POISON = 0xa5 };
    if (!running) {
        longjmp(out_of_thread, 1);
    }
    if (!shared) {
        shared = malloc(bytes);
        shared_bytes = bytes;
        if (!shared) {
            die("no memory to share");
        }
        memset(shared, POISON, bytes);
    }
    if (bytes != shared_bytes) {
        die("threads of a block share arrays of different sizes");
    }
    return shared;
}

void shim_sync(void)
{
    if (!running) {
        longjmp(out_of_thread, 1);
    }
    running->state = FIBER_WAITING;
    swapcontext(&running->context, &scheduler);
}

static void run_fiber(void)
{
    launched->kernel(launched->arguments);
    running->state = FIBER_ENDED;
}

static void begin_fiber(fiber *f)
{
    f->stack = f->stack ? f->stack : malloc(STACK);
    if (!f->stack || getcontext(&f->context) != 0) {
        die("no memory for a thread");
    }
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = &scheduler;
    f->state = FIBER_READY;
    makecontext(&f->context, run_fiber, 0);
}

/* From one barrier to the next; how many threads have ended.  All have to come to the same. */
static unsigned run_to_barrier(unsigned block)
{
    unsigned ended = 0;
    for (unsigned i = 0; i < HX_CUDA_THREADS; ++i) {
        const unsigned thread = (unsigned)thread_of(i, HX_CUDA_THREADS, 97);
        blockIdx.x = block;
        threadIdx.x = thread;
        running = &fibers[thread];
        swapcontext(&scheduler, &running->context);
        ended += running->state == FIBER_ENDED;
    }
    if (ended != 0 && ended != HX_CUDA_THREADS) {
        die("some threads of a block wait at a barrier that others have not come to");
    }
    return ended;
}

static void run_block(unsigned block)
{
    forget_shared();
    for (unsigned i = 0; i < HX_CUDA_THREADS; ++i) {
        begin_fiber(&fibers[i]);
    }
    while (run_to_barrier(block) == 0) {
    }
    running = NULL;
    forget_shared();
}

__attribute__((destructor)) static void free_stacks(void)
{
    for (unsigned i = 0; i < HX_CUDA_THREADS; ++i) {
        free(fibers[i].stack);
    }
}

/* ---- waiting for others -------------------------------------------------------------------------------- */

uint64_t shim_nanoseconds(void)
{
    struct timespec now;
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* ---- numbers of half precision ------------------------------------------------------------------------- */

/* Of finite ones the value in units of the smallest, 2^-24; it is below 2^40. */
static int64_t units_of_half(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const int64_t fraction = half & 1023;
    if (exponent == 31) {
        die("a half that is no number, or infinite");
    }
    const int64_t units = exponent == 0 ? fraction : (1024 + fraction) << (exponent - 1);
    return half >> 15 ? -units : units;
}

/* Units, all of whose bits count, become 11 bits: to the nearest, of two as near to the even one. */
uint16_t shim_sum_of_halves(uint16_t a, uint16_t b)
{
    const int64_t sum = units_of_half(a) + units_of_half(b);
    const uint64_t size = (uint64_t)(sum < 0 ? -sum : sum);
    const unsigned sign = sum < 0 || (sum == 0 && (a & b) >> 15) ? 1u << 15 : 0;
    unsigned shift = 0;
    while (size >> shift > 2047) {
        ++shift;
    }
    const uint64_t rest = size & ((UINT64_C(1) << shift) - 1);
    const uint64_t middle = shift > 0 ? UINT64_C(1) << (shift - 1) : 1;
    uint64_t bits = size >> shift;
    bits += rest > middle || (rest == middle && bits % 2 != 0);
    /* A carry into the next power of two is one into the exponent. */
    bits += (uint64_t)shift << 10;
    return (uint16_t)(sign | (bits < 31 << 10 ? bits : 31 << 10));
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* How far a block is: threads that have ended, or that all have. */
enum { ALL_ENDED = UINT16_MAX };

static void run_thread(uint16_t *ended, uint64_t thread)
{
    const unsigned block = (unsigned)(thread / HX_CUDA_THREADS);
    blockIdx.x = block;
    threadIdx.x = (unsigned)(thread % HX_CUDA_THREADS);
    if (ended[block] == ALL_ENDED) {
        return;
    }
    if (setjmp(out_of_thread) == 0) {
        launched->kernel(launched->arguments);
        ++ended[block];
        return;
    }
    if (ended[block] > 0) {
        die("a barrier that other threads of the block have not come to");
    }
    run_block(block);
    ended[block] = ALL_ENDED;
}

static void run(const void *given)
{
    launched = given;
    const uint64_t threads = (uint64_t)launched->blocks * HX_CUDA_THREADS;
    uint16_t *ended = calloc(launched->blocks, sizeof *ended);
    uint64_t stride = threads * 5 / 8 + 1;
    while (gcd(stride, threads) != 1) {
        ++stride;
    }
    for (uint64_t i = 0; ended && i < threads; ++i) {
        run_thread(ended, thread_of(i, threads, stride));
    }
    if (!ended) {
        die("no memory for a launch");
    }
    free(ended);
}

int shim_launch(shim_kernel *kernel, const void *arguments, size_t bytes, unsigned blocks, void *stream)
{
    launch *l = malloc(sizeof *l + bytes);
    if (!l || blocks == 0) {
        fprintf(stderr, "a kernel is launched with %u blocks\n", blocks);
        abort();
    }
    *l = (launch){.kernel = kernel, .blocks = blocks};
    memcpy(l->arguments, arguments, bytes);
    const cudaError_t error = fake_launch(run, l, sizeof *l + bytes, stream);
    free(l);
    return (int)error;
}
