#include "values.h"

#include "check/values.h"

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

/* Of components that lie side by side the first one. */
static check_type type_of(value_kind kind, size_t size)
{
    static const size_t real[] = {[VALUE_FLOAT] = sizeof(float),
                                  [VALUE_DOUBLE] = sizeof(double),
                                  [VALUE_LONG_DOUBLE] = sizeof(long double)};
    return kind >= VALUE_FLOAT ? (check_type){.kind = HX_CHECK_FLOAT, .size = real[kind]}
                               : (check_type){.kind = HX_CHECK_INTEGER, .size = size < 8 ? size : 8};
}

static void store(value_kind kind, size_t size, void *element, int64_t number, uint64_t hashed)
{
    const check_type type = type_of(kind, size);
    /* Halves of any sign, below 2: sums of some are rounded, and none is infinite. */
    const uint64_t small = kind == VALUE_HALF ? mix(hashed) & 0xbfff : mix(hashed);
    hxi_check_store_number(&type, element, kind <= VALUE_HALF ? (int64_t)small : number);
}

void value_store(value_kind kind, size_t size, void *element, size_t position, int salt, int sign)
{
    const int64_t number = (int64_t)position + (int64_t)salt * VALUE_POSITIONS + 1;
    store(kind, size, element, sign * number, position * 8 + (uint64_t)salt);
}

/* From 2^30 on, which no value reaches, in steps that a float still tells apart. */
void value_store_poison(value_kind kind, size_t size, void *element, size_t offset, int salt)
{
    const int64_t number = 1073741824 + 128 * (int64_t)(offset % 4194304 * 2 + (size_t)salt % 2);
    memset(element, 0x5a + salt % 2, size); /* of components side by side the first is stored below */
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
