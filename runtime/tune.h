/*
 * What the options leave to "auto", chosen by measuring.
 *
 * A candidate is a transport and a schedule, and for exchanges on devices how messages lie.  For each of them
 * create makes a handle, runs its exchanges on arrays of their own, and lets it go.  The figure of a round is
 * that of the slowest rank, so all ranks see the same figures and choose alike.
 */
#ifndef HX_TUNE_H
#define HX_TUNE_H

#include "device_messages.h"
#include "schedule.h"
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

/*
 * Collective, for a handle that create has just made.  Where something else than the default is taken, the
 * handle is made again; where measuring fails, it stays as it is, and says why.
 */
void hx_tune(hx_handle **handle, const hx_blocks *blocks, const void *shapes);

/* Are schedules measured, too?  The same on all ranks. */
bool hx_tune_has_schedules(const hx_handle *handle);

/* Who chose the schedule, for hx_course. */
const char *hx_tuned_by(const hx_tuned *tuned);

/*
 * The fastest of candidates by their nanoseconds, 0 for one that was not measured; candidate 0 always is.
 * That one stays unless another is 5 % faster, and of those that are as fast it is the first.
 */
int hx_tune_choose(const int64_t figure[], int count);

#endif
