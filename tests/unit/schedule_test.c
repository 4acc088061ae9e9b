/*
 * Schedules: what auto chooses where, what may be asked for, and what stands against going by dimension.
 */
#include "grid/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 3, CELLS = 8, WIDTH = 2 };

/* A grid of three axes, periodic along y and z, cut in two along x; slowest axis first in the spec. */
typedef struct setting {
    hx_field field[2];
    hx_exchange_field item[2];
    hx_positions positions[2]; /* centers, and both faces along z */
    hx_exchange exchange;
    hx_spec spec;
    int cuts[AXES][CELLS + 1];
    hxi_tile tile;
    hxi_layout layout;
    bool by_hand;
} setting;

static void cut(setting *s, int axis, int parts)
{
    s->tile.parts[axis] = parts;
    s->tile.cuts[axis] = s->cuts[axis];
    for (int i = 0; i <= parts; ++i) {
        s->cuts[axis][i] = i * CELLS / parts;
    }
}

/* Pointers into itself: it stays where it is. */
static void prepare(setting *s)
{
    *s = (setting){0};
    s->field[0] = (hx_field){.name = "t", .order = {2, 1, 0, 3}};
    s->field[1] = (hx_field){.name = "w", .order = {0, 1, 2, 3}, .positions = 1};
    for (int i = 0; i < 2; ++i) {
        s->item[i] = (hx_exchange_field){
            .field = i, .width_lo = {WIDTH, WIDTH, WIDTH}, .width_hi = {WIDTH, WIDTH, WIDTH}};
    }
    s->positions[1].extra[2] = 1;
    s->exchange = (hx_exchange){.name = "all", .field = s->item, .fields = 1, .by_dimension = 1};
    s->spec = (hx_spec){.axes = AXES,
                        .tiles = 1,
                        .periodic = {0, 1, 1},
                        .positions = s->positions,
                        .position_classes = 2,
                        .field = s->field,
                        .fields = 2,
                        .exchange = &s->exchange,
                        .exchanges = 1};
    s->layout = (hxi_layout){.axes = AXES, .tiles = 1, .tile = &s->tile};
    cut(s, 0, 2);
    cut(s, 1, 1);
    cut(s, 2, 1);
}

static hxi_schedule_choice choose(const setting *s, hxi_schedule schedule, bool one_machine)
{
    const hxi_schedule_request requested = {schedule, "the caller asked for it", one_machine, s->by_hand};
    return hxi_schedule_choose(&s->spec, &s->exchange, &s->layout, &requested);
}

static void expect_axes(const hxi_schedule_choice *chosen, int phases, const int axis[])
{
    assert_true(chosen->by_dimension);
    assert_int_equal(chosen->phases, phases);
    assert_memory_equal(chosen->axis, axis, (size_t)phases * sizeof *axis);
}

/* Also one that could: why is what keeps it. */
static void expect_one_phase(const setting *s, hxi_schedule schedule, bool one_machine, const char *why)
{
    const hxi_schedule_choice chosen = choose(s, schedule, one_machine);
    assert_false(chosen.by_dimension);
    assert_int_equal(chosen.phases, 1);
    if (!strstr(chosen.why, why)) {
        fail_msg("\"%s\" does not say \"%s\"", chosen.why, why);
    }
}

/* Whatever is asked for. */
static void expect_obstacle(const setting *s, const char *why)
{
    expect_one_phase(s, HX_SCHEDULE_AUTO, true, why);
    expect_one_phase(s, HX_SCHEDULE_AUTO, false, why);
    expect_one_phase(s, HX_SCHEDULE_BY_DIMENSION, true, why);
    expect_one_phase(s, HX_SCHEDULE_ONE_PHASE, false, why);
}

static void auto_asks_whether_ranks_share_a_machine(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    const hxi_schedule_choice chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 3, (int[]){2, 1, 0});
    assert_non_null(strstr(chosen.why, "on one machine"));
    expect_one_phase(&s, HX_SCHEDULE_AUTO, false, "on several machines");
}

static void what_is_asked_for_holds_on_any_machine(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    for (int one_machine = 0; one_machine < 2; ++one_machine) {
        const hxi_schedule_choice chosen = choose(&s, HX_SCHEDULE_BY_DIMENSION, one_machine);
        expect_axes(&chosen, 3, (int[]){2, 1, 0});
        assert_string_equal(chosen.why, "the caller asked for it");
        expect_one_phase(&s, HX_SCHEDULE_ONE_PHASE, one_machine, "the caller asked for it");
    }
}

static void phases_go_from_the_fastest_axis_of_the_first_field(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.item[0].field = 1;
    s.positions[1].extra[2] = 0;
    const hxi_schedule_choice chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 3, (int[]){0, 1, 2});
}

static void axes_without_neighbors_or_width_have_no_phase(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.spec.periodic[1] = 0; /* and one block along it */
    hxi_schedule_choice chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 2, (int[]){2, 0});

    prepare(&s);
    s.item[0].width_lo[2] = 0;
    chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 3, (int[]){2, 1, 0}); /* the other side is filled */
    s.item[0].width_lo[2] = WIDTH;
    s.item[0].width_hi[2] = 0;
    chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 3, (int[]){2, 1, 0});
    s.item[0].width_lo[2] = 0;
    chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 2, (int[]){1, 0});
    s.exchange.fields = 2; /* the other field has layers there, and faces enough */
    chosen = choose(&s, HX_SCHEDULE_AUTO, true);
    expect_axes(&chosen, 3, (int[]){2, 1, 0});
}

static void neighbors_along_one_axis_are_reached_at_once(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.spec.periodic[1] = s.spec.periodic[2] = 0;
    expect_obstacle(&s, "along one axis at most");
    cut(&s, 0, 1);
    expect_obstacle(&s, "along one axis at most");
}

static void sums_and_other_stencils_go_at_once(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.exchange.operation = HX_ADD;
    expect_obstacle(&s, "sends ghost points back");
    prepare(&s);
    s.exchange.by_dimension = 0;
    expect_obstacle(&s, "do not go along axes");
    prepare(&s);
    s.layout.tiles = 2;
    expect_obstacle(&s, "do not go along axes");
}

static void what_the_application_moves_goes_at_once(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    s.by_hand = true;
    expect_obstacle(&s, "the application moves");
}

/* z is cut into blocks of 1 to 3 cells; a field on both faces hops over those thinner than its halo. */
static void thin_blocks_of_faces_go_at_once(void **state)
{
    (void)state;
    setting s;
    prepare(&s);
    cut(&s, 2, 5);
    assert_true(choose(&s, HX_SCHEDULE_AUTO, true).by_dimension);
    s.exchange.fields = 2;
    expect_obstacle(&s, "thinner than the halo");
    cut(&s, 2, 4); /* as thick as the halo */
    assert_true(choose(&s, HX_SCHEDULE_AUTO, true).by_dimension);
    s.item[1].width_hi[2] = WIDTH + 1;
    expect_obstacle(&s, "thinner than the halo");
    s.item[1].width_hi[2] = WIDTH;
    s.item[1].width_lo[2] = WIDTH + 1;
    expect_obstacle(&s, "thinner than the halo");
}

static void names_are_those_of_the_option(void **state)
{
    (void)state;
    hxi_schedule schedule = HX_SCHEDULE_AUTO;
    assert_true(hxi_schedule_named("by-dimension", &schedule));
    assert_int_equal(schedule, HX_SCHEDULE_BY_DIMENSION);
    assert_true(hxi_schedule_named("one-phase", &schedule));
    assert_int_equal(schedule, HX_SCHEDULE_ONE_PHASE);
    assert_true(hxi_schedule_named("auto", &schedule));
    assert_int_equal(schedule, HX_SCHEDULE_AUTO);
    assert_false(hxi_schedule_named("dimension", &schedule));
    assert_false(hxi_schedule_named(NULL, &schedule));
    char names[128];
    assert_string_equal(hxi_schedule_names(names, sizeof names),
                        "\"auto\" or \"one-phase\" or \"by-dimension\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_asks_whether_ranks_share_a_machine),
        cmocka_unit_test(what_is_asked_for_holds_on_any_machine),
        cmocka_unit_test(phases_go_from_the_fastest_axis_of_the_first_field),
        cmocka_unit_test(axes_without_neighbors_or_width_have_no_phase),
        cmocka_unit_test(neighbors_along_one_axis_are_reached_at_once),
        cmocka_unit_test(sums_and_other_stencils_go_at_once),
        cmocka_unit_test(what_the_application_moves_goes_at_once),
        cmocka_unit_test(thin_blocks_of_faces_go_at_once),
        cmocka_unit_test(names_are_those_of_the_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
