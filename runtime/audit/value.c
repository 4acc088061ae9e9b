#include "audit/value.h"

#include "base/text.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISONED_BYTE = 0xa5, BYTES_SHOWN = 16 };

static const struct {
    const char *name;
    hxi_value_kind kind;
} kinds[] = {
    {"float", HX_VALUE_FLOAT},
    {"double", HX_VALUE_DOUBLE},
    {"long double", HX_VALUE_LONG_DOUBLE},
    {"hx_half", HX_VALUE_HALF},
    {"hx_complex64", HX_VALUE_COMPLEX},
    {"hx_complex128", HX_VALUE_COMPLEX},
    {"bool", HX_VALUE_BOOL},
    {"char", HX_VALUE_SIGNED},
    {"signed char", HX_VALUE_SIGNED},
    {"short", HX_VALUE_SIGNED},
    {"int", HX_VALUE_SIGNED},
    {"long", HX_VALUE_SIGNED},
    {"long long", HX_VALUE_SIGNED},
    {"int8_t", HX_VALUE_SIGNED},
    {"int16_t", HX_VALUE_SIGNED},
    {"int32_t", HX_VALUE_SIGNED},
    {"int64_t", HX_VALUE_SIGNED},
    {"intptr_t", HX_VALUE_SIGNED},
    {"intmax_t", HX_VALUE_SIGNED},
    {"ptrdiff_t", HX_VALUE_SIGNED},
    {"unsigned char", HX_VALUE_UNSIGNED},
    {"unsigned short", HX_VALUE_UNSIGNED},
    {"unsigned int", HX_VALUE_UNSIGNED},
    {"unsigned long", HX_VALUE_UNSIGNED},
    {"unsigned long long", HX_VALUE_UNSIGNED},
    {"uint8_t", HX_VALUE_UNSIGNED},
    {"uint16_t", HX_VALUE_UNSIGNED},
    {"uint32_t", HX_VALUE_UNSIGNED},
    {"uint64_t", HX_VALUE_UNSIGNED},
    {"uintptr_t", HX_VALUE_UNSIGNED},
    {"uintmax_t", HX_VALUE_UNSIGNED},
    {"size_t", HX_VALUE_UNSIGNED},
};

hxi_value_kind hxi_value_kind_of(const hx_field *field)
{
    for (int i = 0; i < HX_COUNT(kinds); ++i) {
        if (strcmp(kinds[i].name, field->type) == 0) {
            return kinds[i].kind;
        }
    }
    return HX_VALUE_STRUCT;
}

int hxi_value_size(const hx_field *field)
{
    return field->components > 0 && field->components_after == 0 ? field->size / field->components
                                                                 : field->size;
}

int hxi_value_significant(const hx_field *field)
{
    const bool extended = LDBL_MANT_DIG == 64 && hxi_value_kind_of(field) == HX_VALUE_LONG_DOUBLE;
    return extended ? 10 : hxi_value_size(field);
}

/* ---- opposites ----------------------------------------------------------------------------------------- */

/* Two's complement, of a number of so many bytes. */
static void negate_integer(unsigned char *value, int size)
{
    uint64_t number = 0;
    memcpy(&number, value, (size_t)size); /* the low bytes; machines of the other order, see below */
    const uint16_t one = 1;
    if (*(const unsigned char *)&one == 0) {
        number >>= 8 * (8 - size);
        number = (0U - number) << (8 * (8 - size));
    } else {
        number = 0U - number;
    }
    memcpy(value, &number, (size_t)size);
}

static void negate_one(hxi_value_kind kind, unsigned char *value, int size)
{
    float single[2];
    double twofold[2];
    long double extended;
    switch (kind) {
    case HX_VALUE_FLOAT:
        memcpy(single, value, sizeof single[0]);
        single[0] = -single[0];
        memcpy(value, single, sizeof single[0]);
        break;
    case HX_VALUE_DOUBLE:
        memcpy(twofold, value, sizeof twofold[0]);
        twofold[0] = -twofold[0];
        memcpy(value, twofold, sizeof twofold[0]);
        break;
    case HX_VALUE_LONG_DOUBLE:
        memcpy(&extended, value, sizeof extended);
        extended = -extended;
        memcpy(value, &extended, sizeof extended);
        break;
    case HX_VALUE_COMPLEX:
        negate_one(size == 2 * (int)sizeof(float) ? HX_VALUE_FLOAT : HX_VALUE_DOUBLE, value, size / 2);
        negate_one(size == 2 * (int)sizeof(float) ? HX_VALUE_FLOAT : HX_VALUE_DOUBLE, value + size / 2,
                   size / 2);
        break;
    case HX_VALUE_HALF: {
        uint16_t bits;
        memcpy(&bits, value, sizeof bits);
        bits = HX_HALF ? (uint16_t)(bits ^ 0x8000U) : (uint16_t)(0U - bits);
        memcpy(value, &bits, sizeof bits);
        break;
    }
    case HX_VALUE_SIGNED:
    case HX_VALUE_UNSIGNED:
        negate_integer(value, size);
        break;
    case HX_VALUE_BOOL:
    case HX_VALUE_STRUCT:
        break;
    }
}

void hxi_value_negate(const hx_field *field, unsigned char *value, size_t count)
{
    const hxi_value_kind kind = hxi_value_kind_of(field);
    const int size = hxi_value_size(field);
    for (size_t i = 0; i < count; ++i) {
        negate_one(kind, value + i * (size_t)size, size);
    }
}

/* ---- shorter formats ----------------------------------------------------------------------------------- */

const char *hxi_wire_name(hx_wire wire)
{
    static const char *const names[] = {
        [HX_WIRE_FLOAT] = "float", [HX_WIRE_HALF] = "half",   [HX_WIRE_BFLOAT16] = "bfloat16",
        [HX_WIRE_INT8] = "int8",   [HX_WIRE_INT16] = "int16", [HX_WIRE_INT32] = "int32",
    };
    return names[wire];
}

/* What a format holds: binary digits, the exponent of its least normal number, and that of its greatest. */
typedef struct format {
    int digits;
    int least;
    int most;
} format;

static const format formats[] = {
    [HX_WIRE_FLOAT] = {24, -126, 127},
    [HX_WIRE_HALF] = {11, -14, 15},
    [HX_WIRE_BFLOAT16] = {8, -126, 127},
};

/*
 * The nearest number of a format, of two as near the even one: reckoned with the bits of a double, from which the
 * digits that do not fit are taken, 29 of them or more.  Emitted code does it otherwise.
 */
static double nearest(double value, format f)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t sign = bits & UINT64_C(0x8000000000000000);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    bits -= sign;
    if (exponent == 1024) { /* infinite, or none: a NaN keeps its first digits, and does not signal */
        const bool is_nan = bits << 12 != 0;
        bits = is_nan ? (bits | UINT64_C(1) << 51) >> (53 - f.digits) << (53 - f.digits) : bits;
    } else if (exponent < f.least - f.digits) {
        bits = 0; /* less than half of the least, as all that is subnormal in a double */
    } else {
        const int lost = 53 - f.digits + (exponent < f.least ? f.least - exponent : 0);
        const uint64_t whole = (bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
        const uint64_t kept = whole >> lost;
        const uint64_t rest = whole - (kept << lost);
        const uint64_t half = UINT64_C(1) << (lost - 1);
        const uint64_t up = rest > half || (rest == half && (kept & 1) != 0);
        double scaled = (double)(kept + up);
        for (int e = exponent - 52 + lost; e != 0; e += e < 0 ? 1 : -1) {
            scaled = e < 0 ? scaled / 2 : scaled * 2;
        }
        memcpy(&bits, &scaled, sizeof bits);
        if ((int)(bits >> 52) - 1023 > f.most) {
            bits = UINT64_C(0x7ff0000000000000);
        }
    }
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Integers of so many bytes that travel: those that fit stay, the others become what marks them. */
static void keep_integer(unsigned char *number, size_t size, bool has_sign, int64_t most)
{
    uint16_t two = 0;
    uint32_t four = 0;
    uint64_t all = 0;
    memcpy(&two, number, size == sizeof two ? size : 0);
    memcpy(&four, number, size == sizeof four ? size : 0);
    memcpy(&all, number, size == sizeof all ? size : 0);
    const int64_t value = size == sizeof two    ? (int16_t)two
                          : size == sizeof four ? (int32_t)four
                                                : (int64_t)all;
    const bool fits =
        has_sign ? value >= -most && value <= most : (uint64_t)two + four + all <= (uint64_t)most;
    if (!fits) {
        two = (uint16_t)(-most - 1);
        four = (uint32_t)(-most - 1);
        all = (uint64_t)(-most - 1);
        memcpy(number, size == sizeof two ? (void *)&two : size == sizeof four ? (void *)&four : &all, size);
    }
}

void hxi_value_round_real(hx_wire wire, unsigned char *number, size_t size)
{
    float single;
    double twofold;
    if (size == sizeof single) {
        memcpy(&single, number, sizeof single);
        single = (float)nearest((double)single, formats[wire]);
        memcpy(number, &single, sizeof single);
    } else {
        memcpy(&twofold, number, sizeof twofold);
        twofold = nearest(twofold, formats[wire]);
        memcpy(number, &twofold, sizeof twofold);
    }
}

void hxi_value_round(const hx_field *field, hx_wire wire, unsigned char *value, size_t count)
{
    const int parts = hxi_value_kind_of(field) == HX_VALUE_COMPLEX ? 2 : 1;
    const size_t size = (size_t)(hxi_value_size(field) / parts);
    const bool has_sign = hxi_value_kind_of(field) == HX_VALUE_SIGNED;
    for (size_t i = 0; i < count * (size_t)parts; ++i) {
        unsigned char *number = value + i * size;
        if (wire >= HX_WIRE_INT8) {
            keep_integer(number, size, has_sign, (INT64_C(1) << (8 * (1 << (wire - HX_WIRE_INT8)) - 1)) - 1);
        } else {
            hxi_value_round_real(wire, number, size);
        }
    }
}

/* Is it zero, of either sign? */
static bool is_zero(hxi_value_kind kind, const unsigned char *value)
{
    uint16_t half;
    float single;
    double twofold;
    long double extended;
    switch (kind) {
    case HX_VALUE_FLOAT:
        memcpy(&single, value, sizeof single);
        return single == 0.0F;
    case HX_VALUE_DOUBLE:
        memcpy(&twofold, value, sizeof twofold);
        return twofold == 0.0;
    case HX_VALUE_LONG_DOUBLE:
        memcpy(&extended, value, sizeof extended);
        return extended == 0.0L;
    case HX_VALUE_HALF:
        memcpy(&half, value, sizeof half);
        return (half & 0x7fffU) == 0;
    default:
        return false;
    }
}

static bool are_same(hxi_value_kind kind, const unsigned char *one, const unsigned char *other, int size,
                     int significant)
{
    if (kind == HX_VALUE_COMPLEX) {
        const hxi_value_kind part = size == 2 * (int)sizeof(float) ? HX_VALUE_FLOAT : HX_VALUE_DOUBLE;
        return are_same(part, one, other, size / 2, size / 2) &&
               are_same(part, one + size / 2, other + size / 2, size / 2, size / 2);
    }
    return memcmp(one, other, (size_t)significant) == 0 || (is_zero(kind, one) && is_zero(kind, other));
}

bool hxi_value_same(const hx_field *field, const unsigned char *one, const unsigned char *other)
{
    return are_same(hxi_value_kind_of(field), one, other, hxi_value_size(field),
                    hxi_value_significant(field));
}

/* ---- poison -------------------------------------------------------------------------------------------- */

int hxi_value_poison(const hx_field *field, unsigned char pattern[HX_VALUE_BYTES])
{
    const uint16_t half = 0x7d00;
    const uint32_t single = UINT32_C(0x7fa00bad);
    const uint64_t twofold = UINT64_C(0x7ff4000000000bad);
    const int size = hxi_value_size(field);
    switch (hxi_value_kind_of(field)) {
    case HX_VALUE_HALF:
        memcpy(pattern, &half, sizeof half);
        return (int)sizeof half;
    case HX_VALUE_FLOAT:
        memcpy(pattern, &single, sizeof single);
        return (int)sizeof single;
    case HX_VALUE_DOUBLE:
        memcpy(pattern, &twofold, sizeof twofold);
        return (int)sizeof twofold;
    case HX_VALUE_COMPLEX:
        if (size == 2 * (int)sizeof single) {
            memcpy(pattern, &single, sizeof single);
            return (int)sizeof single;
        }
        memcpy(pattern, &twofold, sizeof twofold);
        return (int)sizeof twofold;
    case HX_VALUE_BOOL:
        return 0;
    case HX_VALUE_LONG_DOUBLE: /* all bits set but one: a NaN that does not signal, in each format */
        memset(pattern, 0xff, HX_VALUE_BYTES);
        return size < HX_VALUE_BYTES ? size : HX_VALUE_BYTES;
    case HX_VALUE_SIGNED:
    case HX_VALUE_UNSIGNED:
    case HX_VALUE_STRUCT:
        break;
    }
    pattern[0] = POISONED_BYTE;
    return 1;
}

static bool is_poison(const hx_field *field, const unsigned char *value)
{
    unsigned char pattern[HX_VALUE_BYTES];
    const int bytes = hxi_value_poison(field, pattern);
    bool is = bytes > 0;
    for (int i = 0; i < hxi_value_significant(field) && is; ++i) {
        is = value[i] == pattern[i % bytes];
    }
    return is;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* With as few digits as tell it from all others. */
static void add_double(hxi_text *text, double value, int least, int most)
{
    char digits[HX_VALUE_TEXT];
    for (int precision = least; precision <= most; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        const double again = strtod(digits, NULL);
        if (most > 9 ? again == value : (float)again == (float)value) {
            break;
        }
    }
    hxi_text_add(text, "%s", digits);
}

static void add_single(hxi_text *text, const unsigned char *value)
{
    float number;
    memcpy(&number, value, sizeof number);
    add_double(text, (double)number, 6, 9);
}

static void add_twofold(hxi_text *text, const unsigned char *value)
{
    double number;
    memcpy(&number, value, sizeof number);
    add_double(text, number, 6, 17);
}

static void add_integer(hxi_text *text, const unsigned char *value, int size, bool is_signed)
{
    uint64_t bits = 0;
    const uint16_t one = 1;
    for (int i = 0; i < size; ++i) {
        const int at = *(const unsigned char *)&one == 1 ? size - 1 - i : i;
        bits = bits << 8 | value[at];
    }
    if (is_signed && size < 8 && (bits >> (8 * size - 1)) != 0) {
        bits |= UINT64_MAX << (8 * size);
    }
    if (is_signed) {
        hxi_text_add(text, "%lld", (long long)(int64_t)bits);
    } else {
        hxi_text_add(text, "%llu", (unsigned long long)bits);
    }
}

static void add_bytes(hxi_text *text, const unsigned char *value, int size)
{
    hxi_text_add(text, "the bytes");
    for (int i = 0; i < size && i < BYTES_SHOWN; ++i) {
        hxi_text_add(text, " %02x", value[i]);
    }
    hxi_text_add(text, "%s", size > BYTES_SHOWN ? " ..." : "");
}

static void add_value(hxi_text *text, const hx_field *field, const unsigned char *value)
{
    const hxi_value_kind kind = hxi_value_kind_of(field);
    const int size = hxi_value_size(field);
    long double extended;
    switch (kind) {
    case HX_VALUE_FLOAT:
        add_single(text, value);
        break;
    case HX_VALUE_DOUBLE:
        add_twofold(text, value);
        break;
    case HX_VALUE_LONG_DOUBLE:
        memcpy(&extended, value, sizeof extended);
        hxi_text_add(text, "%.21Lg", extended);
        break;
    case HX_VALUE_COMPLEX:
        hxi_text_add(text, "(");
        (size == 2 * (int)sizeof(float) ? add_single : add_twofold)(text, value);
        hxi_text_add(text, ", ");
        (size == 2 * (int)sizeof(float) ? add_single : add_twofold)(text, value + size / 2);
        hxi_text_add(text, ")");
        break;
    case HX_VALUE_SIGNED:
    case HX_VALUE_UNSIGNED:
        add_integer(text, value, size, kind == HX_VALUE_SIGNED);
        break;
    case HX_VALUE_BOOL:
        hxi_text_add(text, "%s", value[0] != 0 ? "true" : "false");
        break;
    case HX_VALUE_HALF:
    case HX_VALUE_STRUCT:
        add_bytes(text, value, size);
        break;
    }
}

const char *hxi_value_text(const hx_field *field, const unsigned char *value, char text[HX_VALUE_TEXT])
{
    hxi_text out = {text, HX_VALUE_TEXT, 0};
    if (is_poison(field, value)) {
        hxi_text_add(&out, "the poison of HX_POISON");
    } else {
        add_value(&out, field, value);
    }
    return text;
}
