/*
 * Who relies on something that others may free: that is refused, in words, until nobody does.
 */
#ifndef HX_LEASE_H
#define HX_LEASE_H

#include "base/status.h"

enum { HX_USE = 160 };

/* Lies in whoever relies on it.  Starts as {0}. */
typedef struct hxi_lease {
    struct hxi_lease *next;
    struct hxi_lease **first; /* of the list that it is in; NULL: none */
    char why[HX_USE];
} hxi_lease;

/* first: the list, in what is relied on; why: who does, and what ends it, for the end of a sentence. */
void hxi_lease_begin(hxi_lease **first, hxi_lease *use, const char *format, ...) HX_PRINTF(3, 4);
void hxi_lease_end(hxi_lease *use);

/* Why it cannot be freed now; "" if it can. */
void hxi_lease_why(hxi_lease *const *first, char why[HX_USE]);

#endif
