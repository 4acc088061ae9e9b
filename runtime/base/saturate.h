/*
 * Sums and products of sizes, which are not negative: what does not fit ends at PTRDIFF_MAX, which create
 * refuses in words.
 */
#ifndef HX_SATURATE_H
#define HX_SATURATE_H

#include <stddef.h>
#include <stdint.h>

/* Negative strides fit no array either. */
static inline ptrdiff_t hxi_times(ptrdiff_t a, ptrdiff_t b)
{
    return a < 0 || b < 0 || (a > 0 && b > PTRDIFF_MAX / a) ? PTRDIFF_MAX : a * b;
}

static inline ptrdiff_t hxi_plus(ptrdiff_t a, ptrdiff_t b)
{
    return b > PTRDIFF_MAX - a ? PTRDIFF_MAX : a + b;
}

#endif
