#include "checksum.h"

#include <string.h>

/* Spreads every bit of a number over all bits of another. */
static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

uint64_t checksum_of(double number, uint64_t place)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mix(bits ^ mix(place + 1));
}

void checksum_add(uint64_t *sum, double number, uint64_t place)
{
    *sum += checksum_of(number, place);
}
