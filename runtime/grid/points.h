/*
 * Where the points of a box lie in memory, and whether two boxes have a byte in common.
 */
#ifndef HX_POINTS_H
#define HX_POINTS_H

#include <hx/hx.h>

#include <stdbool.h>
#include <stdint.h>

enum { HX_POINTS_STEPS = HX_MAX_AXES + 1 }; /* along the axes, and from component to component */

typedef struct hxi_points {
    uintptr_t first;
    int n[HX_POINTS_STEPS];            /* all at least 1 */
    ptrdiff_t stride[HX_POINTS_STEPS]; /* bytes, positive where n is more than 1 */
    ptrdiff_t bytes;                   /* of a point */
} hxi_points;

/* Behind the last byte. */
uintptr_t hxi_points_end(const hxi_points *points);

/* Exact also where boxes lie within each other, as the fields of an array of structs do. */
bool hxi_points_meet(const hxi_points *one, const hxi_points *other);

#endif
