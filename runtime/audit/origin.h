/*
 * Who owns what lies at a ghost point: found for one point at a time, from the spec's tables and the
 * partition alone.  What exchanges do, grid/cut.h, finds it for whole boxes; the two share no code, so that
 * an audit sees where one of them is wrong.
 */
#ifndef HX_AUDIT_ORIGIN_H
#define HX_AUDIT_ORIGIN_H

#include "grid/layout.h"

#include <stdbool.h>

/* A point of a block that an exchange fills. */
typedef struct hxi_filled {
    int tile;
    int field;
    const int *first; /* cell of the block, counted in the tile */
    const int *cells; /* of the block */
    const signed char *direction;
    int point[HX_MAX_AXES];    /* counted in the block */
    const hx_rewrite *rewrite; /* of an owned point that others feed; NULL: a ghost point */
} hxi_filled;

/* The owned point that feeds it. */
typedef struct hxi_origin {
    int tile;
    int block; /* in the tile */
    int field;
    int sign;               /* 0: what is filled becomes zero */
    int point[HX_MAX_AXES]; /* counted in the block */
} hxi_origin;

/* False where none does: beyond walls, and at corners of tiles where no tile lies. */
bool hxi_origin_find(const hx_spec *spec, const hxi_layout *layout, const hxi_filled *filled,
                     hxi_origin *origin);

#endif
