/*
 * polygons: halo exchanges for the fields of polygons.lua.
 *
 * Emitted by halogen 0.1.0 from polygons.lua, model a808e0924300a5ee.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; polygons.c is C11.
 *
 * Grid
 *     Index list: points along cell that are each rank's own, as many as it says; who feeds whom is said at run time,
 *     by lists of points that create is given.
 *     The 6 points along level go along whole with each point.
 *
 * Fields
 *     name  type    memory          points along cell, level
 *     t     double  level cell      center, center
 *     qv    double  level cell      center, center
 *     w     float   level cell      center, both
 *     land  int     [2] level cell  center, center
 *     (memory: axes from the fastest to the slowest, and where among them the [components] lie)
 *     (t, qv, w: in the memory of a device)
 *     (t, qv: fixed strides, 6 elements along cell)
 *     (w: fixed strides, 7 elements along cell)
 *     (land: fixed strides, 12 elements along cell)
 *     (both: one point more along level than others have)
 *
 * Exchanges
 *     state   t, qv, w, land
 *     fluxes  adds; land, qv, w
 *     host    land
 *
 * Bytes that travel with each point
 *     state   24 * 6 + 4 * (6 + 1)
 *     fluxes  16 * 6 + 4 * (6 + 1)
 *     host    8 * 6
 *
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_part mine = polygons_part(n_cell);
 *     polygons_shape shape = polygons_shape_dense(&mine);
 *     hx_ids ids = {.points = mine.n[0], .id = id, .owned = m};   the first m are mine; id: numbers of the whole grid
 *     hx_index_list *list;
 *     hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &list);          or lists of your own, see hx/hx.h
 *     polygons *halo;
 *     polygons_create(MPI_COMM_WORLD, &shape, list, NULL, &halo);
 *     hx_index_list_free(list);
 *     polygons_fields f;
 *     polygons_alloc(halo, &f);         or your own: f.t of cudaMalloc, polygons_points(&shape, POLYGONS_T) * sizeof *f.t bytes;
 *     for (each time step) {
 *         polygons_state_start(halo, &f, stream);
 *         kernels in the stream that read no point that is received and write none that is sent;
 *         polygons_state_finish(halo, stream);
 *         the rest of the work, in the stream;
 *     }
 *     polygons_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_POLYGONS_H
#define HALOGEN_POLYGONS_H

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
    POLYGONS_AXIS_CELL,
    POLYGONS_AXIS_LEVEL,
    POLYGONS_AXES
};

/* Fields and exchanges by number. */
enum {
    POLYGONS_T,
    POLYGONS_QV,
    POLYGONS_W,
    POLYGONS_LAND,
    POLYGONS_FIELDS
};
enum {
    POLYGONS_STATE,
    POLYGONS_FLUXES,
    POLYGONS_HOST,
    POLYGONS_EXCHANGES
};

/*
 * Where the points of a rank lie in the arrays.  Point cell, level of field t is
 * t[polygons_t_at(&shape, cell, level)].  Strides may be larger than those that polygons_shape_dense
 * makes, but those that are fixed.
 */
typedef struct polygons_shape {
    /* The points of the rank: part.n[] along cell, level. */
    hx_part part;
    /*
     * Elements from a point to the next along each axis.  Along the fastest 1, or as many as a point has components side by
     * side; there all others are multiples of that.
     */
    ptrdiff_t stride[POLYGONS_FIELDS][2];
} polygons_shape;

/*
 * The rank's arrays, from their first allocated element on; yours, or from polygons_alloc.  Those that an exchange does
 * not name may be NULL.
 * Arrays of fields in the memory of a device (see above) lie there, where the host cannot read or write them.
 */
typedef struct polygons_fields {
    double *t;
    double *qv;
    float *w;
    int *land;
} polygons_fields;

/*
 * All exchanges of one set of lists.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct polygons polygons;

/* The points of a rank: all those that its arrays have, owned ones and those of its halo; 0 or more. */
static inline hx_part polygons_part(int n_cell)
{
    hx_part part = {{0, {0}, {0}, 0, {NULL}, {0}, {0.0}}, 0, {0}, {0}, {n_cell, 6}};
    return part;
}

/* The shape of arrays that have no padding. */
polygons_shape polygons_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.  Fixed strides stay as they are.
 */
polygons_shape polygons_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (POLYGONS_T, ...), all its components. */
size_t polygons_points(const polygons_shape *shape, int field);

/*
 * Index of a point, or of component c of it, in a field's array.  For kernels, too, which are given the shape by value.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
static inline HX_HOST_DEVICE ptrdiff_t polygons_t_at(const polygons_shape *s, int cell, int level)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL]);
    return level + cell * (ptrdiff_t)6;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_qv_at(const polygons_shape *s, int cell, int level)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL]);
    return level + cell * (ptrdiff_t)6;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_w_at(const polygons_shape *s, int cell, int level)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL] + 1);
    return level + cell * (ptrdiff_t)7;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_land_at(const polygons_shape *s, int cell, int level, int c)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL]);
    HX_CHECK_INDEX(0, c, 2);
    return level * (ptrdiff_t)2 + cell * (ptrdiff_t)12 + c;
}

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * polygons.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define POLYGONS_ASKS_FOR_MODEL "a808e0924300a5ee_14"

hx_status polygons_create_for(const char *model, MPI_Comm comm, const polygons_shape *shape, const hx_index_list *list,
                              const hx_options *options, polygons **h);

/*
 * Makes the exchanges of the points of all ranks.  list: with whom this rank shares which of its points, see hx/hx.h.
 * Collective over comm, which is duplicated; shape and list are copied.  Refused where points do not exist, are received
 * twice or both sent and received, and where two ranks list different numbers of points for each other.
 * options: NULL for the defaults.  Fails on all ranks, with *h set to NULL, or on none.
 * The handle works on the device that is current in the calling thread; where there is none, create fails.
 */
static inline hx_status polygons_create(MPI_Comm comm, const polygons_shape *shape, const hx_index_list *list,
                                        const hx_options *options, polygons **h)
{
    return polygons_create_for(POLYGONS_ASKS_FOR_MODEL, comm, shape, list, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from polygons_alloc that are left.
 * Streams have to be through with what pack and unpack, or graphs of them, were given.  Waits for the other ranks of the
 * node, which write into memory of this one's device.
 */
hx_status polygons_destroy(polygons *h);

/*
 * Allocates an array for every field, and sets the pointers of f.  The arrays are zeroed, and lie where exchanges and loops
 * over several of them are fast.  Any number of such sets may be had, and arrays of the same shape may change places,
 * within a set or between two.  Collective.  Fails on all ranks, with f left as it was, or on none.
 * Arrays of fields in the memory of a device lie there, zeroed for all streams when alloc returns.
 */
hx_status polygons_alloc(polygons *h, polygons_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from polygons_alloc of the same handle.
 * No kernel may be using arrays of a device any more.
 */
hx_status polygons_free(polygons *h, polygons_fields *f);

/*
 * For windows of <hx/window.h> in which arrays lie: within a node points that a rank receives in one run, in the order of
 * its list, are written straight into such arrays, as into those of polygons_alloc.  Both calls are collective and fail on
 * all ranks or on none.  unregister does nothing where nothing is registered, and is refused where an exchange under way
 * uses the window.  hx_window_free refuses a window until it was unregistered, or the handle destroyed.
 */
hx_status polygons_register(polygons *h, hx_window *window);
hx_status polygons_unregister(polygons *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *polygons_describe(polygons *h);

/* What one exchange (POLYGONS_STATE, ...) has moved since create. */
hx_status polygons_traffic(const polygons *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 * Those of exchanges on a device are pinned memory of the host, and packed when the stream has passed start: wait for it.
 * Until then nothing may be received into them, either: what unpacks the exchange before may still be reading there.
 */
hx_status polygons_message_buffers(const polygons *h, int exchange, hx_message_buffer *buffer, int *count);

/*
 * The exchanges.  Collective: every rank calls start and finish of each; the function without a suffix does both.
 *
 * f: the pointers are copied; they may differ from call to call, but each array is given for one field.  Between start and
 * finish leave the points alone that are received, and do not write those that are sent; reading these is always allowed.
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
 * come from cudaMalloc, cudaMallocManaged or polygons_alloc; others are refused, and named.
 *
 * start packs when the stream has done what it was given before, and returns at once.  finish waits until the messages
 * have come and gone, and returns then: it unpacks when the stream has done what it was given before, and what the stream is
 * given behind finish finds the received points filled.  That may be another stream than start's.  Other streams wait for this
 * one by an event of yours.  What is said above of the time between start and finish goes for kernels by when they run: those
 * given to the stream before start run before, those given to it behind finish after.  Points that are received may change as
 * soon as the stream has come to start: the rank itself copies.  So what reads old ones in another stream, be it that of
 * finish, is to be before start by an event of yours.
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
 *     unpack    fills the points that are received, or adds what came, in the stream; it may be captured as pack may.
 *
 * A graph takes the place of pack or unpack as often as it is launched, with the arrays that these were given.  To and from
 * ranks of the same node send and receive copy messages once more, within devices and between them.  In one
 * stream this order is right: what writes owned points, pack, send, receive, unpack, what reads the others, the next
 * pack.  Between streams it is yours to keep: a pack runs behind the unpack of the exchange before, and none between send
 * and receive.  start, finish and send refuse a stream that is being captured.  Halves go together with the other calls:
 * start, receive, unpack, or pack, send, finish, which fills the arrays that pack was given; behind a graph take unpack, or
 * its graph, since only you know which arrays a graph has, and whether it was launched.
 *
 * A call of CUDA's that fails is HX_ERR_DEVICE, with its text, also where a kernel of yours has failed before; the handle
 * can only be destroyed then.
 */

/*
 * state, line 8 of the spec.
 *     t, qv, w, land
 *     The points that are received become those that their peers send; all others stay as they are.
 *     In the memory of the device: t, qv, w; in that of the host: land.
 */
hx_status polygons_state_start(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_state_test(polygons *h, int *done);
hx_status polygons_state_finish(polygons *h, hx_stream stream);
hx_status polygons_state(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_state_pack(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_state_send(polygons *h, hx_stream stream);
hx_status polygons_state_receive(polygons *h);
hx_status polygons_state_unpack(polygons *h, const polygons_fields *f, hx_stream stream);

/*
 * fluxes, line 9 of the spec.
 *     land, qv, w
 *     Adds the points that are received into those that their peers send, and sets them to zero: here what the lists
 *     receive travels, to where they send from.  Each sum is made in the order of the ranks, then of the lists, whatever
 *     the transport.  Between start and finish leave alone the points that are sent, too: finish changes them.
 *     In the memory of the device: qv, w; in that of the host: land.
 */
hx_status polygons_fluxes_start(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_fluxes_test(polygons *h, int *done);
hx_status polygons_fluxes_finish(polygons *h, hx_stream stream);
hx_status polygons_fluxes(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_fluxes_pack(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_fluxes_send(polygons *h, hx_stream stream);
hx_status polygons_fluxes_receive(polygons *h);
hx_status polygons_fluxes_unpack(polygons *h, const polygons_fields *f, hx_stream stream);

/*
 * host, line 10 of the spec.
 *     land
 *     The points that are received become those that their peers send; all others stay as they are.
 */
hx_status polygons_host_start(polygons *h, const polygons_fields *f);
hx_status polygons_host_test(polygons *h, int *done);
hx_status polygons_host_finish(polygons *h);
hx_status polygons_host(polygons *h, const polygons_fields *f);

/*
 * A file that includes this header links with the polygons.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load polygons.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char polygons_model_a808e0924300a5ee_14;
static const char *const polygons_asks_for_model HX_KEPT = &polygons_model_a808e0924300a5ee_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *polygons_handle(polygons *h);
extern const struct hx_spec polygons_spec;

#ifdef __cplusplus
}
#endif
#endif
