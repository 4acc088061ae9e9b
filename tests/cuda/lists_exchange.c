/*
 * Exchanges of lists of points in the memory of a device between ranks of MPI: clouds of ../lists and the
 * oracle there, by each transport and each way for messages to lie, in one go and in halves, also as graphs,
 * in arrays of the program or of hx_alloc, which begin at multiples of 16 bytes or elsewhere.
 *
 * usage: cuda_lists_exchange [SPEC...]
 */
#include "../lists/trial.h"
#include "carry.h"
#include "check.h"
#include "mirror.h"
#include "shim.h"

#include <cuda_runtime_api.h>
#include <fake.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec *const device_specs[];
extern const int device_count;

enum { CLOUDS = 6, WAYS = 3 };

static long runs;
static long in_graphs;       /* exchanges of such that were part of a graph */
static long between_devices; /* exchanges of handles with messages that no MPI moves */
static cudaStream_t streams[2];

/* ---- arrays of the device ------------------------------------------------------------------------------ */

/* Where the array of a field lies there; those of the host stay where they are. */
typedef struct there {
    const points *here;
    unsigned char **memory; /* by field, with what is around it; NULL: of the host */
    size_t guard;
    unsigned char *pointers;
    bool of_handle; /* they come from hx_alloc, and nothing is around them */
} there;

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static bool is_there(const there *t, int field)
{
    return t->here->spec->field[field].on_device != 0;
}

static size_t bytes_of(const there *t, int field)
{
    return points_bytes(t->here, field) + 2 * t->guard;
}

static void set_pointer(const there *t, int field, unsigned char *array)
{
    memcpy(t->pointers + t->here->spec->field[field].pointer, &array, sizeof array);
}

static unsigned char *pointer_of(const there *t, int field)
{
    unsigned char *array = NULL;
    memcpy(&array, t->pointers + t->here->spec->field[field].pointer, sizeof array);
    return array;
}

/* Arrays of cudaMalloc begin at multiples of 256 bytes: of these here some do not, as is_skewed has it. */
static void take_memory(there *t)
{
    const points *p = t->here;
    for (int f = 0; f < p->spec->fields; ++f) {
        void *memory = NULL;
        const size_t skew = p->is_skewed ? (size_t)p->spec->field[f].alignment : 0;
        if (is_there(t, f)) {
            CHECK(cudaMalloc(&memory, bytes_of(t, f) + skew) == 0, "no memory of the device");
            t->memory[f] = (unsigned char *)memory + skew;
        }
        set_pointer(t, f, memory ? t->memory[f] + t->guard : p->array[f]);
    }
}

static void give_memory(const there *t)
{
    const points *p = t->here;
    for (int f = 0; f < p->spec->fields; ++f) {
        const size_t skew = p->is_skewed ? (size_t)p->spec->field[f].alignment : 0;
        CHECK(!is_there(t, f) || cudaFree(t->memory[f] - skew) == 0, "memory of the device is not freed");
    }
}

static void make(there *t, hx_handle *handle, const points *here, bool of_handle)
{
    const size_t fields = (size_t)here->spec->fields;
    *t = (there){.here = here, .guard = of_handle ? 0 : here->guard, .of_handle = of_handle};
    t->memory = get(fields, sizeof *t->memory);
    t->pointers = get(1, here->spec->fields_size);
    if (!of_handle) {
        take_memory(t);
        return;
    }
    CHECK_STATUS(hx_alloc(handle, t->pointers), HX_OK);
    for (int f = 0; f < here->spec->fields; ++f) {
        t->memory[f] = pointer_of(t, f);
        if (!is_there(t, f)) {
            set_pointer(t, f, here->array[f]);
        }
    }
}

static void release(there *t, hx_handle *handle)
{
    if (t->of_handle) {
        for (int f = 0; f < t->here->spec->fields; ++f) {
            set_pointer(t, f, t->memory[f]);
        }
        CHECK_STATUS(hx_free(handle, t->pointers), HX_OK);
    } else {
        give_memory(t);
    }
    free(t->memory);
    free(t->pointers);
}

static void copy(const there *t, bool up, cudaStream_t stream)
{
    for (int f = 0; f < t->here->spec->fields; ++f) {
        unsigned char *here = t->here->array[f] - t->guard;
        if (is_there(t, f)) {
            CHECK(cudaMemcpyAsync(up ? t->memory[f] : here, up ? here : t->memory[f], bytes_of(t, f),
                                  cudaMemcpyDefault, stream) == 0,
                  "a copy between host and device failed");
        }
    }
}

/* ---- one exchange -------------------------------------------------------------------------------------- */

static bool is_on_device(const hx_spec *spec, int number)
{
    const hx_exchange *e = &spec->exchange[number];
    bool found = false;
    for (int i = 0; i < e->fields; ++i) {
        found = found || spec->field[e->field[i].field].on_device;
    }
    return found;
}

static void move_by_hand(const hx_handle *handle, const trial_way *way, int number, cudaStream_t stream)
{
    if (way->carry) {
        CHECK(cudaStreamSynchronize(stream) == 0, "a stream failed");
        CHECK(way->carry(handle, number, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
    }
}

/* Packs or unpacks, as a graph or not. */
static void run_half(hx_handle *handle, const there *t, int number, bool packs, bool as_graph,
                     cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    if (as_graph) {
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == 0, "no capture");
    }
    CHECK_STATUS((packs ? hx_pack_on : hx_unpack_on)(handle, number, t->pointers, stream), HX_OK);
    if (as_graph) {
        CHECK(cudaStreamEndCapture(stream, &graph) == 0, "a capture failed");
        CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0) == 0, "no graph");
        CHECK(cudaGraphLaunch(made, stream) == 0 && cudaStreamSynchronize(stream) == 0, "a graph failed");
        CHECK(cudaGraphExecDestroy(made) == 0 && cudaGraphDestroy(graph) == 0, "a graph stays");
    }
}

static void exchange_halves(hx_handle *handle, const trial_way *way, const there *t, int number,
                            cudaStream_t stream)
{
    run_half(handle, t, number, true, runs % 2 == 0, stream);
    CHECK_STATUS(hx_send_on(handle, number, stream), HX_OK);
    move_by_hand(handle, way, number, stream);
    CHECK_STATUS(hx_receive(handle, number), HX_OK);
    run_half(handle, t, number, false, runs % 4 == 0, stream);
}

static void exchange_there(hx_handle *handle, const trial_way *way, const points *here, int number)
{
    const cudaStream_t first = streams[runs % 2];
    const cudaStream_t second = streams[runs / 2 % 2];
    const bool halves = runs % 3 == 0;
    there t;
    make(&t, handle, here, runs % 5 == 4);
    if (!is_on_device(here->spec, number)) {
        CHECK_STATUS(hx_start(handle, number, t.pointers), HX_OK);
        CHECK(!way->carry || way->carry(handle, number, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
        CHECK_STATUS(hx_finish(handle, number), HX_OK);
        release(&t, handle);
        return;
    }
    copy(&t, true, first);
    const bool in_graph =
        !halves && runs % 4 == 1 && !way->carry && mirror_run_graph(handle, number, t.pointers, first);
    if (in_graph) {
        in_graphs += strstr(hx_describe(handle), ", by ipc:") != NULL;
    } else if (halves) {
        exchange_halves(handle, way, &t, number, first);
    } else {
        CHECK_STATUS(hx_start_on(handle, number, t.pointers, first), HX_OK);
        move_by_hand(handle, way, number, first);
        CHECK_STATUS(hx_finish_on(handle, number, second), HX_OK);
    }
    const cudaStream_t last = halves || in_graph ? first : second;
    copy(&t, false, last);
    CHECK(cudaStreamSynchronize(last) == 0, "a stream failed");
    between_devices += strstr(hx_describe(handle), ", by ipc:") != NULL;
    release(&t, handle);
    ++runs;
}

/* ---- clouds -------------------------------------------------------------------------------------------- */

static const trial_way ways[] = {
    {.transport = "p2p", .messages = "mapped", .exchange = exchange_there},
    {.transport = "ipc", .messages = "copied", .exchange = exchange_there},
    {.transport = "persistent", .messages = "copied", .exchange = exchange_there},
    {.transport = "auto", .messages = "aware", .exchange = exchange_there},
    {.transport = "neighbor", .messages = "mapped", .exchange = exchange_there},
    {.transport = "manual", .messages = "mapped", .exchange = exchange_there, .carry = carry},
    {.transport = "p2p", .messages = "aware", .exchange = exchange_there},
    {.transport = "mixed", .messages = "copied", .exchange = exchange_there},
    {.transport = "manual", .messages = "copied", .exchange = exchange_there, .carry = carry},
    {.transport = "ipc", .messages = "mapped", .exchange = exchange_there},
    {.transport = "nccl", .messages = "mapped", .exchange = exchange_there},
    {.transport = "persistent", .messages = "aware", .exchange = exchange_there},
};

static void try_spec(const hx_spec *spec, int rank, int ranks)
{
    static int number; /* of the way that is next */
    for (int seed = 0; seed < CLOUDS; ++seed) {
        for (int i = 0; i < WAYS; ++i) {
            trial_way way = ways[number % (int)(sizeof ways / sizeof *ways)];
            const bool aware = strcmp(way.messages, "aware") == 0;
            if (fake_set_host_access(aware) != aware) {
                way.messages = "copied"; /* MPI is not to be given memory of this device */
            }
            fake_set_order((fake_order)(number % 3), (unsigned)number);
            shim_order_of_threads = (shim_order)(number / 3 % SHIM_ORDERS);
            ++number;
            trial_run(spec, (uint64_t)seed, rank, ranks, &way, 1);
        }
    }
}

/* Is it among the names, or are there none? */
static bool is_wanted(const hx_spec *spec, char *const *name)
{
    bool wanted = !*name;
    for (; *name; ++name) {
        wanted = wanted || strcmp(*name, spec->name) == 0;
    }
    return wanted;
}

int main(int argc, char **argv)
{
    int rank = 0;
    int ranks = 1;
    int devices = 0;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    CHECK(cudaGetDeviceCount(&devices) == 0 && cudaSetDevice(rank % devices) == 0, "no device");
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) == 0, "no stream");
    }
    for (int i = 0; i < device_count; ++i) {
        if (is_wanted(device_specs[i], argv + 1)) {
            try_spec(device_specs[i], rank, ranks);
        }
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamDestroy(streams[i]) == 0, "a stream failed");
    }
    CHECK((between_devices > 0) == (ranks > 1), "%ld exchanges between devices", between_devices);
    CHECK((in_graphs > 0) == (ranks > 1) || argc > 1, "%ld exchanges in graphs", in_graphs);
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    char summary[120];
    snprintf(summary, sizeof summary, "lists of points on devices: %d specs, %ld exchanges, on %d ranks",
             device_count, runs, ranks);
    return check_verdict(summary);
}
