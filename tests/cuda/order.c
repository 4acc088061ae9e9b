/*
 * What exchanges in the memory of a device put into streams is in order, however late streams run.
 *
 * usage: cuda_order, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const hx_spec cube_walls_spec, cube_xz_spec, mixed_spec, upwind_spec;

static int rank;

/* ---- orders -------------------------------------------------------------------------------------------- */

enum { STEPS = 6 };

/*
 * Exchange after exchange, without ever waiting for a stream: each on new values, and what is read between
 * start and finish has the old ghost points.  Blocks have no links to themselves, which start copies.
 */
static void run_steps(const layout *l, hx_handle *handle, cudaStream_t stream)
{
    arrays before[STEPS];
    arrays after[STEPS];
    arrays given;
    mirror there;
    arrays_make(&given, l, oracle_cartesian);
    mirror_make(&there, &given);
    mirror seen[2 * STEPS];
    for (int i = 0; i < STEPS; ++i) {
        arrays_make(&before[i], l, oracle_cartesian);
        arrays_make(&after[i], l, oracle_cartesian);
        mirror_make(&seen[2 * i], &before[i]);
        mirror_make(&seen[2 * i + 1], &after[i]);
        arrays_fill(&given, i);
        arrays_fill(&before[i], i);
        arrays_fill(&after[i], i);
        arrays_expect(&after[i], 0);
        mirror_up(&there, stream);
        CHECK_STATUS(hx_start_on(handle, 0, there.pointers, stream), HX_OK);
        mirror_copy(&seen[2 * i], &there, stream);
        CHECK_STATUS(hx_finish_on(handle, 0, stream), HX_OK);
        mirror_copy(&seen[2 * i + 1], &there, stream);
    }
    for (int i = 0; i < STEPS; ++i) {
        mirror_down(&seen[2 * i], stream);
        mirror_down(&seen[2 * i + 1], stream);
        arrays_check(&before[i], "between start and finish");
        arrays_check(&after[i], "after finish");
        mirror_free(&seen[2 * i]);
        mirror_free(&seen[2 * i + 1]);
        arrays_free(&before[i]);
        arrays_free(&after[i]);
    }
    mirror_free(&there);
    arrays_free(&given);
}

static void try_orders(void)
{
    layout l;
    pair_layout(&l, &cube_walls_spec);
    for (int seed = 0; seed < 12; ++seed) {
        check_about("orders, %s, %s, %d", pair_taken->transport, pair_taken->messages, seed);
        fake_set_order(seed == 0 ? FAKE_LAZY : FAKE_SHUFFLED, (unsigned)(2 * seed + rank));
        hx_handle *handle = NULL;
        cudaStream_t stream = NULL;
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
        if (CHECK_STATUS(pair_create(&l, 60.0, &handle), HX_OK)) {
            run_steps(&l, handle, stream);
            CHECK_STATUS(hx_destroy(handle), HX_OK);
        }
        CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
    }
    fake_set_order(FAKE_EAGER, 0);
    layout_free(&l);
}

/* A sender that nobody sends to is far ahead of who receives, who is late. */
static void try_one_way(void)
{
    layout l;
    hx_handle *handle = NULL;
    cudaStream_t stream = NULL;
    pair_layout(&l, &upwind_spec);
    check_about("one way, %s, %s", pair_taken->transport, pair_taken->messages);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    if (CHECK_STATUS(pair_create(&l, 20.0, &handle), HX_OK)) {
        const bool boxes = strcmp(pair_taken->transport, "ipc") == 0;
        const bool told = strstr(hx_describe(handle), " by persistent: messages go one way only") != NULL;
        CHECK(told == boxes, "%s", hx_describe(handle));
        sleep(rank == 1);
        run_steps(&l, handle, stream);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
    layout_free(&l);
}

/* Two exchanges under way, which the ranks finish in different orders. */
static void try_two(void)
{
    layout l;
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    const int both = 1;
    const int star = 3;
    pair_layout(&l, &mixed_spec);
    arrays_make(&s, &l, oracle_cartesian);
    mirror_make(&m, &s);
    for (int seed = 0; seed < 4; ++seed) {
        check_about("two exchanges, %s, %s, %d", pair_taken->transport, pair_taken->messages, seed);
        fake_set_order(seed == 0 ? FAKE_LAZY : FAKE_SHUFFLED, (unsigned)(2 * seed + rank));
        arrays_fill(&s, seed);
        mirror_up(&m, NULL);
        if (CHECK_STATUS(pair_create(&l, 60.0, &handle), HX_OK)) {
            CHECK_STATUS(hx_start_on(handle, both, m.pointers, NULL), HX_OK);
            CHECK_STATUS(hx_start_on(handle, star, m.pointers, NULL), HX_OK);
            CHECK_STATUS(hx_finish_on(handle, rank == 0 ? both : star, NULL), HX_OK);
            CHECK_STATUS(hx_finish_on(handle, rank == 0 ? star : both, NULL), HX_OK);
            mirror_down(&m, NULL);
            arrays_expect(&s, both);
            arrays_expect(&s, star);
            arrays_check(&s, "two");
            CHECK_STATUS(hx_destroy(handle), HX_OK);
        }
    }
    fake_set_order(FAKE_EAGER, 0);
    mirror_free(&m);
    arrays_free(&s);
    layout_free(&l);
}

/* What pack, or unpack, puts into a stream, as a graph. */
static cudaGraphExec_t capture(hx_handle *handle, const mirror *m, cudaStream_t stream, bool packs)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    CHECK_STATUS(packs ? hx_pack_on(handle, 0, m->pointers, stream)
                       : hx_unpack_on(handle, 0, m->pointers, stream),
                 HX_OK);
    CHECK(cudaStreamEndCapture(stream, &graph) == 0, "a capture failed");
    CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0) == 0, "no graph");
    CHECK(cudaGraphDestroy(graph) == 0, "a graph stays");
    return made;
}

/* An exchange in one go, or begun or ended, or both, by graphs of its halves. */
static void run_step(hx_handle *handle, const mirror *m, cudaStream_t stream, cudaGraphExec_t pack,
                     cudaGraphExec_t unpack)
{
    if (pack) {
        CHECK(cudaGraphLaunch(pack, stream) == 0, "a graph failed");
        CHECK_STATUS(hx_send_on(handle, 0, stream), HX_OK);
        CHECK_REFUSED(MPI_COMM_SELF, hx_unpack_on(handle, 0, m->pointers, stream), HX_ERR_STATE,
                      "receive it first");
    } else {
        CHECK_STATUS(hx_start_on(handle, 0, m->pointers, stream), HX_OK);
    }
    if (unpack) {
        CHECK_STATUS(hx_receive(handle, 0), HX_OK);
        CHECK(cudaGraphLaunch(unpack, stream) == 0, "a graph failed");
    } else {
        CHECK_STATUS(hx_finish_on(handle, 0, stream), HX_OK);
    }
}

/*
 * Packing and unpacking are captured once, and run for each step: on both ranks, or on one of them only,
 * while the other starts and finishes.
 */
static void run_graphs(hx_handle *handle, const mirror *m, cudaStream_t stream)
{
    const cudaGraphExec_t pack = capture(handle, m, stream, true);
    const cudaGraphExec_t unpack = capture(handle, m, stream, false);
    for (int i = 0; i < 3 * STEPS; ++i) {
        const int halves = i < STEPS ? 3 : (i / (rank + 1)) % 4;
        check_about("graphs, %s, %s, step %d, halves %d", pair_taken->transport, pair_taken->messages, i,
                    halves);
        arrays_fill(m->here, i % 8);
        mirror_up(m, stream);
        run_step(handle, m, stream, halves % 2 == 1 ? pack : NULL, halves / 2 == 1 ? unpack : NULL);
        mirror_down(m, stream);
        arrays_expect(m->here, 0);
        arrays_check(m->here, "graphs");
    }
    CHECK(cudaGraphExecDestroy(pack) == 0 && cudaGraphExecDestroy(unpack) == 0, "a graph stays");
}

static void try_graphs(void)
{
    layout l;
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    cudaStream_t stream = NULL;
    pair_layout(&l, &cube_xz_spec);
    arrays_make(&s, &l, oracle_cartesian);
    mirror_make(&m, &s);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    fake_set_order(FAKE_LAZY, 0);
    if (CHECK_STATUS(pair_create(&l, 60.0, &handle), HX_OK)) {
        run_graphs(handle, &m, stream);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    fake_set_order(FAKE_EAGER, 0);
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
    mirror_free(&m);
    arrays_free(&s);
    layout_free(&l);
}

/* ---- straight into arrays ------------------------------------------------------------------------------ */

/*
 * Exchange after exchange, without ever waiting for a stream: each on new values, which the next one
 * overwrites at once.  What is read in the stream before start has the old ghost points, whatever the other
 * rank has done by then.
 */
static void run_straight(const layout *l, hx_handle *handle, const cudaStream_t stream[2])
{
    arrays values[2 * STEPS];
    mirror seen[2 * STEPS];
    arrays given;
    mirror there;
    cudaEvent_t event = NULL;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == 0, "no event");
    arrays_make(&given, l, oracle_cartesian);
    mirror_alloc(&there, &given, handle);
    for (int i = 0; i < 2 * STEPS; ++i) {
        arrays_make(&values[i], l, oracle_cartesian);
        mirror_make(&seen[i], &values[i]);
        arrays_fill(&values[i], i / 2);
        mirror_up(&seen[i], stream[0]); /* with what is around the arrays */
    }
    for (int i = 0; i < STEPS; ++i) {
        arrays_fill(&given, i);
        arrays_expect(&values[2 * i + 1], 0);
        const cudaStream_t last = stream[i % 2];
        mirror_up(&there, stream[0]);
        mirror_copy(&seen[2 * i], &there, stream[0]);
        CHECK_STATUS(hx_start_on(handle, 0, there.pointers, stream[0]), HX_OK);
        nanosleep(&(struct timespec){.tv_nsec = i % 3 == rank ? 3000000 : 0}, NULL);
        CHECK_STATUS(hx_finish_on(handle, 0, last), HX_OK);
        mirror_copy(&seen[2 * i + 1], &there, last);
        CHECK(cudaEventRecord(event, last) == 0 && cudaStreamWaitEvent(stream[0], event, 0) == 0,
              "an event failed");
    }
    CHECK(pair_written(handle) == STEPS, "%s", hx_describe(handle));
    for (int i = 0; i < 2 * STEPS; ++i) {
        mirror_down(&seen[i], stream[0]);
        arrays_check(&values[i], i % 2 == 0 ? "before start" : "after finish");
        mirror_free(&seen[i]);
        arrays_free(&values[i]);
    }
    CHECK(cudaEventDestroy(event) == 0, "an event failed");
    mirror_free(&there);
    arrays_free(&given);
}

static void try_straight(void)
{
    layout l;
    pair_layout(&l, &cube_walls_spec);
    for (int seed = 0; seed < 16; ++seed) {
        check_about("straight, %d", seed);
        fake_set_order(seed == 0 ? FAKE_LAZY : FAKE_SHUFFLED, (unsigned)(2 * seed + rank));
        cudaStream_t stream[2] = {NULL, NULL};
        CHECK(cudaStreamCreateWithFlags(&stream[0], cudaStreamNonBlocking) == 0 &&
                  cudaStreamCreateWithFlags(&stream[1], cudaStreamNonBlocking) == 0,
              "no stream");
        hx_handle *handle = NULL;
        if (CHECK_STATUS(pair_create(&l, 60.0, &handle), HX_OK)) {
            run_straight(&l, handle, stream);
            CHECK_STATUS(hx_destroy(handle), HX_OK);
        }
        CHECK(cudaStreamDestroy(stream[0]) == 0 && cudaStreamDestroy(stream[1]) == 0, "a stream failed");
    }
    fake_set_order(FAKE_EAGER, 0);
    layout_free(&l);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mirror_need_device();
    for (int i = 0; i < PAIR_WAYS; ++i) {
        pair_taken = &pair_ways[i];
        try_orders();
        try_one_way();
        try_two();
        try_graphs();
    }
    try_straight(); /* by ipc, the last one */
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    return check_verdict("orders");
}
