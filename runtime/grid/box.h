/*
 * Boxes of points, and maps between them that turn and shift.  Pure arithmetic: no rule of any grid is in
 * here.
 */
#ifndef HX_BOX_H
#define HX_BOX_H

#include <hx/abi.h>

#include <stdbool.h>

/* lo <= index < hi along each axis.  Axes that a grid does not have are [0, 1). */
typedef struct hxi_box {
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES];
} hxi_box;

bool hxi_box_empty(const hxi_box *box);
hxi_box hxi_box_intersect(const hxi_box *a, const hxi_box *b);
size_t hxi_box_volume(const hxi_box *box); /* 0 if empty */

/* The part of a box that lies below (-1), within (0) or above (+1) [0, n) along each axis. */
hxi_box hxi_box_part(const hxi_box *box, const int n[], const signed char direction[]);

/* The box of points that are rewritten, in a tile that has so many cells. */
hxi_box hxi_box_of_rewrite(const hx_rewrite *rewrite, int axes, const int cells[]);

/* source[s] = turn[s] * destination[axis[s]] + offset[s] */
typedef struct hxi_map {
    int axis[HX_MAX_AXES];
    int turn[HX_MAX_AXES]; /* +1 or -1 */
    int offset[HX_MAX_AXES];
} hxi_map;

hxi_map hxi_map_identity(void);

/* A tile link as a map, for the extents of its two tiles. */
hxi_map hxi_map_of_link(const hx_tile_link *link, int axes, const int destination_cells[],
                        const int source_cells[]);

/* First `inner`, then `outer`. */
hxi_map hxi_map_compose(const hxi_map *outer, const hxi_map *inner);

/* The image of a box, and the box whose image it is. */
hxi_box hxi_map_box(const hxi_map *map, const hxi_box *destination);
hxi_box hxi_map_box_back(const hxi_map *map, const hxi_box *source);

/* The index along one axis of the source that feeds a point. */
int hxi_map_index(const hxi_map *map, int axis, const int destination[]);

#endif
