/*
 * Rows of bytes: copied, compared, and their digests, numbers that are the same where all bytes are, and hardly ever where
 * one is not.
 */
#ifndef HX_AUDIT_DIGEST_H
#define HX_AUDIT_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of bytes, each so far behind the one before. */
typedef struct hxi_strided {
    const unsigned char *at;
    ptrdiff_t stride;
    int count;
    size_t bytes; /* of a row */
} hxi_strided;

/* It depends on the rows alone, not on where they lie. */
uint64_t hxi_digest(const hxi_strided *rows);

/* The same, and writes the rows one behind the other. */
uint64_t hxi_digest_copy(const hxi_strided *rows, unsigned char *to);

/* The digest of one, and whether as many rows elsewhere hold the same. */
uint64_t hxi_digest_same(const hxi_strided *rows, const hxi_strided *other, bool *same);

/* Without a digest.  stride: from each row to the next, there. */
bool hxi_strided_same(const hxi_strided *rows, const hxi_strided *other);
bool hxi_strided_zero(const hxi_strided *rows);
void hxi_strided_copy(const hxi_strided *rows, unsigned char *to, ptrdiff_t stride);

#endif
