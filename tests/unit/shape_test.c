/*
 * Shapes: dense strides, the points to allocate, and what becomes of parts that are empty or too large.
 */
#include <hx/abi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { AXES = 3, PLAIN = 0, AFTER_Z, SLOWEST, WITHIN, FIELDS };

typedef struct shape {
    hx_part part;
    ptrdiff_t stride[FIELDS][AXES];
    ptrdiff_t apart[FIELDS];
} shape;

#define HALO .order = {2, 1, 0}, .halo_lo = {1, 0, 2}, .halo_hi = {1, 0, 1}, .alignment = 8

static const hx_positions positions = {.extra = {0, 1, 0}};
static const hx_field fields[FIELDS] = {
    {.name = "plain", HALO, .size = 8},
    {.name = "after z", HALO, .size = 8, .components = 4, .place = 1, .padding = {7, 3, 2}},
    {.name = "slowest", HALO, .size = 8, .components = 4, .place = AXES},
    {.name = "within", HALO, .size = 4 * 8, .components = 4},
};
static const hx_spec spec = {.axes = AXES,
                             .tiles = 1,
                             .positions = &positions,
                             .position_classes = 1,
                             .field = fields,
                             .fields = FIELDS,
                             .shape_size = sizeof(shape),
                             .shape_stride = offsetof(shape, stride),
                             .shape_apart = offsetof(shape, apart)};

static shape make_shape(int x, int y, int z)
{
    shape made = {.part = {.n = {x, y, z}}};
    hx_dense_strides(&spec, &made.part, &made.stride[0][0], made.apart);
    return made;
}

static void expect_strides(const shape *s, int field, ptrdiff_t x, ptrdiff_t y, ptrdiff_t z, ptrdiff_t apart)
{
    assert_int_equal(s->stride[field][0], x);
    assert_int_equal(s->stride[field][1], y);
    assert_int_equal(s->stride[field][2], z);
    assert_int_equal(s->apart[field], apart);
}

static void arrays_are_dense(void **state)
{
    (void)state;
    const shape s = make_shape(2, 4, 3);
    expect_strides(&s, PLAIN, 30, 6, 1, 0);
    assert_int_equal(hx_points(&spec, &s, PLAIN), 4 * 30);
    shape without = {.part = s.part};
    hx_dense_strides(&spec, &without.part, &without.stride[0][0], NULL);
    assert_memory_equal(s.stride, without.stride, sizeof s.stride);
}

static void components_lie_where_the_spec_says(void **state)
{
    (void)state;
    const shape s = make_shape(2, 4, 3);
    expect_strides(&s, AFTER_Z, 8 * 4 * 8, 8 * 4, 1, 8);
    expect_strides(&s, SLOWEST, 30, 6, 1, 4 * 30);
    expect_strides(&s, WITHIN, 30, 6, 1, 0);
}

/* Of padding, what lies behind the last point is not counted. */
static void elements_of_all_components_are_counted(void **state)
{
    (void)state;
    const shape s = make_shape(2, 4, 3);
    assert_int_equal(hx_points(&spec, &s, AFTER_Z), 3 * 256 + 4 * 32 + 3 * 8 + 6);
    assert_int_equal(hx_points(&spec, &s, SLOWEST), 4 * 4 * 30);
    assert_int_equal(hx_points(&spec, &s, WITHIN), 4 * 4 * 30);
}

static void an_empty_part_has_no_points(void **state)
{
    (void)state;
    const shape s = make_shape(0, 0, 0);
    for (int f = 0; f < FIELDS; ++f) {
        expect_strides(&s, f, 0, 0, 0, 0);
        assert_int_equal(hx_points(&spec, &s, f), 0);
    }
    assert_int_equal(hx_points(&spec, NULL, 0), 0);
    assert_int_equal(hx_points(&spec, &s, FIELDS), 0);
}

static void what_does_not_fit_ends_at_the_largest_number(void **state)
{
    (void)state;
    const shape s = make_shape(1 << 30, 1 << 30, 1 << 30);
    assert_true(s.stride[0][0] > INT64_C(1) << 60);
    for (int f = 0; f < FIELDS; ++f) {
        assert_true(hx_points(&spec, &s, f) == PTRDIFF_MAX);
    }
}

/* Create refuses them in words; until then nobody should get a small array. */
static void negative_strides_fit_no_array(void **state)
{
    (void)state;
    const ptrdiff_t wrong[] = {-1, -1000, PTRDIFF_MIN};
    for (int i = 0; i < 3; ++i) {
        shape s = make_shape(2, 4, 3);
        s.stride[PLAIN][0] = wrong[i];
        s.apart[AFTER_Z] = wrong[i];
        assert_true(hx_points(&spec, &s, PLAIN) == PTRDIFF_MAX);
        assert_true(hx_points(&spec, &s, AFTER_Z) == PTRDIFF_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_dense),
        cmocka_unit_test(components_lie_where_the_spec_says),
        cmocka_unit_test(elements_of_all_components_are_counted),
        cmocka_unit_test(an_empty_part_has_no_points),
        cmocka_unit_test(what_does_not_fit_ends_at_the_largest_number),
        cmocka_unit_test(negative_strides_fit_no_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
