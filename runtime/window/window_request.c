/*
 * What an application asks of a window: each rank looks at its own request before all ranks compare theirs.
 */
#include "base/status.h"
#include "window/window.h"

#include <stdio.h>
#include <string.h>

const char *hxi_window_memory_name(hx_window_memory memory)
{
    static const char *const memories[] = {
        [HX_WINDOW_AUTO] = "auto",       [HX_WINDOW_SHARED] = "shared", [HX_WINDOW_PARTS] = "parts",
        [HX_WINDOW_PRIVATE] = "private", [HX_WINDOW_USER] = "user",     [HX_WINDOW_DYNAMIC] = "dynamic",
    };
    return memories[memory];
}

/* The number of elements, and their bytes. */
static hx_status measure(hx_window *w)
{
    const hx_window_request *r = &w->request;
    w->elements = r->memory == HX_WINDOW_DYNAMIC ? 0 : 1;
    for (int a = 0; a < r->axes; ++a) {
        if (r->extent[a] < 0) {
            return hxi_fail(HX_ERR_ARGUMENT, "Axis %d of window \"%s\" has %lld elements; give 0 or more.", a,
                            w->name, (long long)r->extent[a]);
        }
        if (r->extent[a] > 0 && w->elements > PTRDIFF_MAX / r->extent[a]) {
            return hxi_fail(HX_ERR_LIMIT,
                            "Window \"%s\" has more elements than memory can hold: %lld up to axis %d.",
                            w->name, (long long)w->elements, a);
        }
        w->elements *= r->extent[a];
    }
    if (w->elements > 0 && r->element > (size_t)(PTRDIFF_MAX / w->elements)) {
        return hxi_fail(HX_ERR_LIMIT,
                        "Window \"%s\" has %lld elements of %zu bytes: more than memory can hold.", w->name,
                        (long long)w->elements, r->element);
    }
    w->bytes = (size_t)w->elements * r->element;
    return HX_OK;
}

/* Comes first: whatever else looks at a request relies on it. */
static hx_status check_ranges(const hx_window *w)
{
    const hx_window_request *r = &w->request;
    const struct {
        const char *name;
        long long given, last;
    } members[] = {{"memory", (long long)r->memory, HX_WINDOW_DYNAMIC},
                   {"ways", (long long)r->ways, HX_WINDOW_NODE | HX_WINDOW_PEERS | HX_WINDOW_LEADERS},
                   {"axes", r->axes, HX_MAX_AXES},
                   {"check", r->check, 1},
                   {"log", r->log, HX_WINDOW_LOG_EVERY}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        if (members[i].given < 0 || members[i].given > members[i].last) {
            return hxi_fail(HX_ERR_ARGUMENT, "The request of window \"%s\" has %s %lld; give 0 to %lld.",
                            w->name, members[i].name, members[i].given, members[i].last);
        }
    }
    return r->element > 0
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "The request of window \"%s\" has elements of 0 bytes; give 1 or more.", w->name);
}

static hx_status check_request(const hx_window *w)
{
    const hx_window_request *r = &w->request;
    if ((r->ways & HX_WINDOW_NODE) && (r->memory == HX_WINDOW_PRIVATE || r->memory == HX_WINDOW_USER)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "Window \"%s\" has %s memory, which ranks of a node cannot share; leave out HX_WINDOW_NODE, or "
            "ask for HX_WINDOW_SHARED or HX_WINDOW_PARTS.",
            w->name, hxi_window_memory_name(r->memory));
    }
    if (r->ways == 0 && (r->memory == HX_WINDOW_PRIVATE || r->memory == HX_WINDOW_USER)) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Window \"%s\" has %s memory and no ways, so nobody could reach it; ask for "
                        "HX_WINDOW_PEERS, HX_WINDOW_LEADERS or both.",
                        w->name, hxi_window_memory_name(r->memory));
    }
    if (r->memory == HX_WINDOW_DYNAMIC && r->ways != HX_WINDOW_PEERS) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Window \"%s\" is dynamic: its ways are HX_WINDOW_PEERS (%d), not %u.", w->name,
                        (int)HX_WINDOW_PEERS, r->ways);
    }
    if (r->memory == HX_WINDOW_USER && !r->base && w->bytes > 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The memory of %zu bytes given to window \"%s\" is a null pointer; set base in the "
                        "request, or extents of 0.",
                        w->bytes, w->name);
    }
    return HX_OK;
}

/* Where requests of the first version end.  Programs compiled against them know of no more. */
enum { SMALLEST = offsetof(hx_window_request, deadline) };

static bool is_request(const hx_window_request *request)
{
    return request && request->size >= SMALLEST && request->size <= sizeof *request;
}

hx_status hxi_window_take(hx_window *w, const hx_window_request *request)
{
    if (!is_request(request)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The request given to hx_window_create is of %zu bytes; this libhx knows %zu to %zu.  Start from "
            "HX_WINDOW_REQUEST_INIT.",
            request ? request->size : (size_t)0, (size_t)SMALLEST, sizeof *request);
    }
    memcpy(&w->request, request, request->size);
    w->request.size = sizeof *request;
    snprintf(w->name, sizeof w->name, "%s", request->name ? request->name : "window");
    w->request.name = w->name;
    w->memory = request->memory;
    const bool may_tell =
        request->log == HX_WINDOW_LOG_EVERY || (request->log == HX_WINDOW_LOG_ROOT && w->topology.rank == 0);
    w->log = (hx_options)HX_OPTIONS_INIT;
    w->log.log_level = may_tell ? HX_LOG_INFO : HX_LOG_NONE;
    w->log.log = request->log_line;
    w->log.log_context = request->log_context;
    hx_status status = check_ranges(w);
    status = status == HX_OK ? measure(w) : status;
    return status == HX_OK ? check_request(w) : status;
}

double hxi_window_deadline(const hx_window_request *request)
{
    const bool has_one = is_request(request) && request->size >= SMALLEST + sizeof request->deadline;
    return has_one ? request->deadline : 0.0;
}
