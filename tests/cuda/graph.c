/*
 * Start and finish in a graph: the step of a solver is captured once and launched as often as one likes, while the
 * host does nothing.
 *
 * Two fields hand their values on: all of u goes to v, a cell further along each axis, and back to u, elsewhere.  So
 * each value wanders over the torus, and in each step some come out of ghost points.  Where they are then is known
 * without an exchange.  So do w and next, in cycles, of which one exchange serves several.
 *
 * usage: cuda_graph [STEPS]
 */
#include "check.h"

#include "relay.h"

#include <fake.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { AXES = 3, BESIDE = 4 << 20 };

static int rank, ranks;
static int steps = 24; /* of each launch of many */
static int cycles = 1; /* that an exchange serves; 0: measured */

typedef ptrdiff_t index_of(const relay_shape *shape, int i, int j, int k);

/* Fields that hand values on to each other, and back. */
typedef struct hands {
    double *first;
    double *second;
    index_of *at;
    size_t points; /* of each array */
    int halo;
} hands;

typedef struct solver {
    relay_shape shape;
    relay *halo;
    relay_fields fields;
    hands pair; /* which it is about */
    cudaStream_t stream;
    cudaStream_t other; /* beside it */
    void *beside;       /* memory that is written there */
    double *host;       /* an array, and room for one */
    int moved[AXES];    /* by a step, along each axis */
    long done;          /* steps so far */
} solver;

/* ---- what is right ------------------------------------------------------------------------------------- */

/* From u to v, and from v to u: where a value comes from. */
static const int shift[2][AXES] = {{1, 1, 1}, {1, -1, 0}};

static int wrapped(long index, int cells)
{
    return (int)((index % cells + cells) % cells);
}

/* What the first field has at a point of this rank after so many steps. */
static double value_of(const solver *s, const int at[AXES], long done)
{
    const hx_part *part = &s->shape.part;
    double value = 0.0;
    for (int a = 0; a < AXES; ++a) {
        const int cells = part->partition.cells[a];
        const long back = done * s->moved[a];
        value = value * cells + wrapped(part->first[a] + at[a] - back, cells);
    }
    return sin(value + 1.0);
}

static double *point(const solver *s, const int at[AXES])
{
    return s->host + s->pair.at(&s->shape, at[0], at[1], at[2]);
}

/* All points that this rank owns. */
static bool next_point(const solver *s, int at[AXES])
{
    for (int a = AXES - 1; a >= 0; --a) {
        if (++at[a] < s->shape.part.n[a]) {
            return true;
        }
        at[a] = 0;
    }
    return false;
}

static void begin_pair(solver *s, const hands *pair)
{
    int at[AXES] = {0};
    s->done = 0;
    s->pair = *pair;
    for (size_t i = 0; i < pair->points; ++i) {
        s->host[i] = NAN;
    }
    CHECK(cudaMemcpyAsync(pair->second, s->host, pair->points * sizeof(double), cudaMemcpyDefault,
                          s->stream) == 0,
          "no copy");
    do {
        *point(s, at) = value_of(s, at, 0);
    } while (next_point(s, at));
    CHECK(cudaMemcpyAsync(pair->first, s->host, pair->points * sizeof(double), cudaMemcpyDefault,
                          s->stream) == 0,
          "no copy");
}

static void begin(solver *s)
{
    const hands shallow = {s->fields.u, s->fields.v, relay_u_at, relay_points(&s->shape, RELAY_U), 1};
    begin_pair(s, &shallow);
    for (int a = 0; a < AXES; ++a) {
        s->moved[a] = shift[0][a] + shift[1][a];
    }
}

static void look(solver *s)
{
    int at[AXES] = {0};
    long wrong = 0;
    CHECK(cudaMemcpyAsync(s->host, s->pair.first, s->pair.points * sizeof(double), cudaMemcpyDefault,
                          s->stream) == 0 &&
              cudaStreamSynchronize(s->stream) == 0,
          "the device failed");
    do {
        const double expected = value_of(s, at, s->done);
        wrong += memcmp(point(s, at), &expected, sizeof expected) != 0;
    } while (next_point(s, at));
    CHECK(wrong == 0, "%ld points are wrong after %ld steps", wrong, s->done);
}

/* ---- a step -------------------------------------------------------------------------------------------- */

static struct cudaPitchedPtr corner(const solver *s, double *array, const int at[AXES])
{
    const int *n = s->shape.part.n;
    const size_t pitch = (size_t)(n[2] + 2 * s->pair.halo) * sizeof(double);
    return (struct cudaPitchedPtr){.ptr = array + s->pair.at(&s->shape, at[0], at[1], at[2]),
                                   .pitch = pitch,
                                   .xsize = pitch,
                                   .ysize = (size_t)(n[1] + 2 * s->pair.halo)};
}

static void hand_box_on(const solver *s, double *from, double *to, const int by[AXES], const hx_box *box)
{
    const int *lo = box->lo;
    const int *hi = box->hi;
    const struct cudaMemcpy3DParms copy = {
        .srcPtr = corner(s, from, (int[]){lo[0] - by[0], lo[1] - by[1], lo[2] - by[2]}),
        .dstPtr = corner(s, to, lo),
        .extent = {(size_t)(hi[2] - lo[2]) * sizeof(double), (size_t)(hi[1] - lo[1]),
                   (size_t)(hi[0] - lo[0])},
        .kind = cudaMemcpyDeviceToDevice,
    };
    CHECK(cudaMemcpy3DAsync(&copy, s->stream) == 0, "no copy of a box");
}

/* All owned points. */
static void hand_on(const solver *s, double *from, double *to, const int by[AXES])
{
    const int *n = s->shape.part.n;
    hand_box_on(s, from, to, by, &(hx_box){.hi = {n[0], n[1], n[2]}});
}

static void step(solver *s)
{
    CHECK_STATUS(relay_out_start(s->halo, &s->fields, s->stream), HX_OK);
    CHECK_STATUS(relay_out_finish(s->halo, s->stream), HX_OK);
    hand_on(s, s->fields.u, s->fields.v, shift[0]);
    CHECK_STATUS(relay_home_start(s->halo, &s->fields, s->stream), HX_OK);
    CHECK_STATUS(relay_home_finish(s->halo, s->stream), HX_OK);
    hand_on(s, s->fields.v, s->fields.u, shift[1]);
}

/* One step of a pair with a deep halo: which points of it are computed, the cycle says. */
static void advance(solver *s)
{
    CHECK_STATUS(relay_advance(s->halo, &s->fields, s->stream), HX_OK);
    const hx_boxes spread = relay_advance_spread_points(s->halo, 0, RELAY_NEXT);
    hand_box_on(s, s->fields.w, s->fields.next, shift[0], &spread.box[0]);
    const hx_boxes kept = relay_advance_keep_points(s->halo, 0, RELAY_W);
    hand_box_on(s, s->fields.next, s->fields.w, (int[]){0, 0, 0}, &kept.box[0]);
}

static cudaGraphExec_t capture_of(solver *s, int count, void one(solver *))
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    CHECK(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    for (int i = 0; i < count; ++i) {
        one(s);
    }
    CHECK(cudaStreamEndCapture(s->stream, &graph) == 0, "a capture failed");
    CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0) == 0, "no graph");
    CHECK(cudaGraphDestroy(graph) == 0, "a graph stays");
    return made;
}

static cudaGraphExec_t capture(solver *s, int count)
{
    return capture_of(s, count, step);
}

static void launch(solver *s, cudaGraphExec_t graph, int count)
{
    CHECK(cudaGraphLaunch(graph, s->stream) == 0, "a graph failed");
    s->done += count;
}

/* ---- the solver ---------------------------------------------------------------------------------------- */

static void divide(solver *s)
{
    const int across = ranks % 2 == 0 ? 2 : 1;
    const hx_partition grid = {.axes = AXES,
                               .cells = {5 * ranks / across + 1, 5 * across, 6},
                               .ranks = {ranks / across, across, 1},
                               .periodic = {1, 1, 1}};
    hx_part mine;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    s->shape = relay_shape_dense(&mine);
}

static hx_status create(solver *s, const char *transport, double deadline, int check)
{
    hx_options options = HX_OPTIONS_INIT;
    options.cycles = cycles;
    options.transport = transport;
    options.deadline = deadline;
    options.check = check;
    return relay_create(MPI_COMM_WORLD, &s->shape, &options, &s->halo);
}

static void make(solver *s)
{
    *s = (solver){0};
    divide(s);
    const size_t bytes = relay_points(&s->shape, RELAY_U) * sizeof(double);
    const size_t deep_bytes = relay_points(&s->shape, RELAY_W) * sizeof(double);
    void *memory[4] = {NULL, NULL, NULL, NULL};
    s->host = malloc(deep_bytes);
    CHECK(s->host && cudaMalloc(&memory[0], bytes) == 0 && cudaMalloc(&memory[1], bytes) == 0 &&
              cudaMalloc(&memory[2], deep_bytes) == 0 && cudaMalloc(&memory[3], deep_bytes) == 0 &&
              cudaMalloc(&s->beside, BESIDE) == 0,
          "no memory");
    s->fields = (relay_fields){.u = memory[0], .v = memory[1], .w = memory[2], .next = memory[3]};
    CHECK(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking) == 0 &&
              cudaStreamCreateWithFlags(&s->other, cudaStreamNonBlocking) == 0,
          "no stream");
}

static void shut(solver *s)
{
    CHECK(cudaStreamSynchronize(s->other) == 0, "a stream failed");
    CHECK(cudaStreamDestroy(s->stream) == 0 && cudaStreamDestroy(s->other) == 0, "a stream failed");
    CHECK(cudaFree(s->fields.u) == 0 && cudaFree(s->fields.v) == 0 && cudaFree(s->fields.w) == 0 &&
              cudaFree(s->fields.next) == 0 && cudaFree(s->beside) == 0,
          "memory stays");
    free(s->host);
}

/* ---- what is tried ------------------------------------------------------------------------------------- */

/* How many launches take about three seconds, at most as many as asked for: ranks that take turns on a device need
 * milliseconds for each wait.  The same on all ranks. */
static int affordable(solver *s, cudaGraphExec_t graph)
{
    enum { FEW = 8, SECONDS = 3 };
    const double before = MPI_Wtime();
    for (int i = 0; i < FEW; ++i) {
        launch(s, graph, 1);
    }
    CHECK(cudaStreamSynchronize(s->stream) == 0, "the device failed");
    double spent = MPI_Wtime() - before;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double most = FEW * SECONDS / spent;
    return most < steps ? (int)most + 1 : steps;
}

/* Launches one behind the other, without a wait of the host; beside: another stream is busy all the time. */
static void try_many(solver *s, bool beside)
{
    begin(s);
    const cudaGraphExec_t graph = capture(s, 1);
    const int count = affordable(s, graph);
    const double before = MPI_Wtime();
    for (int i = 0; i < count; ++i) {
        if (beside) {
            CHECK(cudaMemsetAsync(s->beside, i % 256, BESIDE, s->other) == 0, "the other stream failed");
        }
        launch(s, graph, 1);
    }
    look(s);
    if (rank == 0) {
        printf("%d launches of a step with two exchanges on %d ranks%s: %.1f us each\n", count, ranks,
               beside ? ", another stream busy" : "", (MPI_Wtime() - before) * 1e6 / count);
    }
    CHECK(cudaGraphExecDestroy(graph) == 0, "a graph stays");
}

/* Launches and steps of the host take turns, ranks are late by turns, and a graph has two steps. */
static void try_mixed(solver *s)
{
    begin(s);
    const cudaGraphExec_t one = capture(s, 1);
    const cudaGraphExec_t two = capture(s, 2);
    for (int i = 0; i < 12; ++i) {
        nanosleep(&(struct timespec){.tv_nsec = i % ranks == rank ? 2000000 : 0}, NULL);
        if (i % 4 == 1) {
            step(s);
            s->done++;
        } else if (i % 4 == 2) {
            launch(s, two, 2);
        } else {
            launch(s, one, 1);
        }
    }
    look(s);
    int done = 0;
    CHECK_STATUS(relay_out_test(s->halo, &done), HX_OK);
    CHECK(done == 1, "an exchange of a graph is not through");
    CHECK(cudaGraphExecDestroy(one) == 0 && cudaGraphExecDestroy(two) == 0, "a graph stays");
}

/*
 * Of one exchange alone: rank 0 has much to do between start and finish, and so unpacks late, while others come to
 * their next start.
 */
static void try_uneven(solver *s)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    begin(s);
    memcpy(s->moved, shift[0], sizeof s->moved);
    CHECK(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    CHECK_STATUS(relay_out_start(s->halo, &s->fields, s->stream), HX_OK);
    for (int i = 0; i < 8 && rank == 0; ++i) {
        CHECK(cudaMemsetAsync(s->beside, i, BESIDE, s->stream) == 0, "nothing to do");
    }
    CHECK_STATUS(relay_out_finish(s->halo, s->stream), HX_OK);
    hand_on(s, s->fields.u, s->fields.v, shift[0]);
    hand_on(s, s->fields.v, s->fields.u, (int[]){0, 0, 0});
    CHECK(cudaStreamEndCapture(s->stream, &graph) == 0, "a capture failed");
    CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0) == 0 && cudaGraphDestroy(graph) == 0, "no graph");
    for (int i = 0; i < 12; ++i) {
        launch(s, made, 1);
    }
    look(s);
    CHECK(cudaGraphExecDestroy(made) == 0, "a graph stays");
}

static void try_orders(solver *s)
{
    for (int seed = 0; seed < 6; ++seed) {
        fake_set_order(seed == 0   ? FAKE_EAGER
                       : seed == 1 ? FAKE_LAZY
                                   : FAKE_SHUFFLED,
                       (unsigned)(ranks * seed + rank));
        check_about("graphs, %d", seed);
        if (CHECK_STATUS(create(s, "ipc", 60.0, 0), HX_OK)) {
            if (seed % 3 == 0) {
                try_many(s, false);
                try_many(s, true);
            }
            try_mixed(s);
            try_uneven(s);
            CHECK_STATUS(relay_destroy(s->halo), HX_OK);
        }
    }
    fake_set_order(FAKE_EAGER, 0);
}

static void advance_by_host(solver *s, int count)
{
    for (int i = 0; i < count; ++i) {
        advance(s);
        s->done++;
    }
    look(s);
}

/* Cycles by the host and in two graphs take turns: none takes what another one exchanged. */
static void try_cycles(solver *s)
{
    const hands deep = {s->fields.w, s->fields.next, relay_w_at, relay_points(&s->shape, RELAY_W), 4};
    begin_pair(s, &deep);
    memcpy(s->moved, shift[0], sizeof s->moved);
    advance_by_host(s, 1);
    const cudaGraphExec_t four = capture_of(s, 4, advance);
    advance_by_host(s, cycles);
    const cudaGraphExec_t one = capture_of(s, 1, advance);
    advance_by_host(s, 1);
    CHECK_STATUS(relay_advance_restart(s->halo), HX_OK);
    for (int i = 0; i < 6; ++i) {
        advance_by_host(s, 1 + i % 3);
        launch(s, four, 4);
        launch(s, one, 1);
        launch(s, one, 1);
        CHECK_STATUS(relay_advance_restart(s->halo), HX_OK);
        look(s);
    }
    CHECK(cudaGraphExecDestroy(four) == 0 && cudaGraphExecDestroy(one) == 0, "a graph stays");
}

static void try_numbers_of_cycles(solver *s)
{
    for (cycles = 1; cycles <= 4; ++cycles) {
        fake_set_order(cycles % 2 == 0 ? FAKE_LAZY : FAKE_EAGER, 0);
        check_about("%d cycles an exchange", cycles);
        if (CHECK_STATUS(create(s, "ipc", 60.0, 0), HX_OK)) {
            try_cycles(s);
            CHECK_STATUS(relay_destroy(s->halo), HX_OK);
        }
    }
    cycles = 1;
    fake_set_order(FAKE_EAGER, 0);
}

/* What no cycle has measured, no capture takes. */
static void refuse_unmeasured(solver *s)
{
    cudaGraph_t graph = NULL;
    cycles = 0;
    check_about("measured in a capture");
    if (CHECK_STATUS(create(s, "ipc", 60.0, 0), HX_OK)) {
        CHECK(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
        CHECK_REFUSED(MPI_COMM_WORLD, relay_advance_start(s->halo, &s->fields, s->stream), HX_ERR_STATE,
                      "with the option cycles or HX_CYCLES: 1 to 4");
        CHECK(cudaStreamEndCapture(s->stream, &graph) == 0 && cudaGraphDestroy(graph) == 0,
              "a capture failed");
        CHECK_STATUS(relay_destroy(s->halo), HX_OK);
    }
    cycles = 1;
}

/* A rank that never launches its graph is told of, and nothing hangs. */
static void try_late(solver *s)
{
    check_about("a late rank");
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks == 1 || !CHECK_STATUS(create(s, "ipc", 4.0, 0), HX_OK)) {
        return;
    }
    begin(s);
    const cudaGraphExec_t graph = capture(s, 1);
    if (rank > 0) {
        for (int i = 0; i < 3; ++i) {
            launch(s, graph, 1);
        }
        CHECK(cudaStreamSynchronize(s->stream) == 0, "the device failed");
        int done = 0;
        const hx_status status = relay_out_test(s->halo, &done);
        CHECK(status == HX_ERR_DEADLINE, "%s", hx_status_name(status));
        CHECK(strstr(hx_last_error(), "in a graph, for rank "), "%s", hx_last_error());
        CHECK_STATUS(relay_out_start(s->halo, &s->fields, s->stream), HX_ERR_DEADLINE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(cudaGraphExecDestroy(graph) == 0, "a graph stays");
    CHECK_STATUS(relay_destroy(s->halo), HX_OK);
}

static void refuse(solver *s, const char *transport, int check, const char *words)
{
    cudaGraph_t graph = NULL;
    check_about("refused, %s", words);
    if (ranks == 1 || !CHECK_STATUS(create(s, transport, 60.0, check), HX_OK)) {
        return;
    }
    CHECK(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    CHECK_REFUSED(MPI_COMM_WORLD, relay_out_start(s->halo, &s->fields, s->stream), HX_ERR_STATE, words);
    CHECK_REFUSED(MPI_COMM_WORLD, relay_out_finish(s->halo, s->stream), HX_ERR_STATE,
                  "its start was not captured before");
    CHECK_REFUSED(MPI_COMM_WORLD, relay_out_send(s->halo, s->stream), HX_ERR_STATE,
                  "messages are no part of a graph");
    CHECK(cudaStreamEndCapture(s->stream, &graph) == 0 && cudaGraphDestroy(graph) == 0, "a capture failed");
    CHECK_STATUS(relay_destroy(s->halo), HX_OK);
}

static void need_device(void)
{
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error == cudaSuccess && devices > 0) {
        CHECK(cudaSetDevice(rank % devices) == 0, "no device");
        return;
    }
    if (rank == 0) {
        printf("skipped: there is no GPU: %s\n",
               cudaGetErrorString(error != cudaSuccess ? error : cudaErrorNoDevice));
    }
    MPI_Finalize();
    exit(77);
}

int main(int argc, char **argv)
{
    solver s;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    steps = argc > 1 ? atoi(argv[1]) : steps;
    need_device();
    make(&s);
    try_orders(&s);
    try_numbers_of_cycles(&s);
    refuse_unmeasured(&s);
    refuse(&s, "persistent", 0, "by transport \"persistent\"");
    refuse(&s, "ipc", 1, "with the option check the host looks at each message");
    try_late(&s);
    shut(&s);
    fake_forget(); /* what late ranks may still write into stays */
    return check_verdict("graphs");
}
