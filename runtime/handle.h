/*
 * What hx_create makes.
 */
#ifndef HX_HANDLE_H
#define HX_HANDLE_H

#include "alloc.h"
#include "options.h"
#include "plan.h"

#include <pthread.h>
#include <stdatomic.h>

struct hx_handle {
    const hx_spec *spec;
    hx_options options;
    hx_reasons why; /* these options */
    hx_topology topology;
    hx_layout layout;
    hx_block_list mine;
    hx_buffers buffers;
    hx_board board;
    hx_plan *plan;    /* one per exchange of the spec */
    int plans;        /* made so far */
    int under_way;    /* plans that are */
    uint64_t starts;  /* so far */
    hx_sets sets;     /* arrays of NAME_alloc */
    hx_wall_fn *hook; /* of the application, for walls */
    void *hook_context;
    bool filling; /* beyond walls: the hook may be running */
    /*
     * After a failure while messages travelled: nothing is known about what MPI still holds, so nothing is
     * touched.
     */
    hx_status broken;
    double busy; /* seconds of packing and unpacking, all exchanges; 0 unless somebody wants to know */
    char *description;
    /* For others.c. */
    hx_handle *next;
    bool listed;
    bool shared;          /* threads of others may move it on; the two below are only used then */
    pthread_mutex_t held; /* whoever works on it has it */
    atomic_bool claimed;  /* its own thread has it, or waits for it */
};

#endif
