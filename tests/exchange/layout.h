/*
 * Where the points of this rank's blocks lie: in the grid, and in memory.
 *
 * Everything is computed from the fields, halos and memory orders of the spec's tables; nothing here looks at
 * positions, links or kernels.  What libhx_check knows of points is asked there.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <hx/abi.h>

enum { LAYOUT_TILES = 8, LAYOUT_BEST = -1 };

/* 1 if blocks store both faces of their cells along an axis, for a field: one point more than cells. */
typedef int layout_faces(const hx_spec *spec, int field, int axis);

struct check_run;

typedef struct layout {
    const hx_spec *spec;
    hx_partition partition[LAYOUT_TILES];
    hx_blocks blocks;      /* what hx_create wants; partition points to the above */
    hx_part *part;         /* blocks.count of them */
    unsigned char *shapes; /* for hx_create */
    /* Points between the end of a row (plane, ...) and the next, on top of dense; LAYOUT_BEST: strides as
       hx_best_strides has them. */
    int padding;
    layout_faces *faces;   /* NULL: none anywhere */
    struct check_run *run; /* what libhx_check knows of it; not its tiles */
} layout;

/* A box of points, or of their counts. */
typedef struct box {
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES];
} box;

/* One partition per tile, ranks[] given; blocks are numbered as the spec says.  owner: as in hx_blocks. */
typedef struct layout_request {
    const hx_spec *spec;
    MPI_Comm comm;
    const hx_partition *partition;
    int (*owner)(void *context, int tile, int block);
    void *context;
    layout_faces *faces;
    int padding;
} layout_request;

/* The layout must stay where it is: blocks.partition points into it. */
void layout_make(layout *l, const layout_request *request);

/* One block that somebody else computed (hx_decompose, hx_partition_from_cart). */
void layout_make_single(layout *l, const hx_spec *spec, MPI_Comm comm, const hx_part *mine, int padding);

void layout_free(layout *l);

/* Blocks of a tile, and one of them. */
int layout_parts(const hx_partition *partition);
hx_part layout_part(const hx_partition *partition, int tile, int block);

/* First cell of part i of an axis: the earlier parts are the larger ones where it does not come out even. */
int layout_cut(const hx_partition *partition, int axis, int i);

/* Points that a block owns along an axis, all of them, and with them those of the halo, wherever it lies. */
int layout_points(const layout *l, int block, int field, int axis);
box layout_owned(const layout *l, int block, int field);
box layout_allocated(const layout *l, int block, int field);

/* So many times hx_field.size: from a field's pointer to a point counted in the block, -1 where the array has
 * no place for it, and what an array needs. */
ptrdiff_t layout_at(const layout *l, int block, int field, const int point[]);
size_t layout_elements(const layout *l, int block, int field);

/* Steps through a box, axis 0 fastest; 0 when it is done.  A point starts at lo. */
int box_next(const box *b, int axes, int point[]);

#endif
