/*
 * Callbacks for profilers: what exchanges do, as it happens.
 *
 *     static void print(void *context, const hx_event *event)
 *     {
 *         if (event->kind == HX_EVENT_FINISHED) {
 *             printf("exchange %d took %g s\n", event->exchange, event->seconds - event->since);
 *         }
 *     }
 *     ...
 *     hx_observe(print, NULL);
 *     channel_create(...);
 *
 * Who calls: libhx, in start, finish, create and destroy of handles that were created after hx_observe.
 * Events of a handle come one at a time, in order.  Those of two handles may come at the same time, on two
 * threads: an observer of both keeps them apart, by event->handle, or has a lock.
 *
 * From which thread: the one that called libhx.  Where MPI is for several threads, one that waits for another
 * handle may move this one on, and then its thread tells the events.
 *
 * What is allowed: anything that does not call libhx for the same handle, or MPI.  hx_last_error, hx_spec_query
 * and hx_exchange_query are fine.  An exchange waits for its observers, so be quick: libhx itself takes about
 * 0.1 us an event.  An observer does not throw, and returns.
 *
 * hx_observe_kinds asks for some kinds of events only.  Kinds that nobody asked for take no time.
 *
 * Where nobody observes, a start and a finish look at one pointer each.
 */
#ifndef HX_OBSERVE_H
#define HX_OBSERVE_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hx_event_kind {
    HX_EVENT_CREATED = 1, /* create succeeds; it was called at `since` */
    HX_EVENT_START,       /* start is called */
    /* A message was packed, from `since` on; or written into the receiver's arrays (direct); or all messages
     * were, by a device (on_device, and peer is -1). */
    HX_EVENT_PACKED,
    HX_EVENT_SENT,    /* a message was given to its transport, from `since` on */
    HX_EVENT_COPIED,  /* from block to block of this rank, from `since` on: all of a phase */
    HX_EVENT_STARTED, /* start returns status; it was called at `since` */
    HX_EVENT_FINISH,  /* finish is called */
    HX_EVENT_WAIT,    /* finish has nothing to do but wait */
    /* The wait ends, which began at `since`; peer: whose message ended it, or who got ready for one; -1: nobody. */
    HX_EVENT_WAITED,
    HX_EVENT_UNPACKED, /* a message that was there at `since` is unpacked */
    HX_EVENT_FILLED,   /* behind the last message: sums and walls, if any, are done; they began at `since` */
    HX_EVENT_FINISHED, /* finish returns status; it was called at `since` */
    HX_EVENT_FAILED,   /* once: status, and hx_last_error(): the handle can only be destroyed now */
    HX_EVENT_DESTROYED /* the last one of a handle; after it, what event->handle points to is gone */
} hx_event_kind;

/* A handle that is observed. */
typedef struct hx_observed {
    size_t size;                /* of this struct; fields can be added */
    const struct hx_spec *spec; /* for hx_spec_query and hx_exchange_query */
    int number;                 /* among the handles of this process that were observed, from 1 */
    int rank;                   /* in the communicator that create was given */
    int ranks;
} hx_observed;

/* Seconds are those of CLOCK_MONOTONIC.  What an event has no use for is 0; exchange and peer then are -1. */
typedef struct hx_event {
    size_t size; /* of this struct; fields can be added */
    hx_event_kind kind;
    int exchange; /* CHANNEL_VELOCITY, ... */
    const hx_observed *handle;
    uint64_t start; /* which one of this exchange it is, from 0; the same on all ranks */
    double since;
    double seconds; /* now */
    int phase;      /* from 0 */
    int peer;       /* rank in the communicator that create was given */
    int message;    /* of those between these two ranks, one way, in this phase: from 0 */
    hx_status status;
    size_t bytes;
    const char *transport; /* that carries the message: "shared"; NULL: none */
    int direct;            /* 1: straight into the receiver's arrays */
    int on_device;         /* 1: by a device, as far as the host has seen it */
} hx_event;

/* An event is valid during the call.  What event->handle points to is valid until HX_EVENT_DESTROYED. */
typedef void hx_observer_fn(void *context, const hx_event *event);

/*
 * From now on handles that are created have this observer, besides others.  Any thread, also before MPI_Init:
 * a profiler that is loaded with the program calls it in a constructor.  HX_ERR_LIMIT: there are 4 already.
 */
hx_status hx_observe(hx_observer_fn *observe, void *context);

/*
 * The same for some kinds of events: HX_EVENT_BIT(HX_EVENT_START) | HX_EVENT_BIT(HX_EVENT_FINISHED).  Asked again
 * with the same function and context, handles that are created from then on tell these kinds, and no others.
 */
#define HX_EVENT_BIT(kind) (UINT64_C(1) << (kind))
hx_status hx_observe_kinds(hx_observer_fn *observe, void *context, uint64_t kinds);

/*
 * Handles that are created from now on do not have this observer.  Those that have it keep it.  So may one that
 * another thread is just creating, which then tells HX_EVENT_CREATED after this call.
 */
hx_status hx_unobserve(hx_observer_fn *observe, void *context);

#ifdef __cplusplus
}
#endif
#endif
