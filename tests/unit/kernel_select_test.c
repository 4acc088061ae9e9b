/*
 * Which kernels segments get: the two sides of a halo go in pairs, but only where one set of strides serves
 * both.
 */
#include "pack/ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { AXES = 3, CELLS = 4, HALO = 1 };

static void pack_pair(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                      void *hi_buffer)
{
    fail_msg("no kernel runs here: %p %p %p %p %p", field, (const void *)lo, (const void *)hi, lo_buffer,
             hi_buffer);
}

static void copy_pair(void *to_field, const hx_region *to_lo, const hx_region *to_hi, const void *from_field,
                      const hx_region *from_lo, const hx_region *from_hi)
{
    fail_msg("no kernel runs here: %p %p %p %p %p %p", to_field, (const void *)to_lo, (const void *)to_hi,
             from_field, (const void *)from_lo, (const void *)from_hi);
}

static void copy_turned(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                        int sign)
{
    fail_msg("no kernel runs here: %p %p %p %p %d", to_field, (const void *)to, from_field,
             (const void *)from, sign);
}

static const hx_pair pair = {.lo = HALO, .hi = HALO, .pack = pack_pair, .copy = copy_pair};
static const hx_kernels kernels = {.pair = &pair, .copy_turned = copy_turned};
static const hx_positions positions = {.links = 0};
static const hx_field field = {.name = "t",
                               .size = 8,
                               .alignment = 8,
                               .order = {0, 1, 2, 3},
                               .halo_lo = {HALO, HALO, HALO},
                               .halo_hi = {HALO, HALO, HALO}};
static const hx_exchange_field item = {.width_lo = {HALO}, .width_hi = {HALO}, .kernels = &kernels};
static const hx_exchange exchange = {.name = "t", .field = &item, .fields = 1};
static const hx_spec spec = {.axes = AXES,
                             .tiles = 1,
                             .positions = &positions,
                             .position_classes = 1,
                             .field = &field,
                             .fields = 1,
                             .exchange = &exchange,
                             .exchanges = 1};

/* The whole halo on one side of x, from the layer on the other side of the block; turned: y and z change
 * places. */
static hxi_segment side(int direction, int turned, hxi_segment_kind kind)
{
    hxi_segment s = {.kind = kind, .to = kind == HX_WITHIN ? 0 : -1};
    hx_link *l = &s.link;
    l->direction[0] = direction;
    l->lo[0] = direction < 0 ? -HALO : CELLS;
    l->hi[0] = l->lo[0] + HALO;
    l->source_first[0] = direction < 0 ? CELLS - HALO : 0;
    l->sign = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        l->hi[a] = a == 0 ? l->hi[a] : a < AXES ? CELLS : 1;
        l->axis[a] = turned && (a == 1 || a == 2) ? 3 - a : a;
        l->turn[a] = 1;
    }
    return s;
}

/* Pairs among a low side, turned or not, and a high side that is not. */
static int count_pairs(int turned, hxi_segment_kind kind)
{
    ptrdiff_t stride[HX_MAX_AXES] = {1, CELLS + 2 * HALO, (CELLS + 2 * HALO) * (CELLS + 2 * HALO)};
    hxi_block block = {.cells = {CELLS, CELLS, CELLS, 1}, .stride = stride};
    const hxi_block_list mine = {.block = &block, .blocks = 1};
    hxi_segment both[] = {side(-1, turned, kind), side(1, 0, kind)};
    const hxi_segments segments = {both, 2, 2};
    const int slot_of[] = {0};
    const int message_of[] = {0, 0};
    hxi_ops ops;
    const hxi_work work = {&spec, &exchange, &mine, &segments, slot_of, 1, message_of, HX_PHASE, false, NULL};
    assert_int_equal(hxi_ops_make(&work, &ops), HX_OK);
    const int pairs = kind == HX_WITHIN ? ops.copying.pairs : ops.packing.pairs;
    hxi_ops_free(&ops);
    return pairs;
}

static void sides_that_lie_alike_go_in_pairs(void **state)
{
    (void)state;
    assert_int_equal(count_pairs(0, HX_WITHIN), 1);
    assert_int_equal(count_pairs(0, HX_SENT), 1);
}

static void a_side_with_axes_exchanged_goes_alone(void **state)
{
    (void)state;
    assert_int_equal(count_pairs(1, HX_WITHIN), 0);
    assert_int_equal(count_pairs(1, HX_SENT), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_that_lie_alike_go_in_pairs),
        cmocka_unit_test(a_side_with_axes_exchanged_goes_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
