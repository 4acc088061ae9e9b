#include "check/values.h"

#include <math.h>
#include <string.h>

uint64_t hxi_check_mix(int field, const int place[], int axes, int component)
{
    uint64_t value = (uint64_t)field + 1 + ((uint64_t)component << 32);
    for (int a = 0; a < axes; ++a) {
        value = (value ^ (uint64_t)(place[a] + 1)) * UINT64_C(0x9e3779b97f4a7c15);
        value ^= value >> 29;
    }
    return value;
}

/* ---- types --------------------------------------------------------------------------------------------- */

/* What a type makes of bits, or of a number: the element, as bytes. */
typedef union cell {
    unsigned char byte[sizeof(long double)];
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f;
    double d;
    long double l;
    float cf[2];
    double cd[2];
    hx_half h;
    bool b;
} cell;

static cell integer(size_t size, uint64_t bits)
{
    cell c = {{0}};
    switch (size) {
    case 1:
        c.u8 = (uint8_t)bits;
        break;
    case 2:
        c.u16 = (uint16_t)bits;
        break;
    case 4:
        c.u32 = (uint32_t)bits;
        break;
    default:
        c.u64 = bits;
        break;
    }
    return c;
}

/* A real number of a size that C has. */
static cell real(size_t size, double number)
{
    cell c = {{0}};
    if (size == sizeof(float)) {
        c.f = (float)number;
    } else if (size == sizeof(double)) {
        c.d = (double)number;
    } else {
        c.l = number;
    }
    return c;
}

static cell pair(size_t size, double number, double imaginary)
{
    cell c = {{0}};
    if (size == 2 * sizeof(float)) {
        c.cf[0] = (float)number;
        c.cf[1] = (float)imaginary;
    } else {
        c.cd[0] = number;
        c.cd[1] = imaginary;
    }
    return c;
}

/* ---- shorter formats ----------------------------------------------------------------------------------- */

/* What numbers travel as: so many of them from one power of two to the next and below, all multiples of the
 * finest. */
static const struct {
    double numbers;
    double finest;
    double greatest;
} formats[] = {
    [HX_WIRE_NOT] = {0, 0, 0},
    [HX_WIRE_FLOAT] = {0x1p24, 0x1p-149, 0x1.fffffep127},
    [HX_WIRE_HALF] = {0x1p11, 0x1p-24, 65504},
    [HX_WIRE_BFLOAT16] = {0x1p8, 0x1p-133, 0x1.fep127},
};

/* Reckoned with divisions. */
double hxi_check_rounded(double number, hx_wire wire)
{
    if (wire == HX_WIRE_NOT) {
        return number;
    }
    const double magnitude = number < 0 ? -number : number;
    double step = formats[wire].finest;
    while (magnitude / step >= formats[wire].numbers) {
        step *= 2;
    }
    const int64_t below = (int64_t)(magnitude / step);
    const double rest = magnitude / step - (double)below;
    const bool up = rest > 0.5 || (rest == 0.5 && below % 2 != 0);
    const double near = (double)(below + up) * step;
    const double kept = near > formats[wire].greatest ? HUGE_VAL : near;
    return number < 0 ? -kept : kept;
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* A real number below 2^15, which half can hold, too: 24 bits of a float, 52 of wider types. */
static double real_of(size_t size, uint64_t bits)
{
    return size == sizeof(float) ? (double)(bits >> 40) * 0x1p-9 : (double)(bits >> 12) * 0x1p-37;
}

/* The other part of a complex number. */
static double imaginary_of(size_t size, uint64_t bits)
{
    return size == sizeof(float) ? (double)(bits & 0xffffff) * 0x1p-9 : (double)(bits & 0xffffffff) * 0x1p-17;
}

/* Those that travel in few bits have no sign, so that their opposites travel, too. */
static uint64_t whole(const check_type *type, uint64_t bits)
{
    return type->bits > 0 ? bits >> (65 - type->bits) : bits;
}

/* Bits of a value that floating types hold exactly: 24 of a float, 52 of wider ones, 11 of a half. */
static cell of_value(const check_type *type, check_value value)
{
    const uint64_t bits = value.bits;
    const int sign = value.opposite ? -1 : 1;
    cell c = {{0}};
    switch (type->kind) {
    case HX_CHECK_INTEGER:
        return integer(type->size, value.opposite ? 0U - whole(type, bits) : whole(type, bits));
    case HX_CHECK_FLOAT:
        return real(type->size, sign * hxi_check_rounded(real_of(type->size, bits), value.wire));
    case HX_CHECK_COMPLEX:
        return pair(type->size, sign * hxi_check_rounded(real_of(type->size / 2, bits), value.wire),
                    sign * hxi_check_rounded(imaginary_of(type->size / 2, bits), value.wire));
    case HX_CHECK_HALF:
        c.h = (hx_half)(bits >> 53);
        return c;
    case HX_CHECK_BOOL:
        c.b = (bits & 1) != 0;
        return c;
    case HX_CHECK_STRUCT:
        break;
    }
    return c;
}

static cell of_number(const check_type *type, int64_t number)
{
    cell c = {{0}};
    switch (type->kind) {
    case HX_CHECK_INTEGER:
        return integer(type->size, (uint64_t)number);
    case HX_CHECK_FLOAT:
        return real(type->size, (double)number);
    case HX_CHECK_COMPLEX:
        return pair(type->size, (double)number, 2 * (double)number);
    case HX_CHECK_HALF:
        c.h = (hx_half)number;
        return c;
    case HX_CHECK_BOOL:
    case HX_CHECK_STRUCT:
        break; /* nobody reckons with these */
    }
    return c;
}

/* Compared as numbers, so that a zero may have a sign, and padding holds anything. */
static bool equal(const check_type *type, const cell *a, const cell *b)
{
    switch (type->kind) {
    case HX_CHECK_FLOAT:
        return type->size == sizeof(float)    ? a->f == b->f
               : type->size == sizeof(double) ? a->d == b->d
                                              : a->l == b->l;
    case HX_CHECK_COMPLEX:
        return type->size == 2 * sizeof(float) ? a->cf[0] == b->cf[0] && a->cf[1] == b->cf[1]
                                               : a->cd[0] == b->cd[0] && a->cd[1] == b->cd[1];
    case HX_CHECK_HALF:
        return a->h == b->h;
    case HX_CHECK_INTEGER:
    case HX_CHECK_BOOL:
    case HX_CHECK_STRUCT:
        break;
    }
    return memcmp(a->byte, b->byte, type->size) == 0;
}

/* Copies an element of a size that is known to the compiler where it is a usual one. */
static void move(void *to, const void *from, size_t size)
{
    switch (size) {
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
        break;
    }
}

static bool holds_cell(const check_type *type, const void *element, const cell *wanted)
{
    cell found = {{0}};
    move(found.byte, element, type->size);
    return equal(type, &found, wanted);
}

/* ---- structs ------------------------------------------------------------------------------------------- */

/* One byte of a point that is a struct: all of them are compared, also those between its members. */
static unsigned char byte_of(uint64_t bits, size_t at)
{
    return (unsigned char)(bits >> at % 8 * 8);
}

static void store_bytes(unsigned char *element, size_t size, uint64_t bits)
{
    for (size_t at = 0; at < size; ++at) {
        element[at] = byte_of(bits, at);
    }
}

static bool holds_bytes(const unsigned char *element, size_t size, uint64_t bits)
{
    for (size_t at = 0; at < size; ++at) {
        if (element[at] != byte_of(bits, at)) {
            return false;
        }
    }
    return true;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

/* Only these have opposites. */
static bool has_sign(const check_type *type)
{
    return type->kind == HX_CHECK_INTEGER || type->kind == HX_CHECK_FLOAT || type->kind == HX_CHECK_COMPLEX;
}

void hxi_check_store(const check_type *type, void *element, uint64_t bits)
{
    if (type->kind == HX_CHECK_STRUCT) {
        store_bytes(element, type->size, bits);
        return;
    }
    const cell c = of_value(type, (check_value){.bits = bits});
    move(element, c.byte, type->size);
}

bool hxi_check_holds(const check_type *type, const void *element, check_value value)
{
    if (value.opposite && !has_sign(type)) {
        return false;
    }
    if (type->kind == HX_CHECK_STRUCT) {
        return holds_bytes(element, type->size, value.bits);
    }
    const cell wanted = of_value(type, value);
    return holds_cell(type, element, &wanted);
}

void hxi_check_store_number(const check_type *type, void *element, int64_t number)
{
    const cell c = of_number(type, number);
    memcpy(element, c.byte, type->size);
}

bool hxi_check_holds_number(const check_type *type, const void *element, int64_t number)
{
    const cell wanted = of_number(type, number);
    return holds_cell(type, element, &wanted);
}

int64_t hxi_check_joined(hx_operation operation, int64_t a, int64_t b)
{
    switch (operation) {
    case HX_MIN:
        return a < b ? a : b;
    case HX_MAX:
        return a > b ? a : b;
    case HX_ADD:
    case HX_SUM:
    case HX_MEAN:
    case HX_COPY:
        break;
    }
    return a + b;
}

int64_t hxi_check_number_at(const check_type *type, const void *element)
{
    cell c = {{0}};
    memcpy(c.byte, element, type->size);
    switch (type->kind) {
    case HX_CHECK_INTEGER:
        return type->size == 1   ? c.u8
               : type->size == 2 ? c.u16
               : type->size == 4 ? (int64_t)c.u32
                                 : (int64_t)c.u64;
    case HX_CHECK_FLOAT:
        return type->size == sizeof(float)    ? (int64_t)c.f
               : type->size == sizeof(double) ? (int64_t)c.d
                                              : (int64_t)c.l;
    case HX_CHECK_COMPLEX:
        return type->size == 2 * sizeof(float) ? (int64_t)c.cf[0] : (int64_t)c.cd[0];
    case HX_CHECK_HALF:
        return (int64_t)c.h;
    case HX_CHECK_BOOL:
    case HX_CHECK_STRUCT:
        break;
    }
    return 0;
}

bool hxi_check_is_nothing(const check_type *type, int64_t difference)
{
    if (type->kind != HX_CHECK_INTEGER || type->size >= sizeof difference) {
        return difference == 0;
    }
    return (uint64_t)difference << (64 - 8 * type->size) == 0;
}
