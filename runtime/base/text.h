/*
 * Text of unknown length, written with printf formats into a buffer that may be too small.
 */
#ifndef HX_TEXT_H
#define HX_TEXT_H

#include "base/status.h"

#include <hx/abi.h>

#include <stddef.h>
#include <stdint.h>

typedef struct hxi_text {
    char *at;      /* NULL: only count */
    size_t size;   /* bytes at `at` */
    size_t length; /* of the whole text, also of what did not fit; without the final zero */
} hxi_text;

void hxi_text_add(hxi_text *text, const char *format, ...) HX_PRINTF(2, 3);

/* "4 x 3 x 2" */
void hxi_text_add_product(hxi_text *text, int axes, const int value[]);

/* The end of a noun: "" for one of them, "s" for more or none. */
const char *hxi_s(int64_t count);

/* The product into a buffer, returned; for sentences. */
enum { HX_PRODUCT = 64 };
const char *hxi_product(int axes, const int value[], char buffer[HX_PRODUCT]);

/* The number of a name among others; -1: it is none of them, or NULL.  And these: "a" or "b", returned. */
int hxi_text_find(const char *const names[], int count, const char *name);
const char *hxi_text_choice(const char *const names[], int count, char *text, size_t size);

/* What the user called: "channel_velocity_start", or "channel_create" where no exchange is meant (NULL). */
enum { HX_CALL = 256 };
const char *hxi_call(const hx_spec *spec, const hx_exchange *exchange, const char *verb,
                     char buffer[HX_CALL]);

#endif
