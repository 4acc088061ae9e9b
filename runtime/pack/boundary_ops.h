/*
 * The operations that fill boxes of ghost points beyond walls.
 */
#ifndef HX_BOUNDARY_OPS_H
#define HX_BOUNDARY_OPS_H

#include "grid/box.h"
#include "grid/layout.h"
#include "pack/boundary.h"

typedef struct hxi_boundary_maker {
    const hx_spec *spec;
    int number;
    const hx_exchange *exchange;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const int *slot_of;
    int fields;
    hxi_boundary *made; /* without memory for operations: they are counted */
    bool *at_land; /* by block and field: their walls lie beside blocks without an owner; NULL: none do */
} hxi_boundary_maker;

/* One field of one block at one wall.  Indices are counted in the block. */
typedef struct hxi_wall_box {
    const hx_exchange_field *item;
    const hx_field *field;
    int block; /* number among mine */
    int axis;
    int side;
    hx_fill fill;
    int points[HX_MAX_AXES]; /* that the block owns */
    int start[HX_MAX_AXES];  /* the first and the last of the grid, as far as the exchange goes */
    int end[HX_MAX_AXES];
    bool checked; /* that images of the box are known */
    hxi_box box;  /* the ghost points to be filled */
} hxi_wall_box;

/* The points that a box beyond a wall is filled from, along the axis of the wall: a fill that has images. */
void hxi_boundary_images(const hxi_boundary_maker *m, const hxi_wall_box *p, int *lo, int *hi);

/* Adds what fills the box, or counts it. */
hx_status hxi_boundary_add(hxi_boundary_maker *m, const hxi_wall_box *p);

#endif
