#define _DEFAULT_SOURCE
#include "lone.h"

#include "standin.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct standin_comm {
    int rank;
    int ranks;
    bool node;
};

struct standin_request {
    int unused;
};

static struct standin_comm world;
struct standin_comm *const standin_world = &world;
const char standin_in_place = 0;

static int node_ranks;
static lone_calls calls;
static long bytes;
static long most;

void lone_set(int rank, int ranks, int of_node)
{
    world = (struct standin_comm){rank, ranks, false};
    node_ranks = of_node;
    calls = (lone_calls){0};
}

lone_calls lone_called(void)
{
    return calls;
}

/* ---- memory: runtime/base/memory.c and pthread_mutex_lock are compiled with these names ------------------------------ */

void *standin_aligned_alloc(size_t alignment, size_t size)
{
    void *memory = aligned_alloc(alignment, size);
    bytes += memory ? (long)malloc_usable_size(memory) : 0;
    most = bytes > most ? bytes : most;
    return memory;
}

void standin_free(void *memory)
{
    bytes -= memory ? (long)malloc_usable_size(memory) : 0;
    free(memory);
}

long lone_bytes(void)
{
    return bytes;
}

long lone_most(void)
{
    return most;
}

void lone_watch(void)
{
    most = bytes;
}

int standin_mutex_lock(pthread_mutex_t *mutex)
{
    return pthread_mutex_trylock(mutex);
}

/* ---- what there is ------------------------------------------------------------------------------------------------- */

int MPI_Initialized(int *flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

int MPI_Query_thread(int *provided)
{
    *provided = MPI_THREAD_SINGLE;
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length)
{
    *length = snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code);
    return MPI_SUCCESS;
}

int MPI_Get_library_version(char *text, int *length)
{
    *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "one rank of many");
    return MPI_SUCCESS;
}

/* ---- communicators ------------------------------------------------------------------------------------------------- */

static MPI_Comm make(int rank, int ranks, bool node)
{
    MPI_Comm comm = malloc(sizeof *comm);
    if (!comm) {
        abort();
    }
    *comm = (struct standin_comm){rank, ranks, node};
    return comm;
}

static void count(MPI_Comm comm)
{
    calls.collectives += !comm->node;
    calls.node += comm->node;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    *rank = comm->rank;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    *size = comm->ranks;
    return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    (void)comm;
    *flag = 0;
    return MPI_SUCCESS;
}

int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result)
{
    *result = a->ranks == b->ranks ? MPI_CONGRUENT : MPI_UNEQUAL;
    return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    count(comm);
    *copy = make(comm->rank, comm->ranks, comm->node);
    return MPI_SUCCESS;
}

/* Ranks of a node follow each other. */
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *part)
{
    (void)kind;
    (void)key;
    (void)info;
    count(comm);
    *part = make(comm->rank % node_ranks, node_ranks, true);
    return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    free(*comm);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag)
{
    static int last_tag = 32767;
    (void)comm;
    (void)key;
    *(int **)value = &last_tag;
    *flag = 1;
    return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    (void)comm;
    (void)handler;
    return MPI_SUCCESS;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler)
{
    (void)comm;
    *handler = MPI_ERRORS_RETURN;
    return MPI_SUCCESS;
}

int MPI_Errhandler_free(MPI_Errhandler *handler)
{
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

/* ---- collective calls ---------------------------------------------------------------------------------------------- */

static size_t size_of(MPI_Datatype type)
{
    return type == MPI_BYTE ? 1 : type == MPI_INT ? 4 : 8;
}

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    (void)buffer;
    (void)n;
    (void)type;
    (void)root;
    count(comm);
    return MPI_SUCCESS;
}

/* Of all ranks the same, so of sums as often.  What adds up to 0 by what others expect does so: the second of two. */
int MPI_Allreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    enum { SUMS = 2, BALANCE = 1 };
    count(comm);
    memcpy(all, mine, (size_t)n * size_of(type));
    for (int i = 0; op == MPI_SUM && i < n; ++i) {
        uint64_t word;
        memcpy(&word, (const char *)mine + 8 * i, sizeof word);
        word = n == SUMS && i == BALANCE ? 0 : word * (uint64_t)comm->ranks;
        memcpy((char *)all + 8 * i, &word, sizeof word);
    }
    return MPI_SUCCESS;
}

int MPI_Iallreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return MPI_Allreduce(mine, all, n, type, op, comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    count(comm);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

/* Of a node: numbers of ranks follow each other, and all else is the same. */
int MPI_Allgather(const void *mine, int n, MPI_Datatype type, void *all, int all_count, MPI_Datatype all_type,
                  MPI_Comm comm)
{
    (void)all_count;
    (void)all_type;
    count(comm);
    for (int i = 0; i < comm->ranks; ++i) {
        char *place = (char *)all + (size_t)i * (size_t)n * size_of(type);
        memcpy(place, mine, (size_t)n * size_of(type));
        if (type == MPI_INT) {
            *(int *)(void *)place += i - comm->rank;
        }
    }
    return MPI_SUCCESS;
}

/* ---- messages ------------------------------------------------------------------------------------------------------ */

static int begin(MPI_Request *request)
{
    calls.messages++;
    *request = malloc(sizeof **request);
    return *request ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int MPI_Send_init(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    (void)buffer;
    (void)n;
    (void)type;
    (void)to;
    (void)tag;
    (void)comm;
    return begin(request);
}

int MPI_Recv_init(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    (void)buffer;
    (void)n;
    (void)type;
    (void)from;
    (void)tag;
    (void)comm;
    return begin(request);
}

int MPI_Request_free(MPI_Request *request)
{
    free(*request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    (void)status;
    *request = MPI_REQUEST_NULL;
    *flag = 1;
    return MPI_SUCCESS;
}

int MPI_Type_contiguous(int n, MPI_Datatype of, MPI_Datatype *type)
{
    (void)n;
    *type = of;
    return MPI_SUCCESS;
}

int MPI_Type_commit(MPI_Datatype *type)
{
    (void)type;
    return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype *type)
{
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* ---- what creating a handle does not call -------------------------------------------------------------------------- */

#define LONE_NEVER(name, ...)                                                                                \
    int name(__VA_ARGS__)                                                                                    \
    {                                                                                                        \
        fprintf(stderr, #name " was called\n");                                                              \
        abort();                                                                                             \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
LONE_NEVER(MPI_Barrier, MPI_Comm comm)
LONE_NEVER(MPI_Topo_test, MPI_Comm comm, int *kind)
LONE_NEVER(MPI_Cartdim_get, MPI_Comm comm, int *axes)
LONE_NEVER(MPI_Cart_get, MPI_Comm comm, int n, int parts[], int periodic[], int coordinates[])
LONE_NEVER(MPI_Dist_graph_create_adjacent, MPI_Comm comm, int ins, const int from[], const int in_weight[],
           int outs, const int to[], const int out_weight[], MPI_Info info, int reorder, MPI_Comm *graph)
LONE_NEVER(MPI_Isend, const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request *request)
LONE_NEVER(MPI_Issend, const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request *request)
LONE_NEVER(MPI_Irecv, void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
           MPI_Request *request)
LONE_NEVER(MPI_Recv, void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
           MPI_Status *status)
LONE_NEVER(MPI_Start, MPI_Request *request)
LONE_NEVER(MPI_Iprobe, int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
LONE_NEVER(MPI_Testall, int n, MPI_Request request[], int *flag, MPI_Status status[])
LONE_NEVER(MPI_Testsome, int n, MPI_Request request[], int *finished, int done[], MPI_Status status[])
LONE_NEVER(MPI_Ineighbor_alltoallv, const void *out, const int out_count[], const int out_at[],
           MPI_Datatype out_type, void *in, const int in_count[], const int in_at[], MPI_Datatype in_type,
           MPI_Comm comm, MPI_Request *request)
