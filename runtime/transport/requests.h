/*
 * What transports have in common that send and receive messages with MPI requests.
 */
#ifndef HX_REQUESTS_H
#define HX_REQUESTS_H

#include "transport/transport.h"

/* How MPI is told about a message: an int cannot count the bytes of all of them. */
typedef struct hxi_mpi_count {
    int count;
    int unit; /* bytes; 1, or so many that the count fits */
} hxi_mpi_count;

/* The largest count that MPI takes; tests set a smaller one, to see what becomes of long messages. */
#ifndef HX_REQUESTS_MOST
#define HX_REQUESTS_MOST 2147483647
#endif

/* HX_ERR_LIMIT if there is no such unit.  most: the largest count. */
hx_status hxi_requests_count(size_t bytes, int most, hxi_mpi_count *count);

/* A binding's state: requests of all receives, then of all sends. */
typedef struct hxi_requests {
    MPI_Request *request;
    MPI_Status *status;
    int *done;
    hxi_mpi_count *mpi_count;
    MPI_Datatype *type;
    int count;
    void *more; /* the transport's own, from hxi_memory_get; freed with the requests */
} hxi_requests;

/* Allocates buffers and requests.  Local. */
hx_status hxi_requests_bind(hxi_binding *binding);

/* The same, for messages that are counted in another way, in buffers that no other exchange has. */
typedef hx_status hxi_mpi_count_fn(size_t bytes, int most, hxi_mpi_count *count);
hx_status hxi_requests_bind_apart(hxi_binding *binding, hxi_mpi_count_fn *count_of);
void hxi_requests_unbind(hxi_binding *binding, int abandon);

/* Begins one message, from or into where its buffer is now. */
hx_status hxi_requests_receive(hxi_binding *binding, int number);
hx_status hxi_requests_send(hxi_binding *binding, int number);

/* Notes which requests have completed.  Never waits. */
hx_status hxi_requests_progress(hxi_binding *binding);

#endif
