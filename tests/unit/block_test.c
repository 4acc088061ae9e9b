/*
 * Blocks: strides that make elements of a field share a place are refused, with both numbers and the place in
 * the spec; regions start at the component asked for, and those of ghost points in their plane, if there is
 * one.
 */
#include "grid/block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 2, COMPONENTS = 3 };

typedef struct shape {
    hx_part part;
    ptrdiff_t stride[1][AXES];
    ptrdiff_t apart[1];
} shape;

/* 6 points along x and 5 along y, halo included. */
static hx_field field;
static const hx_positions positions = {.links = 0};
static const hx_spec spec = {.abi = HX_ABI,
                             .name = "s",
                             .file = "s.lua",
                             .axes = AXES,
                             .axis = {"x", "y"},
                             .decomposed = {1, 1},
                             .tiles = 1,
                             .positions = &positions,
                             .position_classes = 1,
                             .field = &field,
                             .fields = 1,
                             .shape_size = sizeof(shape),
                             .shape_stride = offsetof(shape, stride),
                             .shape_apart = offsetof(shape, apart)};
static hxi_layout layout;
static hxi_block_list list;
static shape s;

/* The components lie behind so many axes; strides are dense. */
static void set_field(int place)
{
    field = (hx_field){.name = "f",
                       .line = 7,
                       .size = 8,
                       .alignment = 8,
                       .order = {0, 1},
                       .halo_lo = {1, 0},
                       .halo_hi = {1, 1},
                       .components = COMPONENTS,
                       .components_after = place};
    field.size *= place == 0 ? COMPONENTS : 1;
    memset(&s, 0, sizeof s);
    s.part = (hx_part){.partition = {.axes = AXES, .cells = {4, 4}, .ranks = {1, 1}}, .n = {4, 4}};
    hx_dense_strides(&spec, &s.part, s.stride[0], s.apart);
}

static hx_status take(void)
{
    const hx_blocks blocks = {.tiles = 1, .partition = &s.part.partition, .count = 1};
    hxi_layout_free(&layout);
    hxi_blocks_free(&list);
    const int ranks = s.part.partition.ranks[0] * s.part.partition.ranks[1];
    assert_int_equal(hxi_layout_make(&spec, &blocks, ranks, &layout), HX_OK);
    return hxi_blocks_make(&spec, &layout, 0, 1, &s, &list);
}

static void expect_refusal(const char *part)
{
    assert_int_equal(take(), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(), "f (s.lua:7) of block 0"));
    if (!strstr(hx_last_error(), part)) {
        fail_msg("no \"%s\" in \"%s\"", part, hx_last_error());
    }
}

static void components_may_lie_anywhere(void **state)
{
    (void)state;
    for (int place = 0; place <= AXES; ++place) {
        set_field(place);
        assert_int_equal(take(), HX_OK);
    }
}

static void components_do_not_overlap(void **state)
{
    (void)state;
    set_field(AXES);
    s.apart[0] = 6 * 5 - 1;
    expect_refusal(
        "a stride of 29 along its components; it must be at least 30, since 5 points along axis y, a "
        "stride of 6 apart, come first");
    s.apart[0] = 6 * 5 + 1;
    assert_int_equal(take(), HX_OK);
    set_field(1);
    s.apart[0] = 5;
    expect_refusal("a stride of 5 along its components; it must be at least 6, since 6 points along axis x");
    set_field(1);
    s.stride[0][1] = 17;
    expect_refusal(
        "a stride of 17 along axis y; it must be at least 18, since 3 components, a stride of 6 apart");
}

/* Three side by side: strides count elements, and who counts points is told. */
static void strides_count_elements(void **state)
{
    (void)state;
    static const int first[] = {2, 1, 0, 0};
    static const int n[] = {2, 3, 1, 1};
    set_field(0);
    assert_int_equal(s.stride[0][0], 3);
    assert_int_equal(s.stride[0][1], 3 * 6);
    s.stride[0][1] = 3 * 7;
    assert_int_equal(hx_points(&spec, &s, 0), 3 * (7 * 4 + 6));
    assert_int_equal(take(), HX_OK);
    const hx_region region =
        hxi_block_region(&spec, &list.block[0], 0, 0, &(hxi_subbox){first, n, NULL, NULL});
    assert_int_equal(region.at, 3 + 7 * 1); /* points, of 24 bytes */
    assert_int_equal(region.stride[0], 1);
    assert_int_equal(region.stride[1], 7);
    assert_int_equal(hxi_block_bytes(&spec, &list.block[0], 0), 8 * 3 * (7 * 4 + 6));

    s.stride[0][1] = 3 * 7 - 1;
    expect_refusal(
        "a stride of 20 along axis y; strides count elements, and it must be a multiple of 3, since");
    s.stride[0][1] = 3 * 6 - 3;
    expect_refusal("a stride of 15 along axis y; it must be at least 18, since 6 points along axis x, a "
                   "stride of 3 apart, come first");
    s.stride[0][0] = 1;
    s.stride[0][1] = 6;
    assert_int_equal(take(), HX_ERR_ARGUMENT);
    assert_string_equal(
        hx_last_error(),
        "x is the fastest axis of field f (s.lua:7), whose 3 components lie side by side, so its stride in "
        "block 0 must be 3, not 1: strides count elements, not points; s_shape_dense sets the strides, and "
        "order = ... in the spec changes the memory order.");
}

static void literal_strides_are_kept(void **state)
{
    (void)state;
    set_field(AXES);
    field.fixed_stride[1] = 6;
    assert_int_equal(take(), HX_OK);
    s.stride[0][1] = 7;
    expect_refusal("a stride of 7 along axis y; the emitted code counts on 6");
}

static void regions_start_at_their_component(void **state)
{
    (void)state;
    static const int first[] = {-1, 2, 0, 0};
    static const int n[] = {1, 2, 1, 1};
    set_field(1);
    assert_int_equal(take(), HX_OK);
    const hx_region region =
        hxi_block_region(&spec, &list.block[0], 0, 2, &(hxi_subbox){first, n, NULL, NULL});
    assert_int_equal(region.at, 2 * 6 + 2 * 18);
    assert_int_equal(region.stride[1], 18);
}

/* The left one of two blocks of 4 x 4 points has a plane above x, 1 x 4 points, and none below. */
static void ghost_points_behind_lie_in_their_plane(void **state)
{
    (void)state;
    static const int first[] = {4, 1, 0, 0};
    static const int n[] = {1, 2, 1, 1};
    set_field(0);
    field.behind = 1;
    field.size = COMPONENTS * 8;
    s.part.partition = (hx_partition){.axes = AXES, .cells = {8, 4}, .ranks = {2, 1}};
    hx_dense_strides(&spec, &s.part, s.stride[0], s.apart);
    assert_int_equal(take(), HX_OK);
    const hx_region region =
        hxi_block_region(&spec, &list.block[0], 0, 0, &(hxi_subbox){first, n, NULL, NULL});
    assert_int_equal(region.at, 4 * 4 + 1);
    assert_int_equal(region.stride[1], 1);
    assert_true(hxi_block_is_run(&spec, 0, &region));
    assert_int_equal(hxi_block_bytes(&spec, &list.block[0], 0), (4 * 4 + 4) * COMPONENTS * 8);
}

/* Its arrays would have no room for the plane. */
static void parts_of_another_partition_are_refused_where_planes_depend_on_it(void **state)
{
    (void)state;
    set_field(0);
    field.behind = 1;
    s.part.partition = (hx_partition){.axes = AXES, .cells = {8, 4}, .ranks = {2, 1}};
    hx_dense_strides(&spec, &s.part, s.stride[0], s.apart);
    const hx_blocks blocks = {.tiles = 1, .partition = &s.part.partition, .count = 1};
    hxi_layout_free(&layout);
    hxi_blocks_free(&list);
    assert_int_equal(hxi_layout_make(&spec, &blocks, 2, &layout), HX_OK);
    s.part.partition.ranks[0] = 1;
    assert_int_equal(hxi_blocks_make(&spec, &layout, 0, 1, &s, &list), HX_ERR_PARTITION);
    assert_non_null(strstr(hx_last_error(), "other neighbors than the block has"));
}

static int release(void **state)
{
    (void)state;
    hxi_layout_free(&layout);
    hxi_blocks_free(&list);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_may_lie_anywhere),
        cmocka_unit_test(components_do_not_overlap),
        cmocka_unit_test(strides_count_elements),
        cmocka_unit_test(literal_strides_are_kept),
        cmocka_unit_test(regions_start_at_their_component),
        cmocka_unit_test(ghost_points_behind_lie_in_their_plane),
        cmocka_unit_test(parts_of_another_partition_are_refused_where_planes_depend_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
