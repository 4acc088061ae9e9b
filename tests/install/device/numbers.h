/* Kernels of the application. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "warm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NX = 12, NY = 10 };

/* Gives every cell a number of its own. */
void numbers_put(double *t, const warm_shape *shape, hx_stream stream);
/* Adds to *wrong, memory that the device reaches, how many points are not what they should be. */
void numbers_check(const double *t, const warm_shape *shape, int halo, int *wrong, hx_stream stream);

#ifdef __cplusplus
}
#endif
#endif
