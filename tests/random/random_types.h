/* Structs that random specs exchange (types.lua says the same). */
#ifndef RANDOM_TYPES_H
#define RANDOM_TYPES_H

#include <stdint.h>

typedef struct random_cell {
    double mass;
    int32_t kind;
    char name[9];
} random_cell;

typedef struct random_tag {
    unsigned char colour[3];
} random_tag;

typedef struct random_block {
    _Alignas(16) unsigned char byte[48];
} random_block;

#endif
