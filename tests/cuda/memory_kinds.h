/*
 * Memory of each kind that kernels can use, had from CUDA.
 */
#ifndef MEMORY_KINDS_H
#define MEMORY_KINDS_H

#include "mirror.h"

enum { MEMORY_KINDS = 6 };
extern const memory_kind *const memory_kinds[MEMORY_KINDS];
extern const memory_kind memory_registered; /* one of them */

/* Like the last one, which is made of an address and a piece that is mapped there, but kernels have no access. */
extern const memory_kind memory_closed;

#endif
