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
static hx_set **place_of(hx_sets *sets, const hx_window *window)
{
    hx_set **link = &sets->first;
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
        hx_window_id id;
    } mine = {"(a null pointer)", {0, 0}};
    if (window) {
        snprintf(mine.name, sizeof mine.name, "%s", window->name);
        mine.id = window->id;
    }
    struct card first = mine;
    const hx_status status = hx_topology_node_tell(&h->topology, &first, sizeof first);
    if (status != HX_OK || memcmp(&mine.id, &first.id, sizeof mine.id) == 0) {
        return status;
    }
    return hx_fail(HX_ERR_MISMATCH,
                   "Rank %d gave %s window \"%s\", which is not the window \"%s\" that rank %d, of the same "
                   "node, gave; give the same window, made over all ranks of the handle, on all of them.",
                   h->topology.rank, caller, mine.name, first.name, h->topology.member[0]);
}

/* Local. */
static hx_status make(const hx_window *window, const char *caller, hx_set **made)
{
    unsigned char *memory = NULL;
    size_t bytes = 0;
    const hx_status status = hx_window_whole(window, caller, &memory, &bytes);
    if (status != HX_OK) {
        return status;
    }
    hx_set *set = hx_memory_get(1, sizeof *set, "a window that is registered");
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
    hx_set *set = NULL;
    hx_first first = {0};
    hx_first_note(&first, met);
    hx_first_note(&first, make(window, caller, &set));
    hx_first_note(&first, compare(h, window, caller));
    const hx_status status = hx_topology_agree(h->topology.comm, hx_first_tell(&first));
    if (status != HX_OK || *place_of(&h->sets, window)) {
        hx_sets_drop(set);
        return status;
    }
    set->window = window;
    set->name = window->name;
    hx_use_begin(&window->users, &set->use,
                 "fields of %s may lie in it; call %s_unregister or %s_destroy first", h->spec->name,
                 h->spec->name, h->spec->name);
    hx_sets_add(&h->sets, set);
    return HX_OK;
}

static hx_status check_idle(const hx_handle *h, const hx_set *set, const char *caller)
{
    const hx_exchange *user = set ? hx_exchange_using(h, set->shared, set->bytes) : NULL;
    return user ? hx_fail(
                      HX_ERR_STATE,
                      "%s:%d: exchange \"%s\" is under way and uses arrays in window \"%s\", which was given "
                      "to %s; finish it first.",
                      h->spec->file, user->line, user->name, set->name, caller)
                : HX_OK;
}

static hx_status take_away(hx_handle *h, void *what, const char *caller, hx_status met)
{
    const hx_window *window = what;
    hx_set **link = place_of(&h->sets, window);
    hx_set *set = window ? *link : NULL;
    hx_first first = {0};
    hx_first_note(&first, met);
    hx_first_note(&first, check_idle(h, set, caller));
    hx_first_note(&first, compare(h, window, caller));
    const hx_status status = hx_topology_agree(h->topology.comm, hx_first_tell(&first));
    if (status == HX_OK && set) {
        *link = set->next;
        h->sets.changes++;
        hx_sets_drop(set);
    }
    return status;
}

hx_status hx_register(hx_handle *handle, hx_window *window)
{
    return hx_sets_call(handle, window, "register", add);
}

hx_status hx_unregister(hx_handle *handle, hx_window *window)
{
    return hx_sets_call(handle, window, "unregister", take_away);
}
