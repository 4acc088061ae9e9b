/*
 * What ranks tell those that they exchange messages with, all at once.  Nobody waits inside a call: whoever has
 * begun asks, as often as it likes, whether all is there.
 */
#ifndef HX_PEER_ROUND_H
#define HX_PEER_ROUND_H

#include "comm/topology.h"

/* One message, one way. */
typedef struct hxi_peer_note {
    int peer;
    int tag; /* the same at both ends, and unlike that of others between them */
    void *data;
    size_t bytes; /* that are sent, or of which there is room; of what came when the round is through */
} hxi_peer_note;

typedef struct hxi_peer_round {
    MPI_Comm comm; /* that nobody else uses for these tags */
    hxi_peer_note *send;
    int sends;
    hxi_peer_note *receive;
    int receives;
    MPI_Request *request; /* one for each, those received first */
    MPI_Status *status;   /* likewise */
    int *done;            /* received ones that have come, ... */
    int come;             /* ... so many, ... */
    int given;            /* ... of which so many were taken */
} hxi_peer_round;

/* Memory for so many messages at most. */
hx_status hxi_peer_round_make(int sends, int receives, hxi_peer_round *round);
void hxi_peer_round_free(hxi_peer_round *round);

/* Local: the messages that it has are on their way. */
hx_status hxi_peer_round_begin(hxi_peer_round *round);

/* The same in steps: what comes is awaited, then this is sent. */
hx_status hxi_peer_round_open(hxi_peer_round *round);
hx_status hxi_peer_round_send(hxi_peer_round *round, int number);

/* Local, between: the number of one that has come, each once; -1: no other one has. */
hx_status hxi_peer_round_take(hxi_peer_round *round, int *number);

/* Local: sets *through if all have come and gone. */
hx_status hxi_peer_round_test(hxi_peer_round *round, bool *through);

/* Local: takes back what has not come.  What was not sent stays with MPI, so data is not to be freed. */
void hxi_peer_round_abandon(hxi_peer_round *round);

#endif
