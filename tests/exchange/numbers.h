/*
 * Arrays of all fields of all blocks of a layout, of numbers that a test chooses: for exchanges that send
 * what they have in ghost points back to its owners.
 */
#ifndef EXCHANGE_NUMBERS_H
#define EXCHANGE_NUMBERS_H

#include "layout.h"

#include <stdint.h>

typedef struct numbers {
    const layout *l;
    void **array;            /* [block][field] */
    unsigned char *pointers; /* as the exchanges of a handle want them */
} numbers;

void numbers_make(numbers *s, const layout *l);
void numbers_free(numbers *s);

/* Whole numbers from least to most, everywhere. */
void numbers_draw(numbers *s, uint64_t seed, int least, int most);
void numbers_copy(numbers *to, const numbers *from);

/* Elements of array number i, and the field that it is of. */
size_t numbers_count(const numbers *s, int i);
const hx_field *numbers_field(const numbers *s, int i);
int numbers_arrays(const numbers *s);

/* Element k of array number i, after it has been set to `given` unless that is NULL. */
double numbers_at(const numbers *s, int i, size_t k, const double *given);

void numbers_exchange(const numbers *s, hx_handle *handle, int exchange);

/* The exchange that is named so behind a word such as "back_", or -1. */
int numbers_named(const hx_spec *spec, const char *word, const char *name);

#endif
