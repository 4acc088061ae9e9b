/*
 * How fast memory is copied here: what loops of exchanges are compared with.
 */
#ifndef HX_COPY_RATE_H
#define HX_COPY_RATE_H

#include <stddef.h>

/* Bytes that memcpy moves in a second, from and to arrays of so many; takes about a millisecond.  0: there is no
 * memory for that. */
double hxi_copy_rate(size_t bytes);

#endif
