/*
 * A stand-in for MPI, for tests: those calls that libhx and its tests make, among ranks that are threads of
 * one process.  standin.h says what it does; MPI 3.1 says what the calls mean.
 */
#ifndef STANDIN_MPI_H
#define STANDIN_MPI_H

#include <stddef.h>
#include <stdint.h>

typedef struct standin_comm *MPI_Comm;
typedef struct standin_request *MPI_Request;
#define MPI_VERSION    3
#define MPI_SUBVERSION 1

typedef int MPI_Datatype; /* positive: so many bytes of it are predefined or made by MPI_Type_contiguous */
typedef ptrdiff_t MPI_Aint;
typedef int MPI_Op;
typedef int MPI_Errhandler;
typedef int MPI_Info;

typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
} MPI_Status;

extern struct standin_comm *const standin_world;
#define MPI_COMM_WORLD    standin_world
#define MPI_COMM_NULL     ((MPI_Comm)0)
#define MPI_REQUEST_NULL  ((MPI_Request)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)

extern const char standin_in_place;
#define MPI_IN_PLACE ((const void *)&standin_in_place)

enum { MPI_DATATYPE_NULL, MPI_BYTE, MPI_INT, MPI_LONG, MPI_INT64_T, MPI_UINT64_T, STANDIN_FIRST_TYPE };
enum { MPI_MIN = 1, MPI_MAX, MPI_SUM, MPI_BOR };
enum { MPI_ERRHANDLER_NULL, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN };
enum { MPI_INFO_NULL };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_CONGRUENT = 1, MPI_UNEQUAL = 3 };
enum { MPI_TAG_UB = 1, MPI_COMM_TYPE_SHARED = 1, MPI_CART = 1, MPI_DIST_GRAPH = 2 };
enum {
    MPI_ANY_SOURCE = -1,
    MPI_UNDEFINED = -32766,
    MPI_MAX_ERROR_STRING = 256,
    MPI_MAX_LIBRARY_VERSION_STRING = 64
};
enum { MPI_SUCCESS, MPI_ERR_OTHER = 15, MPI_ERR_TOPOLOGY, MPI_ERR_IN_STATUS, MPI_ERR_PENDING };

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize(void);
int MPI_Initialized(int *flag);
int MPI_Finalized(int *flag);
int MPI_Query_thread(int *provided);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Get_library_version(char *text, int *length);

int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy);
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *part);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler);
int MPI_Errhandler_free(MPI_Errhandler *handler);
int MPI_Topo_test(MPI_Comm comm, int *kind);
int MPI_Cartdim_get(MPI_Comm comm, int *axes);
int MPI_Cart_get(MPI_Comm comm, int most, int parts[], int periodic[], int coordinates[]);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int ins, const int from[], const int in_weight[], int outs,
                                   const int to[], const int out_weight[], MPI_Info info, int reorder,
                                   MPI_Comm *graph);

int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype *type);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status);
int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Request_free(MPI_Request *request);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[]);
int MPI_Testsome(int count, MPI_Request request[], int *finished, int done[], MPI_Status status[]);

int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allgather(const void *mine, int count, MPI_Datatype type, void *all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm);
int MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Ineighbor_alltoallv(const void *out, const int out_count[], const int out_at[], MPI_Datatype out_type,
                            void *in, const int in_count[], const int in_at[], MPI_Datatype in_type,
                            MPI_Comm comm, MPI_Request *request);

#endif
