/*
 * line: halo exchanges for the fields of line.lua.
 *
 * Emitted by halogen 0.1.0 from line.lua, model 719f80df3c395d3b.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; line.c is C11.
 *
 * Grid
 *     Cartesian, axes x; periodic along x.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields
 *     name  type           memory  halo along x (low:high)
 *     q     long double    x       6:0
 *     mark  unsigned char  x       1
 *     (memory: axes from the fastest to the slowest)
 *
 * Exchanges
 *     all  q, mark; faces across x
 *
 * Bytes that a block with neighbors on all sides receives, from itself too
 *     all    16 * (6)
 *          + 1 * (2)
 *
 * Ghost points that an exchange leaves as they are
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_partition grid = line_partition(nx);
 *     hx_part mine;
 *     hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     line_shape shape = line_shape_best(&mine);       or line_shape_dense, or strides of your own
 *     line *halo;
 *     line_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     line_fields f;
 *     line_alloc(halo, &f);         or your own: f.q = calloc(line_points(&shape, LINE_Q), sizeof *f.q);
 *     for (each time step) {
 *         line_all_start(halo, &f);
 *         work that reads no ghost point and writes no point near a side;
 *         line_all_finish(halo);
 *         the rest of the work;
 *     }
 *     line_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_LINE_H
#define HALOGEN_LINE_H

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
    LINE_AXIS_X,
    LINE_AXES
};

/* Fields and exchanges by number. */
enum {
    LINE_Q,
    LINE_MARK,
    LINE_FIELDS
};
enum {
    LINE_ALL,
    LINE_EXCHANGES
};

/*
 * Where the points of a block lie in the arrays.  A field's array holds its halo and its owned points; owned point
 * (x) of field q is q[line_q_at(&shape, x)], and indices below 0 or beyond the block's cells
 * are those of the halo.  Rows and planes may be padded: make the strides larger than line_shape_dense does.
 */
typedef struct line_shape {
    /* The cells of the block: part.n[] along x. */
    hx_part part;
    /* Elements from a point to the next along each axis; 1 along the fastest. */
    ptrdiff_t stride[LINE_FIELDS][1];
} line_shape;

/*
 * One block's arrays, from their first allocated element on; yours, or from line_alloc.  Those that an exchange does
 * not name may be NULL.
 */
typedef struct line_fields {
    long double *q;
    unsigned char *mark;
} line_fields;

/*
 * All exchanges of one set of blocks.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct line line;

/*
 * The partition of the grid: how many ranks lie along each axis is left to hx_decompose,
 * which weighs the bytes that cross a cell face along each axis: the last numbers.
 */
static inline hx_partition line_partition(int nx)
{
    hx_partition partition = {1, {nx}, {0}, 0, {NULL}, {1}, {98.0}};
    return partition;
}

/* The shape of a block whose arrays have no padding. */
line_shape line_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.
 */
line_shape line_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (LINE_Q, ...). */
size_t line_points(const line_shape *shape, int field);

/*
 * Index of a point in a field's array.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
static inline ptrdiff_t line_q_at(const line_shape *s, int x)
{
    (void)s; /* rows of one axis have no stride */
    HX_CHECK_INDEX(-6, x, s->part.n[LINE_AXIS_X]);
    return x + 6;
}

static inline ptrdiff_t line_mark_at(const line_shape *s, int x)
{
    (void)s; /* rows of one axis have no stride */
    HX_CHECK_INDEX(-1, x, s->part.n[LINE_AXIS_X] + 1);
    return x + 1;
}

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * line.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define LINE_ASKS_FOR_MODEL "719f80df3c395d3b_14"

hx_status line_create_for(const char *model, MPI_Comm comm, const line_shape *shape, const hx_options *options,
                          line **h);
hx_status line_create_blocks_for(const char *model, const hx_blocks *blocks, const line_shape *shapes,
                                 const hx_options *options, line **h);

/*
 * Makes the exchanges of one block a rank.  Collective over comm, which is duplicated; the shape is copied.
 * options: NULL for the defaults.  Fails on all ranks, with *h set to NULL, or on none.
 */
static inline hx_status line_create(MPI_Comm comm, const line_shape *shape, const hx_options *options, line **h)
{
    return line_create_for(LINE_ASKS_FOR_MODEL, comm, shape, options, h);
}

/* The same for any number of blocks a rank: shapes[0 ... blocks->count - 1] are those of this rank's blocks. */
static inline hx_status line_create_blocks(const hx_blocks *blocks, const line_shape *shapes,
                                           const hx_options *options, line **h)
{
    return line_create_blocks_for(LINE_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from line_alloc that are left.
 */
hx_status line_destroy(line *h);

/*
 * Allocates an array for every field: f is one struct per block, in the order of the shapes, and its pointers are set.
 * The arrays are zeroed, and lie where exchanges and loops over several of them are fast: where long runs of points
 * travel, in memory that ranks of a machine share, so that peers there can fill the halos of this rank.  Any number of such
 * sets may be had, and arrays of the same shape may change places, within a set or between two.  Collective; a rank without
 * blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 */
hx_status line_alloc(line *h, line_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from line_alloc of the same handle.
 */
hx_status line_free(line *h, line_fields *f);

/*
 * For arrays in memory of your own that ranks of a node share: a window of <hx/window.h> with HX_WINDOW_PARTS or
 * HX_WINDOW_SHARED, made over all ranks of the handle, and maybe more.  From register on, arrays given to start that lie
 * anywhere in it, from their first element to their last, are written by other ranks of the node without a message between,
 * as those of line_alloc are.  Several windows may be registered, and one with several handles.  Both calls are
 * collective and fail on all ranks or on none.  unregister does nothing where nothing is registered, and is refused where
 * an exchange under way uses the window.  hx_window_free refuses a window until it was unregistered, or the handle
 * destroyed.
 */
hx_status line_register(line *h, hx_window *window);
hx_status line_unregister(line *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *line_describe(line *h);

/* What one exchange (LINE_ALL, ...) has moved since create. */
hx_status line_traffic(const line *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 */
hx_status line_message_buffers(const line *h, int exchange, hx_message_buffer *buffer, int *count);

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
 * all, line 6 of the spec.
 *     q: 6:0 layers along x
 *     mark: 1 layers along x
 *     faces across x.
 */
hx_status line_all_start(line *h, const line_fields *f);
hx_status line_all_test(line *h, int *done);
hx_status line_all_finish(line *h);
hx_status line_all(line *h, const line_fields *f);

/*
 * A file that includes this header links with the line.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load line.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char line_model_719f80df3c395d3b_14;
static const char *const line_asks_for_model HX_KEPT = &line_model_719f80df3c395d3b_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *line_handle(line *h);
extern const struct hx_spec line_spec;

#ifdef __cplusplus
}
#endif
#endif
