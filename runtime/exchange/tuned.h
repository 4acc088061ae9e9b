/*
 * What was measured for an exchange (create/tune.c), as its plan is made by it.
 */
#ifndef HX_TUNED_H
#define HX_TUNED_H

#include "device/device_messages.h"
#include "grid/schedule.h"
#include "transport/transport.h"

#include <stdbool.h>

typedef struct hx_candidate {
    const hx_transport *transport;
    hx_schedule schedule;
    hx_messages messages; /* of exchanges on devices; auto: as the options say */
} hx_candidate;

/* Candidates of a handle; the first one is what is taken where nothing is measured. */
enum { HX_CANDIDATES = 8 };

/* What came of it for one exchange. */
enum { HX_TUNED = 512 };
typedef struct hx_tuned {
    hx_candidate taken;   /* its transport is NULL: there was nothing to choose, or it was not measured */
    bool stored;          /* it was measured before, and kept in a file */
    char about[HX_TUNED]; /* all figures, or why there are none, for hx_describe; "": nothing to say */
} hx_tuned;

/* Are schedules measured, too?  The same on all ranks. */
bool hx_tuned_has_schedules(const hx_options *options, const hx_topology *topology);

/* Who chose the schedule, for hx_course. */
const char *hx_tuned_by(const hx_tuned *tuned);

#endif
