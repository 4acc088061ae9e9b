/*
 * Persistent requests: MPI learns of buffers and peers once, when the plan is made.
 */
#include "requests.h"

#include "../status.h"

static hx_status bind(hx_binding *binding)
{
    const hx_status status = hx_requests_bind(binding);
    if (status != HX_OK) {
        return status;
    }
    hx_requests *r = binding->state;
    for (int i = 0; i < r->count; ++i) {
        const bool sent = i >= binding->receives;
        const hx_message *message = sent ? &binding->send[i - binding->receives] : &binding->receive[i];
        const hx_extent *extent = &r->extent[i];
        const int code = sent ? MPI_Send_init(message->buffer, extent->count, r->type[i], message->peer,
                                              binding->tag, binding->topology->comm, &r->request[i])
                              : MPI_Recv_init(message->buffer, extent->count, r->type[i], message->peer,
                                              binding->tag, binding->topology->comm, &r->request[i]);
        if (code != MPI_SUCCESS) {
            return hx_fail_mpi(code, "%s rank %d", sent ? "MPI_Send_init to" : "MPI_Recv_init from",
                               message->peer);
        }
    }
    return HX_OK;
}

static hx_status start(hx_binding *binding)
{
    hx_requests *r = binding->state;
    binding->arrivals = 0;
    if (binding->receives == 0) {
        return HX_OK;
    }
    const int code = MPI_Startall(binding->receives, r->request);
    if (code != MPI_SUCCESS) {
        return hx_fail_mpi(code, "MPI_Startall of the receives of rank %d", binding->topology->rank);
    }
    binding->under_way = binding->receives;
    return HX_OK;
}

static hx_status send(hx_binding *binding, int number)
{
    hx_requests *r = binding->state;
    const int code = MPI_Start(&r->request[binding->receives + number]);
    if (code != MPI_SUCCESS) {
        return hx_fail_mpi(code, "MPI_Start of the message from rank %d to rank %d", binding->topology->rank,
                           binding->send[number].peer);
    }
    binding->under_way++;
    return HX_OK;
}

const hx_transport hx_transport_persistent = {
    .name = "persistent",
    .flags = HX_TRANSPORT_CHOICE,
    .about = "one persistent message",
    .bind = bind,
    .start = start,
    .send = send,
    .progress = hx_requests_progress,
    .unbind = hx_requests_unbind,
};
