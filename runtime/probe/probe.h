/*
 * hx_probe: can this MPI be given memory of devices?
 */
#ifndef HX_PROBE_H
#define HX_PROBE_H

#include <hx/cuda.h>

#include <mpi.h>

#include <stdbool.h>

typedef struct probe {
    const hx_device *calls;
    MPI_Comm comm;
    int rank;
    int ranks;
    hx_stream stream;
    hx_device_event *end;
    unsigned char *out; /* memory of the device, */
    unsigned char *in;
    unsigned char *host; /* and of the host, pinned */
    long messages;       /* received so far */
} probe;

/* Of the device that is current.  False: it failed, which standard error tells. */
bool probe_open(probe *p, const hx_device *calls, MPI_Comm comm);
void probe_close(probe *p);

/*
 * Collective.  Sends bytes from memory of the device to memory of the device, of several lengths, from each
 * rank to itself and to others, by all calls that libhx makes for that.  False: other bytes came, or MPI
 * failed, on this rank, which standard error tells.
 */
bool probe_try(probe *p);

#endif
