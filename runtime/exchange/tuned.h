/*
 * What was measured for an exchange (create/tune.c), as its plan is made by it.
 */
#ifndef HX_TUNED_H
#define HX_TUNED_H

#include "device/device_messages.h"
#include "grid/schedule.h"
#include "transport/transport.h"

#include <stdbool.h>

typedef struct hxi_candidate {
    const hxi_transport *transport;
    hxi_schedule schedule;
    hxi_messages messages; /* of exchanges on devices; auto: as the options say */
} hxi_candidate;

/* Candidates of a handle; the first one is what is taken where nothing is measured. */
enum { HX_CANDIDATES = 8 };

/* What came of it for one exchange. */
enum { HX_TUNED = 512 };
typedef struct hxi_tuned {
    hxi_candidate taken;  /* its transport is NULL: there was nothing to choose, or it was not measured */
    bool stored;          /* it was measured before, and kept in a file */
    char about[HX_TUNED]; /* all figures, or why there are none, for hx_describe; "": nothing to say */
} hxi_tuned;

/* Are schedules measured, too?  The same on all ranks. */
bool hxi_tuned_has_schedules(const hx_options *options, const hxi_topology *topology);

/* Who chose the schedule, for hxi_schedule_choice. */
const char *hxi_tuned_by(const hxi_tuned *tuned);

#endif
