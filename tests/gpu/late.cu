/*
 * Delays in streams of a real device: the linker gives calls of these functions to those here (--wrap).
 */
#include "fake.h"

#include <cuda_runtime.h>

#include <stdint.h>

extern "C" {
cudaError_t __real_cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                                    size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                                    size_t shared, cudaStream_t stream);
cudaError_t __real_cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream);
cudaError_t __real_cudaMalloc(void **memory, size_t bytes);
cudaError_t __wrap_cudaMalloc(void **memory, size_t bytes);
cudaError_t __real_cudaFree(void *memory);
cudaError_t __wrap_cudaFree(void *memory);
}

enum { ALWAYS = 50, AT_MOST = 200 }; /* microseconds */

static fake_order order;
static uint64_t chance;
static long left;

void fake_set_order(fake_order wanted, unsigned seed)
{
    order = wanted;
    chance = seed;
}

bool fake_set_host_access(bool open)
{
    (void)open;
    return false;
}

void fake_set_devices(int devices)
{
    (void)devices;
}

bool fake_set_registered_apart(bool wanted)
{
    (void)wanted;
    return false;
}

void fake_set_fault(cudaError_t error, bool mild)
{
    (void)error;
    (void)mild;
}

bool fake_revive(void)
{
    return false;
}

static __global__ void write_to(int *nowhere)
{
    *nowhere = 1;
}

cudaError_t fake_fault(cudaStream_t stream)
{
    int *nowhere = nullptr;
    void *arguments[] = {&nowhere};
    return __real_cudaLaunchKernel((const void *)write_to, dim3(1), dim3(1), arguments, 0, stream);
}

long fake_left(void)
{
    return left;
}

void fake_forget(void)
{
    left = 0;
}

static unsigned draw(unsigned below)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(chance >> 33) % below;
}

static __device__ unsigned long long nanoseconds(void)
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

static __global__ void wait(unsigned microseconds)
{
    const unsigned long long begin = nanoseconds();
    while (nanoseconds() - begin < 1000ull * microseconds) {
    }
}

static cudaError_t delay(cudaStream_t stream)
{
    unsigned microseconds = order == FAKE_EAGER  ? 0
                            : order == FAKE_LAZY ? ALWAYS
                            : draw(3) > 0        ? 0
                                                 : draw(AT_MOST);
    void *arguments[] = {&microseconds};
    return microseconds == 0
               ? cudaSuccess
               : __real_cudaLaunchKernel((const void *)wait, dim3(1), dim3(1), arguments, 0, stream);
}

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    const cudaError_t error = delay(stream);
    return error == cudaSuccess ? __real_cudaLaunchKernel(kernel, blocks, threads, arguments, shared, stream)
                                : error;
}

cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    const cudaError_t error = delay(stream);
    return error == cudaSuccess ? __real_cudaMemcpyAsync(to, from, bytes, kind, stream) : error;
}

cudaError_t __wrap_cudaMalloc(void **memory, size_t bytes)
{
    const cudaError_t error = __real_cudaMalloc(memory, bytes);
    left += error == cudaSuccess && bytes > 0;
    return error;
}

cudaError_t __wrap_cudaFree(void *memory)
{
    const cudaError_t error = __real_cudaFree(memory);
    left -= error == cudaSuccess && memory != nullptr;
    return error;
}
