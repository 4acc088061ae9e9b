/*
 * What waits for events, and the time between them.
 */
#include "fake_test.h"

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

int test_events(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who_waits_finds_what_was_recorded),
        TEST(events_tell_the_time_between_them),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
