/*
 * The order of a Hilbert curve: what lies near along it lies near in space.
 *
 * J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707 (2004).
 */
#ifndef HX_HILBERT_H
#define HX_HILBERT_H

#include <stdint.h>

/* The place of a point on the curve through a cube of 2^bits points along each of so many axes; axes * bits is
 * at most 64. */
uint64_t hxi_hilbert(const int point[], int axes, int bits);

#endif
