/*
 * Who relies on something that others may free: that is refused, in words, until nobody does.
 */
#ifndef HX_USE_H
#define HX_USE_H

#include "base/status.h"

enum { HX_USE = 160 };

/* Lies in whoever relies on it.  Starts as {0}. */
typedef struct hx_use {
    struct hx_use *next;
    struct hx_use **first; /* of the list that it is in; NULL: none */
    char why[HX_USE];
} hx_use;

/* first: the list, in what is relied on; why: who does, and what ends it, for the end of a sentence. */
void hx_use_begin(hx_use **first, hx_use *use, const char *format, ...) HX_PRINTF(3, 4);
void hx_use_end(hx_use *use);

/* Why it cannot be freed now; "" if it can. */
void hx_use_why(hx_use *const *first, char why[HX_USE]);

#endif
