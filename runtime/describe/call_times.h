/*
 * How long calls of start and finish take, where a description of the run is asked for; see run_file.h.
 */
#ifndef HX_CALL_TIMES_H
#define HX_CALL_TIMES_H

#include <hx/observe.h>

/* Calls of one kind that succeeded: seconds. */
typedef struct hxi_call_times {
    uint64_t calls;
    double total;
    double least;
    double most;
} hxi_call_times;

/* Of one exchange. */
typedef struct hxi_exchange_times {
    hxi_call_times start;
    hxi_call_times finish;
} hxi_exchange_times;

/* An observer of these kinds; context: what it adds to, one hxi_exchange_times per exchange. */
#define HX_CALL_TIMES_KINDS (HX_EVENT_BIT(HX_EVENT_STARTED) | HX_EVENT_BIT(HX_EVENT_FINISHED))
void hxi_call_times_note(void *context, const hx_event *event);

#endif
