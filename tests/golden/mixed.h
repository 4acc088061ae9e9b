/*
 * mixed: halo exchanges for the fields of mixed.lua.
 * Emitted by halogen 0.1.0 from mixed.lua, model 348cef8f3c9cbf4b.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; mixed.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Cartesian, axes x, y and z; periodic along x and z; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields; memory: axes from the fastest to the slowest
 *     name  type     memory  halo along x, y, z (low:high)
 *     u     double   x y z   2, 2, 2
 *     v     double   x y z   2, 2, 2
 *     p     float    x y z   1, 2, 1
 *     q     uint8_t  x y z   1, 1, 1
 *     r     int64_t  x y z   1, 1, 1
 *     (u, v, q: in the memory of a device)
 *
 * Exchanges
 *     all   u, v, p, q, r; box: faces across x, y and z, with edges and corners
 *     both  q, p; box: faces across x, y and z, with edges and corners
 *     host  p, r; box: faces across x, y and z, with edges and corners
 *     star  u, v; star: faces across x, y and z
 *     sums  adds; r, u, p; box: faces across x, y and z, with edges and corners
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     all     29 * ((nx + 2) * (ny + 2) * (nz + 2) - nx * ny * nz)
 *     both    1 * ((nx + 2) * (ny + 2) * (nz + 2) - nx * ny * nz)
 *           + 4 * ((nx + 2) * (ny + 4) * (nz + 2) - nx * ny * nz)
 *     host    4 * ((nx + 2) * (ny + 4) * (nz + 2) - nx * ny * nz)
 *           + 8 * ((nx + 2) * (ny + 2) * (nz + 2) - nx * ny * nz)
 *     star    16 * (4 * ny * nz + 4 * nx * nz + 4 * nx * ny)
 *     sums    8 * ((nx + 2) * (ny + 2) * (nz + 2) - nx * ny * nz)
 *           + 8 * ((nx + 4) * (ny + 4) * (nz + 4) - nx * ny * nz)
 *           + 4 * ((nx + 2) * (ny + 4) * (nz + 2) - nx * ny * nz)
 *
 * Ghost points that an exchange leaves as they are
 *     all   beyond the walls across y
 *           layer 2 below x of u, v
 *           layer 2 above x of u, v
 *           layer 2 below y of u, v, p
 *           layer 2 above y of u, v, p
 *           layer 2 below z of u, v
 *           layer 2 above z of u, v
 *     both  beyond the walls across y
 *     host  beyond the walls across y
 *     star  beyond the walls across y
 *           edges and corners of the halo
 *     sums  beyond the walls across y
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = mixed_partition(nx, ny, nz);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     mixed_shape shape = mixed_shape_best(&mine);
 *     mixed *halo; mixed_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     mixed_fields f; mixed_alloc(halo, &f);
 *         or your own: f.u of cudaMalloc, mixed_points(&shape, MIXED_U) * sizeof *f.u bytes
 *     in each time step:
 *         mixed_all_start(halo, &f, stream);     kernels in the stream that read no ghost point and write none near a side
 *         mixed_all_finish(halo, stream);        the rest of the work
 *     mixed_destroy(halo);
 */
#ifndef HALOGEN_MIXED_H
#define HALOGEN_MIXED_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MIXED_AXIS_X, MIXED_AXIS_Y, MIXED_AXIS_Z, MIXED_AXES };
enum { MIXED_U, MIXED_V, MIXED_P, MIXED_Q, MIXED_R, MIXED_FIELDS };
enum { MIXED_ALL, MIXED_BOTH, MIXED_HOST, MIXED_STAR, MIXED_SUMS, MIXED_EXCHANGES };

/* Where points lie: owned point (x, y, z) of field u is u[mixed_u_at(&shape, x, y, z)]. */
typedef struct mixed_shape {
    hx_part part;
    ptrdiff_t stride[MIXED_FIELDS][3]; /* elements from point to point along x, y, z */
} mixed_shape;

/* The arrays of a block; those of fields on a device lie there, where the host cannot reach them. */
typedef struct mixed_fields {
    double *u;
    double *v;
    float *p;
    uint8_t *q;
    int64_t *r;
} mixed_fields;
typedef struct mixed mixed; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as mixed_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(mixed);
HX_DECLARE_GRID(mixed);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition mixed_partition(int nx, int ny, int nz)
{
    hx_partition partition = {3, {nx, ny, nz}, {0, 0, 0}, 0, {NULL, NULL, NULL}, {1, 0, 1}, {212.0, 236.0, 212.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes mixed_all_interior(const mixed_shape *shape, int field);
hx_boxes mixed_all_rim(const mixed_shape *shape, int field);
hx_boxes mixed_both_interior(const mixed_shape *shape, int field);
hx_boxes mixed_both_rim(const mixed_shape *shape, int field);
hx_boxes mixed_host_interior(const mixed_shape *shape, int field);
hx_boxes mixed_host_rim(const mixed_shape *shape, int field);
hx_boxes mixed_star_interior(const mixed_shape *shape, int field);
hx_boxes mixed_star_rim(const mixed_shape *shape, int field);
hx_boxes mixed_sums_interior(const mixed_shape *shape, int field);
hx_boxes mixed_sums_rim(const mixed_shape *shape, int field);

static inline HX_HOST_DEVICE ptrdiff_t mixed_u_at(const mixed_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-2, x, s->part.n[MIXED_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[MIXED_AXIS_Y] + 2);
    HX_CHECK_INDEX(-2, z, s->part.n[MIXED_AXIS_Z] + 2);
    return (x + 2) + (y + 2) * s->stride[MIXED_U][1] + (z + 2) * s->stride[MIXED_U][2];
}

static inline HX_HOST_DEVICE ptrdiff_t mixed_v_at(const mixed_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-2, x, s->part.n[MIXED_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[MIXED_AXIS_Y] + 2);
    HX_CHECK_INDEX(-2, z, s->part.n[MIXED_AXIS_Z] + 2);
    return (x + 2) + (y + 2) * s->stride[MIXED_V][1] + (z + 2) * s->stride[MIXED_V][2];
}

static inline HX_HOST_DEVICE ptrdiff_t mixed_p_at(const mixed_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-1, x, s->part.n[MIXED_AXIS_X] + 1);
    HX_CHECK_INDEX(-2, y, s->part.n[MIXED_AXIS_Y] + 2);
    HX_CHECK_INDEX(-1, z, s->part.n[MIXED_AXIS_Z] + 1);
    return (x + 1) + (y + 2) * s->stride[MIXED_P][1] + (z + 1) * s->stride[MIXED_P][2];
}

static inline HX_HOST_DEVICE ptrdiff_t mixed_q_at(const mixed_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-1, x, s->part.n[MIXED_AXIS_X] + 1);
    HX_CHECK_INDEX(-1, y, s->part.n[MIXED_AXIS_Y] + 1);
    HX_CHECK_INDEX(-1, z, s->part.n[MIXED_AXIS_Z] + 1);
    return (x + 1) + (y + 1) * s->stride[MIXED_Q][1] + (z + 1) * s->stride[MIXED_Q][2];
}

static inline HX_HOST_DEVICE ptrdiff_t mixed_r_at(const mixed_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-1, x, s->part.n[MIXED_AXIS_X] + 1);
    HX_CHECK_INDEX(-1, y, s->part.n[MIXED_AXIS_Y] + 1);
    HX_CHECK_INDEX(-1, z, s->part.n[MIXED_AXIS_Z] + 1);
    return (x + 1) + (y + 1) * s->stride[MIXED_R][1] + (z + 1) * s->stride[MIXED_R][2];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline HX_HOST_DEVICE int mixed_point(const hx_boxes *b, size_t n, int *x, int *y, int *z)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *x = m->lo[MIXED_AXIS_X] + (int)(n % hx_box_length(m, MIXED_AXIS_X));
    n /= hx_box_length(m, MIXED_AXIS_X);
    *y = m->lo[MIXED_AXIS_Y] + (int)(n % hx_box_length(m, MIXED_AXIS_Y));
    n /= hx_box_length(m, MIXED_AXIS_Y);
    *z = m->lo[MIXED_AXIS_Z] + (int)n;
    return 1;
}

#define MIXED_ASKS_FOR_MODEL "348cef8f3c9cbf4b_23"
hx_status mixed_create_for(const char *model, MPI_Comm comm, const mixed_shape *shape, const hx_options *options,
                           mixed **h);
hx_status mixed_create_blocks_for(const char *model, const hx_blocks *blocks, const mixed_shape *shapes,
                                  const hx_options *options, mixed **h);
static inline hx_status mixed_create(MPI_Comm comm, const mixed_shape *shape, const hx_options *options, mixed **h)
{
    return mixed_create_for(MIXED_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status mixed_create_blocks(const hx_blocks *blocks, const mixed_shape *shapes,
                                            const hx_options *options, mixed **h)
{
    return mixed_create_blocks_for(MIXED_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status mixed_redistribute(mixed *from, const mixed_fields *source, mixed *to, const mixed_fields *target, hx_stream stream);

/*
 * all, line 9 of the spec.
 *     u, v, p, q, r: 1, 1, 1 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 *     In the memory of the device: u, v, q; in that of the host: p, r.
 */
hx_status mixed_all_start(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_all_test(mixed *h, int *done);
hx_status mixed_all_finish(mixed *h, hx_stream stream);
hx_status mixed_all(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_all_pack(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_all_send(mixed *h, hx_stream stream);
hx_status mixed_all_receive(mixed *h);
hx_status mixed_all_unpack(mixed *h, const mixed_fields *f, hx_stream stream);

/*
 * both, line 10 of the spec.
 *     q: 1, 1, 1 layers along x, y, z
 *     p: 1, 2, 1 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 *     In the memory of the device: q; in that of the host: p.
 */
hx_status mixed_both_start(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_both_test(mixed *h, int *done);
hx_status mixed_both_finish(mixed *h, hx_stream stream);
hx_status mixed_both(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_both_pack(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_both_send(mixed *h, hx_stream stream);
hx_status mixed_both_receive(mixed *h);
hx_status mixed_both_unpack(mixed *h, const mixed_fields *f, hx_stream stream);

/*
 * host, line 11 of the spec.
 *     p: 1, 2, 1 layers along x, y, z
 *     r: 1, 1, 1 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 */
hx_status mixed_host_start(mixed *h, const mixed_fields *f);
hx_status mixed_host_test(mixed *h, int *done);
hx_status mixed_host_finish(mixed *h);
hx_status mixed_host(mixed *h, const mixed_fields *f);

/*
 * star, line 12 of the spec.
 *     u, v: 2, 2, 2 layers along x, y, z
 *     star: faces across x, y and z.
 *     In the memory of the device.
 */
hx_status mixed_star_start(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_star_test(mixed *h, int *done);
hx_status mixed_star_finish(mixed *h, hx_stream stream);
hx_status mixed_star(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_star_pack(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_star_send(mixed *h, hx_stream stream);
hx_status mixed_star_receive(mixed *h);
hx_status mixed_star_unpack(mixed *h, const mixed_fields *f, hx_stream stream);

/*
 * sums, line 13 of the spec.
 *     r: 1, 1, 1 layers along x, y, z
 *     u: 2, 2, 2 layers along x, y, z
 *     p: 1, 2, 1 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 *     In the memory of the device: u; in that of the host: r, p.
 *     Adds each ghost point that has an owner to that owner; the ghost point is set to zero.  The order of the
 *     sums depends on the blocks alone, not on ranks or transports.  Between start and finish leave alone the owned points
 *     within the width, too: finish changes them.
 */
hx_status mixed_sums_start(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_sums_test(mixed *h, int *done);
hx_status mixed_sums_finish(mixed *h, hx_stream stream);
hx_status mixed_sums(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_sums_pack(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_sums_send(mixed *h, hx_stream stream);
hx_status mixed_sums_receive(mixed *h);
hx_status mixed_sums_unpack(mixed *h, const mixed_fields *f, hx_stream stream);

/* The tables behind these functions, and the model that mixed.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec mixed_spec;
HX_LINKS_WITH(mixed_asks_for_model, mixed_model_348cef8f3c9cbf4b_23);

#ifdef __cplusplus
}
#endif
#endif
