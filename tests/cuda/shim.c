#include "shim.h"

#include <hx/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

shim_index blockIdx;
shim_index threadIdx;
shim_order shim_order_of_threads;

/* No call of a device's library is made here. */
const hx_device hx_cuda_device;

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

int shim_launch(shim_kernel *kernel, const void *arguments, size_t bytes, unsigned blocks)
{
    const uint64_t threads = (uint64_t)blocks * HX_CUDA_THREADS;
    uint64_t stride = threads * 5 / 8 + 1;
    while (gcd(stride, threads) != 1) {
        ++stride;
    }
    void *copy = malloc(bytes); /* as on a device: what the host does to its own later is of no matter */
    if (!copy || blocks == 0) {
        fprintf(stderr, "a kernel is launched with %u blocks\n", blocks);
        abort();
    }
    memcpy(copy, arguments, bytes);
    for (uint64_t i = 0; i < threads; ++i) {
        const uint64_t thread = thread_of(i, threads, stride);
        blockIdx.x = (unsigned)(thread / HX_CUDA_THREADS);
        threadIdx.x = (unsigned)(thread % HX_CUDA_THREADS);
        kernel(copy);
    }
    free(copy);
    return 0;
}
