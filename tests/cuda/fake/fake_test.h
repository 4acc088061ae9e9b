/*
 * What tests of the fake device share.  Where a call fails that is not to, the test does.
 */
#ifndef FAKE_TEST_H
#define FAKE_TEST_H

#include "fake.h"

#include <hx/cuda.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const hx_device *const device = &hx_cuda_device;

/* Memory for so many numbers. */
int *get(hx_memory_kind kind, int count);
void give_back(hx_memory_kind kind, int *memory);
hx_stream open_stream(void);
hx_device_event *open_event(void);
bool is_done(hx_device_event *event);

/* In a stream: a number into memory of a device, and one from elsewhere. */
void put(int *to, int value, hx_stream stream);
void put_copy(int *to, const int *from, hx_stream stream);
/* When the default stream comes to it. */
int value_of(const int *memory);

void assert_place(const void *pointer, hx_memory_kind kind, int number);
/* Whether a process that does this ends otherwise than well. */
bool dies(void (*act)(void));

/* Each test begins on lazy streams with nothing to do, and ends with everything given back, and without an
 * error of CUDA's. */
int begin_test(void **state);
int end_test(void **state);
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin_test, end_test)

/* The tests of each file of the fake; how many of them failed. */
int test_memory(void);
int test_streams(void);
int test_events(void);
int test_work(void);
int test_graphs(void);
int test_device(void);

#endif
