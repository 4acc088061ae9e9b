/*
 * Where audits are on: are arrays large enough for the shapes that create was given?
 */
#ifndef HX_ARRAY_ROOM_H
#define HX_ARRAY_ROOM_H

#include "exchange/handle.h"

/* Of a plan's arrays, as far as that can be seen.  verb: of the call, for sentences. */
hx_status hxi_array_room_check(const hx_handle *handle, const hxi_plan *plan, const char *verb);

#endif
