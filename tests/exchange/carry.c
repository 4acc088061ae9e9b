#include "carry.h"

#include <stdlib.h>

/* The message to a rank, or from it; an empty one with nobody if there is none. */
static hx_message_buffer find(const hx_message_buffer *message, int count, int peer, int incoming)
{
    for (int m = 0; m < count; ++m) {
        if (message[m].peer == peer && message[m].incoming == incoming) {
            return message[m];
        }
    }
    return (hx_message_buffer){.peer = MPI_PROC_NULL};
}

int carry(const hx_handle *handle, int exchange, MPI_Comm comm)
{
    int count = 0;
    if (hx_message_buffers(handle, exchange, NULL, &count) != HX_OK) {
        return -1;
    }
    hx_message_buffer *message = calloc((size_t)count + 1, sizeof *message);
    if (!message || hx_message_buffers(handle, exchange, message, &count) != HX_OK) {
        free(message);
        return -1;
    }
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int away = 1; away < ranks; ++away) {
        const hx_message_buffer out = find(message, count, (rank + away) % ranks, 0);
        const hx_message_buffer in = find(message, count, (rank - away + ranks) % ranks, 1);
        MPI_Sendrecv(out.data, (int)out.bytes, MPI_BYTE, out.peer, exchange, in.data, (int)in.bytes, MPI_BYTE,
                     in.peer, exchange, comm, MPI_STATUS_IGNORE);
    }
    free(message);
    return count;
}
