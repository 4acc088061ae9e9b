/*
 * Ranks tell their peers when they came to each exchange, so that each finds out for whom it waited.  All of it
 * happens when statistics are wanted, and nothing while exchanges run.
 *
 * One round for each phase of each exchange, one after the other.  What a rank tells in a round depends on what it
 * heard in the rounds before, as its messages did.
 */
#ifndef HX_TELLING_H
#define HX_TELLING_H

#include "comm/peer_round.h"
#include "observe/lateness.h"
#include "observe/stats_collect.h"

/* The other ends of the messages of one phase. */
typedef struct hxi_phase_peers {
    int *to;
    int tos;
    int *from;
    int froms;
    bool in_start; /* its messages are sent by start; no: by finish */
} hxi_phase_peers;

typedef struct hxi_telling {
    const hxi_collection *collection;
    hxi_phase_peers *phase; /* HX_MAX_AXES for each exchange */
    int rank;
    int most; /* ranks heard in one round, at most */
    hxi_clock_line clock;

    int round; /* the one that is under way; -1: none is */
    hxi_peer_round notes;
    hxi_due *own;       /* what this rank tells */
    hxi_due *heard;     /* HX_SAMPLE for each one that is heard */
    hxi_due *done;      /* what the end of the exchange depended on so far */
    hxi_lateness *late; /* of each exchange */
} hxi_telling;

/* Local: everything that telling needs, so that it cannot fail for want of memory. */
hx_status hxi_telling_make(const hx_handle *handle, const hxi_collection *collection, hxi_telling *telling);
void hxi_telling_free(hxi_telling *telling);

/* Local.  comm: nobody else uses it for such messages. */
hx_status hxi_telling_begin(MPI_Comm comm, const hxi_clock_line *clock, hxi_telling *telling);

/* Local: sets *through when all is told, and late is found. */
hx_status hxi_telling_advance(hxi_telling *telling, bool *through);

/* Some rank told nothing: what is not known yet stays unknown.  MPI may still read what this rank tells, so there
 * must be no free. */
void hxi_telling_abandon(hxi_telling *telling);

#endif
