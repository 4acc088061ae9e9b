/*
 * Checksums of states whose numbers any ranks have: sums, so their order does not matter.
 */
#ifndef COMMON_CHECKSUM_H
#define COMMON_CHECKSUM_H

#include <stdint.h>

/* What a number adds to the checksum; depends on all its bits and on its place. */
uint64_t checksum_of(double number, uint64_t place);

/* The same, added to a sum: for languages that have no unsigned numbers. */
void checksum_add(uint64_t *sum, double number, uint64_t place);

#endif
