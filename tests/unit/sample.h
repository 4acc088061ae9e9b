/*
 * A spec with tables and kernels written by hand for what example.h leaves out: components, positions,
 * adding, walls.  One to three axes, x fastest; all elements are doubles.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <hx/abi.h>

enum {
    SAMPLE_P, /* centers                                            halo 2 low, 1 high */
    SAMPLE_U, /* low faces along x, a vector with V                 2, 2 */
    SAMPLE_V, /* high faces along the last axis                     2, 2 */
    SAMPLE_B, /* both faces along x                                 1, 2 */
    SAMPLE_F, /* 3 components, outermost                            2, 1 */
    SAMPLE_G, /* 2 components, after x, all padded                  1, 1 */
    SAMPLE_E, /* 3 components, innermost                            2, 1 */
    SAMPLE_D, /* 9 components, innermost, travel in directions      1, 1 */
    SAMPLE_A, /* 9 components, after x, travel in directions        2, 1 */
    SAMPLE_FIELDS
};

/*
 * COPY: all fields, box.  ADD: its transpose.  WALLS: as COPY, fills to be set by the test.  STAR: P and F.
 */
enum { SAMPLE_COPY, SAMPLE_ADD, SAMPLE_WALLS, SAMPLE_STAR, SAMPLE_EXCHANGES };

enum { SAMPLE_AXES = 3, SAMPLE_DIRECTIONS = 26, SAMPLE_COMPONENTS = 9, SAMPLE_BLOCKS = 64 };

typedef struct sample_shape {
    hx_part part;
    ptrdiff_t stride[SAMPLE_FIELDS * SAMPLE_AXES];
    ptrdiff_t apart[SAMPLE_FIELDS];
} sample_shape;

typedef struct sample_fields {
    double *array[SAMPLE_FIELDS];
} sample_fields;

/* The spec, and the blocks of this rank. */
typedef struct sample {
    hx_spec spec;
    hx_positions positions[SAMPLE_FIELDS];
    hx_tile_link link[SAMPLE_DIRECTIONS];
    hx_field field[SAMPLE_FIELDS];
    hx_exchange_field item[3][SAMPLE_FIELDS]; /* all; all, adding; P and F */
    hx_exchange exchange[SAMPLE_EXCHANGES];
    int vector[SAMPLE_AXES];
    signed char box[SAMPLE_DIRECTIONS][HX_MAX_AXES];
    signed char star[2 * SAMPLE_AXES][HX_MAX_AXES];
    hx_picks picks[SAMPLE_DIRECTIONS];
    int picked[SAMPLE_DIRECTIONS][SAMPLE_COMPONENTS];

    hx_partition partition;
    int owner[SAMPLE_BLOCKS];
    int blocks; /* of this rank */
    int number[SAMPLE_BLOCKS];
    sample_shape shape[SAMPLE_BLOCKS];
    sample_fields fields[SAMPLE_BLOCKS];
} sample;

/* periodic: bit a for axis a. */
void sample_make(sample *s, int axes, int periodic);

/* The vector along which component c of D and A travels. */
const int *sample_direction(int component);

/* Does component c of a field travel in a direction of the ghost box? */
int sample_travels(const sample *s, int field, int component, const int direction[]);

/*
 * Cuts so many cells into so many parts, at most one a cell, and deals the blocks out to the first `ranks`
 * ranks in turn.  Arrays are zeroed; sample_release frees them.
 */
void sample_divide(sample *s, const int cells[], const int parts[], int ranks);
void sample_release(sample *s);

/* On MPI_COMM_WORLD; lives as long as the sample.  And what create makes of it. */
hx_blocks sample_blocks(const sample *s);
hx_status sample_create(const sample *s, const hx_options *options, hx_handle **handle);

/* One element of a block's array, in the halo or not. */
typedef struct sample_element {
    int block; /* of this rank */
    int field;
    int component;
    int index[HX_MAX_AXES];     /* in the block */
    int direction[HX_MAX_AXES]; /* of the ghost box that it lies in; all 0: owned */
    double *value;
} sample_element;

/* Visits every element of a field, or of all fields (-1), of the blocks of this rank. */
void sample_visit(sample *s, int field, void (*visit)(sample *s, const sample_element *e, void *context),
                  void *context);

/* Where a component of a point lies. */
double *sample_at(const sample *s, int block, int field, int component, const int index[]);

/* Points that a block owns along an axis. */
int sample_points(const sample *s, int block, int field, int axis);

#endif
