/*
 * Boxes of points, and maps between them that turn and shift.  Pure arithmetic: no rule of any grid is in
 * here.
 */
#ifndef HX_BOX_H
#define HX_BOX_H

#include <hx/abi.h>

#include <stdbool.h>

/* lo <= index < hi along each axis.  Axes that a grid does not have are [0, 1). */
typedef struct hx_box {
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES];
} hx_box;

bool hx_box_empty(const hx_box *box);
hx_box hx_box_intersect(const hx_box *a, const hx_box *b);
size_t hx_box_volume(const hx_box *box); /* 0 if empty */

/* The part of a box that lies below (-1), within (0) or above (+1) [0, n) along each axis. */
hx_box hx_box_part(const hx_box *box, const int n[], const signed char direction[]);

/* The box of points that are rewritten, in a tile that has so many cells. */
hx_box hx_box_of_rewrite(const hx_rewrite *rewrite, int axes, const int cells[]);

/* source[s] = turn[s] * destination[axis[s]] + offset[s] */
typedef struct hx_map {
    int axis[HX_MAX_AXES];
    int turn[HX_MAX_AXES]; /* +1 or -1 */
    int offset[HX_MAX_AXES];
} hx_map;

hx_map hx_map_identity(void);

/* A tile link as a map, for the extents of its two tiles. */
hx_map hx_map_of_link(const hx_tile_link *link, int axes, const int destination_cells[],
                      const int source_cells[]);

/* First `inner`, then `outer`. */
hx_map hx_map_compose(const hx_map *outer, const hx_map *inner);

/* The image of a box, and the box whose image it is. */
hx_box hx_map_box(const hx_map *map, const hx_box *destination);
hx_box hx_map_box_back(const hx_map *map, const hx_box *source);

/* The index along one axis of the source that feeds a point. */
int hx_map_index(const hx_map *map, int axis, const int destination[]);

#endif
