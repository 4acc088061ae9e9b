/*
 * Values of points, in every type.  A value is 64 mixed bits, of which a type takes as many as it holds
 * exactly; a number is a small one that is reckoned with, and is exact in every type.
 */
#ifndef HX_CHECK_VALUES_H
#define HX_CHECK_VALUES_H

#include <hx/check.h>

#include <stdbool.h>

/* What points hold that nobody has written to. */
#define HX_CHECK_UNTOUCHED UINT64_MAX

/* What a point of a field is made of, as far as values go. */
typedef struct check_type {
    hx_check_kind kind;
    size_t size; /* bytes of one element */
    int bits;    /* of integers that travel in so many; 0: they have all that their type has */
} check_type;

/* What a point holds: a value, or its opposite, as it is when it has travelled in a shorter format. */
typedef struct check_value {
    uint64_t bits;
    bool opposite;
    hx_wire wire;
} check_value;

/*
 * A number that tells field, component and place, well mixed so that narrow types differ between neighbors,
 * too.
 */
uint64_t hxi_check_mix(int field, const int place[], int axes, int component);

void hxi_check_store(const check_type *type, void *element, uint64_t bits);
bool hxi_check_holds(const check_type *type, const void *element, check_value value);

/* The nearest number of a format in which numbers travel, of two as near the even one. */
double hxi_check_rounded(double number, hx_wire wire);

void hxi_check_store_number(const check_type *type, void *element, int64_t number);
bool hxi_check_holds_number(const check_type *type, const void *element, int64_t number);

/*
 * What an operation that sends ghost points back makes of two numbers: their sum, the lesser or the greater.
 */
int64_t hxi_check_joined(hx_operation operation, int64_t a, int64_t b);

/* The number that is there; of integers modulo what their type can hold. */
int64_t hxi_check_number_at(const check_type *type, const void *element);

/* Is a difference of numbers zero, as far as the type can tell? */
bool hxi_check_is_nothing(const check_type *type, int64_t difference);

#endif
