#include "audit/number.h"

#include <float.h>
#include <limits.h>

/* ---- types --------------------------------------------------------------------------------------------- */

static bool is_real(hxi_number_type type)
{
    return type.kind == HX_VALUE_FLOAT || type.kind == HX_VALUE_DOUBLE || type.kind == HX_VALUE_LONG_DOUBLE ||
           type.kind == HX_VALUE_HALF;
}

hxi_number_type hxi_number_type_of(const hx_field *field)
{
    hxi_number_type type = {hxi_value_kind_of(field), hxi_value_size(field)};
    if (type.kind == HX_VALUE_COMPLEX) {
        type.size /= 2;
        type.kind = type.size == (int)sizeof(float) ? HX_VALUE_FLOAT : HX_VALUE_DOUBLE;
    } else if (strcmp(field->type, "char") == 0 && CHAR_MIN == 0) {
        type.kind = HX_VALUE_UNSIGNED;
    } else if (type.kind == HX_VALUE_HALF && !HX_HALF) {
        type.kind = HX_VALUE_SIGNED; /* as code without half precision moves it */
    }
    return type;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static double half_at(const unsigned char *at)
{
    uint16_t bits;
    memcpy(&bits, at, sizeof bits);
    const int exponent = bits >> 10 & 0x1f;
    const int digits = bits & 0x3ff;
    double value = exponent == 0 ? digits * 0x1p-24 : (double)(digits + 0x400) * (1 << exponent) * 0x1p-25;
    if (exponent == 0x1f) {
        value = digits != 0 ? (double)NAN : (double)INFINITY;
    }
    return bits >> 15 != 0 ? -value : value;
}

static double real_at(hxi_number_type type, const unsigned char *at)
{
    float single;
    double twofold;
    long double extended;
    switch (type.kind) {
    case HX_VALUE_FLOAT:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case HX_VALUE_DOUBLE:
        memcpy(&twofold, at, sizeof twofold);
        return twofold;
    case HX_VALUE_HALF:
        return half_at(at);
    default:
        memcpy(&extended, at, sizeof extended);
        return (double)extended;
    }
}

/* Bytes of a struct: FNV-1a. */
static uint64_t bytes_at(const unsigned char *at, int size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < size; ++i) {
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

/* What is left of it in so many bytes. */
static uint64_t wrapped(hxi_number_type type, uint64_t whole)
{
    if (type.kind == HX_VALUE_STRUCT || type.size >= (int)sizeof whole) {
        return whole;
    }
    const uint64_t mask = (UINT64_C(1) << 8 * type.size) - 1;
    const bool below_zero = type.kind == HX_VALUE_SIGNED && (whole >> (8 * type.size - 1) & 1) != 0;
    return below_zero ? whole | ~mask : whole & mask;
}

static uint64_t whole_at(hxi_number_type type, const unsigned char *at)
{
    uint8_t byte;
    uint16_t word;
    uint32_t half;
    uint64_t whole;
    if (type.kind == HX_VALUE_STRUCT) {
        return bytes_at(at, type.size);
    }
    switch (type.size) {
    case 1:
        memcpy(&byte, at, sizeof byte);
        return byte;
    case 2:
        memcpy(&word, at, sizeof word);
        return word;
    case 4:
        memcpy(&half, at, sizeof half);
        return half;
    default:
        memcpy(&whole, at, sizeof whole);
        return whole;
    }
}

hxi_number hxi_number_read_any(hxi_number_type type, const unsigned char *at)
{
    return is_real(type) ? (hxi_number){.real = real_at(type, at)}
                         : (hxi_number){.whole = wrapped(type, whole_at(type, at))};
}

hxi_number hxi_number_opposite(hxi_number_type type, hxi_number number)
{
    return is_real(type) ? (hxi_number){.real = -number.real}
                         : (hxi_number){.whole = wrapped(type, UINT64_C(0) - number.whole)};
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

bool hxi_number_same(hxi_number_type type, hxi_number one, hxi_number other)
{
    if (is_real(type) && isnan(one.real)) {
        return isnan(other.real) != 0;
    }
    return is_real(type) ? one.real == other.real && (signbit(one.real) != 0) == (signbit(other.real) != 0)
                         : one.whole == other.whole;
}

bool hxi_number_is_zero(hxi_number_type type, hxi_number number)
{
    return is_real(type) ? number.real == 0.0 : number.whole == 0;
}

/* 0 is greater than -0. */
static bool is_less(hxi_number_type type, hxi_number one, hxi_number other)
{
    if (is_real(type)) {
        return one.real < other.real ||
               (one.real == other.real && signbit(one.real) != 0 && signbit(other.real) == 0);
    }
    return type.kind == HX_VALUE_SIGNED ? (int64_t)one.whole < (int64_t)other.whole : one.whole < other.whole;
}

/* ---- totals -------------------------------------------------------------------------------------------- */

void hxi_total_begin_any(hxi_total *total, hxi_number_type type, hxi_number first, int parts)
{
    *total = (hxi_total){.number = first, .terms = 1};
    if (is_real(type)) {
        total->number.real = first.real / parts;
        total->size = fabs(first.real) / parts;
    }
}

void hxi_total_take_any(hxi_total *total, hxi_number_type type, hx_operation operation, hxi_number next,
                        int parts)
{
    hxi_number *number = &total->number;
    total->terms++;
    if (operation == HX_MIN || operation == HX_MAX) {
        const bool kept = is_real(type) && isnan(number->real);
        const bool wins = is_real(type) && isnan(next.real);
        const bool better = operation == HX_MIN ? is_less(type, next, *number) : is_less(type, *number, next);
        *number = !kept && (wins || better) ? next : *number;
    } else if (is_real(type)) {
        number->real += next.real / parts;
        total->size += fabs(next.real) / parts;
    } else {
        number->whole = wrapped(type, number->whole + next.whole);
    }
}

/* Of numbers of a type: the greatest, the least that keeps all digits, and the step from 1 to the next. */
typedef struct precision {
    double most;
    double least;
    double step;
} precision;

static precision precision_of(hxi_number_type type)
{
    switch (type.kind) {
    case HX_VALUE_FLOAT:
        return (precision){(double)FLT_MAX, (double)FLT_MIN, (double)FLT_EPSILON};
    case HX_VALUE_HALF:
        return (precision){65504.0, 0x1p-14, 0x1p-10};
    default:
        return (precision){DBL_MAX, DBL_MIN, DBL_EPSILON};
    }
}

bool hxi_total_is(const hxi_total *total, hxi_number_type type, hx_operation operation, hxi_number number)
{
    if (!is_real(type) || operation == HX_MIN || operation == HX_MAX) {
        return hxi_number_same(type, total->number, number);
    }
    const precision p = precision_of(type);
    if (isnan(total->size)) {
        return isnan(number.real) != 0; /* one of them is no number */
    }
    if (!(total->size < p.most / total->terms)) {
        return true;
    }
    const double doubt = (total->terms + 4) * (p.step * total->size + p.least);
    return fabs(number.real - total->number.real) <= doubt;
}

const char *hxi_number_text(hxi_number_type type, hxi_number number, char text[HX_VALUE_TEXT])
{
    const float single = (float)number.real;
    const unsigned char truth = number.whole != 0;
    if (type.kind == HX_VALUE_FLOAT) {
        return hxi_value_text(&(hx_field){.type = "float", .size = sizeof single}, (const void *)&single,
                              text);
    }
    if (type.kind == HX_VALUE_BOOL) {
        return hxi_value_text(&(hx_field){.type = "bool", .size = sizeof truth}, &truth, text);
    }
    const char *as = is_real(type) ? "double" : type.kind == HX_VALUE_UNSIGNED ? "uint64_t" : "int64_t";
    return hxi_value_text(&(hx_field){.type = as, .size = sizeof number}, (const void *)&number, text);
}
