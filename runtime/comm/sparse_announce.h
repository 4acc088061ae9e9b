/*
 * Short messages to ranks that do not know whether, and from whom, some will come: the NBX algorithm of
 * T. Hoefler, C. Siebert and A. Lumsdaine, "Scalable communication protocols for dynamic sparse data exchange",
 * PPoPP 2010.
 */
#ifndef HX_SPARSE_ANNOUNCE_H
#define HX_SPARSE_ANNOUNCE_H

#include <mpi.h>
#include <stdint.h>

typedef struct hxi_sparse_message {
    int peer;
    uint64_t word[2];
} hxi_sparse_message;

typedef struct hxi_sparse_announcing {
    MPI_Comm comm;
    int tag;
    const hxi_sparse_message *message; /* of this rank, at most one to each; maybe one to itself */
    int messages;
    MPI_Request *request; /* one per message */
    MPI_Status *status;   /* likewise, never read: MPICH's MPI_STATUSES_IGNORE makes gcc warn */
    void (*hear)(void *context, const hxi_sparse_message *message); /* one has come, from its peer */
    void (*fail)(void *context, int code, const char *call);
    void *context;
} hxi_sparse_announcing;

/*
 * Collective.  Each message is sent synchronously, so its sender knows when it was heard; a barrier that a
 * rank enters when all of its own were heard ends when nothing can come any more.  A call of MPI that fails
 * is told, and the rest goes on.
 */
void hxi_sparse_announce(const hxi_sparse_announcing *announcing);

#endif
