/*
 * Ghost points that lie behind the owned ones of their array (hx_field.behind): a plane for each side of the
 * block that has a neighbor and a halo, and none for edges and corners.
 *
 * Planes come from the slowest axis in memory to the fastest, below before above.  Each is dense, in the
 * memory order of the field, and as deep as the halo, with the layer of the lowest index first.
 */
#ifndef HX_BEHIND_H
#define HX_BEHIND_H

#include <hx/abi.h>

#include <stdbool.h>

/* A side of a block, and a set of them. */
enum { HX_LOW, HX_HIGH };
typedef unsigned hxi_sides;

static inline hxi_sides hxi_side(int axis, int side)
{
    return 1u << (2 * axis + side);
}

/* The sides with a neighbor of a part of a grid without tiles: of so many parts, the one with this index. */
hxi_sides hxi_behind_sides(const hx_spec *spec, const int index[], const int parts[]);

/* What planes depend on, beside the field. */
typedef struct hxi_planes {
    const hx_spec *spec;
    const hx_field *field;
    const int *cells; /* of the block */
    hxi_sides sides;
} hxi_planes;

/* Points that lie in front of a plane, in planes before it; -1: there is no such plane. */
ptrdiff_t hxi_planes_before(const hxi_planes *planes, int axis, int side);

/* Points of all planes; saturates. */
ptrdiff_t hxi_planes_points(const hxi_planes *planes);

/* Is a point, counted in the block, a ghost point across one of its sides? */
bool hxi_planes_side(const hxi_planes *planes, const int point[], int *axis, int *side);

/* How far a point of a plane is from its first one; sets the strides within it. */
ptrdiff_t hxi_planes_within(const hxi_planes *planes, int axis, int side, const int point[],
                            ptrdiff_t stride[]);

#endif
