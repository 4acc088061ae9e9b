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
        collection->exchange[e].timing = true;
        collection->timing++;
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

/* MPI reads the message where it is, or writes it there: nothing is moved by a loop. */
static bool is_in_place(const hxi_phase *phase, const hx_event *event)
{
    const bool comes = event->kind == HX_EVENT_UNPACKED;
    const hxi_contents *contents = comes ? phase->receive : phase->send;
    const int count = comes ? phase->receives : phase->sends;
    int before = 0;
    for (int m = 0; m < count; ++m) {
        if (contents[m].peer == event->peer && before++ == event->message) {
            return contents[m].slot >= 0;
        }
    }
    return false;
}

static void note_moved(hxi_collection *c, const hx_event *event)
{
    const hxi_phase *phase = &c->handle->plan[event->exchange].phase[event->phase];
    const bool by_sender = event->kind == HX_EVENT_UNPACKED && event->direct;
    if (!by_sender && (event->peer < 0 || !is_in_place(phase, event))) {
        c->counts.moved_bytes += (double)event->bytes;
        c->counts.moving += event->seconds - event->since;
    }
}

static void note_busy(hxi_collection *c, const hxi_collected *x, const hx_event *event, double *of_kind)
{
    const double seconds = event->seconds - event->since;
    *of_kind += x->timing ? seconds : 0.0;
    c->busy += seconds; /* somebody else, who is timed, may do this while he waits */
}

/* A start while one is under way is refused, and changes nothing; one that is refused otherwise is made again. */
static void note_start(const hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    if (c->handle->plan[event->exchange].state == HX_PLAN_IDLE) {
        x->now = (hxi_occurrence){.number = event->start,
                                  .started = event->seconds,
                                  .before = c->before,
                                  .waited_before = c->waited_before};
    }
}

static void note_finish(const hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    x->now.finishing = event->seconds;
    x->busy = c->busy;
}

static double at_least_zero(double seconds)
{
    return seconds > 0.0 ? seconds : 0.0;
}

/* What finish did besides packing, copying and unpacking was waiting. */
static void note_timed(hxi_collection *c, hxi_collected *x, double finish)
{
    const double busy = c->busy - x->busy;
    x->counts.timed++;
    x->busy_inside += busy;
    x->now.waited = at_least_zero(finish - busy);
    c->waited_before = x->now.waited;
    if (x->counts.count == 1) {
        const double first = c->counts.first;
        c->counts.first = first > 0.0 && first < x->now.started ? first : x->now.started;
    }
    hxi_sample_add(&x->sample, &x->now);
}

static void note_finished(hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    const double finish = event->seconds - x->now.finishing;
    x->counts.count++;
    x->finishes += finish;
    x->counts.first = x->counts.count == 1 ? event->seconds : x->counts.first;
    x->counts.last = event->seconds;
    c->counts.last = event->seconds;
    if (x->timing) {
        note_timed(c, x, finish);
    } else {
        c->waited_before = at_least_zero(finish - x->busy_inside / (double)x->counts.timed);
    }
    c->before = event->seconds;
    c->timing -= x->timing;
    x->timing = hxi_sample_keeps(&x->sample, event->start + 1);
    c->timing += x->timing;
}

static void note_work(hxi_collection *c, hxi_collected *x, const hx_event *event)
{
    switch (event->kind) {
    case HX_EVENT_PACKED:
        if (event->on_device) {
            x->counts.device += x->timing ? event->seconds - event->since : 0.0;
            break;
        }
        note_busy(c, x, event, &x->counts.pack);
        note_moved(c, event);
        break;
    case HX_EVENT_COPIED:
        note_busy(c, x, event, &x->counts.copy);
        note_moved(c, event);
        break;
    case HX_EVENT_UNPACKED:
        note_busy(c, x, event, &x->counts.unpack);
        note_moved(c, event);
        break;
    case HX_EVENT_FILLED:
        note_busy(c, x, event, &x->counts.unpack);
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
    switch (event->kind) {
    case HX_EVENT_START:
        note_start(c, x, event);
        break;
    case HX_EVENT_FINISH:
        note_finish(c, x, event);
        break;
    case HX_EVENT_FINISHED:
        note_finished(c, x, event);
        break;
    default:
        note_work(c, x, event);
        break;
    }
}

uint64_t hxi_collection_kinds(const hxi_collection *collection)
{
    static const uint64_t whole = HX_EVENT_BIT(HX_EVENT_FINISH) | HX_EVENT_BIT(HX_EVENT_FINISHED);
    static const uint64_t within = HX_EVENT_BIT(HX_EVENT_START) | HX_EVENT_BIT(HX_EVENT_PACKED) |
                                   HX_EVENT_BIT(HX_EVENT_COPIED) | HX_EVENT_BIT(HX_EVENT_UNPACKED) |
                                   HX_EVENT_BIT(HX_EVENT_FILLED);
    return collection->timing > 0 ? whole | within : whole;
}

double hxi_collection_wait(const hxi_collected *x)
{
    const double busy =
        x->counts.timed > 0 ? x->busy_inside * (double)x->counts.count / (double)x->counts.timed : 0.0;
    return at_least_zero(x->finishes - busy);
}
