/*
 * Who observes a handle is told what its exchanges do, by the events of hx/observe.h.  Profilers are, by
 * hx_observe; so is what libhx itself writes of a run: HX_DESCRIBE, HX_TRACE, ...
 *
 * Functions here look at one pointer where nobody observes.  Those that tell are not inline.
 */
#ifndef HX_EXCHANGE_OBSERVE_H
#define HX_EXCHANGE_OBSERVE_H

#include "base/clock.h"
#include "exchange/handle.h"

#include <hx/observe.h>

enum { HX_OBSERVERS = 12 }; /* of a handle */

/* What packing, sending and copying share: where one ends the next begins, so one look at the clock is for both. */
#define HX_OBSERVE_WORK                                                                                      \
    (HX_EVENT_BIT(HX_EVENT_PACKED) | HX_EVENT_BIT(HX_EVENT_SENT) | HX_EVENT_BIT(HX_EVENT_COPIED))
#define HX_OBSERVE_WAITS (HX_EVENT_BIT(HX_EVENT_WAIT) | HX_EVENT_BIT(HX_EVENT_WAITED))
#define HX_OBSERVE_ALL   UINT64_MAX

typedef struct hxi_observer {
    hx_observer_fn *observe;
    void *context;
    uint64_t kinds; /* that it wants: HX_EVENT_BIT of each */
} hxi_observer;

typedef struct hxi_observation {
    hx_observed of;
    hxi_observer observer[HX_OBSERVERS];
    int observers;
    uint64_t wants;        /* kinds that some observer wants */
    bool failed;           /* HX_EVENT_FAILED was told */
    double called;         /* when the call under way began */
    const hxi_plan *waits; /* whose finish waits; NULL: none does */
    double waits_since;
} hxi_observation;

/* Local, in create, before open.  On failure, in words, the handle is as it was. */
hx_status hxi_observe_add(hx_handle *handle, const hxi_observer *observer);

/* Local, also while it is called: that observer of this handle wants these kinds from now on. */
void hxi_observe_change(hx_handle *handle, const hxi_observer *observer);

/* Local: that observer, of this handle, hears no more. */
void hxi_observe_remove(hx_handle *handle, hx_observer_fn *observe, const void *context);

/* Local, at the end of create, which was called then: adds those of hx_observe, and tells all that it is made. */
void hxi_observe_open(hx_handle *handle, double called);

/* Local, while all of the handle is still there. */
void hxi_observe_close(hx_handle *handle);

/* The rest of the functions below. */
void hxi_observe_tell_call(hx_handle *handle, int exchange, hx_event_kind kind, hx_status status);
void hxi_observe_tell_failure(hx_handle *handle, int exchange, hx_status status);
double hxi_observe_tell_delivery(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                 int number, double began, double packed);
double hxi_observe_tell_unpacked(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                 int number, double began);
void hxi_observe_tell_span(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                           hx_event_kind kind, double began);
void hxi_observe_tell_wait(const hx_handle *handle, const hxi_plan *plan);
void hxi_observe_tell_waited(const hx_handle *handle, int peer, double ended);

/* Does anybody want one of these kinds? */
static inline bool hxi_observe_wants(const hx_handle *handle, uint64_t kinds)
{
    return handle->observation && (handle->observation->wants & kinds) != 0;
}

/* Before a call, and after it; handle and exchange may be none. */
static inline void hxi_observe_call(hx_handle *handle, int exchange, hx_event_kind kind, hx_status status)
{
    if (handle && handle->observation) {
        hxi_observe_tell_call(handle, exchange, kind, status);
    }
}

/* The handle is broken, by what was not a start or finish of its own: hx_last_error tells of it. */
static inline void hxi_observe_failure(hx_handle *handle, int exchange, hx_status status)
{
    if (handle->observation) {
        hxi_observe_tell_failure(handle, exchange, status);
    }
}

/* Now; 0 where nobody wants one of these kinds. */
static inline double hxi_observe_clock(const hx_handle *handle, uint64_t kinds)
{
    return hxi_observe_wants(handle, kinds) ? hxi_clock() : 0.0;
}

/*
 * Message `number` is with its transport.  packed: when it was; 0: it went straight into arrays.  Returns when that
 * was, for what begins then.
 */
static inline double hxi_observe_delivery(const hx_handle *handle, const hxi_plan *plan,
                                          const hxi_phase *phase, int number, double began, double packed)
{
    return hxi_observe_wants(handle, HX_OBSERVE_WORK)
               ? hxi_observe_tell_delivery(handle, plan, phase, number, began, packed)
               : 0.0;
}

/* Message `number`, which had come when it began, is unpacked.  Returns when that was. */
static inline double hxi_observe_unpacked(const hx_handle *handle, const hxi_plan *plan,
                                          const hxi_phase *phase, int number, double began)
{
    return hxi_observe_wants(handle, HX_EVENT_BIT(HX_EVENT_UNPACKED))
               ? hxi_observe_tell_unpacked(handle, plan, phase, number, began)
               : 0.0;
}

/* HX_EVENT_COPIED, HX_EVENT_FILLED, and HX_EVENT_PACKED of a device. */
static inline void hxi_observe_span(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                    hx_event_kind kind, double began)
{
    if (hxi_observe_wants(handle, HX_EVENT_BIT(kind))) {
        hxi_observe_tell_span(handle, plan, phase, kind, began);
    }
}

/* Finish waits, if it did not before. */
static inline void hxi_observe_wait(const hx_handle *handle, const hxi_plan *plan)
{
    if (hxi_observe_wants(handle, HX_OBSERVE_WAITS) && handle->observation->waits != plan) {
        hxi_observe_tell_wait(handle, plan);
    }
}

/*
 * It does not any more, if it did.  peer: whose message has come, or who is ready for one; -1: nobody.  ended: when
 * that was; 0: now.
 */
static inline void hxi_observe_waited(const hx_handle *handle, const hxi_plan *plan, int peer, double ended)
{
    if (handle->observation && handle->observation->waits == plan) {
        hxi_observe_tell_waited(handle, peer, ended);
    }
}

#endif
