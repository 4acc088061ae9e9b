/*
 * Starts and finishes that all threads of a parallel region of the application call.
 */
#ifndef HX_TEAM_CALL_H
#define HX_TEAM_CALL_H

#include "base/crew.h"

#include <hx/hx.h>

typedef struct hxi_team_call {
    hxi_crew crew; /* thread 0 has the work, and calls MPI; the others serve */
    /* Others that have come for the call to come; a bit: nobody waits for them any more. */
    atomic_uint arrived;
    atomic_uint threads;  /* how many there are, says whoever came first; 0: nobody has come */
    atomic_bool odd;      /* another one says otherwise */
    atomic_bool led;      /* thread 0 has come */
    hx_status status;     /* of the call, ... */
    const char *sentence; /* ... and what thread 0 has to say about it */
} hxi_team_call;

void hxi_team_call_open(hxi_team_call *team_call, int patience);
void hxi_team_call_close(hxi_team_call *team_call);

#endif
