/*
 * The clock of a handle, for those that write seconds of several ranks side by side.
 */
#ifndef HX_CLOCKS_H
#define HX_CLOCKS_H

#include "exchange/handle.h"

/* Collective, in create: sets handle->clock, once however many ask. */
hx_status hxi_clocks_compare(hx_handle *handle);

#endif
