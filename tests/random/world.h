/*
 * A spec as the test knows it, one way to divide its grid, and where everything lies.
 *
 * The tables come from the same random model as the spec (generate.lua), never from what halogen made of it.
 * Nothing here or in oracle.c looks into hx/abi.h.
 */
#ifndef WORLD_H
#define WORLD_H

#include "values.h"

#include <hx/hx.h>

enum {
    AXES = HX_MAX_AXES,
    WORLD_FIELDS = 12,
    WORLD_VECTORS = 81, /* directions of four axes */
    WORLD_TILES = 6,
    WORLD_BLOCKS = 24
};

typedef enum staggering { AT_CENTER, AT_LOW, AT_HIGH, AT_BOTH } staggering;
typedef enum stencil { STENCIL_BOX, STENCIL_STAR, STENCIL_LIST } stencil;
typedef enum vector_kind { VECTOR_ARROW, VECTOR_PSEUDO, VECTOR_UNSIGNED } vector_kind;
typedef enum agreement { AGREE_NONE, AGREE_GREATER, AGREE_OWNER, AGREE_MEAN, AGREE_SUM } agreement;
typedef enum fill { FILL_NONE, FILL_ZERO, FILL_COPY, FILL_MIRROR, FILL_ANTIMIRROR, FILL_HOOK } fill;

typedef struct random_field {
    const char *name;
    value_kind kind;
    int has_sign;      /* of integers */
    size_t size;       /* of an element */
    int order[AXES];   /* axes, the fastest first */
    int halo[2][AXES]; /* low, high */
    staggering at[AXES];
    int padding[AXES];
    int behind;       /* ghost points lie behind the owned ones, in a plane for each side with a neighbor */
    int components;   /* 1 for a field without */
    int place;        /* axes that are faster than the components; 0: components of a point side by side */
    int normal;       /* axis along which this component of a vector points; -1: no component */
    int sister[AXES]; /* the components of that vector along each axis; -1: none */
    vector_kind turns;
    int directions; /* one for each component; 0: components travel together */
    int direction[WORLD_VECTORS][AXES];
    size_t pointer;  /* offset in the struct of fields */
    value_wire wire; /* how it travels in exchanges that copy halos */
} random_field;

typedef struct random_exchange {
    const char *name;
    int fields;
    int field[WORLD_FIELDS];
    int width[WORLD_FIELDS][2][AXES];
    stencil stencil;
    int directions; /* of a list */
    int direction[WORLD_VECTORS][AXES];
    int add;
    int rounds;    /* what is added is rounded where fields have a wire */
    int keeps;     /* ghost points that were added stay as they are */
    int extreme;   /* of one that adds, instead: -1: the least, 1: the greatest of what comes to a point */
    int transpose; /* the exchange that this one is the transpose of; -1: none */
    fill fill[AXES][2];
    agreement agree; /* AGREE_NONE: of the halo; else of points that several blocks own */
} random_exchange;

/* What lies beyond a side of a tile: axis b goes on along axis to[b] of the neighbor, in the sense of
 * sign[b]. */
typedef struct random_side {
    int tile; /* -1: a wall */
    int to[AXES];
    int sign[AXES];
} random_side;

/* A side across an axis that is folded, by pivots in half cells: the first one along the side, counted from
 * where the axis begins, and how far from the side everything turns. */
typedef struct random_fold {
    int across, side, along, pivot, inset;
} random_fold;

typedef struct random_spec {
    const char *name;
    long long seed;
    int number;
    int axes;
    int tiles;
    const random_side (*side)[AXES][2]; /* of each tile; NULL: it is one box */
    const random_fold *fold;            /* NULL: none */
    int periodic[AXES];
    int decomposed[AXES];
    int cells[AXES];   /* fixed; 0: any */
    int first_fastest; /* 1: the numbers of blocks rise along the first axis first; 0: along the last */
    int fields;
    const random_field *field;
    int exchanges;
    const random_exchange *exchange;
    size_t shape_size, stride, apart, fields_size; /* of the emitted structs; apart 0: there is none */
    hx_status (*make)(const hx_blocks *blocks, const void *shapes, const hx_options *options, void **handle);
    hx_status (*widen)(void *narrow, MPI_Comm comm, const hx_options *options, void **handle);
    hx_status (*end)(void *handle);
    hx_status (*hook)(void *handle, hx_wall_fn *write, void *context); /* NULL: no wall has one */
    hx_status (*begin)(void *handle, int exchange, const void *fields);
    hx_status (*complete)(void *handle, int exchange);
    const char *(*tell)(void *handle);
    void (*dense)(const hx_part *part, void *shape);
    size_t (*size)(const void *shape, int field);
    ptrdiff_t (*find)(const void *shape, int field, const int at[], int component);
} random_spec;

extern const random_spec *const random_specs[];
extern const int random_specs_count;

/* ---- one way to divide the grid -------------------------------------------------------------- */

typedef struct world {
    const random_spec *spec;
    int rank, ranks;
    char about[160]; /* which partition, in words */
    int cells[WORLD_TILES][AXES];
    int parts[WORLD_TILES][AXES];
    int cut[WORLD_TILES][AXES][WORLD_BLOCKS + 1];
    int blocks; /* of all tiles, one tile after the other */
    int tile[WORLD_BLOCKS];
    int first_block[WORLD_TILES + 1];
    int owner[WORLD_BLOCKS]; /* HX_NO_OWNER: none */
    int even;                /* cuts are left to the library */
    int plain;               /* one block a rank, in order: no owners are given */
} world;

/* Random numbers of C, for partitions and paddings: as equal on all ranks as the state. */
uint64_t world_random(uint64_t *state);
int world_range(uint64_t *state, int first, int last);

/* The ways tried are numbered from 0; 0: there are no more. */
int world_make(world *w, const random_spec *spec, int number, int rank, int ranks);

/* Another way to divide the same cells. */
void world_divide_again(world *w, const world *model, int number);

/* A third of the blocks lose their owners; one at least keeps its own. */
void world_take_owners(world *w, uint64_t state);

/* Which part a block is along an axis, its cells there, and the points of a field. */
int world_part(const world *w, int block, int axis);
int world_first(const world *w, int block, int axis);
int world_cells(const world *w, int block, int axis);
int world_points(const world *w, int block, const random_field *f, int axis);
int world_block(const world *w, int tile, const int part[]);

/* The part of a tile that a cell is in. */
int world_part_of_cell(const world *w, int tile, int axis, int cell);

/* ---- where points lie ------------------------------------------------------------------------ */

/* Elements from a point to the next along each axis of the grid, and from a component to the next. */
typedef struct place {
    ptrdiff_t stride[AXES];
    ptrdiff_t apart; /* 0: components lie side by side */
    size_t elements; /* from the first to the last */
    int axes;
    int points[AXES];         /* owned */
    ptrdiff_t plane[AXES][2]; /* of halos behind: the first element below and above; -1: there is none */
} place;

/* padding: the most points that are added between rows, planes and so on; 0: as dense as the spec says. */
place place_make(const world *w, int block, const random_field *f, int padding, uint64_t *state);

/* Element of a component of a point counted in the block; -1: a ghost point without a place. */
ptrdiff_t place_of(const place *p, const random_field *f, const int at[], int component);

/*
 * Steps through lo <= at < hi, axis 0 fastest; 0 when it is done.  at starts at lo, where lo < hi everywhere.
 */
int box_next(int axes, const int lo[], const int hi[], int at[]);

#endif
