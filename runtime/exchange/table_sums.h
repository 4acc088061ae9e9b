/*
 * Sums over the numbers of emitted tables.  The generator has made them of what it planned, before it printed
 * a number.
 */
#ifndef HX_TABLE_SUMS_H
#define HX_TABLE_SUMS_H

#include <hx/abi.h>

#include <stdbool.h>

/* A table whose numbers have another sum. */
typedef struct hxi_table_flaw {
    char table[128];
    const char *ending; /* of the file that it is in */
} hxi_table_flaw;

/* Needs tables whose numbers are in their ranges.  False: flaw is filled. */
bool hxi_table_sums_check(const hx_spec *spec, hxi_table_flaw *flaw);

#endif
