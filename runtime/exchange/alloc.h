/*
 * Calls that all ranks make together, once a handle is made: alloc, free, register, unregister.
 */
#ifndef HX_ALLOC_H
#define HX_ALLOC_H

#include "exchange/handle.h"

/* What all ranks call together; what: its argument; met: how meeting the other ranks went. */
typedef hx_status hxi_sets_action(hx_handle *handle, void *what, const char *caller, hx_status met);

/* Calls it when all ranks are here.  verb: "alloc". */
hx_status hxi_sets_call(hx_handle *handle, void *what, const char *verb, hxi_sets_action *action);

/*
 * All ranks come here before any of them waits in a call of MPI: until then exchanges under way go on, which
 * others may be waiting for.  *together: they have come, and go on together, also where this rank has a failure
 * to tell.
 */
hx_status hxi_sets_meet(hx_handle *handle, const char *caller, bool *together);

#endif
