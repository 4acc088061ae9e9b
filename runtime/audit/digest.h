/*
 * Digests of rows: numbers that are the same where all bytes are, and hardly ever where one is not.
 */
#ifndef HX_AUDIT_DIGEST_H
#define HX_AUDIT_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of bytes, each so far behind the one before. */
typedef struct hxi_lines {
    const unsigned char *at;
    ptrdiff_t stride;
    int count;
    size_t bytes; /* of a row */
} hxi_lines;

/* It depends on the rows alone, not on where they lie. */
uint64_t hxi_digest(const hxi_lines *lines);

/* The same, and writes the rows one behind the other. */
uint64_t hxi_digest_copy(const hxi_lines *lines, unsigned char *to);

/* The digest of one, and whether as many rows elsewhere hold the same. */
uint64_t hxi_digest_same(const hxi_lines *lines, const hxi_lines *other, bool *same);

#endif
