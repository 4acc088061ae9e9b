/*
 * column: halo exchanges for the fields of column.lua.
 *
 * Emitted by halogen 0.1.0 from column.lua, model c73f1a9854d268b9.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; column.c is C11.
 *
 * Grid
 *     Cartesian, axes lon, lat, lev and bin; periodic along lon; walls across lat, lev and bin.
 *     Always 79 cells along lev; any number along other axes.
 *     Not decomposed along lev and bin: every block holds these axes whole.
 *
 * Fields
 *     name  type                memory           halo along lon, lat, lev, bin (low:high)
 *     t     double              lev lon lat bin  3, 3, 0, 0
 *     qv    double              lev lon lat bin  3, 3, 0, 0
 *     mask  int16_t             lon lat lev bin  1:2, 1, 0, 0
 *     n     unsigned long long  lev lon lat bin  1, 0, 0, 0
 *     (memory: axes from the fastest to the slowest)
 *     (t, qv, n: fixed strides, 79 elements along lon)
 *
 * Exchanges
 *     state   mask, t, qv; box: faces across lon and lat, with the corners between them
 *     deep    t, qv; box: faces across lon and lat, with the corners between them
 *     counts  n; faces across lon
 *
 * Bytes that a block with neighbors on all sides receives, from itself too
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
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_partition grid = column_partition(n_lon, n_lat, n_bin);
 *     hx_part mine;
 *     hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     column_shape shape = column_shape_best(&mine);       or column_shape_dense, or strides of your own
 *     column *halo;
 *     column_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     column_fields f;
 *     column_alloc(halo, &f);         or your own: f.mask = calloc(column_points(&shape, COLUMN_MASK), sizeof *f.mask);
 *     for (each time step) {
 *         column_state_start(halo, &f);
 *         work that reads no ghost point and writes no point near a side;
 *         column_state_finish(halo);
 *         the rest of the work;
 *     }
 *     column_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_COLUMN_H
#define HALOGEN_COLUMN_H

#include <hx/hx.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Axes by number: the places of lists such as part.n[], part.first[] and partition.ranks[], and the order of the
 * parameters of functions.
 */
enum {
    COLUMN_AXIS_LON,
    COLUMN_AXIS_LAT,
    COLUMN_AXIS_LEV,
    COLUMN_AXIS_BIN,
    COLUMN_AXES
};

/* Fields and exchanges by number. */
enum {
    COLUMN_T,
    COLUMN_QV,
    COLUMN_MASK,
    COLUMN_N,
    COLUMN_FIELDS
};
enum {
    COLUMN_STATE,
    COLUMN_DEEP,
    COLUMN_COUNTS,
    COLUMN_EXCHANGES
};

/*
 * Where the points of a block lie in the arrays.  A field's array holds its halo and its owned points; owned point
 * (lon, lat, lev, bin) of field t is t[column_t_at(&shape, lon, lat, lev, bin)], and indices below 0 or beyond the block's cells
 * are those of the halo.  Rows and planes may be padded: make the strides larger than column_shape_dense does,
 * but leave those that are fixed.
 */
typedef struct column_shape {
    /* The cells of the block: part.n[] along lon, lat, lev, bin. */
    hx_part part;
    /* Elements from a point to the next along each axis; 1 along the fastest. */
    ptrdiff_t stride[COLUMN_FIELDS][4];
} column_shape;

/*
 * One block's arrays, from their first allocated element on; yours, or from column_alloc.  Those that an exchange does
 * not name may be NULL.
 */
typedef struct column_fields {
    double *t;
    double *qv;
    int16_t *mask;
    unsigned long long *n;
} column_fields;

/*
 * All exchanges of one set of blocks.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct column column;

/*
 * The partition of the grid: how many ranks lie along each axis is left to hx_decompose,
 * which weighs the bytes that cross a cell face along each axis: the last numbers.
 */
static inline hx_partition column_partition(int n_lon, int n_lat, int n_bin)
{
    hx_partition partition = {4, {n_lon, n_lat, 79, n_bin}, {0, 0, 1, 1}, 0, {NULL, NULL, NULL, NULL}, {1, 0, 0, 0}, {148.0, 132.0, 0.0, 0.0}};
    return partition;
}

/* The shape of a block whose arrays have no padding. */
column_shape column_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.  Fixed strides stay as they are.
 */
column_shape column_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (COLUMN_T, ...). */
size_t column_points(const column_shape *shape, int field);

/*
 * Index of a point in a field's array.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
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

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * column.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define COLUMN_ASKS_FOR_MODEL "c73f1a9854d268b9_14"

hx_status column_create_for(const char *model, MPI_Comm comm, const column_shape *shape, const hx_options *options,
                            column **h);
hx_status column_create_blocks_for(const char *model, const hx_blocks *blocks, const column_shape *shapes,
                                   const hx_options *options, column **h);

/*
 * Makes the exchanges of one block a rank.  Collective over comm, which is duplicated; the shape is copied.
 * options: NULL for the defaults.  Fails on all ranks, with *h set to NULL, or on none.
 */
static inline hx_status column_create(MPI_Comm comm, const column_shape *shape, const hx_options *options, column **h)
{
    return column_create_for(COLUMN_ASKS_FOR_MODEL, comm, shape, options, h);
}

/* The same for any number of blocks a rank: shapes[0 ... blocks->count - 1] are those of this rank's blocks. */
static inline hx_status column_create_blocks(const hx_blocks *blocks, const column_shape *shapes,
                                             const hx_options *options, column **h)
{
    return column_create_blocks_for(COLUMN_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from column_alloc that are left.
 */
hx_status column_destroy(column *h);

/*
 * Allocates an array for every field: f is one struct per block, in the order of the shapes, and its pointers are set.
 * The arrays are zeroed, and lie where exchanges and loops over several of them are fast: where long runs of points
 * travel, in memory that ranks of a machine share, so that peers there can fill the halos of this rank.  Any number of such
 * sets may be had, and arrays of the same shape may change places, within a set or between two.  Collective; a rank without
 * blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 */
hx_status column_alloc(column *h, column_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from column_alloc of the same handle.
 */
hx_status column_free(column *h, column_fields *f);

/*
 * For arrays in memory of your own that ranks of a node share: a window of <hx/window.h> with HX_WINDOW_PARTS or
 * HX_WINDOW_SHARED, made over all ranks of the handle, and maybe more.  From register on, arrays given to start that lie
 * anywhere in it, from their first element to their last, are written by other ranks of the node without a message between,
 * as those of column_alloc are.  Several windows may be registered, and one with several handles.  Both calls are
 * collective and fail on all ranks or on none.  unregister does nothing where nothing is registered, and is refused where
 * an exchange under way uses the window.  hx_window_free refuses a window until it was unregistered, or the handle
 * destroyed.
 */
hx_status column_register(column *h, hx_window *window);
hx_status column_unregister(column *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *column_describe(column *h);

/* What one exchange (COLUMN_STATE, ...) has moved since create. */
hx_status column_traffic(const column *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 */
hx_status column_message_buffers(const column *h, int exchange, hx_message_buffer *buffer, int *count);

/*
 * The exchanges.  Collective: every rank calls start and finish of each; the function without a suffix does both.
 *
 * f is one struct per block, in the order of the shapes.  Its pointers are copied; they may differ from call to call, but
 * each array is given for one field of one block.  Between start and finish leave the halos of the exchange's fields alone,
 * and do not write owned points that are nearer to a side of the block than the exchange is wide; reading owned points is
 * always allowed.
 * Any number of exchanges may be under way, each of them once, also such as share fields.  Finishes may come in any
 * order, but with the transports "rma-fence" and "rma-pscw" they come in that of the starts.  Between start and finish do
 * not wait, by MPI or otherwise, for a rank that comes to that only after its own finish, unless the option schedule
 * (hx/hx.h) is "one-phase": messages may need several steps, and ranks take them in calls of libhx.  One of these is test,
 * which moves messages on, waits for nothing, and sets *done to 1 when finish will wait for none of them, else to 0.  It is
 * no finish: call that all the same, which unpacks.  It may be called any number of times from start to finish, on any
 * ranks; with "rma-fence" and "rma-pscw", which wait inside MPI, it is refused.
 */

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

/*
 * counts, line 15 of the spec.
 *     n: 1, 0, 0, 0 layers along lon, lat, lev, bin
 *     faces across lon.
 */
hx_status column_counts_start(column *h, const column_fields *f);
hx_status column_counts_test(column *h, int *done);
hx_status column_counts_finish(column *h);
hx_status column_counts(column *h, const column_fields *f);

/*
 * A file that includes this header links with the column.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load column.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char column_model_c73f1a9854d268b9_14;
static const char *const column_asks_for_model HX_KEPT = &column_model_c73f1a9854d268b9_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *column_handle(column *h);
extern const struct hx_spec column_spec;

#ifdef __cplusplus
}
#endif
#endif
