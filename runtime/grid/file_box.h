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

/* Pieces of a field: see hx_file_passes. */
int hxi_file_passes(const hx_spec *spec, int field);

/* What a block has in a pass; n is 0 along some axis where that is nothing. */
hxi_file_box hxi_file_box_in_pass(const hx_spec *spec, const hxi_layout *layout, const hxi_block *block,
                                  int field, int pass);

/* Has it no point? */
bool hxi_file_box_empty(const hxi_file_array *array, const hxi_file_box *box);

#endif
