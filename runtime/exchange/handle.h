/*
 * What hx_create makes.
 */
#ifndef HX_HANDLE_H
#define HX_HANDLE_H

#include "base/team.h"
#include "base/text.h"
#include "comm/clock_compare.h"
#include "comm/meeting.h"
#include "exchange/options.h"
#include "exchange/plan.h"
#include "exchange/team_call.h"
#include "exchange/tuned.h"
#include "transport/sets.h"

#include <pthread.h>
#include <stdatomic.h>

struct hx_handle {
    const hx_spec *spec;
    uint64_t maker;         /* who may use it (owner.h); not among the first bytes, which free writes to */
    hx_options options;     /* size 0: not resolved yet */
    hxi_reasons why;        /* these options */
    hxi_tuned *tuned;       /* what was measured, one per exchange; NULL: nothing was */
    char untuned[HX_TUNED]; /* why measuring failed; "" if it did not */
    hxi_topology topology;
    hxi_meeting meeting;        /* for alloc and its like */
    const char *model;          /* that the caller was compiled for, during create only; NULL: not known */
    const hx_index_list *given; /* of a grid without boxes, during create only; else NULL */
    hx_handle *like;            /* that it is made like, during create only; NULL: it is made from nothing */
    hxi_inheritance *inherits;  /* likewise: what it gets from that */
    hxi_lists lists;            /* likewise: what was given, in runs, ... */
    hxi_confirmation promises;  /* ... and, until they are compared, what others must list */
    hxi_layout layout;
    hxi_block_list mine;
    hxi_buffers buffers;
    hxi_team *team;             /* the threads that move points */
    hxi_team_call *team_call;   /* where threads of a parallel region meet */
    hxi_device_context *device; /* of the spec's fields that lie there; NULL: none does */
    hxi_board board;
    /* What handles made like this one, and the one that it is like, hand on; NULL: there are none. */
    hxi_node_spare *spare;
    hxi_device_boxes *boxes; /* memory of devices of the node, if fields of the spec lie there */
    hxi_nccl *nccl;          /* NULL: no exchange wants it */
    hxi_plan *plan;          /* one per exchange of the spec */
    struct hxi_cycle *cycle; /* one per cycle of the spec; NULL: it has none */
    int plans;               /* made so far */
    int under_way;           /* plans that are */
    uint64_t starts;         /* so far */
    hxi_sets sets;           /* arrays of NAME_alloc */
    hx_wall_fn *hook;        /* of the application, for walls */
    void *hook_context;
    hxi_device_hook hook_on; /* the same, for fields on a device */
    bool filling;            /* beyond walls: a hook may be running */
    /*
     * After a failure while messages travelled: nothing is known about what MPI still holds, so nothing is
     * touched.
     */
    hx_status broken;
    double busy;       /* seconds of packing and unpacking, all exchanges; 0 unless somebody wants to know */
    char *description; /* of the last call of hx_describe or hx_describe_json */
    struct hxi_observation *observation; /* who observes it; NULL: nobody does */
    hxi_clock_offset clock;              /* for those that write seconds of several ranks, ... */
    bool clock_known;                    /* ... once one has asked */
    /* Told of calls that all ranks make together, such as alloc, before and, with NULL, after; NULL: nobody is. */
    void (*tell_call)(void *context, const char *caller);
    void *tell_call_context;
    struct hxi_exchange_times *times; /* of its calls, one per exchange; NULL: nobody wants to know */
    int asked;                        /* of the run, by rank 0's environment: asked.h */
    struct hxi_stats *stats;          /* with HX_STATS; else NULL */
    struct hxi_run *run;              /* with HX_DESCRIBE; else NULL */
    struct hxi_audits *audits;        /* NULL: nobody has asked for one */
    uint64_t number;                  /* of all that this process has made, from 1 */
    struct hxi_redistributions *redistributions; /* into its blocks; NULL: there was none ... */
    void (*free_redistributions)(hx_handle *);   /* ... and this, too */
    hxi_node_memory moved[2];                    /* messages of these, between ranks of the node */
    /* For progress.c. */
    hx_handle *next;
    bool listed;
    bool shared;                 /* threads of others may move it on; what follows is only used then */
    pthread_mutex_t held;        /* whoever works on it has it */
    int holds;                   /* how often its own thread has it */
    _Atomic(const void *) owner; /* that thread, while it has it or waits for it; NULL: it does neither */
};

/* Behind "The place for the handle is": other languages pass NULL where a rank alone has found a mistake, so that create
 * fails on all. */
#define HXI_NO_PLACE                                                                                         \
    "a null pointer; give the address of one.  In C++, Fortran and Python the error on that rank says "      \
    "what is wrong."

/* What the application called to make one, for sentences. */
const char *hxi_handle_call(const hx_spec *spec, char buffer[HX_CALL]);

/*
 * Collective.  A handle of the model's spec and lists.  options: NULL if the model has them resolved.  ready:
 * what has failed on this rank before; it takes part all the same.
 */
hx_status hxi_handle_make(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                          const hx_options *options, hx_status ready, hx_handle **made);

/*
 * Collective.  A handle of the spec, the resolved options, NCCL and what was measured of the model.  The tables of
 * what was measured remain the caller's.
 */
hx_status hxi_handle_make_like(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                               hx_handle **made);

/* Collective, once: NCCL for all exchanges with fields on a device. */
hx_status hxi_handle_open_nccl(hx_handle *h);

/* Local: gives back all that it has, but not its own memory. */
void hxi_handle_release(hx_handle *h);

#endif
