/*
 * Short messages to ranks that do not know whether, and from whom, some will come.
 */
#ifndef HX_ANNOUNCE_H
#define HX_ANNOUNCE_H

#include <mpi.h>
#include <stdint.h>

typedef struct hxi_sparse_message {
    int peer;
    uint64_t word[2];
} hxi_sparse_message;

typedef struct hxi_sparse_announcing {
    MPI_Comm comm;
    int tag;
    const hxi_sparse_message *letter; /* of this rank, at most one to each; maybe one to itself */
    int letters;
    MPI_Request *request; /* one per letter */
    MPI_Status *status;   /* likewise, never read: MPICH's MPI_STATUSES_IGNORE makes gcc warn */
    void (*hear)(void *context, const hxi_sparse_message *letter); /* one has come, from its peer */
    void (*fail)(void *context, int code, const char *call);
    void *context;
} hxi_sparse_announcing;

/*
 * Collective.  Each letter is sent synchronously, so its sender knows when it was heard; a barrier that a
 * rank enters when all of its own were heard ends when nothing can come any more.  A call of MPI that fails
 * is told, and the rest goes on.
 */
void hxi_sparse_announce(const hxi_sparse_announcing *announcing);

#endif
