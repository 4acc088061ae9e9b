/*
 * Have all ranks of the application's communicator come?  It is asked by collective calls only: messages of
 * ours might meet receives of the application's.
 */
#ifndef HX_ARRIVAL_H
#define HX_ARRIVAL_H

#include <hx/hx.h>

#include <stdbool.h>

/*
 * Collective; the communicator is quiet.  Returns when all ranks have called it.  HX_ERR_DEADLINE where this
 * rank has waited for so many seconds (0: for ever), or another one has: it had left before all came; what is
 * left of this call ends as soon as all ranks have called it.  HX_ERR_MISMATCH, on all ranks, where callers
 * differ.  After these two no other collective call follows.  Other errors are this rank's alone, which all
 * the same has taken part.
 *
 * A rank with a deadline that stood still for longer than the others wait for it (as long as the deadline, 1
 * to 10 s) sees that, and fails as they do.  But if it stands still after it has said that it is here, and
 * before it is told, it may get HX_OK, or the others may, while those that waited do not.
 *
 * named: the caller is what the application called.  false: this rank cannot tell, and is not compared.
 */
hx_status hxi_arrival_wait(MPI_Comm comm, const char *caller, bool named, double deadline);

/* The same for calls without options: *deadline is what the application gave, and then what counts. */
hx_status hxi_arrival_meet(MPI_Comm comm, const char *caller, double *deadline);

/* Is it one of the two after which the ranks do not go on together? */
static inline bool hxi_arrival_failed(hx_status status)
{
    return status == HX_ERR_DEADLINE || status == HX_ERR_MISMATCH;
}

#endif
