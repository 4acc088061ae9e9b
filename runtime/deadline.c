#include "deadline.h"

#include "status.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * In a thread of its own, since the one that waits is inside MPI; and not by a signal, since all of them
 * belong to the application.  MPI_Abort might need a lock that the call holds.
 */
static void give_up(union sigval value)
{
    hx_deadline *deadline = value.sival_ptr;
    const char *sentence = atomic_load(&deadline->sentence);
    if (!sentence) {
        return; /* disarmed at the last moment */
    }
    static const char before[] = "libhx: ";
    static const char after[] = "  The option deadline_exit ends this process.\n";
    const struct iovec parts[] = {
        {(void *)(uintptr_t)before, sizeof before - 1},
        {(void *)(uintptr_t)sentence, strlen(sentence)},
        {(void *)(uintptr_t)after, sizeof after - 1},
    };
    const ssize_t written = writev(STDERR_FILENO, parts, sizeof parts / sizeof parts[0]);
    (void)written; /* nobody is left to be told */
    _exit(HX_DEADLINE_EXIT_STATUS);
}

hx_status hx_deadline_make(hx_deadline *deadline, const hx_options *options)
{
    deadline->seconds = 0.0;
    atomic_init(&deadline->sentence, NULL);
    if (!options->deadline_exit || !(options->deadline > 0.0)) {
        return HX_OK;
    }
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = give_up};
    event.sigev_value.sival_ptr = deadline;
    if (timer_create(CLOCK_MONOTONIC, &event, &deadline->timer) != 0) {
        return hx_fail(HX_ERR_LIMIT,
                       "The system has no timer for the option deadline_exit (%s); set deadline_exit to 0.",
                       strerror(errno));
    }
    deadline->seconds = options->deadline;
    return HX_OK;
}

/* 0 stops it. */
static void set_timer(const hx_deadline *deadline, double seconds)
{
    struct itimerspec when = {.it_value.tv_sec = (time_t)seconds};
    when.it_value.tv_nsec = (long)((seconds - (double)when.it_value.tv_sec) * 1e9);
    timer_settime(deadline->timer, 0, &when, NULL);
}

void hx_deadline_arm(hx_deadline *deadline, const char *sentence)
{
    if (deadline->seconds > 0.0) {
        atomic_store(&deadline->sentence, sentence);
        set_timer(deadline, deadline->seconds);
    }
}

void hx_deadline_disarm(hx_deadline *deadline)
{
    if (deadline->seconds > 0.0) {
        atomic_store(&deadline->sentence, NULL);
        set_timer(deadline, 0.0);
    }
}

void hx_deadline_free(hx_deadline *deadline)
{
    if (deadline->seconds > 0.0) {
        hx_deadline_disarm(deadline);
        timer_delete(deadline->timer);
        deadline->seconds = 0.0;
    }
}
