/*
 * mixed: halo exchanges for the fields of mixed.lua.
 *
 * Emitted by halogen 0.1.0 from mixed.lua, model 348cef8f3c9cbf4b.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; mixed.c is C11.
 *
 * Grid
 *     Cartesian, axes x, y and z; periodic along x and z; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields
 *     name  type     memory  halo along x, y, z (low:high)
 *     u     double   x y z   2, 2, 2
 *     v     double   x y z   2, 2, 2
 *     p     float    x y z   1, 2, 1
 *     q     uint8_t  x y z   1, 1, 1
 *     r     int64_t  x y z   1, 1, 1
 *     (memory: axes from the fastest to the slowest)
 *     (u, v, q: in the memory of a device)
 *
 * Exchanges
 *     all   u, v, p, q, r; box: faces across x, y and z, with edges and corners
 *     both  q, p; box: faces across x, y and z, with edges and corners
 *     host  p, r; box: faces across x, y and z, with edges and corners
 *     star  u, v; star: faces across x, y and z
 *     sums  adds; r, u, p; box: faces across x, y and z, with edges and corners
 *
 * Bytes that a block with neighbors on all sides receives, from itself too
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
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_partition grid = mixed_partition(nx, ny, nz);
 *     hx_part mine;
 *     hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     mixed_shape shape = mixed_shape_best(&mine);       or mixed_shape_dense, or strides of your own
 *     mixed *halo;
 *     mixed_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     mixed_fields f;
 *     mixed_alloc(halo, &f);         or your own: f.u of cudaMalloc, mixed_points(&shape, MIXED_U) * sizeof *f.u bytes;
 *     for (each time step) {
 *         mixed_all_start(halo, &f, stream);
 *         kernels in the stream that read no ghost point and write no point near a side;
 *         mixed_all_finish(halo, stream);
 *         the rest of the work, in the stream;
 *     }
 *     mixed_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_MIXED_H
#define HALOGEN_MIXED_H

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
    MIXED_AXIS_X,
    MIXED_AXIS_Y,
    MIXED_AXIS_Z,
    MIXED_AXES
};

/* Fields and exchanges by number. */
enum {
    MIXED_U,
    MIXED_V,
    MIXED_P,
    MIXED_Q,
    MIXED_R,
    MIXED_FIELDS
};
enum {
    MIXED_ALL,
    MIXED_BOTH,
    MIXED_HOST,
    MIXED_STAR,
    MIXED_SUMS,
    MIXED_EXCHANGES
};

/*
 * Where the points of a block lie in the arrays.  A field's array holds its halo and its owned points; owned point
 * (x, y, z) of field u is u[mixed_u_at(&shape, x, y, z)], and indices below 0 or beyond the block's cells
 * are those of the halo.  Rows and planes may be padded: make the strides larger than mixed_shape_dense does.
 */
typedef struct mixed_shape {
    /* The cells of the block: part.n[] along x, y, z. */
    hx_part part;
    /* Elements from a point to the next along each axis; 1 along the fastest. */
    ptrdiff_t stride[MIXED_FIELDS][3];
} mixed_shape;

/*
 * One block's arrays, from their first allocated element on; yours, or from mixed_alloc.  Those that an exchange does
 * not name may be NULL.
 * Arrays of fields in the memory of a device (see above) lie there, where the host cannot read or write them.
 */
typedef struct mixed_fields {
    double *u;
    double *v;
    float *p;
    uint8_t *q;
    int64_t *r;
} mixed_fields;

/*
 * All exchanges of one set of blocks.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct mixed mixed;

/*
 * The partition of the grid: how many ranks lie along each axis is left to hx_decompose,
 * which weighs the bytes that cross a cell face along each axis: the last numbers.
 */
static inline hx_partition mixed_partition(int nx, int ny, int nz)
{
    hx_partition partition = {3, {nx, ny, nz}, {0, 0, 0}, 0, {NULL, NULL, NULL}, {1, 0, 1}, {212.0, 236.0, 212.0}};
    return partition;
}

/* The shape of a block whose arrays have no padding. */
mixed_shape mixed_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.
 */
mixed_shape mixed_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (MIXED_U, ...). */
size_t mixed_points(const mixed_shape *shape, int field);

/*
 * Index of a point in a field's array.  For kernels, too, which are given the shape by value.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
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

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * mixed.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define MIXED_ASKS_FOR_MODEL "348cef8f3c9cbf4b_14"

hx_status mixed_create_for(const char *model, MPI_Comm comm, const mixed_shape *shape, const hx_options *options,
                           mixed **h);
hx_status mixed_create_blocks_for(const char *model, const hx_blocks *blocks, const mixed_shape *shapes,
                                  const hx_options *options, mixed **h);

/*
 * Makes the exchanges of one block a rank.  Collective over comm, which is duplicated; the shape is copied.
 * options: NULL for the defaults.  Fails on all ranks, with *h set to NULL, or on none.
 * The handle works on the device that is current in the calling thread; where there is none, create fails.
 */
static inline hx_status mixed_create(MPI_Comm comm, const mixed_shape *shape, const hx_options *options, mixed **h)
{
    return mixed_create_for(MIXED_ASKS_FOR_MODEL, comm, shape, options, h);
}

/* The same for any number of blocks a rank: shapes[0 ... blocks->count - 1] are those of this rank's blocks. */
static inline hx_status mixed_create_blocks(const hx_blocks *blocks, const mixed_shape *shapes,
                                            const hx_options *options, mixed **h)
{
    return mixed_create_blocks_for(MIXED_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from mixed_alloc that are left.
 * Streams have to be through with what pack and unpack, or graphs of them, were given.  Waits for the other ranks of the
 * node, which write into memory of this one's device.
 */
hx_status mixed_destroy(mixed *h);

/*
 * Allocates an array for every field: f is one struct per block, in the order of the shapes, and its pointers are set.
 * The arrays are zeroed, and lie where exchanges and loops over several of them are fast: where long runs of points
 * travel, in memory that ranks of a machine share, so that peers there can fill the halos of this rank.  Any number of such
 * sets may be had, and arrays of the same shape may change places, within a set or between two.  Collective; a rank without
 * blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 * Arrays of fields in the memory of a device lie there, zeroed for all streams when alloc returns.  Ranks of the same
 * machine can fill their halos, too: one launch in place of packing and unpacking.
 */
hx_status mixed_alloc(mixed *h, mixed_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from mixed_alloc of the same handle.
 * No kernel may be using arrays of a device any more.
 */
hx_status mixed_free(mixed *h, mixed_fields *f);

/*
 * For arrays in memory of your own that ranks of a node share: a window of <hx/window.h> with HX_WINDOW_PARTS or
 * HX_WINDOW_SHARED, made over all ranks of the handle, and maybe more.  From register on, arrays given to start that lie
 * anywhere in it, from their first element to their last, are written by other ranks of the node without a message between,
 * as those of mixed_alloc are.  Several windows may be registered, and one with several handles.  Both calls are
 * collective and fail on all ranks or on none.  unregister does nothing where nothing is registered, and is refused where
 * an exchange under way uses the window.  hx_window_free refuses a window until it was unregistered, or the handle
 * destroyed.
 * Exchanges with fields in the memory of a device gain nothing by it.
 */
hx_status mixed_register(mixed *h, hx_window *window);
hx_status mixed_unregister(mixed *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *mixed_describe(mixed *h);

/* What one exchange (MIXED_ALL, ...) has moved since create. */
hx_status mixed_traffic(const mixed *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 * Those of exchanges on a device are pinned memory of the host, and packed when the stream has passed start: wait for it.
 * Until then nothing may be received into them, either: what unpacks the exchange before may still be reading there.
 */
hx_status mixed_message_buffers(const mixed *h, int exchange, hx_message_buffer *buffer, int *count);

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
 * More about exchanges on a device follows.
 */

/*
 * Exchanges with fields in the memory of a device have a stream besides: a cudaStream_t, or NULL for the default one.
 *
 * The device is the one that was current when the handle was made, and is to be current again in each call.  Arrays there
 * come from cudaMalloc, cudaMallocManaged or mixed_alloc; others are refused, and named.
 *
 * start packs when the stream has done what it was given before, and returns at once.  finish waits until the messages
 * have come and gone, and returns then: it unpacks when the stream has done what it was given before, and what the stream is
 * given behind finish finds the ghost points filled.  That may be another stream than start's.  Other streams wait for this
 * one by an event of yours.  What is said above of the time between start and finish goes for kernels by when they run: those
 * given to the stream before start run before, those given to it behind finish after.  Ghost points may change as soon as the
 * stream has come to start: with arrays of mixed_alloc other ranks of the node write straight into them, and the rank
 * itself copies.  So what reads old ones in another stream, be it that of finish, is to be before start by an event of yours.
 *
 * Messages leave from calls of libhx, when they are packed, and so not before finish, maybe: between start and finish do not
 * wait for a rank that comes to that after its own finish, whatever the schedule.  So launch what there is to do meanwhile,
 * and call finish at once: the device works on while the host waits there.
 *
 * Fields of the host that travel along are packed by the host itself, in start or send, and unpacked in finish or receive;
 * send and receive take the arrays that pack or unpack was given last.
 *
 * The same in halves, for CUDA graphs, which messages cannot be part of:
 *
 *     pack      packs, and copies within the rank, in the stream itself.  It waits for nothing, has no event and allocates
 *               nothing, so that the stream may be being captured.
 *     send      has the messages leave when the stream has come to here, and returns at once.
 *     receive   returns when all messages have come and gone.
 *     unpack    fills ghost points, or adds them up, and fills walls, in the stream; it may be captured as pack may.
 *
 * A graph takes the place of pack or unpack as often as it is launched, with the arrays that these were given.  To and from
 * ranks of the same node send and receive copy messages once more, within devices and between them.  In one
 * stream this order is right: what writes owned points, pack, send, receive, unpack, what reads ghost points, the next
 * pack.  Between streams it is yours to keep: a pack runs behind the unpack of the exchange before, and none between send
 * and receive.  start, finish and send refuse a stream that is being captured.  Halves go together with the other calls:
 * start, receive, unpack, or pack, send, finish, which fills the arrays that pack was given; behind a graph take unpack, or
 * its graph, since only you know which arrays a graph has, and whether it was launched.
 *
 * A call of CUDA's that fails is HX_ERR_DEVICE, with its text, also where a kernel of yours has failed before; the handle
 * can only be destroyed then.
 */

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
 *     Adds: each ghost point that has an owner is added to it, and is set to zero.  What an owner gets is summed in an
 *     order that depends on the blocks alone, neither on ranks nor on transports.  Between start and finish leave alone the
 *     owned points within the width, too: finish changes them.
 */
hx_status mixed_sums_start(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_sums_test(mixed *h, int *done);
hx_status mixed_sums_finish(mixed *h, hx_stream stream);
hx_status mixed_sums(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_sums_pack(mixed *h, const mixed_fields *f, hx_stream stream);
hx_status mixed_sums_send(mixed *h, hx_stream stream);
hx_status mixed_sums_receive(mixed *h);
hx_status mixed_sums_unpack(mixed *h, const mixed_fields *f, hx_stream stream);

/*
 * A file that includes this header links with the mixed.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load mixed.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char mixed_model_348cef8f3c9cbf4b_14;
static const char *const mixed_asks_for_model HX_KEPT = &mixed_model_348cef8f3c9cbf4b_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *mixed_handle(mixed *h);
extern const struct hx_spec mixed_spec;

#ifdef __cplusplus
}
#endif
#endif
