/*
 * Whose fault was the waiting?  Of each wait, the part before the last rank that it depended on had come is that
 * rank's lateness.  The rest is transfer.
 *
 * A rank comes to phase 0 of an exchange when it calls start, and to later phases when it calls finish.  A message
 * of a later phase may be late because the rank that sends it waits itself; then the one that it waits for counts.
 * So what a rank tells its receivers is, phase by phase, the latest arrival that its message depended on.
 */
#ifndef HX_LATENESS_H
#define HX_LATENESS_H

#include "comm/clock_compare.h"
#include "observe/sample.h"

#include <stdbool.h>

/* The latest arrival that something depended on, in one occurrence.  Seconds of a clock that ranks share. */
typedef struct hxi_due {
    uint64_t number; /* of the occurrence */
    double due;      /* that moment; before all time: it depended on nobody */
    double before;   /* the finish before of that rank had ended then, ... */
    double waited;   /* ... after it had waited for so long in it */
    int64_t rank;
} hxi_due;

/* When this rank came: to start, or to finish.  due: room for all of the sample. */
void hxi_due_own(const hxi_sample *sample, bool to_start, const hxi_clock_line *clock, int rank,
                 hxi_due due[]);

/* Nobody's, for all of a sample. */
void hxi_due_none(const hxi_sample *sample, hxi_due due[]);

/* Of each occurrence in both lists, the later arrival. */
void hxi_due_take(hxi_due due[], int count, const hxi_due heard[], int heards);

/* How long one rank waited for another one that was late. */
typedef struct hxi_awaited {
    int64_t rank;
    double own;       /* seconds for which that one worked longer */
    double inherited; /* for which it was late because it had waited, the time before, for somebody else */
} hxi_awaited;

/* Waits of a sample. */
typedef struct hxi_lateness {
    double late;          /* of them, seconds before the last rank had come */
    hxi_awaited *awaited; /* by rising rank; HX_SAMPLE fit */
    int count;
} hxi_lateness;

/* Room for the waits of any sample, so that find cannot fail. */
hx_status hxi_lateness_make(hxi_lateness *found);

/* due: what the ends of the waits depended on.  Forgets what was found before. */
void hxi_lateness_find(const hxi_sample *sample, const hxi_clock_line *clock, const hxi_due due[],
                       hxi_lateness *found);
void hxi_lateness_free(hxi_lateness *found);

#endif
