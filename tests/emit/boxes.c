/*
 * Interior and rim of emitted headers: each owned point of a field is in one of them, once; and their points
 * are counted in the order of memory.  How deep exchanges reach is written down by hand.
 */
#include "agree.h"
#include "column.h"
#include "globe.h"
#include "line.h"
#include "staggered.h"
#include "tripole.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { MOST = 20000 };

typedef int find_point(const hx_boxes *boxes, size_t n, int at[]);

/* A block: owned points of a field, layers that an exchange reaches, and axes from the fastest in memory. */
typedef struct trial {
    find_point *find;
    int axes;
    int n[HX_MAX_AXES], depth[HX_MAX_AXES], order[HX_MAX_AXES];
} trial;

static bool is_inside(const trial *t, const int at[])
{
    bool inside = true;
    for (int a = 0; a < t->axes; ++a) {
        inside = inside && t->depth[a] <= at[a] && at[a] < t->n[a] - t->depth[a];
    }
    return inside;
}

/* Of an owned point. */
static size_t number_of(const trial *t, const int at[])
{
    size_t number = 0;
    for (int position = t->axes - 1; position >= 0; --position) {
        const int axis = t->order[position];
        assert_in_range(at[axis], 0, t->n[axis] - 1);
        number = number * (size_t)t->n[axis] + (size_t)at[axis];
    }
    return number;
}

/* Marks the points of boxes, none of which may be marked. */
static void mark(const trial *t, const hx_boxes *boxes, bool inside, char *marked)
{
    size_t n = 0;
    int at[HX_MAX_AXES] = {0};
    assert_in_range(boxes->count, 0, HX_MAX_BOXES);
    for (int b = 0; b < boxes->count; ++b) {
        const size_t end = n + boxes->box[b].points;
        size_t last = 0;
        assert_true(n < end);
        for (const size_t first = n; n < end; ++n) {
            assert_int_equal(t->find(boxes, n, at), 1);
            const size_t number = number_of(t, at);
            assert_true(n == first || number > last);
            assert_int_equal(is_inside(t, at), inside);
            assert_int_equal(marked[number]++, 0);
            last = number;
        }
    }
    assert_int_equal(n, boxes->points);
    assert_int_equal(t->find(boxes, n, at), 0);
}

static void expect(const trial *t, hx_boxes interior, hx_boxes rim)
{
    static char marked[MOST];
    size_t points = 1;
    for (int a = 0; a < t->axes; ++a) {
        points *= (size_t)t->n[a];
    }
    assert_in_range(points, 1, MOST);
    memset(marked, 0, points);
    mark(t, &interior, true, marked);
    mark(t, &rim, false, marked);
    assert_null(memchr(marked, 0, points));
    assert_in_range(interior.count, 0, 1);
}

/* ---- three axes, and positions of all kinds ------------------------------------------------------------ */

static int find_staggered(const hx_boxes *boxes, size_t n, int at[])
{
    return staggered_point(boxes, n, &at[0], &at[1], &at[2]);
}

static void fields_have_points_at_faces(void **state)
{
    (void)state;
    for (int nx = 1; nx < 7; ++nx) {
        for (int ny = 1; ny < 7; ++ny) {
            const hx_part part = {.n = {nx, ny, 4}};
            const staggered_shape s = staggered_shape_dense(&part);
            const trial u = {find_staggered, 3, {nx, ny, 4}, {1, 1, 2}, {0, 1, 2}};
            expect(&u, staggered_winds_interior(&s, STAGGERED_U), staggered_winds_rim(&s, STAGGERED_U));
            const hx_boxes owned = staggered_owned_points(&s, STAGGERED_W), none = {.points = 0};
            const trial all = {find_staggered, 3, {nx, ny, 5}, {0, 0, 0}, {0, 1, 2}};
            expect(&all, owned, none);
            const trial w = {find_staggered, 3, {nx, ny, 5}, {3, 2, 2}, {0, 1, 2}};
            expect(&w, staggered_all_interior(&s, STAGGERED_W), staggered_all_rim(&s, STAGGERED_W));
            /* As deep as the deepest field on the deeper side, behind its face there; also for a field that does not travel. */
            const trial p = {find_staggered, 3, {nx + 1, ny + 1, 4}, {3, 2, 2}, {0, 1, 2}};
            expect(&p, staggered_corners_interior(&s, STAGGERED_VORTICITY),
                   staggered_corners_rim(&s, STAGGERED_VORTICITY));
            const trial v = {find_staggered, 3, {nx, ny, 4}, {3, 2, 2}, {0, 1, 2}};
            expect(&v, staggered_corners_interior(&s, STAGGERED_V), staggered_corners_rim(&s, STAGGERED_V));
        }
    }
}

/* Of a field in another order than others. */
static void the_first_slabs_keep_what_lies_side_by_side(void **state)
{
    (void)state;
    const hx_part part = {.n = {9, 8, 7}};
    const staggered_shape s = staggered_shape_dense(&part);
    const hx_boxes rim = staggered_corners_rim(&s, STAGGERED_MASK);
    assert_int_equal(hx_box_length(&rim.box[0], STAGGERED_AXIS_X), 3);
    assert_int_equal(hx_box_length(&rim.box[0], STAGGERED_AXIS_Y), 9);
    assert_int_equal(hx_box_length(&rim.box[0], STAGGERED_AXIS_Z), 8);
}

static int find_agree(const hx_boxes *boxes, size_t n, int at[])
{
    return agree_point(boxes, n, &at[0], &at[1], &at[2]);
}

/* Exchanges of shared points have no width, and yet change what lies on the faces. */
static void shared_points_are_no_interior(void **state)
{
    (void)state;
    const hx_part part = {.n = {4, 3, 5}};
    const agree_shape s = agree_shape_dense(&part);
    const trial n = {find_agree, 3, {5, 4, 6}, {1, 1, 1}, {0, 1, 2}};
    expect(&n, agree_mean_interior(&s, AGREE_N), agree_mean_rim(&s, AGREE_N));
}

/* ---- folds and tiles ----------------------------------------------------------------------------------- */

static int find_tripole(const hx_boxes *boxes, size_t n, int at[])
{
    return tripole_point(boxes, n, &at[0], &at[1], &at[2]);
}

static int find_globe(const hx_boxes *boxes, size_t n, int at[])
{
    return globe_point(boxes, n, &at[0], &at[1], &at[2]);
}

/* Of q the row n + 1 above y comes from row n - 2, and in the corner there column -1 from column 2. */
static void folds_are_read_beyond_their_pivots(void **state)
{
    (void)state;
    const hx_part part = {.n = {8, 9, 6}};
    const tripole_shape s = tripole_shape_dense(&part);
    const trial q = {find_tripole, 3, {9, 10, 7}, {3, 3, 2}, {0, 1, 2}};
    expect(&q, tripole_back_interior(&s, TRIPOLE_Q), tripole_back_rim(&s, TRIPOLE_Q));
    /* Of v the row n comes from row n - 3, and of the others column -1 in corners from column 1. */
    const trial v = {find_tripole, 3, {8, 9, 6}, {2, 3, 1}, {0, 1, 2}};
    expect(&v, tripole_around_interior(&s, TRIPOLE_V), tripole_around_rim(&s, TRIPOLE_V));
}

static void tiles_are_read_as_deep_as_blocks(void **state)
{
    (void)state;
    const hx_part part = {.n = {9, 9, 5}};
    const globe_shape s = globe_shape_dense(&part);
    trial t = {find_globe, 3, {9, 9, 5}, {1, 1, 0}, {2, 1, 0}};
    expect(&t, globe_tracer_interior(&s, GLOBE_Q), globe_tracer_rim(&s, GLOBE_Q));
    t = (trial){find_globe, 3, {9, 10, 5}, {4, 4, 0}, {2, 1, 0}};
    expect(&t, globe_winds_interior(&s, GLOBE_U), globe_winds_rim(&s, GLOBE_U));
}

/* ---- four axes in another order, two of which nothing crosses, and one axis ------------------------------ */

static int find_column(const hx_boxes *boxes, size_t n, int at[])
{
    return column_point(boxes, n, &at[0], &at[1], &at[2], &at[3]);
}

static void axes_without_a_halo_stay_whole(void **state)
{
    (void)state;
    const hx_part part = {.n = {8, 7, 79, 3}};
    const column_shape s = column_shape_dense(&part);
    trial t = {find_column, 4, {8, 7, 79, 3}, {3, 3, 0, 0}, {2, 0, 1, 3}};
    expect(&t, column_deep_interior(&s, COLUMN_T), column_deep_rim(&s, COLUMN_T));
    t.depth[1] = 0;
    t.depth[0] = 1;
    expect(&t, column_counts_interior(&s, COLUMN_N), column_counts_rim(&s, COLUMN_N));
    assert_int_equal(column_counts_rim(&s, COLUMN_N).count, 2);
    const hx_boxes inside = column_deep_interior(&s, COLUMN_T);
    assert_int_equal(inside.points, 2 * 79 * 3);
    assert_int_equal(hx_thread_blocks(&inside, 256), 2);
}

static int find_line(const hx_boxes *boxes, size_t n, int at[])
{
    return line_point(boxes, n, &at[0]);
}

static void thin_blocks_have_no_interior(void **state)
{
    (void)state;
    for (int n = 1; n < 20; ++n) {
        const hx_part part = {.n = {n}};
        const line_shape s = line_shape_dense(&part);
        const trial t = {find_line, 1, {n}, {6}, {0}};
        const hx_boxes inside = line_all_interior(&s, LINE_Q);
        expect(&t, inside, line_all_rim(&s, LINE_Q));
        assert_int_equal(inside.points, n > 12 ? n - 12 : 0);
        assert_int_equal(hx_thread_blocks(&inside, 256), 1);
    }
}

static void what_is_not_there_has_no_boxes(void **state)
{
    (void)state;
    const hx_part part = {.n = {9}}, empty = {.n = {0}};
    const line_shape s = line_shape_dense(&part), none = line_shape_dense(&empty);
    assert_int_equal(line_all_interior(&s, LINE_FIELDS).count + line_all_rim(&s, -1).count, 0);
    assert_int_equal(hx_rim(&line_spec, &s, LINE_EXCHANGES, LINE_Q).points, 0);
    assert_int_equal(hx_rim(&line_spec, &s, -1, LINE_Q).points, 0);
    assert_int_equal(hx_rim(&line_spec, NULL, LINE_ALL, LINE_Q).points, 0);
    assert_int_equal(hx_rim(NULL, &s, LINE_ALL, LINE_Q).points, 0);
    assert_int_equal(line_all_rim(&none, LINE_Q).points + line_owned_points(&none, LINE_Q).points, 0);
    assert_int_equal(line_owned_points(&s, LINE_FIELDS).points, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_have_points_at_faces),
        cmocka_unit_test(the_first_slabs_keep_what_lies_side_by_side),
        cmocka_unit_test(shared_points_are_no_interior),
        cmocka_unit_test(folds_are_read_beyond_their_pivots),
        cmocka_unit_test(tiles_are_read_as_deep_as_blocks),
        cmocka_unit_test(axes_without_a_halo_stay_whole),
        cmocka_unit_test(thin_blocks_have_no_interior),
        cmocka_unit_test(what_is_not_there_has_no_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
