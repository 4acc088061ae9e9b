/*
 * bend: halo exchanges for the fields of bend.lua.
 * Emitted by halogen 0.1.0 from bend.lua, model 95cebea964b816d3.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; bend.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     tiles, 3 tiles, axes x and y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *     Blocks are numbered along x first, and so are the ranks that have one each.
 *     Tiles: 0 inlet, 1 bend, 2 fork
 *     Sides that meet, and where axes of the first tile run in the second:
 *         tile 0 +x, tile 1 -y: y along -x
 *         tile 1 +y, tile 2 -y
 *
 * Fields; memory: axes from the fastest to the slowest
 *     name  type   memory  halo along x, y (low:high)
 *     p     float  x y     2, 2
 *
 * Exchange pressure: p; box: faces across x and y, with the corners between them
 * Bytes that a block with neighbors on all sides receives, its own included: 4 * ((nx + 4) * (ny + 4) - nx * ny)
 *
 * Ghost points that an exchange leaves as they are
 *     pressure  all tiles: the corners between x and y
 *               all tiles: below x
 *               tile 0: below y
 *               tiles 0, 2: above y
 *               tiles 1, 2: above x
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition tile[3];     each bend_partition(nx, ny) with ranks[] set: its blocks along each axis
 *     hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 3, .partition = tile, .count = 1};
 *                              one block a rank, tile after tile; or any count, and .owner tells whose a block is
 *     hx_part mine;
 *     hx_part_of(&tile[t], t, b, &mine);     block b, the first axis fastest, of tile t
 *     bend_shape shape = bend_shape_best(&mine);
 *     bend *halo; bend_create_blocks(&blocks, &shape, NULL, &halo);
 *     bend_fields f; bend_alloc(halo, &f);
 *         or your own: f.p = calloc(bend_points(&shape, BEND_P), sizeof *f.p);
 *     in each time step:
 *         bend_pressure_start(halo, &f);     work that reads no ghost point and writes none near a side
 *         bend_pressure_finish(halo);        the rest of the work
 *     bend_destroy(halo);
 */
#ifndef HALOGEN_BEND_H
#define HALOGEN_BEND_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BEND_AXIS_X, BEND_AXIS_Y, BEND_AXES };
enum { BEND_P, BEND_FIELDS };
enum { BEND_PRESSURE, BEND_EXCHANGES };

/* Where points lie: owned point (x, y) of field p is p[bend_p_at(&shape, x, y)]. */
typedef struct bend_shape {
    hx_part part;
    ptrdiff_t stride[BEND_FIELDS][2]; /* elements from point to point along x, y */
} bend_shape;

/* The arrays of a block. */
typedef struct bend_fields {
    float *p;
} bend_fields;
typedef struct bend bend; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as bend_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(bend);
HX_DECLARE_GRID(bend);

/* A tile; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition bend_partition(int nx, int ny)
{
    hx_partition partition = {2, {nx, ny}, {0, 0}, 1, {NULL, NULL}, {0, 0}, {16.0, 16.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes bend_pressure_interior(const bend_shape *shape, int field);
hx_boxes bend_pressure_rim(const bend_shape *shape, int field);

static inline ptrdiff_t bend_p_at(const bend_shape *s, int x, int y)
{
    HX_CHECK_INDEX(-2, x, s->part.n[BEND_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[BEND_AXIS_Y] + 2);
    return (x + 2) + (y + 2) * s->stride[BEND_P][1];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int bend_point(const hx_boxes *b, size_t n, int *x, int *y)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *x = m->lo[BEND_AXIS_X] + (int)(n % hx_box_length(m, BEND_AXIS_X));
    n /= hx_box_length(m, BEND_AXIS_X);
    *y = m->lo[BEND_AXIS_Y] + (int)n;
    return 1;
}

#define BEND_ASKS_FOR_MODEL "95cebea964b816d3_23"
hx_status bend_create_blocks_for(const char *model, const hx_blocks *blocks, const bend_shape *shapes,
                                 const hx_options *options, bend **h);
static inline hx_status bend_create_blocks(const hx_blocks *blocks, const bend_shape *shapes,
                                           const hx_options *options, bend **h)
{
    return bend_create_blocks_for(BEND_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status bend_redistribute(bend *from, const bend_fields *source, bend *to, const bend_fields *target);

/*
 * pressure, line 12 of the spec.
 *     p: 2, 2 layers along x, y
 *     box: faces across x and y, with the corners between them.
 */
hx_status bend_pressure_start(bend *h, const bend_fields *f);
hx_status bend_pressure_test(bend *h, int *done);
hx_status bend_pressure_finish(bend *h);
hx_status bend_pressure(bend *h, const bend_fields *f);

/* The tables behind these functions, and the model that bend.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec bend_spec;
HX_LINKS_WITH(bend_asks_for_model, bend_model_95cebea964b816d3_23);

#ifdef __cplusplus
}
#endif
#endif
