/*
 * A picture of the pressure on the floor, and of the blocks and halos of all ranks.
 */
#ifndef WAVE_PICTURE_H
#define WAVE_PICTURE_H

#include <hx/hx.h>

/* pressure: of the whole grid, x fastest, then y, then z.  Returns NULL, or what went wrong. */
const char *picture_write(const char *path, const hx_partition *partition, const double *pressure,
                          double time);

#endif
