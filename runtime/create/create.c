/*
 * hx_create: makes a handle, and again if something else was measured to be faster.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "create/tune.h"
#include "describe/describe.h"
#include "describe/run_file.h"
#include "exchange/alloc.h"
#include "exchange/audits.h"
#include "exchange/handle.h"
#include "exchange/observe.h"
#include "exchange/options.h"
#include "exchange/owner.h"
#include "observe/stats.h"
#include "observe/trace.h"
#include "observe/waits.h"

#include <string.h>

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

/* What goes on once all ranks have the handle: whoever watches what it does. */
static void complete(hx_handle *handle)
{
    hxi_run_file_open(handle);
    hxi_stats_open(handle);
    hxi_trace_open(handle);
    hxi_waits_open(handle);
    hxi_audits_begin(handle);
    handle->given = NULL;
    handle->model = NULL;
    handle->like = NULL;
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
        status = hxi_fail(HX_ERR_ARGUMENT, "The place for the handle given to %s is " HXI_NO_PLACE, caller);
    }
    const MPI_Errhandler handler = hxi_topology_quiet(blocks->comm, keeps_errhandler(options));
    hx_handle *handle = NULL;
    hxi_waits_create(caller);
    status = hxi_handle_make(model, blocks, shapes, options, status, &handle);
    if (status == HX_OK) {
        hxi_tune(&handle, blocks, shapes);
        complete(handle);
    }
    hxi_waits_create(NULL);
    hxi_topology_restore(blocks->comm, handler);
    if (status != HX_OK) {
        return status;
    }
    *out = handle;
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

/* ---- like another handle --------------------------------------------------------------------------------------- */

typedef struct successor {
    const hx_blocks *blocks;
    const void *shapes;
    hx_handle **out;
} successor;

static hx_status check_like(const hx_handle *like, const successor *s, const char *caller)
{
    if (like->spec->list) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s: %s is a list of points; handles are made like others for boxes.", caller,
                        like->spec->file);
    }
    if (!s->blocks) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the blocks are a null pointer; give the address of one.", caller,
                        like->topology.rank);
    }
    if (!s->out) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s on rank %d: the place for the handle is " HXI_NO_PLACE, caller,
                        like->topology.rank);
    }
    if (s->blocks->owner) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s on rank %d: hx_blocks.owner is a function; give a table, hx_blocks.owners, which ranks can "
            "compare.",
            caller, like->topology.rank);
    }
    return HX_OK;
}

/* What was measured is the handle's own. */
static hx_status copy_tuned(const hx_handle *like, hx_handle *model)
{
    const size_t count = (size_t)like->plans;
    if (like->tuned) {
        model->tuned = hxi_memory_get(count, sizeof *model->tuned, "what was measured");
        if (!model->tuned) {
            return HX_ERR_MEMORY;
        }
        memcpy(model->tuned, like->tuned, count * sizeof *model->tuned);
    }
    return HX_OK;
}

static hx_status create_like(hx_handle *like, void *what, const char *caller, hx_status met)
{
    const successor *s = what;
    const double called = hxi_clock();
    hx_handle model = {.spec = like->spec,
                       .options = like->options,
                       .why = like->why,
                       .like = like,
                       .topology = hxi_topology_none()};
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check_like(like, s, caller));
    hxi_first_note(&first, copy_tuned(like, &model));
    hx_blocks blocks = s->blocks ? *s->blocks : (hx_blocks){0};
    blocks.comm = like->topology.comm;
    hx_handle *made = NULL;
    hxi_waits_create(caller);
    const hx_status status = hxi_handle_make(&model, &blocks, s->shapes, NULL, hxi_first_tell(&first), &made);
    if (status == HX_OK) {
        made->hook = like->hook;
        made->hook_context = like->hook_context;
        made->hook_on = like->hook_on;
        complete(made);
        tell_of_handle(made);
        hxi_observe_open(made, called);
        *s->out = made;
    } else {
        hxi_memory_free(model.tuned);
    }
    hxi_waits_create(NULL);
    return status;
}

hx_status hx_create_like(hx_handle *like, const hx_blocks *blocks, const void *shapes, hx_handle **out)
{
    successor s = {blocks, shapes, out};
    if (out) {
        *out = NULL;
    }
    return hxi_sets_call(like, &s, "create_like", create_like);
}
