/*
 * What hx/cuda.h says otherwise to compilers of HIP: `hipcc -x hip` compiles NAME.cu and kernels of applications, too.
 * Tests compile them for a GPU of AMD; none has run them.  hx/cuda.h includes this file.
 */
#ifndef HX_HIP_H
#define HX_HIP_H

#include <hip/hip_runtime.h>

/* Half of a number, rounded before anything is added to it, as in hx/cuda.h: no contraction. */
HX_DEVICE float hx_halved(float value)
{
#pragma clang fp contract(off)
    return value * 0.5F;
}

HX_DEVICE double hx_halved(double value)
{
#pragma clang fp contract(off)
    return value * 0.5;
}

HX_DEVICE hx_word_2 hx_sum_of_halves(hx_word_2 a, hx_word_2 b)
{
    _Float16 x, y;
    hx_word_2 bits;
    __builtin_memcpy(&x, &a, sizeof x);
    __builtin_memcpy(&y, &b, sizeof y);
    const _Float16 sum = (_Float16)((float)x + (float)y);
    __builtin_memcpy(&bits, &sum, sizeof bits);
    return bits;
}

HX_DEVICE float hx_rounded(double value)
{
    return (float)value;
}

HX_DEVICE double hx_widened(float value)
{
    return value;
}

HX_DEVICE unsigned hx_ones(uint32_t bits)
{
    return (unsigned)__builtin_popcount(bits);
}

/* The clock has 100 MHz. */
HX_DEVICE uint64_t hx_nanoseconds(void)
{
    return 10 * __builtin_amdgcn_s_memrealtime();
}

#define HX_KERNEL(name, type)                                                                                \
    static __device__ __forceinline__ void name##_thread(const type *a);                                     \
    static __global__ void __launch_bounds__(HX_CUDA_THREADS) name(const type a)                             \
    {                                                                                                        \
        name##_thread(&a);                                                                                   \
    }                                                                                                        \
    static __device__ __forceinline__ void name##_thread(const type *a)

static inline int hx_hip_launch(const void *kernel, const void *arguments, unsigned blocks, void *stream)
{
    void *list[] = {const_cast<void *>(arguments)};
    const hipError_t error =
        hipLaunchKernel(kernel, dim3(blocks), dim3(HX_CUDA_THREADS), list, 0, (hipStream_t)stream);
    if (error != hipSuccess && hipPeekAtLastError() == error) {
        (void)hipGetLastError();
    }
    return (int)error;
}

#define HX_LAUNCH(name, arguments, blocks, stream)                                                           \
    hx_hip_launch((const void *)name, arguments, blocks, stream)

#endif
