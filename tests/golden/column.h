/*
 * column: halo exchanges for the fields of column.lua.
 * Emitted by halogen 0.1.0 from column.lua, model c73f1a9854d268b9.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; column.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Cartesian, axes lon, lat, lev and bin; periodic along lon; walls across lat, lev and bin.
 *     Always 79 cells along lev; any number along other axes.
 *     Not decomposed along lev and bin: every block holds these axes whole.
 *
 * Fields; memory: axes from the fastest to the slowest
 *     name  type                memory           halo along lon, lat, lev, bin (low:high)
 *     t     double              lev lon lat bin  3, 3, 0, 0
 *     qv    double              lev lon lat bin  3, 3, 0, 0
 *     mask  int16_t             lon lat lev bin  1:2, 1, 0, 0
 *     n     unsigned long long  lev lon lat bin  1, 0, 0, 0
 *     (t, qv, n: fixed strides, 79 elements along lon)
 *
 * Exchanges
 *     state   mask, t, qv; box: faces across lon and lat, with the corners between them
 *     deep    t, qv; box: faces across lon and lat, with the corners between them
 *     counts  n; faces across lon
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     state     18 * ((n_lon + 2) * (n_lat + 2) * n_lev * n_bin - n_lon * n_lat * n_lev * n_bin)
 *     deep      16 * ((n_lon + 6) * (n_lat + 6) * n_lev * n_bin - n_lon * n_lat * n_lev * n_bin)
 *     counts    8 * (2 * n_lat * n_lev * n_bin)
 *
 * Ghost points that an exchange leaves as they are
 *     state  beyond the walls across lat
 *            layer 2 above lon of mask
 *            layers 2 to 3 below lon of t, qv
 *            layers 2 to 3 above lon of t, qv
 *            layers 2 to 3 below lat of t, qv
 *            layers 2 to 3 above lat of t, qv
 *     deep   beyond the walls across lat
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = column_partition(n_lon, n_lat, n_bin);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     column_shape shape = column_shape_best(&mine);
 *     column *halo; column_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     column_fields f; column_alloc(halo, &f);
 *         or your own: f.mask = calloc(column_points(&shape, COLUMN_MASK), sizeof *f.mask);
 *     in each time step:
 *         column_state_start(halo, &f);     work that reads no ghost point and writes none near a side
 *         column_state_finish(halo);        the rest of the work
 *     column_destroy(halo);
 */
#ifndef HALOGEN_COLUMN_H
#define HALOGEN_COLUMN_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { COLUMN_AXIS_LON, COLUMN_AXIS_LAT, COLUMN_AXIS_LEV, COLUMN_AXIS_BIN, COLUMN_AXES };
enum { COLUMN_T, COLUMN_QV, COLUMN_MASK, COLUMN_N, COLUMN_FIELDS };
enum { COLUMN_STATE, COLUMN_DEEP, COLUMN_COUNTS, COLUMN_EXCHANGES };

/* Where points lie: owned point (lon, lat, lev, bin) of field t is t[column_t_at(&shape, lon, lat, lev, bin)]. */
typedef struct column_shape {
    hx_part part;
    ptrdiff_t stride[COLUMN_FIELDS][4]; /* elements from point to point along lon, lat, lev, bin */
} column_shape;

/* The arrays of a block. */
typedef struct column_fields {
    double *t;
    double *qv;
    int16_t *mask;
    unsigned long long *n;
} column_fields;
typedef struct column column; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as column_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(column);
HX_DECLARE_GRID(column);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition column_partition(int n_lon, int n_lat, int n_bin)
{
    hx_partition partition = {4, {n_lon, n_lat, 79, n_bin}, {0, 0, 1, 1}, 0, {NULL, NULL, NULL, NULL}, {1, 0, 0, 0}, {148.0, 132.0, 0.0, 0.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes column_state_interior(const column_shape *shape, int field);
hx_boxes column_state_rim(const column_shape *shape, int field);
hx_boxes column_deep_interior(const column_shape *shape, int field);
hx_boxes column_deep_rim(const column_shape *shape, int field);
hx_boxes column_counts_interior(const column_shape *shape, int field);
hx_boxes column_counts_rim(const column_shape *shape, int field);

static inline ptrdiff_t column_t_at(const column_shape *s, int lon, int lat, int lev, int bin)
{
    HX_CHECK_INDEX(-3, lon, s->part.n[COLUMN_AXIS_LON] + 3);
    HX_CHECK_INDEX(-3, lat, s->part.n[COLUMN_AXIS_LAT] + 3);
    HX_CHECK_INDEX(0, lev, s->part.n[COLUMN_AXIS_LEV]);
    HX_CHECK_INDEX(0, bin, s->part.n[COLUMN_AXIS_BIN]);
    return lev + (lon + 3) * (ptrdiff_t)79 + (lat + 3) * s->stride[COLUMN_T][1] + bin * s->stride[COLUMN_T][3];
}

static inline ptrdiff_t column_qv_at(const column_shape *s, int lon, int lat, int lev, int bin)
{
    HX_CHECK_INDEX(-3, lon, s->part.n[COLUMN_AXIS_LON] + 3);
    HX_CHECK_INDEX(-3, lat, s->part.n[COLUMN_AXIS_LAT] + 3);
    HX_CHECK_INDEX(0, lev, s->part.n[COLUMN_AXIS_LEV]);
    HX_CHECK_INDEX(0, bin, s->part.n[COLUMN_AXIS_BIN]);
    return lev + (lon + 3) * (ptrdiff_t)79 + (lat + 3) * s->stride[COLUMN_QV][1] + bin * s->stride[COLUMN_QV][3];
}

static inline ptrdiff_t column_mask_at(const column_shape *s, int lon, int lat, int lev, int bin)
{
    HX_CHECK_INDEX(-1, lon, s->part.n[COLUMN_AXIS_LON] + 2);
    HX_CHECK_INDEX(-1, lat, s->part.n[COLUMN_AXIS_LAT] + 1);
    HX_CHECK_INDEX(0, lev, s->part.n[COLUMN_AXIS_LEV]);
    HX_CHECK_INDEX(0, bin, s->part.n[COLUMN_AXIS_BIN]);
    return (lon + 1) + (lat + 1) * s->stride[COLUMN_MASK][1] + lev * s->stride[COLUMN_MASK][2] + bin * s->stride[COLUMN_MASK][3];
}

static inline ptrdiff_t column_n_at(const column_shape *s, int lon, int lat, int lev, int bin)
{
    HX_CHECK_INDEX(-1, lon, s->part.n[COLUMN_AXIS_LON] + 1);
    HX_CHECK_INDEX(0, lat, s->part.n[COLUMN_AXIS_LAT]);
    HX_CHECK_INDEX(0, lev, s->part.n[COLUMN_AXIS_LEV]);
    HX_CHECK_INDEX(0, bin, s->part.n[COLUMN_AXIS_BIN]);
    return lev + (lon + 1) * (ptrdiff_t)79 + lat * s->stride[COLUMN_N][1] + bin * s->stride[COLUMN_N][3];
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int column_point(const hx_boxes *b, size_t n, int *lon, int *lat, int *lev, int *bin)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *lev = m->lo[COLUMN_AXIS_LEV] + (int)(n % hx_box_length(m, COLUMN_AXIS_LEV));
    n /= hx_box_length(m, COLUMN_AXIS_LEV);
    *lon = m->lo[COLUMN_AXIS_LON] + (int)(n % hx_box_length(m, COLUMN_AXIS_LON));
    n /= hx_box_length(m, COLUMN_AXIS_LON);
    *lat = m->lo[COLUMN_AXIS_LAT] + (int)(n % hx_box_length(m, COLUMN_AXIS_LAT));
    n /= hx_box_length(m, COLUMN_AXIS_LAT);
    *bin = m->lo[COLUMN_AXIS_BIN] + (int)n;
    return 1;
}

#define COLUMN_ASKS_FOR_MODEL "c73f1a9854d268b9_23"
hx_status column_create_for(const char *model, MPI_Comm comm, const column_shape *shape, const hx_options *options,
                            column **h);
hx_status column_create_blocks_for(const char *model, const hx_blocks *blocks, const column_shape *shapes,
                                   const hx_options *options, column **h);
static inline hx_status column_create(MPI_Comm comm, const column_shape *shape, const hx_options *options, column **h)
{
    return column_create_for(COLUMN_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status column_create_blocks(const hx_blocks *blocks, const column_shape *shapes,
                                             const hx_options *options, column **h)
{
    return column_create_blocks_for(COLUMN_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status column_redistribute(column *from, const column_fields *source, column *to, const column_fields *target);

/*
 * state, line 13 of the spec.
 *     mask, t, qv: 1, 1, 0, 0 layers along lon, lat, lev, bin
 *     box: faces across lon and lat, with the corners between them.
 */
hx_status column_state_start(column *h, const column_fields *f);
hx_status column_state_test(column *h, int *done);
hx_status column_state_finish(column *h);
hx_status column_state(column *h, const column_fields *f);

/*
 * deep, line 14 of the spec.
 *     t, qv: 3, 3, 0, 0 layers along lon, lat, lev, bin
 *     box: faces across lon and lat, with the corners between them.
 */
hx_status column_deep_start(column *h, const column_fields *f);
hx_status column_deep_test(column *h, int *done);
hx_status column_deep_finish(column *h);
hx_status column_deep(column *h, const column_fields *f);

/* counts, line 15 of the spec: n: 1, 0, 0, 0 layers along lon, lat, lev, bin; faces across lon. */
hx_status column_counts_start(column *h, const column_fields *f);
hx_status column_counts_test(column *h, int *done);
hx_status column_counts_finish(column *h);
hx_status column_counts(column *h, const column_fields *f);

/* The tables behind these functions, and the model that column.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec column_spec;
HX_LINKS_WITH(column_asks_for_model, column_model_c73f1a9854d268b9_23);

#ifdef __cplusplus
}
#endif
#endif
