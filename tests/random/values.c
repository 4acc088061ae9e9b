#include "values.h"

#include <hx/hx.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One to one on 64 bits (the finalizer of SplitMix64). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* One to one on 24 bits. */
static uint64_t mix24(uint64_t number, unsigned salt)
{
    return (number * (2u * salt + 1u) + 7919u * salt) % VALUE_NUMBERS;
}

static uint64_t load_integer(size_t size, const void *element)
{
    uint8_t byte;
    uint16_t word;
    uint32_t half;
    uint64_t whole;
    switch (size) {
    case 1:
        memcpy(&byte, element, 1);
        return byte;
    case 2:
        memcpy(&word, element, 2);
        return word;
    case 4:
        memcpy(&half, element, 4);
        return half;
    default:
        memcpy(&whole, element, 8);
        return whole;
    }
}

static void store_integer(uint64_t value, size_t size, void *element)
{
    switch (size) {
    case 1:
        memcpy(element, &(uint8_t){(uint8_t)value}, 1);
        break;
    case 2:
        memcpy(element, &(uint16_t){(uint16_t)value}, 2);
        break;
    case 4:
        memcpy(element, &(uint32_t){(uint32_t)value}, 4);
        break;
    default:
        memcpy(element, &value, 8);
        break;
    }
}

/* Every type that is no struct and no integer as two parts, the second 0 but for complex ones. */
typedef struct parts {
    long double re, im;
} parts;

static parts load(value_kind kind, const void *element)
{
    parts p = {0, 0};
    float single[2];
    double both[2];
    hx_half half;
    switch (kind) {
    case VALUE_FLOAT:
        memcpy(single, element, sizeof *single);
        p.re = (long double)single[0];
        break;
    case VALUE_DOUBLE:
        memcpy(both, element, sizeof *both);
        p.re = (long double)both[0];
        break;
    case VALUE_LONG_DOUBLE:
        memcpy(&p.re, element, sizeof p.re);
        break;
    case VALUE_COMPLEX64:
        memcpy(single, element, sizeof single);
        p = (parts){(long double)single[0], (long double)single[1]};
        break;
    case VALUE_COMPLEX128:
        memcpy(both, element, sizeof both);
        p = (parts){(long double)both[0], (long double)both[1]};
        break;
    default:
        memcpy(&half, element, sizeof half);
        p.re = (long double)half;
        break;
    }
    return p;
}

static void store(value_kind kind, void *element, parts p)
{
    const float single[2] = {(float)p.re, (float)p.im};
    const double both[2] = {(double)p.re, (double)p.im};
    const hx_half half = (hx_half)p.re;
    switch (kind) {
    case VALUE_FLOAT:
        memcpy(element, single, sizeof *single);
        break;
    case VALUE_DOUBLE:
        memcpy(element, both, sizeof *both);
        break;
    case VALUE_LONG_DOUBLE:
        memcpy(element, &p.re, sizeof p.re);
        break;
    case VALUE_COMPLEX64:
        memcpy(element, single, sizeof single);
        break;
    case VALUE_COMPLEX128:
        memcpy(element, both, sizeof both);
        break;
    default:
        memcpy(element, &half, sizeof half);
        break;
    }
}

static void make_small(value_kind kind, size_t size, void *element, uint64_t hashed)
{
    const uint64_t few = kind == VALUE_HALF ? 7 : size == 1 ? 100 : 1000;
    const uint64_t value = 1 + hashed % few;
    if (kind == VALUE_INTEGER) {
        store_integer(value, size, element);
    } else {
        store(kind, element, (parts){(long double)value, (long double)(hashed / few % few)});
    }
}

void value_make(value_kind kind, size_t size, void *element, uint64_t number, unsigned salt, bool small)
{
    const uint64_t hashed = mix(mix(number + 1) + salt);
    const uint64_t distinct = mix24(number, salt);
    const long double sign = distinct % 2 == 0 ? 1 : -1;
    memset(element, 0, size);
    switch (kind) {
    case VALUE_INTEGER:
        if (small) {
            make_small(kind, size, element, hashed);
        } else {
            store_integer(size < 4 ? hashed : size == 4 ? distinct * 257 : mix(distinct), size, element);
        }
        break;
    case VALUE_BOOL:
        memcpy(element, &(bool){hashed % 2 == 1}, sizeof(bool));
        break;
    case VALUE_BYTES:
        for (size_t i = 0; i < size; ++i) {
            ((unsigned char *)element)[i] = (unsigned char)mix(hashed + i);
        }
        break;
    case VALUE_HALF:
        if (small) {
            make_small(kind, size, element, hashed);
        } else {
            store(kind, element, (parts){(long double)(1 + hashed % 2047), 0});
        }
        break;
    default:
        if (small) {
            make_small(kind, size, element, hashed);
        } else {
            store(kind, element,
                  (parts){sign * (long double)(distinct + 1), (long double)(distinct ^ 0x5555)});
        }
        break;
    }
}

void value_add(value_kind kind, size_t size, void *element, const void *other)
{
    if (kind == VALUE_INTEGER) {
        store_integer(load_integer(size, element) + load_integer(size, other), size, element);
        return;
    }
    const parts a = load(kind, element);
    const parts b = load(kind, other);
    store(kind, element, (parts){a.re + b.re, a.im + b.im});
}

/* With a sign the least number is the one with that bit alone. */
static bool is_greater(value_kind kind, int has_sign, size_t size, const void *a, const void *b)
{
    if (kind == VALUE_INTEGER) {
        const uint64_t least = has_sign ? UINT64_C(1) << (8 * size - 1) : 0;
        return (load_integer(size, a) ^ least) > (load_integer(size, b) ^ least);
    }
    return load(kind, a).re > load(kind, b).re;
}

void value_take(value_kind kind, int has_sign, size_t size, int sense, void *element, const void *other)
{
    const bool greater = is_greater(kind, has_sign, size, other, element);
    const bool less = is_greater(kind, has_sign, size, element, other);
    if (sense > 0 ? greater : less) {
        memcpy(element, other, size);
    }
}

void value_negate(value_kind kind, size_t size, void *element)
{
    if (kind == VALUE_INTEGER) {
        store_integer(0 - load_integer(size, element), size, element);
        return;
    }
    const parts a = load(kind, element);
    store(kind, element, (parts){-a.re, -a.im});
}

void value_divide(value_kind kind, void *element, int number)
{
    const parts a = load(kind, element);
    store(kind, element, (parts){a.re / number, a.im / number});
}

void value_zero(size_t size, void *element)
{
    memset(element, 0, size);
}

static const struct {
    int digits;
    long double finest; /* the least number */
    long double greatest;
} formats[] = {
    [WIRE_FLOAT] = {24, 0x1p-149L, 0x1.fffffep127L},
    [WIRE_HALF] = {11, 0x1p-24L, 65504},
    [WIRE_BFLOAT16] = {8, 0x1p-133L, 0x1.fep127L},
};

void value_suit(value_kind kind, size_t size, int has_sign, value_wire wire, void *element)
{
    if (kind == VALUE_INTEGER) {
        const uint64_t most = (UINT64_C(1) << ((8 << (wire - WIRE_INT8)) - 1)) - 1;
        const uint64_t value = load_integer(size, element);
        store_integer(has_sign ? value % (2 * most + 1) - most : value % (most + 1), size, element);
    } else {
        value_divide(kind, element, 3001);
    }
}

/* Of two multiples of the last digit's place the nearer one. */
static long double nearest(long double number, value_wire wire)
{
    const long double size = number < 0 ? -number : number;
    const long double all = (long double)(UINT64_C(1) << formats[wire].digits);
    long double step = 1;
    while (size >= step * all) {
        step *= 2;
    }
    while (size < step * all / 2 && step > formats[wire].finest) {
        step /= 2;
    }
    const uint64_t below = (uint64_t)(size / step);
    const long double rest = size / step - (long double)below;
    const bool up = rest > 0.5L || (rest >= 0.5L && below % 2 == 1);
    const long double near = (long double)(below + up) * step;
    const long double kept = near > formats[wire].greatest ? (long double)HUGE_VALF : near;
    return number < 0 ? -kept : kept;
}

void value_round(value_kind kind, value_wire wire, void *element)
{
    if (kind != VALUE_INTEGER) {
        const parts p = load(kind, element);
        store(kind, element, (parts){nearest(p.re, wire), nearest(p.im, wire)});
    }
}

bool value_equal(value_kind kind, size_t size, const void *a, const void *b)
{
    if (kind == VALUE_LONG_DOUBLE) { /* has bytes that are no part of its value */
        const parts x = load(kind, a);
        const parts y = load(kind, b);
        return x.re >= y.re && x.re <= y.re;
    }
    return memcmp(a, b, size) == 0;
}

void value_print(value_kind kind, size_t size, const void *element, char *text, size_t room)
{
    if (kind == VALUE_INTEGER || kind == VALUE_BOOL) {
        snprintf(text, room, "0x%llx", (unsigned long long)load_integer(size, element));
    } else if (kind == VALUE_BYTES) {
        const unsigned char *byte = element;
        snprintf(text, room, "%02x %02x %02x ...", byte[0], byte[1], byte[2]);
    } else {
        const parts p = load(kind, element);
        const bool two = kind == VALUE_COMPLEX64 || kind == VALUE_COMPLEX128;
        int length = snprintf(text, room, "%.17Lg", p.re);
        if (two) {
            snprintf(text + length, room - (size_t)length, " + %.17Lg i", p.im);
        }
    }
}

uint64_t value_product(value_kind kind, size_t size, const void *a, const void *b)
{
    if (kind == VALUE_INTEGER) {
        const uint64_t product = load_integer(size, a) * load_integer(size, b);
        return size >= 8 ? product : product << (64 - 8 * size);
    }
    const parts x = load(kind, a);
    const parts y = load(kind, b);
    return (uint64_t)(int64_t)(x.re * y.re + x.im * y.im);
}

void value_make_inexact(value_kind kind, size_t size, void *element, uint64_t number)
{
    const uint64_t hashed = mix(number + 1);
    value_make(kind, size, element, number, 0, true);
    if (kind != VALUE_INTEGER && kind != VALUE_BOOL && kind != VALUE_BYTES) {
        store(kind, element,
              (parts){1.0L / (long double)(1 + hashed % 97), 1.0L / (long double)(1 + hashed % 89)});
    }
}

uint64_t value_digest(value_kind kind, size_t size, const void *element, uint64_t number)
{
    uint64_t digest = mix(number + 1);
    if (kind == VALUE_LONG_DOUBLE) { /* has bytes that are no part of its value */
        const long double value = load(kind, element).re;
        const double part[2] = {(double)value, (double)(value - (long double)(double)value)};
        uint64_t bits[2];
        memcpy(bits, part, sizeof bits);
        return mix(mix(digest ^ bits[0]) ^ bits[1]);
    }
    for (size_t i = 0; i < size; ++i) {
        digest = mix(digest ^ ((const unsigned char *)element)[i]);
    }
    return digest;
}
