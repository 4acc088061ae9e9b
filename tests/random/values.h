/*
 * Values of points of any type: made from numbers, and reckoned with as the contract says.
 */
#ifndef VALUES_H
#define VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum value_kind {
    VALUE_INTEGER, /* of any size, with or without a sign: reckoned modulo 2 to the power of its bits */
    VALUE_FLOAT,
    VALUE_DOUBLE,
    VALUE_LONG_DOUBLE,
    VALUE_COMPLEX64,
    VALUE_COMPLEX128,
    VALUE_BOOL,
    VALUE_HALF,
    VALUE_BYTES /* a struct: copied whole */
} value_kind;

/* How numbers travel that an exchange sends shorter than they are. */
typedef enum value_wire {
    WIRE_NONE,
    WIRE_FLOAT,
    WIRE_HALF,
    WIRE_BFLOAT16,
    WIRE_INT8,
    WIRE_INT16,
    WIRE_INT32
} value_wire;

/* Numbers below this stay distinct in all types of four bytes or more. */
#define VALUE_NUMBERS ((uint64_t)1 << 24)

/*
 * The value of a number: distinct for distinct numbers where the type is wide enough, differently mixed for
 * each salt.  small: few and small whole numbers instead, none of them 0, whose sums are exact.
 */
void value_make(value_kind kind, size_t size, void *element, uint64_t number, unsigned salt, bool small);

/* element += other; element = -element; element = 0. */
void value_add(value_kind kind, size_t size, void *element, const void *other);
/* Of the two the greater, or with a sense of -1 the lesser.  has_sign: of integers. */
void value_take(value_kind kind, int has_sign, size_t size, int sense, void *element, const void *other);
void value_negate(value_kind kind, size_t size, void *element);
void value_zero(size_t size, void *element);

/* element / number, for floating and complex types. */
void value_divide(value_kind kind, void *element, int number);

/* A value becomes one that its format holds, if it is an integer, and else one that it does not hold. */
void value_suit(value_kind kind, size_t size, int has_sign, value_wire wire, void *element);

/* What becomes of it on its way: of the numbers of the format the nearest, of two as near the even one. */
void value_round(value_kind kind, value_wire wire, void *element);

bool value_equal(value_kind kind, size_t size, const void *a, const void *b);
void value_print(value_kind kind, size_t size, const void *element, char *text, size_t room);

/* A value whose sums are rounded, where the type rounds at all; the same whatever lies around it. */
void value_make_inexact(value_kind kind, size_t size, void *element, uint64_t number);

/* Distinct for distinct values, as far as 64 bits go. */
uint64_t value_digest(value_kind kind, size_t size, const void *element, uint64_t number);

/* a * b of small values, modulo 2 to the power of 64 or of the integer's bits; of complex ones both parts. */
uint64_t value_product(value_kind kind, size_t size, const void *a, const void *b);

#endif
