/*
 * A spec with tables and kernels written by hand, as plain as possible: Cartesian, any number of axes, any
 * periodicity.
 *
 *     a  double    fastest axis first   halo 3 low, 1 high   exchanges "both" (box) and "star"
 *     b  int32_t   fastest axis last    halo 1, but 0 along  exchange "both"
 *                                       the fastest of several
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <hx/abi.h>

enum { EXAMPLE_A, EXAMPLE_B, EXAMPLE_FIELDS };
enum { EXAMPLE_BOTH, EXAMPLE_STAR, EXAMPLE_EXCHANGES };
enum { EXAMPLE_LOW_A = 3, EXAMPLE_HIGH_A = 1, EXAMPLE_HALO_B = 1, EXAMPLE_LINKS = 80 };

typedef struct example_shape {
    hx_part part;
    ptrdiff_t stride[EXAMPLE_FIELDS * HX_MAX_AXES]; /* [fields][axes], densely */
} example_shape;

typedef struct example_fields {
    double *a;
    int32_t *b;
} example_fields;

typedef struct example {
    hx_spec spec;
    hx_positions positions;
    hx_tile_link link[EXAMPLE_LINKS];
    hx_field field[EXAMPLE_FIELDS];
    hx_exchange_field item[EXAMPLE_EXCHANGES][EXAMPLE_FIELDS];
    hx_exchange exchange[EXAMPLE_EXCHANGES];
    signed char box[EXAMPLE_LINKS][HX_MAX_AXES];
    signed char star[2 * HX_MAX_AXES][HX_MAX_AXES];
} example;

/* periodic: bit a for axis a.  The kernels work for one number of axes at a time: that of the latest call. */
void example_make(example *e, int axes, int periodic);

/* Cells and periodicity filled in, ranks to be chosen. */
hx_partition example_partition(const example *e, const int cells[]);

/* Dense, with `padding` more elements a row. */
example_shape example_shape_of(const example *e, const hx_part *part, int padding);

/* Arrays for one block, zeroed; NULL pointers on failure. */
example_fields example_alloc(const example *e, const example_shape *shape);
void example_free(example_fields *fields);

/* Place of a point in the array of a field. */
ptrdiff_t example_at(const example *e, const example_shape *shape, int field, const int index[]);

#endif
