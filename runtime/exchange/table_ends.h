/*
 * Marks behind the last rows of emitted tables, which tell that there are as many rows as numbers beside them
 * say.
 */
#ifndef HX_TABLE_ENDS_H
#define HX_TABLE_ENDS_H

#include <hx/abi.h>

#include <stdbool.h>

/* Looks at no row behind a mark.  False: words in flaw. */
bool hxi_table_ends_check(const hx_spec *spec, char *flaw, size_t size);

#endif
