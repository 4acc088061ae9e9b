/*
 * HX_STATS=1: how long exchanges took, and who waited for whom, in MPI_Finalize; HX_STATS=FILE: the same as JSON.
 */
#ifndef HX_STATS_H
#define HX_STATS_H

#include "exchange/handle.h"

/* Collective, in create.  Only rank 0's HX_STATS counts.  A run without statistics is run all the same. */
void hxi_stats_open(hx_handle *handle);

#endif
