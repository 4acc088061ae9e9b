#include "exchange/tuned.h"

/*
 * Not between machines: start sends everything there, so that the application can hide the network, and that
 * is not what is measured.
 */
bool hxi_tuned_has_schedules(const hx_options *options, const hxi_topology *topology)
{
    hxi_schedule asked = HX_SCHEDULE_AUTO;
    return hxi_schedule_named(options->schedule, &asked) && asked == HX_SCHEDULE_AUTO &&
           topology->one_machine;
}

const char *hxi_tuned_by(const hxi_tuned *tuned)
{
    return tuned->stored ? "as was measured before" : "as was measured";
}
