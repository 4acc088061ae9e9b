#include "transport/requests.h"

#include "base/memory.h"
#include "base/status.h"

/* Large units waste at most one of them per message; each is a contiguous datatype. */
enum { LARGE_UNIT = 1 << 20 };

hx_status hxi_requests_count(size_t bytes, int most, hxi_mpi_count *count)
{
    const size_t limit = (size_t)most;
    if (bytes <= limit) {
        *count = (hxi_mpi_count){(int)bytes, 1};
        return HX_OK;
    }
    const size_t units = bytes / LARGE_UNIT + (bytes % LARGE_UNIT != 0);
    if (units > limit) {
        return hxi_fail(HX_ERR_LIMIT,
                        "A message of %zu bytes is longer than what MPI can count, %zu units of %d bytes.",
                        bytes, limit, (int)LARGE_UNIT);
    }
    *count = (hxi_mpi_count){(int)units, LARGE_UNIT};
    return HX_OK;
}

static hxi_message *message_of(hxi_binding *binding, int request)
{
    return request < binding->receives ? &binding->receive[request]
                                       : &binding->send[request - binding->receives];
}

static hx_status prepare(hxi_binding *binding, hxi_mpi_count_fn *count_of, bool own, int number)
{
    hxi_requests *r = binding->state;
    hxi_message *message = message_of(binding, number);
    hxi_mpi_count *count = &r->mpi_count[number];
    const hx_status status = count_of(message->bytes, HX_REQUESTS_MOST, count);
    if (status != HX_OK) {
        return status;
    }
    r->type[number] = MPI_BYTE;
    if (count->unit != 1) {
        int code = MPI_Type_contiguous(count->unit, MPI_BYTE, &r->type[number]);
        code = code == MPI_SUCCESS ? MPI_Type_commit(&r->type[number]) : code;
        if (code != MPI_SUCCESS) {
            return hxi_fail_mpi(code, "Making a datatype for a message of %zu bytes", message->bytes);
        }
    }
    if (message->in_place) {
        return HX_OK;
    }
    void *buffer = NULL;
    const size_t room = (size_t)count->count * (size_t)count->unit;
    const hx_status taken = own ? hxi_buffers_take(binding->buffers, room, &buffer)
                                : hxi_buffers_take_shared(binding->buffers, room, &buffer);
    message->buffer = buffer;
    return taken;
}

/* own: in buffers that no other exchange has. */
static hx_status bind_by(hxi_binding *binding, hxi_mpi_count_fn *count_of, bool own)
{
    hxi_requests *r = hxi_memory_get(1, sizeof *r, "the requests of an exchange");
    if (!r) {
        return HX_ERR_MEMORY;
    }
    binding->state = r;
    const int count = binding->receives + binding->sends;
    const size_t n = (size_t)count;
    r->request = hxi_memory_get(n, sizeof *r->request, "the requests of an exchange");
    r->status = hxi_memory_get(n, sizeof *r->status, "the requests of an exchange");
    r->done = hxi_memory_get(n, sizeof *r->done, "the requests of an exchange");
    r->mpi_count = hxi_memory_get(n, sizeof *r->mpi_count, "the requests of an exchange");
    r->type = hxi_memory_get(n, sizeof *r->type, "the requests of an exchange");
    binding->arrived =
        hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, "the messages of an exchange");
    if (!r->request || !r->status || !r->done || !r->mpi_count || !r->type || !binding->arrived) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        r->request[i] = MPI_REQUEST_NULL;
        r->type[i] = MPI_DATATYPE_NULL;
    }
    r->count = count;
    hx_status status = HX_OK;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        status = prepare(binding, count_of, own, i);
    }
    return status;
}

hx_status hxi_requests_bind(hxi_binding *binding)
{
    return bind_by(binding, hxi_requests_count, false);
}

hx_status hxi_requests_bind_apart(hxi_binding *binding, hxi_mpi_count_fn *count_of)
{
    return bind_by(binding, count_of, true);
}

static void release_mpi(hxi_requests *r)
{
    for (int i = 0; i < r->count; ++i) {
        if (r->request[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&r->request[i]);
        }
        if (r->type[i] != MPI_DATATYPE_NULL && r->type[i] != MPI_BYTE) {
            MPI_Type_free(&r->type[i]);
        }
    }
}

hx_status hxi_requests_receive(hxi_binding *binding, int number)
{
    hxi_requests *r = binding->state;
    const hxi_message *message = &binding->receive[number];
    const int code = MPI_Irecv(message->buffer, r->mpi_count[number].count, r->type[number], message->peer,
                               binding->tag, binding->topology->comm, &r->request[number]);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Irecv on rank %d from rank %d", binding->topology->rank,
                            message->peer);
    }
    binding->under_way++;
    return HX_OK;
}

hx_status hxi_requests_send(hxi_binding *binding, int number)
{
    hxi_requests *r = binding->state;
    const hxi_message *message = &binding->send[number];
    const int i = binding->receives + number;
    const int code = MPI_Isend(message->buffer, r->mpi_count[i].count, r->type[i], message->peer,
                               binding->tag, binding->topology->comm, &r->request[i]);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Isend on rank %d to rank %d", binding->topology->rank, message->peer);
    }
    binding->under_way++;
    return HX_OK;
}

void hxi_requests_unbind(hxi_binding *binding, int abandon)
{
    hxi_requests *r = binding->state;
    if (!r) {
        return;
    }
    if (!abandon && hxi_topology_alive()) {
        release_mpi(r);
    }
    for (int i = 0; i < r->count; ++i) {
        if (!message_of(binding, i)->in_place) {
            hxi_buffers_give_shared(binding->buffers, message_of(binding, i)->buffer, abandon);
        }
    }
    hxi_memory_free(r->request);
    hxi_memory_free(r->status);
    hxi_memory_free(r->done);
    hxi_memory_free(r->mpi_count);
    hxi_memory_free(r->type);
    hxi_memory_free(r->more);
    hxi_memory_free(r);
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

/* The sentence for a request that failed; MPI_Testsome itself only says that one did. */
static hx_status explain(const hxi_binding *binding, const hxi_requests *r, int finished, int code)
{
    for (int i = 0; code == MPI_ERR_IN_STATUS && i < finished; ++i) {
        const int failure = r->status[i].MPI_ERROR;
        if (failure != MPI_SUCCESS && failure != MPI_ERR_PENDING) {
            const bool sent = r->done[i] >= binding->receives;
            const hxi_message *message =
                sent ? &binding->send[r->done[i] - binding->receives] : &binding->receive[r->done[i]];
            return hxi_fail_mpi(failure, "Rank %d %s %zu bytes %s rank %d", binding->topology->rank,
                                sent ? "sending" : "receiving", message->bytes, sent ? "to" : "from",
                                message->peer);
        }
    }
    return hxi_fail_mpi(code, "MPI_Testsome on rank %d", binding->topology->rank);
}

hx_status hxi_requests_progress(hxi_binding *binding)
{
    hxi_requests *r = binding->state;
    int finished = 0;
    const int code = MPI_Testsome(r->count, r->request, &finished, r->done, r->status);
    if (code != MPI_SUCCESS) {
        return explain(binding, r, finished, code);
    }
    for (int i = 0; i < finished; ++i) {
        if (r->done[i] < binding->receives) {
            binding->arrived[binding->arrivals++] = r->done[i];
        }
    }
    binding->under_way -= finished;
    return HX_OK;
}
