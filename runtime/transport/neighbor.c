/*
 * Neighborhood collectives: one call of MPI exchanges the messages of all peers, along the edges of a graph.
 *
 * Each exchange has a graph of its own, because all ranks must start the collectives of one communicator in
 * the same order, and exchanges may be started in any.  A rank takes part when all of its messages are
 * packed; one that sends none, when the exchange starts; also one that has no peers.
 *
 * MPI 4 has persistent ones, which learn of buffers and peers once.  They are taken where all ranks can make theirs.
 *
 * Few programs use these collectives, so none is trusted before it has delivered known bytes.
 */
#include "transport/probe.h"
#include "transport/requests.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>

enum { LINE = 64 };

/* The messages of one direction, as MPI is told about them: one edge each, all in one buffer. */
typedef struct side {
    int messages;
    int *peer; /* from the pool with the two below: MPI reads them while a collective is under way */
    int *bytes;
    int *offset;
    unsigned char *buffer; /* what MPI is given: one of these */
    unsigned char *host;
    unsigned char *device; /* where messages are to lie once the probe came through; NULL: on the host */
} side;

typedef struct neighborhood {
    side out;
    side in;
    MPI_Comm graph;
    MPI_Request request;
    bool persistent; /* the request is, with the buffers as they are now */
    int packed;      /* messages, since start */
} neighborhood;

/* ---- the local stage ----------------------------------------------------------------------------------- */

static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static hx_status prepare_side(hxi_buffers *buffers, side *s, const char *verb, hxi_message *message,
                              int messages)
{
    size_t total = 0;
    for (int m = 0; m < messages; ++m) {
        total += whole_lines(message[m].bytes);
    }
    if (total > HX_REQUESTS_MOST) {
        return hxi_fail(HX_ERR_LIMIT,
                        "One exchange %s %zu bytes in %d messages; a neighborhood collective can count %d.  "
                        "Choose another transport than \"neighbor\".",
                        verb, total, messages, HX_REQUESTS_MOST);
    }
    s->messages = messages;
    void *lists = NULL;
    void *buffer = NULL;
    void *device = NULL;
    hx_status status = hxi_buffers_take(buffers, 3 * (size_t)messages * sizeof *s->peer, &lists);
    status = status == HX_OK ? hxi_buffers_take(buffers, total, &buffer) : status;
    status = status == HX_OK && buffers->device ? hxi_buffers_take_shared(buffers, total, &device) : status;
    s->peer = lists;
    s->host = buffer;
    s->device = device;
    s->buffer = s->host;
    if (status != HX_OK) {
        return status;
    }
    s->bytes = s->peer + messages;
    s->offset = s->bytes + messages;
    size_t at = 0;
    for (int m = 0; m < messages; ++m) {
        s->peer[m] = message[m].peer;
        s->bytes[m] = (int)message[m].bytes;
        s->offset[m] = (int)at;
        message[m].buffer = s->buffer + at;
        at += whole_lines(message[m].bytes);
    }
    return HX_OK;
}

static hx_status prepare(hxi_binding *binding)
{
    neighborhood *n = hxi_memory_get(1, sizeof *n, "the neighborhood of an exchange");
    if (!n) {
        return HX_ERR_MEMORY;
    }
    n->graph = MPI_COMM_NULL;
    n->request = MPI_REQUEST_NULL;
    binding->state = n;
    binding->arrived =
        hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, "the messages of an exchange");
    hx_status status = binding->arrived ? HX_OK : HX_ERR_MEMORY;
    if (status == HX_OK) {
        status = prepare_side(binding->buffers, &n->out, "sends", binding->send, binding->sends);
    }
    if (status == HX_OK) {
        status = prepare_side(binding->buffers, &n->in, "receives", binding->receive, binding->receives);
    }
    return status;
}

/* ---- what all ranks do together ------------------------------------------------------------------------ */

/* Weights are bytes: gcc takes MPI_UNWEIGHTED for an array that is too short. */
static hx_status make_graph(hxi_binding *binding)
{
    neighborhood *n = binding->state;
    const side *in = &n->in;
    const side *out = &n->out;
    int code =
        MPI_Dist_graph_create_adjacent(binding->topology->comm, in->messages, in->peer, in->bytes,
                                       out->messages, out->peer, out->bytes, MPI_INFO_NULL, 0, &n->graph);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Dist_graph_create_adjacent");
    }
    code = MPI_Comm_set_errhandler(n->graph, MPI_ERRORS_RETURN);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "MPI_Comm_set_errhandler");
}

static void free_graph(neighborhood *n)
{
    if (n->graph != MPI_COMM_NULL && hxi_topology_alive()) {
        MPI_Comm_free(&n->graph);
    }
}

static void drop_request(neighborhood *n)
{
    if (n->persistent && hxi_topology_alive()) {
        MPI_Request_free(&n->request);
    }
    n->request = MPI_REQUEST_NULL;
    n->persistent = false;
}

#ifdef HX_MPI_NEIGHBOR_INIT
static hx_status make_request(neighborhood *n)
{
    const int code = MPI_Neighbor_alltoallv_init(n->out.buffer, n->out.bytes, n->out.offset, MPI_BYTE,
                                                 n->in.buffer, n->in.bytes, n->in.offset, MPI_BYTE, n->graph,
                                                 MPI_INFO_NULL, &n->request);
    n->persistent = code == MPI_SUCCESS;
    return n->persistent ? HX_OK : hxi_fail_mpi(code, "MPI_Neighbor_alltoallv_init");
}

/*
 * A persistent request on each rank, or on none, and then another graph: on this one some ranks have made a call that
 * others have not.
 */
static hx_status make_requests(hxi_binding *binding)
{
    neighborhood *n = binding->state;
    MPI_Comm comm = binding->topology->comm;
    if (hxi_topology_agree(comm, make_request(n)) == HX_OK) {
        return HX_OK;
    }
    drop_request(n);
    free_graph(n);
    return hxi_topology_agree(comm, make_graph(binding));
}
#else
static hx_status make_requests(const hxi_binding *binding)
{
    (void)binding;
    return HX_OK;
}
#endif

static hx_status take_part(hxi_binding *binding)
{
    neighborhood *n = binding->state;
    const int code = n->persistent ? MPI_Start(&n->request)
                                   : MPI_Ineighbor_alltoallv(n->out.buffer, n->out.bytes, n->out.offset,
                                                             MPI_BYTE, n->in.buffer, n->in.bytes,
                                                             n->in.offset, MPI_BYTE, n->graph, &n->request);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "%s on rank %d",
                            n->persistent ? "MPI_Start of MPI_Neighbor_alltoallv_init"
                                          : "MPI_Ineighbor_alltoallv",
                            binding->topology->rank);
    }
    /* All of them come at once.  Also a rank without messages has a request to complete. */
    const int messages = binding->sends + binding->receives;
    binding->under_way = messages > 0 ? messages : 1;
    return HX_OK;
}

static hx_status progress(hxi_binding *binding)
{
    neighborhood *n = binding->state;
    int done = 0;
    const int code = MPI_Test(&n->request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Test of a neighborhood collective on rank %d",
                            binding->topology->rank);
    }
    if (done) {
        while (binding->arrivals < binding->receives) {
            binding->arrived[binding->arrivals] = binding->arrivals;
            binding->arrivals++;
        }
        binding->under_way = 0;
    }
    return HX_OK;
}

/* The probe's bytes were written and read by the host. */
static void move_to_device(side *s, hxi_message *message)
{
    if (s->device) {
        s->buffer = s->device;
        for (int m = 0; m < s->messages; ++m) {
            message[m].buffer = s->buffer + s->offset[m];
        }
    }
}

/* ---- the transport ------------------------------------------------------------------------------------- */

static void release_side(hxi_buffers *buffers, const side *s, int abandon)
{
    hxi_buffers_give(buffers, s->peer, abandon);
    hxi_buffers_give(buffers, s->host, abandon);
    hxi_buffers_give_shared(buffers, s->device,
                            abandon && s->buffer == s->device); /* else MPI never had it */
}

static void unbind(hxi_binding *binding, int abandon)
{
    neighborhood *n = binding->state;
    if (!n) {
        return;
    }
    if (!abandon) {
        drop_request(n);
        free_graph(n);
    }
    release_side(binding->buffers, &n->out, abandon);
    release_side(binding->buffers, &n->in, abandon);
    hxi_memory_free(n);
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

static hx_status bind(hxi_binding *binding)
{
    MPI_Comm comm = binding->topology->comm;
    hx_status status = hxi_topology_agree(comm, prepare(binding));
    if (status != HX_OK) {
        return status;
    }
    status = hxi_topology_agree(comm, make_graph(binding));
    status = status == HX_OK ? make_requests(binding) : status;
    if (status != HX_OK) {
        return hxi_probe_fall_back(binding, 0);
    }
    hxi_probe_clear(binding);
    status = hxi_topology_agree(comm, hxi_probe_run(binding, "neighborhood collectives"));
    if (status != HX_OK) {
        return hxi_probe_fall_back(binding, 1);
    }
    neighborhood *n = binding->state;
    if (n->out.device || n->in.device) {
        drop_request(n); /* it has the buffers of the probe */
    }
    move_to_device(&n->out, binding->send);
    move_to_device(&n->in, binding->receive);
    return HX_OK;
}

static hx_status start(hxi_binding *binding)
{
    neighborhood *n = binding->state;
    n->packed = 0;
    binding->arrivals = 0;
    return binding->sends == 0 ? take_part(binding) : HX_OK;
}

static hx_status send(hxi_binding *binding, int number)
{
    (void)number;
    neighborhood *n = binding->state;
    return ++n->packed == binding->sends ? take_part(binding) : HX_OK;
}

const hxi_transport hxi_transport_neighbor = {
    .name = "neighbor",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_DEVICE | HX_TRANSPORT_TOGETHER,
    .about = "one edge of a neighborhood collective",
    .bind = bind,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = unbind,
};
