/*
 * Cutting: which blocks feed a ghost box.
 */
#ifndef HX_CUT_H
#define HX_CUT_H

#include "grid/box.h"
#include "grid/layout.h"

/* The ghost points of one field of one block in one direction, as deep as an exchange fills them. */
typedef struct hx_ghost {
    int tile;
    int block;
    int field;
    const int *width_lo;
    const int *width_hi;
    const signed char *direction;
} hx_ghost;

/* The place of what a block holds among all that hold shared points (shared_points.h), and of its group. */
typedef struct hx_term {
    int number;
    int group;
} hx_term;

/* A part of a ghost box that one block feeds. */
typedef struct hx_piece {
    hx_box to; /* counted in the destination block */
    int source_tile;
    int source_block;
    int source_field;
    int source_first[HX_MAX_AXES]; /* counted in the source block: what feeds the low corner of `to` */
    int axis[HX_MAX_AXES];         /* as in hx_link */
    int turn[HX_MAX_AXES];
    int sign;
    hx_term term; /* of shared points: the source's, and the destination's own */
    hx_term own_term;
} hx_piece;

/* Pieces; the memory is kept from one cut to the next. */
typedef struct hx_pieces {
    hx_piece *piece;
    int count;
    int room;
    size_t claimed; /* points of the ghost box that have a source */
} hx_pieces;

/* The pieces of a ghost box.  Points that no tile link leads from are in none. */
hx_status hx_cut(const hx_spec *spec, const hx_layout *layout, const hx_ghost *ghost, hx_pieces *pieces);

/* Points of a field's class in a block or tile that has so many cells. */
void hx_cut_points(const hx_spec *spec, int field, const int cells[], int points[]);

/* A new piece at the end of the list; NULL: there is no memory. */
hx_piece *hx_cut_piece(hx_pieces *pieces);

/* The link that leads from a tile in a direction; NULL: there is none. */
const hx_tile_link *hx_cut_link(const hx_spec *spec, int field, int tile, const signed char direction[]);

/* Does a link lead to the same tile in the same orientation? */
bool hx_cut_wraps(const hx_spec *spec, const hx_tile_link *link);

#endif
