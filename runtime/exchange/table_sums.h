/*
 * Sums over the numbers of emitted tables.  The generator has made them of what it planned, before it printed
 * a number.
 */
#ifndef HX_TABLE_SUMS_H
#define HX_TABLE_SUMS_H

#include <hx/abi.h>

#include <stdbool.h>

/* A table whose numbers have another sum. */
typedef struct hx_table_flaw {
    char table[128];
    const char *ending; /* of the file that it is in */
} hx_table_flaw;

/* Needs tables whose numbers are in their ranges.  False: flaw is filled. */
bool hx_table_sums_check(const hx_spec *spec, hx_table_flaw *flaw);

#endif
