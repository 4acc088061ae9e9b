/*
 * Meetings: all ranks of a handle, or of what else they have together, come before any of them waits in a
 * call of MPI.  A meeting knows which call it is for, ends where a rank gives up, and tells whoever comes
 * later.
 */
#ifndef HX_MEETING_H
#define HX_MEETING_H

#include "comm/topology.h"

enum { HX_MEETING_CALL = 80, HX_MEETING_CHILDREN = 2 };

typedef enum hxi_word_kind {
    HX_WORD_NONE,
    HX_WORD_HERE,   /* to the parent: a rank and all below it have come; from it: all have */
    HX_WORD_DIFFER, /* two ranks have called two things */
    HX_WORD_GONE    /* a rank has left */
} hxi_word_kind;

/* What ranks tell each other. */
typedef struct hxi_word {
    int64_t number; /* of the meeting: 0, 1, ... */
    int32_t kind;
    int32_t rank[2]; /* who has come, or left; who differ */
    char call[2][HX_MEETING_CALL];
} hxi_word;

/* A message to the parent, that this rank has left after all, and messages to the children. */
enum { HX_MAIL_UP, HX_MAIL_GONE, HX_MAIL_DOWN, HX_MAILS = HX_MAIL_DOWN + HX_MEETING_CHILDREN };

/* What ranks have together, for sentences. */
typedef struct hxi_meeting_of {
    const char *name; /* "handle" */
    const char *lost; /* what becomes of it after a deadline, as a sentence */
} hxi_meeting_of;

typedef struct hxi_meeting {
    const hxi_topology *topology; /* NULL: there are no meetings */
    const hxi_meeting_of *of;
    struct hxi_meeting *next; /* of those where the ranks of a process come one after the other */
    int64_t number;           /* of the next, or of the one that goes on */
    hxi_word own;             /* what this rank has come for; kind NONE: it has not */
    hxi_word refused;         /* this meeting was refused before this rank came; kind NONE: it was not */
    bool heard[HX_MEETING_CHILDREN];
    hxi_word early[HX_MEETING_CHILDREN]; /* came for the next meeting; kind NONE: nothing did */
    bool told;                           /* the parent, that all below have come */
    bool spoiled;                        /* messages of meetings that failed may still be on their way */
    hx_status failed;                    /* of MPI, in this meeting */
    hxi_word mail[HX_MAILS];
    MPI_Request sent[HX_MAILS];
} hxi_meeting;

/* Local.  The topology stays where it is until close. */
void hxi_meeting_open(hxi_meeting *meeting, const hxi_topology *topology, const hxi_meeting_of *of);

/* Local.  Is it nobody's any more?  No: MPI still sends from it, after a meeting that failed. */
bool hxi_meeting_close(hxi_meeting *meeting);

/*
 * Collective.  Returns HX_OK when all ranks have come for this call; until then calls meanwhile(context)
 * again and again.  HX_ERR_MISMATCH, on all ranks, where two have come for different calls, or, where
 * processes call MPI from one thread at a time, to different meetings: the next meeting is another try.
 * HX_ERR_DEADLINE where this rank or another one has waited for so many seconds (0: for ever) and left: there
 * is no other meeting. HX_ERR_MPI: all have come, and a call of MPI failed on the way.
 *
 * Whether a meeting fails is the same on all ranks but for one case.  A rank that has come, and that stands
 * still before it has passed on that all have, keeps those below it in the tree waiting.  If that lasts for
 * longer than they wait once their deadline has passed (as long again, 1 to 10 s), they leave, while the
 * others, and that rank when it goes on, were told that all have come.
 */
hx_status hxi_meeting_wait(hxi_meeting *meeting, const char *call, double deadline,
                           void (*meanwhile)(void *context), void *context);

#endif
