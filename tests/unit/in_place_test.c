/*
 * Which segments travel in messages of their own, and where those that need no buffer are.
 *
 * Compiled with HX_IN_PLACE_SHORTEST as 64.
 */
#include "transport/in_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { AXES = 3, CELLS = 4, HALO = 1, ROW = CELLS + 2 * HALO, SIZE = 8, MOST = 1 << 20 };

/* A block of 4 x 4 x 4 cells, dense, and the plane of its halo below z, rows and columns whole. */
typedef struct setting {
    hx_field field;
    hx_positions positions;
    hx_exchange_field item;
    hx_exchange exchange;
    hx_spec spec;
    int cuts[2];
    hxi_tile tile;
    hxi_layout layout;
    ptrdiff_t stride[HX_MAX_AXES];
    ptrdiff_t apart;
    hxi_block block;
    hxi_block_list mine;
    hxi_segment segment;
} setting;

static void set_box(setting *s, const int lo[], const int n[])
{
    hx_link *l = &s->segment.link;
    s->segment.bytes = SIZE;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        l->lo[a] = a < AXES ? lo[a] : 0;
        l->hi[a] = l->lo[a] + (a < AXES ? n[a] : 1);
        l->source_first[a] = l->lo[a];
        s->segment.bytes *= (size_t)(l->hi[a] - l->lo[a]);
    }
}

/* Pointers into itself: it stays where it is. */
static void prepare(setting *s, hxi_segment_kind kind)
{
    *s = (setting){0};
    s->field = (hx_field){.size = SIZE,
                          .alignment = SIZE,
                          .order = {0, 1, 2, 3},
                          .halo_lo = {HALO, HALO, HALO},
                          .halo_hi = {HALO, HALO, HALO}};
    s->exchange = (hx_exchange){.field = &s->item, .fields = 1};
    s->spec = (hx_spec){.axes = AXES,
                        .exchange = &s->exchange,
                        .exchanges = 1,
                        .tiles = 1,
                        .positions = &s->positions,
                        .position_classes = 1,
                        .field = &s->field,
                        .fields = 1};
    s->cuts[1] = CELLS;
    static const int outside[] = {0, 1};
    s->tile = (hxi_tile){.cells = {CELLS, CELLS, CELLS, 1},
                         .parts = {1, 1, 1, 1},
                         .cuts = {s->cuts, s->cuts, s->cuts, outside}};
    s->layout = (hxi_layout){.axes = AXES, .tiles = 1, .tile = &s->tile, .blocks = 1, .ranks = 1};
    s->stride[0] = 1;
    s->stride[1] = ROW;
    s->stride[2] = ROW * ROW;
    s->block = (hxi_block){.cells = {CELLS, CELLS, CELLS, 1}, .stride = s->stride, .apart = &s->apart};
    s->mine = (hxi_block_list){.block = &s->block, .blocks = 1};
    s->segment = (hxi_segment){.kind = kind,
                               .to = kind == HX_SENT ? -1 : 0,
                               .from = kind == HX_RECEIVED ? -1 : 0,
                               .link = {.sign = 1}};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s->segment.link.axis[a] = a;
        s->segment.link.turn[a] = 1;
    }
    set_box(s, (int[]){-HALO, -HALO, -HALO}, (int[]){ROW, ROW, HALO});
}

static const hxi_segment *mark(setting *s, size_t most)
{
    hxi_segments segments = {&s->segment, 1, 1};
    const hxi_transport carrier = {.in_place = most};
    const hxi_routes routes = {.transport = {&carrier}, .transports = 1};
    hxi_in_place_mark(&s->spec, &s->layout, &s->mine, &routes, &segments);
    return &s->segment;
}

static bool goes_alone(setting *s)
{
    return mark(s, MOST)->alone;
}

static void whole_planes_are_where_they_are(void **state)
{
    (void)state;
    setting s;
    for (int sent = 0; sent < 2; ++sent) {
        prepare(&s, sent ? HX_SENT : HX_RECEIVED);
        set_box(&s, (int[]){-HALO, -HALO, 1}, (int[]){ROW, ROW, 2});
        const hxi_segment *segment = mark(&s, MOST);
        assert_true(segment->alone && segment->in_place);
        assert_int_equal(segment->at, (size_t)SIZE * 2 * ROW * ROW);
    }
}

/* Along the last axis that it extends along a run may be short, and only there. */
static void runs_take_all_along_the_axes_before_the_last(void **state)
{
    (void)state;
    static const struct {
        int lo[AXES];
        int n[AXES];
        bool alone;
    } boxes[] = {
        {{-HALO, -HALO, 0}, {ROW, ROW, 3}, true},   {{-HALO, 0, 0}, {ROW, 2, 1}, true},
        {{-HALO, 0, 0}, {ROW, CELLS, 2}, false},    {{0, -HALO, 0}, {CELLS, ROW, 1}, false},
        {{-HALO, 0, 0}, {ROW - HALO, 2, 1}, false}, {{0, 0, 0}, {ROW - HALO, 2, 1}, false},
        {{0, -HALO, 0}, {1, ROW, 2}, false},        {{0, 0, -HALO}, {2, 1, ROW}, false},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; ++i) {
        setting s;
        prepare(&s, HX_RECEIVED);
        set_box(&s, boxes[i].lo, boxes[i].n);
        s.segment.bytes = MOST; /* long enough, whatever the box */
        if (goes_alone(&s) != boxes[i].alone) {
            fail_msg("box %zu is taken for %s", i, boxes[i].alone ? "no run" : "a run");
        }
    }
}

/* Also where an axis between has one point, which is all of it. */
static void what_begins_with_a_part_of_a_row_ends_there(void **state)
{
    (void)state;
    static const int one_cell[] = {0, 1};
    setting s;
    prepare(&s, HX_RECEIVED);
    s.tile.cuts[1] = one_cell;
    s.field.halo_lo[1] = s.field.halo_hi[1] = 0;
    set_box(&s, (int[]){0, 0, 0}, (int[]){2, 1, 2});
    s.segment.bytes = MOST;
    assert_false(goes_alone(&s));
}

/* Rows are as long as the padding along the fastest axis makes them, planes likewise. */
static void padding_parts_rows_and_planes(void **state)
{
    (void)state;
    for (int axis = 0; axis < AXES; ++axis) {
        setting s;
        prepare(&s, HX_RECEIVED);
        set_box(&s, (int[]){-HALO, -HALO, 1}, (int[]){ROW, ROW, 2});
        s.field.padding[axis] = 1;
        assert_int_equal(goes_alone(&s), axis == 2); /* padding there lies behind everything */
    }
}

/* A plane behind the owned points is one run, whatever axis it lies across; what another rank owns is one
 * only across z. */
static void whole_planes_behind_are_runs(void **state)
{
    (void)state;
    for (int axis = 0; axis < AXES; ++axis) {
        int lo[AXES] = {0};
        int n[AXES] = {CELLS, CELLS, CELLS};
        lo[axis] = -HALO;
        n[axis] = HALO;
        for (int sent = 0; sent < 2; ++sent) {
            setting s;
            prepare(&s, sent ? HX_SENT : HX_RECEIVED);
            s.field.behind = 1;
            s.stride[1] = CELLS;
            s.stride[2] = CELLS * CELLS;
            s.block.sides = hxi_side(axis, HX_LOW);
            set_box(&s, lo, n);
            s.segment.link.direction[axis] = -1;
            s.segment.link.source_first[axis] = CELLS - HALO;
            s.segment.bytes = MOST;
            const hxi_segment *segment = mark(&s, MOST);
            assert_true(segment->alone);
            assert_int_equal(segment->in_place, !sent || axis == 2);
            assert_true(sent || segment->at == (size_t)SIZE * CELLS * CELLS * CELLS);
            n[axis == 0] -= 1;
            set_box(&s, lo, n);
            s.segment.bytes = MOST;
            assert_false(goes_alone(&s)); /* parts of rows */
            n[axis == 0] += 1;
        }
    }
}

static void what_lies_otherwise_here_is_packed_here(void **state)
{
    (void)state;
    setting s;
    prepare(&s, HX_SENT);
    s.stride[1] = ROW + 1;
    s.stride[2] = ROW * (ROW + 1);
    const hxi_segment *segment = mark(&s, MOST);
    assert_true(segment->alone && !segment->in_place);
}

static void short_ones_and_too_long_ones_share_a_message(void **state)
{
    (void)state;
    setting s;
    prepare(&s, HX_SENT);
    s.segment.bytes = 64;
    assert_true(mark(&s, 64)->alone);
    assert_false(mark(&s, 63)->alone);
    s.segment.bytes = 63;
    assert_false(mark(&s, MOST)->alone);
}

static void what_is_not_copied_as_it_lies_is_packed(void **state)
{
    (void)state;
    static const hx_picks picks = {.count = 1};
    setting s;
    prepare(&s, HX_WITHIN);
    assert_false(goes_alone(&s));
    prepare(&s, HX_SENT);
    s.segment.picks = &picks;
    assert_false(goes_alone(&s));
    prepare(&s, HX_SENT);
    s.item.wire = HX_WIRE_FLOAT;
    assert_false(goes_alone(&s));
    prepare(&s, HX_SENT);
    s.field.components_after = 1;
    assert_false(goes_alone(&s));
    prepare(&s, HX_SENT);
    s.segment.link.sign = -1;
    assert_false(goes_alone(&s));
    prepare(&s, HX_SENT);
    s.segment.link.turn[1] = -1;
    assert_false(goes_alone(&s));
    prepare(&s, HX_SENT);
    s.segment.link.axis[0] = 1;
    s.segment.link.axis[1] = 0;
    assert_false(goes_alone(&s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_planes_are_where_they_are),
        cmocka_unit_test(runs_take_all_along_the_axes_before_the_last),
        cmocka_unit_test(what_begins_with_a_part_of_a_row_ends_there),
        cmocka_unit_test(padding_parts_rows_and_planes),
        cmocka_unit_test(whole_planes_behind_are_runs),
        cmocka_unit_test(what_lies_otherwise_here_is_packed_here),
        cmocka_unit_test(short_ones_and_too_long_ones_share_a_message),
        cmocka_unit_test(what_is_not_copied_as_it_lies_is_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
