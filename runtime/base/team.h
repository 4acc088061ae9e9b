/*
 * The threads that share the work of a handle: the application's, or those of the library, which all handles of a
 * process share.
 */
#ifndef HX_TEAM_H
#define HX_TEAM_H

#include "base/crew.h"

#include <hx/hx.h>

#include <stdbool.h>
#include <stdint.h>

/* A part of some work, counted from 0.  Parts run in any order, by any thread, each once. */
typedef void hxi_part_fn(void *data, int part, int parts);

typedef struct hxi_team {
    int parts;            /* that work is divided into; 1: there is no team */
    const hx_team *given; /* by the application; NULL: the library's own threads */
    bool holds;           /* those, which stay while somebody holds them */
    hxi_crew *region;     /* threads of the application that have come to do it in place of both; else NULL */
    uint64_t alone;       /* how often this thread did parts of others, which had not come */
    const char *why;      /* not as many parts as were asked for; "" if they are */
} hxi_team;

/* What a team depends on. */
typedef struct hxi_team_request {
    int threads;
    const hx_team *given;
    bool single;  /* MPI was initialised for a process of one thread */
    bool crowded; /* whoever waits had better let others run */
} hxi_team_request;

/* Local.  Where threads cannot be had there are fewer parts, and a reason. */
void hxi_team_open(const hxi_team_request *request, hxi_team *team);

/* Ends the library's threads, if nobody else holds them. */
void hxi_team_close(hxi_team *team);

/* Has all parts run, and returns when they have. */
void hxi_team_run(hxi_team *team, hxi_part_fn *run, void *data);

#endif
