#include "values.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

value_kind value_kind_of(const hx_field *field)
{
    if (strcmp(field->type, "float") == 0) {
        return VALUE_FLOAT;
    }
    if (strcmp(field->type, "double") == 0) {
        return VALUE_DOUBLE;
    }
    if (strcmp(field->type, "long double") == 0) {
        return VALUE_LONG_DOUBLE;
    }
    if (strcmp(field->type, "hx_half") == 0) {
        return VALUE_HALF;
    }
    return field->size < 4 ? VALUE_SMALL : VALUE_INTEGER;
}

int value_rounds(const hx_field *field)
{
    return field->size == 1 ? 4 : 2;
}

/* One to one on 64 bits (the finalizer of SplitMix64). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The value modulo 2^bits, in an integer of that many bytes. */
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

static void store(value_kind kind, size_t size, void *element, double number, uint64_t hashed)
{
    const float single = (float)number;
    const long double extended = number;
    switch (kind) {
    case VALUE_SMALL:
        store_integer(mix(hashed), size, element);
        break;
    case VALUE_HALF: /* of any sign, below 2: sums of some are rounded, and none is infinite */
        store_integer(mix(hashed) & 0xbfff, size, element);
        break;
    case VALUE_INTEGER:
        store_integer((uint64_t)(int64_t)number, size, element);
        break;
    case VALUE_FLOAT:
        memcpy(element, &single, sizeof single);
        break;
    case VALUE_DOUBLE:
        memcpy(element, &number, sizeof number);
        break;
    case VALUE_LONG_DOUBLE:
        memcpy(element, &extended, sizeof extended);
        break;
    }
}

void value_store(value_kind kind, size_t size, void *element, size_t position, int salt, int sign)
{
    const double number = (double)position + (double)salt * VALUE_POSITIONS + 1.0;
    store(kind, size, element, sign * number, position * 8 + (uint64_t)salt);
}

/* From 2^30 on, which no value reaches, in steps that a float still tells apart. */
void value_store_poison(value_kind kind, size_t size, void *element, size_t offset, int salt)
{
    const double number = 1073741824.0 + 128.0 * (double)(offset % 4194304 * 2 + (size_t)salt % 2);
    store(kind, size, element, number, ~(offset * 8 + (uint64_t)salt));
}

bool value_equal(value_kind kind, size_t size, const void *a, const void *b)
{
    if (kind == VALUE_LONG_DOUBLE) {
        long double x;
        long double y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x >= y && x <= y;
    }
    return memcmp(a, b, size) == 0;
}

void value_print(value_kind kind, size_t size, const void *element, char *text, size_t room)
{
    float single;
    double number = 0;
    long double extended;
    switch (kind) {
    case VALUE_FLOAT:
        memcpy(&single, element, sizeof single);
        number = (double)single;
        break;
    case VALUE_DOUBLE:
        memcpy(&number, element, sizeof number);
        break;
    case VALUE_LONG_DOUBLE:
        memcpy(&extended, element, sizeof extended);
        number = (double)extended;
        break;
    default: {
        uint64_t bits = 0;
        memcpy(&bits, element, size < sizeof bits ? size : sizeof bits);
        snprintf(text, room, "0x%llx", (unsigned long long)bits);
        return;
    }
    }
    snprintf(text, room, "%.17g", number);
}
