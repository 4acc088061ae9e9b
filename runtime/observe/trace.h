/*
 * HX_TRACE=DIRECTORY: what exchanges do, in a file for each rank; `halogen trace` reads them.
 */
#ifndef HX_TRACE_H
#define HX_TRACE_H

#include "exchange/handle.h"

/*
 * Collective, in create.  Only rank 0's HX_TRACE counts.  A rank that cannot write, or a handle too many, goes
 * without, and a line on standard error says so.
 */
void hxi_trace_open(hx_handle *handle);

#endif
