/*
 * tides: halo exchanges for the fields of tides.lua.
 * Emitted by halogen 0.1.0 from tides.lua, model 81b0618ba015a814.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; tides.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Cartesian, axes x and y; periodic along x; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields; memory: axes from the fastest to the slowest, and where among them the [components] lie
 *     name   type     memory   points along x, y  halo along x, y (low:high)
 *     level  float    y x      center, center     6, 6:5
 *     flow   double   [2] y x  both, center       6, 6:5
 *     mud    int16_t  y x      center, center     1, 1
 *     (center: point i lies in the middle of cell i)
 *     (both: points 0 ... n lie on all faces of the n cells, point i below cell i; blocks that meet
 *      at a face both own its point, which is no ghost point: exchanges of shared points make the two equal)
 *
 * Exchanges
 *     water   level, flow; box: faces across x and y, with the corners between them
 *     ground  mud; star: faces across x and y; copy below y and above y
 *
 * Cycles; layers of the halo that steps read, along x, y (low:high)
 *     turn    exchange water serves 1 to 5 cycles
 *             drive: reads level 1:0, flow 0; writes flow
 *             rise: reads level 0, flow 0:1 along the axes; writes level
 *     settle  exchange ground serves one cycle
 *             sink: reads mud 1 along the axes; writes mud
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     water     4 * ((nx + 12) * (ny + 11) - nx * ny)
 *             + 16 * ((nx + 13) * (ny + 11) - (nx + 1) * ny)
 *     ground    2 * (2 * ny + 2 * nx)
 *
 * Ghost points that an exchange leaves as they are
 *     water   beyond the walls across y
 *     ground  edges and corners of the halo
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = tides_partition(nx, ny);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     tides_shape shape = tides_shape_best(&mine);
 *     tides *halo; tides_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     tides_fields f; tides_alloc(halo, &f);
 *         or your own: f.level = calloc(tides_points(&shape, TIDES_LEVEL), sizeof *f.level);
 *     in each time step:
 *         tides_turn(halo, &f);     an exchange when it must be; then steps compute owned points, and such of the halo
 *         loop over tides_turn_drive_points(halo, 0, TIDES_FLOW);     those of the first block here
 *         loop over tides_turn_rise_points(halo, 0, TIDES_LEVEL);
 *     tides_destroy(halo);
 */
#ifndef HALOGEN_TIDES_H
#define HALOGEN_TIDES_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TIDES_AXIS_X, TIDES_AXIS_Y, TIDES_AXES };
enum { TIDES_LEVEL, TIDES_FLOW, TIDES_MUD, TIDES_FIELDS };
enum { TIDES_WATER, TIDES_GROUND, TIDES_EXCHANGES };

/* Where points lie: owned point (x, y) of field level is level[tides_level_at(&shape, x, y)]. */
typedef struct tides_shape {
    hx_part part;
    ptrdiff_t stride[TIDES_FIELDS][2]; /* elements from point to point along x, y */
} tides_shape;

/* The arrays of a block. */
typedef struct tides_fields {
    float *level;
    double *flow;
    int16_t *mud;
} tides_fields;
typedef struct tides tides; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as tides_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(tides);
HX_DECLARE_GRID(tides);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition tides_partition(int nx, int ny)
{
    hx_partition partition = {2, {nx, ny}, {0, 0}, 0, {NULL, NULL}, {1, 0}, {244.0, 224.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes tides_water_interior(const tides_shape *shape, int field);
hx_boxes tides_water_rim(const tides_shape *shape, int field);
hx_boxes tides_ground_interior(const tides_shape *shape, int field);
hx_boxes tides_ground_rim(const tides_shape *shape, int field);

static inline ptrdiff_t tides_level_at(const tides_shape *s, int x, int y)
{
    HX_CHECK_INDEX(-6, x, s->part.n[TIDES_AXIS_X] + 6);
    HX_CHECK_INDEX(-6, y, s->part.n[TIDES_AXIS_Y] + 5);
    return (y + 6) + (x + 6) * s->stride[TIDES_LEVEL][0];
}

static inline ptrdiff_t tides_flow_at(const tides_shape *s, int x, int y, int c)
{
    HX_CHECK_INDEX(-6, x, s->part.n[TIDES_AXIS_X] + 7);
    HX_CHECK_INDEX(-6, y, s->part.n[TIDES_AXIS_Y] + 5);
    HX_CHECK_INDEX(0, c, 2);
    return (y + 6) * (ptrdiff_t)2 + (x + 6) * s->stride[TIDES_FLOW][0] + c;
}

static inline ptrdiff_t tides_mud_at(const tides_shape *s, int x, int y)
{
    HX_CHECK_INDEX(-1, x, s->part.n[TIDES_AXIS_X] + 1);
    HX_CHECK_INDEX(-1, y, s->part.n[TIDES_AXIS_Y] + 1);
    return (y + 1) + (x + 1) * s->stride[TIDES_MUD][0];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int tides_point(const hx_boxes *b, size_t n, int *x, int *y)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *y = m->lo[TIDES_AXIS_Y] + (int)(n % hx_box_length(m, TIDES_AXIS_Y));
    n /= hx_box_length(m, TIDES_AXIS_Y);
    *x = m->lo[TIDES_AXIS_X] + (int)n;
    return 1;
}

#define TIDES_ASKS_FOR_MODEL "81b0618ba015a814_23"
hx_status tides_create_for(const char *model, MPI_Comm comm, const tides_shape *shape, const hx_options *options,
                           tides **h);
hx_status tides_create_blocks_for(const char *model, const hx_blocks *blocks, const tides_shape *shapes,
                                  const hx_options *options, tides **h);
static inline hx_status tides_create(MPI_Comm comm, const tides_shape *shape, const hx_options *options, tides **h)
{
    return tides_create_for(TIDES_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status tides_create_blocks(const hx_blocks *blocks, const tides_shape *shapes,
                                            const hx_options *options, tides **h)
{
    return tides_create_blocks_for(TIDES_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status tides_redistribute(tides *from, const tides_fields *source, tides *to, const tides_fields *target);

/*
 * water, line 7 of the spec.
 *     level, flow: 6, 6:5 layers along x, y
 *     box: faces across x and y, with the corners between them.
 */
hx_status tides_water_start(tides *h, const tides_fields *f);
hx_status tides_water_test(tides *h, int *done);
hx_status tides_water_finish(tides *h);
hx_status tides_water(tides *h, const tides_fields *f);

/*
 * ground, line 8 of the spec.
 *     mud: 1, 1 layers along x, y
 *     star: faces across x and y.
 *     Beyond walls, in finish, when all messages are in: copy below y and above y.
 *     (copy: the nearest owned point of the grid)
 *     Walls are filled beside owned points only: no edges and corners.
 */
hx_status tides_ground_start(tides *h, const tides_fields *f);
hx_status tides_ground_test(tides *h, int *done);
hx_status tides_ground_finish(tides *h);
hx_status tides_ground(tides *h, const tides_fields *f);

/*
 * turn, line 11 of the spec: a cycle of 2 steps; see "Cycles" in <hx/hx.h>.
 *     Exchange water serves 1 to 5 cycles.  Steps compute their points and so many layers of the halo, below:above, along x, y,
 *     in the last cycle before an exchange, the one before it, and so on:
 *         drive: reads level 1:0, flow 0; writes flow: (0, 0:1), (1, 1:2), (2, 2:3), (3, 3:4), (4, 4:5)
 *         rise: reads level 0, flow 0:1 along the axes; writes level: 0, 1, 2, 3, 4
 */
hx_status tides_turn_start(tides *h, const tides_fields *f);
hx_status tides_turn_finish(tides *h);
hx_status tides_turn(tides *h, const tides_fields *f);
hx_status tides_turn_restart(tides *h);
hx_boxes tides_turn_drive_points(const tides *h, int block, int field);
hx_boxes tides_turn_rise_points(const tides *h, int block, int field);

/*
 * settle, line 16 of the spec: a cycle of 1 step; see "Cycles" in <hx/hx.h>.
 *     Exchange ground serves one cycle.  Steps compute their points and so many layers of the halo, below:above, along x, y,
 *     at most:
 *         sink: reads mud 1 along the axes; writes mud: 0
 */
hx_status tides_settle_start(tides *h, const tides_fields *f);
hx_status tides_settle_finish(tides *h);
hx_status tides_settle(tides *h, const tides_fields *f);
hx_status tides_settle_restart(tides *h);
hx_boxes tides_settle_sink_points(const tides *h, int block, int field);

/* The tables behind these functions, and the model that tides.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec tides_spec;
HX_LINKS_WITH(tides_asks_for_model, tides_model_81b0618ba015a814_23);

#ifdef __cplusplus
}
#endif
#endif
