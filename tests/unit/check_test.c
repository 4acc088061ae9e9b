/* The reckoning of check programs, on grids whose numbers were worked out by hand. */
#include "check/grid.h"
#include "check/spec.h"
#include "check/sums.h"
#include "check/values.h"
#include "check/walls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- values -------------------------------------------------------------------------------------------- */

static const uint64_t sample = UINT64_C(0xfedcba9876543210);

typedef union element {
    unsigned char byte[32];
    long double aligned;
} element;

static const check_type types[] = {
    {.kind = HX_CHECK_INTEGER, .size = 1},
    {.kind = HX_CHECK_INTEGER, .size = 2},
    {.kind = HX_CHECK_INTEGER, .size = 4},
    {.kind = HX_CHECK_INTEGER, .size = 8},
    {.kind = HX_CHECK_FLOAT, .size = sizeof(float)},
    {.kind = HX_CHECK_FLOAT, .size = sizeof(double)},
    {.kind = HX_CHECK_FLOAT, .size = sizeof(long double)},
    {.kind = HX_CHECK_COMPLEX, .size = 2 * sizeof(float)},
    {.kind = HX_CHECK_COMPLEX, .size = 2 * sizeof(double)},
    {.kind = HX_CHECK_HALF, .size = sizeof(hx_half)},
    {.kind = HX_CHECK_BOOL, .size = sizeof(bool)},
    {.kind = HX_CHECK_STRUCT, .size = 20},
};

enum { TYPES = sizeof types / sizeof *types, REAL = 5 };

/* A type holds what was stored, and tells it from a value that differs in bits that it has. */
static void test_values(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; ++t) {
        element e = {{0}};
        hxi_check_store(&types[t], e.byte, sample);
        assert_true(hxi_check_holds(&types[t], e.byte, (check_value){.bits = sample}));
        assert_false(hxi_check_holds(&types[t], e.byte, (check_value){.bits = ~sample}));
        assert_int_equal(e.byte[types[t].size], 0); /* nothing behind it was written */
    }
}

/* Every byte of a struct counts, also the last. */
static void test_bytes_of_structs(void **state)
{
    (void)state;
    for (size_t at = 0; at < 20; ++at) {
        element e = {{0}};
        hxi_check_store(&types[TYPES - 1], e.byte, sample);
        e.byte[at] ^= 1;
        assert_false(hxi_check_holds(&types[TYPES - 1], e.byte, (check_value){.bits = sample}));
    }
}

/* What is found where C itself has computed the opposite. */
static void test_opposites(void **state)
{
    (void)state;
    const check_value opposite = {.bits = sample, .opposite = true};
    const double real = -(double)(sample >> 12) * 0x1p-37;
    const float parts[2] = {-(float)(sample >> 40) * 0x1p-9F, -(float)(sample & 0xffffff) * 0x1p-9F};
    const uint16_t small = (uint16_t)(0x10000 - 0x3210);
    const bool is_set = false;
    assert_true(hxi_check_holds(&types[REAL], &real, opposite));
    assert_false(hxi_check_holds(&types[REAL], &real, (check_value){.bits = sample}));
    assert_true(hxi_check_holds(&types[7], parts, opposite));
    assert_true(hxi_check_holds(&types[1], &small, opposite));
    assert_false(hxi_check_holds(&types[10], &is_set, opposite)); /* bools have none */
}

static void test_numbers(void **state)
{
    (void)state;
    for (int t = 0; t < 10; ++t) { /* but bools and structs */
        element e = {{0}};
        hxi_check_store_number(&types[t], e.byte, 42);
        assert_true(hxi_check_holds_number(&types[t], e.byte, 42));
        assert_false(hxi_check_holds_number(&types[t], e.byte, 43));
        assert_int_equal(hxi_check_number_at(&types[t], e.byte), 42);
    }
    const int8_t below = -3;
    assert_true(hxi_check_is_nothing(&types[0], hxi_check_number_at(&types[0], &below) + 3));
    assert_false(hxi_check_is_nothing(&types[0], hxi_check_number_at(&types[0], &below) + 4));
    assert_false(hxi_check_is_nothing(&types[REAL], 256));
}

/* Both parts of a complex number count. */
static void test_parts(void **state)
{
    (void)state;
    double parts[2] = {42, 84};
    assert_true(hxi_check_holds_number(&types[8], parts, 42));
    parts[1] = 42;
    assert_false(hxi_check_holds_number(&types[8], parts, 42));
}

/* ---- a grid of boxes: x periodic, 6 cells in two blocks; y between walls, 4 cells
 * -------------------------- */

enum { CELLS_X = 6, CELLS_Y = 4 };

static const hx_field box_fields[] = {{.name = "t", .halo_lo = {2, 2}, .halo_hi = {2, 2}}};
static const hx_exchange_field box_item = {.field = 0, .width_lo = {2, 1}, .width_hi = {2, 1}};
static const hx_exchange box_exchange = {.name = "all", .field = &box_item, .fields = 1};
static const hx_spec box_spec = {
    .axes = 2, .periodic = {1, 0}, .tiles = 1, .field = box_fields, .fields = 1, .exchange = &box_exchange};

typedef struct box_grid {
    hx_field stored;
    hx_spec spec;
    check_type type;
    hx_check_field field;
    hx_check_exchange says;
    hx_check_program program;
    hx_partition grid;
    hx_part part; /* the second block along x */
    check_run run;
} box_grid;

static void make_boxes(box_grid *g)
{
    *g = (box_grid){.stored = box_fields[0],
                    .spec = box_spec,
                    .type = types[REAL],
                    .field = {.kind = HX_CHECK_FLOAT},
                    .grid = {.axes = 2, .cells = {CELLS_X, CELLS_Y}, .ranks = {2, 1}}};
    g->spec.field = &g->stored;
    g->program = (hx_check_program){.spec = &g->spec, .field = &g->field, .exchange = &g->says};
    g->run = (check_run){.program = &g->program, .spec = &g->spec, .type = &g->type, .grid = &g->grid};
    assert_int_equal(hx_part_of(&g->grid, 0, 1, &g->part), HX_OK);
}

static check_spot spot_of(const box_grid *g, const hx_part *part, int x, int y)
{
    return hxi_check_spot_at(&g->run, part, 0, (int[]){x, y});
}

static uint64_t value_of(int x, int y)
{
    const int place[] = {x, y};
    return hxi_check_mix(0, place, 2, 0);
}

/* What a point holds after the exchange, walls included. */
static check_value after(const box_grid *g, int x, int y)
{
    const check_step step = hxi_check_step_of(&g->run, 0, 0);
    const check_spot spot = spot_of(g, &g->part, x, y);
    check_value value = hxi_check_expected(&g->run, &step, &spot, 0);
    hxi_check_fill(&g->run, &step, &spot, 0, &value);
    return value;
}

static void test_boxes(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    assert_int_equal(after(&g, 0, 0).bits, value_of(3, 0));
    assert_int_equal(after(&g, -2, 3).bits, value_of(1, 3));
    assert_int_equal(after(&g, 4, 1).bits, value_of(1, 1));                       /* wraps */
    assert_int_equal(after(&g, 0, -1).bits, HX_CHECK_UNTOUCHED);                  /* a wall */
    assert_int_equal(after(&g, -1, 4).bits, HX_CHECK_UNTOUCHED);                  /* beside it */
    assert_int_equal(hxi_check_mix(0, (int[]){3, 0}, 2, 1) == value_of(3, 0), 0); /* components differ */
}

/* All points of a field come once, and those within it are owned. */
static void test_points(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    check_spot spot = hxi_check_first_spot(&g.run, &g.part, 0);
    int points = 0, owned = 0, corners = 0;
    do {
        ++points;
        owned += spot.sides == 0;
        corners += spot.sides == 2;
    } while (hxi_check_next_spot(&g.run, &spot));
    assert_int_equal(points, (3 + 4) * (CELLS_Y + 4));
    assert_int_equal(owned, 3 * CELLS_Y);
    assert_int_equal(corners, 4 * 4);
    assert_int_equal(hxi_check_blocks_of(&g.run, 0), 2);
}

/* A component that flies down along x comes from above, and from beside the block along y. */
static void test_directions(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    g.field.directions = "-0";
    assert_int_equal(after(&g, 3, 0).bits, value_of(0, 0));
    assert_int_equal(after(&g, -1, 0).bits, HX_CHECK_UNTOUCHED);
}

/* Before an exchange ghost points hold nothing; after it those of its stencil alone do. */
static void test_stencils(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    const check_step before = {.item = NULL};
    const check_spot ghost = spot_of(&g, &g.part, -1, 0);
    assert_int_equal(hxi_check_expected(&g.run, &before, &ghost, 0).bits, HX_CHECK_UNTOUCHED);
    g.says = (hx_check_exchange){.stencil = HX_CHECK_LIST, .directions = "-- -0"};
    assert_int_equal(after(&g, -1, 0).bits, value_of(2, 0));
    assert_int_equal(after(&g, 3, 0).bits, HX_CHECK_UNTOUCHED);
    g.says = (hx_check_exchange){.stencil = HX_CHECK_STAR};
    assert_true(hxi_check_in_stencil(&g.says, 2, (int[]){0, 1}));
    assert_false(hxi_check_in_stencil(&g.says, 2, (int[]){-1, 1}));
}

/* The last face of a periodic axis is the first; and sums go to the block that owns a face from above. */
static void test_faces(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    g.field.at[0] = HX_CHECK_BOTH;
    assert_int_equal(after(&g, 3, 0).bits, value_of(0, 0)); /* owned: face 6 of 6 */
    assert_int_equal(after(&g, 4, 0).bits, value_of(1, 0));
    hx_part first;
    check_place at;
    int owner[HX_MAX_AXES];
    assert_int_equal(hx_part_of(&g.grid, 0, 0, &first), HX_OK);
    const check_spot ghost = spot_of(&g, &first, 4, 0); /* one behind the face that both blocks have */
    assert_true(hxi_check_boxes.find(&g.run, &ghost, &at));
    assert_true(hxi_check_boxes.owner_index(&g.run, &g.part, &ghost, &at, owner));
    assert_int_equal(owner[0], 1);
    assert_false(hxi_check_boxes.owner_index(&g.run, &first, &ghost, &at, owner));
}

static void test_walls(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    g.says.fill[1][0] = HX_FILL_ANTIMIRROR;
    g.says.fill[1][1] = HX_FILL_COPY;
    assert_int_equal(after(&g, 1, -1).bits, value_of(4, 0));
    assert_true(after(&g, 1, -1).opposite);
    assert_int_equal(after(&g, -1, 4).bits, value_of(2, 3)); /* a corner, from the ghost point beside it */
    assert_int_equal(after(&g, 1, -2).bits, HX_CHECK_UNTOUCHED); /* beyond the width */
    g.field.at[1] = HX_CHECK_LOW;
    assert_int_equal(after(&g, 1, -1).bits, value_of(4, 1)); /* face 0 is the mirror */
    g.stored.reverses[1] = 1;
    assert_false(after(&g, 1, -1).opposite);
    g.says.fill[1][0] = HX_FILL_ZERO;
    assert_int_equal(after(&g, 1, -1).bits, 0);
}

/* ---- a fold: 6 cells along x, closed; y ends at a wall and at the fold
 * ------------------------------------- */

/*
 * Centers, folded on the faces of the cells of the last row, about corners 0 and 3: the cell above (i, 3) is
 * (5 - i, 3).
 */
static void test_fold(void **state)
{
    (void)state;
    static const hx_check_fold fold = {.along = 0, .across = 1, .side = 1};
    static const int along[] = {0, -1, -1, -1};
    box_grid g;
    make_boxes(&g);
    g.program.fold = &fold;
    g.stored.vector = along;
    g.field.vector = HX_CHECK_ARROW;
    g.spec.exchanges = 1;
    assert_int_equal(after(&g, 0, 4).bits, value_of(2, 3));
    assert_true(after(&g, 0, 4).opposite);
    assert_int_equal(after(&g, -1, 4).bits, value_of(3, 3));
    assert_int_equal(after(&g, 3, 0).bits, value_of(0, 0)); /* around */
    assert_int_equal(after(&g, 0, -1).bits, HX_CHECK_UNTOUCHED);
    g.field.vector = HX_CHECK_UNSIGNED;
    assert_false(after(&g, 0, 4).opposite);
}

/* Where points lie on the line, half of them are kept; the others are rewritten by what reaches across. */
static void test_rewritten(void **state)
{
    (void)state;
    static const hx_check_fold fold = {.along = 0, .across = 1, .side = 1, .inset = 1};
    const check_step before = {.item = NULL};
    box_grid g;
    make_boxes(&g);
    g.program.fold = &fold;
    g.spec.exchanges = 1;
    const check_spot kept = spot_of(&g, &g.part, -1, 3), other = spot_of(&g, &g.part, 0, 3);
    assert_int_equal(hxi_check_expected(&g.run, &before, &kept, 0).bits,
                     HX_CHECK_UNTOUCHED); /* a ghost point */
    assert_int_equal(hxi_check_expected(&g.run, &before, &other, 0).bits, HX_CHECK_UNTOUCHED);
    assert_int_equal(after(&g, 0, 3).bits, value_of(2, 3));
    assert_int_equal(after(&g, 0, 4).bits, value_of(2, 2));
    assert_int_equal(after(&g, -1, 3).bits, value_of(2, 3));
}

/* Faces at the ends of a periodic axis are one point at two places. */
static void test_places(void **state)
{
    (void)state;
    box_grid g;
    make_boxes(&g);
    g.field.at[0] = HX_CHECK_BOTH;
    const check_place first = {.index = {0, 1}}, inner = {.index = {1, 1}};
    check_place there, back;
    assert_int_equal(hxi_check_boxes.see_across(&g.run, &first, 0, 0, &there), 1);
    assert_int_equal(there.index[0], CELLS_X);
    assert_int_equal(hxi_check_boxes.see_across(&g.run, &there, 0, 1, &back), 1);
    assert_int_equal(back.index[0], 0);
    assert_int_equal(hxi_check_boxes.see_across(&g.run, &inner, 0, 0, &there), 0);
    assert_int_equal(hxi_check_boxes.see_across(&g.run, &first, 1, 0, &there), 0);
}

/* ---- two tiles joined by a quarter turn: ../canary/README.md has the numbers --------------------------- */

enum { U, V };

static const int turned_vector[] = {U, V, -1, -1};
static const hx_field turned_fields[] = {
    {.name = "u", .halo_lo = {2, 2}, .halo_hi = {2, 2}, .vector = turned_vector},
    {.name = "v", .halo_lo = {2, 2}, .halo_hi = {2, 2}, .vector = turned_vector},
};
static const hx_spec turned_spec = {.axes = 2, .tiles = 2, .field = turned_fields, .fields = 2};

/* Above y of A lies B: its x runs along y of A, its y against x of A.  Below x of B lies A. */
static const hx_check_side turned_sides[2][HX_MAX_AXES][2] = {
    {{{.tile = -1}, {.tile = -1}}, {{.tile = -1}, {.tile = 1, .along = {2, -1}}}},
    {{{.tile = 0, .along = {-2, 1}}, {.tile = -1}}, {{.tile = -1}, {.tile = -1}}},
};

static void expect_turned(const check_run *r, int tile, int field, const int point[],
                          const check_place *wanted)
{
    hx_part part;
    check_place at;
    assert_int_equal(hx_part_of(&r->grid[tile], tile, 0, &part), HX_OK);
    const check_spot spot = hxi_check_spot_at(r, &part, field, point);
    assert_true(hxi_check_tile_grid.find(r, &spot, &at));
    assert_int_equal(at.tile, wanted->tile);
    assert_int_equal(at.field, wanted->field);
    assert_int_equal(at.opposite, wanted->opposite);
    assert_int_equal(at.index[0], wanted->index[0]);
    assert_int_equal(at.index[1], wanted->index[1]);
}

static void test_tiles(void **state)
{
    (void)state;
    static const hx_check_tiles tiles = {.side = turned_sides};
    hx_check_field fields[] = {{.kind = HX_CHECK_FLOAT}, {.kind = HX_CHECK_FLOAT}};
    hx_partition grid[] = {{.axes = 2, .cells = {3, 2}, .ranks = {1, 1}},
                           {.axes = 2, .cells = {2, 3}, .ranks = {1, 1}}};
    const hx_check_program program = {.spec = &turned_spec, .field = fields, .tiles = &tiles};
    const check_run r = {.program = &program, .spec = &turned_spec, .grid = grid};
    fields[U].vector = fields[V].vector = HX_CHECK_UNSIGNED;
    expect_turned(&r, 0, U, (int[]){0, 2}, &(check_place){.tile = 1, .field = V, .index = {0, 2}});
    expect_turned(&r, 1, U, (int[]){-2, 1}, &(check_place){.tile = 0, .field = V, .index = {1, 0}});
    fields[U].vector = fields[V].vector = HX_CHECK_ARROW;
    for (int f = U; f <= V; ++f) {
        fields[f].at[0] = fields[f].at[1] = HX_CHECK_BOTH;
    }
    expect_turned(&r, 0, U, (int[]){0, 3},
                  &(check_place){.tile = 1, .field = V, .opposite = true, .index = {1, 3}});
    expect_turned(&r, 0, V, (int[]){0, 3}, &(check_place){.tile = 1, .field = U, .index = {1, 3}});
    expect_turned(&r, 1, V, (int[]){-1, 0},
                  &(check_place){.tile = 0, .field = U, .opposite = true, .index = {3, 1}});
}

/* Twice the high end of x against itself, as a strip folded back: cell 2 of 3 comes after cell 2. */
static void test_ends(void **state)
{
    (void)state;
    static const hx_check_side sides[1][HX_MAX_AXES][2] = {
        {{{.tile = 0, .along = {-1, 2}}, {.tile = 0, .along = {-1, -2}}}, {{.tile = -1}, {.tile = -1}}}};
    static const hx_check_tiles tiles = {.side = sides};
    static const hx_spec spec = {.axes = 2, .tiles = 1, .field = box_fields, .fields = 1};
    const hx_check_field field = {.kind = HX_CHECK_FLOAT};
    hx_partition grid = {.axes = 2, .cells = {3, 2}, .ranks = {1, 1}};
    const hx_check_program program = {.spec = &spec, .field = &field, .tiles = &tiles};
    const check_run r = {.program = &program, .spec = &spec, .grid = &grid};
    expect_turned(&r, 0, 0, (int[]){3, 0}, &(check_place){.index = {2, 1}});
    expect_turned(&r, 0, 0, (int[]){4, 1}, &(check_place){.index = {1, 0}});
    expect_turned(&r, 0, 0, (int[]){-1, 1}, &(check_place){.index = {0, 1}});
}

/* What follows from a spec: 16 int32_t in 4 components of a point, which travel as 16 bits, on a device. */
static void test_spec(void **state)
{
    (void)state;
    static const hx_exchange_field item = {.width_lo = {0, 1}, .width_hi = {0, 3}, .wire = HX_WIRE_INT16};
    static const hx_exchange exchange = {.field = &item, .fields = 1};
    box_grid g;
    make_boxes(&g);
    g.stored = (hx_field){.size = 16, .components = 4, .on_device = 1, .order = {0, 1}};
    g.spec = (hx_spec){.axes = 2,
                       .decomposed = {1, 1},
                       .tiles = 1,
                       .field = &g.stored,
                       .fields = 1,
                       .exchange = &exchange,
                       .exchanges = 1};
    g.field.kind = HX_CHECK_INTEGER;
    check_type *type = hxi_check_make_types(&g.program);
    assert_int_equal(type->kind, HX_CHECK_INTEGER);
    assert_int_equal(type->size, 4);
    assert_int_equal(type->bits, 16);
    g.run.type = type;
    g.run.ranks = 3;
    int cells[HX_MAX_AXES] = {0};
    assert_int_equal(hxi_check_deepest(&g.run, 0), 0);
    assert_int_equal(hxi_check_deepest(&g.run, 1), 3);
    assert_int_equal(hxi_check_long_rows(&g.run, cells), 1);
    assert_int_equal(cells[0], 512 + 21); /* more than 2048 bytes */
    assert_int_equal(cells[1], 3);
    assert_false(hxi_check_may_refuse(&g.run));
    g.says.fill[1][1] = HX_FILL_HOOK;
    assert_true(hxi_check_may_refuse(&g.run));
    assert_true(hxi_check_has_hook(&g.run));
    assert_int_equal(hxi_check_long_rows(&g.run, cells), 1);
    assert_int_equal(cells[1], 3 * 4 + 1); /* each block as thick as the halo */
    g.spec.decomposed[1] = 0;
    assert_int_equal(hxi_check_long_rows(&g.run, cells), -1);
    free(type);
}

/* Nothing for sure lies beyond a joined side and a wall. */
static void test_corners(void **state)
{
    (void)state;
    static const hx_check_tiles tiles = {.side = turned_sides};
    const hx_check_field fields[] = {{.kind = HX_CHECK_FLOAT}, {.kind = HX_CHECK_FLOAT}};
    hx_partition grid[] = {{.axes = 2, .cells = {3, 2}, .ranks = {1, 1}},
                           {.axes = 2, .cells = {2, 3}, .ranks = {1, 1}}};
    const hx_check_program program = {.spec = &turned_spec, .field = fields, .tiles = &tiles};
    const check_run r = {.program = &program, .spec = &turned_spec, .grid = grid};
    hx_part part;
    check_place at;
    assert_int_equal(hx_part_of(&grid[0], 0, 0, &part), HX_OK);
    const check_spot corner = hxi_check_spot_at(&r, &part, U, (int[]){-1, 2});
    assert_false(hxi_check_tile_grid.find(&r, &corner, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_bytes_of_structs),
        cmocka_unit_test(test_opposites), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_parts),     cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_stencils),  cmocka_unit_test(test_faces),
        cmocka_unit_test(test_walls),     cmocka_unit_test(test_fold),
        cmocka_unit_test(test_tiles),     cmocka_unit_test(test_corners),
        cmocka_unit_test(test_points),    cmocka_unit_test(test_directions),
        cmocka_unit_test(test_rewritten), cmocka_unit_test(test_places),
        cmocka_unit_test(test_ends),      cmocka_unit_test(test_spec),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
