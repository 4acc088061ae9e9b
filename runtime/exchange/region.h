/*
 * Starts and finishes that all threads of a parallel region of the application call.
 */
#ifndef HX_REGION_H
#define HX_REGION_H

#include "base/crew.h"

#include <hx/hx.h>

typedef struct hxi_region {
    hxi_crew crew; /* thread 0 has the work, and calls MPI; the others serve */
    /* Others that have come for the call to come; a bit: nobody waits for them any more. */
    atomic_uint arrived;
    atomic_uint threads;  /* how many there are, says whoever came first; 0: nobody has come */
    atomic_bool odd;      /* another one says otherwise */
    atomic_bool led;      /* thread 0 has come */
    hx_status status;     /* of the call, ... */
    const char *sentence; /* ... and what thread 0 has to say about it */
} hxi_region;

void hxi_region_open(hxi_region *region, int patience);
void hxi_region_close(hxi_region *region);

#endif
