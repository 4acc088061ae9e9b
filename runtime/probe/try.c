#include "probe.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* As libhx sends them: short ones that MPI sends at once, and such as it has to arrange for. */
static const int lengths[] = {1, 64, 4096, 65536, 1 << 20, 1 << 23};
enum {
    LENGTHS = sizeof lengths / sizeof lengths[0],
    LONGEST = 1 << 23,
    PATIENCE = 60,
    TAG = 1,
    REQUESTS = 2
};

/* ---- what fails ---------------------------------------------------------------------------------------- */

static bool device_failed(const probe *p, int error, const char *what)
{
    if (error != 0) {
        fprintf(stderr, "hx_probe: rank %d: %s failed: \"%s\" (error %d of the device's library)\n", p->rank,
                what, p->calls->text(error), error);
    }
    return error != 0;
}

static bool mpi_failed(const probe *p, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code != MPI_SUCCESS) {
        MPI_Error_string(code, text, &length);
        fprintf(stderr, "hx_probe: rank %d: %s failed: %s\n", p->rank, call, text);
    }
    return code != MPI_SUCCESS;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

bool probe_open(probe *p, const hx_device *calls, MPI_Comm comm)
{
    void *out = NULL;
    void *in = NULL;
    void *host = NULL;
    *p = (probe){.calls = calls, .comm = comm};
    MPI_Comm_rank(comm, &p->rank);
    MPI_Comm_size(comm, &p->ranks);
    int error = calls->get(HX_MEMORY_DEVICE, LONGEST, &out);
    error = error == 0 ? calls->get(HX_MEMORY_DEVICE, LONGEST, &in) : error;
    error = error == 0 ? calls->get(HX_MEMORY_PINNED, LONGEST, &host) : error;
    p->out = out;
    p->in = in;
    p->host = host;
    error = error == 0 ? calls->stream_open(false, &p->stream) : error;
    error = error == 0 ? calls->event_open(&p->end) : error;
    return !device_failed(p, error, "Getting memory and a stream");
}

void probe_close(probe *p)
{
    if (p->end) {
        p->calls->event_close(p->end);
    }
    if (p->stream) {
        p->calls->stream_close(p->stream);
    }
    p->calls->free(HX_MEMORY_DEVICE, p->out);
    p->calls->free(HX_MEMORY_DEVICE, p->in);
    p->calls->free(HX_MEMORY_PINNED, p->host);
}

/* Until the stream has done what it was given. */
static int settle(const probe *p)
{
    bool done = false;
    int error = p->calls->event_record(p->end, p->stream);
    for (; error == 0 && !done; hx_clock_yield()) {
        error = p->calls->event_done(p->end, &done);
    }
    return error;
}

/* Never 0, which is what a message that did not come leaves. */
static unsigned char known_byte(int from, int to, int length, int at)
{
    return (unsigned char)(1 + (31u * (unsigned)from + 7u * (unsigned)to + (unsigned)length + (unsigned)at) %
                                   251);
}

static bool write_known(const probe *p, int to, int length)
{
    for (int i = 0; i < length; ++i) {
        p->host[i] = known_byte(p->rank, to, length, i);
    }
    int error = p->calls->copy(p->out, p->host, (size_t)length, p->stream);
    error = error == 0 ? p->calls->zero(p->in, (size_t)length, p->stream) : error;
    error = error == 0 ? settle(p) : error;
    return !device_failed(p, error, "Writing bytes to the device");
}

static bool check_known(probe *p, int from, int length, const char *how)
{
    int error = p->calls->copy(p->host, p->in, (size_t)length, p->stream);
    error = error == 0 ? settle(p) : error;
    if (device_failed(p, error, "Reading bytes of the device")) {
        return false;
    }
    for (int i = 0; i < length; ++i) {
        const unsigned char known = known_byte(from, p->rank, length, i);
        if (p->host[i] != known) {
            fprintf(stderr, "hx_probe: rank %d got %d for byte %d of the %d that rank %d sent %s; it is %d\n",
                    p->rank, p->host[i], i, length, from, how, known);
            return false;
        }
    }
    ++p->messages;
    return true;
}

/* ---- ways ---------------------------------------------------------------------------------------------- */

/* A call of MPI that never ends leaves the verdict as it is. */
static bool wait_for(const probe *p, MPI_Request request[], int count, const char *call)
{
    const double until = hx_clock() + PATIENCE;
    MPI_Status status[REQUESTS]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for an array without room */
    int done = 0;
    int code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Testall(count, request, &done, status);
        if (!done && hx_clock() > until) {
            fprintf(stderr, "hx_probe: rank %d: %s took more than %d seconds\n", p->rank, call, PATIENCE);
            MPI_Abort(p->comm, EXIT_FAILURE);
        }
    }
    return !mpi_failed(p, code, call);
}

/* To and from these, as the transport p2p does. */
static bool send_once(const probe *p, int to, int from, int length)
{
    MPI_Request request[REQUESTS] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int code = MPI_Irecv(p->in, length, MPI_BYTE, from, TAG, p->comm, &request[0]);
    code = code == MPI_SUCCESS ? MPI_Isend(p->out, length, MPI_BYTE, to, TAG, p->comm, &request[1]) : code;
    return !mpi_failed(p, code, "MPI_Isend") && wait_for(p, request, REQUESTS, "MPI_Isend");
}

/* As persistent does. */
static bool send_again(const probe *p, int to, int from, int length)
{
    MPI_Request request[REQUESTS] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int code = MPI_Recv_init(p->in, length, MPI_BYTE, from, TAG, p->comm, &request[0]);
    code =
        code == MPI_SUCCESS ? MPI_Send_init(p->out, length, MPI_BYTE, to, TAG, p->comm, &request[1]) : code;
    code = code == MPI_SUCCESS ? MPI_Start(&request[0]) : code;
    code = code == MPI_SUCCESS ? MPI_Start(&request[1]) : code;
    const bool well = !mpi_failed(p, code, "MPI_Start") && wait_for(p, request, REQUESTS, "MPI_Start");
    for (int i = 0; well && i < 2; ++i) {
        MPI_Request_free(&request[i]);
    }
    return well;
}

/* As neighbor does. */
static bool send_to_neighbor(const probe *p, int to, int from, int length)
{
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    const int begin = 0;
    int code =
        MPI_Dist_graph_create_adjacent(p->comm, 1, &from, &length, 1, &to, &length, MPI_INFO_NULL, 0, &graph);
    code = code == MPI_SUCCESS ? MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN) : code;
    code = code == MPI_SUCCESS ? MPI_Ineighbor_alltoallv(p->out, &length, &begin, MPI_BYTE, p->in, &length,
                                                         &begin, MPI_BYTE, graph, &request)
                               : code;
    const bool well = !mpi_failed(p, code, "MPI_Ineighbor_alltoallv") &&
                      wait_for(p, &request, 1, "MPI_Ineighbor_alltoallv");
    if (well) {
        MPI_Comm_free(&graph);
    }
    return well;
}

static const struct {
    bool (*send)(const probe *p, int to, int from, int length);
    const char *how;
} ways[] = {
    {send_once, "by MPI_Isend"},
    {send_again, "by a persistent request"},
    {send_to_neighbor, "by MPI_Ineighbor_alltoallv"},
};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* Ranks that are so far from each other. */
static bool try_distance(probe *p, int distance)
{
    const int to = (p->rank + distance) % p->ranks;
    const int from = (p->rank - distance + p->ranks) % p->ranks;
    for (int way = 0; way < WAYS; ++way) {
        for (int i = 0; i < LENGTHS; ++i) {
            int well = write_known(p, to, lengths[i]) && ways[way].send(p, to, from, lengths[i]) &&
                       check_known(p, from, lengths[i], ways[way].how);
            MPI_Allreduce(MPI_IN_PLACE, &well, 1, MPI_INT, MPI_MIN, p->comm);
            if (!well) {
                return false;
            }
        }
    }
    return true;
}

bool probe_try(probe *p)
{
    bool well = try_distance(p, 0);
    for (int distance = 1; well && distance < p->ranks; distance *= 2) {
        well = try_distance(p, distance);
    }
    return well;
}
