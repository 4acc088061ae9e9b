#include "exchange/tuned.h"

/*
 * Not between machines: start sends everything there, so that the application can hide the network, and that
 * is not what is measured.
 */
bool hx_tuned_has_schedules(const hx_options *options, const hx_topology *topology)
{
    hx_schedule asked = HX_SCHEDULE_AUTO;
    return hx_schedule_named(options->schedule, &asked) && asked == HX_SCHEDULE_AUTO && topology->one_machine;
}

const char *hx_tuned_by(const hx_tuned *tuned)
{
    return tuned->stored ? "as was measured before" : "as was measured";
}
