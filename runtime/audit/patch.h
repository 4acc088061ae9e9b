/*
 * Patches: boxes of points that an exchange fills, each fed by a box of one block.  They are grown from
 * single points that origin.h was asked about; which of them lie side by side is seen, not known.
 */
#ifndef HX_AUDIT_PATCH_H
#define HX_AUDIT_PATCH_H

#include "audit/origin.h"
#include "grid/block.h"

/* What feeds the points of a patch runs along other axes, maybe backwards. */
typedef struct hxi_patch {
    int peer;   /* the rank that owns what feeds it; where that is this rank, the one that it feeds */
    int block;  /* number among my blocks */
    int tile;   /* the same block as all ranks count it: of this tile, ... */
    int number; /* ... this one */
    int field;
    int component;       /* of a point; -1: all that lie side by side */
    int lo[HX_MAX_AXES]; /* first point, counted in the block */
    int n[HX_MAX_AXES];
    hxi_origin from;       /* of the first point */
    int axis[HX_MAX_AXES]; /* by axes of the destination: that of the source ... */
    int turn[HX_MAX_AXES]; /* ... and in which sense; 0: the patch is one point wide */
    hx_wire wire;          /* how the numbers that feed it travel */
    bool owned;            /* the points are owned ones that others feed, not ghost points */
    bool shared;           /* the points are other copies of those that `from` says */
    bool wall;             /* they lie behind a wall, and are made of points of their own block */
} hxi_patch;

typedef struct hxi_patches {
    hxi_patch *patch;
    int count;
    int room;
} hxi_patches;

/* What patches are made of. */
typedef struct hxi_patch_source {
    const hx_spec *spec;
    const hx_exchange *exchange;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const int *owner; /* rank of each block: of tile 0, of tile 1, ... */
    int rank;
} hxi_patch_source;

/* All points of this rank's blocks that the exchange copies to.  Local. */
hx_status hxi_patches_find(const hxi_patch_source *source, hxi_patches *found);

/* The same for a grid that is a list of points: those that this rank receives, and those that it sends. */
hx_status hxi_patches_received(const hxi_patch_source *source, hxi_patches *found);
hx_status hxi_patches_sent(const hxi_patch_source *source, hxi_patches *found);

/* One more, of zeros; NULL: there is no memory. */
hxi_patch *hxi_patches_add(hxi_patches *patches);
void hxi_patches_free(hxi_patches *patches);

#endif
