/*
 * What audits tell each other: messages of their own, on a communicator of their own.
 */
#ifndef HX_AUDIT_MAIL_H
#define HX_AUDIT_MAIL_H

#include "audit/report.h"
#include "comm/topology.h"

/* The values of some patches that follow each other, for one peer or from it. */
typedef struct hxi_bundle {
    int peer;
    int patch; /* the first */
    int patches;
    size_t bytes;
    unsigned char *data;               /* one of these two: */
    unsigned char *kept[HX_OCCASIONS]; /* by occasion; NULL: there was none yet */
} hxi_bundle;

/* Messages of one exchange. */
typedef struct hxi_mail {
    MPI_Comm comm;
    int rank;
    int tag;
    hxi_bundle *in;
    int ins;
    hxi_bundle *out;
    int outs;
    MPI_Request *request; /* of those in, then of those out; null ones for this rank itself */
    MPI_Status *state;    /* likewise, never read: MPICH's MPI_STATUSES_IGNORE makes gcc warn */
} hxi_mail;

/* Collective.  A communicator like that of the topology. */
hx_status hxi_mail_open(const hxi_topology *topology, MPI_Comm *comm);
void hxi_mail_close(MPI_Comm *comm);

/* Collective.  Each rank's numbers, and from all of them who has which. */
hx_status hxi_mail_tell_owners(MPI_Comm comm, const int *mine, int count, int *owner, int blocks);

/* Collective.  What other ranks want of this one: patches by rising peer, in the peers' order. */
hx_status hxi_mail_ask(MPI_Comm comm, const hxi_patches *wanted, hxi_patches *served);

/* Sends what is out, and opens what is in. */
hx_status hxi_mail_start(hxi_mail *mail);

/* Has all come and gone? */
hx_status hxi_mail_test(hxi_mail *mail, bool *done);

#endif
