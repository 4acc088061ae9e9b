/*
 * The fake device does what CUDA's documentation says, as late as it may; and libhx_cuda over it: what the
 * tests share, and all of them, which have a file for each file of the fake.
 */
#include "fake_test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int *get(hx_memory_kind kind, int count)
{
    void *memory = NULL;
    assert_int_equal(device->get(kind, (size_t)count * sizeof(int), &memory), 0);
    return memory;
}

void give_back(hx_memory_kind kind, int *memory)
{
    assert_int_equal(device->free(kind, memory), 0);
}

hx_stream open_stream(void)
{
    hx_stream stream = NULL;
    assert_int_equal(device->stream_open(true, &stream), 0);
    return stream;
}

hx_device_event *open_event(void)
{
    hx_device_event *event = NULL;
    assert_int_equal(device->event_open(&event), 0);
    return event;
}

bool is_done(hx_device_event *event)
{
    bool done = false;
    assert_int_equal(device->event_done(event, &done), 0);
    return done;
}

void put(int *to, int value, hx_stream stream)
{
    assert_int_equal(cudaMemcpyAsync(to, &value, sizeof value, cudaMemcpyDefault, stream), 0);
}

void put_copy(int *to, const int *from, hx_stream stream)
{
    assert_int_equal(device->copy(to, from, sizeof *to, stream), 0);
}

int value_of(const int *memory)
{
    int value = 0;
    assert_int_equal(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost), 0);
    return value;
}

void assert_place(const void *pointer, hx_memory_kind kind, int number)
{
    hx_memory_place place = {.device = 7};
    assert_int_equal(device->place(pointer, &place), 0);
    assert_int_equal(place.kind, kind);
    assert_int_equal(place.device, number);
}

bool dies(void (*act)(void))
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

int begin_test(void **state)
{
    (void)state;
    fake_set_order(FAKE_LAZY, 0);
    /* Who frees memory waits for what other tests left in streams. */
    give_back(HX_MEMORY_DEVICE, get(HX_MEMORY_DEVICE, 1));
    return 0;
}

int end_test(void **state)
{
    (void)state;
    return fake_left() == 0 && cudaPeekAtLastError() == cudaSuccess ? 0 : -1;
}

int main(void)
{
    return test_memory() + test_streams() + test_events() + test_work() + test_graphs() + test_device();
}
