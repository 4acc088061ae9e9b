/*
 * A picture of the tracers, the grid and the blocks.
 */
#ifndef TRIPOLAR_PICTURE_H
#define TRIPOLAR_PICTURE_H

#include "ocean.h"

#include <hx/hx.h>

/* state: [row][column][number].  Returns NULL, or what went wrong. */
const char *picture_write(const char *path, const ocean *o, const hx_partition *grid, const double *state);

#endif
