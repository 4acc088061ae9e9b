/*
 * Sums that are right, told quickly: numbers that lie side by side, and get their shares from numbers that do, are a run.
 * Runs that are equally far apart, as those of a face, are walked together.  Where some sum is not plainly right, totals
 * look at each number by itself.
 */
#ifndef HX_SUMS_H
#define HX_SUMS_H

#include "audit/number.h"
#include "base/status.h"

#include <stddef.h>

typedef struct hxi_sums hxi_sums;

/* Where shares lie: bytes behind the first one of a bundle. */
typedef struct hxi_sums_source {
    int bundle;
    bool negative; /* it is subtracted */
    ptrdiff_t at;
} hxi_sums_source;

/* Of doubles and floats.  So many numbers, and shares of all of them together; NULL: there is no memory. */
bool hxi_sums_can(hxi_number_type type);
hxi_sums *hxi_sums_make(hxi_number_type type, int numbers, int shares);
void hxi_sums_free(hxi_sums *sums);

/* The next number, by its array, and the bytes from its pointer; then all its shares.  At last, once: false: no memory. */
void hxi_sums_number(hxi_sums *sums, int array, ptrdiff_t place);
void hxi_sums_share(hxi_sums *sums, const hxi_sums_source *share);
void hxi_sums_end(hxi_sums *sums);
bool hxi_sums_close(hxi_sums *sums);

/* What all numbers are now stays; it is told again in their order. */
void hxi_sums_start(hxi_sums *sums, void *const arrays[]);
hxi_number hxi_sums_was(const hxi_sums *sums, int number);

/* Are all numbers what they were, with their shares added, but for how sums are rounded?  bundle: of each its first share. */
bool hxi_sums_hold(const hxi_sums *sums, void *const arrays[], const unsigned char *const bundle[]);

#endif
