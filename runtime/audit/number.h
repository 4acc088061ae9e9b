/*
 * Numbers as audits add and compare them, of whatever type points have.
 */
#ifndef HX_NUMBER_H
#define HX_NUMBER_H

#include "audit/value.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A complex value is two numbers, a value of a struct one that stands for its bytes. */
typedef struct hxi_number_type {
    hxi_value_kind kind;
    int size; /* bytes of a number */
} hxi_number_type;

/* Which of them counts, the type says. */
typedef union hxi_number {
    double real;
    uint64_t whole; /* modulo 2^64 */
} hxi_number;

hxi_number_type hxi_number_type_of(const hx_field *field);

/* A long double is rounded to a double.  Most are doubles already. */
hxi_number hxi_number_read_any(hxi_number_type type, const unsigned char *at);

static inline hxi_number hxi_number_read(hxi_number_type type, const unsigned char *at)
{
    hxi_number number;
    if (type.kind != HX_VALUE_DOUBLE) {
        return hxi_number_read_any(type, at);
    }
    memcpy(&number.real, at, sizeof number.real);
    return number;
}

hxi_number hxi_number_opposite(hxi_number_type type, hxi_number number);

/* Bit by bit; all that are no numbers (NaN) are the same. */
bool hxi_number_same(hxi_number_type type, hxi_number one, hxi_number other);
bool hxi_number_is_zero(hxi_number_type type, hxi_number number);

/* What is to become of several numbers. */
typedef struct hxi_total {
    hxi_number number;
    double size; /* of real ones: the sum of all summands without their signs */
    int terms;
} hxi_total;

/* The first one, or one more.  parts: of a mean, what it is divided by. */
void hxi_total_begin_any(hxi_total *total, hxi_number_type type, hxi_number first, int parts);
void hxi_total_take_any(hxi_total *total, hxi_number_type type, hx_operation operation, hxi_number next,
                        int parts);

static inline void hxi_total_begin(hxi_total *total, hxi_number_type type, hxi_number first, int parts)
{
    if (type.kind == HX_VALUE_DOUBLE && parts == 1) {
        *total = (hxi_total){.number = first, .size = fabs(first.real), .terms = 1};
    } else {
        hxi_total_begin_any(total, type, first, parts);
    }
}

static inline void hxi_total_take(hxi_total *total, hxi_number_type type, hx_operation operation,
                                  hxi_number next, int parts)
{
    if (type.kind == HX_VALUE_DOUBLE && operation == HX_ADD) {
        total->number.real += next.real;
        total->size += fabs(next.real);
        total->terms++;
    } else {
        hxi_total_take_any(total, type, operation, next, parts);
    }
}

/* Sums may be rounded in another order.  True also where nobody can tell, since they are too great. */
bool hxi_total_is(const hxi_total *total, hxi_number_type type, hx_operation operation, hxi_number number);

/* In words, returned. */
const char *hxi_number_text(hxi_number_type type, hxi_number number, char text[HX_VALUE_TEXT]);

#endif
