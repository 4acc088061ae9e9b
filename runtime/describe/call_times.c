#include "describe/call_times.h"

static void add(hxi_call_times *times, double seconds)
{
    times->least = times->calls == 0 || seconds < times->least ? seconds : times->least;
    times->most = seconds > times->most ? seconds : times->most;
    times->total += seconds;
    times->calls++;
}

void hxi_call_times_note(void *context, const hx_event *event)
{
    hxi_exchange_times *times = context;
    if (event->status == HX_OK && event->kind == HX_EVENT_STARTED) {
        add(&times[event->exchange].start, event->seconds - event->since);
    } else if (event->status == HX_OK && event->kind == HX_EVENT_FINISHED) {
        add(&times[event->exchange].finish, event->seconds - event->since);
    }
}
