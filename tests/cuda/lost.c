/*
 * A device that is lost while an exchange is under way: a kernel of rank 0 fails, and every later call with it.
 * All ranks get a status, within the deadline, and nothing is freed that another rank may still write into.
 *
 * usage: cuda_lost [SCENE], on 2 ranks; a real device can be lost once only, in the scene of this number
 */
#include "check.h"
#include "exchange/handle.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec cube_xz_spec;

static int rank;

typedef enum moment { BEFORE_START, BEFORE_FINISH, NO_FINISH, BEFORE_DESTROY, MOMENTS } moment;
static const char *const moments[MOMENTS] = {"before start", "before finish",
                                             "before destroy, without finish", "before destroy"};

typedef struct scene {
    const pair_way *way;
    bool straight; /* arrays of hx_alloc, into which the other rank writes */
    bool in_graph;
    moment when;
} scene;

/* Kernels fail on rank 0, and the host has seen that, or not. */
static void lose(cudaStream_t stream, bool seen)
{
    if (rank == 0) {
        (void)fake_fault(stream); /* may tell of it at once */
        CHECK(!seen || cudaStreamSynchronize(stream) != 0, "the kernel did not fail");
    }
}

/* Rank 0 is told by its device, unless it asks for nothing, rank 1 by the deadline. */
static void check_told(hx_status status)
{
    if (rank == 0) {
        CHECK_STATUS(status, HX_ERR_DEVICE);
        CHECK(strstr(hx_last_error(), " failed: \""), "%s", hx_last_error());
    } else {
        CHECK_STATUS(status, HX_ERR_DEADLINE);
        CHECK(strstr(hx_last_error(), "rank 1 still waits for messages from rank 0"), "%s", hx_last_error());
    }
}

static hx_status finish(hx_handle *handle, cudaStream_t stream, hx_status started)
{
    return started == HX_OK ? hx_finish_on(handle, 0, stream) : started;
}

/* Finish was through before the device was lost. */
static hx_status start_again(hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    CHECK(cudaStreamSynchronize(stream) != 0, "the kernel did not fail");
    return hx_start_on(handle, 0, m->pointers, stream);
}

/* With the device lost in time; what came of it. */
static void run(const scene *played, hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    if (played->when == BEFORE_START) {
        lose(stream, false);
    }
    hx_status status = hx_start_on(handle, 0, m->pointers, stream);
    if (played->when == BEFORE_FINISH || played->when == NO_FINISH) {
        lose(stream, played->when == NO_FINISH);
    }
    if (played->when != NO_FINISH || rank == 1) {
        status = finish(handle, stream, status);
    }
    if (played->when == BEFORE_DESTROY) {
        CHECK_STATUS(status, HX_OK);
        lose(stream, true);
    } else if (played->when == BEFORE_START) {
        check_told(status);
    } else if (rank == 0 && played->when == BEFORE_FINISH && status != HX_ERR_DEADLINE) {
        check_told(status == HX_OK ? start_again(handle, m, stream) : status);
    } else if (rank == 1 && status != HX_OK) { /* rank 0 may have sent before */
        check_told(status);
    }
}

/* The exchange is in a graph, where devices wait for each other. */
static void run_graph(hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, stream), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, 0, stream), HX_OK);
    CHECK(cudaStreamEndCapture(stream, &graph) == 0 && cudaGraphInstantiateWithFlags(&made, graph, 0) == 0 &&
              cudaGraphDestroy(graph) == 0,
          "no graph");
    lose(stream, false);
    const cudaError_t launched = cudaGraphLaunch(made, stream);
    const cudaError_t done = cudaStreamSynchronize(stream);
    CHECK(rank == 0 || (launched == 0 && done == 0), "a graph failed");
    const hx_status status = hx_start_on(handle, 0, m->pointers, stream);
    if (rank == 0) {
        check_told(status);
    } else {
        CHECK_STATUS(status, HX_ERR_DEADLINE);
        CHECK(strstr(hx_last_error(), "device 0 of rank 1 still waited, in a graph, for rank 0 to "), "%s",
              hx_last_error());
    }
    CHECK(cudaGraphExecDestroy(made) == 0 || rank == 0, "a graph stays");
}

/* What rank 0 may have been told to write into is there. */
static void check_kept(const mirror *m)
{
    unsigned char byte = 0;
    for (size_t i = 0; rank == 1 && m->handle && i < m->count; ++i) {
        CHECK(!m->there[i] || cudaMemcpy(&byte, m->there[i], 1, cudaMemcpyDeviceToHost) == 0,
              "array %zu is not there", i);
    }
}

/* No handle can be had of a device that is lost, and all ranks hear of that. */
static void create_again(const layout *l)
{
    hx_handle *handle = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, pair_create(l, 60.0, &handle), HX_ERR_DEVICE, "Rank 0 of 2: ");
    CHECK(!handle, "there is a handle");
}

static void play(const scene *played, const layout *l)
{
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    cudaStream_t stream = NULL;
    pair_taken = played->way;
    arrays_make(&s, l, oracle_cartesian);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    if (CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        if (played->straight) {
            mirror_alloc(&m, &s, handle);
        } else {
            mirror_make(&m, &s);
        }
        mirror_up(&m, stream);
        handle->options.deadline = played->when == BEFORE_DESTROY ? 60.0 : 0.5; /* of what comes now */
        if (played->in_graph) {
            run_graph(handle, &m, stream);
        } else {
            run(played, handle, &m, stream);
        }
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        check_kept(&m);
        create_again(l);
        mirror_drop(&m);
    }
    arrays_free(&s);
}

/* Number so and so, of those that there are; false: there are fewer. */
static bool find(int number, scene *found)
{
    const int ways = PAIR_WAYS + 1; /* by ipc, the last one, in two */
    const bool in_graph = number == ways * MOMENTS;
    const int way = in_graph ? PAIR_WAYS - 1 : number % ways;
    *found = (scene){.way = &pair_ways[way < PAIR_WAYS ? way : PAIR_WAYS - 1],
                     .straight = way == PAIR_WAYS,
                     .in_graph = in_graph,
                     .when = in_graph ? BEFORE_START : (moment)(number / ways)};
    return number <= ways * MOMENTS;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mirror_need_device();
    static const cudaError_t faults[] = {cudaErrorIllegalAddress, cudaErrorLaunchFailure,
                                         cudaErrorECCUncorrectable};
    layout l;
    scene chosen;
    pair_layout(&l, &cube_xz_spec);
    int number = argc > 1 ? atoi(argv[1]) : 0;
    do {
        find(number, &chosen);
        check_about("%s, %s%s, %s", chosen.way->transport, chosen.way->messages,
                    chosen.in_graph   ? ", in a graph"
                    : chosen.straight ? ", straight"
                                      : "",
                    moments[chosen.when]);
        fake_set_fault(faults[number % 3], number % 2 == 0);
        fake_set_order(number % 2 == 0 ? FAKE_EAGER : FAKE_LAZY, 0);
        play(&chosen, &l);
    } while (fake_revive() && find(++number, &chosen));
    layout_free(&l);
    return check_verdict("devices that are lost");
}
