/*
 * A fingerprint of integers, for comparing what two ranks computed, not a secret: each is mixed in by one
 * multiplication, since create takes one of all links.
 */
#ifndef HX_HASH_H
#define HX_HASH_H

#include <stdint.h>

#define HX_HASH_SEED UINT64_C(0xcbf29ce484222325)

static inline uint64_t hxi_hash(uint64_t hash, int64_t value)
{
    hash = (hash ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

#endif
