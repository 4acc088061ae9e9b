/*
 * Shapes: dense strides, the points to allocate, and what becomes of parts that are empty or too large.
 */
#include <hx/abi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { AXES = 3 };

typedef struct shape {
    hx_part part;
    ptrdiff_t stride[1][AXES];
} shape;

static const hx_positions positions = {.extra = {0, 1, 0}};
static const hx_field field = {
    .name = "t", .order = {2, 1, 0}, .halo_lo = {1, 0, 2}, .halo_hi = {1, 0, 1}, .size = 8, .alignment = 8};
static const hx_spec spec = {.axes = AXES,
                             .tiles = 1,
                             .positions = &positions,
                             .position_classes = 1,
                             .field = &field,
                             .fields = 1,
                             .shape_size = sizeof(shape),
                             .shape_stride = offsetof(shape, stride)};

static shape make_shape(int x, int y, int z)
{
    shape made = {.part = {.n = {x, y, z}}};
    hx_dense_strides(&spec, &made.part, &made.stride[0][0], NULL);
    return made;
}

static void arrays_are_dense(void **state)
{
    (void)state;
    const shape s = make_shape(2, 4, 3);
    assert_int_equal(s.stride[0][2], 1);
    assert_int_equal(s.stride[0][1], 6);
    assert_int_equal(s.stride[0][0], 30);
    assert_int_equal(hx_points(&spec, &s, 0), 4 * 30);
}

static void an_empty_part_has_no_points(void **state)
{
    (void)state;
    const shape s = make_shape(0, 0, 0);
    assert_int_equal(hx_points(&spec, &s, 0), 0);
    assert_int_equal(hx_points(&spec, NULL, 0), 0);
    assert_int_equal(hx_points(&spec, &s, 1), 0);
}

static void what_does_not_fit_ends_at_the_largest_number(void **state)
{
    (void)state;
    const shape s = make_shape(1 << 30, 1 << 30, 1 << 30);
    assert_true(s.stride[0][0] > INT64_C(1) << 60);
    assert_true(hx_points(&spec, &s, 0) == PTRDIFF_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_dense),
        cmocka_unit_test(an_empty_part_has_no_points),
        cmocka_unit_test(what_does_not_fit_ends_at_the_largest_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
