/*
 * Pools whose buffers lie in a window.
 */
#include "memory/pool.h"
#include "window/window.h"

hx_status hx_pool_create_in(hx_window *window, int check, hx_pool **out)
{
    static const char caller[] = "hx_pool_create_in";
    if (out) {
        *out = NULL;
    }
    if (!window || !out) {
        return hxi_fail(HX_ERR_ARGUMENT, "The %s given to %s is a null pointer.",
                        window ? "place for the pool" : "window", caller);
    }
    hx_window_facts facts;
    void *memory = NULL;
    int64_t elements = 0;
    hx_window_query(window, &facts);
    hx_status status = hx_window_pointer(window, facts.node_rank, &memory, &elements);
    if (status == HX_OK && elements == 0) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "Rank %d holds no memory of window \"%s\", given to %s; ask for HX_WINDOW_PARTS or "
                          "HX_WINDOW_PRIVATE when it is made, of which every rank holds some.",
                          window->topology.rank, window->name, caller);
    }
    status = status == HX_OK ? hx_pool_create(check, out) : status;
    if (status == HX_OK) {
        hxi_lease_begin(&window->users, hxi_pool_move(*out, memory, (size_t)elements * facts.element),
                        "buffers of a pool lie in it; call hx_pool_destroy first");
    }
    return status;
}
