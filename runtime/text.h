/*
 * Text of unknown length, written with printf formats into a buffer that may be too small.
 */
#ifndef HX_TEXT_H
#define HX_TEXT_H

#include "status.h"

#include <stddef.h>

typedef struct hx_text {
    char *at;      /* NULL: only count */
    size_t size;   /* bytes at `at` */
    size_t length; /* of the whole text, also of what did not fit; without the final zero */
} hx_text;

void hx_text_add(hx_text *text, const char *format, ...) HX_PRINTF(2, 3);

/* "4 x 3 x 2" */
void hx_text_add_product(hx_text *text, int axes, const int value[]);

/* The same into a buffer, returned; for sentences. */
enum { HX_PRODUCT = 64 };
const char *hx_product(int axes, const int value[], char buffer[HX_PRODUCT]);

#endif
