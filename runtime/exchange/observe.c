#include "exchange/observe.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- who observes -------------------------------------------------------------------------------------- */

enum { MOST = 4 }; /* of the application */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hxi_observer asked[MOST];
static int askeds;
static atomic_int handles; /* observed so far */

static bool is_same(const hxi_observer *observer, hx_observer_fn *observe, const void *context)
{
    return observer->observe == observe && observer->context == context;
}

/* Its number among those of the application; askeds: none.  While the lock is held. */
static int find(hx_observer_fn *observe, const void *context)
{
    int i = 0;
    while (i < askeds && !is_same(&asked[i], observe, context)) {
        ++i;
    }
    return i;
}

hx_status hx_observe(hx_observer_fn *observe, void *context)
{
    return hx_observe_kinds(observe, context, HX_OBSERVE_ALL);
}

hx_status hx_observe_kinds(hx_observer_fn *observe, void *context, uint64_t kinds)
{
    if (!observe) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The function given to hx_observe is a null pointer; give one that takes events.");
    }
    pthread_mutex_lock(&lock);
    const int place = find(observe, context);
    const bool fits = place < MOST;
    if (fits) {
        asked[place] = (hxi_observer){observe, context, kinds};
        askeds += place == askeds;
    }
    pthread_mutex_unlock(&lock);
    return fits ? HX_OK
                : hxi_fail(HX_ERR_LIMIT,
                           "hx_observe was given more than %d observers; take one away by hx_unobserve.",
                           MOST);
}

hx_status hx_unobserve(hx_observer_fn *observe, void *context)
{
    pthread_mutex_lock(&lock);
    const int place = find(observe, context);
    const bool found = place < askeds;
    if (found) {
        askeds--;
        for (int i = place; i < askeds; ++i) {
            asked[i] = asked[i + 1];
        }
    }
    pthread_mutex_unlock(&lock);
    return found ? HX_OK
                 : hxi_fail(HX_ERR_ARGUMENT, "hx_unobserve was given an observer that hx_observe was not "
                                             "given; give it the same function and context.");
}

hx_status hxi_observe_add(hx_handle *handle, const hxi_observer *observer)
{
    hxi_observation *o = handle->observation;
    if (!o) {
        o = hxi_memory_get(1, sizeof *o, "who observes a handle");
        if (!o) {
            return HX_ERR_MEMORY;
        }
        o->of = (hx_observed){.size = sizeof o->of,
                              .spec = handle->spec,
                              .number = atomic_fetch_add(&handles, 1) + 1,
                              .rank = handle->topology.rank,
                              .ranks = handle->topology.ranks};
        handle->observation = o;
    }
    o->observer[o->observers++] = *observer; /* as many as there can be fit */
    o->wants |= observer->kinds;
    return HX_OK;
}

static void find_wants(hxi_observation *o)
{
    o->wants = 0;
    for (int i = 0; i < o->observers; ++i) {
        o->wants |= o->observer[i].kinds;
    }
}

void hxi_observe_change(hx_handle *handle, const hxi_observer *observer)
{
    hxi_observation *o = handle->observation;
    for (int i = 0; i < o->observers; ++i) {
        if (is_same(&o->observer[i], observer->observe, observer->context)) {
            o->observer[i].kinds = observer->kinds;
        }
    }
    find_wants(o);
}

void hxi_observe_remove(hx_handle *handle, hx_observer_fn *observe, const void *context)
{
    hxi_observation *o = handle->observation;
    int kept = 0;
    for (int i = 0; i < o->observers; ++i) {
        if (!is_same(&o->observer[i], observe, context)) {
            o->observer[kept++] = o->observer[i];
        }
    }
    o->observers = kept;
    find_wants(o);
}

static hx_status add_asked(hx_handle *handle)
{
    hx_status status = HX_OK;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < askeds && status == HX_OK; ++i) {
        status = hxi_observe_add(handle, &asked[i]);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

/* ---- telling ------------------------------------------------------------------------------------------- */

/* Those who want it. */
static void tell(const hx_handle *handle, hx_event *event)
{
    const hxi_observation *o = handle->observation;
    const uint64_t kind = HX_EVENT_BIT(event->kind);
    if ((o->wants & kind) == 0) {
        return;
    }
    event->size = sizeof *event;
    event->handle = &o->of;
    event->seconds = event->seconds > 0.0 ? event->seconds : hxi_clock();
    for (int i = 0; i < o->observers; ++i) {
        if ((o->observer[i].kinds & kind) != 0) {
            o->observer[i].observe(o->observer[i].context, event);
        }
    }
}

/* What is not of one exchange. */
static void tell_of_handle(const hx_handle *handle, hx_event_kind kind, double since)
{
    hx_event event = {.kind = kind, .exchange = -1, .peer = -1, .since = since};
    tell(handle, &event);
}

void hxi_observe_open(hx_handle *handle, double called)
{
    if (add_asked(handle) != HX_OK) {
        hxi_log(&handle->options, HX_LOG_WARNING, "%s: nobody observes this handle: %s", handle->spec->name,
                hx_last_error());
    }
    if (handle->observation) {
        tell_of_handle(handle, HX_EVENT_CREATED, called);
    }
}

void hxi_observe_close(hx_handle *handle)
{
    if (handle->observation) {
        tell_of_handle(handle, HX_EVENT_DESTROYED, 0.0);
        hxi_memory_free(handle->observation);
        handle->observation = NULL;
    }
}

/* Once: later calls are only refused for it, in other words. */
static void tell_failure(const hx_handle *handle, const hx_event *event)
{
    hxi_observation *o = handle->observation;
    if (!o->failed) {
        hx_event failed = *event;
        failed.kind = HX_EVENT_FAILED;
        o->failed = true;
        tell(handle, &failed);
    }
}

/* Kinds that tell when a call began, or, where it returns, anything of it. */
static uint64_t kinds_of_call(hx_event_kind kind, hx_status status)
{
    const uint64_t failure = HX_EVENT_BIT(HX_EVENT_FAILED);
    switch (kind) {
    case HX_EVENT_START:
        return HX_EVENT_BIT(HX_EVENT_START) | HX_EVENT_BIT(HX_EVENT_STARTED) | failure;
    case HX_EVENT_FINISH:
        return HX_EVENT_BIT(HX_EVENT_FINISH) | HX_EVENT_BIT(HX_EVENT_FINISHED) | failure;
    default:
        return HX_EVENT_BIT(kind) | (status != HX_OK ? failure : 0);
    }
}

void hxi_observe_tell_call(hx_handle *handle, int exchange, hx_event_kind kind, hx_status status)
{
    if (exchange < 0 || exchange >= handle->plans ||
        !hxi_observe_wants(handle, kinds_of_call(kind, status))) {
        return;
    }
    hxi_observation *o = handle->observation;
    const hxi_plan *plan = &handle->plan[exchange];
    const bool returns = kind == HX_EVENT_STARTED || kind == HX_EVENT_FINISHED;
    hx_event event = {.kind = kind,
                      .exchange = exchange,
                      .peer = -1,
                      .start = plan->sequence - (kind == HX_EVENT_FINISHED && status == HX_OK),
                      .since = returns ? o->called : 0.0,
                      .seconds = hxi_clock(),
                      .status = status};
    if (!returns) {
        o->called = event.seconds;
    }
    if (status != HX_OK && handle->broken != HX_OK) {
        tell_failure(handle, &event);
    }
    tell(handle, &event);
}

void hxi_observe_tell_failure(hx_handle *handle, int exchange, hx_status status)
{
    const double now = hxi_clock();
    tell_failure(handle, &(hx_event){.exchange = exchange,
                                     .peer = -1,
                                     .start = handle->plan[exchange].sequence,
                                     .since = now,
                                     .seconds = now,
                                     .status = status});
}

/* Which one it is of those between the same ranks. */
static int count_before(const hxi_contents *contents, int number)
{
    int before = 0;
    for (int m = 0; m < number; ++m) {
        before += contents[m].peer == contents[number].peer;
    }
    return before;
}

static hx_event describe_message(const hxi_plan *plan, const hxi_phase *phase, const hxi_contents *contents,
                                 int number)
{
    const hxi_contents *message = &contents[number];
    return (hx_event){.exchange = plan->number,
                      .start = plan->sequence,
                      .phase = (int)(phase - plan->phase),
                      .peer = message->peer,
                      .message = count_before(contents, number),
                      .bytes = message->bytes,
                      .transport = phase->binding[message->transport].transport->name};
}

double hxi_observe_tell_delivery(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                 int number, double began, double packed)
{
    const double now = hxi_clock();
    if (!hxi_observe_wants(handle, HX_EVENT_BIT(HX_EVENT_PACKED) | HX_EVENT_BIT(HX_EVENT_SENT))) {
        return now;
    }
    hx_event event = describe_message(plan, phase, phase->send, number);
    event.direct = !(packed > 0.0);
    if (began > 0.0) { /* the host packed it */
        event.kind = HX_EVENT_PACKED;
        event.since = began;
        event.seconds = event.direct ? now : packed;
        tell(handle, &event);
    }
    event.kind = HX_EVENT_SENT;
    event.since = event.direct ? began : packed;
    event.seconds = now;
    tell(handle, &event);
    return now;
}

double hxi_observe_tell_unpacked(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                 int number, double began)
{
    hx_event event = describe_message(plan, phase, phase->receive, number);
    event.kind = HX_EVENT_UNPACKED;
    event.direct = phase->message[phase->sends + number].direct;
    event.since = began;
    event.seconds = event.direct ? began : hxi_clock(); /* nothing was to be done */
    tell(handle, &event);
    return event.seconds;
}

void hxi_observe_tell_span(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                           hx_event_kind kind, double began)
{
    hx_event event = {.kind = kind,
                      .exchange = plan->number,
                      .start = plan->sequence,
                      .since = began,
                      .phase = (int)(phase - plan->phase),
                      .peer = -1,
                      .bytes = kind == HX_EVENT_COPIED   ? phase->bytes_copied
                               : kind == HX_EVENT_PACKED ? phase->bytes_sent
                                                         : 0,
                      .on_device = kind == HX_EVENT_PACKED};
    if (kind != HX_EVENT_COPIED || phase->bytes_copied > 0) {
        tell(handle, &event);
    }
}

void hxi_observe_tell_wait(const hx_handle *handle, const hxi_plan *plan)
{
    hxi_observation *o = handle->observation;
    hx_event event = {.kind = HX_EVENT_WAIT,
                      .exchange = plan->number,
                      .start = plan->sequence,
                      .phase = plan->current,
                      .seconds = hxi_clock(),
                      .peer = -1};
    o->waits = plan;
    o->waits_since = event.seconds;
    tell(handle, &event);
}

void hxi_observe_tell_waited(const hx_handle *handle, int peer, double ended)
{
    hxi_observation *o = handle->observation;
    hx_event event = {.kind = HX_EVENT_WAITED,
                      .exchange = o->waits->number,
                      .start = o->waits->sequence,
                      .since = o->waits_since,
                      .seconds = ended,
                      .phase = o->waits->current,
                      .peer = peer};
    o->waits = NULL;
    tell(handle, &event);
}
