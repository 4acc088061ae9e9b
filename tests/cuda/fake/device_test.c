/*
 * Devices that are there or not, and calls that fail; mistakes of which programs die.
 */
#include "fake_test.h"

#include <stdlib.h>

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

static void devices_have_properties(void **state)
{
    (void)state;
    struct cudaDeviceProp properties;
    size_t vacant = 0;
    size_t total = 0;
    int version = 0;
    assert_int_equal(cudaGetDeviceProperties(&properties, 0), 0);
    assert_string_equal(properties.name, "fake device");
    hx_device_identity whole;
    hx_device_identity part;
    assert_int_equal(device->about(&whole), 0);
    assert_string_equal(whole.name, "fake device");
    fake_set_slice(2);
    assert_int_equal(device->about(&part), 0);
    assert_string_equal(part.name, "fake device MIG 1g");
    assert_memory_not_equal(part.uuid, whole.uuid, sizeof part.uuid);
    fake_set_slice(0);
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

/* Every call has the error of what ended the device, but, of one that is mild, those that only look. */
static void end_it_mildly(void)
{
    int n = 0;
    hx_memory_place place;
    int *mine = get(HX_MEMORY_DEVICE, 1);
    fake_set_fault(cudaErrorLaunchFailure, true);
    const bool good = fake_fault(NULL) == 0 && device->zero(mine, 4, NULL) == 0 &&
                      cudaStreamSynchronize(NULL) == cudaErrorLaunchFailure && device->count(&n) == 0 &&
                      device->place(mine, &place) == 0 &&
                      device->zero(mine, 4, NULL) == cudaErrorLaunchFailure &&
                      device->free(HX_MEMORY_DEVICE, mine) == cudaErrorLaunchFailure && fake_revive() &&
                      fake_left() == 0 && device->zero(mine, 4, NULL) == 0;
    if (!good) {
        abort();
    }
    exit(0);
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
    assert_false(dies(end_it_mildly));
    assert_true(dies(leak));
    assert_false(dies(forget));
    assert_true(dies(synchronize));
}

int test_device(void)
{
    const struct CMUnitTest tests[] = {
        TEST(no_driver_and_no_device_are_told),
        TEST(devices_have_properties),
        TEST(the_call_fails_that_is_to),
        TEST(programs_die_of_mistakes),
    };
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
