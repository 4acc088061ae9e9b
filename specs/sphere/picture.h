/*
 * A picture of the height of the surface: on all six tiles, unfolded, and on the sphere.
 */
#ifndef SPHERE_PICTURE_H
#define SPHERE_PICTURE_H

#include "williamson.h"

/* surface: of all cells, [tile][y][x].  Returns NULL, or what went wrong. */
const char *picture_write(const char *path, const flow *f, int cells, double seconds, const double *surface);

#endif
