/*
 * The words of HIP that emitted code and hx/hip.h have, for clang, where there are no headers of HIP: code is compiled
 * with it, and nothing is linked.
 */
#ifndef HIP_RUNTIME_H
#define HIP_RUNTIME_H

#include <hip/hip_runtime_api.h>

#define __host__             __attribute__((host))
#define __device__           __attribute__((device))
#define __global__           __attribute__((global))
#define __shared__           __attribute__((shared))
#define __forceinline__      inline __attribute__((always_inline))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz)
    {
    }
};

extern "C" hipError_t hipLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                                      size_t shared, hipStream_t stream);

struct hip_block_index {
    struct {
        __device__ operator unsigned() const
        {
            return __builtin_amdgcn_workgroup_id_x();
        }
    } x;
};

struct hip_thread_index {
    struct {
        __device__ operator unsigned() const
        {
            return __builtin_amdgcn_workitem_id_x();
        }
    } x;
};

struct hip_block_size {
    struct {
        __device__ operator unsigned() const
        {
            return __builtin_amdgcn_workgroup_size_x();
        }
    } x;
};

extern const __device__ __attribute__((weak)) hip_block_index blockIdx;
extern const __device__ __attribute__((weak)) hip_thread_index threadIdx;
extern const __device__ __attribute__((weak)) hip_block_size blockDim;

__device__ inline unsigned long long atomicCAS(unsigned long long *at, unsigned long long expected,
                                               unsigned long long wanted)
{
    __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

__device__ inline void __syncthreads()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
}

__device__ inline void __threadfence_system()
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

#endif
