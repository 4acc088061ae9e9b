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

typedef struct hxi_observer {
    hx_observer_fn *observe;
    void *context;
} hxi_observer;

typedef struct hxi_observation {
    hx_observed of;
    hxi_observer observer[HX_OBSERVERS];
    int observers;
    bool failed;           /* HX_EVENT_FAILED was told */
    double called;         /* when the call under way began */
    const hxi_plan *waits; /* whose finish waits; NULL: none does */
    double waits_since;
} hxi_observation;

/* Local, in create, before open.  On failure, in words, the handle is as it was. */
hx_status hxi_observe_add(hx_handle *handle, hx_observer_fn *observe, void *context);

/* Local: that observer, of this handle, hears no more. */
void hxi_observe_remove(hx_handle *handle, hx_observer_fn *observe, const void *context);

/* Local, at the end of create, which was called then: adds those of hx_observe, and tells all that it is made. */
void hxi_observe_open(hx_handle *handle, double called);

/* Local, while all of the handle is still there. */
void hxi_observe_close(hx_handle *handle);

/* The rest of the functions below. */
void hxi_observe_tell_call(hx_handle *handle, int exchange, hx_event_kind kind, hx_status status);
void hxi_observe_tell_failure(hx_handle *handle, int exchange, hx_status status);
void hxi_observe_tell_delivery(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                               int number, double began, double packed);
void hxi_observe_tell_unpacked(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                               int number, double began);
void hxi_observe_tell_span(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                           hx_event_kind kind, double began);
void hxi_observe_tell_wait(const hx_handle *handle, const hxi_plan *plan);
void hxi_observe_tell_waited(const hx_handle *handle, int peer, double ended);

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

/* Now; 0 where nobody wants to know. */
static inline double hxi_observe_clock(const hx_handle *handle)
{
    return handle->observation ? hxi_clock() : 0.0;
}

/* Message `number` is with its transport.  packed: when it was; 0: it went straight into arrays. */
static inline void hxi_observe_delivery(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                        int number, double began, double packed)
{
    if (handle->observation) {
        hxi_observe_tell_delivery(handle, plan, phase, number, began, packed);
    }
}

/* Message `number`, which had come when it began, is unpacked. */
static inline void hxi_observe_unpacked(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                        int number, double began)
{
    if (handle->observation) {
        hxi_observe_tell_unpacked(handle, plan, phase, number, began);
    }
}

/* HX_EVENT_COPIED, HX_EVENT_FILLED, and HX_EVENT_PACKED of a device. */
static inline void hxi_observe_span(const hx_handle *handle, const hxi_plan *plan, const hxi_phase *phase,
                                    hx_event_kind kind, double began)
{
    if (handle->observation) {
        hxi_observe_tell_span(handle, plan, phase, kind, began);
    }
}

/* Finish waits, if it did not before. */
static inline void hxi_observe_wait(const hx_handle *handle, const hxi_plan *plan)
{
    if (handle->observation && handle->observation->waits != plan) {
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
