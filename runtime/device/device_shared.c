#include "device/device_shared.h"

#include <stdio.h>
#include <string.h>

/* What hxi_shown_memory.left says. */
enum { HERE, CLOSED, ABANDONED };

enum { SHOWN_AT_ONCE = 2 << 20 };

size_t hxi_device_shared_bytes(size_t bytes)
{
    return (bytes + SHOWN_AT_ONCE - 1) / SHOWN_AT_ONCE * SHOWN_AT_ONCE;
}

hx_status hxi_device_shared_make(const hxi_device_context *device, const hxi_topology *topology,
                                 hxi_device_shared *s)
{
    *s = (hxi_device_shared){.device = device, .topology = topology};
    s->partner = hxi_memory_get((size_t)topology->node_ranks, sizeof *s->partner,
                                "what is known of memory of other devices");
    return s->partner ? HX_OK : HX_ERR_MEMORY;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

void hxi_device_shared_lacks(hxi_device_shared *s)
{
    snprintf(s->why, sizeof s->why, "%s", hx_last_error());
}

void hxi_device_shared_export(hxi_device_shared *s, void *piece)
{
    const int error = s->device->calls->export_memory(piece, &s->token);
    s->has_token = error == 0;
    if (error != 0) {
        hxi_device_fail(s->device->calls, error, "Showing memory of device %d to other processes",
                        s->device->number);
        hxi_device_shared_lacks(s);
    }
}

static hx_status open_one(hxi_device_shared *s, int node_rank)
{
    const hx_device *calls = s->device->calls;
    void *memory = NULL;
    const int error = calls->open_memory(&s->partner[node_rank].shown->token, &memory);
    if (error != 0) {
        return hxi_device_fail(calls, error, "Reaching memory of the device of rank %d from device %d",
                               s->topology->member[node_rank], s->device->number);
    }
    s->partner[node_rank].memory = memory;
    return HX_OK;
}

static hx_status open_others(hxi_device_shared *s)
{
    hx_status status = HX_OK;
    for (int r = 0; r < s->topology->node_ranks && status == HX_OK; ++r) {
        status = s->partner[r].is_written ? open_one(s, r) : HX_OK;
    }
    return status;
}

/* All that can be. */
static hx_status close_others(hxi_device_shared *s)
{
    hxi_first first = {0};
    for (int r = 0; r < s->topology->node_ranks; ++r) {
        void *memory = s->partner[r].memory;
        const int error = memory ? s->device->calls->close_memory(memory) : 0;
        if (error != 0) {
            hxi_first_note(&first,
                           hxi_device_fail(s->device->calls, error, "Leaving memory of the device of rank %d",
                                           s->topology->member[r]));
        }
        s->partner[r].memory = NULL;
    }
    return hxi_first_tell(&first);
}

/* All ranks see the tokens of all, or hear why one has none. */
static hx_status show(const hxi_device_shared *s)
{
    if (s->has_token) {
        s->partner[s->topology->node_rank].shown->token = s->token;
    }
    const hx_status status = s->why[0] == '\0' ? HX_OK : hxi_fail(HX_ERR_DEVICE, "%s", s->why);
    return hxi_topology_node_agree(s->topology, status);
}

/* Nobody needs what is open.  What cannot be closed makes all keep theirs. */
static void do_without(hxi_device_shared *s)
{
    s->stuck = hxi_topology_node_agree(s->topology, close_others(s)) != HX_OK;
}

void hxi_device_shared_open(hxi_device_shared *s)
{
    hx_status status = show(s);
    status = status == HX_OK ? hxi_topology_node_agree(s->topology, open_others(s)) : status;
    s->usable = status == HX_OK;
    s->shown = s->usable;
    if (!s->usable) {
        hxi_device_shared_lacks(s);
        do_without(s);
    }
}

/* The first two of its agreements: that not all show theirs, and that nothing is open here. */
void hxi_device_shared_refuse(const hxi_topology *topology)
{
    hxi_topology_node_agree(
        topology, hxi_fail(HX_ERR_DEVICE, "Rank %d has no memory of its device to show", topology->rank));
    hxi_topology_node_agree(topology, HX_OK);
}

/* ---- leaving ------------------------------------------------------------------------------------------- */

hx_status hxi_device_shared_leave(hxi_device_shared *s, int abandon)
{
    if (!s->shown) {
        return HX_OK;
    }
    const hx_status closed = abandon ? HX_OK : close_others(s);
    hxi_shown_memory *own = s->partner[s->topology->node_rank].shown;
    if (own) {
        atomic_store_explicit(&own->left, closed == HX_OK && !abandon ? CLOSED : ABANDONED,
                              memory_order_release);
    }
    return closed;
}

/* What a rank of the node says of this rank's piece.  One that does not write there has never opened it. */
static uint64_t state_of(const hxi_device_shared *s, int node_rank)
{
    const hxi_device_partner *partner = s->shown ? &s->partner[node_rank] : NULL;
    return partner && partner->writes ? atomic_load_explicit(&partner->shown->left, memory_order_acquire)
                                      : CLOSED;
}

bool hxi_device_shared_awaits(const hxi_device_shared *s, int node_rank)
{
    return state_of(s, node_rank) == HERE;
}

bool hxi_device_shared_may_free(const hxi_device_shared *s)
{
    bool closed = !s->stuck;
    for (int r = 0; s->shown && r < s->topology->node_ranks; ++r) {
        closed = closed && state_of(s, r) == CLOSED;
    }
    return closed;
}

void hxi_device_shared_free(hxi_device_shared *s)
{
    hxi_memory_free(s->partner);
    s->partner = NULL;
}
