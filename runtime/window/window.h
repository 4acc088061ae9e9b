/*
 * What the files about windows share: window_request.c looks at what is asked, window.c makes and frees windows,
 * window_sync.c opens and ends epochs, window_access.c moves data, window_dynamic.c attaches memory.
 */
#ifndef HX_WINDOW_PARTS_H
#define HX_WINDOW_PARTS_H

#include "base/lease.h"
#include "comm/meeting.h"
#include "comm/topology.h"
#include "window/window_epoch.h"

#include <hx/window.h>

/* The ways to reach a window, by number. */
enum { HX_NODE_WAY, HX_PEERS_WAY, HX_LEADERS_WAY, HX_WINDOW_WAYS };

enum { HX_WINDOW_NAME = 64, HX_WINDOW_WHY = 512 };

/* What a rank exposes in one way. */
typedef struct hxi_exposed {
    int64_t bytes;
    int64_t at; /* in MPI's window, which may begin before */
} hxi_exposed;

/* One way to reach the window. */
typedef struct hxi_way {
    unsigned bit;     /* HX_WINDOW_NODE, ... */
    const char *name; /* of its targets: "peers" */
    MPI_Comm comm;    /* MPI_COMM_NULL where this rank has no part in it */
    MPI_Win win;
    bool alone; /* has one rank: see window_access.c */
    int rank;
    int ranks;
    void *base;           /* what this rank exposes */
    hxi_exposed *exposed; /* by rank */
    hxi_epoch epoch;
} hxi_way;

typedef struct hxi_attached {
    hxi_range range;
    struct hxi_attached *next;
} hxi_attached;

/* The same on the ranks of a node, and that of no other window that exists there: where its leader has it. */
typedef struct hxi_window_id {
    int64_t process;
    uint64_t address;
} hxi_window_id;

struct hx_window {
    hxi_topology topology;
    char name[HX_WINDOW_NAME];
    hx_window_request request;
    hx_window_memory memory;
    char why[HX_WINDOW_WHY];
    int64_t elements;
    size_t bytes;
    bool leads;                  /* its node: rank 0 there */
    void *base;                  /* of this rank's part or buffer */
    void *whole;                 /* of the node's, or of this rank's */
    void *allocated;             /* by MPI_Alloc_mem */
    hxi_way way[HX_WINDOW_WAYS]; /* node, peers, leaders */
    hxi_attached *attached;
    hxi_window_id id;
    hxi_lease *users;    /* it is not freed before them */
    hxi_meeting meeting; /* to free it */
    double deadline;
    bool lost; /* a deadline has passed: whoever frees it waits for nobody */
    hx_options log;
};

/* As sentences have it: "shared". */
const char *hxi_window_memory_name(hx_window_memory memory);

/* Local: is it a request, and can it be met?  Then the window has it.  HX_ERR_... in words. */
hx_status hxi_window_take(hx_window *window, const hx_window_request *request);

/* What the request says, if programs that were compiled before know of it; else 0. */
double hxi_window_deadline(const hx_window_request *request);

/* Is there a window, and is MPI running?  caller: for the sentence. */
hx_status hxi_window_check(const hx_window *window, const char *caller);

/*
 * The memory that the ranks of a node have in common by a window, one part after the other, as this rank sees
 * it.  HX_ERR_ARGUMENT, in words, if they have none.  caller: who was given the window.
 */
hx_status hxi_window_whole(const hx_window *window, const char *caller, unsigned char **memory,
                           size_t *bytes);

/*
 * The way that a call is about.  HX_ERR_... in words, with the caller's name, if it is not open on this rank.
 */
hx_status hxi_window_find(hx_window *window, hx_window_way way, const char *caller, hxi_way **found);

/* HX_ERR_ARGUMENT unless the way has such a target. */
hx_status hxi_window_target(const hx_window *window, const hxi_way *way, const char *caller, int target);

/* Puts call, window and rank before a sentence of window_epoch.c. */
hx_status hxi_window_tell(const hx_window *window, const hxi_way *way, const char *caller, hx_status status);

#endif
