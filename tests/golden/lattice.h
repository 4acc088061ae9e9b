/*
 * lattice: halo exchanges for the fields of lattice.lua.
 * Emitted by halogen 0.1.0 from lattice.lua, model 84435edf23453ef1.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; lattice.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Cartesian, axes x, y and z; periodic along x and z; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields; memory: axes from the fastest to the slowest, and where among them the [components] lie
 *     name   type    memory      halo along x, y, z (low:high)
 *     f      double  [19] x y z  1, 1, 1
 *     solid  bool    x y z       1, 1, 1
 *     (f travels, component (direction): 0 (0, 0, 0), 1 (1, 0, 0), 2 (-1, 0, 0), 3 (0, 1, 0), 4 (0, -1, 0),
 *      5 (0, 0, 1), 6 (0, 0, -1), 7 (1, 1, 0), 8 (-1, -1, 0), 9 (1, -1, 0),
 *      10 (-1, 1, 0), 11 (1, 0, 1), 12 (-1, 0, -1), 13 (1, 0, -1),
 *      14 (-1, 0, 1), 15 (0, 1, 1), 16 (0, -1, -1), 17 (0, 1, -1),
 *      18 (0, -1, 1))
 *
 * Exchanges
 *     populations  f; box: faces across x, y and z, with edges and corners
 *     geometry     solid; box: faces across x, y and z, with edges and corners
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     populations    8 * (10 * ny * nz + 10 * nx * nz + 10 * nx * ny + 4 * nz + 4 * ny + 4 * nx)
 *     geometry       1 * ((nx + 2) * (ny + 2) * (nz + 2) - nx * ny * nz)
 *
 * Ghost points that an exchange leaves as they are
 *     populations  beyond the walls across y
 *                  components of f that do not move from there into the block
 *     geometry     beyond the walls across y
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = lattice_partition(nx, ny, nz);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     lattice_shape shape = lattice_shape_best(&mine);
 *     lattice *halo; lattice_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     lattice_fields f; lattice_alloc(halo, &f);
 *         or your own: f.f = calloc(lattice_points(&shape, LATTICE_F), sizeof *f.f);
 *     in each time step:
 *         lattice_populations_start(halo, &f);     work that reads no ghost point and writes none near a side
 *         lattice_populations_finish(halo);        the rest of the work
 *     lattice_destroy(halo);
 */
#ifndef HALOGEN_LATTICE_H
#define HALOGEN_LATTICE_H

#include <hx/files.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LATTICE_AXIS_X, LATTICE_AXIS_Y, LATTICE_AXIS_Z, LATTICE_AXES };
enum { LATTICE_F, LATTICE_SOLID, LATTICE_FIELDS };
enum { LATTICE_POPULATIONS, LATTICE_GEOMETRY, LATTICE_EXCHANGES };

/* Where points lie: component c of owned point (x, y, z) of field f is f[lattice_f_at(&shape, x, y, z, c)]. */
typedef struct lattice_shape {
    hx_part part;
    ptrdiff_t stride[LATTICE_FIELDS][3]; /* elements from point to point along x, y, z */
} lattice_shape;

/* The arrays of a block. */
typedef struct lattice_fields {
    double *f;
    bool *solid;
} lattice_fields;
typedef struct lattice lattice; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as lattice_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(lattice);
HX_DECLARE_GRID(lattice);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition lattice_partition(int nx, int ny, int nz)
{
    hx_partition partition = {3, {nx, ny, nz}, {0, 0, 0}, 0, {NULL, NULL, NULL}, {1, 0, 1}, {82.0, 82.0, 82.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes lattice_populations_interior(const lattice_shape *shape, int field);
hx_boxes lattice_populations_rim(const lattice_shape *shape, int field);
hx_boxes lattice_geometry_interior(const lattice_shape *shape, int field);
hx_boxes lattice_geometry_rim(const lattice_shape *shape, int field);

static inline ptrdiff_t lattice_f_at(const lattice_shape *s, int x, int y, int z, int c)
{
    HX_CHECK_INDEX(-1, x, s->part.n[LATTICE_AXIS_X] + 1);
    HX_CHECK_INDEX(-1, y, s->part.n[LATTICE_AXIS_Y] + 1);
    HX_CHECK_INDEX(-1, z, s->part.n[LATTICE_AXIS_Z] + 1);
    HX_CHECK_INDEX(0, c, 19);
    return (x + 1) * (ptrdiff_t)19 + (y + 1) * s->stride[LATTICE_F][1] + (z + 1) * s->stride[LATTICE_F][2] + c;
}

static inline ptrdiff_t lattice_solid_at(const lattice_shape *s, int x, int y, int z)
{
    HX_CHECK_INDEX(-1, x, s->part.n[LATTICE_AXIS_X] + 1);
    HX_CHECK_INDEX(-1, y, s->part.n[LATTICE_AXIS_Y] + 1);
    HX_CHECK_INDEX(-1, z, s->part.n[LATTICE_AXIS_Z] + 1);
    return (x + 1) + (y + 1) * s->stride[LATTICE_SOLID][1] + (z + 1) * s->stride[LATTICE_SOLID][2];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int lattice_point(const hx_boxes *b, size_t n, int *x, int *y, int *z)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *x = m->lo[LATTICE_AXIS_X] + (int)(n % hx_box_length(m, LATTICE_AXIS_X));
    n /= hx_box_length(m, LATTICE_AXIS_X);
    *y = m->lo[LATTICE_AXIS_Y] + (int)(n % hx_box_length(m, LATTICE_AXIS_Y));
    n /= hx_box_length(m, LATTICE_AXIS_Y);
    *z = m->lo[LATTICE_AXIS_Z] + (int)n;
    return 1;
}

#define LATTICE_ASKS_FOR_MODEL "84435edf23453ef1_23"
hx_status lattice_create_for(const char *model, MPI_Comm comm, const lattice_shape *shape, const hx_options *options,
                             lattice **h);
hx_status lattice_create_blocks_for(const char *model, const hx_blocks *blocks, const lattice_shape *shapes,
                                    const hx_options *options, lattice **h);
static inline hx_status lattice_create(MPI_Comm comm, const lattice_shape *shape, const hx_options *options, lattice **h)
{
    return lattice_create_for(LATTICE_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status lattice_create_blocks(const hx_blocks *blocks, const lattice_shape *shapes,
                                              const hx_options *options, lattice **h)
{
    return lattice_create_blocks_for(LATTICE_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status lattice_redistribute(lattice *from, const lattice_fields *source, lattice *to, const lattice_fields *target);

/*
 * populations, line 16 of the spec.
 *     f: 1, 1, 1 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 *     Of 19 components of f there travel 5 across a face, 1 across an edge.
 */
hx_status lattice_populations_start(lattice *h, const lattice_fields *f);
hx_status lattice_populations_test(lattice *h, int *done);
hx_status lattice_populations_finish(lattice *h);
hx_status lattice_populations(lattice *h, const lattice_fields *f);

/*
 * geometry, line 17 of the spec.
 *     solid: 1, 1, 1 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 */
hx_status lattice_geometry_start(lattice *h, const lattice_fields *f);
hx_status lattice_geometry_test(lattice *h, int *done);
hx_status lattice_geometry_finish(lattice *h);
hx_status lattice_geometry(lattice *h, const lattice_fields *f);

/* The tables behind these functions, and the model that lattice.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec lattice_spec;
HX_LINKS_WITH(lattice_asks_for_model, lattice_model_84435edf23453ef1_23);

#ifdef __cplusplus
}
#endif
#endif
