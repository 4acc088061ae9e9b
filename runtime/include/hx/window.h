/*
 * Windows: memory that other ranks reach, by pointers on their node and by operations of MPI from anywhere.
 *
 * One hx_window is one buffer per node or per rank, exposed in up to three ways at once:
 *
 *     HX_WINDOW_NODE     to the ranks of the node, which get pointers to it
 *     HX_WINDOW_PEERS    to all ranks of the communicator
 *     HX_WINDOW_LEADERS  to the leaders of the nodes: of each node, the rank that is 0 there
 *
 * Each way has a communicator of its own, and targets are counted in it: node ranks, ranks, or nodes in the
 * order of their leaders.  Accesses and synchronization concern one way; MPI's rules hold for each of them.
 *
 * Where nothing else is said, functions are local, return HX_ERR_STATE outside MPI_Init ... MPI_Finalize and
 * HX_ERR_ARGUMENT for a window that is NULL, and give the text of an error of MPI with HX_ERR_MPI.  Calls for
 * one window come from one thread at a time.
 */
#ifndef HX_WINDOW_H
#define HX_WINDOW_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hx_window_way { HX_WINDOW_NODE = 1, HX_WINDOW_PEERS = 2, HX_WINDOW_LEADERS = 4 } hx_window_way;

/* Whose memory it is. */
typedef enum hx_window_memory {
    /* HX_WINDOW_SHARED where a node has several ranks, and MPI and /dev/shm let them share, else
       HX_WINDOW_PRIVATE; the same on all ranks.  hx_window_query tells which, and why. */
    HX_WINDOW_AUTO = 0,
    HX_WINDOW_SHARED, /* one buffer per node, held by its leader; other ranks expose nothing to peers */
    /* every rank holds a part of its node's buffer, in the order of node ranks, without gaps */
    HX_WINDOW_PARTS,
    HX_WINDOW_PRIVATE, /* a buffer per rank, which no other rank has a pointer to */
    HX_WINDOW_USER,    /* the memory at `base`, yours; valid until the window is freed */
    HX_WINDOW_DYNAMIC  /* what hx_window_attach names later; exposed to peers only */
} hx_window_memory;

enum { HX_WINDOW_LOG_NONE = 0, HX_WINDOW_LOG_ROOT = 1, HX_WINDOW_LOG_EVERY = 2 };

/* Start from HX_WINDOW_REQUEST_INIT.  What is marked "agreed" must be equal on all ranks. */
typedef struct hx_window_request {
    size_t size;             /* sizeof(hx_window_request): fields can be added */
    const char *name;        /* agreed; for errors and log lines; copied */
    hx_window_memory memory; /* agreed */
    /*
     * Agreed; a sum of hx_window_way.  HX_WINDOW_NODE may be left out: it is open wherever the memory is shared,
     * and nowhere else.  0 is for memory that only ranks of a node reach: not for HX_WINDOW_PRIVATE and _USER.
     * Where HX_WINDOW_AUTO finds no rank to share with each has its own for itself.
     */
    unsigned ways;
    size_t element; /* agreed; bytes of an element, 1 or more */
    int axes;       /* 0 to HX_MAX_AXES; 0: one element */
    /*
     * Elements along each axis, 0 or more: for HX_WINDOW_SHARED of the node's buffer (as many on all ranks of a
     * node), else of what this rank holds.  Not for HX_WINDOW_DYNAMIC.
     */
    int64_t extent[HX_MAX_AXES];
    void *base; /* for HX_WINDOW_USER; NULL only with an extent of 0 */
    int check;  /* agreed; 1: complain of epochs and conflicts, see below.  Default 0 */
    /* Agreed; HX_WINDOW_LOG_...: a line when the window is made and when it is freed, from nobody (the default),
     * rank 0 or every rank. */
    int log;
    hx_log_fn *log_line; /* receives the lines; NULL (the default): standard error */
    void *log_context;
    /* Seconds that create and free may wait for the other ranks, 0 (the default): for ever; HX_DEADLINE in the
     * environment overrides it. */
    double deadline;
} hx_window_request;

#define HX_WINDOW_REQUEST_INIT                                                                               \
    {                                                                                                        \
        sizeof(hx_window_request), "window", HX_WINDOW_AUTO, HX_WINDOW_PEERS, 1, 1, {0, 0, 0, 0}, NULL, 0,   \
            HX_WINDOW_LOG_NONE, NULL, NULL, 0.0                                                              \
    }

/*
 * Collective over comm, which is duplicated.  Makes the memory and all the ways at once; on failure *window
 * is NULL, and nothing is left behind.  The contents are undefined, and their pages are there.
 * HX_ERR_MISMATCH where ranks disagree; HX_ERR_MEMORY where a node has too little memory for processes to
 * share, as /dev/shm of many containers; HX_ERR_MPI where MPI refuses.  Every rank keeps 8 bytes for each
 * rank of comm.  HX_ERR_DEADLINE where a rank did not come before another one's deadline.
 */
hx_status hx_window_create(MPI_Comm comm, const hx_window_request *request, hx_window **window);

/*
 * Collective over the communicator of the window.  Closes what leaders reach, then what peers reach, then
 * gives back the memory, and sets *window to NULL; where it is NULL already (on all ranks), or after
 * MPI_Finalize, there is nothing to do.  A window that a handle knows (NAME_register), or with the option
 * check one inside an epoch, on any rank, is left as it is on all of them: HX_ERR_STATE.  So is one that
 * other ranks free after, or before, another object, where they wait for each other: HX_ERR_MISMATCH.
 *
 * HX_ERR_DEADLINE: a rank did not come before another one's deadline.  Then this rank gives the window up:
 * nothing waits any more, its memory stays where it is, and *window is NULL.  If a handle of this rank knows
 * it, it stays; call this again when that is no more so.  MPICH with UCX does not get through MPI_Finalize
 * after that.
 */
hx_status hx_window_free(hx_window **window);

/* What a window is, on this rank. */
typedef struct hx_window_facts {
    unsigned ways;           /* open on this rank: HX_WINDOW_LEADERS on leaders only */
    hx_window_memory memory; /* never HX_WINDOW_AUTO */
    const char *why; /* in words, why HX_WINDOW_AUTO chose that memory; "" if it did not; the window's */
    size_t element;
    int axes;
    int64_t extent[HX_MAX_AXES];
    int64_t elements; /* the product of extent[] */
    size_t bytes;     /* of all elements */
    int node_rank;
    int node_ranks;
    int node;  /* on its leader; -1 on other ranks */
    int nodes; /* likewise */
} hx_window_facts;

/* For NULL, that is, after free, all is 0; never fails otherwise. */
void hx_window_query(const hx_window *window, hx_window_facts *facts);

/*
 * The memory that a rank of this node holds, and its elements.  Where the buffer is the leader's, ask for
 * node rank 0; the others hold none.  Where memory is not shared a rank can ask for its own only.  Valid
 * until the window is freed.  Loads and stores of other ranks are seen after hx_window_sync, a barrier of
 * yours, and hx_window_sync.
 */
hx_status hx_window_pointer(const hx_window *window, int node_rank, void **memory, int64_t *elements);

/*
 * HX_WINDOW_DYNAMIC: peers may access these bytes, from the address that hx_window_address gives, which you
 * tell them by a message.  Freeing the window detaches what is still attached.  HX_ERR_STATE for memory that
 * overlaps some that is attached, or that is not.
 */
hx_status hx_window_attach(hx_window *window, void *base, size_t bytes);
hx_status hx_window_detach(hx_window *window, const void *base);
int64_t hx_window_address(const void *base);

/* ---- access -------------------------------------------------------------------------------------------- */

/* Elements that a target exposes. */
typedef struct hx_window_part {
    hx_window_way way;
    int target;
    /* The first, counted from 0; for HX_WINDOW_DYNAMIC a number of bytes, see hx_window_address. */
    int64_t at;
    int64_t count; /* 0 or more */
} hx_window_part;

/*
 * Buffers hold part->count elements, without gaps.  They may be read (`from`) or written (`into`) until the
 * epoch ends, or as hx_window_flush says.  A part beyond what the target exposes is HX_ERR_ARGUMENT; what a
 * dynamic window has attached elsewhere is not known.  Counts of more than 2^31 - 1 are fine.
 *
 * request: NULL, or a place for a request of MPI, which you complete (MPI_Wait, MPI_Test); then the buffers
 * are yours again.  In epochs of hx_window_lock and hx_window_lock_all only.
 */
hx_status hx_window_put(hx_window *window, const void *from, const hx_window_part *part,
                        MPI_Request *request);
hx_status hx_window_get(hx_window *window, void *into, const hx_window_part *part, MPI_Request *request);

/* How elements are combined with those of the target, as &(hx_window_operation){MPI_DOUBLE, MPI_SUM}. */
typedef struct hx_window_operation {
    MPI_Datatype type; /* predefined, as large as an element */
    MPI_Op op;         /* predefined, or MPI_REPLACE; to get, also MPI_NO_OP */
} hx_window_operation;

hx_status hx_window_accumulate(hx_window *window, const void *from, const hx_window_part *part,
                               const hx_window_operation *how, MPI_Request *request);
hx_status hx_window_get_accumulate(hx_window *window, const void *from, void *into,
                                   const hx_window_part *part, const hx_window_operation *how,
                                   MPI_Request *request);

/* The same for one element. */
hx_status hx_window_fetch_and_op(hx_window *window, const void *from, void *into, const hx_window_part *part,
                                 const hx_window_operation *how);

/* ---- epochs -------------------------------------------------------------------------------------------- */

/*
 * With the option check these are HX_ERR_STATE, in words, and do nothing:
 *
 * - an access outside an epoch that reaches its target
 * - a request outside hx_window_lock and hx_window_lock_all
 * - synchronization out of order; MPI_MODE_NOPRECEDE after accesses; freeing inside an epoch
 * - an access that conflicts with one of this rank that may not be complete
 *
 * Two accesses conflict in four cases:
 *
 * - one puts what the other puts, gets or accumulates
 * - one gets what the other accumulates
 * - they accumulate by different operations
 * - one writes memory of this rank that the other reads or writes as its buffer or as its target
 *
 * What other ranks access, and loads and stores, are not known.  Each access is compared with all before it that
 * may not be complete: check is for debugging.
 */

/* Collective over the ranks of the way.  assertion: MPI_MODE_... */
hx_status hx_window_fence(hx_window *window, hx_window_way way, int assertion);

/*
 * Post exposes this rank to origins, start opens an epoch to targets: lists of different ranks of the way,
 * which may be empty.  Complete ends what start opened, wait what post did.  Test sets *done to 1 if wait
 * would not wait, and then has done the same.
 */
hx_status hx_window_post(hx_window *window, hx_window_way way, int origins, const int origin[],
                         int assertion);
hx_status hx_window_start(hx_window *window, hx_window_way way, int targets, const int target[],
                          int assertion);
hx_status hx_window_complete(hx_window *window, hx_window_way way);
hx_status hx_window_wait(hx_window *window, hx_window_way way);
hx_status hx_window_test(hx_window *window, hx_window_way way, int *done);

/* exclusive: 1, or 0 for a lock that is shared. */
hx_status hx_window_lock(hx_window *window, hx_window_way way, int target, int exclusive, int assertion);
hx_status hx_window_unlock(hx_window *window, hx_window_way way, int target);
hx_status hx_window_lock_all(hx_window *window, hx_window_way way, int assertion);
hx_status hx_window_unlock_all(hx_window *window, hx_window_way way);

/*
 * Inside lock or lock_all: all accesses to this target, or to all with HX_WINDOW_ALL, are complete; with
 * flush_local, only their buffers here are yours again.
 */
enum { HX_WINDOW_ALL = -1 };
hx_status hx_window_flush(hx_window *window, hx_window_way way, int target);
hx_status hx_window_flush_local(hx_window *window, hx_window_way way, int target);

/* Inside lock or lock_all: stores before it come before loads after it, as seen by ranks that do the same. */
hx_status hx_window_sync(hx_window *window, hx_window_way way);

#ifdef __cplusplus
}
#endif
#endif
