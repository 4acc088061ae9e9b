/*
 * Real numbers in the formats in which they travel (hx_wire in hx/abi.h), for kernels: rounded to the nearest, of two as near
 * to the even one, and to the bits that loops of the host make, also of what is no number (NaN).  Numbers are given and
 * returned as their bits.  NAME.cu includes this file where fields on the device have a `wire`.
 */
#ifndef HX_CUDA_WIRES_H
#define HX_CUDA_WIRES_H

#include <hx/cuda.h>

/* ---- bits -------------------------------------------------------------------------------------- */

HX_DEVICE hx_word_4 hx_bits_of_real_4(float value)
{
    hx_word_4 bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

HX_DEVICE float hx_real_4_of_bits(hx_word_4 bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

HX_DEVICE hx_word_8 hx_bits_of_real_8(double value)
{
    hx_word_8 bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

HX_DEVICE double hx_real_8_of_bits(hx_word_8 bits)
{
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- float ------------------------------------------------------------------------------------- */

/* Devices make one NaN of all; these keep its sign and what fits of its digits, and do not signal. */
HX_DEVICE hx_word_4 hx_float_of_real_8(hx_word_8 bits)
{
    const uint32_t nothing =
        (uint32_t)(bits >> 32 & 0x80000000U) | 0x7fc00000U | (uint32_t)(bits >> 29 & 0x3fffffU);
    return (bits & 0x7fffffffffffffffU) > 0x7ff0000000000000U
               ? nothing
               : hx_bits_of_real_4(hx_rounded(hx_real_8_of_bits(bits)));
}

HX_DEVICE hx_word_8 hx_real_8_of_float(hx_word_4 bits)
{
    const uint64_t nothing =
        (uint64_t)(bits & 0x80000000U) << 32 | 0x7ff8000000000000U | (uint64_t)(bits & 0x3fffffU) << 29;
    return (bits & 0x7fffffffU) > 0x7f800000U ? nothing
                                              : hx_bits_of_real_8(hx_widened(hx_real_4_of_bits(bits)));
}

/*
 * Fourteen digits, the last of them odd where that is not all: what is rounded again is rounded as the whole number would be,
 * and a float holds it.
 */
HX_DEVICE hx_word_4 hx_odd_float(hx_word_8 bits)
{
    const uint64_t least = 1ULL << 39;
    return hx_float_of_real_8((bits & (0 - least)) | (((bits & (least - 1)) + (least - 1)) & least));
}

/* ---- half -------------------------------------------------------------------------------------- */

HX_DEVICE hx_word_2 hx_half_of_real_4(hx_word_4 bits)
{
    const uint32_t sign = bits >> 16 & 0x8000U;
    const uint32_t size = bits & 0x7fffffffU;
    uint32_t half;
    if (size > 0x7f800000U) {
        half = 0x7e00U | (size >> 13 & 0x3ffU); /* a NaN, which does not signal */
    } else if (size >= 0x47800000U) {
        half = 0x7c00U;
    } else if (size < 0x38800000U) {
        half = hx_bits_of_real_4(hx_real_4_of_bits(size) + 0.5F) -
               0x3f000000U; /* fixed point, as subnormal halves are */
    } else {
        half = (size - 0x38000000U + 0xfffU + (size >> 13 & 1U)) >> 13;
    }
    return (hx_word_2)(sign | half);
}

HX_DEVICE hx_word_2 hx_half_of_real_8(hx_word_8 bits)
{
    return hx_half_of_real_4(hx_odd_float(bits));
}

HX_DEVICE hx_word_4 hx_real_4_of_half(hx_word_2 half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    const uint32_t size = (uint32_t)(half & 0x7fffU) << 13;
    if (size < 0x800000U) {
        return sign | hx_bits_of_real_4(hx_real_4_of_bits(size + 0x38800000U) - 6.103515625e-5F); /* 2^-14 */
    }
    return sign | (size + (size < 0xf800000U ? 0x38000000U : 0x70000000U));
}

HX_DEVICE hx_word_8 hx_real_8_of_half(hx_word_2 half)
{
    return hx_real_8_of_float(hx_real_4_of_half(half));
}

/* ---- bfloat16 ---------------------------------------------------------------------------------- */

HX_DEVICE hx_word_2 hx_bfloat16_of_real_4(hx_word_4 bits)
{
    const uint32_t near = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
    return (hx_word_2)((bits & 0x7fffffffU) > 0x7f800000U ? bits >> 16 | 0x40U : near);
}

HX_DEVICE hx_word_2 hx_bfloat16_of_real_8(hx_word_8 bits)
{
    return hx_bfloat16_of_real_4(hx_odd_float(bits));
}

HX_DEVICE hx_word_4 hx_real_4_of_bfloat16(hx_word_2 bits)
{
    return (uint32_t)bits << 16;
}

HX_DEVICE hx_word_8 hx_real_8_of_bfloat16(hx_word_2 bits)
{
    return hx_real_8_of_float(hx_real_4_of_bfloat16(bits));
}

#endif
