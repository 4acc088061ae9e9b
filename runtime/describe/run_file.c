#include "describe/run_file.h"

#include "base/atomic_file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/final_gather.h"
#include "describe/call_times.h"
#include "describe/describe_json.h"
#include "exchange/asked.h"
#include "exchange/observe.h"
#include "exchange/run_name.h"

#include <stdlib.h>
#include <string.h>

static const char purpose[] = "what HX_DESCRIBE asks for";

/* What there is to tell of one handle. */
typedef struct hxi_run {
    hxi_final_gather gather;
    hx_handle *handle;  /* NULL: it was destroyed, and gather.own says what it did */
    char spec[HX_CALL]; /* its name */
    char *path;         /* rank 0's */
} hxi_run;

static atomic_int handles; /* whose first rank is this process */

/* Always to standard error: somebody asked for the file, and functions for the log may be gone. */
static void warn(const char *spec)
{
    const hx_options loud = {.log_level = HX_LOG_WARNING};
    hxi_log(&loud, HX_LOG_WARNING, "%s: HX_DESCRIBE: %s", spec, hx_last_error());
}

/* ---- create -------------------------------------------------------------------------------------------- */

static void prepare(hxi_final_gather *gather);
static void take(hxi_final_gather *gather);
static void end(hxi_final_gather *gather);

static void free_run(hxi_run *run)
{
    hxi_memory_free(run->path);
    hxi_memory_free(run);
}

/* Local; NULL: there is no memory, or there are too many. */
static hxi_run *make_run(hx_handle *handle)
{
    const int number = handle->topology.rank == 0 ? hxi_run_name_number(&handles) : 1;
    hxi_run *run = number > 0 ? hxi_memory_get(1, sizeof *run, purpose) : NULL;
    if (!run) {
        return NULL;
    }
    handle->times = hxi_memory_get((size_t)handle->plans, sizeof *handle->times, purpose);
    *run = (hxi_run){.handle = handle};
    run->gather = (hxi_final_gather){
        .deadline = handle->options.deadline, .context = run, .prepare = prepare, .take = take, .end = end};
    hxi_text spec = {run->spec, sizeof run->spec, 0};
    hxi_text_add(&spec, "%s", handle->spec->name);
    run->path = handle->topology.rank == 0 ? hxi_run_name_make(getenv("HX_DESCRIBE"), number) : NULL;
    if (!handle->times || (handle->topology.rank == 0 && !run->path)) {
        free_run(run);
        return NULL;
    }
    return run;
}

/* Notes what this rank has to tell; once, since a handle may be destroyed after MPI_Finalize. */
static void close_run(hx_handle *handle)
{
    if (!handle->run) {
        return;
    }
    handle->run->gather.own = hxi_describe_json(handle); /* NULL: this rank has nothing to tell */
    handle->run->handle = NULL;
    handle->run = NULL;
    hxi_memory_free(handle->times);
    handle->times = NULL;
}

static void observe(void *context, const hx_event *event)
{
    hx_handle *handle = context;
    if (event->kind == HX_EVENT_DESTROYED) {
        close_run(handle);
    } else {
        hxi_call_times_note(handle->times, event);
    }
}

/* A run that cannot be described is run all the same. */
void hxi_run_file_open(hx_handle *handle)
{
    if ((handle->asked & HX_ASKED_DESCRIBE) == 0) {
        return;
    }
    const hxi_observer observer = {observe, handle, HX_CALL_TIMES_KINDS | HX_EVENT_BIT(HX_EVENT_DESTROYED)};
    hxi_run *run = make_run(handle);
    const bool observed = run && hxi_observe_add(handle, &observer) == HX_OK;
    if (hxi_final_gather_open(&handle->topology, observed ? &run->gather : NULL) == HX_OK) {
        handle->run = run;
        handle->options.timing = 1;
        return;
    }
    if (handle->topology.rank == 0) {
        warn(handle->spec->name);
    }
    if (observed) {
        hxi_observe_remove(handle, observe, handle);
    }
    hxi_memory_free(handle->times);
    handle->times = NULL;
    if (run) {
        free_run(run);
    }
}

/* ---- MPI_Finalize -------------------------------------------------------------------------------------- */

/* Whoever never destroys a handle comes to MPI_Finalize as well. */
static void prepare(hxi_final_gather *gather)
{
    hxi_run *run = gather->context;
    if (run->handle) {
        close_run(run->handle);
    }
}

static void write_run(FILE *file, void *context)
{
    const hxi_run *run = context;
    const hxi_final_gather *g = &run->gather;
    fprintf(file, "{\"format\": \"halogen-runs\", \"version\": 1, \"spec\": \"%s\", \"ranks\": [\n",
            run->spec);
    for (int r = 0; r < g->ranks; ++r) {
        const char *told = r == 0 ? g->own : g->told[r];
        fprintf(file, "%s%s\n", told && told[0] != '\0' ? told : "null", r + 1 < g->ranks ? "," : "");
    }
    fprintf(file, "]}\n");
}

static void take(hxi_final_gather *gather)
{
    hxi_run *run = gather->context;
    if (gather->missing > 0) {
        hxi_fail(HX_ERR_DEADLINE,
                 "%d of %d ranks told nothing before the deadline of %g s; %s has null for them.",
                 gather->missing, gather->ranks, gather->deadline, run->path);
        warn(run->spec);
    }
    if (hxi_atomic_file_replace(run->path, write_run, run) != HX_OK) {
        warn(run->spec);
    }
}

static void end(hxi_final_gather *gather)
{
    free_run(gather->context);
}
