/*
 * Where the points of a block lie in the array that a file has of a field.  See hx/files.h.
 */
#ifndef HX_FILE_BOX_H
#define HX_FILE_BOX_H

#include "grid/block.h"

#include <hx/files.h>

/* The array of a field in a file, but for tiles: its axes from the slowest to the fastest. */
typedef struct hxi_file_array {
    int axes;
    int axis[HX_FILE_AXES]; /* of the grid, or HX_FILE_COMPONENTS */
    ptrdiff_t size[HX_FILE_AXES];
} hxi_file_array;

/* A box of it, and where its points lie in the array of a block: counted in elements. */
typedef struct hxi_file_box {
    ptrdiff_t first[HX_FILE_AXES];
    ptrdiff_t n[HX_FILE_AXES];
    ptrdiff_t at; /* of the first point, from the field's pointer */
    ptrdiff_t stride[HX_FILE_AXES];
} hxi_file_box;

/* Of a tile with so many cells; of a list of points, with so many points. */
hxi_file_array hxi_file_array_of(const hx_spec *spec, int field, const int cells[]);

/* Its elements; PTRDIFF_MAX if that is not enough. */
ptrdiff_t hxi_file_array_elements(const hxi_file_array *array);

/* Are all tiles equally large, so that one array has them? */
bool hxi_file_tiles_alike(const hxi_layout *layout);

/* All points of a block, from its first cell on; of a list, by their numbers on this rank. */
hxi_file_box hxi_file_box_of(const hx_spec *spec, const hxi_layout *layout, const hxi_block *block,
                             int field);

/* Of a field of a block of this rank. */
typedef struct hxi_file_request {
    const hx_spec *spec;
    const hxi_layout *layout;
    const hxi_block *block;
    int field;
} hxi_file_request;

/* See hx_file_passes. */
int hxi_file_passes(const hx_spec *spec, int field);

/* The most boxes of a block: points of three kinds along each axis. */
enum { HX_FILE_BOXES = 3 * 3 * 3 * 3 };

/*
 * What a block has in a pass, as boxes.  How many is returned: 1 in pass 0 and up to 1 in others, but more beside
 * blocks without an owner.
 */
int hxi_file_boxes_in_pass(const hxi_file_request *request, int pass, hxi_file_box boxes[HX_FILE_BOXES]);

#endif
