/*
 * Boxes and maps: what holds for a box holds for each of its points.
 */
#include "grid/box.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static unsigned seed;

/* lo <= number < hi */
static int draw(int lo, int hi)
{
    seed = seed * 1103515245U + 12345U;
    return lo + (int)(seed >> 8 & 0xffff) % (hi - lo);
}

static hxi_box draw_box(void)
{
    hxi_box box;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        box.lo[a] = draw(-4, 5);
        box.hi[a] = box.lo[a] + draw(0, 4);
    }
    return box;
}

static hxi_map draw_map(void)
{
    hxi_map map = hxi_map_identity();
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int other = draw(0, HX_MAX_AXES);
        const int axis = map.axis[a];
        map.axis[a] = map.axis[other];
        map.axis[other] = axis;
        map.turn[a] = draw(0, 2) ? 1 : -1;
        map.offset[a] = draw(-9, 10);
    }
    return map;
}

static int has(const hxi_box *box, const int point[])
{
    int inside = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        inside = inside && box->lo[a] <= point[a] && point[a] < box->hi[a];
    }
    return inside;
}

/* The next point of [-6, 10)^4; 0 after the last. */
static int next(int point[])
{
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (++point[a] < 10) {
            return 1;
        }
        point[a] = -6;
    }
    return 0;
}

static void boxes_agree_with_their_points(void **state)
{
    (void)state;
    for (int round = 0; round < 60; ++round) {
        const hxi_box a = draw_box();
        const hxi_box b = draw_box();
        const hxi_box both = hxi_box_intersect(&a, &b);
        size_t volume = 0;
        size_t common = 0;
        int point[HX_MAX_AXES] = {-6, -6, -6, -6};
        do {
            volume += has(&a, point) ? 1U : 0U;
            common += has(&a, point) && has(&b, point) ? 1U : 0U;
            assert_int_equal(has(&both, point), has(&a, point) && has(&b, point));
        } while (next(point));
        assert_int_equal(hxi_box_volume(&a), volume);
        assert_int_equal(hxi_box_volume(&both), common);
        assert_int_equal(hxi_box_empty(&a), volume == 0);
    }
}

static void parts_of_all_directions_make_up_a_box(void **state)
{
    (void)state;
    for (int round = 0; round < 60; ++round) {
        const hxi_box box = draw_box();
        const int n[HX_MAX_AXES] = {draw(1, 5), draw(1, 5), draw(1, 5), draw(1, 5)};
        size_t volume = 0;
        for (int d = 0; d < 81; ++d) {
            const signed char direction[HX_MAX_AXES] = {
                (signed char)(d % 3 - 1), (signed char)(d / 3 % 3 - 1), (signed char)(d / 9 % 3 - 1),
                (signed char)(d / 27 - 1)};
            const hxi_box part = hxi_box_part(&box, n, direction);
            volume += hxi_box_volume(&part);
            for (int a = 0; a < HX_MAX_AXES && !hxi_box_empty(&part); ++a) {
                assert_true(direction[a] >= 0 || part.hi[a] <= 0);
                assert_true(direction[a] <= 0 || part.lo[a] >= n[a]);
                assert_true(direction[a] != 0 || (part.lo[a] >= 0 && part.hi[a] <= n[a]));
            }
        }
        assert_int_equal(volume, hxi_box_volume(&box));
    }
}

static void maps_move_boxes_as_they_move_points(void **state)
{
    (void)state;
    for (int round = 0; round < 200; ++round) {
        const hxi_map map = draw_map();
        hxi_box box = draw_box();
        box.hi[0] += box.hi[0] == box.lo[0];
        if (hxi_box_empty(&box)) {
            continue;
        }
        const hxi_box image = hxi_map_box(&map, &box);
        const hxi_box back = hxi_map_box_back(&map, &image);
        int first[HX_MAX_AXES];
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            first[a] = hxi_map_index(&map, a, box.lo);
            assert_int_equal(back.lo[a], box.lo[a]);
            assert_int_equal(back.hi[a], box.hi[a]);
        }
        assert_true(has(&image, first));
        assert_int_equal(hxi_box_volume(&image), hxi_box_volume(&box));
    }
}

static void composed_maps_do_one_after_the_other(void **state)
{
    (void)state;
    for (int round = 0; round < 200; ++round) {
        const hxi_map inner = draw_map();
        const hxi_map outer = draw_map();
        const hxi_map both = hxi_map_compose(&outer, &inner);
        const int point[HX_MAX_AXES] = {draw(-9, 9), draw(-9, 9), draw(-9, 9), draw(-9, 9)};
        int middle[HX_MAX_AXES];
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            middle[a] = hxi_map_index(&inner, a, point);
        }
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            assert_int_equal(hxi_map_index(&both, a, point), hxi_map_index(&outer, a, middle));
        }
    }
}

/* Links that wrap, turn around a fold or join tiles: no number on the way is more than an int has. */
static void tiles_of_the_most_cells_have_right_maps(void **state)
{
    (void)state;
    const int cells[HX_MAX_AXES] = {HX_MAX_CELLS, HX_MAX_CELLS, 1, 1};
    const hx_tile_link fold = {
        .map = {{.axis = 0, .sign = -1, .source_cells = 1, .offset = -1},
                {.axis = 1, .sign = -1, .destination_cells = 1, .source_cells = 1, .offset = -1}}};
    const hxi_map around = hxi_map_of_link(&fold, 2, cells, cells);
    const int64_t n = HX_MAX_CELLS;
    const hxi_box beyond = {{-64, HX_MAX_CELLS, 0, 0}, {HX_MAX_CELLS + 64, HX_MAX_CELLS + 64, 1, 1}};
    const hxi_box within = hxi_map_box(&around, &beyond);
    assert_true(within.lo[0] == -64 && within.hi[0] == n + 64);
    assert_true(within.lo[1] == n - 64 && within.hi[1] == n);
    const hxi_box back = hxi_map_box_back(&around, &within);
    assert_memory_equal(&back, &beyond, sizeof back);
    const hx_tile_link wrap = {.map = {{.axis = 0, .sign = 1, .source_cells = 1}, {.axis = 1, .sign = 1}}};
    const hxi_map once = hxi_map_of_link(&wrap, 2, cells, cells);
    const hxi_map both = hxi_map_compose(&once, &around);
    assert_true(both.offset[0] == 2 * n - 1 && both.offset[1] == 2 * n - 1);
    const hx_rewrite row = {.lo = {{1, 0}, {2, -1}}, .hi = {{2, 3}, {2, 0}}};
    const hxi_box rewritten = hxi_box_of_rewrite(&row, 2, cells);
    assert_true(rewritten.lo[0] == n / 2 && rewritten.hi[0] == n + 1);
    assert_true(rewritten.lo[1] == n - 1 && rewritten.hi[1] == n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_agree_with_their_points),
        cmocka_unit_test(parts_of_all_directions_make_up_a_box),
        cmocka_unit_test(maps_move_boxes_as_they_move_points),
        cmocka_unit_test(composed_maps_do_one_after_the_other),
        cmocka_unit_test(tiles_of_the_most_cells_have_right_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
