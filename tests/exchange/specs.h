/* The specs that were linked into a test program; the build writes the table. */
#ifndef SPECS_H
#define SPECS_H

#include <hx/abi.h>

extern const hx_spec *const specs[];
extern const int specs_count;

#endif
