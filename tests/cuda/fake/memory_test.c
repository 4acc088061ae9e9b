/*
 * What pointers are, who may touch memory of a device, and how other processes get at it.
 */
#include "fake_test.h"

#include <cuda.h>

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
    assert_place(pinned + 9, HX_MEMORY_PINNED, 0);
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

static void registered_memory_is_pinned(void **state)
{
    (void)state;
    int *plain = malloc(10 * sizeof *plain);
    void *address = NULL;
    assert_int_equal(cudaHostRegister(plain, 10 * sizeof *plain, cudaHostRegisterMapped), 0);
    assert_int_equal(cudaHostRegister(plain, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
    assert_place(plain + 9, HX_MEMORY_PINNED, 0);
    assert_int_equal(device->free(HX_MEMORY_PINNED, plain), cudaErrorInvalidValue);
    fake_set_registered_apart(true);
    assert_place(plain, HX_MEMORY_PINNED, -1);
    assert_int_equal(device->mapped(plain, &address), 0);
    assert_ptr_not_equal(address, plain);
    fake_set_registered_apart(false);
    assert_int_equal(cudaHostUnregister(plain), 0);
    assert_int_equal(cudaHostUnregister(plain), cudaErrorHostMemoryNotRegistered);
    assert_place(plain, HX_MEMORY_HOST, -1);
    assert_int_equal(cudaGetLastError(), cudaErrorHostMemoryNotRegistered);
    free(plain);
}

static hx_device_token token;

static void other_devices_memory_is_theirs(void **state)
{
    (void)state;
    fake_set_devices(2);
    int *mine = get(HX_MEMORY_DEVICE, 1);
    int *pinned = get(HX_MEMORY_PINNED, 1);
    assert_int_equal(cudaSetDevice(1), 0);
    assert_place(mine, HX_MEMORY_DEVICE, 0);
    assert_place(pinned, HX_MEMORY_PINNED, 1);
    assert_int_equal(cudaSetDevice(0), 0);
    give_back(HX_MEMORY_PINNED, pinned);
    give_back(HX_MEMORY_DEVICE, mine);
    fake_set_devices(1);
}

static void streams_give_memory_of_pools_back(void **state)
{
    (void)state;
    const hx_stream stream = open_stream();
    void *pooled = NULL;
    int *mine = get(HX_MEMORY_DEVICE, 1);
    assert_int_equal(cudaMallocAsync(&pooled, 4, stream), 0);
    assert_place(pooled, HX_MEMORY_DEVICE, 0);
    assert_int_equal(device->export_memory(pooled, &token), cudaErrorInvalidValue);
    assert_int_equal(cudaFreeAsync(mine, stream), cudaErrorInvalidValue);
    put(pooled, 3, stream);
    put_copy(mine, pooled, stream);
    assert_int_equal(cudaFreeAsync(pooled, stream), 0);
    assert_place(pooled, HX_MEMORY_DEVICE, 0); /* until the stream comes to it */
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    assert_place(pooled, HX_MEMORY_HOST, -1);
    assert_int_equal(value_of(mine), 3);
    assert_int_equal(device->stream_close(stream), 0);
    give_back(HX_MEMORY_DEVICE, mine);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
}

static int *touched;

static void put_there(void)
{
    put(touched, 1, NULL);
    (void)value_of(touched);
}

/* Nobody has access to a piece that is mapped until that is set. */
static void pieces_are_mapped(void **state)
{
    (void)state;
    CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    const CUmemAccessDesc access = {p.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    size_t bytes = 0;
    CUdeviceptr address = 0;
    CUmemGenericAllocationHandle piece = 0;
    assert_int_equal(cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM), 0);
    assert_int_equal(cuMemCreate(&piece, bytes + 1, &p, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemCreate(&piece, bytes, &p, 0), 0);
    assert_int_equal(cuMemAddressReserve(&address, bytes, 0, 0, 0), 0);
    assert_int_equal(cuMemSetAccess(address, bytes, &access, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemMap(address, bytes, 0, piece, 0), 0);
    assert_int_equal(cuMemRelease(piece), 0);
    touched = (int *)(uintptr_t)address;
    assert_place(touched, HX_MEMORY_DEVICE, -1);
    assert_true(dies(put_there));
    assert_int_equal(cuMemSetAccess(address, bytes, &access, 1), 0);
    assert_place(touched, HX_MEMORY_DEVICE, 0);
    assert_false(dies(put_there));
    assert_int_equal(device->export_memory(touched, &token), cudaErrorInvalidValue);
    assert_int_equal(device->free(HX_MEMORY_DEVICE, touched), cudaErrorInvalidValue);
    assert_int_equal(cuMemAddressFree(address, bytes), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemUnmap(address, bytes), 0);
    assert_int_equal(cuMemAddressFree(address, bytes), 0);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
}

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

static void open_from_another_device(void)
{
    void *opened = NULL;
    fake_set_devices(2);
    (void)cudaSetDevice(1);
    if (device->open_memory(&token, &opened) != 0) {
        _exit(1);
    }
    fake_set_peers(false);
    _exit(device->close_memory(opened) == 0 &&
                  device->open_memory(&token, &opened) == cudaErrorPeerAccessUnsupported
              ? 0
              : 1);
}

static void open_from_another_slice(void)
{
    void *opened = NULL;
    fake_set_slice(1);
    _exit(device->open_memory(&token, &opened) == cudaErrorInvalidValue ? 0 : 1);
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
    assert_false(dies(open_from_another_device));
    assert_false(dies(open_from_another_slice));
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
        TEST(registered_memory_is_pinned),
        TEST(other_devices_memory_is_theirs),
        TEST(streams_give_memory_of_pools_back),
        TEST(pieces_are_mapped),
        TEST(the_host_cannot_touch_memory_of_a_device),
        TEST(other_processes_open_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
