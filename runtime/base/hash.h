/*
 * FNV-1a over integers: a fingerprint for comparing what two ranks computed, not a secret.
 */
#ifndef HX_HASH_H
#define HX_HASH_H

#include <stdint.h>

#define HX_HASH_SEED UINT64_C(0xcbf29ce484222325)

static inline uint64_t hxi_hash(uint64_t hash, int64_t value)
{
    for (int byte = 0; byte < 8; ++byte) {
        hash ^= ((uint64_t)value >> (8 * byte)) & 0xff;
        hash *= UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
