/*
 * Plain nonblocking messages: the reference that every other transport is compared with.
 */
#include "requests.h"

#include "../status.h"

static hx_status start(hx_binding *binding)
{
    hx_requests *r = binding->state;
    binding->arrivals = 0;
    for (int i = 0; i < binding->receives; ++i) {
        const hx_message *message = &binding->receive[i];
        const int code = MPI_Irecv(message->buffer, r->extent[i].count, r->type[i], message->peer,
                                   binding->tag, binding->topology->comm, &r->request[i]);
        if (code != MPI_SUCCESS) {
            return hx_fail_mpi(code, "MPI_Irecv on rank %d from rank %d", binding->topology->rank,
                               message->peer);
        }
        binding->under_way++;
    }
    return HX_OK;
}

static hx_status send(hx_binding *binding, int number)
{
    hx_requests *r = binding->state;
    const hx_message *message = &binding->send[number];
    const int i = binding->receives + number;
    const int code = MPI_Isend(message->buffer, r->extent[i].count, r->type[i], message->peer, binding->tag,
                               binding->topology->comm, &r->request[i]);
    if (code != MPI_SUCCESS) {
        return hx_fail_mpi(code, "MPI_Isend on rank %d to rank %d", binding->topology->rank, message->peer);
    }
    binding->under_way++;
    return HX_OK;
}

const hx_transport hx_transport_p2p = {
    .name = "p2p",
    .flags = HX_TRANSPORT_CHOICE,
    .about = "one nonblocking message",
    .bind = hx_requests_bind,
    .start = start,
    .send = send,
    .progress = hx_requests_progress,
    .unbind = hx_requests_unbind,
};
