/*
 * The blocks of a rank in a grid, their arrays, and what they hold before an exchange.
 */
#ifndef SHARED_FIELDS_H
#define SHARED_FIELDS_H

#include "shared_grid.h"

typedef struct fields {
    const grid *g;
    hx_blocks blocks;
    hx_part *part;
    unsigned char *shapes;
    unsigned char *pointers;
    bool allocated; /* by hx_alloc */
} fields;

/* Blocks and their shapes, with dense strides; fields_drop frees that. */
void fields_place(fields *s, grid *g);
void fields_drop(fields *s);

/* Their arrays, from hx_alloc or not. */
void fields_make(fields *s, hx_handle *handle, bool allocated);
void fields_free(fields *s, hx_handle *handle);

/* Floating numbers of a point: in one piece, and in pieces that lie apart. */
int fields_scalars(const hx_field *f);
double fields_get(const fields *s, int block, int field, const int point[], int scalar);
void fields_put(const fields *s, int block, int field, const int point[], int scalar, double number);

/* A number as the field can hold it. */
double fields_rounded(const hx_field *f, double value);

/* Is the field one of those that travel? */
bool fields_carries(const hx_exchange *e, int field);

/* A point of a block, by the index in its tile. */
typedef struct fields_point {
    int field, tile, block;
    const int *at;
} fields_point;

/* What a block holds before.  Sums of whole numbers have no order. */
double fields_value(const grid *g, const fields_point *p, int scalar, bool whole);

/* The same, by the index in one of this rank's blocks. */
double fields_before(const fields *s, int block, int field, const int point[], int scalar, int exchange);

/* Calls visit for every point that is allocated, halos included. */
typedef void fields_visitor(const fields *s, int block, int field, const int point[], int what);
void fields_visit(const fields *s, int what, fields_visitor *visit);

/* A visitor that writes what is there before the exchange of this number. */
fields_visitor fields_fill;

#endif
