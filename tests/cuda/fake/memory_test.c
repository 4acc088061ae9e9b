/*
 * What pointers are, who may touch memory of a device, and how other processes get at it.
 */
#include "fake_test.h"

#include <stdlib.h>
#include <unistd.h>

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

int test_memory(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pointers_tell_what_they_are),
        TEST(the_host_cannot_touch_memory_of_a_device),
        TEST(other_processes_open_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
