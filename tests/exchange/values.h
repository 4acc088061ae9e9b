/*
 * Values that tell where they come from.
 *
 * An owned point's value says which field, tile and position it belongs to; everything else that is allocated
 * holds poison that says where it lies.  Numbers of 4 bytes and more hold the position itself; smaller
 * integers, and halves, a hash of it, so tests run several rounds with different salts.  Positions must be
 * below 2^20, salts below 8.
 */
#ifndef VALUES_H
#define VALUES_H

#include <hx/abi.h>

#include <stdbool.h>

enum { VALUE_POSITIONS = 1 << 20 };

typedef enum value_kind {
    VALUE_SMALL,
    VALUE_HALF,
    VALUE_INTEGER,
    VALUE_FLOAT,
    VALUE_DOUBLE,
    VALUE_LONG_DOUBLE
} value_kind;

value_kind value_kind_of(const hx_field *field);

/* Rounds that make a confusion of two values of this kind improbable. */
int value_rounds(const hx_field *field);

/* sign: -1 for the component of a vector that a link turns around. */
void value_store(value_kind kind, size_t size, void *element, size_t position, int salt, int sign);
void value_store_poison(value_kind kind, size_t size, void *element, size_t offset, int salt);

/* Bit by bit, but for long double: its padding means nothing. */
bool value_equal(value_kind kind, size_t size, const void *a, const void *b);

/* In words, for messages. */
void value_print(value_kind kind, size_t size, const void *element, char *text, size_t room);

#endif
