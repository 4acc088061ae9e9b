/*
 * Check programs: what `halogen --emit check` writes, and the library behind it, libhx_check.
 *
 * NAME_check.c has tables with what is special to its spec, and calls the functions of its header by name.
 * The library has the rest: it fills arrays, calls exchanges, and reckons what every point must hold from the
 * definition of the grid alone.  It reads of hx_spec what the spec itself says, such as halos and widths, and
 * none of the tables that exchanges are made of: no link, no direction, no kernel.
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
    size_t pointer; /* offset in the spec's struct of fields */
    size_t size;    /* bytes of one element */
    hx_check_kind kind;
    int bits; /* of integers that travel in so many; 0: they have all that their type has */
    int on_device;
    hx_check_at at[HX_MAX_AXES];
    hx_check_vector vector;
    int reverses[HX_MAX_AXES];                   /* 1: values change their sign in a mirror across the axis */
    int reversed;                                /* 1: they do in the turn of the grid's fold */
    const signed char (*direction)[HX_MAX_AXES]; /* of each component; NULL: they have none */
} hx_check_field;

/* ---- exchanges ------------------------------------------------------------------------------- */

typedef enum hx_check_stencil { HX_CHECK_BOX, HX_CHECK_STAR, HX_CHECK_LIST } hx_check_stencil;

typedef struct hx_check_exchange {
    hx_check_stencil stencil;
    const signed char (*direction)[HX_MAX_AXES]; /* of a list */
    int directions;
    hx_fill fill[HX_MAX_AXES][2]; /* what the spec says of walls, by axis and end */
} hx_check_exchange;

/* ---- cycles ---------------------------------------------------------------------------------- */

/* How far a step reads, below and above the index of the point that it computes. */
typedef struct hx_check_read {
    int field;
    hx_layers reach;
} hx_check_read;

typedef struct hx_check_step {
    const hx_check_read *read;
    int reads;
    const int *written; /* fields */
    int writes;
    int star; /* 1: only along the axes */
} hx_check_step;

typedef struct hx_check_cycle {
    const hx_check_step *step;
} hx_check_cycle;

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

/* Along an axis of the tile beyond a side: the axis of this tile that runs there. */
typedef struct hx_check_course {
    int axis;
    int sign;        /* +1: forwards; -1: backwards */
    int here, there; /* how often the cells of both tiles along it are added to where a point is */
} hx_check_course;

typedef struct hx_check_side {
    int tile; /* -1: none, here is a wall */
    hx_check_course along[HX_MAX_AXES];
} hx_check_side;

typedef struct hx_check_tiles {
    int first_fastest;                /* 1: numbers of blocks rise along the first axis; 0: along the last */
    int extents;                      /* that are given on the command line */
    const int (*extent)[HX_MAX_AXES]; /* by tile and axis: which of them */
    const hx_check_side (*side)[HX_MAX_AXES][2]; /* by tile, axis, and end of the axis */
} hx_check_tiles;

/* A grid for devices, with rows along one axis that are long enough to be moved in pieces. */
typedef struct hx_check_rows {
    int cells[HX_MAX_AXES]; /* but along `cut` */
    int cut;                /* the axis across which all ranks lie */
    int depth;              /* cells that each of them needs at least; 0: one is enough */
} hx_check_rows;

/* ---- the program ----------------------------------------------------------------------------- */

/*
 * Of what is not described as any of these, a pointer is NULL.  Functions call those of NAME.h; there is one
 * handle at a time, which the program keeps.
 */
typedef struct hx_check_program {
    const hx_spec *spec;
    const hx_check_field *field;
    const hx_check_exchange *exchange;
    const hx_check_cycle *cycle;
    const hx_check_fold *fold;
    const hx_check_tiles *tiles;
    const hx_check_rows *rows;
    int deepest;    /* layers that an exchange fills, at most */
    int may_refuse; /* 1: create may find a grid too thin, for a width or for what fills walls */

    /* One of these. */
    hx_partition (*partition)(const int cells[]); /* of a grid in one tile */
    hx_part (*part)(const int cells[]);           /* of a list of points */

    void (*make_shape)(const hx_part *part, void *shape);
    ptrdiff_t (*index_of)(const void *shape, int field, const int point[], int component);

    /* Those that the grid has: of one tile, of blocks, of a list of points. */
    hx_status (*create)(MPI_Comm comm, const void *shape, const hx_options *options);
    hx_status (*create_blocks)(const hx_blocks *blocks, const void *shapes, const hx_options *options);
    hx_status (*create_listed)(MPI_Comm comm, const void *shape, const hx_index_list *list,
                               const hx_options *options);
    hx_status (*destroy)(void);
    hx_status (*alloc)(void *fields);
    hx_status (*free)(void *fields);
    hx_status (*set_boundary)(hx_wall_fn *fill, void *context);
    hx_status (*set_boundary_on)(hx_wall_on_fn *fill, void *context);
    hx_status (*run)(int exchange, const void *fields, hx_stream stream);
    hx_status (*begin)(int cycle, const void *fields, hx_stream stream);
    hx_boxes (*points)(int cycle, int step, int block, int field);
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
