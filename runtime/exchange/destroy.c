/*
 * Destroying handles: no rank frees what another one still uses.
 */
#include "audit/audit.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/cycle.h"
#include "exchange/exchange.h"
#include "exchange/handle.h"
#include "exchange/observe.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

enum { PATIENCE = 5 }; /* seconds of waiting without a deadline, until that is told */

/* Has a rank of the node not left yet what it writes into of this rank's device? */
static bool is_awaited(const hx_handle *h, int node_rank)
{
    bool awaited = h->boxes && hxi_device_shared_awaits(&h->boxes->shared, node_rank);
    for (const hxi_set *set = h->sets.first; set; set = set->next) {
        awaited = awaited || hxi_device_shared_awaits(&set->there, node_rank);
    }
    return awaited;
}

static bool is_left(const hx_handle *h)
{
    bool left = true;
    for (int r = 0; r < h->topology.node_ranks; ++r) {
        left = left && !is_awaited(h, r);
    }
    return left;
}

static void tell_of_waiting(const hx_handle *h, double seconds, const char *what)
{
    char ranks[HX_SENTENCE / 4] = "";
    hxi_text text = {ranks, sizeof ranks, 0};
    for (int r = 0; r < h->topology.node_ranks; ++r) {
        if (is_awaited(h, r)) {
            hxi_text_add(&text, "%s%d", text.length == 0 ? "" : ", ", h->topology.member[r]);
        }
    }
    if (text.length == 0) {
        return; /* they have come meanwhile */
    }
    hxi_log(&h->options, HX_LOG_WARNING,
            "%s_destroy: after %g seconds rank %d still waits for rank %s to call it; memory of device %d, "
            "which they write messages into, %s.",
            h->spec->name, seconds, h->topology.rank, ranks, h->device->number, what);
}

static void leave(const hx_handle *h, hxi_device_shared *shared)
{
    if (hxi_device_shared_leave(shared, h->broken != HX_OK) != HX_OK) {
        hxi_log(&h->options, HX_LOG_WARNING, "%s_destroy on rank %d: %s  It stays until that process ends.",
                h->spec->name, h->topology.rank, hx_last_error());
    }
}

/* What this rank has open of others.  What cannot be closed stays open, and there. */
static void leave_others(const hx_handle *h)
{
    if (h->boxes) {
        leave(h, &h->boxes->shared);
    }
    for (hxi_set *set = h->sets.first; set; set = set->next) {
        leave(h, &set->there);
    }
}

/*
 * Memory of a device is not freed while another rank has it open.  That one comes here, too; meanwhile it may
 * wait for other exchanges of this one.
 */
static void wait_for_others(hx_handle *h)
{
    const double before = hxi_clock();
    const double deadline = h->options.deadline;
    bool told = false;
    while (h->broken == HX_OK && hxi_topology_alive() && !is_left(h)) {
        const double waited = hxi_clock() - before;
        if (deadline > 0.0 && waited > deadline) {
            tell_of_waiting(h, deadline, "stays until this process ends");
            return;
        }
        if (!told && !(deadline > 0.0) && waited > PATIENCE) {
            tell_of_waiting(h, PATIENCE, "is not freed before; the option deadline, which is 0, ends that");
            told = true;
        }
        hxi_exchange_advance(h);
        hxi_topology_progress(&h->topology);
        hxi_clock_yield();
    }
}

void hxi_handle_release(hx_handle *h)
{
    const hxi_device_guard guard = hxi_device_enter(h->device);
    hxi_buffers_leave(&h->buffers);
    if (h->broken != HX_OK) {
        hxi_nccl_give_up(h->nccl);
    }
    if (h->broken == HX_OK && !hxi_device_drain(h->device)) {
        h->broken = HX_ERR_DEADLINE;
        hxi_log(&h->options, HX_LOG_WARNING, "%s_destroy: %s  Its memory, and that of messages, stays.",
                h->spec->name, hx_last_error());
    }
    hxi_nccl_close(h->nccl, h->broken != HX_OK);
    leave_others(h);
    wait_for_others(h);
    for (int i = 0; i < h->plans; ++i) {
        hxi_plan_free(&h->plan[i], h->broken != HX_OK);
    }
    hxi_memory_free(h->plan);
    hxi_cycles_free(h);
    hxi_node_memory_close(&h->moved[0]);
    hxi_node_memory_close(&h->moved[1]);
    if (h->free_redistributions) {
        h->free_redistributions(h);
    }
    hxi_audits_close(h->audits, h->broken != HX_OK || h->meeting.spoiled);
    hxi_sets_free(&h->sets, h->broken != HX_OK);
    hxi_device_boxes_close(h->boxes, h->broken != HX_OK);
    hxi_node_spare_leave(h->spare, h->broken == HX_OK ? &h->board.memory : NULL);
    hxi_board_free(&h->board);
    hxi_blocks_free(&h->mine);
    hxi_layout_free(&h->layout);
    hxi_lists_free(&h->lists);
    hxi_confirmation_free(&h->promises);
    hxi_buffers_close(&h->buffers);
    if (h->team) {
        hxi_team_close(h->team);
    }
    hxi_memory_free(h->team);
    if (h->team_call) {
        hxi_team_call_close(h->team_call);
    }
    hxi_memory_free(h->team_call);
    hxi_device_close(h->device, h->broken != HX_OK);
    hxi_device_return(&guard);
    hxi_memory_free(h->description);
    hxi_topology_close(&h->topology, h->broken != HX_OK || h->meeting.spoiled);
}

/* Of a device that is lost nothing can be given back, and nothing is under way that could be finished. */
static void look_at_device(hx_handle *h)
{
    const hxi_device_guard guard = hxi_device_enter(h->device);
    if (h->broken == HX_OK && hxi_device_lost(h->device)) {
        h->broken = HX_ERR_DEVICE;
    }
    hxi_device_return(&guard);
}

hx_status hx_destroy(hx_handle *handle)
{
    const hx_status owned = hxi_owner_check(handle, "destroy");
    if (!handle || owned != HX_OK) {
        return owned;
    }
    look_at_device(handle);
    if (handle->under_way > 0 && handle->broken == HX_OK && hxi_topology_alive()) {
        int e = 0;
        while (handle->plan[e].state != HX_PLAN_UNDER_WAY) {
            ++e;
        }
        return hxi_fail(
            HX_ERR_STATE,
            "%s:%d: exchange \"%s\" is under way on rank %d; finish it before destroying its handle.",
            handle->spec->file, handle->plan[e].exchange->line, handle->plan[e].exchange->name,
            handle->topology.rank);
    }
    hxi_observe_close(handle);
    hxi_owner_leave(handle);
    const bool quiet = hxi_meeting_close(&handle->meeting);
    hxi_progress_close(handle);
    hxi_handle_release(handle);
    hxi_memory_free(handle->tuned);
    if (quiet) {
        hxi_memory_free(handle);
    }
    return HX_OK;
}
