/*
 * What is captured, and what a capture cannot have.
 */
#include "fake_test.h"

static uint64_t capture_of(hx_stream stream)
{
    uint64_t number = UINT64_MAX;
    assert_int_equal(device->capture(stream, &number), 0);
    return number;
}

/* A driver does not say which device such a stream is of, so nobody asks it. */
static void assert_no_question(hx_stream stream)
{
    int number;
    bool here = false;
    assert_int_equal(cudaStreamGetDevice(stream, &number), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaGetLastError(), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(device->stream_here(stream, &here), 0);
    assert_true(here);
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
    assert_true(capture_of(stream) > 0);
    assert_no_question(stream);
    put_copy(mine + 1, mine, stream);
    assert_int_equal(device->zero(mine, sizeof *mine, stream), 0);
    assert_false(is_done(event)); /* asking does not end the capture */
    assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
    assert_true(capture_of(stream) == 0);
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

static void captures_have_numbers_of_their_own(void **state)
{
    (void)state;
    hx_stream stream = open_stream();
    uint64_t number[2];
    for (int i = 0; i < 2; ++i) {
        cudaGraph_t graph;
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), 0);
        number[i] = capture_of(stream);
        assert_true(capture_of(stream) == number[i]);
        assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
        assert_int_equal(cudaGraphDestroy(graph), 0);
    }
    assert_true(number[0] != number[1]);
    assert_true(capture_of(NULL) == 0);
    assert_int_equal(device->stream_close(stream), 0);
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
        assert_true(capture_of(stream) > 0); /* it is a capture all the same */
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    }
    (void)cudaGetLastError();
    assert_int_equal(device->event_close(event), 0);
    assert_int_equal(device->stream_close(stream), 0);
}

int test_graphs(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_captured_runs_when_launched),
        TEST(captures_have_numbers_of_their_own),
        TEST(what_a_capture_cannot_have_ends_it),
    };
    return cmocka_run_group_tests_name("graphs", tests, NULL, NULL);
}
