/*
 * NCCL on one rank, which sends to itself: in a stream, and captured in a graph.  With a GPU that is NCCL itself, else its
 * stand-in; both have to do what device/nccl.h says.  libhx never does that, since what stays within a rank is copied.
 *
 * usage: cuda_nccl_alone, on 1 rank, with HX_NCCL_LIBRARY if the library is not found by its name
 */
#include "check.h"
#include "device/nccl.h"

#include <fake.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two messages of a group, and one without bytes. */
static const size_t bytes[] = {1, 4099, 0, (1 << 20) + 3};
enum { MESSAGES = sizeof bytes / sizeof *bytes, ROOM = 2 << 20, RUNS = 200 };

typedef struct trial {
    const hxi_nccl *nccl;
    cudaStream_t stream;
    unsigned char *host;   /* pinned, like what is on the device: what is sent, then what came */
    unsigned char *device; /* messages one behind the other */
    hxi_nccl_message message[2 * MESSAGES]; /* those sent, then those received */
} trial;

static unsigned char value(size_t at, int turn)
{
    return (unsigned char)(1 + (at * 7 + (size_t)turn * 31) % 251);
}

static void make_messages(trial *t)
{
    for (int side = 0; side < 2; ++side) {
        size_t at = (size_t)side * ROOM;
        for (int m = 0; m < MESSAGES; ++m) {
            t->message[side * MESSAGES + m] =
                (hxi_nccl_message){.peer = 0, .bytes = bytes[m], .memory = t->device + at};
            at += bytes[m];
        }
    }
}

static size_t all_bytes(void)
{
    size_t all = 0;
    for (int m = 0; m < MESSAGES; ++m) {
        all += bytes[m];
    }
    return all;
}

/* Other values on the device, and nothing where they are to come. */
static void fill(const trial *t, int turn)
{
    for (size_t i = 0; i < all_bytes(); ++i) {
        t->host[i] = value(i, turn);
    }
    memset(t->host + ROOM, 0, ROOM);
    CHECK(cudaMemcpyAsync(t->device, t->host, 2 * (size_t)ROOM, cudaMemcpyDefault, t->stream) == cudaSuccess,
          "no copy");
}

static void compare(const trial *t, int turn)
{
    long wrong = 0;
    CHECK(cudaMemcpyAsync(t->host, t->device, 2 * (size_t)ROOM, cudaMemcpyDefault, t->stream) == cudaSuccess,
          "no copy");
    CHECK(cudaStreamSynchronize(t->stream) == cudaSuccess, "the stream failed");
    for (size_t i = 0; i < all_bytes(); ++i) {
        wrong += t->host[ROOM + i] != value(i, turn);
    }
    CHECK(wrong == 0 && t->host[ROOM + all_bytes()] == 0, "%ld bytes of %zu are wrong", wrong, all_bytes());
    CHECK_STATUS(hxi_nccl_check(t->nccl), HX_OK);
}

static void put(const trial *t)
{
    CHECK_STATUS(hxi_nccl_put(t->nccl, t->message, MESSAGES, MESSAGES, t->stream), HX_OK);
}

/* Microseconds a group, by events of the stream. */
static void tell_time(const trial *t, const char *name, cudaGraphExec_t graph)
{
    cudaEvent_t event[2];
    float milliseconds = 0.0F;
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaEventCreateWithFlags(&event[i], cudaEventDefault) == cudaSuccess, "no event");
    }
    CHECK(cudaEventRecord(event[0], t->stream) == cudaSuccess, "no event");
    for (int i = 0; i < RUNS; ++i) {
        if (graph) {
            CHECK(cudaGraphLaunch(graph, t->stream) == cudaSuccess, "no launch");
        } else {
            put(t);
        }
    }
    CHECK(cudaEventRecord(event[1], t->stream) == cudaSuccess, "no event");
    CHECK(cudaStreamSynchronize(t->stream) == cudaSuccess, "the stream failed");
    CHECK(cudaEventElapsedTime(&milliseconds, event[0], event[1]) == cudaSuccess, "no time");
    printf("%s: %.1f us for a group of %d messages to itself, %zu bytes\n", name,
           1e3 * (double)milliseconds / RUNS, (int)MESSAGES, all_bytes());
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaEventDestroy(event[i]) == cudaSuccess, "an event failed");
    }
}

static void run_in_stream(const trial *t)
{
    check_about("in a stream");
    for (int turn = 0; turn < 3; ++turn) {
        fill(t, turn);
        put(t);
        compare(t, turn);
    }
    tell_time(t, "in a stream", NULL);
}

static void run_in_graph(const trial *t)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    check_about("in a graph");
    CHECK(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess, "no capture");
    put(t);
    CHECK(cudaStreamEndCapture(t->stream, &graph) == cudaSuccess, "no capture");
    if (!graph || cudaGraphInstantiateWithFlags(&made, graph, 0) != cudaSuccess) {
        CHECK(false, "no graph");
        return;
    }
    for (int turn = 0; turn < 3; ++turn) {
        fill(t, 5 + turn);
        CHECK(cudaGraphLaunch(made, t->stream) == cudaSuccess, "no launch");
        compare(t, 5 + turn);
    }
    fill(t, 9); /* and in turns with what is in no graph */
    put(t);
    compare(t, 9);
    tell_time(t, "in a graph", made);
    CHECK(cudaGraphExecDestroy(made) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess,
          "a graph failed");
}

static void run(const hxi_device_context *device, const hxi_nccl *nccl)
{
    trial t = {.nccl = nccl};
    void *host = NULL;
    void *memory = NULL;
    CHECK(cudaStreamCreateWithFlags(&t.stream, cudaStreamNonBlocking) == cudaSuccess, "no stream");
    if (device->calls->get(HX_MEMORY_PINNED, 2 * (size_t)ROOM, &host) == 0 &&
        device->calls->get(HX_MEMORY_DEVICE, 2 * (size_t)ROOM, &memory) == 0) {
        t.host = host;
        t.device = memory;
        make_messages(&t);
        run_in_stream(&t);
        run_in_graph(&t);
        run_in_stream(&t);
    } else {
        CHECK(false, "no memory");
    }
    CHECK(cudaStreamDestroy(t.stream) == cudaSuccess, "a stream failed");
    CHECK(device->calls->free(HX_MEMORY_PINNED, host) == 0 &&
              device->calls->free(HX_MEMORY_DEVICE, memory) == 0,
          "memory failed");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    hx_options options = HX_OPTIONS_INIT;
    hxi_device_context device = {.calls = &hx_cuda_device, .options = &options};
    hxi_topology topology = hxi_topology_none();
    const unsigned char talks[] = {HX_NCCL_SENDS | HX_NCCL_RECEIVES};
    hxi_nccl *nccl = NULL;
    int devices = 0;
    if (device.calls->count(&devices) != 0 || devices == 0) {
        printf("there is no GPU: it needs a GPU\n");
        MPI_Finalize();
        return 77;
    }
    CHECK(device.calls->stream_open(false, &device.stream) == 0, "no stream");
    CHECK_STATUS(hxi_topology_open(MPI_COMM_WORLD, &topology), HX_OK);
    CHECK_STATUS(hxi_nccl_open(&device, &topology, talks, HX_OK, &nccl), HX_OK);
    if (strstr(hxi_nccl_why(nccl), "cannot be opened")) {
        printf("this machine has no NCCL: %s\n", hxi_nccl_why(nccl));
        MPI_Finalize();
        return 77;
    }
    CHECK(hxi_nccl_usable(nccl), "%s", hxi_nccl_why(nccl));
    if (hxi_nccl_usable(nccl)) {
        printf("NCCL %s\n", hxi_nccl_version(nccl));
        run(&device, nccl);
        hxi_nccl_give_up(nccl);
        CHECK_STATUS(hxi_nccl_check(nccl), HX_ERR_STATE);
        hxi_nccl_close(nccl, 0);
        CHECK_STATUS(hxi_nccl_open(&device, &topology, talks, HX_OK, &nccl), HX_OK); /* and once more */
    }
    hxi_nccl_close(nccl, 0);
    hxi_topology_close(&topology, 0);
    CHECK(device.calls->stream_close(device.stream) == 0, "a stream failed");
    return check_verdict("NCCL on one rank");
}
