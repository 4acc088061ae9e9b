/*
 * Numbers that are hard to round, for exchanges whose numbers travel shorter than they are (wire): halfway between two,
 * subnormal, too large, infinite or none (NaN) in the format or in memory; and integers that fit.
 */
#ifndef ODD_H
#define ODD_H

#include "arrays.h"

#include <stdbool.h>

/* Do numbers of an exchange travel shorter than they are? */
bool odd_exchange(const hx_exchange *exchange);

/* Fills arrays of fields of which that is so; others, and all of other exchanges, stay as they are.  The same for the same salt. */
void odd_fill(const arrays *s, int exchange);

#endif
