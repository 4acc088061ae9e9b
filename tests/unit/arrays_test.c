/*
 * Arrays of any language: the shape that they have, and the sentence where they do not fit.  What is expected
 * is written down as numbers.
 */
#include "exchange/handle.h"
#include "exchange/owner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 3, PLAIN = 0, APART, WITHIN, BEHIND, FIXED, DEVICE, FIELDS };

typedef struct shape {
    hx_part part;
    ptrdiff_t stride[FIELDS][AXES];
    ptrdiff_t apart[FIELDS];
} shape;

/* 4 x 5 x 6 cells. */
enum { NX = 4, NY = 5, NZ = 6 };

#define X_FIRST .order = {0, 1, 2}, .alignment = 8, .type = "double"

static const hx_positions positions[] = {{.extra = {0}}, {.extra = {1, 0, 0}}};
static const hx_field fields[FIELDS] = {
    [PLAIN] = {.name = "u", .line = 3, X_FIRST, .size = 8, .halo_lo = {2, 2, 2}, .halo_hi = {2, 2, 2}},
    [APART] = {.name = "t",
               .line = 4,
               .type = "float",
               .order = {2, 1, 0},
               .alignment = 4,
               .size = 4,
               .components = 3,
               .components_after = 1,
               .halo_lo = {1, 0, 2},
               .halo_hi = {1, 0, 1},
               .positions = 1},
    [WITHIN] = {.name = "q", .line = 5, X_FIRST, .size = 16, .components = 2},
    [BEHIND] = {.name = "b", .line = 6, X_FIRST, .size = 8, .behind = 1, .halo_lo = {1}, .halo_hi = {1}},
    [FIXED] = {.name = "f", .line = 7, X_FIRST, .size = 8, .fixed_stride = {1, 7, 0}, .padding = {3}},
    [DEVICE] = {.name = "d", .line = 8, X_FIRST, .size = 8, .on_device = 1},
};

static hx_spec spec = {.abi = HX_ABI,
                       .name = "channel",
                       .file = "channel.lua",
                       .axes = AXES,
                       .axis = {"x", "y", "z"},
                       .tiles = 1,
                       .positions = positions,
                       .position_classes = 2,
                       .field = fields,
                       .fields = FIELDS,
                       .shape_size = sizeof(shape),
                       .shape_stride = offsetof(shape, stride),
                       .shape_apart = offsetof(shape, apart)};

static const hx_part part = {
    .partition = {.axes = AXES, .ranks = {3, 1, 1}}, .index = {1}, .n = {NX, NY, NZ}};

static double memory[1]; /* nobody looks at more of it than its address */

/* Arrays that fit, and are larger than they must be, where that is allowed. */
static void make_arrays(hx_strided_array array[FIELDS])
{
    memset(array, 0, FIELDS * sizeof *array);
    array[PLAIN] = (hx_strided_array){memory, 8, {10, 9, 10}, {8, 80, 800}, 1, 0};
    array[APART] = (hx_strided_array){memory, 4, {7, 5, 9}, {4 * 200, 4 * 30, 4}, 3, 4 * 10};
    array[WITHIN] = (hx_strided_array){memory, 8, {4, 5, 6}, {16, 64, 320}, 2, 8};
    array[BEHIND] = (hx_strided_array){memory, 8, {4 * 5 * 6 + 2 * 5 * 6}, {8}, 1, 0};
    array[FIXED] = (hx_strided_array){memory, 8, {7, 5, 6}, {8, 56, 280}, 1, 0};
    /* Of the host this address cannot be. */
    array[DEVICE] = (hx_strided_array){(void *)(uintptr_t)64, 8, {4, 5, 6}, {8, 32, 160}, 1, 0}; // NOLINT
}

/* A handle with `blocks` blocks of that shape, as far as arrays are compared with it. */
typedef struct setting {
    hx_handle handle;
    hxi_block block[2];
    ptrdiff_t stride[FIELDS * HX_MAX_AXES];
    ptrdiff_t apart[FIELDS];
} setting;

static hx_handle *make_handle(setting *s, const shape *made, int blocks)
{
    memset(s, 0, sizeof *s);
    hxi_owner_take(&s->handle, false);
    s->handle.spec = &spec;
    s->handle.mine = (hxi_block_list){.block = s->block, .blocks = blocks};
    s->handle.topology.rank = 7;
    for (int f = 0; f < FIELDS; ++f) {
        for (int a = 0; a < AXES; ++a) {
            s->stride[f * HX_MAX_AXES + a] = made->stride[f][a] / (f == WITHIN ? 2 : 1); /* points */
        }
        s->apart[f] = made->apart[f];
    }
    for (int b = 0; b < blocks; ++b) {
        s->block[b] =
            (hxi_block){.cells = {NX, NY, NZ, 1}, .sides = 3, .stride = s->stride, .apart = s->apart};
    }
    return &s->handle;
}

static void expect_shape(const hx_strided_array array[FIELDS], shape *made)
{
    const hx_status status = hx_shape_of_arrays(&spec, &part, array, made);
    assert_string_equal(status == HX_OK ? "" : hx_last_error(), "");
}

static void shapes_have_the_strides_of_their_arrays(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS];
    shape made;
    make_arrays(array);
    expect_shape(array, &made);
    static const ptrdiff_t expected[FIELDS][AXES] = {{1, 10, 100}, {200, 30, 1}, {2, 8, 40},
                                                     {1, 4, 20},   {1, 7, 35},   {1, 4, 20}};
    assert_memory_equal(made.stride, expected, sizeof expected);
    assert_int_equal(made.apart[APART], 10);
    assert_memory_equal(&made.part, &part, sizeof part);
}

static void fields_without_arrays_are_dense(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS] = {{0}};
    shape made;
    shape dense;
    expect_shape(array, &made);
    assert_int_equal(hx_spec_shape(&spec, &part, &dense), HX_OK);
    assert_memory_equal(&made, &dense, sizeof dense);
}

/* A stride is nobody's business where there is one point, as NumPy and Fortran have them. */
static void strides_of_single_points_do_not_matter(void **state)
{
    (void)state;
    static const hx_part flat = {.partition = {.axes = AXES}, .n = {NX, 1, 1}};
    for (int extent = 1; extent < 3; ++extent) { /* of padding, too */
        hx_strided_array array[FIELDS] = {[DEVICE] = {memory, 8, {4, extent, 1}, {8, 3, -800}, 1, -5}};
        shape made;
        assert_int_equal(hx_shape_of_arrays(&spec, &flat, array, &made), HX_OK);
        assert_int_equal(made.stride[DEVICE][1], 4);
        assert_int_equal(made.stride[DEVICE][2], 4);
        setting s;
        hx_handle *handle = make_handle(&s, &made, 1);
        s.block[0].cells[1] = s.block[0].cells[2] = 1;
        assert_int_equal(hx_check_array(handle, "call", 0, DEVICE, &array[DEVICE]), HX_OK);
    }
}

static void arrays_of_the_shape_are_taken(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS];
    shape made;
    setting s;
    make_arrays(array);
    expect_shape(array, &made);
    hx_handle *handle = make_handle(&s, &made, 1);
    for (int f = 0; f < FIELDS; ++f) {
        const hx_status status = hx_check_array(handle, "call", 0, f, &array[f]);
        assert_string_equal(status == HX_OK ? "" : hx_last_error(), "");
    }
}

/* A rank may have no points of a list. */
static void empty_lists_take_any_array(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS];
    shape made;
    setting s;
    make_arrays(array);
    expect_shape(array, &made);
    hx_handle *handle = make_handle(&s, &made, 1);
    spec.list = 1;
    s.block[0].cells[0] = 0;
    array[PLAIN] = (hx_strided_array){0};
    assert_int_equal(hx_check_array(handle, "call", 0, PLAIN, &array[PLAIN]), HX_OK);
    const hx_part empty = {.n = {0, NY, NZ}};
    array[PLAIN] = (hx_strided_array){memory, 8, {0}, {0}, 1, 0};
    assert_int_equal(hx_shape_of_arrays(&spec, &empty, array, &made), HX_OK);
    assert_int_equal(made.stride[PLAIN][0], 1);
    s.block[0].cells[0] = NX;
    array[PLAIN] = (hx_strided_array){0};
    assert_int_equal(hx_check_array(handle, "call", 0, PLAIN, &array[PLAIN]), HX_ERR_ARGUMENT);
    assert_string_equal(
        hx_last_error(),
        "call: u is null or not allocated; give it an array with 8 x 9 x 10 elements along x, y, "
        "z: 4 x 5 x 6 points and 2 of halo on each side (channel.lua:3).");
    spec.list = 0;
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

typedef struct mistake {
    int field;
    hx_strided_array array;
    const char *sentence; /* behind the call */
} mistake;

static const mistake both[] = {
    {PLAIN,
     {memory, 4, {8, 9, 10}, {4, 32, 288}, 1, 0},
     "elements of u have 4 bytes, the spec has double (channel.lua:3), which has 8; give an array of that type."},
    {PLAIN,
     {memory, 8, {8, 8, 10}, {8, 64, 512}, 1, 0},
     "u has 8 x 8 x 10 elements along x, y, z, it needs 8 x 9 x 10: 4 x 5 x 6 cells and 2 of halo on each side "
     "(channel.lua:3)."},
    {APART,
     {memory, 4, {6, 5, 9}, {800, 120, 4}, 3, 40},
     "t has 6 x 5 x 9 elements along x, y, z, it needs 7 x 5 x 9: 5 x 5 x 6 points, and a halo of 1 below and 1 "
     "above along x, 0 below and 0 above along y, 2 below and 1 above along z (channel.lua:4)."},
    {APART,
     {memory, 4, {7, 5, 9}, {800, 120, 4}, 2, 40},
     "t has 2 components, the spec has 3 (channel.lua:4)."},
    {PLAIN,
     {memory, 8, {8, 9, 10}, {800, 80, 8}, 1, 0},
     "u has another order in memory, the fastest first: z, y, x; the spec has x, y, z (channel.lua:3).  Transpose "
     "the array, or say order = ... in the spec."},
    {APART,
     {memory, 4, {7, 5, 9}, {800, 120, 12}, 3, 4},
     "t has another order in memory, the fastest first: components, z, y, x; the spec has z, components, y, x "
     "(channel.lua:4).  Transpose the array, or say order = ... in the spec."},
    {BEHIND,
     {memory, 8, {179}, {8}, 1, 0},
     "b has 179 elements, it needs 180: those of channel_points, with the ghost points behind the owned ones "
     "(channel.lua:6)."},
    {BEHIND,
     {memory, 8, {180}, {16}, 1, 0},
     "elements of b are 16 bytes apart; its ghost points lie behind the owned ones (channel.lua:6), so they have "
     "to lie side by side, 8 bytes apart."},
};

static const mistake shapes[] = {
    {PLAIN,
     {memory, 8, {8, 9, 10}, {24, 240, 2400}, 1, 0},
     "elements of u are 24 bytes apart along x; they have to lie side by side there, 8 bytes apart "
     "(channel.lua:3).  Give a whole array, or change order or components in the spec."},
    {PLAIN,
     {memory, 8, {8, 9, 10}, {8, 56, 800}, 1, 0},
     "elements of u are 56 bytes apart along y; they have to be 64 apart at least, since so many hold what comes "
     "before in memory (channel.lua:3).  Give an array whose elements do not overlap, and have higher addresses at "
     "higher indices."},
    {PLAIN,
     {memory, 8, {8, 9, 10}, {8, -64, 800}, 1, 0},
     "elements of u are -64 bytes apart along y; they have to be 64 apart at least, since so many hold what comes "
     "before in memory (channel.lua:3).  Give an array whose elements do not overlap, and have higher addresses at "
     "higher indices."},
    {PLAIN,
     {memory, 8, {8, 9, 10}, {8, 68, 800}, 1, 0},
     "elements of u are 68 bytes apart along y, which is no multiple of 8, the bytes of a point (channel.lua:3)."},
    {WITHIN,
     {memory, 8, {4, 5, 6}, {8, 32, 160}, 2, 960},
     "q has another order in memory, the fastest first: x, y, z, components; the spec has components, x, y, z "
     "(channel.lua:5).  Transpose the array, or say order = ... in the spec."},
    {WITHIN,
     {memory, 8, {4, 5, 6}, {32, 128, 640}, 2, 16},
     "elements of q are 16 bytes apart from component to component; they have to lie side by side there, 8 bytes "
     "apart (channel.lua:5).  Give a whole array, or change order or components in the spec."},
    {WITHIN,
     {memory, 8, {4, 5, 6}, {16, 72, 360}, 2, 8},
     "elements of q are 72 bytes apart along y, which is no multiple of 16, the bytes of a point (channel.lua:5)."},
    {FIXED,
     {memory, 8, {4, 5, 6}, {8, 32, 160}, 1, 0},
     "elements of f are 32 bytes apart along y; the emitted code counts on 56, since the spec fixes the cells of "
     "all faster axes (channel.lua:7).  padding = ... in the spec changes it."},
};

static const mistake handles[] = {
    {PLAIN,
     {NULL, 8, {8, 9, 10}, {8, 64, 576}, 1, 0},
     "u is null or not allocated; give it an array with 8 x 9 x 10 elements along x, y, z: 4 x 5 x 6 cells and 2 of "
     "halo on each side (channel.lua:3)."},
    {BEHIND, {NULL, 8, {180}, {8}, 1, 0}, "b is null or not allocated; give it an array (channel.lua:6)."},
    {PLAIN,
     {memory, 8, {8, 9, 10}, {24, 240, 2400}, 1, 0},
     "elements of u are 24 bytes apart along x, but the shape has 8; give the whole array, in which they lie side "
     "by side (channel.lua:3)."},
    {PLAIN,
     {memory, 8, {8, 9, 10}, {8, 64, 576}, 1, 0},
     "elements of u are 64 bytes apart along y, but the shape has 80; give the whole array, or put the strides into "
     "the shape (channel.lua:3)."},
    {PLAIN,
     {memory, 8, {9, 9, 12}, {8, 72, 648}, 1, 0},
     "u has 9 x 9 x 12 elements along x, y, z, more than the 8 x 9 x 10 that it needs, so they are 72 bytes apart "
     "along y, but the shape has 80; give an array of that size, or make the shape of your arrays with "
     "channel_shape_of (channel.lua:3)."},
    {APART,
     {memory, 4, {7, 5, 9}, {800, 120, 4}, 3, 36},
     "elements of t are 36 bytes apart from component to component, but the shape has 40; give the whole array, or "
     "put the strides into the shape (channel.lua:4)."},
};

static void expect_sentence(const mistake *m, const char *call, hx_status found)
{
    char expected[HX_SENTENCE];
    hxi_text text = {expected, sizeof expected, 0};
    hxi_text_add(&text, "%s: %s", call, m->sentence);
    assert_int_equal(found, HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), expected);
}

static void refuse_in_shape(const mistake *m)
{
    static const shape zero;
    hx_strided_array array[FIELDS] = {{0}};
    shape made;
    array[m->field] = m->array;
    expect_sentence(m, "channel_shape_of", hx_shape_of_arrays(&spec, &part, array, &made));
    assert_memory_equal(&made, &zero, sizeof zero);
}

static void refuse_in_handle(const mistake *m)
{
    hx_strided_array array[FIELDS];
    shape made;
    setting s;
    make_arrays(array);
    expect_shape(array, &made);
    hx_handle *handle = make_handle(&s, &made, 1);
    expect_sentence(m, "channel_x", hx_check_array(handle, "channel_x", 0, m->field, &m->array));
}

static void arrays_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof both / sizeof *both; ++i) {
        refuse_in_shape(&both[i]);
        refuse_in_handle(&both[i]);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        refuse_in_shape(&shapes[i]);
    }
    for (size_t i = 0; i < sizeof handles / sizeof *handles; ++i) {
        refuse_in_handle(&handles[i]);
    }
}

static void addresses_are_aligned(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS] = {{0}};
    shape made;
    array[PLAIN] = (hx_strided_array){(char *)memory + 4, 8, {8, 9, 10}, {8, 64, 576}, 1, 0};
    assert_int_equal(hx_shape_of_arrays(&spec, &part, array, &made), HX_ERR_ARGUMENT);
    assert_non_null(
        strstr(hx_last_error(), "which is no multiple of 8; double (channel.lua:3) has to be aligned"));
}

static void one_of_several_blocks_is_named(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS];
    shape made;
    setting s;
    make_arrays(array);
    expect_shape(array, &made);
    hx_handle *handle = make_handle(&s, &made, 2);
    array[PLAIN].extent[1] = 8;
    assert_int_equal(hx_check_array(handle, "call", 1, PLAIN, &array[PLAIN]), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(),
                           "u has 10 x 8 x 10 elements along x, y, z in block 1 (counted from 0), "
                           "it needs 8 x 9 x 10"));
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    hx_strided_array array[FIELDS];
    shape made;
    setting s;
    make_arrays(array);
    expect_shape(array, &made);
    const hx_handle *handle = make_handle(&s, &made, 1);
    static const struct {
        int block, field;
        const char *sentence;
    } cases[] = {
        {1, PLAIN, "call: there is no block 1; the handle has 1 on rank 7, counted from 0."},
        {-1, PLAIN, "call: there is no block -1; the handle has 1 on rank 7, counted from 0."},
        {0, FIELDS, "call: there is no field 6; the handle has 6 on rank 7, counted from 0."},
        {0, -1, "call: there is no field -1; the handle has 6 on rank 7, counted from 0."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(hx_check_array(handle, "call", cases[i].block, cases[i].field, array),
                         HX_ERR_ARGUMENT);
        assert_string_equal(hx_last_error(), cases[i].sentence);
    }
    assert_int_equal(hx_check_array(NULL, "call", 0, 0, array), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "call: the handle is a null pointer; give one that create made.");
    assert_int_equal(hx_check_array(handle, "call", 0, 0, NULL), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "call: the array is a null pointer; give one.");
    assert_int_equal(hx_check_array(handle, NULL, 0, 0, array), HX_ERR_ARGUMENT);
    assert_int_equal(hx_shape_of_arrays(&spec, &part, NULL, &made), HX_ERR_ARGUMENT);
    assert_int_equal(hx_shape_of_arrays(&spec, NULL, array, &made), HX_ERR_ARGUMENT);
    assert_int_equal(hx_shape_of_arrays(NULL, &part, array, &made), HX_ERR_ARGUMENT);
}

static void empty_parts_are_refused(void **state)
{
    (void)state;
    static const hx_part empty;
    hx_strided_array array[FIELDS];
    shape made;
    make_arrays(array);
    assert_int_equal(hx_shape_of_arrays(&spec, &empty, array, &made), HX_ERR_PARTITION);
    assert_string_equal(hx_last_error(),
                        "channel_shape_of: the part has 0 cells along x; fill it with hx_decompose "
                        "or hx_part_of, and look at what that returns.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_the_strides_of_their_arrays),
        cmocka_unit_test(fields_without_arrays_are_dense),
        cmocka_unit_test(strides_of_single_points_do_not_matter),
        cmocka_unit_test(arrays_of_the_shape_are_taken),
        cmocka_unit_test(empty_lists_take_any_array),
        cmocka_unit_test(arrays_that_do_not_fit_are_refused),
        cmocka_unit_test(addresses_are_aligned),
        cmocka_unit_test(one_of_several_blocks_is_named),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(empty_parts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
