/*
 * An hx_spec made of the table that lua/explain/tables.lua gives.
 */
#ifndef HALOGEN_EXPLAIN_SPEC_H
#define HALOGEN_EXPLAIN_SPEC_H

#include "explain/read.h"

#include <hx/abi.h>

/* Of the table on top of the stack. */
const hx_spec *spec_read(const reader *r);

#endif
