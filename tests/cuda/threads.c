/*
 * Handles on a device each, which threads use at the same time, or one thread in turn: whoever waits moves
 * the exchanges of other handles on, whatever device it has current.
 *
 * usage: cuda_threads, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

extern const hx_spec cube_xz_spec;

enum { STEPS = 12, HANDLES = 2 };

static int rank;

/* ---- what MPI finds ------------------------------------------------------------------------------------ */

/* Messages in memory of a device are sent and received by a thread that has this one current. */
enum { MOST = 64 };
static struct {
    MPI_Request request;
    int device;
} known[MOST];
static int knowns;
static atomic_long seen;

static void note(const void *buffer, MPI_Request request)
{
    struct cudaPointerAttributes found;
    CHECK(cudaPointerGetAttributes(&found, buffer) == 0, "an address is none");
    if (found.type == cudaMemoryTypeDevice) {
        CHECK(knowns < MOST, "too many messages");
        known[knowns].request = request;
        known[knowns++ % MOST].device = found.device;
    }
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    const int code = PMPI_Send_init(buffer, count, type, to, tag, comm, request);
    note(buffer, *request);
    return code;
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    const int code = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    note(buffer, *request);
    return code;
}

int MPI_Start(MPI_Request *request)
{
    for (int i = 0; i < knowns; ++i) {
        int current = -1;
        if (known[i].request == *request) {
            CHECK(cudaGetDevice(&current) == 0 && current == known[i].device,
                  "MPI gets memory of device %d where %d is current", known[i].device, current);
            ++seen;
        }
    }
    return PMPI_Start(request);
}

/* ---- handles ------------------------------------------------------------------------------------------- */

typedef struct worker {
    int number; /* of the device, too */
    layout layout;
    arrays arrays;
    mirror mirror;
    hx_handle *handle;
    cudaStream_t stream;
} worker;

static void use(const worker *w)
{
    CHECK(cudaSetDevice(w->number) == 0, "no device %d", w->number);
}

static void check_current(const worker *w)
{
    int current = -1;
    CHECK(cudaGetDevice(&current) == 0 && current == w->number, "device %d is current, not %d", current,
          w->number);
}

/* Arrays of alloc, which messages may go straight into. */
static void open_worker(worker *w, int number)
{
    w->number = number;
    w->handle = NULL;
    use(w);
    pair_layout(&w->layout, &cube_xz_spec);
    arrays_make(&w->arrays, &w->layout, oracle_cartesian);
    CHECK_STATUS(pair_create(&w->layout, 60.0, &w->handle), HX_OK);
    mirror_alloc(&w->mirror, &w->arrays, w->handle);
    CHECK(cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking) == 0, "no stream");
}

static void close_worker(worker *w)
{
    use(w);
    CHECK(cudaStreamDestroy(w->stream) == 0, "a stream failed");
    mirror_free(&w->mirror);
    CHECK_STATUS(hx_destroy(w->handle), HX_OK);
    arrays_free(&w->arrays);
    layout_free(&w->layout);
}

static void begin(worker *w, int step)
{
    use(w);
    arrays_fill(&w->arrays, (step + w->number) % 8);
    mirror_up(&w->mirror, w->stream);
    CHECK_STATUS(hx_start_on(w->handle, 0, w->mirror.pointers, w->stream), HX_OK);
}

static void end(worker *w)
{
    use(w);
    CHECK_STATUS(hx_finish_on(w->handle, 0, w->stream), HX_OK);
    check_current(w);
    mirror_down(&w->mirror, w->stream);
    arrays_expect(&w->arrays, 0);
    arrays_check(&w->arrays, "on a device of its own");
}

static void *work(void *argument)
{
    worker *w = argument;
    check_about("thread %d, %s, %s", w->number, pair_taken->transport, pair_taken->messages);
    for (int step = 0; step < STEPS; ++step) {
        begin(w, step);
        end(w);
    }
    return NULL;
}

static void work_at_once(worker w[HANDLES])
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, work, &w[1]) == 0, "no second thread");
    work(&w[0]);
    pthread_join(thread, NULL);
}

/* In one thread: the ranks finish in different orders. */
static void work_crosswise(worker w[HANDLES])
{
    check_about("crosswise, %s, %s", pair_taken->transport, pair_taken->messages);
    for (int step = 0; step < STEPS; ++step) {
        for (int i = 0; i < HANDLES; ++i) {
            begin(&w[i], step);
        }
        for (int i = 0; i < HANDLES; ++i) {
            end(&w[(i + rank + step) % HANDLES]);
        }
    }
}

int main(int argc, char **argv)
{
    const int provided = check_init(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fake_set_devices(HANDLES);
    for (int way = 0; way < PAIR_WAYS; ++way) {
        worker w[HANDLES];
        pair_taken = &pair_ways[way];
        for (int i = 0; i < HANDLES; ++i) {
            open_worker(&w[i], i);
        }
        fake_set_order(way % 2 == 0 ? FAKE_LAZY : FAKE_SHUFFLED, (unsigned)rank);
        work_crosswise(w);
        if (provided == MPI_THREAD_MULTIPLE) {
            work_at_once(w);
        }
        fake_set_order(FAKE_EAGER, 0);
        for (int i = 0; i < HANDLES; ++i) {
            close_worker(&w[i]);
        }
        CHECK((seen > 0) == (strcmp(pair_taken->messages, "aware") == 0), "MPI got %ld messages on devices",
              (long)seen);
        seen = 0;
        knowns = 0;
    }
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    return check_verdict("handles on devices of their own");
}
