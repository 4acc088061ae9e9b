/*
 * Sums that audits tell quickly: right ones hold, and none where one number, share or sum is another one.  Numbers lie in faces
 * of a block, three in a row, and some get several shares.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "audit/sums.h"

#include <stdint.h>
#include <string.h>

enum { WIDE = 10, HIGH = 12, LAYERS = 3, BUNDLES = 2, NUMBERS = 2 * LAYERS * HIGH, SHARES = NUMBERS + 20 };

/* Of doubles or floats. */
typedef struct world {
    hxi_number_type type;
    int numbers;
    int place[NUMBERS]; /* of each: where it lies ... */
    int share[NUMBERS]; /* ... and its first share */
    int more[NUMBERS];  /* shares of the other bundle, the second of which is subtracted */
    hxi_sums *sums;
    unsigned char array[WIDE * HIGH * sizeof(double)];
    unsigned char bundle[BUNDLES][SHARES * sizeof(double)];
    void *arrays[1];
    const unsigned char *bundles[BUNDLES];
} world;

static void write(const world *w, unsigned char *to, int at, double number)
{
    const float single = (float)number;
    memcpy(to + at * w->type.size,
           w->type.size == (int)sizeof number ? (const void *)&number : (const void *)&single,
           (size_t)w->type.size);
}

static double read(const world *w, const unsigned char *from, int at)
{
    return hxi_number_read_any(w->type, from + at * w->type.size).real;
}

/*
 * Rows have three at their beginning and, but for the first three rows, three at their end.  The last row has more shares.  In
 * memory a row is left out, as between two planes, and so are some shares.
 */
static void place_all(world *w)
{
    for (int row = 0; row < HIGH - 1; ++row) {
        for (int i = 0; i < (row < 3 ? LAYERS : 2 * LAYERS); ++i) {
            const bool low = i < LAYERS;
            w->place[w->numbers] = (row + (row > 5)) * WIDE + (low ? i : WIDE - 2 * LAYERS + i);
            w->share[w->numbers] = row * LAYERS + i % LAYERS + (low ? 0 : LAYERS * HIGH) + (row > 8 ? 7 : 0);
            w->more[w->numbers++] = row == HIGH - 2 ? 2 : 0;
        }
    }
}

static int more_at(int number, int k)
{
    return number % (2 * LAYERS) + 2 * LAYERS * k;
}

static void begin(world *w, hxi_value_kind kind, int size)
{
    *w = (world){.type = {kind, size}};
    w->arrays[0] = w->array;
    place_all(w);
    w->sums = hxi_sums_make(w->type, NUMBERS, 3 * NUMBERS);
    assert_non_null(w->sums);
    for (int i = 0; i < WIDE * HIGH; ++i) {
        write(w, w->array, i, 1.0 / (i + 3));
    }
    for (int i = 0; i < BUNDLES * SHARES; ++i) {
        write(w, w->bundle[i / SHARES], i % SHARES, -0.7 * (i + 1));
        w->bundles[i / SHARES] = w->bundle[i / SHARES];
    }
    for (int i = 0; i < w->numbers; ++i) {
        hxi_sums_number(w->sums, 0, (ptrdiff_t)w->place[i] * size);
        hxi_sums_share(w->sums, &(hxi_sums_source){0, false, (ptrdiff_t)w->share[i] * size});
        for (int k = 0; k < w->more[i]; ++k) {
            hxi_sums_share(w->sums, &(hxi_sums_source){1, k == 1, (ptrdiff_t)(more_at(i, k)) * size});
        }
        hxi_sums_end(w->sums);
    }
    assert_true(hxi_sums_close(w->sums));
    hxi_sums_start(w->sums, w->arrays);
}

/* As an exchange does. */
static void add(world *w)
{
    for (int i = 0; i < w->numbers; ++i) {
        const int at = w->place[i];
        write(w, w->array, at, read(w, w->array, at) + read(w, w->bundle[0], w->share[i]));
        for (int k = 0; k < w->more[i]; ++k) {
            const double share = read(w, w->bundle[1], more_at(i, k));
            write(w, w->array, at, read(w, w->array, at) + (k == 1 ? -share : share));
        }
    }
}

static void check_type(hxi_value_kind kind, int size)
{
    world w;
    begin(&w, kind, size);
    for (int i = 0; i < w.numbers; ++i) {
        assert_true(hxi_sums_was(w.sums, i).real == read(&w, w.array, w.place[i]));
    }
    add(&w);
    assert_true(hxi_sums_hold(w.sums, w.arrays, w.bundles));
    for (int i = 0; i < w.numbers; ++i) {
        unsigned char kept[sizeof(double)];
        unsigned char *number = w.array + w.place[i] * size;
        unsigned char *share = w.bundle[0] + w.share[i] * size;
        memcpy(kept, number, (size_t)size);
        write(&w, number, 0, read(&w, number, 0) * 1.001);
        assert_false(hxi_sums_hold(w.sums, w.arrays, w.bundles));
        write(&w, number, 0, (double)NAN);
        assert_false(hxi_sums_hold(w.sums, w.arrays, w.bundles));
        memcpy(number, kept, (size_t)size);
        memcpy(kept, share, (size_t)size);
        write(&w, share, 0, read(&w, share, 0) + 1.0);
        assert_false(hxi_sums_hold(w.sums, w.arrays, w.bundles));
        memcpy(share, kept, (size_t)size);
    }
    assert_true(hxi_sums_hold(w.sums, w.arrays, w.bundles));
    hxi_sums_free(w.sums);
}

static void doubles(void **state)
{
    (void)state;
    check_type(HX_VALUE_DOUBLE, (int)sizeof(double));
}

static void floats(void **state)
{
    (void)state;
    check_type(HX_VALUE_FLOAT, (int)sizeof(float));
}

/* Sums of one share that are rounded otherwise hold, too. */
static void rounded(void **state)
{
    world w;
    (void)state;
    begin(&w, HX_VALUE_DOUBLE, (int)sizeof(double));
    add(&w);
    for (int i = 0; i < w.numbers; ++i) {
        write(&w, w.array, w.place[i], nextafter(read(&w, w.array, w.place[i]), 0.0));
    }
    assert_true(hxi_sums_hold(w.sums, w.arrays, w.bundles));
    hxi_sums_free(w.sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles),
        cmocka_unit_test(floats),
        cmocka_unit_test(rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
