/*
 * bend: halo exchanges for the fields of bend.lua.
 *
 * Emitted by halogen 0.1.0 from bend.lua, model 95cebea964b816d3.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; bend.c is C11.
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
 * Fields
 *     name  type   memory  halo along x, y (low:high)
 *     p     float  x y     2, 2
 *     (memory: axes from the fastest to the slowest)
 *
 * Exchanges
 *     pressure  p; box: faces across x and y, with the corners between them
 *
 * Bytes that a block with neighbors on all sides receives, from itself too
 *     pressure    4 * ((nx + 4) * (ny + 4) - nx * ny)
 *
 * Ghost points that an exchange leaves as they are
 *     pressure  all tiles: below x and below y
 *               all tiles: below x
 *               all tiles: below x and above y
 *               tile 0: below y
 *               tiles 0, 2: above y
 *               all tiles: above x and below y
 *               tiles 1, 2: above x
 *               all tiles: above x and above y
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_partition tile[3];                 each bend_partition(nx, ny) with ranks[] set: its blocks along each axis
 *     hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 3, .partition = tile, .count = 1};
 *                                       one block a rank, tile after tile; or any count, and .owner tells
 *     hx_part mine;                     of block b, the first axis fastest, of tile t
 *     hx_part_of(&tile[t], t, b, &mine);
 *     bend_shape shape = bend_shape_best(&mine);
 *     bend *halo;
 *     bend_create_blocks(&blocks, &shape, NULL, &halo);
 *     bend_fields f;
 *     bend_alloc(halo, &f);         or your own: f.p = calloc(bend_points(&shape, BEND_P), sizeof *f.p);
 *     for (each time step) {
 *         bend_pressure_start(halo, &f);
 *         work that reads no ghost point and writes no point near a side;
 *         bend_pressure_finish(halo);
 *         the rest of the work;
 *     }
 *     bend_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_BEND_H
#define HALOGEN_BEND_H

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
    BEND_AXIS_X,
    BEND_AXIS_Y,
    BEND_AXES
};

/* Fields and exchanges by number. */
enum {
    BEND_P,
    BEND_FIELDS
};
enum {
    BEND_PRESSURE,
    BEND_EXCHANGES
};

/*
 * Where the points of a block lie in the arrays.  A field's array holds its halo and its owned points; owned point
 * (x, y) of field p is p[bend_p_at(&shape, x, y)], and indices below 0 or beyond the block's cells
 * are those of the halo.  Rows and planes may be padded: make the strides larger than bend_shape_dense does.
 */
typedef struct bend_shape {
    /* The cells of the block: part.n[] along x, y. */
    hx_part part;
    /* Elements from a point to the next along each axis; 1 along the fastest. */
    ptrdiff_t stride[BEND_FIELDS][2];
} bend_shape;

/*
 * One block's arrays, from their first allocated element on; yours, or from bend_alloc.  Those that an exchange does
 * not name may be NULL.
 */
typedef struct bend_fields {
    float *p;
} bend_fields;

/*
 * All exchanges of one set of blocks.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct bend bend;

/*
 * The partition of a tile: how many ranks lie along each axis is left to hx_decompose,
 * which weighs the bytes that cross a cell face along each axis: the last numbers.
 */
static inline hx_partition bend_partition(int nx, int ny)
{
    hx_partition partition = {2, {nx, ny}, {0, 0}, 1, {NULL, NULL}, {0, 0}, {16.0, 16.0}};
    return partition;
}

/* The shape of a block whose arrays have no padding. */
bend_shape bend_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.
 */
bend_shape bend_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (BEND_P, ...). */
size_t bend_points(const bend_shape *shape, int field);

/*
 * Index of a point in a field's array.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
static inline ptrdiff_t bend_p_at(const bend_shape *s, int x, int y)
{
    HX_CHECK_INDEX(-2, x, s->part.n[BEND_AXIS_X] + 2);
    HX_CHECK_INDEX(-2, y, s->part.n[BEND_AXIS_Y] + 2);
    return (x + 2) + (y + 2) * s->stride[BEND_P][1];
}

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * bend.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define BEND_ASKS_FOR_MODEL "95cebea964b816d3_14"

hx_status bend_create_blocks_for(const char *model, const hx_blocks *blocks, const bend_shape *shapes,
                                 const hx_options *options, bend **h);

/*
 * Makes the exchanges of any number of blocks a rank: shapes[0 ... blocks->count - 1] are those of this rank's blocks.
 * Collective over blocks->comm, which is duplicated; everything is copied.  options: NULL for the defaults.
 * Fails on all ranks, with *h set to NULL, or on none.
 */
static inline hx_status bend_create_blocks(const hx_blocks *blocks, const bend_shape *shapes,
                                           const hx_options *options, bend **h)
{
    return bend_create_blocks_for(BEND_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from bend_alloc that are left.
 */
hx_status bend_destroy(bend *h);

/*
 * Allocates an array for every field: f is one struct per block, in the order of the shapes, and its pointers are set.
 * The arrays are zeroed, and lie where exchanges and loops over several of them are fast: where long runs of points
 * travel, in memory that ranks of a machine share, so that peers there can fill the halos of this rank.  Any number of such
 * sets may be had, and arrays of the same shape may change places, within a set or between two.  Collective; a rank without
 * blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 */
hx_status bend_alloc(bend *h, bend_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from bend_alloc of the same handle.
 */
hx_status bend_free(bend *h, bend_fields *f);

/*
 * For arrays in memory of your own that ranks of a node share: a window of <hx/window.h> with HX_WINDOW_PARTS or
 * HX_WINDOW_SHARED, made over all ranks of the handle, and maybe more.  From register on, arrays given to start that lie
 * anywhere in it, from their first element to their last, are written by other ranks of the node without a message between,
 * as those of bend_alloc are.  Several windows may be registered, and one with several handles.  Both calls are
 * collective and fail on all ranks or on none.  unregister does nothing where nothing is registered, and is refused where
 * an exchange under way uses the window.  hx_window_free refuses a window until it was unregistered, or the handle
 * destroyed.
 */
hx_status bend_register(bend *h, hx_window *window);
hx_status bend_unregister(bend *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *bend_describe(bend *h);

/* What one exchange (BEND_PRESSURE, ...) has moved since create. */
hx_status bend_traffic(const bend *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 */
hx_status bend_message_buffers(const bend *h, int exchange, hx_message_buffer *buffer, int *count);

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
 * pressure, line 12 of the spec.
 *     p: 2, 2 layers along x, y
 *     box: faces across x and y, with the corners between them.
 */
hx_status bend_pressure_start(bend *h, const bend_fields *f);
hx_status bend_pressure_test(bend *h, int *done);
hx_status bend_pressure_finish(bend *h);
hx_status bend_pressure(bend *h, const bend_fields *f);

/*
 * A file that includes this header links with the bend.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load bend.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char bend_model_95cebea964b816d3_14;
static const char *const bend_asks_for_model HX_KEPT = &bend_model_95cebea964b816d3_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *bend_handle(bend *h);
extern const struct hx_spec bend_spec;

#ifdef __cplusplus
}
#endif
#endif
