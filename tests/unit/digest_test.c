/*
 * Digests of audits: the same for the same rows wherever they lie, and others where a bit, a sign or a place
 * has changed.  What they must be is reckoned here word by word, so that all machines agree.
 * meson.build tries them as other processors have them, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "audit/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 80, LONG_BYTES = 700, ROWS = 5, STRIDE = 96 };

static uint64_t dice = 1;

static uint64_t roll(void)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return dice >> 16;
}

/* Rows in memory of their own size, so that tools see who reads behind them. */
typedef struct rows {
    unsigned char *memory;
    hxi_strided lines;
} rows;

static rows make(size_t bytes, int count, ptrdiff_t stride)
{
    const size_t all = (size_t)(count - 1) * (size_t)stride + bytes;
    rows made = {.memory = malloc(all)};
    made.lines = (hxi_strided){made.memory, stride, count, bytes};
    return made;
}

static void fill(rows *r)
{
    for (int j = 0; j < r->lines.count; ++j) {
        for (size_t i = 0; i < r->lines.bytes; ++i) {
            r->memory[j * r->lines.stride + (ptrdiff_t)i] = (unsigned char)roll();
        }
    }
}

static rows copy(const rows *from, ptrdiff_t stride)
{
    rows made = make(from->lines.bytes, from->lines.count, stride);
    for (int j = 0; j < from->lines.count; ++j) {
        memcpy(made.memory + j * stride, from->memory + j * from->lines.stride, from->lines.bytes);
    }
    return made;
}

/* The first 512 digits of pi behind the point, in base 16, by the series of Bailey, Borwein and Plouffe. */
static double sum_of_eighths(int digit, int place)
{
    double sum = 0.0;
    for (int k = 0; k <= digit; ++k) {
        const int modulus = 8 * k + place;
        uint64_t power = 1 % (uint64_t)modulus;
        for (int e = 0; e < digit - k; ++e) {
            power = power * 16 % (uint64_t)modulus;
        }
        sum += (double)power / modulus;
    }
    double weight = 1.0 / 16;
    for (int k = digit + 1; k < digit + 12; ++k, weight /= 16) {
        sum += weight / (8 * k + place);
    }
    return sum - floor(sum);
}

static uint64_t digit_of_pi(int digit)
{
    const double x = 4 * sum_of_eighths(digit, 1) - 2 * sum_of_eighths(digit, 4) - sum_of_eighths(digit, 5) -
                     sum_of_eighths(digit, 6);
    return (uint64_t)(16 * (x - floor(x)));
}

static uint64_t word_of_pi(int number)
{
    static uint64_t word[32];
    if (word[number % 32] == 0) {
        for (int d = 0; d < 16; ++d) {
            word[number % 32] = word[number % 32] << 4 | digit_of_pi(16 * (number % 32) + d);
        }
    }
    return word[number % 32];
}

/* What the pieces before come to, when the next one is added. */
static uint64_t multiplied(uint64_t sum)
{
    return sum % (UINT64_C(1) << 32) * 4294883355U + (sum >> 32);
}

/* Of one piece: the bytes of a row from `first` on, from a place of the keys on; of even words, and of odd ones. */
static void add_words(const unsigned char *row, int bytes, int place, uint64_t sum[2])
{
    for (int w = 0; 8 * w < (bytes + 15) / 16 * 16; ++w) {
        uint64_t value = word_of_pi(place + w);
        for (int i = 0; i < 8 && 8 * w + i < bytes; ++i) {
            value += (uint64_t)row[8 * w + i] << 8 * i;
        }
        sum[w % 2] += value % (UINT64_C(1) << 32) * (value >> 32);
    }
}

static uint64_t reckoned(const hxi_strided *l)
{
    const int bytes = (int)l->bytes;
    const int words = (bytes + 15) / 16 * 2;
    const int together = bytes <= 32 ? 32 / words : 1; /* of a piece */
    uint64_t all[2] = {0};
    for (int j = 0; j < l->count; j += together) {
        for (int first = 0; first < bytes; first += 256) {
            uint64_t sum[2] = {0};
            for (int k = j; k < j + together && k < l->count; ++k) {
                add_words(l->at + k * l->stride + first, bytes - first < 256 ? bytes - first : 256,
                          (k - j) * words, sum);
            }
            all[0] = multiplied(all[0]) + sum[0];
            all[1] = multiplied(all[1]) + sum[1];
        }
    }
    return all[0] + all[1];
}

static void depends_on_bytes_alone(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= LONG_BYTES; bytes += bytes < MOST_BYTES ? 1 : 31) {
        rows one = make(bytes, 40, (ptrdiff_t)bytes + STRIDE);
        fill(&one);
        rows other = copy(&one, (ptrdiff_t)bytes);
        bool same = false;
        assert_true(hxi_digest(&one.lines) == reckoned(&one.lines));
        assert_true(hxi_digest(&other.lines) == hxi_digest(&one.lines));
        assert_true(hxi_digest_same(&one.lines, &other.lines, &same) == hxi_digest(&one.lines));
        assert_true(same);
        assert_true(hxi_strided_same(&one.lines, &other.lines));
        rows there = make(bytes, 40, (ptrdiff_t)bytes);
        assert_true(hxi_digest_copy(&one.lines, there.memory) == hxi_digest(&one.lines));
        assert_memory_equal(there.memory, other.memory, 40 * bytes);
        memset(one.memory, 0, (size_t)one.lines.stride * 39 + bytes);
        hxi_strided_copy(&other.lines, one.memory, one.lines.stride);
        memset(there.memory, 0, 40 * bytes);
        hxi_strided_copy(&one.lines, there.memory, (ptrdiff_t)bytes);
        assert_memory_equal(there.memory, other.memory, 40 * bytes);
        free(there.memory);
        free(one.memory);
        free(other.memory);
    }
}

static void each_bit_counts(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= MOST_BYTES; ++bytes) {
        rows one = make(bytes, ROWS, STRIDE);
        fill(&one);
        rows other = copy(&one, (ptrdiff_t)bytes);
        for (size_t bit = 0; bit < 8 * bytes * ROWS; ++bit) {
            bool same = true;
            other.memory[bit / 8] ^= (unsigned char)(1U << bit % 8);
            assert_true(hxi_digest(&other.lines) != hxi_digest(&one.lines));
            hxi_digest_same(&one.lines, &other.lines, &same);
            assert_false(same);
            assert_false(hxi_strided_same(&one.lines, &other.lines));
            other.memory[bit / 8] ^= (unsigned char)(1U << bit % 8);
        }
        free(one.memory);
        free(other.memory);
    }
}

static void each_bit_is_not_zero(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= MOST_BYTES; ++bytes) {
        rows one = make(bytes, ROWS, (ptrdiff_t)bytes);
        memset(one.memory, 0, bytes * ROWS);
        assert_true(hxi_strided_zero(&one.lines));
        for (size_t bit = 0; bit < 8 * bytes * ROWS; ++bit) {
            one.memory[bit / 8] = (unsigned char)(1U << bit % 8);
            assert_false(hxi_strided_zero(&one.lines));
            one.memory[bit / 8] = 0;
        }
        free(one.memory);
    }
}

/* Numbers that programs have: small ones, of which many bits are zero.  Wrong signs come in crowds. */
static void signs_and_places_count(void **state)
{
    (void)state;
    enum { POINTS = 15 };
    double value[POINTS];
    const hxi_strided lines = {(const unsigned char *)value, 3 * sizeof *value, POINTS / 3,
                               3 * sizeof *value};
    for (int i = 0; i < POINTS; ++i) {
        value[i] = i % 4 == 1 || i % 4 == 2 ? -1.0 : 1.0;
    }
    const uint64_t right = hxi_digest(&lines);
    for (unsigned set = 1; set < 1U << POINTS; ++set) {
        for (int i = 0; i < POINTS; ++i) {
            value[i] = (set >> i & 1) != 0 ? -value[i] : value[i];
        }
        assert_true(hxi_digest(&lines) != right);
        for (int i = 0; i < POINTS; ++i) {
            value[i] = (set >> i & 1) != 0 ? -value[i] : value[i];
        }
    }
    for (int i = 0; i < POINTS; ++i) {
        value[i] = i;
    }
    const uint64_t in_order = hxi_digest(&lines);
    for (int i = 0; i < POINTS; ++i) {
        for (int j = 0; j < i; ++j) {
            const double kept = value[i];
            value[i] = value[j];
            value[j] = kept;
            assert_true(hxi_digest(&lines) != in_order);
            value[j] = value[i];
            value[i] = kept;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depends_on_bytes_alone),
        cmocka_unit_test(each_bit_counts),
        cmocka_unit_test(each_bit_is_not_zero),
        cmocka_unit_test(signs_and_places_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
