/*
 * Windows as places of fields: a window that is registered with a handle is a set of alloc.h, of which arrays
 * may take any part.
 */
#include "base/status.h"
#include "exchange/alloc.h"
#include "exchange/exchange.h"
#include "window/window.h"

#include <hx/abi.h>

#include <stdio.h>
#include <string.h>

/* The set of a window, in a list of sets. */
static hxi_set **place_of(hxi_sets *sets, const hx_window *window)
{
    hxi_set **link = &sets->first;
    while (*link && (*link)->window != window) {
        link = &(*link)->next;
    }
    return link;
}

/* Collective over the node.  Have all of its ranks the memory of this window in common? */
static hx_status compare(const hx_handle *h, const hx_window *window, const char *caller)
{
    struct card {
        char name[HX_WINDOW_NAME];
        hxi_window_id id;
    } mine = {"(a null pointer)", {0, 0}};
    if (window) {
        snprintf(mine.name, sizeof mine.name, "%s", window->name);
        mine.id = window->id;
    }
    struct card first = mine;
    const hx_status status = hxi_topology_node_tell(&h->topology, &first, sizeof first);
    if (status != HX_OK || memcmp(&mine.id, &first.id, sizeof mine.id) == 0) {
        return status;
    }
    return hxi_fail(HX_ERR_MISMATCH,
                    "Rank %d gave %s window \"%s\", which is not the window \"%s\" that rank %d, of the same "
                    "node, gave; give the same window, made over all ranks of the handle, on all of them.",
                    h->topology.rank, caller, mine.name, first.name, h->topology.member[0]);
}

/* Local. */
static hx_status make(const hx_window *window, const char *caller, hxi_set **made)
{
    unsigned char *memory = NULL;
    size_t bytes = 0;
    const hx_status status = hxi_window_whole(window, caller, &memory, &bytes);
    if (status != HX_OK) {
        return status;
    }
    hxi_set *set = hxi_memory_get(1, sizeof *set, "a window that is registered");
    if (!set) {
        return HX_ERR_MEMORY;
    }
    set->shared = memory;
    set->bytes = bytes;
    *made = set;
    return HX_OK;
}

static hx_status add(hx_handle *h, void *what, const char *caller, hx_status met)
{
    hx_window *window = what;
    hxi_set *set = NULL;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, make(window, caller, &set));
    hxi_first_note(&first, compare(h, window, caller));
    const hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    if (status != HX_OK || *place_of(&h->sets, window)) {
        hxi_sets_drop(set);
        return status;
    }
    set->window = window;
    set->name = window->name;
    hxi_lease_begin(&window->users, &set->use,
                    "fields of %s may lie in it; call %s_unregister or %s_destroy first", h->spec->name,
                    h->spec->name, h->spec->name);
    hxi_sets_add(&h->sets, set);
    return HX_OK;
}

static hx_status check_idle(const hx_handle *h, const hxi_set *set, const char *caller)
{
    const hx_exchange *user = set ? hxi_exchange_using(h, set->shared, set->bytes) : NULL;
    return user ? hxi_fail(
                      HX_ERR_STATE,
                      "%s:%d: exchange \"%s\" is under way and uses arrays in window \"%s\", which was given "
                      "to %s; finish it first.",
                      h->spec->file, user->line, user->name, set->name, caller)
                : HX_OK;
}

static hx_status take_away(hx_handle *h, void *what, const char *caller, hx_status met)
{
    const hx_window *window = what;
    hxi_set **link = place_of(&h->sets, window);
    hxi_set *set = window ? *link : NULL;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check_idle(h, set, caller));
    hxi_first_note(&first, compare(h, window, caller));
    const hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    if (status == HX_OK && set) {
        *link = set->next;
        h->sets.changes++;
        hxi_sets_drop(set);
    }
    return status;
}

hx_status hx_register(hx_handle *handle, hx_window *window)
{
    return hxi_sets_call(handle, window, "register", add);
}

hx_status hx_unregister(hx_handle *handle, hx_window *window)
{
    return hxi_sets_call(handle, window, "unregister", take_away);
}
