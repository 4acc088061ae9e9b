/*
 * A deadline for calls of MPI that cannot be given up, because they have no request to test: fence, flush,
 * post-start-complete-wait.  When it passes inside such a call, the process says so and ends.
 */
#ifndef HX_DEADLINE_H
#define HX_DEADLINE_H

#include <hx/hx.h>

#include <time.h>

/* The status with which the process ends; that of timeout(1). */
enum { HX_DEADLINE_EXIT_STATUS = 124 };

typedef struct hx_deadline {
    double seconds;
    timer_t timer;
    struct hx_watch *watch; /* what the timer's thread looks at */
} hx_deadline;

/* Takes deadline and deadline_exit of the options; without the latter all functions here do nothing. */
hx_status hx_deadline_make(hx_deadline *deadline, const hx_options *options);

/*
 * From here on the time runs.  The sentence, what this process waits for, must live until it is disarmed.
 * Neither arm nor disarm allocates or takes a lock.
 */
void hx_deadline_arm(hx_deadline *deadline, const char *sentence);
void hx_deadline_disarm(hx_deadline *deadline);

/* Also of zeros, and twice. */
void hx_deadline_free(hx_deadline *deadline);

#endif
