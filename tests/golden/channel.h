/*
 * channel: halo exchanges for the fields of channel.lua.
 * Emitted by halogen 0.1.0 from channel.lua, model 0c89b90230c8b2dc.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; channel.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Cartesian, axes x, y and z; periodic along x and z; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields; memory: axes from the fastest to the slowest
 *     name  type    memory  halo along x, y, z (low:high)
 *     u     double  x y z   2, 2, 2
 *     v     double  x y z   2, 2, 2
 *     w     double  x y z   2, 2, 2
 *     p     float   x y z   1, 1, 1
 *
 * Exchanges
 *     velocity  u, v, w; box: faces across x, y and z, with edges and corners
 *     pressure  p; star: faces across x, y and z
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     velocity    24 * ((nx + 4) * (ny + 4) * (nz + 4) - nx * ny * nz)
 *     pressure    4 * (2 * ny * nz + 2 * nx * nz + 2 * nx * ny)
 *
 * Ghost points that an exchange leaves as they are
 *     velocity  beyond the walls across y
 *     pressure  beyond the walls across y
 *               edges and corners of the halo
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = channel_partition(nx, ny, nz);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     channel_shape shape = channel_shape_best(&mine);
 *     channel *halo; channel_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     channel_fields f; channel_alloc(halo, &f);
 *         or your own: f.u = calloc(channel_points(&shape, CHANNEL_U), sizeof *f.u);
 *     in each time step:
 *         channel_velocity_start(halo, &f);     work that reads no ghost point and writes none near a side
 *         channel_velocity_finish(halo);        the rest of the work
 *     channel_destroy(halo);
 */
#ifndef HALOGEN_CHANNEL_H
#define HALOGEN_CHANNEL_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CHANNEL_AXIS_X, CHANNEL_AXIS_Y, CHANNEL_AXIS_Z, CHANNEL_AXES };
enum { CHANNEL_U, CHANNEL_V, CHANNEL_W, CHANNEL_P, CHANNEL_FIELDS };
enum { CHANNEL_VELOCITY, CHANNEL_PRESSURE, CHANNEL_EXCHANGES };

/* Where points lie: owned point (x, y, z) of field u is u[channel_u_at(&shape, x, y, z)]. */
typedef struct channel_shape {
    hx_part part;
    ptrdiff_t stride[CHANNEL_FIELDS][3]; /* elements from point to point along x, y, z */
} channel_shape;

/* The arrays of a block. */
typedef struct channel_fields {
    double *u;
    double *v;
    double *w;
    float *p;
} channel_fields;
typedef struct channel channel; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as channel_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(channel);
HX_DECLARE_GRID(channel);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition channel_partition(int nx, int ny, int nz)
{
    hx_partition partition = {3, {nx, ny, nz}, {0, 0, 0}, 0, {NULL, NULL, NULL}, {1, 0, 1}, {104.0, 104.0, 104.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes channel_velocity_interior(const channel_shape *shape, int field);
hx_boxes channel_velocity_rim(const channel_shape *shape, int field);
hx_boxes channel_pressure_interior(const channel_shape *shape, int field);
hx_boxes channel_pressure_rim(const channel_shape *shape, int field);

static inline ptrdiff_t channel_u_at(const channel_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-2, x, s->part.n[CHANNEL_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[CHANNEL_AXIS_Y] + 2);
    HX_CHECK_INDEX(-2, z, s->part.n[CHANNEL_AXIS_Z] + 2);
    return (x + 2) + (y + 2) * s->stride[CHANNEL_U][1] + (z + 2) * s->stride[CHANNEL_U][2];
}

static inline ptrdiff_t channel_v_at(const channel_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-2, x, s->part.n[CHANNEL_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[CHANNEL_AXIS_Y] + 2);
    HX_CHECK_INDEX(-2, z, s->part.n[CHANNEL_AXIS_Z] + 2);
    return (x + 2) + (y + 2) * s->stride[CHANNEL_V][1] + (z + 2) * s->stride[CHANNEL_V][2];
}

static inline ptrdiff_t channel_w_at(const channel_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-2, x, s->part.n[CHANNEL_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[CHANNEL_AXIS_Y] + 2);
    HX_CHECK_INDEX(-2, z, s->part.n[CHANNEL_AXIS_Z] + 2);
    return (x + 2) + (y + 2) * s->stride[CHANNEL_W][1] + (z + 2) * s->stride[CHANNEL_W][2];
}

static inline ptrdiff_t channel_p_at(const channel_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-1, x, s->part.n[CHANNEL_AXIS_X] + 1);
    HX_CHECK_INDEX(-1, y, s->part.n[CHANNEL_AXIS_Y] + 1);
    HX_CHECK_INDEX(-1, z, s->part.n[CHANNEL_AXIS_Z] + 1);
    return (x + 1) + (y + 1) * s->stride[CHANNEL_P][1] + (z + 1) * s->stride[CHANNEL_P][2];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int channel_point(const hx_boxes *b, size_t n, int *x, int *y, int *z)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *x = m->lo[CHANNEL_AXIS_X] + (int)(n % hx_box_length(m, CHANNEL_AXIS_X));
    n /= hx_box_length(m, CHANNEL_AXIS_X);
    *y = m->lo[CHANNEL_AXIS_Y] + (int)(n % hx_box_length(m, CHANNEL_AXIS_Y));
    n /= hx_box_length(m, CHANNEL_AXIS_Y);
    *z = m->lo[CHANNEL_AXIS_Z] + (int)n;
    return 1;
}

#define CHANNEL_ASKS_FOR_MODEL "0c89b90230c8b2dc_23"
hx_status channel_create_for(const char *model, MPI_Comm comm, const channel_shape *shape, const hx_options *options,
                             channel **h);
hx_status channel_create_blocks_for(const char *model, const hx_blocks *blocks, const channel_shape *shapes,
                                    const hx_options *options, channel **h);
static inline hx_status channel_create(MPI_Comm comm, const channel_shape *shape, const hx_options *options, channel **h)
{
    return channel_create_for(CHANNEL_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status channel_create_blocks(const hx_blocks *blocks, const channel_shape *shapes,
                                              const hx_options *options, channel **h)
{
    return channel_create_blocks_for(CHANNEL_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status channel_redistribute(channel *from, const channel_fields *source, channel *to, const channel_fields *target);

/*
 * velocity, line 8 of the spec.
 *     u, v, w: 2, 2, 2 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 */
hx_status channel_velocity_start(channel *h, const channel_fields *f);
hx_status channel_velocity_test(channel *h, int *done);
hx_status channel_velocity_finish(channel *h);
hx_status channel_velocity(channel *h, const channel_fields *f);

/* pressure, line 9 of the spec: p: 1, 1, 1 layers along x, y, z; star: faces across x, y and z. */
hx_status channel_pressure_start(channel *h, const channel_fields *f);
hx_status channel_pressure_test(channel *h, int *done);
hx_status channel_pressure_finish(channel *h);
hx_status channel_pressure(channel *h, const channel_fields *f);

/* The tables behind these functions, and the model that channel.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec channel_spec;
HX_LINKS_WITH(channel_asks_for_model, channel_model_0c89b90230c8b2dc_23);

#ifdef __cplusplus
}
#endif
#endif
