/*
 * HX_DEADLINE_REPORT=DIRECTORY: where each rank is, and what it waits for; `halogen trace why` reads it.
 */
#ifndef HX_WAITS_H
#define HX_WAITS_H

#include "exchange/handle.h"

/*
 * Collective, in create.  Only rank 0's HX_DEADLINE_REPORT counts.  A rank that cannot write goes without, and a line
 * on standard error says so.  SIGUSR1 gets a handler, which calls the one that was there.
 */
void hxi_waits_open(hx_handle *handle);

/* Local, around create, which may wait for others.  spec: its name; NULL: it returns. */
void hxi_waits_create(const char *spec);

#endif
