#include "comm/sparse_announce.h"

static void note(const hxi_sparse_announcing *a, int code, const char *call)
{
    if (code != MPI_SUCCESS) {
        a->fail(a->context, code, call);
    }
}

/* Receives one message if one has come. */
static void listen(const hxi_sparse_announcing *a)
{
    int waiting = 0;
    MPI_Status from;
    note(a, MPI_Iprobe(MPI_ANY_SOURCE, a->tag, a->comm, &waiting, &from), "MPI_Iprobe");
    if (waiting) {
        hxi_sparse_message message = {.peer = from.MPI_SOURCE};
        note(a, MPI_Recv(message.word, 2, MPI_UINT64_T, message.peer, a->tag, a->comm, &from), "MPI_Recv");
        a->hear(a->context, &message);
    }
}

void hxi_sparse_announce(const hxi_sparse_announcing *a)
{
    for (int i = 0; i < a->messages; ++i) {
        const hxi_sparse_message *message = &a->message[i];
        a->request[i] = MPI_REQUEST_NULL;
        note(a, MPI_Issend(message->word, 2, MPI_UINT64_T, message->peer, a->tag, a->comm, &a->request[i]),
             "MPI_Issend");
    }
    int heard = 0;
    while (!heard) {
        listen(a);
        note(a, MPI_Testall(a->messages, a->request, &heard, a->status), "MPI_Testall");
    }
    MPI_Request barrier = MPI_REQUEST_NULL;
    note(a, MPI_Ibarrier(a->comm, &barrier), "MPI_Ibarrier");
    int over = 0;
    while (!over) {
        listen(a);
        note(a, MPI_Test(&barrier, &over, MPI_STATUS_IGNORE), "MPI_Test");
    }
}
