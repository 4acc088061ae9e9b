/*
 * One cloud of points: its lists by ids, and all exchanges of a spec by some transports, against what the ids
 * say; everything else in the arrays is as it was.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "points.h"

/* How the points of a handle travel. */
typedef struct trial_way {
    const char *transport;
    const char *figures; /* create finds out what is fastest, and keeps it in this file; NULL: it does not */
    /* Moves the messages of an exchange between start and finish (../exchange/carry.h); NULL: libhx does. */
    int (*carry)(const hx_handle *handle, int exchange, MPI_Comm comm);
    const char *messages; /* option device_messages; NULL: the default */
    /* Makes an exchange of arrays that lie elsewhere, with what these hold; NULL: of these, here. */
    void (*exchange)(hx_handle *handle, const struct trial_way *way, const points *arrays, int number);
} trial_way;

/* Collective over MPI_COMM_WORLD. */
void trial_run(const hx_spec *spec, uint64_t seed, int rank, int ranks, const trial_way *way, int ways);

/* The same of a comb (cloud.h) that is large enough for loops over many points on their own. */
void trial_comb(const hx_spec *spec, int rank, int ranks, const trial_way *way, int ways);

/* Messages of this rank that went straight into arrays of another one, in all trials so far. */
long trial_straight(void);

#endif
