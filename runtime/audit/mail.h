/*
 * What audits tell each other: messages of their own, on a communicator of their own.
 */
#ifndef HX_AUDIT_MAIL_H
#define HX_AUDIT_MAIL_H

#include "audit/patch.h"
#include "base/status.h"
#include "comm/topology.h"

/* Values of a bundle, of which an owner keeps several. */
typedef enum hxi_keep {
    HX_KEEP_EVEN, /* at the start of the last even run ... */
    HX_KEEP_ODD,  /* ... and of the last odd one */
    HX_KEEP_NOW,  /* when the application asked */
    HX_KEEPS,
    HX_KEEP_ANSWER = HX_KEEP_EVEN, /* of whoever is fed: of the run that it asked about ... */
    HX_KEEP_LAST = HX_KEEP_ODD     /* ... and of the last one */
} hxi_keep;

/* Stands in front of values. */
typedef struct hxi_stamp {
    uint64_t run; /* 0: none */
    unsigned char fill[8];
} hxi_stamp;

/* Asks an owner for what it had. */
typedef struct hxi_question {
    uint64_t run;
    int exchange;
    int from; /* rank that asks */
} hxi_question;

/* Some patches that follow each other, for one peer or from it. */
typedef struct hxi_bundle {
    int peer;
    bool own;  /* what this rank feeds itself, with the same patches on both sides */
    int patch; /* the first */
    int patches;
    int digests;                   /* one for each slab; of lists for each field or component */
    size_t bytes;                  /* of values, with a stamp */
    int header;                    /* words before digests: see HX_MARKS */
    uint64_t *digest;              /* behind them */
    uint64_t *last;                /* of its own: what each slab was filled with in the last run */
    unsigned char *keep[HX_KEEPS]; /* NULL: there is none */
    bool differs;                  /* some slab does */
    bool known;                    /* of what is fed: the owner's values have come */
    hxi_question question;
    MPI_Request asking;
    MPI_Request answer; /* under way */
} hxi_bundle;

/* Of the header: a bit for each of the first 64 fields of the spec, then a mark of each field of the exchange. */
enum { HX_MARKS = 1 };

/* Messages of one exchange. */
typedef struct hxi_mail {
    MPI_Comm comm;
    int rank;
    int exchange;
    int exchanges;
    hxi_bundle *in;
    int ins;
    hxi_bundle *out;
    int outs;
    MPI_Request *request; /* room for two of each bundle */
    MPI_Status *state;    /* likewise, never read: MPICH's MPI_STATUSES_IGNORE makes gcc warn */
    int requests;
} hxi_mail;

/* Collective.  A communicator like that of the topology. */
hx_status hxi_mail_open(const hxi_topology *topology, MPI_Comm *comm);
void hxi_mail_close(MPI_Comm *comm);

/* Collective.  What other ranks want of this one: patches by rising peer, in the peers' order. */
hx_status hxi_mail_ask(MPI_Comm comm, const hxi_patches *wanted, hxi_patches *served);

/* Sends what is out, and opens what is in: digests, or the values of now, or these and those of a run. */
hx_status hxi_mail_start(hxi_mail *mail);
hx_status hxi_mail_start_now(hxi_mail *mail);
hx_status hxi_mail_start_values(hxi_mail *mail, hxi_keep run);

/* Has all come and gone? */
hx_status hxi_mail_test(hxi_mail *mail, bool *done);

/* ---- questions, between a start and the next but one ---- */

/* Where questions come in. */
typedef struct hxi_desk {
    MPI_Comm comm;
    int tag;
    MPI_Request listening;
    hxi_question heard;
} hxi_desk;

hx_status hxi_desk_open(hxi_desk *desk, MPI_Comm comm, int exchanges);
hx_status hxi_desk_hear(hxi_desk *desk, hxi_question *question, bool *heard);
void hxi_desk_close(hxi_desk *desk);

/* Of a bundle that is in: asks its owner, if no answer is on its way yet; has one come? */
hx_status hxi_mail_question(const hxi_mail *mail, hxi_bundle *bundle, uint64_t run);
hx_status hxi_mail_answered(hxi_bundle *bundle, bool *done);

/* Of one that is out: answers; waits until the peer, which has a receive open, has taken an answer. */
hx_status hxi_mail_answer(const hxi_mail *mail, hxi_bundle *bundle, hxi_keep keep);
hx_status hxi_mail_answer_gone(hxi_bundle *bundle);

/* No question or answer is under way any more.  False: memory of the bundle may still be read. */
bool hxi_mail_end_questions(hxi_bundle *bundle, bool in);

#endif
