/*
 * Walls, on 1 to 4 ranks: what fills ghost points beyond the ends of the grid.  The oracle follows a point
 * from image to image on the whole grid and knows nothing of boxes or of the order of fills; so what it says
 * is what one rank gets.
 */
#include "harness.h"
#include "sample.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { UNTOUCHED = -77 };

static sample s;
static hx_exchange *const walls = &s.exchange[SAMPLE_WALLS];

/* ---- the oracle ---------------------------------------------------------------------------------------- */

static int first_of(const sample_element *e, int axis)
{
    return s.shape[e->block].part.first[axis];
}

static int points_of(const sample_element *e, int axis)
{
    return s.partition.cells[axis] + s.positions[e->field].extra[axis];
}

/* -1 or 1: beyond which wall across the axis an element lies; 0: neither. */
static int beyond(const sample_element *e, int axis)
{
    const int place = first_of(e, axis) + e->index[axis];
    return s.spec.periodic[axis] ? 0 : place < 0 ? -1 : place >= points_of(e, axis) ? 1 : 0;
}

static hx_fill fill_beyond(const sample_element *e, int axis)
{
    return walls->wall[axis][beyond(e, axis) > 0];
}

/* How many axes the element's ghost box goes beyond the block. */
static int sides_of(const sample_element *e)
{
    return abs(e->direction[0]) + abs(e->direction[1]) + abs(e->direction[2]);
}

static void set_direction(sample_element *e)
{
    for (int a = 0; a < s.spec.axes; ++a) {
        e->direction[a] = e->index[a] < 0                                           ? -1
                          : e->index[a] >= sample_points(&s, e->block, e->field, a) ? 1
                                                                                    : 0;
    }
}

static double hook_value(int field, int component, const int place[], int axis, int side)
{
    return -1e6 * (field * 100 + component * 10 + axis * 2 + side + 1) -
           (place[0] + 50 + 100 * (place[1] + 50) + 10000 * (place[2] + 50)) / 1e3;
}

/* What the messages of the exchange bring: a number for each component of each point of the grid. */
static double value_without_walls(const sample_element *e)
{
    const int sides = sides_of(e);
    if (sides > 0 && e->field >= walls->fields) {
        return UNTOUCHED;
    }
    if (sides > (walls->box ? s.spec.axes : 1) ||
        (sides > 0 && !sample_travels(&s, e->field, e->component, e->direction))) {
        return UNTOUCHED;
    }
    double value = 0.0;
    for (int a = 0; a < s.spec.axes; ++a) {
        const int cells = s.partition.cells[a];
        const int place = first_of(e, a) + e->index[a];
        value = value * 100 + (s.spec.periodic[a] ? (place % cells + cells) % cells : place);
    }
    return value * 10 + e->component + 1;
}

/* Twice the distance of a point from the low end of the grid, in cells. */
static int position(const sample_element *e, int axis, int place)
{
    const bool is_low = (e->field == SAMPLE_U || e->field == SAMPLE_B) && axis == 0;
    const bool is_high = e->field == SAMPLE_V && axis == s.spec.axes - 1;
    return 2 * place + (is_low ? 0 : is_high ? 2 : 1);
}

/* The index in the block of an element's image beyond a wall. */
static int image_of(const sample_element *e, int axis)
{
    const int side = beyond(e, axis);
    const int first = first_of(e, axis);
    if (fill_beyond(e, axis) == HX_FILL_COPY) {
        return side < 0 ? -first : points_of(e, axis) - 1 - first;
    }
    const int wall = side < 0 ? 0 : 2 * s.partition.cells[axis];
    const int distance = position(e, axis, e->index[axis] + first) - wall;
    return e->index[axis] - distance;
}

static bool is_normal(const sample_element *e, int axis)
{
    return (e->field == SAMPLE_U && axis == 0) ||
           (e->field == SAMPLE_V && axis == s.spec.axes - 1 && s.spec.axes > 1);
}

static double expected(const sample_element *e)
{
    int axis = -1; /* the last of those whose walls the element lies beyond: filled from the others */
    for (int a = 0; a < s.spec.axes; ++a) {
        if (beyond(e, a) != 0) {
            axis = a;
            if (fill_beyond(e, a) == HX_FILL_NONE || e->field >= walls->fields) {
                return UNTOUCHED;
            }
        }
    }
    if (axis < 0) {
        return value_without_walls(e);
    }
    const hx_fill fill = fill_beyond(e, axis);
    const bool picked = e->field == SAMPLE_D || e->field == SAMPLE_A;
    const bool lacks_source = picked && fill != HX_FILL_ZERO && fill != HX_FILL_HOOK;
    if ((!walls->box || lacks_source) && sides_of(e) > 1) {
        return UNTOUCHED;
    }
    if (fill == HX_FILL_ZERO) {
        return 0.0;
    }
    if (fill == HX_FILL_HOOK) {
        int place[3] = {0};
        for (int a = 0; a < s.spec.axes; ++a) {
            place[a] = first_of(e, a) + e->index[a];
        }
        return hook_value(e->field, e->component, place, axis, beyond(e, axis) > 0);
    }
    sample_element image = *e;
    image.index[axis] = image_of(e, axis);
    set_direction(&image);
    const double sign =
        fill != HX_FILL_COPY && (fill == HX_FILL_ANTIMIRROR) != is_normal(e, axis) ? -1.0 : 1.0;
    if (image.index[axis] == e->index[axis]) {
        return sign < 0.0 ? 0.0 : UNTOUCHED;
    }
    return sign * expected(&image);
}

/* Has the block got the image? */
static void check_image(sample *unused, const sample_element *e, void *missing)
{
    (void)unused;
    const int widths[] = {2, 2, 2, 1, 2, 1, 2, 1, 2}; /* low */
    const int highs[] = {1, 2, 2, 2, 1, 1, 1, 1, 1};
    for (int a = 0; a < s.spec.axes; ++a) {
        const hx_fill fill = fill_beyond(e, a);
        if (beyond(e, a) == 0 || sides_of(e) > 1 || e->field >= walls->fields || fill == HX_FILL_NONE ||
            fill == HX_FILL_ZERO || fill == HX_FILL_HOOK) {
            continue;
        }
        const int image = image_of(e, a);
        const int place = image + first_of(e, a);
        const bool own = image == e->index[a];
        *(int *)missing |= !own && (place < 0 || place >= points_of(e, a) || image < -widths[e->field] ||
                                    image >= sample_points(&s, e->block, e->field, a) + highs[e->field]);
    }
}

/* ---- the test ------------------------------------------------------------------------------------------ */

static void fill_element(sample *unused, const sample_element *e, void *context)
{
    (void)unused;
    (void)context;
    *e->value = sides_of(e) == 0 ? value_without_walls(e) : UNTOUCHED;
}

static void check_element(sample *unused, const sample_element *e, void *wrong)
{
    (void)unused;
    *(int *)wrong += *e->value != expected(e);
}

static hx_handle *filling;

static void fill_wall(void *context, const hx_wall *wall)
{
    hx_traffic traffic;
    expect(context == &s);
    expect_status(HX_ERR_STATE, hx_finish(filling, SAMPLE_WALLS));
    expect_text(hx_last_error(), "called from the function that fills ghost points beyond walls");
    expect_status(HX_ERR_STATE, hx_start(filling, SAMPLE_COPY, s.fields));
    expect_status(HX_ERR_STATE, hx_destroy(filling));
    expect_ok(hx_traffic_of(filling, SAMPLE_WALLS, &traffic));
    expect(wall->exchange == SAMPLE_WALLS);
    expect(wall->array == s.fields[wall->block].array[wall->field]);
    for (int a = s.spec.axes; a < HX_MAX_AXES; ++a) {
        expect(wall->lo[a] == 0 && wall->hi[a] == 1);
    }
    const int components = s.field[wall->field].components;
    const int *first = s.shape[wall->block].part.first;
    for (int k = wall->lo[2]; k < wall->hi[2]; ++k) {
        for (int j = wall->lo[1]; j < wall->hi[1]; ++j) {
            for (int i = wall->lo[0]; i < wall->hi[0]; ++i) {
                for (int c = 0; c < (components ? components : 1); ++c) {
                    const int index[HX_MAX_AXES] = {i, j, k, 0};
                    const int place[] = {first[0] + i, first[1] + j, first[2] + k};
                    *sample_at(&s, wall->block, wall->field, c, index) =
                        hook_value(wall->field, c, place, wall->axis, wall->side);
                }
            }
        }
    }
}

static bool has_hook(void)
{
    bool has = false;
    for (int a = 0; a < s.spec.axes; ++a) {
        has = has || walls->wall[a][0] == HX_FILL_HOOK || walls->wall[a][1] == HX_FILL_HOOK;
    }
    return has;
}

static void run(hx_handle *handle)
{
    filling = handle;
    if (has_hook()) {
        expect_status(HX_ERR_STATE, hx_start(handle, SAMPLE_WALLS, s.fields));
        expect_text(hx_last_error(),
                    "sample.lua:22: exchange \"walls\" fills ghost points beyond walls by a function");
        expect_ok(hx_set_boundary(handle, fill_wall, &s));
    }
    for (int round = 0; round < 2; ++round) {
        sample_visit(&s, -1, fill_element, NULL);
        expect_ok(hx_start(handle, SAMPLE_WALLS, s.fields));
        expect_status(HX_ERR_STATE, hx_set_boundary(handle, NULL, NULL));
        expect_ok(hx_finish(handle, SAMPLE_WALLS));
        int wrong = 0;
        sample_visit(&s, -1, check_element, &wrong);
        expect(wrong == 0);
    }
    sample_visit(&s, -1, fill_element, NULL);
    expect_ok(hx_start(handle, SAMPLE_COPY, s.fields));
    expect_ok(hx_finish(handle, SAMPLE_COPY));
}

static int refusals;

static void test(const int cells[], const int parts[], const char *transport)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = 60.0;
    sample_divide(&s, cells, parts, harness_ranks);
    int mine = 0;
    int missing = 0;
    sample_visit(&s, -1, check_image, &mine);
    MPI_Allreduce(&mine, &missing, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    hx_handle *handle = NULL;
    expect_status(missing ? HX_ERR_PARTITION : HX_OK, sample_create(&s, &options, &handle));
    refusals += missing;
    if (handle) {
        run(handle);
    }
    expect_ok(hx_destroy(handle));
    sample_release(&s);
}

/* Different fills at all walls, from a number. */
static void set_walls(int number, bool box)
{
    walls->box = box;
    walls->fields = box ? SAMPLE_FIELDS : SAMPLE_D; /* picks are by the directions of the box */
    walls->directions = s.exchange[box ? SAMPLE_COPY : SAMPLE_STAR].directions;
    walls->direction = s.exchange[box ? SAMPLE_COPY : SAMPLE_STAR].direction;
    for (int a = 0; a < s.spec.axes; ++a) {
        for (int side = 0; side < 2; ++side) {
            const hx_fill fill = (hx_fill)((number * 5 + a * 4 + side * (number % 4)) % 6);
            walls->wall[a][side] = s.spec.periodic[a] ? HX_FILL_NONE : fill;
        }
    }
}

/* Both numbers are in the sentence, on all ranks. */
static void test_sentences(void)
{
    hx_handle *handle = NULL;
    sample_make(&s, 1, 0);
    walls->wall[0][0] = HX_FILL_MIRROR;
    static const int one[] = {1};
    sample_divide(&s, one, one, harness_ranks);
    expect_status(HX_ERR_PARTITION, sample_create(&s, NULL, &handle));
    expect_text(hx_last_error(),
                "sample.lua:22: exchange \"walls\" mirrors 2 layers of field p (line 3) at the low "
                "end of axis x, which takes 2 points along it; the grid has 1.");
    sample_release(&s);
    static const int four[] = {4};
    static hx_exchange_field item;
    item = s.item[0][SAMPLE_P];
    item.width_hi[0] = 0;
    walls->field = &item;
    walls->fields = 1;
    sample_divide(&s, four, four, harness_ranks);
    expect_status(HX_ERR_PARTITION, sample_create(&s, NULL, &handle));
    expect_text(hx_last_error(),
                "beyond the low end of axis x from points as far away as index 1 of block 0, which "
                "has 1 cell there; with the ghost points that the exchange fills it knows indices 0 "
                "to 0.");
    sample_release(&s);
    sample_divide(&s, four, one, harness_ranks);
    expect_ok(sample_create(&s, NULL, &handle));
    expect_text(hx_describe(handle),
                harness_rank == 0 ? "walls: 1 call of kernels and 0 of" : "exchange walls");
    expect_ok(hx_destroy(handle));
    sample_release(&s);
    expect_status(HX_ERR_ARGUMENT, hx_set_boundary(NULL, fill_wall, &s));
}

static const int cuttings[][SAMPLE_AXES] = {{1, 1, 1}, {2, 2, 1}, {4, 1, 3}, {3, 2, 2}};
static const char *const transports[] = {"persistent", "p2p", "neighbor", "shared", "mixed"};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    int turn = 0;
    for (int axes = 1; axes <= SAMPLE_AXES; ++axes) {
        for (int mask = 0; mask < (1 << axes) - 1; ++mask) {
            sample_make(&s, axes, mask);
            for (int number = 0; number < 18; ++number) {
                const int size = 1 + number % 5;
                const int cells[] = {size, size + 1, 3};
                set_walls(number, number % 3 != 0);
                test(cells, cuttings[0], transports[turn++ % TRANSPORTS]);
                test(cells, cuttings[1 + number % 3], transports[turn++ % TRANSPORTS]);
            }
        }
    }
    expect(refusals > 0);
    test_sentences();
    return harness_end();
}
