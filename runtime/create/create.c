/*
 * hx_create: makes a handle, and again if something else was measured to be faster.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "create/tune.h"
#include "exchange/audits.h"
#include "exchange/describe.h"
#include "exchange/handle.h"
#include "exchange/observe.h"
#include "exchange/options.h"
#include "exchange/owner.h"
#include "exchange/run_file.h"
#include "observe/stats.h"
#include "observe/trace.h"
#include "observe/waits.h"

static void tell_of_handle(const hx_handle *h)
{
    char peers[HX_SENTENCE / 4];
    hxi_text text = {peers, sizeof peers, 0};
    hxi_describe_peers(h, &text);
    hxi_log(&h->options, HX_LOG_INFO, "%s: rank %d of %d, %d of %d block%s, %d exchange%s; %s", h->spec->name,
            h->topology.rank, h->topology.ranks, h->mine.blocks, h->layout.blocks, hxi_s(h->layout.blocks),
            h->plans, hxi_s(h->plans), peers);
}

/* Options of an older program end before this one. */
static int keeps_errhandler(const hx_options *options)
{
    const size_t end = offsetof(hx_options, keep_errhandler) + sizeof(int);
    return options && options->version == HX_OPTIONS_VERSION && options->size >= end
               ? options->keep_errhandler
               : 0;
}

/* What goes on once all ranks have the handle: measuring, and whoever watches what it does. */
static void complete(hx_handle **handle, const hx_blocks *blocks, const void *shapes)
{
    hxi_tune(handle, blocks, shapes);
    hxi_run_file_open(*handle);
    hxi_stats_open(*handle);
    hxi_trace_open(*handle);
    hxi_waits_open(*handle);
    hxi_audits_begin(*handle);
}

static hx_status create_with(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                             const hx_options *options, hx_handle **out)
{
    if (out) {
        *out = NULL;
    }
    const double called = hxi_clock();
    int rank = 0;
    int ranks = 0;
    char buffer[HX_CALL];
    const char *caller = hxi_handle_call(model->spec, buffer);
    if (!blocks) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The blocks given to %s_blocks are a null pointer; give the address of an hx_blocks.",
                        caller);
    }
    hx_status status = hxi_owner_check_process("create a handle");
    if (status != HX_OK) {
        return status;
    }
    status = hxi_topology_place(blocks->comm, caller, &rank, &ranks);
    if (status != HX_OK && status != HX_ERR_MPI) { /* an error of MPI may be this rank's alone */
        return status;
    }
    if (status == HX_OK && !out) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "The place for the handle given to %s is a null pointer; give the address of one.",
                          caller);
    }
    const MPI_Errhandler handler = hxi_topology_quiet(blocks->comm, keeps_errhandler(options));
    hx_handle *handle = NULL;
    hxi_waits_create(caller);
    status = hxi_handle_make(model, blocks, shapes, options, status, &handle);
    if (status == HX_OK) {
        complete(&handle, blocks, shapes);
    }
    hxi_waits_create(NULL);
    hxi_topology_restore(blocks->comm, handler);
    if (status != HX_OK) {
        return status;
    }
    *out = handle;
    handle->given = NULL;
    handle->model = NULL;
    if (rank == 0) {
        hxi_options_warn(&handle->options);
    }
    tell_of_handle(handle);
    hxi_observe_open(handle, called);
    return HX_OK;
}

hx_status hx_create(const hx_spec *spec, const hx_blocks *blocks, const void *shapes,
                    const hx_options *options, hx_handle **out)
{
    const hx_handle model = {.spec = spec, .topology = hxi_topology_none()};
    return create_with(&model, blocks, shapes, options, out);
}

hx_status hx_create_for(const char *model, const hx_spec *spec, const hx_blocks *blocks, const void *shapes,
                        const hx_options *options, hx_handle **out)
{
    const hx_handle made_for = {.spec = spec, .model = model ? model : "", .topology = hxi_topology_none()};
    return create_with(&made_for, blocks, shapes, options, out);
}

static hx_status create_listed(const hx_handle *model, MPI_Comm comm, const void *shape,
                               const hx_options *options, hx_handle **out)
{
    const hx_blocks blocks = {.comm = comm, .tiles = 1, .count = 1};
    return create_with(model, &blocks, shape, options, out);
}

hx_status hx_create_listed(const hx_spec *spec, MPI_Comm comm, const hx_index_list *list, const void *shape,
                           const hx_options *options, hx_handle **out)
{
    const hx_handle model = {.spec = spec, .given = list, .topology = hxi_topology_none()};
    return create_listed(&model, comm, shape, options, out);
}

hx_status hx_create_listed_for(const char *model, const hx_spec *spec, const hx_listed *listed,
                               const void *shape, const hx_options *options, hx_handle **out)
{
    const hx_handle made_for = {.spec = spec,
                                .model = model ? model : "",
                                .given = listed ? listed->list : NULL,
                                .topology = hxi_topology_none()};
    return create_listed(&made_for, listed ? listed->comm : MPI_COMM_NULL, shape, options, out);
}
