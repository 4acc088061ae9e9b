/*
 * Check programs: what `halogen --emit check` writes, and the library behind it, libhx_check.
 *
 * NAME_check.c has tables of what its spec says, and calls the functions of its header that tell where points
 * lie and that do exchanges.  The library has the rest.  It makes grids of many sizes, or meshes, and puts
 * into each owned point a function of its place in the grid, or of its number in the mesh.  It does each
 * exchange by each transport, with arrays of its own or with those of NAME_alloc.  Then it compares every
 * point of every array with what the definition of the grid says that it must be.  Fields on a device are
 * filled and compared in memory of the host, and copied.
 *
 * It reads of hx_spec what the spec itself says, such as halos, widths and types, and none of the tables that
 * exchanges are made of: no link, no direction, no kernel.
 */
#ifndef HX_CHECK_H
#define HX_CHECK_H

#include <hx/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fields ---------------------------------------------------------------------------------- */

typedef enum hx_check_kind {
    HX_CHECK_INTEGER,
    HX_CHECK_FLOAT,
    HX_CHECK_COMPLEX,
    HX_CHECK_HALF,
    HX_CHECK_BOOL,
    HX_CHECK_STRUCT
} hx_check_kind;

/* Where a field's points lie along an axis: in the middle of cells, or on faces of them. */
typedef enum hx_check_at { HX_CHECK_CENTER, HX_CHECK_LOW, HX_CHECK_HIGH, HX_CHECK_BOTH } hx_check_at;

/* What turns and mirrors do to a component of a vector; its other ones are in hx_field.vector. */
typedef enum hx_check_vector {
    HX_CHECK_SCALAR,
    HX_CHECK_ARROW,
    HX_CHECK_PSEUDOVECTOR,
    HX_CHECK_UNSIGNED /* no sign changes */
} hx_check_vector;

typedef struct hx_check_field {
    hx_check_kind kind;
    hx_check_at at[HX_MAX_AXES];
    hx_check_vector vector;
    const char *directions; /* of each component; NULL: they have none */
} hx_check_field;

/*
 * Directions are words of one character for each axis, as in "+0 -0 0+ 0-": '+' leads up, '-' down, and '0'
 * nowhere.
 */

/* ---- exchanges ------------------------------------------------------------------------------- */

typedef enum hx_check_stencil { HX_CHECK_BOX, HX_CHECK_STAR, HX_CHECK_LIST } hx_check_stencil;

typedef struct hx_check_exchange {
    hx_check_stencil stencil;
    const char *directions;       /* of a list */
    hx_fill fill[HX_MAX_AXES][2]; /* what the spec says of walls, by axis and end */
} hx_check_exchange;

/* ---- cycles ---------------------------------------------------------------------------------- */

typedef enum hx_check_use {
    HX_CHECK_READS,
    HX_CHECK_READS_ALONG_AXES, /* of each point's surroundings only what lies along one axis */
    HX_CHECK_WRITES
} hx_check_use;

/* That a step of a cycle, both by number, reads a field or writes it. */
typedef struct hx_check_access {
    int cycle;
    int step;
    int field;
    hx_check_use use;
    hx_layers reach; /* how far it reads, below and above the index of the point that it computes */
} hx_check_access;

/* ---- the grid -------------------------------------------------------------------------------- */

/*
 * A grid closed along one axis and folded at a side across another, onto itself: turned about two pivots on a
 * line along the side.
 */
typedef struct hx_check_fold {
    int along;
    int across;
    int side;  /* -1: the low end of `across`; +1: its high end */
    int pivot; /* half cells from where `along` begins to the first pivot */
    int inset; /* half cells from the side to the line */
} hx_check_fold;

/* What lies beyond a side of a tile: a whole side of a tile, that one or another. */
typedef struct hx_check_side {
    int tile; /* -1: none, here is a wall */
    /* For each axis there that of this tile which runs along it, counted from 1; negative: the other way. */
    int along[HX_MAX_AXES];
} hx_check_side;

typedef struct hx_check_tiles {
    int extents;                                 /* that are given on the command line */
    const int (*extent)[HX_MAX_AXES];            /* by tile and axis: which of them */
    const hx_check_side (*side)[HX_MAX_AXES][2]; /* by tile, axis, and end of the axis */
} hx_check_tiles;

/* ---- the program ----------------------------------------------------------------------------- */

/* Of what is not described as any of these, a pointer is NULL. */
typedef struct hx_check_program {
    const hx_spec *spec;
    const char *model; /* that NAME.h was emitted for: see hx_create_for */
    const hx_check_field *field;
    const hx_check_exchange *exchange;
    const hx_check_access *access; /* of all cycles */
    int accesses;
    const hx_check_fold *fold;
    const hx_check_tiles *tiles;

    /* One of these, or tiles; cells: along all axes. */
    hx_partition (*partition)(const int cells[]); /* of a grid in one tile */
    hx_part (*part)(const int cells[]);           /* of a list of points */

    /* Calls of the functions that NAME.h has for each field, exchange, cycle and step. */
    ptrdiff_t (*index_of)(const void *shape, int field, const int point[], int component);
    hx_status (*run)(hx_handle *handle, int exchange, const void *fields, hx_stream stream);
    hx_status (*begin)(hx_handle *handle, int cycle, const void *fields, hx_stream stream);
    hx_boxes (*points)(const hx_handle *handle, int cycle, int step, int block, int field);
} hx_check_program;

/*
 * The main function of a check program.  Prints a line for each grid and transport, and returns 0 if all is
 * as it must be, 1 if not, 2 where the arguments are wrong, and 77 where a rank finds no GPU.  Ends the
 * program where a call fails that must not.
 */
int hx_check_main(int argc, char **argv, const hx_check_program *program);

#ifdef __cplusplus
}
#endif
#endif
