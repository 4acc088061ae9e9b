/*
 * How long calls of start and finish take, where a description of the run is asked for; see run_file.h.
 */
#ifndef HX_CALL_TIMES_H
#define HX_CALL_TIMES_H

#include "base/clock.h"
#include "exchange/handle.h"

/* Calls of one kind: seconds. */
typedef struct hxi_call_times {
    uint64_t calls;
    double total;
    double least;
    double most;
} hxi_call_times;

/* Of one exchange. */
struct hxi_exchange_times {
    hxi_call_times start;
    hxi_call_times finish;
};

/* Before a call. */
static inline double hxi_call_begin(const hx_handle *handle)
{
    return handle && handle->times ? hxi_clock() : 0.0;
}

/* After a call that began then and succeeded. */
static inline void hxi_call_end(hxi_call_times *times, double began)
{
    const double seconds = hxi_clock() - began;
    times->least = times->calls == 0 || seconds < times->least ? seconds : times->least;
    times->most = seconds > times->most ? seconds : times->most;
    times->total += seconds;
    times->calls++;
}

#endif
