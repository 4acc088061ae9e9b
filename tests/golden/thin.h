/*
 * thin: halo exchanges for the fields of thin.lua.
 * Emitted by halogen 0.1.0 from thin.lua, model 866740460e6036d5.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; thin.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Cartesian, axes x and y; periodic along y; walls across x.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields; memory: axes from the fastest to the slowest, and where among them the [components] lie
 *     name  type    memory   points along x, y  halo along x, y (low:high)
 *     h     double  x y      center, center     2, 1
 *     v     float   x y [3]  high, center       2, 1
 *     (center: point i lies in the middle of cell i)
 *     (high: point i lies on the face above cell i)
 *     (v travels, component (direction): 0 (1, -1), 1 (0, 0), 2 (-1, 0))
 *
 * Exchanges
 *     mirrored  h; box: faces across x and y, with the corners between them; mirror below x and above x
 *     copied    v; star: faces across x and y; copy below x and above x
 *     bounced   v; box: faces across x and y, with the corners between them; zero below x; hook above x
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     mirrored    2 * ((nx + 4) * (ny + 2) - nx * ny)
 *     copied      4 * (4 * ny + nx)
 *     bounced     4 * (4 * ny + nx + 2)
 *
 * Ghost points that an exchange leaves as they are
 *     copied   edges and corners of the halo
 *              components of v that do not move from there into the block
 *     bounced  components of v that do not move from there into the block
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = thin_partition(nx, ny);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     thin_shape shape = thin_shape_best(&mine);
 *     thin *halo; thin_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     thin_fields f; thin_alloc(halo, &f);
 *         or your own: f.h = calloc(thin_points(&shape, THIN_H), sizeof *f.h);
 *     thin_set_boundary(halo, fill, context);     your function, see hx_wall_fn in <hx/hx.h>
 *     in each time step:
 *         thin_mirrored_start(halo, &f);     work that reads no ghost point and writes none near a side
 *         thin_mirrored_finish(halo);        the rest of the work
 *     thin_destroy(halo);
 */
#ifndef HALOGEN_THIN_H
#define HALOGEN_THIN_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { THIN_AXIS_X, THIN_AXIS_Y, THIN_AXES };
enum { THIN_H, THIN_V, THIN_FIELDS };
enum { THIN_MIRRORED, THIN_COPIED, THIN_BOUNCED, THIN_EXCHANGES };

/* Where points lie: owned point (x, y) of field h is h[thin_h_at(&shape, x, y)]. */
typedef struct thin_shape {
    hx_part part;
    ptrdiff_t stride[THIN_FIELDS][2]; /* elements from point to point along x, y */
    /* Elements from a component to the next, where components lie apart. */
    ptrdiff_t apart[THIN_FIELDS];
} thin_shape;

/* The arrays of a block. */
typedef struct thin_fields {
    double *h;
    float *v;
} thin_fields;
typedef struct thin thin; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as thin_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(thin);
HX_DECLARE_GRID(thin);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition thin_partition(int nx, int ny)
{
    hx_partition partition = {2, {nx, ny}, {0, 0}, 0, {NULL, NULL}, {0, 1}, {40.0, 12.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes thin_mirrored_interior(const thin_shape *shape, int field);
hx_boxes thin_mirrored_rim(const thin_shape *shape, int field);
hx_boxes thin_copied_interior(const thin_shape *shape, int field);
hx_boxes thin_copied_rim(const thin_shape *shape, int field);
hx_boxes thin_bounced_interior(const thin_shape *shape, int field);
hx_boxes thin_bounced_rim(const thin_shape *shape, int field);

static inline ptrdiff_t thin_h_at(const thin_shape *s, int x, int y)
{
    HX_CHECK_INDEX(-2, x, s->part.n[THIN_AXIS_X] + 2);
    HX_CHECK_INDEX(-1, y, s->part.n[THIN_AXIS_Y] + 1);
    return (x + 2) + (y + 1) * s->stride[THIN_H][1];
}

static inline ptrdiff_t thin_v_at(const thin_shape *s, int x, int y, int c)
{
    HX_CHECK_INDEX(-2, x, s->part.n[THIN_AXIS_X] + 2);
    HX_CHECK_INDEX(-1, y, s->part.n[THIN_AXIS_Y] + 1);
    HX_CHECK_INDEX(0, c, 3);
    return (x + 2) + (y + 1) * s->stride[THIN_V][1] + c * s->apart[THIN_V];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int thin_point(const hx_boxes *b, size_t n, int *x, int *y)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *x = m->lo[THIN_AXIS_X] + (int)(n % hx_box_length(m, THIN_AXIS_X));
    n /= hx_box_length(m, THIN_AXIS_X);
    *y = m->lo[THIN_AXIS_Y] + (int)n;
    return 1;
}

#define THIN_ASKS_FOR_MODEL "866740460e6036d5_23"
hx_status thin_create_for(const char *model, MPI_Comm comm, const thin_shape *shape, const hx_options *options,
                          thin **h);
hx_status thin_create_blocks_for(const char *model, const hx_blocks *blocks, const thin_shape *shapes,
                                 const hx_options *options, thin **h);
static inline hx_status thin_create(MPI_Comm comm, const thin_shape *shape, const hx_options *options, thin **h)
{
    return thin_create_for(THIN_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status thin_create_blocks(const hx_blocks *blocks, const thin_shape *shapes,
                                           const hx_options *options, thin **h)
{
    return thin_create_blocks_for(THIN_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status thin_redistribute(thin *from, const thin_fields *source, thin *to, const thin_fields *target);

/* Fills ghost points beyond walls where the spec says "hook": see hx_wall. */
hx_status thin_set_boundary(thin *h, hx_wall_fn *fill, void *context);

/*
 * mirrored, line 7 of the spec.
 *     h: 2, 1 layers along x, y
 *     box: faces across x and y, with the corners between them.
 *     Numbers of h travel as half: rounded to nearest, by 4.9e-04 of a number at most from 6.1e-5 to 65504.
 *     Ghost points that a rank fills from its own points are rounded, too: results do not depend on which rank has which block.
 *     Beyond walls, in finish, when all messages are in: mirror below x and above x.
 *     (mirror: the mirror image)
 *     Walls are filled in the order x, y, each over the whole width beside it where that has been filled
 *     before, by a neighbor or beyond the wall across an earlier axis.  So corners are filled, too.
 */
hx_status thin_mirrored_start(thin *h, const thin_fields *f);
hx_status thin_mirrored_test(thin *h, int *done);
hx_status thin_mirrored_finish(thin *h);
hx_status thin_mirrored(thin *h, const thin_fields *f);

/*
 * copied, line 8 of the spec.
 *     v: 2, 1 layers along x, y
 *     star: faces across x and y.
 *     Of 3 components of v there travel 1 across a face.
 *     Beyond walls, in finish, when all messages are in: copy below x and above x.
 *     (copy: the nearest owned point of the grid)
 *     Walls are filled beside owned points only: no edges and corners.
 */
hx_status thin_copied_start(thin *h, const thin_fields *f);
hx_status thin_copied_test(thin *h, int *done);
hx_status thin_copied_finish(thin *h);
hx_status thin_copied(thin *h, const thin_fields *f);

/*
 * bounced, line 9 of the spec.
 *     v: 2, 1 layers along x, y
 *     box: faces across x and y, with the corners between them.
 *     Of 3 components of v there travel 1 across a face, 1 across a corner.
 *     Beyond walls, in finish, when all messages are in: zero below x; hook above x.
 *     (zero: 0)
 *     (hook: your function, given to thin_set_boundary before the first start)
 *     Walls are filled in the order x, y, each over the whole width beside it where that has been filled
 *     before, by a neighbor or beyond the wall across an earlier axis.  So corners are filled, too.
 */
hx_status thin_bounced_start(thin *h, const thin_fields *f);
hx_status thin_bounced_test(thin *h, int *done);
hx_status thin_bounced_finish(thin *h);
hx_status thin_bounced(thin *h, const thin_fields *f);

/* The tables behind these functions, and the model that thin.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec thin_spec;
HX_LINKS_WITH(thin_asks_for_model, thin_model_866740460e6036d5_23);

#ifdef __cplusplus
}
#endif
#endif
