/*
 * Dynamic windows: memory that the application attaches and detaches, and addresses for other ranks.
 */
#include "base/memory.h"
#include "base/status.h"
#include "window/window.h"

static hx_status check_dynamic(const hx_window *w, const char *caller)
{
    const hx_status status = hxi_window_check(w, caller);
    if (status != HX_OK || w->memory == HX_WINDOW_DYNAMIC) {
        return status;
    }
    return hxi_fail(HX_ERR_STATE, "%s is for windows of HX_WINDOW_DYNAMIC; window \"%s\" has %s memory.",
                    caller, w->name, hxi_window_memory_name(w->memory));
}

hx_status hx_window_attach(hx_window *w, void *base, size_t bytes)
{
    hx_status status = check_dynamic(w, "hx_window_attach");
    if (status != HX_OK) {
        return status;
    }
    const uintptr_t lo = (uintptr_t)base;
    for (const hxi_attached *a = w->attached; a; a = a->next) {
        if (lo < a->range.hi && a->range.lo < lo + bytes) {
            return hxi_fail(
                HX_ERR_STATE,
                "The %zu bytes at %p, given to hx_window_attach, overlap %llu bytes at %p that are attached "
                "to window \"%s\"; detach those before.",
                bytes, base, (unsigned long long)(a->range.hi - a->range.lo), (void *)(uintptr_t)a->range.lo,
                w->name);
        }
    }
    hxi_attached *attached = hxi_memory_get(1, sizeof *attached, "what is attached to a window");
    if (!attached) {
        return HX_ERR_MEMORY;
    }
    const hxi_way *peers = &w->way[HX_PEERS_WAY];
    const int code = peers->alone ? MPI_SUCCESS : MPI_Win_attach(peers->win, base, (MPI_Aint)bytes);
    if (code != MPI_SUCCESS) {
        hxi_memory_free(attached);
        return hxi_fail_mpi(code, "MPI_Win_attach of %zu bytes to window \"%s\"", bytes, w->name);
    }
    *attached = (hxi_attached){{lo, lo + bytes}, w->attached};
    w->attached = attached;
    return HX_OK;
}

hx_status hx_window_detach(hx_window *w, const void *base)
{
    const hx_status status = check_dynamic(w, "hx_window_detach");
    if (status != HX_OK) {
        return status;
    }
    hxi_attached **link = &w->attached;
    while (*link && (*link)->range.lo != (uintptr_t)base) {
        link = &(*link)->next;
    }
    if (!*link) {
        return hxi_fail(HX_ERR_STATE,
                        "Nothing at %p, given to hx_window_detach, is attached to window \"%s\".", base,
                        w->name);
    }
    const hxi_way *peers = &w->way[HX_PEERS_WAY];
    const int code = peers->alone ? MPI_SUCCESS : MPI_Win_detach(peers->win, base);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Win_detach from window \"%s\"", w->name);
    }
    hxi_attached *gone = *link;
    *link = gone->next;
    hxi_memory_free(gone);
    return HX_OK;
}

int64_t hx_window_address(const void *base)
{
    MPI_Aint address = 0;
    MPI_Get_address(base, &address);
    return (int64_t)address;
}
