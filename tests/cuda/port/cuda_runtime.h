/*
 * Another meaning for the words of CUDA C++, on the fake device: for the listings of docs/gpu-port.md, in which
 * listings.sh has made calls of `launch` of launches.  Compilers are given it by -include, as nvcc has its own.
 */
#ifndef PORT_CUDA_RUNTIME_H
#define PORT_CUDA_RUNTIME_H

#include "fake/cuda_runtime_api.h"

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#define __CUDACC__
#define __host__
#define __device__
#define __global__ static
#define __grid_constant__

extern "C" {
#include "fake/fake.h"
}

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz)
    {
    }
};

namespace standin
{

inline dim3 blockIdx, threadIdx, gridDim, blockDim;

/* A kernel with its arguments, which are copies. */
template <typename Call> struct launched {
    Call call;
    dim3 blocks, threads;
};

template <typename Body> void for_each(dim3 &index, dim3 end, Body body)
{
    for (index.z = 0; index.z < end.z; ++index.z) {
        for (index.y = 0; index.y < end.y; ++index.y) {
            for (index.x = 0; index.x < end.x; ++index.x) {
                body();
            }
        }
    }
}

template <typename Call> void run(const void *arguments)
{
    const auto *l = static_cast<const launched<Call> *>(arguments);
    gridDim = l->blocks;
    blockDim = l->threads;
    for_each(blockIdx, l->blocks, [&] { for_each(threadIdx, l->threads, l->call); });
}

template <typename Call>
void launch(Call call, dim3 blocks, dim3 threads, size_t shared = 0, cudaStream_t stream = nullptr)
{
    static_assert(std::is_trivially_copyable<Call>::value, "what CUDA takes as arguments");
    const launched<Call> l = {call, blocks, threads};
    const unsigned all[] = {blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z};
    for (unsigned n : all) {
        if (n == 0) {
            std::fprintf(stderr, "CUDA refuses to launch nothing\n");
            std::abort();
        }
    }
    if (shared != 0 || fake_launch(run<Call>, &l, sizeof l, stream) != cudaSuccess) {
        std::abort();
    }
}

} // namespace standin

using standin::blockDim;
using standin::blockIdx;
using standin::threadIdx;

template <typename T> cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    return cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}

#endif
