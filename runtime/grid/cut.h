/*
 * Cutting: which blocks feed a ghost box.
 */
#ifndef HX_CUT_H
#define HX_CUT_H

#include "grid/box.h"
#include "grid/layout.h"

/* The ghost points of one field of one block in one direction, as deep as an exchange fills them. */
typedef struct hxi_ghost {
    int tile;
    int block;
    int field;
    const int *width_lo;
    const int *width_hi;
    const signed char *direction;
} hxi_ghost;

/* The place of what a block holds among all that hold shared points (shared_points.h), and of its group. */
typedef struct hxi_term {
    int number;
    int group;
} hxi_term;

/* A part of a ghost box that one block feeds. */
typedef struct hxi_piece {
    hxi_box to; /* counted in the destination block */
    int source_tile;
    int source_block;
    int source_field;
    int source_first[HX_MAX_AXES]; /* counted in the source block: what feeds the low corner of `to` */
    int axis[HX_MAX_AXES];         /* as in hx_link */
    int turn[HX_MAX_AXES];
    int sign;
    bool crossed;  /* a tile link leads from the points to their source */
    hxi_term term; /* of shared points: the source's, and the destination's own */
    hxi_term own_term;
} hxi_piece;

/* Pieces; the memory is kept from one cut to the next. */
typedef struct hxi_pieces {
    hxi_piece *piece;
    int count;
    int room;
    size_t claimed; /* points of the ghost box that have a source, ... */
    size_t left;    /* ... and of these the ones that no piece has, as their block has no owner */
} hxi_pieces;

/* The pieces of a ghost box.  Points that no tile link leads from are in none, nor those of blocks without an
 * owner. */
hx_status hxi_cut(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost, hxi_pieces *pieces);

/* What blocks without an owner would feed: the same for those, which hxi_cut leaves out. */
hx_status hxi_cut_land(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost,
                       hxi_pieces *pieces);

/*
 * The pieces of a box of owned points of a tile, for blocks of another layout of the same grid: `to` is counted
 * in the tile.  Points that are rewritten come from those that are kept.  A face that several blocks hold comes
 * from the one of which it is a low face, the last ones of the tile from the last; where that has no owner, from
 * the next one that holds it, as in files.  Rewritten points that a block without an owner would feed stand for
 * themselves.
 */
hx_status hxi_cut_owned(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                        const hxi_box *points, hxi_pieces *pieces);

/* Points at a field's positions in a block or tile that has so many cells. */
void hxi_cut_points(const hx_spec *spec, int field, const int cells[], int points[]);

/* A new piece at the end of the list; NULL: there is no memory. */
hxi_piece *hxi_cut_piece(hxi_pieces *pieces);

/* The link that leads from a tile in a direction; NULL: there is none. */
const hx_tile_link *hxi_cut_link(const hx_spec *spec, int field, int tile, const signed char direction[]);

/* Does a link lead to the same tile in the same orientation? */
bool hxi_cut_wraps(const hx_spec *spec, const hx_tile_link *link);

#endif
