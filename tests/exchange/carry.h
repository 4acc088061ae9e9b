/*
 * What an application does that moves messages itself.
 */
#ifndef CARRY_H
#define CARRY_H

#include <hx/abi.h>

/*
 * Collective, between start and finish with the transport "manual": moves the messages of an exchange by
 * MPI_Sendrecv, from rank to rank of comm.  Returns how many this rank sent and received; -1: they could not
 * be asked for.
 */
int carry(const hx_handle *handle, int exchange, MPI_Comm comm);

#endif
