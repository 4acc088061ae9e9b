#include "odd.h"

#include <string.h>

bool odd_exchange(const hx_exchange *exchange)
{
    bool odd = false;
    for (int i = 0; i < exchange->fields; ++i) {
        odd = odd || exchange->field[i].wire != HX_WIRE_NOT;
    }
    return odd;
}

/* Numbers in no order that one could see. */
static uint64_t mixed(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/*
 * The exponent of a number with so great a bias.  Sums get none that could become infinite, or no number: the bits of those
 * depend on who adds.
 */
static uint64_t exponent(uint64_t drawn, uint64_t bias, bool adds)
{
    const uint64_t least = bias == 1023 ? 1022 - 126 : 1;
    switch (adds ? drawn % 2 : drawn % 8) {
    case 0:
        return bias - 14 - drawn / 8 % 14; /* halves are subnormal */
    case 1:
        return bias + drawn / 8 % 12 - 6;
    case 2:
        return 0;
    case 3:
        return 2 * bias + 1; /* infinite, or no number */
    case 4:
        return bias + 14 + drawn / 8 % 3; /* about the greatest half */
    case 5:
        return bias + 126 + drawn / 8 % (bias == 1023 ? 3 : 1); /* about the greatest float */
    case 6:
        return least + drawn / 8 % 26 - (bias == 1023 ? 24 : 0); /* floats are subnormal, or nearly so */
    default:
        return drawn / 8 % (2 * bias + 1);
    }
}

/* A number of so many bytes, as bits; every other one is halfway between two of some format, or one of it. */
static uint64_t real_bits(uint64_t seed, size_t size, bool adds)
{
    static const int kept[] = {7, 8, 10, 11, 23, 24};
    const bool wide = size == 8;
    const int digits = wide ? 52 : 23;
    const uint64_t drawn = mixed(seed);
    uint64_t mantissa = mixed(seed + (UINT64_C(1) << 40)) >> (64 - digits);
    const int few = kept[drawn >> 40 & 3] + (wide ? (int)(drawn >> 42 & 1) * 13 : 0);
    if ((drawn >> 43 & 1) != 0 && few < digits) {
        mantissa = mantissa >> (digits - few) << (digits - few);
    }
    const uint64_t sign = drawn >> 63;
    return sign << (8 * size - 1) | exponent(drawn & 0xffffff, wide ? 1023 : 127, adds) << digits | mantissa;
}

static uint64_t whole_bits(uint64_t seed, bool has_sign, hx_wire wire)
{
    const uint64_t most = (UINT64_C(1) << ((8 << (wire - HX_WIRE_INT8)) - 1)) - 1;
    const uint64_t drawn = mixed(seed);
    const uint64_t value = drawn >> 8 & 1 ? most : (drawn >> 9) % (most + 1);
    return has_sign && (drawn & 1) != 0 ? 0 - value : value;
}

static size_t bytes_of_number(const char *type)
{
    const bool wide =
        strcmp(type, "double") == 0 || strcmp(type, "hx_complex128") == 0 || strstr(type, "long");
    return wide ? 8 : strcmp(type, "int16_t") == 0 ? 2 : 4;
}

static void fill(const arrays *s, int block, const hx_exchange_field *item, bool adds)
{
    const layout *l = s->layout;
    const hx_field *f = &l->spec->field[item->field];
    const size_t size = bytes_of_number(f->type);
    const size_t numbers = layout_elements(l, block, item->field) * (size_t)f->size / size;
    const size_t array = (size_t)(block * l->spec->fields + item->field);
    unsigned char *actual = s->actual[array] + s->guard * (size_t)f->size;
    for (size_t i = 0; i < numbers; ++i) {
        const uint64_t seed = (uint64_t)i | (uint64_t)array << 24 | (uint64_t)s->salt << 32;
        const uint64_t bits = item->wire < HX_WIRE_INT8
                                  ? real_bits(seed, size, adds)
                                  : whole_bits(seed, !strstr(f->type, "unsigned"), item->wire);
        memcpy(actual + i * size, &bits, size); /* the first bytes of a word are its low ones */
    }
}

void odd_fill(const arrays *s, int exchange)
{
    const hx_exchange *x = &s->layout->spec->exchange[exchange];
    for (int b = 0; b < s->layout->blocks.count; ++b) {
        for (int i = 0; i < x->fields; ++i) {
            if (x->field[i].wire != HX_WIRE_NOT) {
                fill(s, b, &x->field[i], x->operation != HX_COPY);
            }
        }
    }
}
