#include "comm/peer_round.h"

#include "base/memory.h"
#include "base/status.h"

static const char purpose[] = "what ranks tell their peers";

hx_status hxi_peer_round_make(int sends, int receives, hxi_peer_round *round)
{
    const size_t count = (size_t)sends + (size_t)receives;
    *round = (hxi_peer_round){.comm = MPI_COMM_NULL};
    round->send = hxi_memory_get((size_t)sends, sizeof *round->send, purpose);
    round->receive = hxi_memory_get((size_t)receives, sizeof *round->receive, purpose);
    round->request = hxi_memory_get(count, sizeof *round->request, purpose);
    round->status = hxi_memory_get(count, sizeof *round->status, purpose);
    if (!round->send || !round->receive || !round->request || !round->status) {
        hxi_peer_round_free(round);
        return HX_ERR_MEMORY;
    }
    return HX_OK;
}

void hxi_peer_round_free(hxi_peer_round *round)
{
    hxi_memory_free(round->send);
    hxi_memory_free(round->receive);
    hxi_memory_free(round->request);
    hxi_memory_free(round->status);
    *round = (hxi_peer_round){.comm = MPI_COMM_NULL};
}

hx_status hxi_peer_round_begin(hxi_peer_round *round)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < round->receives + round->sends; ++i) {
        round->request[i] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < round->receives && code == MPI_SUCCESS; ++i) {
        const hxi_peer_note *n = &round->receive[i];
        code = MPI_Irecv(n->data, (int)n->bytes, MPI_BYTE, n->peer, n->tag, round->comm, &round->request[i]);
    }
    for (int i = 0; i < round->sends && code == MPI_SUCCESS; ++i) {
        const hxi_peer_note *n = &round->send[i];
        code = MPI_Isend(n->data, (int)n->bytes, MPI_BYTE, n->peer, n->tag, round->comm,
                         &round->request[round->receives + i]);
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling peers (MPI_Isend and MPI_Irecv)");
}

hx_status hxi_peer_round_test(hxi_peer_round *round, bool *through)
{
    int all = 0;
    const int code = MPI_Testall(round->receives + round->sends, round->request, &all, round->status);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Telling peers (MPI_Testall)");
    }
    *through = all;
    for (int i = 0; i < round->receives && all; ++i) {
        int bytes = 0;
        MPI_Get_count(&round->status[i], MPI_BYTE, &bytes);
        round->receive[i].bytes = (size_t)bytes;
    }
    return HX_OK;
}

void hxi_peer_round_abandon(hxi_peer_round *round)
{
    for (int i = 0; i < round->receives; ++i) {
        if (round->request[i] != MPI_REQUEST_NULL) {
            MPI_Cancel(&round->request[i]);
        }
    }
}
