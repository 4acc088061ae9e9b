/*
 * Sums over the numbers of emitted tables.  The generator has made them of what it planned, before it printed
 * a number.
 */
#ifndef HX_TABLE_SUMS_H
#define HX_TABLE_SUMS_H

#include <hx/abi.h>

#include <stdbool.h>

/* Needs tables whose numbers are in their ranges.  False: the name of a table whose sum is another, in flaw.
 */
bool hx_table_sums_check(const hx_spec *spec, char *flaw, size_t size);

#endif
