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
    round->done = hxi_memory_get((size_t)receives, sizeof *round->done, purpose);
    if (!round->send || !round->receive || !round->request || !round->status || !round->done) {
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
    hxi_memory_free(round->done);
    *round = (hxi_peer_round){.comm = MPI_COMM_NULL};
}

hx_status hxi_peer_round_open(hxi_peer_round *round)
{
    int code = MPI_SUCCESS;
    round->come = round->given = 0;
    for (int i = 0; i < round->receives + round->sends; ++i) {
        round->request[i] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < round->receives && code == MPI_SUCCESS; ++i) {
        const hxi_peer_note *n = &round->receive[i];
        code = MPI_Irecv(n->data, (int)n->bytes, MPI_BYTE, n->peer, n->tag, round->comm, &round->request[i]);
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling peers (MPI_Irecv)");
}

hx_status hxi_peer_round_send(hxi_peer_round *round, int number)
{
    const hxi_peer_note *n = &round->send[number];
    const int code = MPI_Isend(n->data, (int)n->bytes, MPI_BYTE, n->peer, n->tag, round->comm,
                               &round->request[round->receives + number]);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling peers (MPI_Isend)");
}

hx_status hxi_peer_round_begin(hxi_peer_round *round)
{
    hx_status status = hxi_peer_round_open(round);
    for (int i = 0; i < round->sends && status == HX_OK; ++i) {
        status = hxi_peer_round_send(round, i);
    }
    return status;
}

hx_status hxi_peer_round_take(hxi_peer_round *round, int *number)
{
    int code = MPI_SUCCESS;
    if (round->given == round->come) {
        int come = 0;
        code = MPI_Testsome(round->receives, round->request, &come, round->done, round->status);
        round->come = code == MPI_SUCCESS && come != MPI_UNDEFINED ? come : 0;
        round->given = 0;
    }
    *number = round->given < round->come ? round->done[round->given++] : -1;
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling peers (MPI_Testsome)");
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
