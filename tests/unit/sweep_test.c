/*
 * Sweeps: which halos are filled in one walk, from where, and what is left to other kernels.
 *
 * Compiled with HX_SWEEP_LEAST as 1000.  A block of 3 x 3 cells lies beside a second one of the same size;
 * its halo is filled from that one in all eight directions.
 */
#include "pack/ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    AXES = 2,
    CELLS = 3,
    WIDTH = 1,
    ROW = CELLS + 2 * WIDTH,
    SIZE = 8,
    DIRECTIONS = 9,
    AROUND = 8,
    APART = 100
};

static struct {
    int runs;
    void *field;
    hx_shell shell;
    hx_pull pull[DIRECTIONS];
} last;

static void sweep(void *field, const hx_shell *shell, const hx_pull *pull)
{
    last.runs++;
    last.field = field;
    last.shell = *shell;
    memcpy(last.pull, pull, sizeof last.pull);
}

typedef struct setting {
    hx_positions positions;
    hx_field field[2];
    hx_kernels kernels;
    hx_exchange_field item[2];
    hx_exchange exchange;
    hx_spec spec;
    ptrdiff_t stride[2 * HX_MAX_AXES];
    ptrdiff_t apart[2];
    hxi_block block[2];
    hxi_block_list mine;
    hxi_segment segment[AROUND + 1];
    hxi_segments segments;
    int slot_of[2];
    hxi_work work;
    hxi_sweeps made;
} setting;

/* The direction with that number: x is the fastest axis. */
static void set_segment(hxi_segment *s, int number)
{
    *s = (hxi_segment){.kind = HX_WITHIN, .to = 0, .from = 1, .bytes = 1000 / AROUND};
    hx_link *l = &s->link;
    l->sign = 1;
    l->source_block = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int side = a == 0 ? number % 3 - 1 : a == 1 ? number / 3 - 1 : 0;
        l->direction[a] = side;
        l->axis[a] = a;
        l->turn[a] = 1;
        l->lo[a] = side < 0 ? -WIDTH : side > 0 ? CELLS : 0;
        l->hi[a] = a >= AXES ? 1 : side < 0 ? 0 : side > 0 ? CELLS + WIDTH : CELLS;
        l->source_first[a] = side < 0 ? CELLS - WIDTH : 0;
    }
}

/* Pointers into itself: it stays where it is. */
static void prepare(setting *s)
{
    *s = (setting){
        .kernels = {.sweep = sweep}, .segments = {s->segment, AROUND, AROUND + 1}, .slot_of = {0, 1}};
    for (int f = 0; f < 2; ++f) {
        s->field[f] = (hx_field){.size = SIZE,
                                 .components = 1,
                                 .order = {0, 1, 2, 3},
                                 .halo_lo = {WIDTH, WIDTH},
                                 .halo_hi = {WIDTH, WIDTH}};
        s->stride[f * HX_MAX_AXES] = 1;
        s->stride[f * HX_MAX_AXES + 1] = ROW;
        s->apart[f] = APART;
        s->block[f] = (hxi_block){.cells = {CELLS, CELLS, 1, 1}, .stride = s->stride, .apart = s->apart};
    }
    s->item[0] =
        (hx_exchange_field){.width_lo = {WIDTH, WIDTH}, .width_hi = {WIDTH, WIDTH}, .kernels = &s->kernels};
    s->exchange = (hx_exchange){.field = s->item, .fields = 1};
    s->spec = (hx_spec){.axes = AXES, .positions = &s->positions, .field = s->field, .fields = 2};
    s->mine = (hxi_block_list){.block = s->block, .blocks = 2};
    for (int i = 0; i < AROUND; ++i) {
        set_segment(&s->segment[i], i < AROUND / 2 ? i : i + 1);
    }
    s->work = (hxi_work){&s->spec, &s->exchange, &s->mine, &s->segments, s->slot_of,
                         1,        NULL,         HX_PHASE, false,        NULL};
}

/* Number of sweeps, and of segments that they serve. */
static void expect_sweeps(setting *s, int sweeps, int swept)
{
    assert_int_equal(hxi_sweeps_make(&s->work, &s->made), HX_OK);
    int found = 0;
    for (int i = 0; i < s->segments.count; ++i) {
        found += s->made.swept[i];
    }
    const int count = s->made.count;
    hxi_sweeps_free(&s->made);
    assert_int_equal(count, sweeps);
    assert_int_equal(found, swept);
}

static void a_halo_fed_from_here_is_swept(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    expect_sweeps(&s, 1, AROUND);
}

static void a_sweep_knows_its_points_and_their_sources(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.segment[0].kind = HX_RECEIVED; /* that of direction 0 */
    s.segment[0].from = -1;
    s.segment[1].bytes += s.segment[0].bytes;
    assert_int_equal(hxi_sweeps_make(&s.work, &s.made), HX_OK);
    assert_int_equal(s.made.swept[0], 0);
    char array[2][ROW * ROW * SIZE];
    void *base[] = {array[0], array[1]};
    last.runs = 0;
    hxi_ops_sweep(&s.made, base);
    assert_int_equal(last.runs, 1);
    assert_ptr_equal(last.field, array[0]);
    assert_int_equal(last.shell.at, WIDTH + WIDTH * ROW);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        assert_int_equal(last.shell.n[a], a < AXES ? CELLS : 1);
        assert_int_equal(last.shell.lo[a], a < AXES ? WIDTH : 0);
        assert_int_equal(last.shell.hi[a], a < AXES ? WIDTH : 0);
    }
    assert_null(last.pull[0].from);
    assert_null(last.pull[DIRECTIONS / 2].from);                   /* the block itself */
    const ptrdiff_t below = (CELLS - WIDTH + WIDTH) * ROW + WIDTH; /* the first point of its last row */
    assert_ptr_equal(last.pull[1].from, array[1] + below * SIZE);
    assert_int_equal(last.pull[1].stride[0], 1);
    assert_int_equal(last.pull[1].stride[1], ROW);
    hxi_sweeps_free(&s.made);
}

/*
 * Behind the upper side along x lie rows of the source, from their ends on, of another field and with a sign.
 */
static void a_sweep_knows_how_its_sources_lie(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    hx_link *l = &s.segment[6].link; /* of direction 7 */
    l->source_field = 1;
    l->axis[0] = 1;
    l->axis[1] = 0;
    l->turn[0] = -1;
    l->source_first[0] = CELLS - 1;
    l->source_first[1] = 0;
    l->sign = -1;
    assert_int_equal(hxi_sweeps_make(&s.work, &s.made), HX_OK);
    char array[3][ROW * ROW * SIZE];
    void *base[] = {array[0], array[1], array[2]};
    hxi_ops_sweep(&s.made, base);
    assert_ptr_equal(last.pull[7].from, array[2] + (WIDTH * ROW + WIDTH + CELLS - 1) * SIZE);
    assert_int_equal(last.pull[7].stride[0], ROW);
    assert_int_equal(last.pull[7].stride[1], -1);
    assert_int_equal(last.pull[7].sign, -1);
    assert_int_equal(last.pull[8].sign, 1);
    hxi_sweeps_free(&s.made);
}

/* The same sweep takes it up again in the next call. */
static void what_comes_from_a_null_pointer_is_left_alone(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    assert_int_equal(hxi_sweeps_make(&s.work, &s.made), HX_OK);
    char array[2][ROW * ROW * SIZE];
    for (int call = 0; call < 4; ++call) {
        void *base[] = {array[0], call % 2 == 0 ? NULL : array[1]};
        hxi_ops_sweep(&s.made, base);
        for (int d = 0; d < DIRECTIONS; ++d) {
            assert_int_equal(last.pull[d].from != NULL, call % 2 == 1 && d != DIRECTIONS / 2);
        }
    }
    hxi_sweeps_free(&s.made);
}

static void components_that_lie_apart_have_sweeps_of_their_own(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.field[0].components = 3;
    expect_sweeps(&s, 1, AROUND);
    s.field[0].components_after = 1;
    expect_sweeps(&s, 3, AROUND);
    assert_int_equal(hxi_sweeps_make(&s.work, &s.made), HX_OK);
    static char array[2][4 * APART * SIZE];
    void *base[] = {array[0], array[1]};
    hxi_ops_sweep(&s.made, base);
    assert_int_equal(last.shell.at, WIDTH + WIDTH * ROW + 2 * APART);
    assert_ptr_equal(last.pull[1].from, array[1] + (CELLS * ROW + WIDTH + 2 * APART) * SIZE);
    hxi_sweeps_free(&s.made);
}

/* One segment after the other is not what a sweep can take: the others are swept without it. */
static void what_is_no_whole_side_is_served_otherwise(void **state)
{
    (void)state;
    for (int change = 0; change < 5; ++change) {
        setting s;
        prepare(&s);
        hxi_segment *odd = &s.segment[7]; /* the corner above */
        hx_link *l = &odd->link;
        switch (change) {
        case 0:
            odd->kind = HX_RECEIVED;
            s.segment[0].bytes += odd->bytes;
            break;
        case 1:
            l->lo[0]++;
            break;
        case 2:
            l->hi[1]--;
            break;
        case 3:
            l->lo[1]--;
            break;
        default:
            l->hi[0]++;
            break;
        }
        expect_sweeps(&s, 1, AROUND - 1);
    }
}

static void a_side_fed_twice_is_served_otherwise(void **state)
{
    (void)state;
    setting s;
    for (int again = 0; again < 2; ++again) { /* a second and a third time */
        prepare(&s);
        s.segment[6] = s.segment[7];
        s.segment[5] = again ? s.segment[7] : s.segment[5];
        expect_sweeps(&s, 1, AROUND - 2 - again);
    }
}

static void where_it_does_not_pay_nothing_is_swept(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.segment[0].bytes--;
    expect_sweeps(&s, 0, 0);
    prepare(&s); /* what comes from elsewhere does not count */
    s.segment[0].kind = HX_RECEIVED;
    s.segment[0].from = -1;
    expect_sweeps(&s, 0, 0);
    prepare(&s);
    s.exchange.operation = HX_ADD;
    expect_sweeps(&s, 0, 0);
    prepare(&s);
    s.kernels.sweep = NULL;
    expect_sweeps(&s, 0, 0);
    prepare(&s); /* from blocks of other tiles alone, or from itself */
    for (int i = 0; i < AROUND; ++i) {
        s.segment[i].link.source_tile = i < AROUND / 2;
        s.segment[i].link.source_block = i < AROUND / 2;
    }
    expect_sweeps(&s, 0, 0);
    s.segment[0].link.source_tile = 0; /* one beside it is enough */
    expect_sweeps(&s, 1, AROUND);
    static const hx_picks picks = {.count = 1};
    prepare(&s);
    s.item[0].picks = &picks;
    expect_sweeps(&s, 0, 0);
    prepare(&s); /* across the fastest axis one side alone, */
    s.segment[3].link.lo[1] = 1;
    expect_sweeps(&s, 0, 0);
    prepare(&s);
    s.segment[4].link.lo[1] = 1;
    expect_sweeps(&s, 0, 0);
    prepare(&s); /* or nothing but that: directions 3 and 5 */
    s.segments.count = 2;
    s.segment[0] = s.segment[3];
    s.segment[1] = s.segment[4];
    s.segment[0].bytes = 1000;
    expect_sweeps(&s, 0, 0);
    s.segments.count = 3;
    s.segment[2] = s.segment[5];
    expect_sweeps(&s, 1, 3);
}

/* No halo below along x: directions 0, 3 and 6 are not there. */
static void a_halo_on_one_side_is_swept(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.item[0].width_lo[0] = 0;
    s.segments.count = 0;
    for (int i = 0; i < AROUND; ++i) {
        s.segment[s.segments.count] = s.segment[i];
        s.segments.count += s.segment[i].link.direction[0] >= 0;
    }
    s.segment[0].bytes = 1000;
    expect_sweeps(&s, 1, s.segments.count);
    s.item[0].width_hi[0] = 0; /* nor above: nothing is across x */
    expect_sweeps(&s, 0, 0);
}

/* It has no kernels on the host, and no segments among those of the host. */
static void a_field_on_a_device_is_not_swept(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.item[1] = (hx_exchange_field){.field = 1, .width_lo = {WIDTH, WIDTH}, .width_hi = {WIDTH, WIDTH}};
    s.exchange.fields = 2;
    expect_sweeps(&s, 1, AROUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_halo_fed_from_here_is_swept),
        cmocka_unit_test(a_sweep_knows_its_points_and_their_sources),
        cmocka_unit_test(a_sweep_knows_how_its_sources_lie),
        cmocka_unit_test(what_comes_from_a_null_pointer_is_left_alone),
        cmocka_unit_test(components_that_lie_apart_have_sweeps_of_their_own),
        cmocka_unit_test(what_is_no_whole_side_is_served_otherwise),
        cmocka_unit_test(a_side_fed_twice_is_served_otherwise),
        cmocka_unit_test(a_halo_on_one_side_is_swept),
        cmocka_unit_test(a_field_on_a_device_is_not_swept),
        cmocka_unit_test(where_it_does_not_pay_nothing_is_swept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
