#include "base/hash.h"

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; ++i) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

void hash_text(const void *bytes, size_t length, char digits[HASH_DIGITS + 1])
{
    uint64_t hash = hash_bytes(bytes, length);
    for (int i = 0; i < HASH_DIGITS; ++i) {
        digits[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    }
    digits[HASH_DIGITS] = '\0';
}
