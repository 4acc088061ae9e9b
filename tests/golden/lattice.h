/*
 * lattice: halo exchanges for the fields of lattice.lua.
 *
 * Emitted by halogen 0.1.0 from lattice.lua, model 0a7cea58f8793152.
 * Do not edit: change the spec and generate again.  This file belongs to whoever wrote the spec.
 * This header is for C from C99 on and for C++ from C++11 on; lattice.c is C11.
 *
 * Grid
 *     Cartesian, axes x, y and z; periodic along x and z; walls across y.
 *     Any number of cells.
 *     Decomposed along any axis.
 *
 * Fields
 *     name   type    memory      halo along x, y, z (low:high)
 *     f      double  [19] x y z  1, 1, 1
 *     solid  bool    x y z       1, 1, 1
 *     (memory: axes from the fastest to the slowest, and where among them the [components] lie)
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
 * Bytes that a block with neighbors on all sides receives, from itself too
 *     populations    8 * (10 * ny * nz + 10 * nx * nz + 10 * nx * ny + 4 * nz + 4 * ny + 4 * nx)
 *     geometry       1 * ((nx + 2) * (ny + 2) * (nz + 2) - nx * ny * nz)
 *
 * Ghost points that an exchange leaves as they are
 *     populations  beyond the walls across y
 *                  components of f that do not move from there into the block
 *     geometry     beyond the walls across y
 *     and every field that an exchange does not name.  These points are yours: they keep what you wrote.
 *
 * How to use it, with every status compared with HX_OK and hx_last_error() shown where it differs
 *     hx_partition grid = lattice_partition(nx, ny, nz);
 *     hx_part mine;
 *     hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     lattice_shape shape = lattice_shape_best(&mine);       or lattice_shape_dense, or strides of your own
 *     lattice *halo;
 *     lattice_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     lattice_fields f;
 *     lattice_alloc(halo, &f);         or your own: f.f = calloc(lattice_points(&shape, LATTICE_F), sizeof *f.f);
 *     for (each time step) {
 *         lattice_populations_start(halo, &f);
 *         work that reads no ghost point and writes no point near a side;
 *         lattice_populations_finish(halo);
 *         the rest of the work;
 *     }
 *     lattice_destroy(halo);           frees f, too
 */
#ifndef HALOGEN_LATTICE_H
#define HALOGEN_LATTICE_H

#include <hx/hx.h>

#include <stdbool.h>
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
    LATTICE_AXIS_X,
    LATTICE_AXIS_Y,
    LATTICE_AXIS_Z,
    LATTICE_AXES
};

/* Fields and exchanges by number. */
enum {
    LATTICE_F,
    LATTICE_SOLID,
    LATTICE_FIELDS
};
enum {
    LATTICE_POPULATIONS,
    LATTICE_GEOMETRY,
    LATTICE_EXCHANGES
};

/*
 * Where the points of a block lie in the arrays.  A field's array holds its halo and its owned points; component c of
 * owned point (x, y, z) of field f is f[lattice_f_at(&shape, x, y, z, c)], and indices below 0 or beyond the block's
 * cells are those of the halo.  Rows and planes may be padded: make the strides larger than lattice_shape_dense does.
 */
typedef struct lattice_shape {
    /* The cells of the block: part.n[] along x, y, z. */
    hx_part part;
    /*
     * Elements from a point to the next along each axis.  Along the fastest 1, or as many as a point has components side by
     * side; there all others are multiples of that.
     */
    ptrdiff_t stride[LATTICE_FIELDS][3];
} lattice_shape;

/*
 * One block's arrays, from their first allocated element on; yours, or from lattice_alloc.  Those that an exchange does
 * not name may be NULL.
 */
typedef struct lattice_fields {
    double *f;
    bool *solid;
} lattice_fields;

/*
 * All exchanges of one set of blocks.  One thread at a time uses a handle: any thread where MPI
 * was initialised with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the one that made it.  A child of
 * the process (fork) cannot.
 */
typedef struct lattice lattice;

/*
 * The partition of the grid: how many ranks lie along each axis is left to hx_decompose,
 * which weighs the bytes that cross a cell face along each axis: the last numbers.
 */
static inline hx_partition lattice_partition(int nx, int ny, int nz)
{
    hx_partition partition = {3, {nx, ny, nz}, {0, 0, 0}, 0, {NULL, NULL, NULL}, {1, 0, 1}, {82.0, 82.0, 82.0}};
    return partition;
}

/* The shape of a block whose arrays have no padding. */
lattice_shape lattice_shape_dense(const hx_part *part);

/*
 * A shape that caches like better: a stride of the dense one that is a multiple of 512 bytes, so that few lines of a cache
 * serve a walk along it, is 64 bytes larger, or as many as whole points take.
 */
lattice_shape lattice_shape_best(const hx_part *part);

/* Elements to allocate for a field's array (LATTICE_F, ...), all its components. */
size_t lattice_points(const lattice_shape *shape, int field);

/*
 * Index of a point, or of component c of it, in a field's array.
 * Compiled with -DHX_CHECK_INDICES, these functions assert that each index is in the range of its axis.
 */
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

/*
 * The model of the spec and the version of the code that this header is of.  Create compares them with those of the
 * lattice.c that it meets.  Who calls create by name, from another language or through dlsym, calls a function that ends
 * in _for, and gives the model that it was made for.
 */
#define LATTICE_ASKS_FOR_MODEL "0a7cea58f8793152_14"

hx_status lattice_create_for(const char *model, MPI_Comm comm, const lattice_shape *shape, const hx_options *options,
                             lattice **h);
hx_status lattice_create_blocks_for(const char *model, const hx_blocks *blocks, const lattice_shape *shapes,
                                    const hx_options *options, lattice **h);

/*
 * Makes the exchanges of one block a rank.  Collective over comm, which is duplicated; the shape is copied.
 * options: NULL for the defaults.  Fails on all ranks, with *h set to NULL, or on none.
 */
static inline hx_status lattice_create(MPI_Comm comm, const lattice_shape *shape, const hx_options *options, lattice **h)
{
    return lattice_create_for(LATTICE_ASKS_FOR_MODEL, comm, shape, options, h);
}

/* The same for any number of blocks a rank: shapes[0 ... blocks->count - 1] are those of this rank's blocks. */
static inline hx_status lattice_create_blocks(const hx_blocks *blocks, const lattice_shape *shapes,
                                              const hx_options *options, lattice **h)
{
    return lattice_create_blocks_for(LATTICE_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

/*
 * Collective.  NULL is allowed.  Refused on a rank where an exchange is under way: finish it, and call again.  Frees all
 * arrays from lattice_alloc that are left.
 */
hx_status lattice_destroy(lattice *h);

/*
 * Allocates an array for every field: f is one struct per block, in the order of the shapes, and its pointers are set.
 * The arrays are zeroed, and lie where exchanges and loops over several of them are fast: where long runs of points
 * travel, in memory that ranks of a machine share, so that peers there can fill the halos of this rank.  Any number of such
 * sets may be had, and arrays of the same shape may change places, within a set or between two.  Collective; a rank without
 * blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 */
hx_status lattice_alloc(lattice *h, lattice_fields *f);

/*
 * Frees the arrays that f points to, passing over NULL, and sets its pointers to NULL.  Collective.  Refused on all ranks,
 * with nothing freed, where an exchange under way uses one of them, or one is not from lattice_alloc of the same handle.
 */
hx_status lattice_free(lattice *h, lattice_fields *f);

/*
 * For arrays in memory of your own that ranks of a node share: a window of <hx/window.h> with HX_WINDOW_PARTS or
 * HX_WINDOW_SHARED, made over all ranks of the handle, and maybe more.  From register on, arrays given to start that lie
 * anywhere in it, from their first element to their last, are written by other ranks of the node without a message between,
 * as those of lattice_alloc are.  Several windows may be registered, and one with several handles.  Both calls are
 * collective and fail on all ranks or on none.  unregister does nothing where nothing is registered, and is refused where
 * an exchange under way uses the window.  hx_window_free refuses a window until it was unregistered, or the handle
 * destroyed.
 */
hx_status lattice_register(lattice *h, hx_window *window);
hx_status lattice_unregister(lattice *h, hx_window *window);

/* What is really used, peer by peer, in words.  Valid until the next call or destroy. */
const char *lattice_describe(lattice *h);

/* What one exchange (LATTICE_POPULATIONS, ...) has moved since create. */
hx_status lattice_traffic(const lattice *h, int exchange, hx_traffic *traffic);

/*
 * With the transport "manual": the messages of an exchange, which you move between start and finish; see hx/hx.h.
 * buffer: NULL, or room for *count of them, which is set.
 */
hx_status lattice_message_buffers(const lattice *h, int exchange, hx_message_buffer *buffer, int *count);

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

/*
 * A file that includes this header links with the lattice.c of the same spec and version only: of one that was made before
 * or after, or of another spec of this name, this symbol is missing.  Then generate, compile and link all of them again.
 * Programs that load lattice.c with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifndef HX_LOADED_LATER
extern const char lattice_model_0a7cea58f8793152_14;
static const char *const lattice_asks_for_model HX_KEPT = &lattice_model_0a7cea58f8793152_14;
#endif

/*
 * For frameworks that have exchanges by number, and no C for each spec; include <hx/abi.h>.  The handle is what hx_start,
 * hx_finish and their like take, with the number of an exchange and the address of a struct of fields for each block.
 * The spec is the tables behind all this: exchange[] and field[] have names, types and widths by number, and where in the
 * struct of fields the pointer of each field lies.
 */
struct hx_handle *lattice_handle(lattice *h);
extern const struct hx_spec lattice_spec;

#ifdef __cplusplus
}
#endif
#endif
