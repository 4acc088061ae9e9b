#include "observe/stats_collect.h"

#include "base/memory.h"
#include "exchange/plan.h"

static const char purpose[] = "statistics of exchanges";

static void count_traffic(const hxi_plan *plan, hxi_exchange_counts *counts)
{
    for (int p = 0; p < plan->phases; ++p) {
        counts->messages += plan->phase[p].sends;
        counts->bytes_sent += (int64_t)plan->phase[p].bytes_sent;
        counts->bytes_copied += (int64_t)plan->phase[p].bytes_copied;
    }
}

hx_status hxi_collection_make(const hx_handle *handle, hxi_collection *collection)
{
    *collection = (hxi_collection){.handle = handle, .exchanges = handle->plans};
    collection->counts.exchanges = handle->plans;
    collection->exchange = hxi_memory_get((size_t)handle->plans, sizeof *collection->exchange, purpose);
    hx_status status = collection->exchange ? HX_OK : HX_ERR_MEMORY;
    for (int e = 0; e < handle->plans && status == HX_OK; ++e) {
        count_traffic(&handle->plan[e], &collection->exchange[e].counts);
        status = hxi_sample_make(&collection->exchange[e].sample);
    }
    if (status != HX_OK) {
        hxi_collection_free(collection);
    }
    return status;
}

void hxi_collection_free(hxi_collection *collection)
{
    for (int e = 0; collection->exchange && e < collection->exchanges; ++e) {
        hxi_sample_free(&collection->exchange[e].sample);
    }
    hxi_memory_free(collection->exchange);
    *collection = (hxi_collection){0};
}

/* ---- events -------------------------------------------------------------------------------------------- */

/* MPI reads it where it is: nothing was moved by a loop. */
static bool is_in_place(const hxi_phase *phase, const hx_event *event)
{
    int before = 0;
    for (int m = 0; m < phase->sends; ++m) {
        if (phase->send[m].peer == event->peer && before++ == event->message) {
            return phase->send[m].slot >= 0;
        }
    }
    return false;
}

static void note_moved(hxi_collection *c, const hx_event *event)
{
    const hxi_phase *phase = &c->handle->plan[event->exchange].phase[event->phase];
    const bool packed = event->kind == HX_EVENT_PACKED;
    if (packed ? !is_in_place(phase, event) : event->kind == HX_EVENT_COPIED || !event->direct) {
        c->counts.moved_bytes += (double)event->bytes;
        c->counts.moving += event->seconds - event->since;
    }
}

static void note_busy(hxi_collection *c, const hx_event *event, double *of_kind)
{
    const double seconds = event->seconds - event->since;
    *of_kind += seconds;
    c->busy += seconds;
}

static void note_start(const hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    x->coming = (hxi_occurrence){.number = event->start,
                                 .started = event->seconds,
                                 .before = c->before,
                                 .waited_before = c->waited_before};
}

static void note_started(hxi_collection *c, hxi_collected *x)
{
    const double started = x->coming.started;
    x->now = x->coming;
    x->counts.first = x->counts.first > 0.0 ? x->counts.first : started;
    x->counts.last = started;
    c->counts.first = c->counts.first > 0.0 ? c->counts.first : started;
}

static void note_finish(const hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    x->now.finishing = event->seconds;
    x->busy = c->busy;
}

/* What finish did besides packing, copying and unpacking was waiting. */
static void note_finished(hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    const double waited = event->seconds - x->now.finishing - (c->busy - x->busy);
    x->now.waited = waited > 0.0 ? waited : 0.0;
    x->counts.count++;
    x->counts.wait += x->now.waited;
    c->counts.wait += x->now.waited;
    c->counts.last = event->seconds;
    c->before = event->seconds;
    c->waited_before = x->now.waited;
    hxi_sample_add(&x->sample, &x->now);
}

/* Of the host. */
static void note_work(hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    switch (event->kind) {
    case HX_EVENT_PACKED:
        note_busy(c, event, &x->counts.pack);
        note_moved(c, event);
        break;
    case HX_EVENT_COPIED:
        note_busy(c, event, &x->counts.copy);
        note_moved(c, event);
        break;
    case HX_EVENT_UNPACKED:
        note_busy(c, event, &x->counts.unpack);
        note_moved(c, event);
        break;
    case HX_EVENT_FILLED:
        note_busy(c, event, &x->counts.unpack);
        break;
    default:
        break;
    }
}

static void note_call(hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    switch (event->kind) {
    case HX_EVENT_START:
        note_start(c, x, event);
        break;
    case HX_EVENT_STARTED:
        note_started(c, x);
        break;
    case HX_EVENT_FINISH:
        note_finish(c, x, event);
        break;
    case HX_EVENT_FINISHED:
        note_finished(c, x, event);
        break;
    default:
        break;
    }
}

void hxi_collection_note(hxi_collection *c, const hx_event *event)
{
    if (event->exchange < 0 || event->status != HX_OK) {
        return;
    }
    hxi_collected *x = &c->exchange[event->exchange];
    if (event->on_device) {
        x->counts.device += event->seconds - event->since;
        return;
    }
    note_call(c, x, event);
    note_work(c, x, event);
}
