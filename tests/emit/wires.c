/*
 * Numbers as they travel, in emitted code: each is the nearest of its format, found among all numbers of the
 * format in a sorted table; integers are what they were.  It is compiled with the emitted source, whose functions are its own.
 */
#include SOURCE

#include <float.h>
#include <math.h>
#include <stdio.h>

static int failures;
static long tried;

/* ---- what is right ------------------------------------------------------------------------------------- */

/* The positive numbers of a format by rising code, each exact in a double; behind the greatest finite one what
 * would follow it, which stands for infinity. */
typedef struct table {
    double *number;
    int count; /* the code of infinity */
} table;

static double numbers[2][0x10000];

/* Of `digits` binary digits, from 2^least on. */
static table table_of(int which, int digits, int least, int count)
{
    const int fraction = digits - 1;
    for (int code = 0; code <= count; ++code) {
        const int exponent = code >> fraction;
        const int rest = code & ((1 << fraction) - 1);
        numbers[which][code] = exponent == 0 ? ldexp(rest, least - fraction)
                                             : ldexp((1 << fraction) + rest, exponent - 1 + least - fraction);
    }
    return (table){numbers[which], count};
}

/* The code of the number next to a positive one; of two as near the even one. */
static int nearest(table t, double value)
{
    int low = 0;
    int high = t.count;
    if (value >= t.number[high]) {
        return high;
    }
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(value < t.number[middle] ? &high : &low) = middle;
    }
    const double half = (t.number[low] + t.number[high]) / 2;
    return value < half || (value == half && low % 2 == 0) ? low : high;
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

typedef enum format { HALF, BFLOAT16 } format;

static void wrong(const char *what, double value, unsigned found, unsigned wanted)
{
    if (++failures <= 10) {
        printf("%s of %a is 0x%04x; it should be 0x%04x\n", what, value, found, wanted);
    }
}

/* Some eights alike, and one alone, so that all loops are run, and processors' own instructions are compared with them. */
enum { ALIKE = 25 };

static void narrow(format f, double value, uint16_t code[2])
{
    double in[ALIKE];
    float in_float[ALIKE];
    uint16_t out[ALIKE];
    for (int i = 0; i < ALIKE; ++i) {
        in[i] = value;
        in_float[i] = (float)value;
    }
    (f == HALF ? narrow_double_half : narrow_double_bfloat16)(out, in, ALIKE);
    for (int i = 1; i < ALIKE; ++i) {
        if (out[i] != out[0]) {
            wrong("one of several alike", value, out[i], out[0]);
        }
    }
    code[0] = out[0];
    (f == HALF ? narrow_float_half : narrow_float_bfloat16)(out, in_float, ALIKE);
    for (int i = 1; i < ALIKE; ++i) {
        if (out[i] != out[0]) {
            wrong("one of several floats alike", value, out[i], out[0]);
        }
    }
    code[1] = out[ALIKE - 1];
}

/* From array to array it becomes what a message would make of it. */
static void try_round(format f, double value)
{
    double in[ALIKE];
    double out[ALIKE];
    uint16_t code[ALIKE];
    double back[ALIKE];
    for (int i = 0; i < ALIKE; ++i) {
        in[i] = value;
    }
    (f == HALF ? round_double_half : round_double_bfloat16)(out, in, ALIKE);
    (f == HALF ? narrow_double_half : narrow_double_bfloat16)(code, in, ALIKE);
    (f == HALF ? widen_double_half : widen_double_bfloat16)(back, code, ALIKE);
    for (int i = 0; i < ALIKE; ++i) {
        if (out[i] != back[i]) {
            wrong("rounding in place", value, code[i], code[0]);
        }
    }
}

static void try_one(format f, table t, double value)
{
    uint16_t code[2];
    try_round(f, value);
    for (int sign = 0; sign < 2; ++sign) {
        const double number = sign ? -value : value;
        const unsigned wanted = (unsigned)nearest(t, value) | (sign ? 0x8000U : 0);
        narrow(f, number, code);
        if (code[0] != wanted) {
            wrong(f == HALF ? "half" : "bfloat16", number, code[0], wanted);
        }
        const unsigned of_float = (unsigned)nearest(t, fabs((double)(float)value)) | (sign ? 0x8000U : 0);
        if (code[1] != of_float) {
            wrong(f == HALF ? "half, from a float," : "bfloat16, from a float,", number, code[1], of_float);
        }
        tried++;
    }
}

/* Out of a message it is the number that it was, to the bit. */
static void try_back(format f, table t, int code)
{
    uint16_t in[ALIKE];
    double out[ALIKE];
    float out_float[ALIKE];
    for (int i = 0; i < ALIKE; ++i) {
        in[i] = (uint16_t)(code | (i % 2 ? 0x8000 : 0));
    }
    (f == HALF ? widen_double_half : widen_double_bfloat16)(out, in, ALIKE);
    (f == HALF ? widen_float_half : widen_float_bfloat16)(out_float, in, ALIKE);
    for (int i = 0; i < ALIKE; ++i) {
        const double positive = code == t.count ? (double)INFINITY : t.number[code];
        const double wanted = i % 2 ? -positive : positive;
        if (out[i] != wanted || (double)out_float[i] != wanted || signbit(out[i]) != signbit(wanted)) {
            wrong("what comes back", out[i], in[i], in[i]);
        }
    }
}

/* A NaN that has travelled comes back with the same bits from all loops; no other one is in a message. */
static void try_nothing_back(format f, unsigned code)
{
    uint16_t in[ALIKE];
    double out[ALIKE];
    float out_float[ALIKE];
    for (int i = 0; i < ALIKE; ++i) {
        in[i] = (uint16_t)code;
    }
    (f == HALF ? widen_double_half : widen_double_bfloat16)(out, in, ALIKE);
    (f == HALF ? widen_float_half : widen_float_bfloat16)(out_float, in, ALIKE);
    for (int i = 0; i < ALIKE; ++i) {
        if (!isnan(out[i]) || memcmp(&out[i], &out[ALIKE - 1], sizeof *out) != 0 ||
            memcmp(&out_float[i], &out_float[ALIKE - 1], sizeof *out_float) != 0) {
            wrong("a NaN that comes back", out[i], code, code);
        }
    }
}

static double of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void try_nothing(format f)
{
    const double nan[] = {(double)NAN, -(double)NAN, of_bits(UINT64_C(0x7ff0000000000001)),
                          of_bits(UINT64_C(0xfff7ffffffffffff))};
    for (int i = 0; i < 4; ++i) {
        uint16_t code[2];
        double back[1];
        narrow(f, nan[i], code);
        (f == HALF ? widen_double_half : widen_double_bfloat16)(back, code, 1);
        if (!isnan(back[0])) {
            wrong("a NaN", nan[i], code[0], 0x7e00);
        }
    }
    const unsigned first = f == HALF ? 0x7e00 : 0x7fc0;
    for (unsigned code = first; code <= 0x7fff; ++code) {
        try_nothing_back(f, code);
        try_nothing_back(f, code | 0x8000);
    }
}

/* Every number of a format, what lies half way to the next one, and what lies beside those. */
static void try_format(format f, table t)
{
    for (int code = 0; code < t.count; ++code) {
        const double number = t.number[code];
        const double half = (number + t.number[code + 1]) / 2;
        const double values[] = {number,
                                 nextafter(number, INFINITY),
                                 half,
                                 nextafter(half, 0.0),
                                 nextafter(half, INFINITY),
                                 (double)nextafterf((float)half, INFINITY)};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
            try_one(f, t, values[i]);
        }
        try_back(f, t, code);
    }
    const double beyond[] = {DBL_MIN,
                             DBL_TRUE_MIN,
                             DBL_MAX,
                             (double)FLT_MAX,
                             INFINITY,
                             (double)FLT_TRUE_MIN,
                             3 * (double)FLT_TRUE_MIN / 2};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i) {
        try_one(f, t, beyond[i]);
    }
    try_back(f, t, t.count);
    try_nothing(f);
}

/* A float is no further away than its neighbors, and even where one is as near. */
static void try_float(double value)
{
    double in[11];
    float out[11];
    double back[11];
    for (int i = 0; i < 11; ++i) {
        in[i] = value;
    }
    narrow_double_float(out, in, 11);
    round_double_float(back, in, 11);
    for (int i = 0; i < 11; ++i) {
        if (back[i] != (double)out[0] || out[i] != out[0]) {
            wrong("float, one of several alike,", value, (unsigned)i, 0);
        }
    }
    const float beside[] = {nextafterf(out[0], -INFINITY), nextafterf(out[0], INFINITY)};
    uint32_t bits;
    memcpy(&bits, out, sizeof bits);
    for (int i = 0; i < 2; ++i) {
        const double near = fabs(value - (double)out[0]);
        const double other = fabs(value - (double)beside[i]);
        if (other < near || (other == near && bits % 2 != 0)) {
            wrong("float", value, bits, bits ^ 1);
        }
    }
    tried++;
}

/* An integer travels as it is, or as the least of the format, from eight alike and one alone. */
static void try_integer(int value)
{
    int in[9];
    int back[9];
    int copy[9];
    int16_t two[9];
    int8_t one[9];
    for (int i = 0; i < 9; ++i) {
        in[i] = value;
    }
    narrow_int_int16(two, in, 9);
    widen_int_int16(back, two, 9);
    round_int_int16(copy, in, 9);
    narrow_int_int8(one, in, 9);
    for (int i = 0; i < 9; ++i) {
        const int wanted = value < -32767 || value > 32767 ? -32768 : value;
        if (two[i] != wanted || back[i] != wanted || copy[i] != wanted) {
            wrong("int16", value, (unsigned)two[i], (unsigned)wanted);
        }
        if (one[i] != (value < -127 || value > 127 ? -128 : value)) {
            wrong("int8", value, (unsigned)one[i], (unsigned)value);
        }
    }
    tried++;
}

static void try_without_sign(unsigned long value)
{
    int32_t out[1];
    unsigned long back[1];
    narrow_unsigned_long_int32(out, &value, 1);
    widen_unsigned_long_int32(back, out, 1);
    if (value <= 0x7fffffff ? back[0] != value : out[0] != INT32_MIN) {
        wrong("int32", (double)value, (unsigned)out[0], (unsigned)value);
    }
    tried++;
}

int main(void)
{
    for (int value = -70000; value <= 70000; ++value) {
        try_integer(value);
    }
    try_integer(INT32_MAX);
    try_integer(INT32_MIN);
    for (int bit = 0; bit < 64; ++bit) {
        try_without_sign(1UL << bit);
        try_without_sign((1UL << bit) - 1);
        try_without_sign(-(1UL << bit));
    }
    try_format(HALF, table_of(0, 11, -14, 0x7c00));
    try_format(BFLOAT16, table_of(1, 8, -126, 0x7f80));
    uint64_t state = 1;
    for (int i = 0; i < 200000; ++i) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        /* exponents that a float has; every third number half way between two */
        const uint64_t mantissa = i % 3 ? state >> 12 : (state >> 41 << 29) | UINT64_C(1) << 28;
        const double value = of_bits((UINT64_C(1023) - 100 + (uint64_t)i % 200) << 52 | mantissa);
        try_float(i % 2 ? value : -value);
        try_one(HALF, (table){numbers[0], 0x7c00}, fabs(value));
        try_one(BFLOAT16, (table){numbers[1], 0x7f80}, fabs(value));
    }
    printf("%ld numbers rounded, %d of them wrong\n", tried, failures);
    return failures > 0;
}
