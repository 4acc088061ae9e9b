/*
 * channel: halo exchanges for the fields of channel.lua.
 *
 * Emitted by halogen 0.1.0 from channel.lua, model 0c89b90230c8b2dc.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; channel.c is C11.
 *
 * Grid
 *     Cartesian, axes x, y and z; periodic along x and z; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields
 *     name  type    memory  halo along x, y, z (low:high)
 *     u     double  x y z   2, 2, 2
 *     v     double  x y z   2, 2, 2
 *     w     double  x y z   2, 2, 2
 *     p     float   x y z   1, 1, 1
 *     (memory: axes from the fastest to the slowest)
 *
 * Exchanges
 *     velocity  u, v, w; box: faces across x, y and z, with edges and corners
 *     pressure  p; star: faces across x, y and z
 *
 * Bytes that a block with neighbors on all sides receives, from itself too
 *     velocity    24 * ((nx + 4) * (ny + 4) * (nz + 4) - nx * ny * nz)
 *     pressure    4 * (2 * ny * nz + 2 * nx * nz + 2 * nx * ny)
 *
 * Ghost points that an exchange leaves as they are
 *     velocity  beyond the walls across y
 *     pressure  beyond the walls across y
 *               edges and corners of the halo
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_partition grid = channel_partition(nx, ny, nz);
 *     hx_part mine;
 *     hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     channel_shape shape = channel_shape_best(&mine);       or channel_shape_dense, or strides of your own
 *     channel *halo;
 *     channel_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     channel_fields f;
 *     channel_alloc(halo, &f);         or your own: f.u = calloc(channel_points(&shape, CHANNEL_U), sizeof *f.u);
 *     for (each time step) {
 *         channel_velocity_start(halo, &f);
 *         work that reads no ghost point and writes no point near a side;
 *         channel_velocity_finish(halo);
 *         the rest of the work;
 *     }
 *     channel_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_CHANNEL_H
#define HALOGEN_CHANNEL_H

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
    CHANNEL_AXIS_X,
    CHANNEL_AXIS_Y,
    CHANNEL_AXIS_Z,
    CHANNEL_AXES
};

/* Fields and exchanges by number. */
enum {
    CHANNEL_U,
    CHANNEL_V,
    CHANNEL_W,
    CHANNEL_P,
    CHANNEL_FIELDS
};
enum {
    CHANNEL_VELOCITY,
    CHANNEL_PRESSURE,
    CHANNEL_EXCHANGES
};

/*
 * Where the points of a block lie in the arrays.  A field's array holds its halo and its owned points; owned point
 * (x, y, z) of field u is u[channel_u_at(&shape, x, y, z)], and indices below 0 or beyond the block's cells
 * are those of the halo.  Rows and planes may be padded: make the strides larger than channel_shape_dense does.
 */
typedef struct channel_shape {
    /* The cells of the block: part.n[] along x, y, z. */
    hx_part part;
    /* Elements from a point to the next along each axis; 1 along the fastest. */
    ptrdiff_t stride[CHANNEL_FIELDS][3];
} channel_shape;

/*
 * One block's arrays, from their first allocated element on; yours, or from channel_alloc.  Those that an exchange does
 * not name may be NULL.
 */
typedef struct channel_fields {
    double *u;
    double *v;
    double *w;
    float *p;
} channel_fields;

/*
 * All exchanges of one set of blocks.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct channel channel;

/*
 * The partition of the grid: how many ranks lie along each axis is left to hx_decompose,
 * which weighs the bytes that cross a cell face along each axis: the last numbers.
 */
static inline hx_partition channel_partition(int nx, int ny, int nz)
{
    hx_partition partition = {3, {nx, ny, nz}, {0, 0, 0}, 0, {NULL, NULL, NULL}, {1, 0, 1}, {104.0, 104.0, 104.0}};
    return partition;
}

/* The shape of a block whose arrays have no padding. */
channel_shape channel_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.
 */
channel_shape channel_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (CHANNEL_U, ...). */
size_t channel_points(const channel_shape *shape, int field);

/*
 * Index of a point in a field's array.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
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

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * channel.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define CHANNEL_ASKS_FOR_MODEL "0c89b90230c8b2dc_14"

hx_status channel_create_for(const char *model, MPI_Comm comm, const channel_shape *shape, const hx_options *options,
                             channel **h);
hx_status channel_create_blocks_for(const char *model, const hx_blocks *blocks, const channel_shape *shapes,
                                    const hx_options *options, channel **h);

/*
 * Makes the exchanges of one block a rank.  Collective over comm, which is duplicated; the shape is copied.
 * options: NULL for the defaults.  Fails on all ranks, with *h set to NULL, or on none.
 */
static inline hx_status channel_create(MPI_Comm comm, const channel_shape *shape, const hx_options *options, channel **h)
{
    return channel_create_for(CHANNEL_ASKS_FOR_MODEL, comm, shape, options, h);
}

/* The same for any number of blocks a rank: shapes[0 ... blocks->count - 1] are those of this rank's blocks. */
static inline hx_status channel_create_blocks(const hx_blocks *blocks, const channel_shape *shapes,
                                              const hx_options *options, channel **h)
{
    return channel_create_blocks_for(CHANNEL_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from channel_alloc that are left.
 */
hx_status channel_destroy(channel *h);

/*
 * Allocates an array for every field: f is one struct per block, in the order of the shapes, and its pointers are set.
 * The arrays are zeroed, and lie where exchanges and loops over several of them are fast: where long runs of points
 * travel, in memory that ranks of a machine share, so that peers there can fill the halos of this rank.  Any number of such
 * sets may be had, and arrays of the same shape may change places, within a set or between two.  Collective; a rank without
 * blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 */
hx_status channel_alloc(channel *h, channel_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from channel_alloc of the same handle.
 */
hx_status channel_free(channel *h, channel_fields *f);

/*
 * For arrays in memory of your own that ranks of a node share: a window of <hx/window.h> with HX_WINDOW_PARTS or
 * HX_WINDOW_SHARED, made over all ranks of the handle, and maybe more.  From register on, arrays given to start that lie
 * anywhere in it, from their first element to their last, are written by other ranks of the node without a message between,
 * as those of channel_alloc are.  Several windows may be registered, and one with several handles.  Both calls are
 * collective and fail on all ranks or on none.  unregister does nothing where nothing is registered, and is refused where
 * an exchange under way uses the window.  hx_window_free refuses a window until it was unregistered, or the handle
 * destroyed.
 */
hx_status channel_register(channel *h, hx_window *window);
hx_status channel_unregister(channel *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *channel_describe(channel *h);

/* What one exchange (CHANNEL_VELOCITY, ...) has moved since create. */
hx_status channel_traffic(const channel *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 */
hx_status channel_message_buffers(const channel *h, int exchange, hx_message_buffer *buffer, int *count);

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
 * velocity, line 8 of the spec.
 *     u, v, w: 2, 2, 2 layers along x, y, z
 *     box: faces across x, y and z, with edges and corners.
 */
hx_status channel_velocity_start(channel *h, const channel_fields *f);
hx_status channel_velocity_test(channel *h, int *done);
hx_status channel_velocity_finish(channel *h);
hx_status channel_velocity(channel *h, const channel_fields *f);

/*
 * pressure, line 9 of the spec.
 *     p: 1, 1, 1 layers along x, y, z
 *     star: faces across x, y and z.
 */
hx_status channel_pressure_start(channel *h, const channel_fields *f);
hx_status channel_pressure_test(channel *h, int *done);
hx_status channel_pressure_finish(channel *h);
hx_status channel_pressure(channel *h, const channel_fields *f);

/*
 * A file that includes this header links with the channel.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load channel.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char channel_model_0c89b90230c8b2dc_14;
static const char *const channel_asks_for_model HX_KEPT = &channel_model_0c89b90230c8b2dc_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *channel_handle(channel *h);
extern const struct hx_spec channel_spec;

#ifdef __cplusplus
}
#endif
#endif
