/*
 * A deadline for calls of MPI that cannot be given up, because they have no request to test: fence, flush,
 * post-start-complete-wait.  When it passes inside such a call, the process says so and ends.
 */
#ifndef HX_WATCHDOG_H
#define HX_WATCHDOG_H

#include <hx/hx.h>

#include <time.h>

/* The status with which the process ends; that of timeout(1). */
enum { HX_DEADLINE_EXIT_STATUS = 124 };

typedef struct hxi_watchdog {
    double seconds;
    timer_t timer;
    struct hxi_watch *watch; /* what the timer's thread looks at */
} hxi_watchdog;

/* Takes deadline and deadline_exit of the options; without the latter all functions here do nothing. */
hx_status hxi_watchdog_make(hxi_watchdog *deadline, const hx_options *options);

/*
 * From here on the time runs.  The sentence, what this process waits for, must live until it is disarmed.
 * Neither arm nor disarm allocates or takes a lock.
 */
void hxi_watchdog_arm(hxi_watchdog *deadline, const char *sentence);
void hxi_watchdog_disarm(hxi_watchdog *deadline);

/* Also of zeros, and twice. */
void hxi_watchdog_free(hxi_watchdog *deadline);

#endif
