/*
 * What each rank tells the first one of its communicator in MPI_Finalize, where all ranks come together: no
 * rank waits for another one before.
 */
#ifndef HX_FINAL_GATHER_H
#define HX_FINAL_GATHER_H

#include "comm/topology.h"

typedef struct hxi_final_gather hxi_final_gather;
struct hxi_final_gather {
    char *own;    /* what this rank tells; NULL: nothing.  Goes to hxi_memory_free */
    size_t bytes; /* of it; 0: it is a text */
    /* The first rank's, by rank: what the others told, with a zero behind it; "" or NULL: nothing. */
    char **told;
    size_t *told_bytes; /* of each, without that zero */
    int missing;        /* ranks that had told nothing when the deadline passed */
    double deadline;    /* 0: none, as MPI_Finalize has none */
    void *context;
    void (*prepare)(hxi_final_gather *gather); /* on each rank: the last time to set own, ... */
    /* ... but where ranks have to ask each other first: is own set now?  Waits for nobody.  NULL: prepare has. */
    bool (*advance)(hxi_final_gather *gather, double waited);
    void (*take)(hxi_final_gather *gather); /* on the first rank, when all have told */
    void (*end)(hxi_final_gather *gather);  /* on each rank: it is not used any more */

    /* Of final_gather.c. */
    MPI_Comm comm;
    int rank;
    int ranks;
    int tag;
    bool ready;    /* own is set, and the first rank knows */
    bool given_up; /* nobody tells or waits any more */
    int asked; /* ranks whom the first one has asked, and who have not told it; on others 1 when it has asked them */
    MPI_Request request;
    hxi_final_gather *next;
};

/* Collective: fails on all ranks or on none.  gather: NULL on a rank that failed already. */
hx_status hxi_final_gather_open(const hxi_topology *topology, hxi_final_gather *gather);

/*
 * Collective, when all ranks are here: the same before MPI_Finalize, as often as one likes, but that prepare and
 * end are not called.  False: the deadline has passed, and it is of no use any more.
 */
bool hxi_final_gather_now(hxi_final_gather *gather);

/* Local, on all ranks: one of them has left that with the deadline.  In MPI_Finalize nobody waits for it again, and take is
 * not called. */
void hxi_final_gather_give_up(hxi_final_gather *gather);

/* This process's rank among all. */
int hxi_final_gather_process(void);

#endif
