/*
 * How long an exchange of a handle takes: rounds of it, which all ranks begin together.
 */
#ifndef HX_TUNE_ROUNDS_H
#define HX_TUNE_ROUNDS_H

#include "comm/topology.h"

#include <stdint.h>

struct hx_handle;

/* The most of one exchange. */
enum { HX_TUNE_ROUNDS = 25 };

typedef struct hxi_tune_rounds {
    const hxi_topology *topology; /* of the ranks that agree, which outlives the handles */
    const void *fields;           /* pointers to the arrays of the handle */
    int64_t *mine;                /* room for so many numbers, */
    int64_t *most;                /* and again */
} hxi_tune_rounds;

/*
 * Collective.  figure: nanoseconds, the median of rounds, each of which takes as long as on its slowest rank;
 * the same on all ranks, as is the status.  Arrays of the handle are set to zero before each round.  share:
 * nanoseconds for all rounds, the same on all ranks; there are three at least, however long they take.
 */
hx_status hxi_tune_measure(const hxi_tune_rounds *t, struct hx_handle *trial, int exchange, int64_t share,
                           int64_t *figure);

#endif
