#include "grid/hilbert.h"

#include <hx/abi.h>

/* Undoes the exchanges and inversions by which the curve turns from one level to the next. */
static void untangle(uint32_t x[], int axes, int bits)
{
    for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1) {
        const uint32_t below = q - 1;
        for (int a = 0; a < axes; ++a) {
            if (x[a] & q) {
                x[0] ^= below;
            } else {
                const uint32_t t = (x[0] ^ x[a]) & below;
                x[0] ^= t;
                x[a] ^= t;
            }
        }
    }
}

static void encode_gray(uint32_t x[], int axes, int bits)
{
    for (int a = 1; a < axes; ++a) {
        x[a] ^= x[a - 1];
    }
    uint32_t t = 0;
    for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1) {
        t ^= x[axes - 1] & q ? q - 1 : 0;
    }
    for (int a = 0; a < axes; ++a) {
        x[a] ^= t;
    }
}

uint64_t hxi_hilbert(const int point[], int axes, int bits)
{
    uint32_t x[HX_MAX_AXES] = {0};
    for (int a = 0; a < axes; ++a) {
        x[a] = (uint32_t)point[a];
    }
    if (bits > 0) {
        untangle(x, axes, bits);
        encode_gray(x, axes, bits);
    }
    uint64_t place = 0;
    for (int bit = bits - 1; bit >= 0; --bit) {
        for (int a = 0; a < axes; ++a) {
            place = place << 1 | (x[a] >> bit & 1);
        }
    }
    return place;
}
