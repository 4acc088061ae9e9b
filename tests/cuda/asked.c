/*
 * What MPI says of memory of devices, for tests: FAKE_MPI_SAYS=1 or 0 in the environment.  FAKE_MPI_LOSES=1:
 * of a long message it sends other bytes than it was given.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>

#include <stdlib.h>
#include <string.h>

int MPIX_Query_cuda_support(void);

static int is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && strcmp(value, "1") == 0;
}

int MPIX_Query_cuda_support(void)
{
    return is_set("FAKE_MPI_SAYS");
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static unsigned char others[1 << 23];
    const int loses = is_set("FAKE_MPI_LOSES") && count > 1 << 16;
    return PMPI_Isend(loses ? others : data, count, type, to, tag, comm, request);
}
