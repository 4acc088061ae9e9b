/*
 * libhx: halo exchange for block-structured grids over MPI.
 *
 * Code that halogen emits includes this header; applications that call emitted code get it that way.
 * What a function of this file promises is said at its declaration.  In this order: types of points; status;
 * partitions; lists of points; boxes of points; walls; options; what travels; what the header of a spec
 * declares; exchanges by number.  Three rules hold everywhere:
 *
 * - Every function that can fail returns an hx_status.  HX_OK is zero.  For any other value hx_last_error()
 *   holds a sentence that names the place in the spec, the rank, the numbers that disagree and a way out.
 *   The library never aborts, exits only where the option deadline_exit asks for it, and prints nothing unless
 *   asked to.
 * - "Collective" means: every rank of the communicator calls it, in the same order.  A collective function
 *   fails on all ranks or on none.  The exception is destroy: it is refused on a rank where an exchange is
 *   under way; finish that, and call destroy again there.
 * - Axes are counted from 0 in the order in which the spec lists them; ranks, tiles and blocks from 0, too.
 */
#ifndef HX_HX_H
#define HX_HX_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <hx/version.h>

#include <mpi.h>
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <complex>
extern "C" {
#endif

enum { HX_MAX_AXES = 4 };

/* Along one axis of a tile.  Twice as many and the points of halos still fit an int. */
enum { HX_MAX_CELLS = 1000000000 };

/* A cudaStream_t, for exchanges in the memory of devices. */
typedef struct CUstream_st *hx_stream;

/* After a variable that nothing reads: compilers and linkers keep it all the same, and what it points to. */
#if defined __has_attribute && defined __ELF__
#if __has_attribute(retain)
#define HX_KEPT __attribute__((used, retain))
#endif
#endif
#if !defined HX_KEPT && defined __GNUC__
#define HX_KEPT __attribute__((used))
#elif !defined HX_KEPT
#define HX_KEPT
#endif

/* Before functions that kernels of a device may call, too. */
#if defined __CUDACC__ || defined __HIPCC__
#define HX_HOST_DEVICE __host__ __device__
#else
#define HX_HOST_DEVICE
#endif

/*
 * In the functions of emitted headers that give the index of a point.  Programs compiled with
 * -DHX_CHECK_INDICES stop by assert where an index is outside of its axis, halo included, as happens where
 * two indices, or two extents before, have changed places.  One behind the last is allowed, for ends of
 * loops.  Otherwise the check costs nothing.
 */
#ifdef HX_CHECK_INDICES
#include <assert.h>
#define HX_CHECK_INDEX(first, index, last) assert((first) <= (index) && (index) <= (last))
#else
#define HX_CHECK_INDEX(first, index, last) ((void)0)
#endif

/* ---- types of points that C and C++ spell differently, or not at all ------------------------- */

#ifdef __cplusplus
typedef std::complex<float> hx_complex64;
typedef std::complex<double> hx_complex128;
#elif !defined(__STDC_NO_COMPLEX__)
typedef float _Complex hx_complex64;
typedef double _Complex hx_complex128;
#endif

/*
 * Half precision.  HX_HALF is 1 where hx_half is a type to compute with.  Where the compiler has none it is 0
 * and hx_half an integer with the same 16 bits, which can be exchanged all the same: convert it yourself.
 * g++ before 13 knows its limits everywhere, but has it on x86 only.
 */
#if defined(__FLT16_MAX__) &&                                                                                \
    (!defined(__cplusplus) || defined(__clang__) || __GNUC__ >= 13 || defined(__SSE2__))
#define HX_HALF 1
__extension__ typedef _Float16 hx_half;
#else
#define HX_HALF 0
typedef uint16_t hx_half;
#endif

/* ---- status ------------------------------------------------------------------------------------------- */

typedef enum hx_status {
    HX_OK = 0,
    HX_ERR_ARGUMENT,  /* a null or unaligned pointer, a number out of range */
    HX_ERR_STATE,     /* a call out of order: start twice, finish without start, use after MPI_Finalize */
    HX_ERR_PARTITION, /* cells, ranks, cuts or extents that do not fit each other or the spec */
    HX_ERR_MISMATCH,  /* ranks that run different specs, partitions or options; the header of another spec */
    HX_ERR_MEMORY,    /* an allocation failed */
    HX_ERR_MPI,       /* an MPI call failed; the sentence has MPI's own text */
    HX_ERR_DEADLINE,  /* the deadline of the options passed while waiting; the handle can only be destroyed */
    HX_ERR_LIMIT,     /* larger than what the library or MPI can count */
    HX_ERR_INTERNAL,  /* a bug of libhx: please report it */
    HX_ERR_DEVICE     /* there is no device, or a call of its library failed; the sentence has its text */
} hx_status;

/* The name of a status, as it is spelled above.  Any thread, any time. */
const char *hx_status_name(hx_status status);

/* What went wrong in the last call of this thread that failed; "" if none did.  Valid until the next one. */
const char *hx_last_error(void);

/* The status of that call, for calls that give something else; HX_OK if none failed. */
hx_status hx_last_status(void);

/*
 * Makes a sentence what hx_last_error gives, and returns the status: for what lies between this library and an
 * application, as the modules of other languages do.
 */
hx_status hx_refuse(hx_status status, const char *text);

/* ---- partitions: which cells of the grid a rank owns ----------------------------------------- */

/*
 * How the cells of one tile (a Cartesian grid is one tile) are divided.  Emitted code has name_partition(),
 * which fills in everything but the sizes; change ranks[] and cuts[] as you like.
 */
typedef struct hx_partition {
    int axes;
    int cells[HX_MAX_AXES]; /* of the whole tile, 1 to HX_MAX_CELLS */
    int ranks[HX_MAX_AXES]; /* parts along each axis; 0: hx_decompose chooses */
    /* Along which axis the numbers of blocks rise first, and so which rank has which block: 0: the last, 1:
     * the first, for specs with blocks = "first-fastest". */
    int first_fastest;
    /* cuts[a][0 ... ranks[a]], rising from 0 to cells[a]; NULL: as even as possible.  Yours; must live as
       long as the partitions and parts made from it. */
    const int *cuts[HX_MAX_AXES];
    /* Counted when choosing: a periodic axis has one cut more. */
    int periodic[HX_MAX_AXES];
    /* Counted when choosing: bytes that cross one cell face of a cut across the axis. */
    double face_bytes[HX_MAX_AXES];
} hx_partition;

/* One part of a partition: the cells of one block. */
typedef struct hx_part {
    hx_partition partition; /* that it is part of, ranks[] chosen */
    int tile;               /* 0 on a Cartesian grid */
    int index[HX_MAX_AXES]; /* which part along each axis */
    int first[HX_MAX_AXES]; /* its first cell, counted in the tile */
    int n[HX_MAX_AXES];     /* its cells along each axis, 1 or more */
} hx_part;

/*
 * Divides one tile among all ranks of comm, one part each, and gives this rank its own.  Ranks are numbered
 * as MPI_Cart_create does, the last axis varies fastest, or the other way round: request->first_fastest.
 * Where request->ranks[a] is 0 it is chosen so that the busiest rank sends and receives the fewest bytes (see
 * hx_explain_partition), then has the fewest neighbors.  Pure arithmetic: no communication, not collective;
 * with equal arguments every rank computes the same partition.  On failure *mine is set to zeros, as by all
 * functions here that give a part.
 */
hx_status hx_decompose(MPI_Comm comm, const hx_partition *request, hx_part *mine);

/* The same for one rank of so many, without MPI. */
hx_status hx_decompose_as(int rank, int ranks, const hx_partition *request, hx_part *mine);

/*
 * Writes why a partition was chosen: a table of the best candidates.  Bytes are those that the busiest rank
 * sends and receives when every exchange is done once, as face_bytes says; the few of corners and edges are
 * not counted.  Neighbors are the parts around it, corners included.  An exchange sends each of them one
 * message at most.  At most size bytes with the final zero are written.  Returns the length of the whole text.
 */
size_t hx_explain_partition(int ranks, const hx_partition *request, char *text, size_t size);

/*
 * Part number `block` (the last axis fastest, or the first: partition->first_fastest) of a partition whose
 * ranks[] are all given.  Arithmetic only.  For codes with several blocks a rank; others have hx_decompose.
 */
hx_status hx_part_of(const hx_partition *partition, int tile, int block, hx_part *part);

/*
 * For codes that have their own Cartesian communicator: the partition and the part of a rank that owns n[a]
 * cells along axis a, one axis per dimension of cart.  Collective over cart.  Periodicity comes from the
 * spec, not from cart.  MPI numbers the ranks of cart with the last axis fastest: for specs without
 * blocks = "first-fastest".  The cuts are allocated.  Create copies them: release them with
 * hx_partition_free, which is for these partitions only, after the last create that uses them.
 */
hx_status hx_partition_from_cart(MPI_Comm cart, const int n[], hx_part *mine);
void hx_partition_free(hx_partition *partition);

/*
 * Instead of a rank: nobody owns the block.  It takes no part, as land in an ocean: no rank gives its shape,
 * and what its neighbors have of it in their halos are walls, which `boundary` fills, or nothing does.
 */
enum { HX_NO_OWNER = -1 };

/*
 * Blocks of a grid and who owns them, for create functions that take any number of blocks a rank.
 * The number of blocks of tile t is the product of partition[t].ranks[].
 */
typedef struct hx_blocks {
    MPI_Comm comm;                 /* any intracommunicator; duplicated */
    int tiles;                     /* as in the spec */
    const hx_partition *partition; /* one per tile, ranks[] all given */
    /*
     * The rank that owns a block, or HX_NO_OWNER; the same answer on every rank; called during create only.
     * NULL: the blocks of all tiles in order, one a rank.
     */
    int (*owner)(void *context, int tile, int block);
    void *context;
    int count; /* blocks that this rank owns; the shapes given beside this struct are theirs, in any order */
    /*
     * Instead of a function: the ranks that own the blocks of tile 0, then of tile 1, ...; equal on all
     * ranks, read during create only.  NULL: the function, if there is one.
     */
    const int *owners;
} hx_blocks;

/* ---- lists of points: grids that no box describes ---------------------------------------------- */

/*
 * What this rank shares with one other, or with itself, on a grid that is a list of points (index_list in a
 * spec): numbers of its own points, counted from 0.  The first point that is received is the first one that
 * the other rank sends, and so on.
 */
typedef struct hx_peer {
    int rank;
    int sends;
    const int *send; /* points that the other rank gets: any, also several times */
    int receives;
    const int *receive; /* points that it fills: each in one list, once, and not among those that are sent */
} hx_peer;

typedef struct hx_index_list {
    int peers;
    const hx_peer *peer; /* each rank once, in any order */
} hx_index_list;

/* Points of a rank by numbers of the whole grid, which mean the same on all ranks. */
typedef struct hx_ids {
    int points;
    const int64_t *id; /* of each point: 0 or more, or -1 for points that take no part, such as land */
    int owned;         /* this rank owns the first so many points, and the others are of its halo; ... */
    const unsigned char *owns; /* ... unless this is not NULL: 1 for points that it owns, 0 for others */
} hx_ids;

/*
 * The lists of a rank whose points have these ids.  What it does not own comes from the rank that owns the
 * id, maybe itself, in the order of its points.  Refused where an id has two owners, or one in a halo none.
 * Collective; each rank talks to those that it shares ids with, and to those that keep account of a part of
 * the range of ids.  The list serves any number of creates, and none changes it; free it behind the last.
 */
hx_status hx_index_list_of_ids(MPI_Comm comm, const hx_ids *ids, hx_index_list **list);
void hx_index_list_free(hx_index_list *list); /* of hx_index_list_of_ids; NULL is allowed */

/* ---- boxes of points: for loops and kernels --------------------------------------------------- */

/* Points of a block, counted as by NAME_Q_at(); 0 and 1 for axes that the grid does not have. */
typedef struct hx_box {
    int lo[HX_MAX_AXES]; /* lo <= index < hi */
    int hi[HX_MAX_AXES];
    size_t points;
} hx_box;

enum { HX_MAX_BOXES = 2 * HX_MAX_AXES };

/* Boxes that have no point in common.  Kernels take them by value, and NAME_point() finds their points. */
typedef struct hx_boxes {
    size_t points; /* of all boxes */
    int count;
    hx_box box[HX_MAX_BOXES];
} hx_boxes;

/* Points of a box along an axis. */
static inline HX_HOST_DEVICE size_t hx_box_length(const hx_box *box, int axis)
{
    return (size_t)(box->hi[axis] - box->lo[axis]);
}

/* The box that has point number *n, which becomes its number there; NULL: there are fewer. */
static inline HX_HOST_DEVICE const hx_box *hx_find_box(const hx_boxes *boxes, size_t *n)
{
    for (int b = 0; b < boxes->count; ++b) {
        if (*n < boxes->box[b].points) {
            return &boxes->box[b];
        }
        *n -= boxes->box[b].points;
    }
    return NULL;
}

/* Blocks of threads to launch, for a kernel with a thread for each point.  At least one: CUDA refuses none. */
static inline unsigned hx_thread_blocks(const hx_boxes *boxes, unsigned threads)
{
    return boxes->points > 0 ? (unsigned)((boxes->points + threads - 1) / threads) : 1;
}

#if defined __CUDACC__ || defined __HIPCC__
/* In a kernel: the number of this thread, of all that were launched. */
static inline __device__ size_t hx_thread(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}
#endif

/* ---- walls ----------------------------------------------------------------------------------- */

/*
 * Ghost points of one field of one block beyond one wall, for a function of the application's that fills them
 * (boundary = "hook" in a spec), with all components.  Where the stencil is a box, ghost points beside them
 * are filled before, and the box includes what lies beyond the wall from those: with neighbors (of fields
 * with directions, these have the components that come that way), and beyond walls across earlier axes.
 */
typedef struct hx_wall {
    int exchange; /* CHANNEL_VELOCITY, ... */
    int field;    /* CHANNEL_U, ... */
    int block;    /* number among the blocks that create was given */
    int axis;     /* the wall lies across it */
    int side;     /* 0 low, 1 high */
    /* lo <= index < hi, counted as by name_u_at(); 0 and 1 for axes that the grid does not have. */
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES];
    void *array; /* the pointer that start was given */
} hx_wall;

/*
 * NAME_set_boundary() gives it to a handle, for all exchanges; NULL takes it away.  Without it, start of such
 * an exchange is HX_ERR_STATE.  Finish calls it on its own thread, for one box at a time.  The function
 * starts, finishes and destroys nothing of the handle that called it: those calls refuse that.  With other
 * handles it may do all that.
 */
typedef void hx_wall_fn(void *context, const hx_wall *wall);

/*
 * The same for fields in the memory of a device, where the host cannot write the box: a function that puts a
 * kernel for it into the stream, and waits for nothing.  What the kernel reads is there when the stream comes
 * to it.  NAME_set_boundary_on() gives it to a handle.  Finish calls it before the messages of the next
 * exchange can be packed; unpack calls it with its own stream, which may be being captured.
 */
typedef void hx_wall_on_fn(void *context, const hx_wall *wall, hx_stream stream);

/* Buffers; hx/pool.h.  Memory that ranks share; hx/window.h. */
typedef struct hx_pool hx_pool;
typedef struct hx_window hx_window;

/* ---- options --------------------------------------------------------------------------------- */

enum { HX_LOG_NONE = 0, HX_LOG_WARNING = 1, HX_LOG_INFO = 2 };

/* Receives one line, without a newline, at a time.  Called on the thread that called the library. */
typedef void hx_log_fn(void *context, int level, const char *line);

/*
 * A team of threads of yours, for the option team.  hx/openmp.h has one of OpenMP.
 *
 * run(state, threads, work, data) calls work(data, thread, n) once in each of n threads, where thread counts
 * from 0 to n - 1, and returns when all of these calls have returned.  At best n is `threads`; where there are
 * fewer, these do all of the work.  The thread that called run may be one of them.  work calls neither MPI nor
 * anything of yours.  Where threads use several handles at once, run is called by each of them.
 */
typedef void hx_team_work_fn(void *data, int thread, int threads);
typedef struct hx_team {
    void (*run)(void *state, int threads, hx_team_work_fn *work, void *data);
    void *state;
} hx_team;

enum { HX_MOST_THREADS = 256 };

/*
 * Start from HX_OPTIONS_INIT and change what you want; NULL stands for HX_OPTIONS_INIT.  Each option can be
 * overridden from the environment by the variable named beside it.  What is marked "agreed" must be equal on
 * all ranks, and create says so if it is not.  The log warns of variables HX_... that libhx does not know.
 */
typedef struct hx_options {
    size_t size; /* sizeof(hx_options): fields can be added, and programs compiled before go on working */
    int version; /* HX_OPTIONS_VERSION */
    /*
     * HX_TRANSPORT agreed; how messages travel.  What a transport cannot carry goes by "persistent".
     *
     * - "auto" (the default): see tune
     * - "shared": memory that the ranks of a node share; not for fields in the memory of a device
     * - "ipc": kernels pack straight into the memory of another device of the node, or of the same one, where
     *   messages go both ways.  The default for exchanges with fields there; "shared" for others
     * - "nccl": a group of NCCL in the stream, where all fields lie in the memory of a device and each rank has
     *   one of its own.  All ranks start in the same order
     * - "persistent", "p2p", "neighbor" (neighborhood collectives)
     * - "partitioned": messages of MPI 4 whose parts threads mark ready
     * - "rma" (puts), "rma-get" (gets), "rma-fence" (puts between fences), "rma-pscw" (puts between post and
     *   wait): through windows, in calls of libhx only; not for fields in the memory of a device
     * - "manual": start packs, finish unpacks, and in between you move the messages; see hx_message_buffer
     * - "mixed", for tests: each pair of ranks by another
     *
     * "neighbor", "partitioned" and those through windows are "persistent" where they fail a probe.  "rma-fence"
     * and "rma-pscw" wait inside MPI in finish, where neither deadline nor other exchanges go on: all ranks
     * finish what they start in the same order, that of the starts.
     */
    const char *transport;
    /*
     * HX_DEADLINE seconds that finish may wait for messages, and create, alloc, free, register and unregister
     * for the other ranks; and once more, 10 at most, for word of them.  0 (the default): for ever.  A rank
     * that comes later is told that others have left; its handle, too, can only be destroyed then.
     *
     * The variable also holds for collective calls without options: hx_partition_from_cart,
     * hx_index_list_of_ids, those of hx/window.h and hx/shared_array.h.
     *
     * Where fields lie in the memory of a device, what its streams have still to do before messages are packed,
     * here or at a peer, counts.  Create, alloc and destroy wait for its streams no longer, and destroy leaves
     * what they may use.  Destroy gives the other ranks of the node as long to close memory of this rank's
     * device, and then leaves it where it is.
     *
     * When a deadline has passed, messages may still arrive in the halos of the exchange: do not free its
     * arrays before the program ends.
     */
    double deadline;
    /*
     * HX_CHECK agreed; 1: each message carries and verifies exchange, sequence and size.  Default 0.  A rank
     * that never calls is found by deadline, not by check.
     */
    int check;
    int timing;     /* HX_TIMING 1: clock pack, wait and unpack for hx_traffic.  Default 0 */
    int log_level;  /* HX_LOG HX_LOG_NONE (the default), HX_LOG_WARNING, HX_LOG_INFO */
    hx_log_fn *log; /* receives what log_level lets through; NULL (the default): standard error */
    void *log_context;
    /*
     * HX_SCHEDULE agreed; "one-phase" (corners directly; start sends everything), "by-dimension" (axis after
     * axis, corners forwarded; one phase where an exchange forbids it) or "auto" (the default: see tune).
     * Results are the same bits.
     *
     * By dimension the later phases go on while this rank waits in libhx, and nowhere else: between start and
     * finish do not wait, by MPI or otherwise, for a rank that comes to that only after its own finish.  With
     * "one-phase" you may, but not with fields in the memory of a device, which always travel in one phase.
     */
    const char *schedule;
    /*
     * HX_DEADLINE_EXIT 1: where a transport waits inside a call of MPI that cannot be given up (fence, flush,
     * post-start-complete-wait), the deadline ends the process, with a sentence on standard error and status
     * 124.  Default 0: such calls have no deadline.
     */
    int deadline_exit;
    /*
     * HX_SHARE_BUFFERS agreed; 1: exchanges of this handle are never under way together, so all use the same
     * buffers, as many as the largest needs.  With the option pool that holds for all handles that were made
     * with that pool and this option.  To start one while another is under way is an error, also from another
     * thread.  Buffers do not grow: make the handle with the largest messages first.  "neighbor", "partitioned"
     * and what uses windows keep buffers for each exchange all the same.  Exchanges with fields in the memory
     * of a device do not take part.  Default 0.
     */
    int share_buffers;
    /*
     * Message buffers come from this pool (hx/pool.h) and go back to it when the handle is destroyed, so that
     * handles made one after another use the same memory.  Must live as long.  NULL (the default): from a pool
     * of the handle's own; so those of exchanges with fields in the memory of a device always are.
     */
    hx_pool *pool;
    /*
     * HX_TUNE agreed; 0 (the default): a rule decides what transport and schedule leave to "auto", the same in
     * each run.  It takes "shared", by dimension where all ranks share a machine, else in one phase.  With fields
     * in the memory of a device it takes "ipc", and "mapped" where that is not.
     *
     * 1: create measures it.  It runs each exchange 3 to 27 times in each of these ways, and takes the fastest:
     *
     * - with "shared" and with "persistent"
     * - if all ranks share a machine, in one phase and by dimension
     * - where fields lie in the memory of a device, with messages "mapped" and "copied", and by "nccl" where
     *   some go to other nodes
     *
     * All ranks take the same, and results are the same bits whatever is taken.  hx_describe tells the figures,
     * and the log as HX_LOG_INFO.  The rule decides where nothing is 5 % faster, and where measuring fails.
     *
     * Measuring takes up to 50 ms, after which it only ends what it has begun: of large arrays three exchanges.
     * Then create makes the handle again, if something else than the rule's choice is taken.  Memory of the host
     * that it takes on a rank: up to 24 MiB for messages, where more are not measured, and 8 MiB for arrays.
     * Longer ones, up to 256 MiB, lie there again and again: points are as far from each other as in the real
     * ones, but pages repeat.  Of a device arrays take up to 2 GiB, as long as the real ones.
     * The rule decides for what is longer, and for that for which there is no time.
     */
    int tune;
    /*
     * HX_TUNE_FILE a file of what was measured, for tune: create takes from it what fits machine, MPI, spec,
     * sizes and ranks, and measures and adds what is not there.  Only that of rank 0 counts, and only while
     * create runs.  A file that cannot be read or written, a link, or a file that libhx never wrote to, is
     * left as it is, and warned about in the log.  NULL (the default): none.
     */
    const char *tune_file;
    /*
     * HX_DEVICE_MESSAGES agreed; where the messages of exchanges lie whose fields are all in the memory of a
     * device.  Results are the same bits.
     *
     * - "auto" (the default): "mapped", or with tune "copied", where create measures that to be faster
     * - "mapped": in pinned memory of the host, which kernels write and read themselves.  Exchanges that have
     *   fields of the host, too, are always so
     * - "copied": in memory of the device, from which they are copied to pinned memory before they are sent,
     *   and back before they are unpacked
     * - "aware": in memory of the device, which MPI is given.  Where it cannot take that the program may crash,
     *   so run a check program with it first.  Not with the option check, nor where you move the messages
     */
    const char *device_messages;
    /*
     * HX_KEEP_ERRHANDLER 1: while a collective call works on your communicator, its error handler stays the
     * one that you gave it.  0 (the default): libhx exchanges it for MPI_ERRORS_RETURN during the call, so
     * that an error of MPI is returned in words.  Take 1 where another thread uses the communicator at the
     * same time, or where your handler is to see every error.  The variable also holds for collective calls
     * without options. Communicators that libhx makes always return their errors.
     */
    int keep_errhandler;
    /*
     * HX_CYCLES agreed; how many cycles one exchange serves, at most as many as the halo is deep for, in all cycles
     * of the spec.  0 (the default): the first cycles are measured.  Each number of cycles is tried 5 times: 1, 2,
     * 3, 4, 6, 9 and so on, as many as the halo is deep for.  Of each the fastest try counts, on the slowest
     * rank.  Results are the same bits with any number.  hx_describe tells the figures.
     */
    int cycles;
    /*
     * Your threads, which must be there as long as the handle.  NULL (the default): those of libhx, which all
     * handles of the process share.  They sleep when idle, block all signals, and end with the last handle.
     */
    const hx_team *team;
    /*
     * HX_THREADS  1 (the default) to 256: so many threads of this rank pack, copy and unpack, the one that calls
     * libhx among them, each always the same part.  Results are the same bits.  NAME_alloc has each thread touch
     * its part of large arrays first.  What has less than 512 KiB, sums, walls and what lies in the memory of
     * devices are for one thread; of lists of points each field is.  MPI must have been initialised for
     * MPI_THREAD_FUNNELED at least.  Of its own threads libhx takes no more than there are processors that this
     * rank may use.  hx_describe tells how many there are, and why not more.
     */
    int threads;
} hx_options;

enum { HX_OPTIONS_VERSION = 1 };

#define HX_OPTIONS_INIT                                                                                      \
    {                                                                                                        \
        sizeof(hx_options), HX_OPTIONS_VERSION, "auto", 0.0, 0, 0, HX_LOG_NONE, NULL, NULL, "auto", 0, 0,    \
            NULL, 0, NULL, "auto", 0, 0, NULL, 1                                                             \
    }

/* ---- what travels ---------------------------------------------------------------------------- */

/*
 * Counted since create, for one exchange, on this rank.  Seconds are 0 unless the option timing is set.  They
 * are those of the host: where fields lie in the memory of a device, pack and unpack leave out what that
 * does, and wait has of it what finish waits for.
 */
typedef struct hx_traffic {
    uint64_t exchanges; /* finished */
    int peers;          /* other ranks that this exchange sends to or receives from */
    /* Sent per exchange: one to each rank that this one feeds in each phase, and one for each long run of memory
     * that travels without being packed. */
    int messages;
    int phases;            /* 1, or the axes that an exchange by dimension goes along */
    uint64_t bytes_sent;   /* per exchange, to other ranks, padding between segments included */
    uint64_t bytes_copied; /* per exchange, between blocks of this rank */
    double pack_seconds;   /* total: packing, starting messages, copying within the rank */
    double wait_seconds;   /* total: inside finish, waiting for messages */
    double unpack_seconds; /* total */
} hx_traffic;

/*
 * A message that the application moves, with the transport "manual".  name_message_buffers() lists those of
 * an exchange: one for each other rank and direction, in one phase.  When start returns, or on a device when
 * the stream has passed it, those to send are packed; before finish is called, those to receive hold what the
 * other rank's hold for this one, all bytes of them.  Buffers lie on cache lines of their own, at the same
 * address until the handle is destroyed.  Move them with whatever you like, under a communicator of your own.
 * With the option check finish finds out about wrong messages, such as those of the exchange before.
 */
typedef struct hx_message_buffer {
    int peer;     /* rank in the communicator that create was given */
    int incoming; /* 1: to receive from it; 0: to send to it */
    size_t bytes;
    void *data;
} hx_message_buffer;

/* ---- what the header of a spec declares -------------------------------------------------------- */

/*
 * halogen emits a header for each spec.  This section says what holds for all of them.  NAME stands for the
 * name of the spec, X for that of an exchange, Q for that of a field.
 *
 * Numbers.  NAME_AXIS_..., NAME_Q and NAME_X count axes, fields and exchanges from 0.  Parameters of
 * functions and lists such as part.n[], part.first[] and partition.ranks[] follow the order of the axes.
 *
 * NAME_shape says where the points of a block lie in its arrays:
 *
 *     part           the cells of the block; with an index list, n[] has the points of the rank
 *     stride[f][a]   elements of field f from a point to the next along axis a.  Along the fastest axis this
 *                    is 1, or as many as a point has components side by side; all others are then
 *                    multiples of that
 *     apart[f]       elements of field f from a component to the next, where components lie apart
 *
 * NAME_shape_dense(part) makes a shape without padding, but for that of the spec.  NAME_shape_best(part)
 * avoids slow strides: one that is a multiple of 512 bytes gets 64 bytes more, or as many as whole points
 * take, since walks along it use few lines of a cache.  You may make strides larger yourself, except for
 * those that the spec fixes.
 *
 * NAME_shape_of(part, arrays, &shape) makes a shape that fits arrays which you have: see hx_strided_array.
 *
 * NAME_points(shape, field) counts the elements of an array: halo, padding and components included.
 *
 * NAME_Q_at(shape, indices...) is the index of a point in the array of Q.  Owned points start at 0.  Ghost
 * points have indices below 0, or behind the last owned point.  Device code may call it, too.  With
 * -DHX_CHECK_INDICES it asserts that each index lies within its axis.
 *
 * NAME_owned_points(&shape, field) gives the owned points of a field as boxes: see hx_boxes.
 * NAME_X_interior gives those that the exchange neither reads nor changes, and NAME_X_rim the others: as many
 * layers along each side as it is wide, and up to two more with points on faces or a fold.  A stencil that
 * reaches no farther than it is wide may work on the interior between start and finish, and on the rim behind
 * finish.  Each field of the spec has them, also one that does not travel.  A list of points has none.
 *
 * NAME_point(&boxes, n, &indices...) finds point number n of boxes, counted from 0, or returns 0 if there is
 * none.  Neighbors along the axis that is fastest in memory have numbers that follow each other.  In a kernel
 * with a thread for each point, n is hx_thread().
 *
 * NAME_fields holds the arrays of one block, each from its first allocated element on.  They are yours, or
 * from NAME_alloc.  An exchange ignores the arrays that it does not name; they may be NULL.
 *
 * NAME_partition(cells...) describes a tile for hx_decompose, which then chooses how many ranks lie along
 * each axis.  It weighs the bytes that cross a cell face: face_bytes[].
 */

/*
 * Cycles.
 *
 * A cycle of the spec, Y, says how far its steps read.  Where its exchange is wider than one cycle needs, it serves
 * several: steps compute points of the halo again that their owners compute, too, and so need no messages for
 * them.  A loop over time is
 *
 *     NAME_Y(h, &f)                                  an exchange when it must be, and only then
 *     for each step S, for each block b:
 *         loop over NAME_Y_S_points(h, b, field)     owned points, and such of the halo
 *
 * NAME_Y is NAME_Y_start and NAME_Y_finish; work that reads no ghost point may go on between these.  The boxes are
 * those of the cycle that goes on, for a field that the step writes, and end at walls.  Points beyond a wall are yours
 * to fill, behind each step that writes the field: over all that its box has along the wall, and also where the wall
 * lies in the halo, because a block between is thin.
 *
 * A ghost point gets the bits of its owner if the same loop computes both from the same values; coefficients that the
 * loop reads as well need the same halo.  So results do not depend on how many cycles an exchange serves, which
 * the option cycles says, or else the first cycles are measured.
 *
 * NAME_Y_restart has the next cycle begin with an exchange.  Call it on all ranks where the program changed a field
 * elsewhere than in the steps.  Arrays may change from cycle to cycle, if their contents do as well.
 *
 * The first cycle of a capture begins with an exchange, so that graphs may be launched in any order that is the same on
 * all ranks.  libhx does not see a launch.  After one, call NAME_Y_restart on all ranks for each cycle Y that goes on
 * outside of graphs.  While cycles are being measured start refuses a stream that is being captured.
 *
 * With HX_AUDIT=1 each cycle without an exchange compares the ghost points that it is going to read with what their
 * owners hold, and fails where a step read farther than the spec says.  With HX_POISON=1 those farther out are
 * poisoned as a cycle begins.
 */

/*
 * Handles.
 *
 * NAME_create makes all exchanges for one block a rank.  NAME_create_blocks does so for any number of blocks:
 * shapes[0 ... blocks->count - 1] are those of this rank.  Both are collective, duplicate the communicator
 * and copy the rest.  options may be NULL.  They fail on all ranks, with *h set to NULL, or on none.
 *
 * With an index list create takes the list, too.  It refuses points that do not exist, points that are
 * received twice or both sent and received, and lists of two ranks that differ in length.  With fields in the
 * memory of a device the handle works on the device that is current in the calling thread, and needs one.
 *
 * NAME_create_for and NAME_create_blocks_for serve callers in other languages, and those that use dlsym.
 * `model` is NAME_ASKS_FOR_MODEL of the header that the caller was made for; create compares it with the
 * source.  A program that includes one header and links another NAME.c does not link: NAME_model_... is
 * missing then.  Generate, compile and link all of them again.
 *
 * NAME_create_like makes a handle of the same spec, ranks and options as `like`, in which blocks have other
 * owners.  blocks->owners says which; blocks->comm is not looked at.  The new handle takes over what create
 * measured, and the functions of NAME_set_boundary.  Register windows again.  Where the cuts are the same, a
 * rank that gives a block away tells its new owner what it knows of it, so little is computed.  Both handles
 * work from then on, each by itself.  Collective over `like`.  It fails on all ranks, with *h set to NULL and
 * `like` as it was, or on none.  After a deadline `like` can only be destroyed.
 *
 * NAME_create_wide makes a handle of the blocks of `narrow` for all ranks of comm: those of `narrow`, which keep
 * their blocks and strides, and others, which have none and give NULL for it.  Two such handles, of two groups of
 * ranks, are what NAME_redistribute takes.  The new handle is like one of NAME_create_blocks, with options of its
 * own; arrays of `narrow` fit it.  Collective over comm.  `narrow` works on, and may be destroyed.
 *
 * NAME_rebalance says which blocks should move, and moves none:
 *
 *     work      of each block of this rank, in the order of the shapes: 0 or more, in any unit
 *     owners    gets the rank of each block of the grid, as hx_blocks.owners wants them
 *     *moved    gets the number of blocks that have another rank than now
 *
 * The busiest rank gives a block to the rank with the least work, or rather to one that owns a neighbor of the
 * block, again and again, until no move helps by more than a hundredth of the mean work of a rank.  Collective;
 * on failure nothing is written.
 *
 * One thread at a time uses a handle: any thread with MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE, else the
 * thread that made it.  A child process (fork) cannot use it.
 *
 * NAME_destroy frees a handle, and all arrays from NAME_alloc that are left.  Collective; NULL is allowed.  A
 * rank where an exchange is under way is refused: finish the exchange, and call destroy again.  On a device,
 * streams must be through with pack and unpack, and with graphs of them; destroy waits for ranks of the node.
 *
 * NAME_alloc makes an array for every field and sets the pointers of f, one struct per block in the order of
 * the shapes.  The arrays are zero.  They lie where exchanges are fast: with long runs of points in memory
 * that the ranks of a node share, so that peers can fill ghost points directly.  Arrays of one shape may
 * change places, in one struct or between two, and any number of such sets may exist.  Collective; a rank
 * without blocks may give NULL.  Fails on all ranks, with f left as it was, or on none.
 *
 * NAME_free frees the arrays in f and sets the pointers to NULL; it skips NULL.  Collective.  It is refused
 * on all ranks, and frees nothing, where an exchange under way uses one of the arrays, or where one is not
 * from NAME_alloc of this handle.  No kernel of a device may still use them.
 *
 * NAME_register is for arrays of your own in memory that the ranks of a node share: a window of <hx/window.h>
 * with HX_WINDOW_PARTS or HX_WINDOW_SHARED, over all ranks of the handle at least.  After it, other ranks of
 * the node write directly into arrays that lie in the window whole, as into those of NAME_alloc.  Several
 * windows may be registered, and one window with several handles.  NAME_unregister ends this.  It does
 * nothing where nothing is registered, and is refused where an exchange under way uses the window.  Both are
 * collective and fail on all ranks or on none.  hx_window_free refuses a window that is still registered.
 * Exchanges with fields in the memory of a device gain nothing by it.
 *
 * NAME_describe tells what is really used, peer by peer, in words; NAME_describe_json as JSON.  Each text is
 * valid until the next call of either, or destroy.  With HX_DESCRIBE=FILE in the environment of rank 0 that
 * rank writes in MPI_Finalize what all ranks tell of each handle, and for how long start and finish ran.
 *
 * NAME_audit looks at each ghost point that an exchange copies to, between exchanges: does it hold what its
 * owner holds now?  Behind a wall: does it hold what the boundary makes of the points beside it?  f: as for
 * start.  HX_ERR_MISMATCH, on all ranks, with the first point that does not: field, place, both values, the
 * owner, and what is known about the last run.  The handle goes on.  Collective; no exchange of the handle may
 * be under way.
 *
 * It copies fields in the memory of a device to the host: wait for your streams before.  If the exchange makes
 * shared points agree, it compares all copies of each, and tells what every block holds.  It does not look at
 * ghost points that are sent back, or that a function of yours fills.
 *
 * With HX_AUDIT=1 in the environment of rank 0 every finish does the same with the values that owners had at
 * start; of sums and shared points, with what comes of them.  It finds owned points that were written in between.  NAME_audit then knows what a ghost point held
 * after the last run, so it tells a halo that is stale from one that was overwritten.  A finish that is audited
 * may wait until ranks that it feeds have started, too.
 *
 * With HX_POISON=1 ghost points hold signalling NaNs, or a pattern of their type, from start until they are
 * filled, and in new arrays of NAME_alloc.
 *
 * Neither variable does anything at start or finish of an exchange with fields in the memory of a device; create warns.
 *
 * NAME_redistribute writes all owned points of the fields of one handle, `to`, with those of another, `from`:
 * of the same spec, grid and ranks, with blocks, owners and strides of its own.  Fields with null pointers in
 * all blocks of both, on all ranks, stay.  Ghost points and padding are left alone.  Of points at both faces
 * every copy gets what the block has of which it is a low face; the last ones of a tile, what its last block
 * has.  Points that are rewritten at a fold come from those that are kept.  Collective; exchanges under way
 * use none of the arrays.  The first call for handle and fields makes a plan, which `to` keeps.
 *
 * Fields in the memory of a device are moved behind what the stream was given before, and have moved when the
 * call returns.  Both handles are of one device.  If that fails, all ranks are told; `to` can only be destroyed.
 *
 * NAME_redistribute_with is the same with what its last argument says: see hx_redistribution.
 *
 * Lists of points have NAME_redistribute_with only, with the ids of the points of both handles; an id means the
 * same point on all ranks.  Each owned point of the target gets what the owned point of the source with its id has; a point with
 * the id -1 stays as it is.  An id of the target that no rank owns in the source is refused, and so is an id
 * that two ranks own there.  A plan holds for these ids only.
 *
 * NAME_gather writes all owned points of a field into arrays of whole tiles on rank root, one for each tile of
 * the grid, and NAME_scatter reads them from there.  whole: these arrays, of the host, looked at on root only.
 * Strides are any multiples of a point; points count from 0, and extents say how many there is room for.  They
 * travel in pieces: root needs less than 64 MiB besides.  What points at both faces get, and those rewritten, is
 * as for NAME_redistribute.  Collective.  Fields of a device are moved behind what the default stream was given.
 *
 * NAME_gather_selected and NAME_scatter_selected do the same for what each rank selects: any number of
 * selections, of one field or several, or none.  See hx_selection.  Arrays that gather writes share no memory
 * with each other, nor with those of fields.  Scatter writes no points but those that are selected, all their
 * copies, and at a fold those that are rewritten from them; no point is selected twice, by any ranks.
 *
 * NAME_traffic tells what one exchange has moved since create.  NAME_message_buffers lists the messages of an
 * exchange with the transport "manual": see hx_message_buffer.
 *
 * NAME_extents, NAME_file_passes, NAME_memory_type and NAME_file_type say where fields lie in files: see
 * <hx/files.h>, which says it of hx_extents and its like.
 *
 * NAME_handle and NAME_spec are for frameworks that have exchanges by number, and no C for each spec.  The
 * handle is what hx_start, hx_finish and their like take, and hx_field_query and its like describe the spec:
 * see "by number" below.
 */

/*
 * Here is what these headers declare alike: functions of all specs, and of those with a grid.  NAME is the name
 * of the spec.  A header declares by itself what differs from spec to spec.
 */
#define HX_DECLARE_SPEC(NAME)                                                                                \
    NAME##_shape NAME##_shape_dense(const hx_part *part);                                                    \
    NAME##_shape NAME##_shape_best(const hx_part *part);                                                     \
    hx_status NAME##_shape_of(const hx_part *part, const hx_strided_array *arrays, NAME##_shape *shape);     \
    size_t NAME##_points(const NAME##_shape *shape, int field);                                              \
    hx_status NAME##_destroy(NAME *h);                                                                       \
    hx_status NAME##_alloc(NAME *h, NAME##_fields *f);                                                       \
    hx_status NAME##_free(NAME *h, NAME##_fields *f);                                                        \
    hx_status NAME##_register(NAME *h, hx_window *window);                                                   \
    hx_status NAME##_unregister(NAME *h, hx_window *window);                                                 \
    const char *NAME##_describe(NAME *h);                                                                    \
    const char *NAME##_describe_json(NAME *h);                                                               \
    hx_status NAME##_traffic(const NAME *h, int exchange, hx_traffic *traffic);                              \
    hx_status NAME##_audit(NAME *h, int exchange, const NAME##_fields *f);                                   \
    hx_status NAME##_redistribute_with(NAME *from, const NAME##_fields *source, NAME *to,                    \
                                       const NAME##_fields *target, const hx_redistribution *how);           \
    hx_status NAME##_message_buffers(const NAME *h, int exchange, hx_message_buffer *buffer, int *count);    \
    struct hx_handle *NAME##_handle(NAME *h)

#define HX_DECLARE_GRID(NAME)                                                                                \
    hx_boxes NAME##_owned_points(const NAME##_shape *shape, int field);                                      \
    hx_status NAME##_create_like(NAME *like, const hx_blocks *blocks, const NAME##_shape *shapes, NAME **h); \
    hx_status NAME##_create_wide(NAME *narrow, MPI_Comm comm, const hx_options *options, NAME **h);          \
    hx_status NAME##_rebalance(NAME *h, const double work[], int owners[], int *moved);                      \
    hx_status NAME##_gather(NAME *h, const NAME##_fields *f, int field, int root,                            \
                            const hx_strided_array *whole);                                                  \
    hx_status NAME##_scatter(NAME *h, const NAME##_fields *f, int field, int root,                           \
                             const hx_strided_array *whole);                                                 \
    hx_status NAME##_gather_selected(NAME *h, const NAME##_fields *f, const hx_selection *wanted,            \
                                     int count);                                                             \
    hx_status NAME##_scatter_selected(NAME *h, const NAME##_fields *f, const hx_selection *given,            \
                                      int count);                                                            \
    hx_status NAME##_extents(const NAME *h, int field, int block, int pass, hx_extent *extent, int *count);  \
    int NAME##_file_passes(int field);                                                                       \
    hx_status NAME##_memory_type(const NAME *h, int field, int pass, const NAME##_fields *f,                 \
                                 MPI_Datatype *type);                                                        \
    hx_status NAME##_file_type(const NAME *h, int field, int pass, MPI_Datatype *type)

/*
 * Exchanges.  Every rank calls start and finish of an exchange; NAME_X does both.
 *
 * f is one struct per block, in the order of the shapes.  start copies the pointers; they may differ from
 * call to call, but each array serves one field of one block.
 *
 * Between start and finish:
 *
 * - Do not touch the halos of the exchange's fields.
 * - Write no owned points but those of NAME_X_interior.  Reading owned points is allowed, but for those that
 *   the exchange changes; its comment says which.  (With an index list: do not write points that are received
 *   or sent.)
 * - Other exchanges may start, also such as share fields; each is under way once.
 * - Do not wait, by MPI or otherwise, for a rank that gets there only after its own finish, unless the option
 *   schedule is "one-phase": messages may take several steps, which ranks take in calls of libhx.
 *
 * Finishes may come in any order; with the transports "rma-fence" and "rma-pscw", in that of the starts.
 *
 * NAME_X_test moves messages on and waits for nothing.  It sets *done to 1 when finish will wait for no
 * message, else to 0.  Call finish all the same, which unpacks.  Any rank may call test any number of times
 * from start to finish.  "rma-fence" and "rma-pscw" wait inside MPI and refuse it.
 *
 * NAME_X_corners_A fills corners of tiles where no tile lies; its comment says how.
 */

/*
 * Exchanges with fields in the memory of a device take a stream, too: a cudaStream_t, or NULL for the default
 * stream.  The device that was current in create must be current in each call.  Arrays there lie in memory
 * that its kernels reach at the address that is given: of the device, managed, or pinned; others are refused.
 *
 * - start returns at once.  It packs when the stream has done what it was given before.
 * - finish waits until the messages have come and gone.  It unpacks in its stream, which may be another one
 *   than start's: what you give that stream afterwards finds the ghost points filled.  Other streams wait for
 *   it by an event of yours.
 * - The rules for the time between start and finish hold for kernels by when they run.
 * - Ghost points may change as soon as start's stream has come to start: the rank itself copies, and with
 *   arrays of NAME_alloc other ranks of the node write into them.  What reads old ghost points in another
 *   stream must come before start, by an event of yours.
 * - Messages leave from calls of libhx when they are packed, so maybe not before finish.  Do not wait for a
 *   rank that gets there after its own finish, whatever the schedule.  Launch what there is to do, and call
 *   finish at once: the device works on meanwhile.
 * - The host packs the fields of the host that travel along, in start or send, and unpacks them in finish or
 *   receive.  send and receive take the arrays that pack or unpack was given last.
 * - Messages of the transport "manual" lie in pinned memory of the host.  They are packed when the stream has
 *   passed start: wait for it.  Until then receive nothing into them, either: what unpacks the exchange
 *   before may still read there.
 *
 * If the stream is being captured, start and finish put the whole exchange into the graph, and the host does
 * nothing when the graph runs.  Start refuses this where the host has to take part: a message goes neither by
 * "ipc" nor by "nccl", a field is the host's, or the option check is set.  All ranks launch graphs with an
 * exchange equally often.  Wait for the stream before destroy.
 *
 * By "ipc", devices wait for each other up to the deadline.  After a wait in vain NAME_X_test says
 * HX_ERR_DEADLINE; wait for the stream before you ask.  By "nccl", all ranks launch such graphs in the same
 * order, and a wait has no deadline.
 *
 * The same in halves, for CUDA graphs with messages that only the host can send:
 *
 *     pack      packs, and copies within the rank, in the stream.  It waits for nothing, has no event and
 *               allocates nothing: the stream may be being captured.
 *     send      has the messages leave when the stream has come to here, and returns at once.
 *     receive   returns when all messages have come and gone.
 *     unpack    fills ghost points, or accumulates, and fills what the boundary asks for, in the stream.  The
 *               stream may be being captured.
 *
 * A graph takes the place of pack or unpack as often as it is launched, with the arrays that these were
 * given.  send and receive copy messages within a node once more, within devices and between them.  In one
 * stream this order is right: what writes owned points, pack, send, receive, unpack, what reads ghost points,
 * the next pack.  Between streams you keep it: a pack runs behind the unpack of the exchange before, and none
 * runs between send and receive.  send refuses a stream that is being captured.
 *
 * Halves go together with the other calls: start, receive, unpack; or pack, send, finish, which fills the
 * arrays that pack was given.  Behind a graph call unpack, or launch its graph: only you know which arrays a
 * graph has, and whether it was launched.
 *
 * A call of CUDA that fails is HX_ERR_DEVICE, with its text, also where a kernel of yours has failed before.
 * The handle can only be destroyed then.  Other ranks wait for this one until the deadline.
 */

/*
 * In a header, behind what create compares: the source of another model does not link.  Programs that load
 * the source with dlopen define HX_LOADED_LATER; for them create alone compares.
 */
#ifdef HX_LOADED_LATER
#define HX_LINKS_WITH(name, symbol) extern const char symbol
#else
#define HX_LINKS_WITH(name, symbol)                                                                          \
    extern const char symbol;                                                                                \
    static const char *const name HX_KEPT = &symbol
#endif

/* ---- by number: for frameworks that write no C for each spec ---------------------------------- */

/*
 * The tables of a spec, NAME_spec of its emitted source.  A framework has their address from the linker or
 * from dlsym, and needs no emitted header.  Fields and exchanges are counted from 0 in the order of the spec.
 *
 * What the functions that ask about a spec give points into its tables: it is valid while the library that
 * has them is loaded, and nobody frees it.  They call no MPI and change nothing; any thread may call them at
 * any time, before MPI_Init, too.  They fail with HX_ERR_ARGUMENT where a pointer is null, a number is none
 * of the spec's, or the spec was emitted for another libhx; what they fill is then set to zeros.
 */
struct hx_spec;

typedef struct hx_spec_facts {
    const char *name;
    const char *file; /* of the spec */
    uint64_t hash;    /* of what it means */
    int axes;
    const char *axis[HX_MAX_AXES]; /* names */
    int periodic[HX_MAX_AXES];
    int decomposed[HX_MAX_AXES]; /* 0: one part along this axis */
    int cells[HX_MAX_AXES];      /* fixed by the spec; 0: any */
    int tiles;
    int list; /* 1: points of lists, see hx_create_listed */
    int fields;
    int exchanges;
    /* Bytes of a block's shape, which hx_spec_shape fills.  It begins with an hx_part. */
    size_t shape_size;
} hx_spec_facts;

hx_status hx_spec_query(const struct hx_spec *spec, hx_spec_facts *facts);

/* Where a point lies in its cell along an axis.  Of BOTH there is one more than there are cells. */
typedef enum hx_position { HX_AT_CENTER, HX_AT_LOW, HX_AT_HIGH, HX_AT_BOTH } hx_position;

typedef struct hx_field_facts {
    const char *name;
    const char *type;       /* of an element, as in emitted C: "double", "hx_complex64", "particle_cell" */
    int line;               /* of the spec */
    size_t bytes;           /* of an element */
    int components;         /* of a point, 1 or more */
    int components_after;   /* axes that are faster in memory than the components; 0: they lie side by side */
    int order[HX_MAX_AXES]; /* axes from the fastest in memory to the slowest */
    int halo_lo[HX_MAX_AXES];
    int halo_hi[HX_MAX_AXES];
    hx_position at[HX_MAX_AXES];
    int vector[HX_MAX_AXES]; /* fields that are the components of its vector, by axis; -1: none */
    int on_device;           /* 1: in the memory of a device */
    int behind;              /* 1: its ghost points lie behind the owned ones, see NAME_plane */
} hx_field_facts;

hx_status hx_field_query(const struct hx_spec *spec, int field, hx_field_facts *facts);
int hx_field_named(const struct hx_spec *spec, const char *name); /* its number; -1: none */

typedef struct hx_exchange_facts {
    const char *name;
    int line;       /* of the spec */
    const char *op; /* "copy", "add", "min", "max"; of shared points "mean" and "sum", too */
    int keeps;      /* 1: it sends ghost points back, and they stay as they are */
    int shared;     /* 1: of points that several blocks own, not of ghost points */
    int on_device;  /* 1: it carries fields there, so it goes by hx_start_on of hx/abi.h */
    int fields;     /* that travel */
    int directions;
    /* In which ghost points are filled, seen from a block: -1 below it, 0 beside it, 1 above it. */
    const signed char (*direction)[HX_MAX_AXES];
} hx_exchange_facts;

hx_status hx_exchange_query(const struct hx_spec *spec, int exchange, hx_exchange_facts *facts);
int hx_exchange_named(const struct hx_spec *spec, const char *name); /* its number; -1: none */

/* A field as an exchange carries it. */
typedef struct hx_carried_facts {
    int field;
    int width_lo[HX_MAX_AXES]; /* layers that are filled */
    int width_hi[HX_MAX_AXES];
} hx_carried_facts;

/* Number 0 and up, in the order in which fields lie in messages. */
hx_status hx_carried_query(const struct hx_spec *spec, int exchange, int number, hx_carried_facts *facts);

/* What NAME_partition of emitted headers gives for these cells, one number per axis, those that the spec
 * fixes, too. */
hx_status hx_spec_partition(const struct hx_spec *spec, const int cells[], hx_partition *partition);

/* What NAME_shape_dense gives: shape has room for shape_size bytes.  Of a list of points part->n[] alone
 * counts. */
hx_status hx_spec_shape(const struct hx_spec *spec, const hx_part *part, void *shape);

/*
 * An array as its language describes it, axis by axis in the order of the spec.  Steps are counted in bytes,
 * so that a layout of any language can be said.
 *
 * Of a field whose ghost points lie behind its owned ones, the array is one run: extent[0] has its elements,
 * at least as many as NAME_points, stride[0] their size, and nobody looks at the rest.
 */
typedef struct hx_strided_array {
    void *base;                    /* the first element, ghost points included; NULL: no array */
    size_t bytes;                  /* of an element */
    ptrdiff_t extent[HX_MAX_AXES]; /* points along each axis, ghost points and padding included */
    ptrdiff_t stride[HX_MAX_AXES]; /* from a point to the next; of no meaning where there is one at most */
    ptrdiff_t components;          /* of a point, 1 or more */
    ptrdiff_t component_stride;    /* from a component to the next; of no meaning where there is one */
} hx_strided_array;

/*
 * Points of a field, and an array for them, for NAME_gather_selected and NAME_scatter_selected: of a tile, along each
 * axis n points from `first` on, `step` apart.  Points are the owned ones of the tile, counted from 0.
 *
 * Of the array `base` will do: where `bytes` is 0 the points lie densely, in the memory order of the field.
 */
typedef struct hx_selection {
    int field;
    int tile;
    int first[HX_MAX_AXES];
    int n[HX_MAX_AXES];    /* HX_REST: up to the last one */
    int step[HX_MAX_AXES]; /* 0: 1 */
    hx_strided_array array;
} hx_selection;
enum { HX_REST = -1 };

/*
 * The shape of a block whose arrays exist already, so that nobody computes a stride.  arrays: one per field
 * of the spec, in its order; where base is NULL the shape has dense strides.  What lies at base is not looked
 * at: it may be in the memory of a device.  Fails in words where the spec cannot have an array: by type,
 * extents, order in memory, components, fixed strides, or since elements overlap.  The shape is then set to
 * zeros.  part->n[] alone counts of lists of points; part may lie in the shape.
 */
hx_status hx_shape_of_arrays(const struct hx_spec *spec, const hx_part *part, const hx_strided_array *arrays,
                             void *shape);

/* Elements of a field's array, with components and padding, also behind the last row.  0: no such field. */
size_t hx_points(const struct hx_spec *spec, const void *shape, int field);

/*
 * Where the ghost points across a side of a block begin in an array whose halo lies behind the owned points:
 * elements from its pointer.  Side 0 is below, 1 above.  It is -1 where there are none, since no block lies
 * there, the field has no halo there, or its halo lies around the owned points.
 */
ptrdiff_t hx_plane(const struct hx_spec *spec, const void *shape, int field, int axis, int side);

/* See NAME_X_interior.  No boxes, and no points: no such exchange or field, or the part has no cells. */
hx_boxes hx_owned_points(const struct hx_spec *spec, const void *shape, int field);
hx_boxes hx_interior(const struct hx_spec *spec, const void *shape, int exchange, int field);
hx_boxes hx_rim(const struct hx_spec *spec, const void *shape, int exchange, int field);

/*
 * Who may call what follows, when, and who owns what, is as for NAME_create, NAME_alloc and so on, which call
 * these functions; see above.
 */
typedef struct hx_handle hx_handle;

/* Collective over blocks->comm.  shapes: blocks->count, each of shape_size bytes; copied.  See NAME_create. */
hx_status hx_create(const struct hx_spec *spec, const hx_blocks *blocks, const void *shapes,
                    const hx_options *options, hx_handle **out);

/* The same for grids that are lists of points: one block a rank, of part.n[] points. */
hx_status hx_create_listed(const struct hx_spec *spec, MPI_Comm comm, const hx_index_list *list,
                           const void *shape, const hx_options *options, hx_handle **out);
hx_status hx_destroy(hx_handle *handle);

/* Collective; see NAME_create_like. */
hx_status hx_create_like(hx_handle *like, const hx_blocks *blocks, const void *shapes, hx_handle **out);

/* Collective over comm; see NAME_create_wide. */
hx_status hx_create_wide(const struct hx_spec *spec, hx_handle *narrow, MPI_Comm comm,
                         const hx_options *options, hx_handle **out);

/* Collective; see NAME_rebalance. */
hx_status hx_rebalance(hx_handle *handle, const double work[], int owners[], int *moved);

/*
 * May this array serve this field of this block of a handle?  That is: has it at least the points that the
 * field needs, ghost points included, at the strides of the shape that create was given?  It may have more
 * along an axis.  call: what the application called, as "channel_velocity"; the sentence of a failure begins
 * with it.  block: counted from 0, in the order of the shapes.  For glue of languages whose arrays know their
 * extents; takes tens of nanoseconds, and looks at nothing that lies at base.
 */
hx_status hx_check_array(const hx_handle *handle, const char *call, int block, int field,
                         const hx_strided_array *array);

/*
 * The spec that a handle was made of, that of NAME_handle, too.  NULL: the handle is; or it was destroyed, or is
 * another thread's where MPI is for one, and hx_last_error() says so.
 */
const struct hx_spec *hx_spec_of(const hx_handle *handle);

/*
 * Collective.  fields: for each block, in the order of the shapes, a pointer for each field of the spec; free
 * skips null pointers.  Arrays that were not freed go with the handle.
 */
hx_status hx_alloc(hx_handle *handle, void *fields);
hx_status hx_free(hx_handle *handle, void *fields);

/* fields: as for hx_alloc; those that the exchange does not carry may be NULL.  Copied. */
hx_status hx_start(hx_handle *handle, int exchange, const void *fields);
hx_status hx_finish(hx_handle *handle, int exchange);

/*
 * The same, called by all threads of a parallel region: thread numbers them from 0 to threads - 1.  Returns on all of
 * them with the same status when the call is done, so that it is a barrier, too.  Thread 0 calls MPI, and is one that
 * may use the handle; the others help it to pack, copy and unpack, in place of the team of the options.  Work is
 * divided into as many parts as the option threads says.  MPI must have been initialised for MPI_THREAD_FUNNELED.
 * With a deadline thread 0 waits no longer for the others; without one, for ever.  They always wait for thread 0.
 */
hx_status hx_start_team(hx_handle *handle, int exchange, const void *fields, int thread, int threads);
hx_status hx_finish_team(hx_handle *handle, int exchange, int thread, int threads);

/* Collective; see NAME_audit.  fields: as for hx_start. */
hx_status hx_audit(hx_handle *handle, int exchange, const void *fields);

/*
 * Collective over both handles, which are of one spec, one grid and the same ranks; see NAME_redistribute.
 * source, target: as for hx_alloc, of the blocks of `from` and of those of `to`.
 */
hx_status hx_redistribute(hx_handle *from, const void *source, hx_handle *to, const void *target);

/* What else may be said of a redistribution.  {0}: nothing. */
typedef struct hx_redistribution {
    /*
     * 1: ghost points move, too.  Those that lie in a tile get what their owners have.  One beyond its tile gets what
     * the source has at that place: in the block that has the nearest point of the tile.  The same on all ranks.
     */
    int halos;
    hx_stream stream; /* for fields in the memory of a device; NULL: the default stream */
    /* Of lists of points, for which these two are needed.  They count as those for hx_index_list_of_ids. */
    const hx_ids *source_ids;
    const hx_ids *target_ids;
} hx_redistribution;

/* Collective.  how: NULL for {0}.  Its ids differ from rank to rank. */
hx_status hx_redistribute_with(hx_handle *from, const void *source, hx_handle *to, const void *target,
                               const hx_redistribution *how);

/* Collective; see NAME_gather.  fields: as for hx_alloc. */
hx_status hx_gather(hx_handle *handle, const void *fields, int field, int root,
                    const hx_strided_array *whole);
hx_status hx_scatter(hx_handle *handle, const void *fields, int field, int root,
                     const hx_strided_array *whole);
hx_status hx_gather_selected(hx_handle *handle, const void *fields, const hx_selection *wanted, int count);
hx_status hx_scatter_selected(hx_handle *handle, const void *fields, const hx_selection *given, int count);

/*
 * Collective: rank 0 tells what HX_STATS has counted so far; see docs/statistics.md.  file: JSON goes there; NULL
 * or "": a table goes to standard error.  That of rank 0 counts.  HX_ERR_STATE: the environment of rank 0 had no
 * HX_STATS at create.
 */
hx_status hx_stats(hx_handle *handle, const char *file);

/*
 * Moves messages on without waiting, those of an exchange with fields on a device, too.  *done: 1 when finish
 * will not wait for any; finish is called all the same, since it unpacks.  HX_ERR_STATE: the exchange was
 * neither started nor captured, or its transport waits inside MPI.  HX_ERR_DEADLINE, of an exchange in graphs:
 * a device waited in vain for another one.
 */
hx_status hx_test(hx_handle *handle, int exchange, int *done);

#ifdef __cplusplus
}
#endif
#endif
