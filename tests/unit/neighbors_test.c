/*
 * Whom a rank can feed: found class by class, in a time that does not multiply with every hop.
 */
#include "grid/neighbors.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { CLASSES = 8, REACH = 40, BLOCKS = 2 };

/* A periodic line of two blocks of one cell each: a deep halo goes around it many times. */
static void many_classes_take_as_many_walks(void **state)
{
    (void)state;
    const hx_tile_link around[] = {
        {.direction = {-1}, .map = {{.sign = 1, .destination_cells = 1}}, .component = -1, .sign = 1},
        {.direction = {1}, .map = {{.sign = 1, .destination_cells = -1}}, .component = -1, .sign = 1},
    };
    hx_positions positions[CLASSES];
    for (int p = 0; p < CLASSES; ++p) {
        positions[p] = (hx_positions){.link = around, .links = 2};
    }
    const hx_spec spec = {.axes = 1, .tiles = 1, .positions = positions, .position_classes = CLASSES};
    static const int cuts[] = {0, 1, BLOCKS};
    static const int whole[] = {0, 1};
    hxi_tile tile = {
        .cells = {BLOCKS, 1, 1, 1}, .parts = {BLOCKS, 1, 1, 1}, .cuts = {cuts, whole, whole, whole}};
    const hxi_layout layout = {.axes = 1, .tiles = 1, .tile = &tile, .blocks = BLOCKS, .ranks = BLOCKS};
    hxi_block block = {.cells = {1, 1, 1, 1}};
    int sorted[] = {0};
    const hxi_block_list mine = {.block = &block, .blocks = 1, .sorted = sorted};
    hxi_neighbors found;
    assert_int_equal(hxi_neighbors_find(&spec, &layout, &mine, REACH, &found), HX_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.neighbor[0].block, 1);
    hxi_memory_free(found.neighbor);
}

/* Components of vectors lead from class to class: x below tile 0 is fed by y of tile 1, which y of tile 2
 * feeds. */
static void components_lead_to_other_classes(void **state)
{
    (void)state;
    const hx_tile_link of_x = {.tile = 0,
                               .source = 1,
                               .direction = {-1},
                               .map = {{.sign = 1, .source_cells = 1}},
                               .component = 1,
                               .sign = 1};
    const hx_tile_link of_y = {.tile = 1,
                               .source = 2,
                               .direction = {-1},
                               .map = {{.sign = 1, .source_cells = 1}},
                               .component = -1,
                               .sign = 1};
    const hx_positions positions[] = {{.link = &of_x, .links = 1}, {.link = &of_y, .links = 1}};
    static const int vector[] = {0, 1};
    const hx_field fields[] = {{.positions = 0, .vector = vector}, {.positions = 1, .vector = vector}};
    const hx_spec spec = {
        .axes = 1, .tiles = 3, .positions = positions, .position_classes = 2, .field = fields, .fields = 2};
    static const int cuts[] = {0, 1};
    hxi_tile tiles[3];
    for (int t = 0; t < 3; ++t) {
        tiles[t] = (hxi_tile){
            .cells = {1, 1, 1, 1}, .parts = {1, 1, 1, 1}, .cuts = {cuts, cuts, cuts, cuts}, .first_block = t};
    }
    const hxi_layout layout = {.axes = 1, .tiles = 3, .tile = tiles, .blocks = 3, .ranks = 3};
    hxi_block block = {.tile = 2, .cells = {1, 1, 1, 1}};
    int sorted[] = {0};
    const hxi_block_list mine = {.block = &block, .blocks = 1, .sorted = sorted};
    hxi_neighbors found;
    assert_int_equal(hxi_neighbors_find(&spec, &layout, &mine, 2, &found), HX_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.neighbor[0].tile, 0);
    assert_int_equal(found.neighbor[1].tile, 1);
    hxi_memory_free(found.neighbor);
}

/* A row of four blocks of three cells, in which cells 7 to 11 lie on 5 to 1: who has 3 to 5 feeds the last
 * block. */
static void rewritten_points_are_fed(void **state)
{
    (void)state;
    const hx_rewrite folded = {
        .link = {.map = {{.sign = -1, .source_cells = 1}}, .component = -1, .sign = 1},
        .lo = {{1, 2}},
        .hi = {{2, 0}},
    };
    const hx_positions positions = {.rewrite = &folded, .rewrites = 1};
    const hx_spec spec = {.axes = 1, .tiles = 1, .positions = &positions, .position_classes = 1};
    static const int cuts[] = {0, 3, 6, 9, 12};
    static const int whole[] = {0, 1};
    hxi_tile tile = {.cells = {12, 1, 1, 1}, .parts = {4, 1, 1, 1}, .cuts = {cuts, whole, whole, whole}};
    const hxi_layout layout = {.axes = 1, .tiles = 1, .tile = &tile, .blocks = 4, .ranks = 4};
    hxi_block block = {.number = 1, .cells = {3, 1, 1, 1}};
    int sorted[] = {0};
    const hxi_block_list mine = {.block = &block, .blocks = 1, .sorted = sorted};
    hxi_neighbors found;
    assert_int_equal(hxi_neighbors_find(&spec, &layout, &mine, 1, &found), HX_OK);
    assert_int_equal(found.count, 3);
    assert_int_equal(found.neighbor[2].block, 3);
    hxi_memory_free(found.neighbor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_classes_take_as_many_walks),
        cmocka_unit_test(components_lead_to_other_classes),
        cmocka_unit_test(rewritten_points_are_fed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
