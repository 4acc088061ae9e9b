/*
 * Shapes: dense strides, those that spread over a cache, the points to allocate, where planes of ghost points
 * lie behind the owned ones, and what becomes of parts that are empty or too large.
 */
#include <hx/abi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 3, PLAIN = 0, AFTER_Z, SLOWEST, WITHIN, BEHIND, FIELDS };

typedef struct shape {
    hx_part part;
    ptrdiff_t stride[FIELDS][AXES];
    ptrdiff_t apart[FIELDS];
} shape;

#define HALO .order = {2, 1, 0}, .halo_lo = {1, 0, 2}, .halo_hi = {1, 0, 1}, .alignment = 8

static const hx_positions positions = {.extra = {0, 1, 0}};
static const hx_field fields[FIELDS] = {
    {.name = "plain", HALO, .size = 8},
    {.name = "after z", HALO, .size = 8, .components = 4, .components_after = 1, .padding = {7, 3, 2}},
    {.name = "slowest", HALO, .size = 8, .components = 4, .components_after = AXES},
    {.name = "within", HALO, .size = 4 * 8, .components = 4},
    {.name = "behind", HALO, .size = 2 * 8, .components = 2, .behind = 1},
};
static const hx_spec spec = {.abi = HX_ABI,
                             .axes = AXES,
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
    expect_strides(&s, WITHIN, 4 * 30, 4 * 6, 4, 0); /* elements, as everywhere */
}

/* Padding counts also where nothing lies behind it. */
static void elements_of_all_components_are_counted(void **state)
{
    (void)state;
    const shape s = make_shape(2, 4, 3);
    assert_int_equal(hx_points(&spec, &s, AFTER_Z), (4 + 7) * (5 + 3) * 4 * (6 + 2));
    assert_int_equal(hx_points(&spec, &s, SLOWEST), 4 * 4 * 30);
    assert_int_equal(hx_points(&spec, &s, WITHIN), 4 * 4 * 30);
}

/* Of 2 x 5 x 3 points in rows along z: the planes across x have 15, those across z 10 and a depth. */
static void planes_follow_the_owned_points(void **state)
{
    (void)state;
    static const struct {
        int index[AXES];
        ptrdiff_t plane[AXES][2]; /* in points */
        ptrdiff_t points;
    } cases[] = {
        {{1, 1, 1}, {{30, 45}, {-1, -1}, {60, 80}}, 90}, /* no halo along y */
        {{0, 0, 0}, {{-1, 30}, {-1, -1}, {-1, 45}}, 55},
        {{2, 1, 0}, {{30, -1}, {-1, -1}, {-1, 45}}, 55},
        {{1, 2, 2}, {{30, 45}, {-1, -1}, {60, -1}}, 80},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        shape s = make_shape(2, 4, 3);
        s.part.partition = (hx_partition){.axes = AXES, .ranks = {3, 3, 3}};
        memcpy(s.part.index, cases[i].index, sizeof cases[i].index);
        expect_strides(&s, BEHIND, 2 * 15, 2 * 3, 2, 0);
        assert_int_equal(hx_points(&spec, &s, BEHIND), 2 * cases[i].points);
        for (int k = 0; k < 2 * AXES; ++k) {
            const ptrdiff_t plane = cases[i].plane[k / 2][k % 2];
            assert_int_equal(hx_plane(&spec, &s, BEHIND, k / 2, k % 2), plane < 0 ? -1 : 2 * plane);
            assert_int_equal(hx_plane(&spec, &s, PLAIN, k / 2, k % 2), -1);
        }
    }
}

static void planes_begin_behind_the_last_point_wherever_that_is(void **state)
{
    (void)state;
    shape s = make_shape(2, 4, 3);
    s.part.partition = (hx_partition){.axes = AXES, .ranks = {2, 1, 1}};
    s.stride[BEHIND][0] = 2 * 20;
    assert_int_equal(hx_plane(&spec, &s, BEHIND, 0, 1), 2 * (20 + 15));
    assert_int_equal(hx_points(&spec, &s, BEHIND), 2 * (20 + 15 + 15));
}

static void what_is_no_side_has_no_plane(void **state)
{
    (void)state;
    shape s = make_shape(2, 4, 3);
    s.part.partition = (hx_partition){.axes = AXES, .ranks = {2, 2, 2}};
    assert_int_equal(hx_plane(&spec, &s, BEHIND, AXES, 0), -1);
    assert_int_equal(hx_plane(&spec, &s, BEHIND, -1, 0), -1);
    assert_int_equal(hx_plane(&spec, &s, BEHIND, 0, 2), -1);
    assert_int_equal(hx_plane(&spec, &s, BEHIND, 0, -1), -1);
    assert_int_equal(hx_plane(&spec, &s, FIELDS, 0, 1), -1);
    assert_int_equal(hx_plane(&spec, NULL, BEHIND, 0, 1), -1);
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

/* ---- strides that caches like -------------------------------------------------------------------------- */

enum { DOUBLES = 0, BYTES, TRIPLES, APART, OUTERMOST, PAGES, TOGETHER, LITERAL, MIXED, KINDS };

typedef struct best_shape {
    hx_part part;
    ptrdiff_t stride[KINDS][AXES];
    ptrdiff_t apart[KINDS];
} best_shape;

#define ROWS .order = {0, 1, 2}, .halo_lo = {1, 1, 1}, .halo_hi = {1, 1, 1}

static const hx_field kinds[KINDS] = {
    {.name = "doubles", ROWS, .size = 8},
    {.name = "bytes", ROWS, .size = 1, .padding = {2, 0, 0}},
    {.name = "triples", ROWS, .size = 24},
    {.name = "apart", ROWS, .size = 4, .components = 4, .components_after = 1},
    {.name = "outermost", ROWS, .size = 8, .components = 3, .components_after = AXES},
    {.name = "pages", ROWS, .size = 1024},
    {.name = "within", ROWS, .size = 3 * 8, .components = 3},
    {.name = "literal", ROWS, .size = 8, .fixed_stride = {0, 64, 64 * 64}},
    {.name = "mixed",
     ROWS,
     .size = 8,
     .components = 2,
     .components_after = 1,
     .fixed_stride = {0, 2 * 64, 0}},
};
static const hx_positions centers = {.extra = {0}};
static const hx_spec spread = {.abi = HX_ABI,
                               .axes = AXES,
                               .tiles = 1,
                               .positions = &centers,
                               .position_classes = 1,
                               .field = kinds,
                               .fields = KINDS,
                               .shape_size = sizeof(best_shape),
                               .shape_stride = offsetof(best_shape, stride),
                               .shape_apart = offsetof(best_shape, apart)};

static best_shape best_of(int x, int y, int z)
{
    best_shape made = {.part = {.n = {x, y, z}}};
    hx_best_strides(&spread, &made.part, &made.stride[0][0], made.apart);
    return made;
}

static void rows_of_512_bytes_are_a_line_longer(void **state)
{
    (void)state;
    const best_shape s = best_of(62, 6, 3);
    assert_int_equal(s.stride[DOUBLES][0], 1);
    assert_int_equal(s.stride[DOUBLES][1], 64 + 8);
    assert_int_equal(s.stride[DOUBLES][2], 8 * (64 + 8) + 8); /* rows of 9 lines, and 8 of them */
    assert_int_equal(s.stride[TRIPLES][1], 64 + 3);           /* 3 points of 24 bytes reach over a line */
    assert_int_equal(s.stride[PAGES][1], 64);                 /* nothing helps */
    assert_int_equal(s.stride[TOGETHER][0], 3);               /* elements */
    assert_int_equal(s.stride[TOGETHER][1], 3 * (64 + 3));
    assert_int_equal(s.apart[APART], 64); /* 256 bytes */
    assert_int_equal(s.stride[APART][1], 4 * 64 + 16);
    assert_int_equal(s.apart[OUTERMOST], 5 * (8 * (64 + 8) + 8));
}

static void literals_stay(void **state)
{
    (void)state;
    const best_shape s = best_of(62, 62, 62);
    assert_int_equal(s.stride[LITERAL][1], 64);
    assert_int_equal(s.stride[LITERAL][2], 64 * 64);
    assert_int_equal(s.apart[MIXED], 64);
    assert_int_equal(s.stride[MIXED][1], 2 * 64);
    assert_int_equal(s.stride[MIXED][2], 2 * 64 * 64 + 8); /* is no literal */
}

/* A pitch against the dense one: at most a line larger than what comes before it takes. */
static void expect_pitch(const hx_field *field, ptrdiff_t pitch, ptrdiff_t needed)
{
    const ptrdiff_t bytes = pitch * field->size;
    assert_true(bytes % 512 != 0);
    assert_true(pitch >= needed && (pitch - needed) * field->size < 64 + field->size);
    if (needed * field->size % 512 != 0) {
        assert_int_equal(pitch, needed);
    } else if (64 % field->size == 0) {
        assert_int_equal(bytes % 64, 0);
    }
}

static void no_pitch_is_a_multiple_of_512_bytes(void **state)
{
    (void)state;
    static const int extents[] = {1, 2, 6, 14, 30, 31, 62, 63, 126, 510, 1022};
    enum { EXTENTS = sizeof extents / sizeof *extents };
    for (int i = 0; i < EXTENTS * EXTENTS * EXTENTS; ++i) {
        const int n[AXES] = {extents[i % EXTENTS], extents[i / EXTENTS % EXTENTS],
                             extents[i / EXTENTS / EXTENTS]};
        const best_shape s = best_of(n[0], n[1], n[2]);
        for (int f = DOUBLES; f <= OUTERMOST; ++f) {
            ptrdiff_t needed = 1;
            for (int a = 0; a < AXES; ++a) {
                if (a > 0) {
                    expect_pitch(&kinds[f], s.stride[f][a], needed);
                }
                needed = s.stride[f][a] * (n[a] + 2 + kinds[f].padding[a]);
                if (kinds[f].components_after == a + 1) {
                    expect_pitch(&kinds[f], s.apart[f], needed);
                    needed = s.apart[f] * kinds[f].components;
                }
            }
        }
    }
}

static void best_strides_of_nothing_and_of_too_much(void **state)
{
    (void)state;
    const best_shape none = best_of(0, 4, 4);
    const best_shape all = best_of(INT32_MAX, INT32_MAX, INT32_MAX);
    for (int f = 0; f < KINDS; ++f) {
        assert_int_equal(none.stride[f][0], 0);
        assert_int_equal(none.stride[f][2], 0);
        assert_int_equal(hx_points(&spread, &none, f), 0);
        assert_true(hx_points(&spread, &all, f) == PTRDIFF_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_dense),
        cmocka_unit_test(components_lie_where_the_spec_says),
        cmocka_unit_test(elements_of_all_components_are_counted),
        cmocka_unit_test(planes_follow_the_owned_points),
        cmocka_unit_test(planes_begin_behind_the_last_point_wherever_that_is),
        cmocka_unit_test(what_is_no_side_has_no_plane),
        cmocka_unit_test(an_empty_part_has_no_points),
        cmocka_unit_test(what_does_not_fit_ends_at_the_largest_number),
        cmocka_unit_test(negative_strides_fit_no_array),
        cmocka_unit_test(rows_of_512_bytes_are_a_line_longer),
        cmocka_unit_test(literals_stay),
        cmocka_unit_test(no_pitch_is_a_multiple_of_512_bytes),
        cmocka_unit_test(best_strides_of_nothing_and_of_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
