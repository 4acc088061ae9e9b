/*
 * The types of MPI that headers of libhx name.  There are no functions: what is compiled with this file computes,
 * and sends nothing.
 */
#ifndef MPI_VERSION
#define MPI_VERSION    3
#define MPI_SUBVERSION 1

typedef struct no_communicator *MPI_Comm;
typedef struct no_handler *MPI_Errhandler;
typedef struct no_request *MPI_Request;
typedef struct no_status {
    int unused;
} MPI_Status;

#define MPI_COMM_NULL ((MPI_Comm)0)

#endif
