/*
 * Numbers of the types that points have: their opposites, their text, and a pattern that no program writes.
 */
#ifndef HX_AUDIT_VALUE_H
#define HX_AUDIT_VALUE_H

#include <hx/abi.h>

#include <stdbool.h>

enum { HX_VALUE_TEXT = 96, HX_VALUE_BYTES = 16 };

typedef enum hxi_value_kind {
    HX_VALUE_SIGNED,
    HX_VALUE_UNSIGNED,
    HX_VALUE_FLOAT,
    HX_VALUE_DOUBLE,
    HX_VALUE_LONG_DOUBLE,
    HX_VALUE_HALF,
    HX_VALUE_COMPLEX,
    HX_VALUE_BOOL,
    HX_VALUE_STRUCT
} hxi_value_kind;

hxi_value_kind hxi_value_kind_of(const hx_field *field);

/* Bytes of one number of a field, and how many of them hold its value: a long double has others behind. */
int hxi_value_size(const hx_field *field);
int hxi_value_significant(const hx_field *field);

/* Are two numbers the same, bit by bit, or zeros of either sign? */
bool hxi_value_same(const hx_field *field, const unsigned char *one, const unsigned char *other);

/* Changes the signs of so many numbers that follow each other. */
void hxi_value_negate(const hx_field *field, unsigned char *value, size_t count);

/* A format as specs name it; NULL: numbers travel as they are. */
const char *hxi_wire_name(hx_wire wire);

/* A float or a double, by its size, becomes what it is when it has travelled in a shorter format. */
void hxi_value_round_real(hx_wire wire, unsigned char *number, size_t size);

/* So do as many numbers of a field, one behind the other. */
void hxi_value_round(const hx_field *field, hx_wire wire, unsigned char *value, size_t count);

/*
 * What HX_POISON puts into ghost points: a signalling NaN, or for integers and structs a byte that repeats.
 * Returns its bytes in pattern; 0: the type has no value to spare.
 */
int hxi_value_poison(const hx_field *field, unsigned char pattern[HX_VALUE_BYTES]);

/* Writes a number as text, and returns that. */
const char *hxi_value_text(const hx_field *field, const unsigned char *value, char text[HX_VALUE_TEXT]);

#endif
