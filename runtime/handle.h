/*
 * What hx_create makes.
 */
#ifndef HX_HANDLE_H
#define HX_HANDLE_H

#include "options.h"
#include "plan.h"

struct hx_handle {
    const hx_spec *spec;
    hx_options options;
    hx_reasons why; /* these options */
    hx_topology topology;
    hx_layout layout;
    hx_block_list mine;
    hx_pool *pool;
    hx_plan *plan;    /* one per exchange of the spec */
    int plans;        /* made so far */
    int under_way;    /* plans that are */
    hx_wall_fn *hook; /* of the application, for walls */
    void *hook_context;
    /*
     * After a failure while messages travelled: nothing is known about what MPI still holds, so nothing is
     * touched.
     */
    hx_status broken;
    double busy;     /* seconds of packing and unpacking, all exchanges; 0 unless somebody wants to know */
    hx_handle *next; /* see exchange.c */
    bool listed;
    char *description;
};

/* No exchange of the handle is under way any more, or none will be moved on. */
void hx_exchange_forget(hx_handle *handle);

#endif
