/*
 * What differs between processors, and what ranks that share memory have to know of it.
 */
#ifndef HX_HARDWARE_H
#define HX_HARDWARE_H

#include <stddef.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/*
 * Bytes of a cache line: what different ranks write lies on lines of its own.  Of an architecture whose
 * processors differ it is the longest: 64 with most of Arm's own, 128 with Apple's, 256 with A64FX.
 */
#if defined(__aarch64__) || defined(__s390x__)
enum { HX_LINE = 256 };
#elif defined(__powerpc64__)
enum { HX_LINE = 128 };
#else
enum { HX_LINE = 64 };
#endif

/* Bytes of the lines that so many bytes take up. */
static inline size_t hxi_whole_lines(size_t bytes)
{
    return (bytes + HX_LINE - 1) / HX_LINE * HX_LINE;
}

/*
 * Before a release store that tells of what was written.  Some compilers let loops store past the caches, and
 * x86 does not order such stores by a release; other architectures do.
 */
static inline void hxi_order_stores(void)
{
#if defined(__SSE__)
    _mm_sfence();
#endif
}

/* Between two looks at memory that another processor is to write. */
static inline void hxi_pause(void)
{
#if defined(__SSE__)
    _mm_pause();
#endif
}

#endif
