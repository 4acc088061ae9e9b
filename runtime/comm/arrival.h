/*
 * Have all ranks of the application's communicator come?  It is asked by collective calls only: messages of
 * ours might meet receives of the application's.
 */
#ifndef HX_ARRIVAL_H
#define HX_ARRIVAL_H

#include <hx/hx.h>

/*
 * Collective; the communicator is quiet.  Returns when all ranks have called it.  HX_ERR_DEADLINE where this
 * rank has waited for so many seconds (0: for ever), or another one has: it had left before all came.  Then
 * no other collective call follows; what is left of this one ends as soon as all ranks have called it.  Other
 * errors are this rank's alone, which all the same has taken part.
 */
hx_status hx_arrival_wait(MPI_Comm comm, const char *caller, double deadline);

#endif
