/*
 * What all ranks find together, where each may give up: the largest of their numbers, and what one of them says.
 */
#ifndef HX_VOTE_H
#define HX_VOTE_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Nobody waits in MPI for it: a rank that passes its deadline leaves, and its room stays. */
typedef struct hxi_vote {
    MPI_Request request;
    int64_t mine[2];
    int64_t most[2]; /* of all ranks */
    struct {
        int status;
        char sentence[HX_SENTENCE];
    } told; /* by the lowest rank with a failure */
} hxi_vote;

/* Collective.  mine is set; most, when it has come. */
hx_status hxi_vote_start(hxi_vote *vote, MPI_Comm comm);

/* Collective.  The rank tells what it has told. */
hx_status hxi_vote_tell(hxi_vote *vote, MPI_Comm comm, int rank);

hx_status hxi_vote_test(hxi_vote *vote, bool *done);

#endif
