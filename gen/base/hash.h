/* FNV-1a, 64 bits: the one hash of the generator, for models and override files.  It is public domain and
 * has published vectors; it tells specs apart, it does not protect from someone who wants them to collide. */
#ifndef HALOGEN_HASH_H
#define HALOGEN_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_DIGITS = 16 };

uint64_t hash_bytes(const void *bytes, size_t length);
/* The hash as 16 lower-case hexadecimal digits and a NUL. */
void hash_text(const void *bytes, size_t length, char digits[HASH_DIGITS + 1]);

#endif
