/*
 * The blocks of this rank: which they are, and how their fields lie in memory.
 */
#ifndef HX_BLOCK_H
#define HX_BLOCK_H

#include "grid/behind.h"
#include "grid/box.h"
#include "grid/layout.h"

#include <stdbool.h>

typedef struct hxi_block {
    int tile;
    int number;             /* in the tile */
    int cells[HX_MAX_AXES]; /* 1 for axes that the grid does not have */
    hxi_sides sides;        /* that have a neighbor, of a grid of one tile */
    ptrdiff_t *stride;      /* in points: [field][HX_MAX_AXES], 0 for axes that the grid does not have */
    ptrdiff_t *apart;       /* [field], from one component to the next, 0 where they do not lie apart */
    bool on_host;           /* it stands for an array of the host, also of fields that lie on a device */
} hxi_block;

typedef struct hxi_block_list {
    hxi_block *block; /* in the order of the shapes */
    int blocks;
    int *sorted; /* their numbers, by tile and block */
    ptrdiff_t *stride;
    ptrdiff_t *apart;
} hxi_block_list;

/* Elements of a point: the components that lie side by side, else 1.  Strides of shapes count elements, those
 * of blocks and regions points. */
int hxi_block_elements(const hx_field *field);

/* A rank's part of a list: so many points, and as many along the other axis as the spec says. */
hx_status hxi_block_check_listed(const hx_spec *spec, int rank, const hx_part *part);

/* Checks the shapes against the spec and the layout; parts of lists are those that were checked before. */
hx_status hxi_blocks_make(const hx_spec *spec, const hxi_layout *layout, int rank, int count,
                          const void *shapes, hxi_block_list *list);
void hxi_blocks_free(hxi_block_list *list);

/*
 * From the first to the last byte of a field's points, both included; arrays of the application's end there.
 */
size_t hxi_block_bytes(const hx_spec *spec, const hxi_block *block, int field);

/* The same with the spec's padding behind the last point: what alloc gives, and hx_points says. */
size_t hxi_block_allocated(const hx_spec *spec, const hxi_block *block, int field);

/* Which of my blocks it is, -1: none of them. */
int hxi_blocks_find(const hxi_block_list *list, int tile, int number);

/* A box of points.  The axes of the region that is made of it are those that the block's axes follow. */
typedef struct hxi_subbox {
    const int *first; /* the index of its first point, by the axes of the block */
    const int *n;     /* by the axes of the region */
    const int *axis;  /* see hx_link.axis and turn; NULL: the block's own axes */
    const int *turn;
} hxi_subbox;

/* Points of a field of a block as kernels see them.  component: of a field whose components lie apart, else
 * 0. */
hx_region hxi_block_region(const hx_spec *spec, const hxi_block *block, int field, int component,
                           const hxi_subbox *points);

/* Is a region of a field one run in memory, point by point as messages have them? */
bool hxi_block_is_run(const hx_spec *spec, int field, const hx_region *region);

#endif
