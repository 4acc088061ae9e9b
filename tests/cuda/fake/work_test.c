/*
 * Kernels, which work on one device, and copies of boxes.
 */
#include "fake_test.h"

#include <string.h>

static int *touched;

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

int test_work(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_work_on_their_device),
        TEST(boxes_are_copied),
    };
    return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
