/*
 * When streams do what they are given: late, never, or after each other.
 */
#include "fake_test.h"

#include <string.h>

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

/* What another process does: here whoever has asked often enough. */
static int elsewhere;

static bool is_done_elsewhere(const void *arguments)
{
    (void)arguments;
    return elsewhere <= 0;
}

static bool comes_soon(const void *arguments)
{
    (void)arguments;
    return --elsewhere <= 0;
}

static void set_seven(const void *arguments)
{
    int *to;
    memcpy(&to, arguments, sizeof to);
    *to = 7;
}

static void streams_wait_for_other_processes(void **state)
{
    (void)state;
    static const fake_order orders[] = {FAKE_EAGER, FAKE_LAZY, FAKE_SHUFFLED};
    int *memory = get(HX_MEMORY_DEVICE, 1);
    hx_stream waiting = open_stream();
    hx_device_event *event = open_event();
    for (int i = 0; i < 3; ++i) {
        fake_set_order(orders[i], 1);
        elsewhere = 1;
        put(memory, 0, NULL);
        assert_int_equal(fake_launch_when(is_done_elsewhere, set_seven, &memory, sizeof memory, waiting), 0);
        assert_int_equal(device->event_record(event, waiting), 0);
        for (int asked = 0; asked < 20; ++asked) {
            assert_false(is_done(event));
        }
        assert_int_equal(value_of(memory), 0);
        elsewhere = 0;
        for (int asked = 0; asked < 20 && !is_done(event); ++asked) {
        }
        assert_true(is_done(event));
        assert_int_equal(value_of(memory), 7);
        elsewhere = 20;
        put(memory, 0, NULL);
        assert_int_equal(value_of(memory), 0);
        assert_int_equal(fake_launch_when(comes_soon, set_seven, &memory, sizeof memory, waiting), 0);
        assert_int_equal(cudaStreamSynchronize(waiting), 0);
        assert_int_equal(value_of(memory), 7);
    }
    assert_int_equal(device->event_close(event), 0);
    assert_int_equal(device->stream_close(waiting), 0);
    give_back(HX_MEMORY_DEVICE, memory);
}

/* Also while it is captured, as far as CUDA can tell. */
static bool is_here(hx_stream stream)
{
    bool here = false;
    assert_int_equal(device->stream_here(stream, &here), 0);
    return here;
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

int test_streams(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lazy_streams_do_what_they_are_asked_for),
        TEST(stuck_streams_do_nothing),
        TEST(held_streams_stay_where_they_are),
        TEST(streams_wait_for_other_processes),
        TEST(streams_know_their_device),
        TEST(the_default_stream_waits_for_those_that_block),
    };
    return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
