#include "shim.h"

#include "fake/fake.h"

#include <hx/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void run(const void *given)
{
    const launch *l = given;
    const uint64_t threads = (uint64_t)l->blocks * HX_CUDA_THREADS;
    uint64_t stride = threads * 5 / 8 + 1;
    while (gcd(stride, threads) != 1) {
        ++stride;
    }
    for (uint64_t i = 0; i < threads; ++i) {
        const uint64_t thread = thread_of(i, threads, stride);
        blockIdx.x = (unsigned)(thread / HX_CUDA_THREADS);
        threadIdx.x = (unsigned)(thread % HX_CUDA_THREADS);
        l->kernel(l->arguments);
    }
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
