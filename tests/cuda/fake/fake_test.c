/*
 * The fake device does what CUDA's documentation says, as late as it may; and libhx_cuda over it.
 */
#include "fake.h"

#include <hx/cuda.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const hx_device *const device = &hx_cuda_device;

static int *get(hx_memory_kind kind, int count)
{
    void *memory = NULL;
    assert_int_equal(device->get(kind, (size_t)count * sizeof(int), &memory), 0);
    return memory;
}

static void give_back(hx_memory_kind kind, int *memory)
{
    assert_int_equal(device->free(kind, memory), 0);
}

static hx_stream open_stream(void)
{
    hx_stream stream = NULL;
    assert_int_equal(device->stream_open(true, &stream), 0);
    return stream;
}

static hx_device_event *open_event(void)
{
    hx_device_event *event = NULL;
    assert_int_equal(device->event_open(&event), 0);
    return event;
}

static bool is_done(hx_device_event *event)
{
    bool done = false;
    assert_int_equal(device->event_done(event, &done), 0);
    return done;
}

static void put(int *to, int value, hx_stream stream)
{
    assert_int_equal(cudaMemcpyAsync(to, &value, sizeof value, cudaMemcpyDefault, stream), 0);
}

static void put_copy(int *to, const int *from, hx_stream stream)
{
    assert_int_equal(device->copy(to, from, sizeof *to, stream), 0);
}

static int value_of(const int *memory)
{
    int value = 0;
    assert_int_equal(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost), 0);
    return value;
}

/* Whether a process that does this ends otherwise than well. */
static bool dies(void (*act)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        signal(SIGSEGV, SIG_DFL); /* which are cmocka's */
        signal(SIGABRT, SIG_DFL);
        act();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status != 0;
}

static int start(void **state)
{
    (void)state;
    fake_set_order(FAKE_LAZY, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    return fake_left() == 0 && cudaPeekAtLastError() == cudaSuccess ? 0 : -1;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void assert_place(const void *pointer, hx_memory_kind kind, int number)
{
    hx_memory_place place = {.device = 7};
    assert_int_equal(device->place(pointer, &place), 0);
    assert_int_equal(place.kind, kind);
    assert_int_equal(place.device, number);
}

static void pointers_tell_what_they_are(void **state)
{
    (void)state;
    int *mine = get(HX_MEMORY_DEVICE, 10);
    int *pinned = get(HX_MEMORY_PINNED, 10);
    int *plain = malloc(sizeof *plain);
    void *managed = NULL;
    assert_int_equal(cudaMallocManaged(&managed, 4, cudaMemAttachGlobal), 0);
    assert_place(mine + 9, HX_MEMORY_DEVICE, 0);
    assert_place(pinned + 9, HX_MEMORY_PINNED, -1);
    assert_place(managed, HX_MEMORY_MANAGED, 0);
    assert_place(plain, HX_MEMORY_HOST, -1);
    assert_place(NULL, HX_MEMORY_HOST, -1);
    void *address = NULL;
    assert_int_equal(device->mapped(pinned, &address), 0);
    assert_int_equal(device->mapped(plain, &address), cudaErrorInvalidValue);
    assert_int_equal(device->get(HX_MEMORY_HOST, 4, &address), cudaErrorInvalidValue);
    assert_int_equal(device->free(HX_MEMORY_DEVICE, pinned), cudaErrorInvalidValue);
    assert_int_equal(device->get(HX_MEMORY_DEVICE, SIZE_MAX / 4, &address), cudaErrorMemoryAllocation);
    give_back(HX_MEMORY_PINNED, pinned);
    give_back(HX_MEMORY_DEVICE, mine);
    give_back(HX_MEMORY_DEVICE, managed);
    assert_place(mine, HX_MEMORY_HOST, -1);
    free(plain);
}

static int *touched;

static void touch(void)
{
    touched[0] = 1;
}

static void touch_behind(void)
{
    (void)cudaMemcpy(touched + 1024, touched, 4, cudaMemcpyDefault);
}

static void the_host_cannot_touch_memory_of_a_device(void **state)
{
    (void)state;
    touched = get(HX_MEMORY_DEVICE, 1024);
    assert_true(dies(touch));
    put(touched, 5, NULL);
    assert_int_equal(value_of(touched), 5);
    assert_true(dies(touch));
    assert_true(dies(touch_behind));
    give_back(HX_MEMORY_DEVICE, touched);
}

static hx_device_token token;

static void use_token(void)
{
    void *opened = NULL;
    if (device->open_memory(&token, &opened) != 0) {
        _exit(1);
    }
    put(opened, 8, NULL);
    _exit(value_of(opened) == 8 && device->close_memory(opened) == 0 ? 0 : 1);
}

static void leave_it_open(void)
{
    void *opened = NULL;
    _exit(device->open_memory(&token, &opened));
}

static void free_touched(void)
{
    (void)device->free(HX_MEMORY_DEVICE, touched);
}

static void other_processes_open_memory(void **state)
{
    (void)state;
    touched = get(HX_MEMORY_DEVICE, 1);
    assert_int_equal(device->export_memory(touched, &token), 0);
    void *opened = NULL;
    assert_int_equal(device->open_memory(&token, &opened), cudaErrorInvalidResourceHandle);
    assert_false(dies(use_token));
    assert_int_equal(value_of(touched), 8);
    assert_false(dies(free_touched));
    assert_false(dies(leave_it_open));
    assert_true(dies(free_touched));
    assert_int_equal(device->close_memory(touched), cudaErrorInvalidValue);
    fake_forget();
}

/* ---- order ----------------------------------------------------------------------------------- */

static void lazy_streams_do_what_they_are_asked_for(void **state)
{
    (void)state;
    hx_stream stream = open_stream();
    hx_device_event *event = open_event();
    int *pinned = get(HX_MEMORY_PINNED, 1);
    int *mine = get(HX_MEMORY_DEVICE, 2);
    assert_true(is_done(event));
    pinned[0] = 1;
    put_copy(mine, pinned, stream);
    assert_int_equal(device->event_record(event, stream), 0);
    pinned[0] = 2; /* too early: the copy has not read it */
    put(mine + 1, 3, stream);
    assert_int_equal(fake_waiting(), 3);
    for (int asked = 1; asked < FAKE_PATIENCE; ++asked) {
        assert_false(is_done(event));
    }
    assert_true(is_done(event));
    assert_int_equal(fake_waiting(), 1);
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    assert_int_equal(value_of(mine), 2);
    assert_int_equal(value_of(mine + 1), 3);
    assert_int_equal(device->zero(mine, sizeof(int), stream), 0);
    assert_int_equal(device->stream_close(stream), 0);
    assert_int_equal(device->stream_close(stream), cudaErrorInvalidResourceHandle);
    assert_int_equal(fake_waiting(), 1);
    assert_int_equal(device->event_close(event), 0);
    give_back(HX_MEMORY_PINNED, pinned);
    assert_int_equal(value_of(mine), 0);
    give_back(HX_MEMORY_DEVICE, mine);
}

/* However often; and who frees memory then would wait for ever. */
static void free_stuck(void)
{
    give_back(HX_MEMORY_DEVICE, get(HX_MEMORY_DEVICE, 1));
}

static void stuck_streams_do_nothing(void **state)
{
    (void)state;
    fake_set_order(FAKE_STUCK, 0);
    hx_device_event *event = open_event();
    int *mine = get(HX_MEMORY_DEVICE, 1);
    put(mine, 1, NULL);
    assert_int_equal(device->event_record(event, NULL), 0);
    for (int asked = 0; asked < 4 * FAKE_PATIENCE; ++asked) {
        assert_false(is_done(event));
    }
    assert_true(dies(free_stuck));
    fake_set_order(FAKE_EAGER, 0);
    assert_int_equal(value_of(mine), 1);
    assert_int_equal(device->event_close(event), 0);
    give_back(HX_MEMORY_DEVICE, mine);
}

static bool is_here(hx_stream stream)
{
    bool here = false;
    assert_int_equal(device->stream_here(stream, &here), 0);
    return here;
}

/* Also while it is captured, as far as CUDA can tell. */
static hx_stream busy;

static void wait_for_held(void)
{
    (void)cudaStreamSynchronize(busy);
}

static void free_held(void)
{
    give_back(HX_MEMORY_DEVICE, get(HX_MEMORY_DEVICE, 1));
}

/* And so do those that wait for them, but no others. */
static void held_streams_stay_where_they_are(void **state)
{
    (void)state;
    static const fake_order orders[] = {FAKE_EAGER, FAKE_LAZY, FAKE_SHUFFLED};
    int *memory = get(HX_MEMORY_DEVICE, 3);
    hx_stream waiting = open_stream();
    hx_stream other = open_stream();
    hx_device_event *event = open_event();
    hx_device_event *behind = open_event();
    busy = open_stream();
    for (int i = 0; i < 3; ++i) {
        fake_set_order(orders[i], 1);
        put(memory, 0, other);
        assert_int_equal(fake_hold(busy), 0);
        put(memory, 1, busy);
        assert_int_equal(device->event_record(event, busy), 0);
        assert_int_equal(device->event_wait(event, waiting), 0);
        assert_int_equal(device->event_record(behind, waiting), 0);
        put(memory + 1, 2, other);
        assert_int_equal(cudaStreamSynchronize(other), 0);
        for (int asked = 0; asked < 20; ++asked) {
            assert_false(is_done(event));
            assert_false(is_done(behind));
        }
        assert_true(dies(wait_for_held));
        assert_true(dies(free_held));
        fake_release();
        assert_int_equal(cudaStreamSynchronize(waiting), 0);
        assert_true(is_done(event) && is_done(behind));
        assert_int_equal(value_of(memory), 1);
    }
    assert_int_equal(device->event_close(event), 0);
    assert_int_equal(device->event_close(behind), 0);
    assert_int_equal(device->stream_close(waiting), 0);
    assert_int_equal(device->stream_close(other), 0);
    assert_int_equal(device->stream_close(busy), 0);
    give_back(HX_MEMORY_DEVICE, memory);
}

static void streams_know_their_device(void **state)
{
    (void)state;
    cudaGraph_t graph = NULL;
    fake_set_devices(2);
    hx_stream stream = open_stream();
    assert_true(is_here(stream) && is_here(NULL));
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), 0);
    assert_true(is_here(stream));
    assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
    assert_int_equal(cudaGraphDestroy(graph), 0);
    assert_int_equal(device->use(1), 0);
    assert_false(is_here(stream));
    assert_true(is_here(NULL));
    assert_int_equal(cudaPeekAtLastError(), 0);
    assert_int_equal(device->use(2), cudaErrorInvalidDevice);
    assert_int_equal(device->use(0), 0);
    assert_int_equal(device->stream_close(stream), 0);
}

/* What the second of two streams finds, which may wait for the first. */
static int second_finds(bool waits)
{
    hx_stream first = open_stream();
    hx_stream second = open_stream();
    hx_device_event *event = open_event();
    int *mine = get(HX_MEMORY_DEVICE, 2);
    put(mine, 1, first);
    put(mine, 2, first);
    assert_int_equal(device->event_record(event, first), 0);
    if (waits) {
        assert_int_equal(device->event_wait(event, second), 0);
    }
    /* What was recorded before is what it waits for. */
    assert_int_equal(device->event_record(event, second), 0);
    put_copy(mine + 1, mine, second);
    assert_int_equal(cudaStreamSynchronize(second), 0);
    const int found = value_of(mine + 1);
    assert_int_equal(device->stream_close(first), 0);
    assert_int_equal(device->stream_close(second), 0);
    assert_int_equal(device->event_close(event), 0);
    give_back(HX_MEMORY_DEVICE, mine);
    return found;
}

static void who_waits_finds_what_was_recorded(void **state)
{
    (void)state;
    int early = 0;
    int late = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        fake_set_order(FAKE_SHUFFLED, seed);
        assert_int_equal(second_finds(true), 2);
        const int found = second_finds(false);
        early += found != 2;
        late += found == 2;
    }
    assert_true(early > 10 && late > 10);
    fake_set_order(FAKE_EAGER, 0);
    assert_int_equal(second_finds(false), 2);
    fake_set_order(FAKE_LAZY, 0);
    assert_int_equal(second_finds(true), 2);
    assert_true(second_finds(false) != 2);
}

static void the_default_stream_waits_for_those_that_block(void **state)
{
    (void)state;
    hx_stream blocking = NULL;
    hx_stream other = open_stream();
    int *mine = get(HX_MEMORY_DEVICE, 3);
    assert_int_equal(cudaStreamCreateWithFlags(&blocking, cudaStreamDefault), 0);
    put(mine, 1, blocking);
    put(mine + 1, 2, NULL);
    put(mine + 2, 3, other);
    put_copy(mine, mine + 1, blocking);
    assert_int_equal(fake_waiting(), 4);
    assert_int_equal(cudaStreamSynchronize(blocking), 0);
    assert_int_equal(value_of(mine), 2);
    assert_int_equal(fake_waiting(), 1); /* nobody waits for the other one, which is libhx's */
    assert_int_equal(device->stream_close(blocking), 0);
    assert_int_equal(device->stream_close(other), 0);
    give_back(HX_MEMORY_DEVICE, mine);
}

/* ---- capture --------------------------------------------------------------------------------- */

static void assert_capturing(hx_stream stream, bool expected)
{
    bool yes = !expected;
    assert_int_equal(device->capturing(stream, &yes), 0);
    assert_true(yes == expected);
}

static void what_is_captured_runs_when_launched(void **state)
{
    (void)state;
    hx_stream stream = open_stream();
    int *mine = get(HX_MEMORY_DEVICE, 2);
    hx_device_event *event = open_event();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    put(mine, 1, NULL);
    assert_int_equal(device->event_record(event, NULL), 0);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
    assert_capturing(stream, true);
    put_copy(mine + 1, mine, stream);
    assert_int_equal(device->zero(mine, sizeof *mine, stream), 0);
    assert_false(is_done(event)); /* asking does not end the capture */
    assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
    assert_capturing(stream, false);
    assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), 0);
    assert_int_equal(cudaGraphDestroy(graph), 0);
    assert_int_equal(value_of(mine), 1);
    for (int value = 7; value < 9; ++value) {
        put(mine, value, stream);
        assert_int_equal(cudaGraphLaunch(exec, stream), 0);
        assert_int_equal(cudaStreamSynchronize(stream), 0);
        assert_int_equal(value_of(mine + 1), value);
        assert_int_equal(value_of(mine), 0);
    }
    assert_int_equal(cudaGraphExecDestroy(exec), 0);
    assert_int_equal(device->event_close(event), 0);
    assert_int_equal(device->stream_close(stream), 0);
    give_back(HX_MEMORY_DEVICE, mine);
}

static int ask(hx_stream stream, hx_device_event *event)
{
    (void)stream;
    const cudaError_t error = cudaEventQuery((cudaEvent_t)event);
    (void)cudaGetLastError();
    return (int)error;
}

static int allocate(hx_stream stream, hx_device_event *event)
{
    (void)stream;
    (void)event;
    void *memory;
    return device->get(HX_MEMORY_DEVICE, 4, &memory);
}

static int record(hx_stream stream, hx_device_event *event)
{
    return device->event_record(event, stream);
}

static int wait_for_it(hx_stream stream, hx_device_event *event)
{
    return device->event_wait(event, stream);
}

static void what_a_capture_cannot_have_ends_it(void **state)
{
    (void)state;
    int (*const acts[])(hx_stream, hx_device_event *) = {ask, allocate, record, wait_for_it};
    hx_stream stream = open_stream();
    hx_device_event *event = open_event();
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; ++i) {
        cudaGraph_t graph;
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
        assert_true(acts[i](stream, event) >= cudaErrorStreamCaptureUnsupported);
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    }
    (void)cudaGetLastError();
    assert_int_equal(device->event_close(event), 0);
    assert_int_equal(device->stream_close(stream), 0);
}

/* ---- devices --------------------------------------------------------------------------------- */

static void no_driver_and_no_device_are_told(void **state)
{
    (void)state;
    int n = -5;
    fake_set_devices(FAKE_NO_DRIVER);
    assert_int_equal(device->count(&n), 35);
    assert_string_equal(device->text(35), "CUDA driver version is insufficient for CUDA runtime version");
    fake_set_devices(0);
    assert_int_equal(device->count(&n), 100);
    assert_int_equal(n, -5);
    fake_set_devices(1);
    assert_int_equal(device->count(&n), 0);
    assert_int_equal(n, 1);
}

/* A kernel. */
static void store(const void *arguments)
{
    int *to;
    memcpy(&to, arguments, sizeof to);
    *to = 1;
}

static void store_touched(void)
{
    if (fake_launch(store, &touched, sizeof touched, NULL) == 0) {
        (void)cudaStreamSynchronize(NULL);
    }
}

static void kernels_work_on_their_device(void **state)
{
    (void)state;
    fake_set_devices(2);
    touched = get(HX_MEMORY_DEVICE, 1);
    hx_stream stream = open_stream();
    assert_false(dies(store_touched));
    assert_int_equal(value_of(touched), 1);
    assert_int_equal(cudaSetDevice(1), 0);
    assert_true(dies(store_touched));
    assert_int_equal(fake_launch(store, &touched, sizeof touched, stream), cudaErrorInvalidResourceHandle);
    int current = -1;
    assert_int_equal(device->current(&current), 0);
    assert_int_equal(current, 1);
    assert_place(touched, HX_MEMORY_DEVICE, 0);
    assert_int_equal(cudaSetDevice(2), cudaErrorInvalidDevice);
    assert_int_equal(cudaSetDevice(0), 0);
    (void)cudaGetLastError();
    assert_int_equal(device->stream_close(stream), 0);
    give_back(HX_MEMORY_DEVICE, touched);
    fake_set_devices(1);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void the_call_fails_that_is_to(void **state)
{
    (void)state;
    int n = 0;
    int *mine = get(HX_MEMORY_DEVICE, 1);
    const long before = fake_calls();
    fake_fail(2);
    assert_int_equal(device->count(&n), 0);
    assert_int_equal(device->zero(mine, 4, NULL), cudaErrorUnknown);
    assert_int_equal(fake_waiting(), 0);
    assert_int_equal(device->count(&n), 0);
    assert_int_equal(fake_calls() - before, 3);
    give_back(HX_MEMORY_DEVICE, mine);
}

/* In a process of its own, since no call of it succeeds again. */
/* ---- what benchmarks call ------------------------------------------------------------------- */

enum { WIDE = 4, HIGH = 3, DEEP = 2, BOX_WIDE = 2, BOX_HIGH = 2 };

/* An array of WIDE x HIGH x DEEP numbers and a dense box of it, which begins at its second row and column. */
typedef struct boxes {
    int *array, *box;
    struct cudaMemcpy3DParms copy;
    struct cudaMemcpy3DBatchOp batch;
} boxes;

static void make_boxes(boxes *b)
{
    b->array = get(HX_MEMORY_DEVICE, WIDE * HIGH * DEEP);
    b->box = get(HX_MEMORY_DEVICE, BOX_WIDE * BOX_HIGH * DEEP);
    for (int i = 0; i < WIDE * HIGH * DEEP; ++i) {
        put(b->array + i, i, NULL);
    }
    int *first = b->array + WIDE + 1;
    b->copy = (struct cudaMemcpy3DParms){
        .srcPtr = {.ptr = first, .pitch = WIDE * sizeof(int), .xsize = WIDE * sizeof(int), .ysize = HIGH},
        .dstPtr = {.ptr = b->box,
                   .pitch = BOX_WIDE * sizeof(int),
                   .xsize = BOX_WIDE * sizeof(int),
                   .ysize = BOX_HIGH},
        .extent = {.width = BOX_WIDE * sizeof(int), .height = BOX_HIGH, .depth = DEEP},
        .kind = cudaMemcpyDeviceToDevice,
    };
    b->batch = (struct cudaMemcpy3DBatchOp){.extent = b->copy.extent,
                                            .srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    b->batch.src.type = b->batch.dst.type = cudaMemcpyOperandTypePointer;
    b->batch.src.op.ptr.ptr = first;
    b->batch.src.op.ptr.rowLength = WIDE * sizeof(int);
    b->batch.src.op.ptr.layerHeight = HIGH;
    b->batch.dst.op.ptr.ptr = b->box;
    b->batch.dst.op.ptr.rowLength = BOX_WIDE * sizeof(int);
    b->batch.dst.op.ptr.layerHeight = BOX_HIGH;
}

static void assert_copied(const boxes *b)
{
    for (int k = 0; k < DEEP; ++k) {
        for (int j = 0; j < BOX_HIGH; ++j) {
            for (int i = 0; i < BOX_WIDE; ++i) {
                const int expected = (k * HIGH + j + 1) * WIDE + i + 1;
                assert_int_equal(value_of(b->box + (k * BOX_HIGH + j) * BOX_WIDE + i), expected);
            }
        }
    }
}

static void boxes_are_copied(void **state)
{
    (void)state;
    boxes b;
    make_boxes(&b);
    const hx_stream stream = open_stream();
    assert_int_equal(cudaStreamSynchronize(NULL), 0);
    assert_int_equal(cudaMemcpy3DAsync(&b.copy, stream), 0);
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    assert_copied(&b);
    assert_int_equal(cudaMemsetAsync(b.box, 0, BOX_WIDE * BOX_HIGH * DEEP * sizeof(int), stream), 0);
    assert_int_equal(cudaMemcpy3DBatchAsync(1, &b.batch, 0, stream), 0);
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    assert_copied(&b);
    assert_int_equal(cudaMemcpy3DBatchAsync(1, &b.batch, 0, NULL), cudaErrorInvalidValue);
    b.copy.dstPtr.pitch -= 1;
    assert_int_equal(cudaMemcpy3DAsync(&b.copy, stream), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(device->stream_close(stream), 0);
    give_back(HX_MEMORY_DEVICE, b.array);
    give_back(HX_MEMORY_DEVICE, b.box);
}

static void events_tell_the_time_between_them(void **state)
{
    (void)state;
    cudaEvent_t begin = NULL;
    cudaEvent_t end = NULL;
    cudaEvent_t other = NULL;
    float time = -1;
    assert_int_equal(cudaEventCreate(&begin), 0);
    assert_int_equal(cudaEventCreate(&end), 0);
    assert_int_equal(cudaEventCreateWithFlags(&other, cudaEventDisableTiming), 0);
    assert_int_equal(cudaEventElapsedTime(&time, begin, end), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventRecord(begin, NULL), 0);
    assert_int_equal(cudaEventRecord(end, NULL), 0);
    assert_int_equal(cudaEventRecord(other, NULL), 0);
    assert_int_equal(cudaEventElapsedTime(&time, begin, other), cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaEventElapsedTime(&time, begin, end), cudaErrorNotReady);
    assert_int_equal(cudaEventSynchronize(end), 0);
    assert_int_equal(cudaEventElapsedTime(&time, begin, end), 0);
    assert_true(time >= 0);
    assert_int_equal(cudaGetLastError(), cudaErrorNotReady);
    assert_int_equal(cudaEventDestroy(begin), 0);
    assert_int_equal(cudaEventDestroy(end), 0);
    assert_int_equal(cudaEventDestroy(other), 0);
}

static void devices_have_properties(void **state)
{
    (void)state;
    struct cudaDeviceProp properties;
    size_t vacant = 0;
    size_t total = 0;
    int version = 0;
    assert_int_equal(cudaGetDeviceProperties(&properties, 0), 0);
    assert_string_equal(properties.name, "fake device");
    assert_int_equal(cudaGetDeviceProperties(&properties, 9), cudaErrorInvalidDevice);
    assert_int_equal(cudaMemGetInfo(&vacant, &total), 0);
    assert_true(vacant > 0 && vacant <= total);
    assert_int_equal(cudaRuntimeGetVersion(&version), 0);
    assert_int_equal(version, CUDART_VERSION);
    fake_set_devices(FAKE_NO_DRIVER);
    assert_int_equal(cudaDriverGetVersion(&version), 0);
    assert_int_equal(version, 0);
    fake_set_devices(1);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
}

static void end_the_device(void)
{
    int n = 0;
    int *mine = get(HX_MEMORY_DEVICE, 1);
    fake_break(2);
    put(mine, 1, NULL);
    put(mine, 2, NULL);
    const bool good = device->count(&n) == 0 && cudaStreamSynchronize(NULL) == cudaErrorIllegalAddress &&
                      device->count(&n) == cudaErrorIllegalAddress;
    if (!good) {
        abort();
    }
    exit(0); /* what is left is no fault of the program's */
}

static void leak(void)
{
    (void)get(HX_MEMORY_PINNED, 1);
    exit(0);
}

static void forget(void)
{
    (void)get(HX_MEMORY_PINNED, 1);
    fake_forget();
    exit(0);
}

static void synchronize(void)
{
    (void)cudaDeviceSynchronize();
}

static void programs_die_of_mistakes(void **state)
{
    (void)state;
    assert_false(dies(end_the_device));
    assert_true(dies(leak));
    assert_false(dies(forget));
    assert_true(dies(synchronize));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pointers_tell_what_they_are),
        TEST(the_host_cannot_touch_memory_of_a_device),
        TEST(other_processes_open_memory),
        TEST(lazy_streams_do_what_they_are_asked_for),
        TEST(stuck_streams_do_nothing),
        TEST(held_streams_stay_where_they_are),
        TEST(streams_know_their_device),
        TEST(who_waits_finds_what_was_recorded),
        TEST(the_default_stream_waits_for_those_that_block),
        TEST(what_is_captured_runs_when_launched),
        TEST(what_a_capture_cannot_have_ends_it),
        TEST(no_driver_and_no_device_are_told),
        TEST(kernels_work_on_their_device),
        TEST(the_call_fails_that_is_to),
        TEST(programs_die_of_mistakes),
        TEST(boxes_are_copied),
        TEST(events_tell_the_time_between_them),
        TEST(devices_have_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
