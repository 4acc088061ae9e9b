#include "transport/watchdog.h"

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * The thread of a timer may begin long after the timer has passed: then the call that it was for has
 * returned, the next one may be armed, and the owner may be gone.  So the thread looks whether the time of
 * what is armed now has passed, and what it looks at is never given back, only used again.
 */
typedef struct hxi_watch {
    _Atomic(const char *) sentence; /* NULL while it is not armed */
    _Atomic(int64_t) until;         /* in nanoseconds; set before the sentence */
    struct hxi_watch *next;         /* while nobody uses it */
} hxi_watch;

enum { LONGEST = 1000000000 }; /* seconds, so that nanoseconds can be counted */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hxi_watch *unused;

static hxi_watch *take_watch(void)
{
    pthread_mutex_lock(&lock);
    hxi_watch *watch = unused;
    unused = watch ? watch->next : NULL;
    pthread_mutex_unlock(&lock);
    return watch ? watch : hxi_memory_get(1, sizeof *watch, "the timer of the option deadline_exit");
}

static void give_watch(hxi_watch *watch)
{
    pthread_mutex_lock(&lock);
    watch->next = unused;
    unused = watch;
    pthread_mutex_unlock(&lock);
}

static int64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * In a thread of its own, since the one that waits is inside MPI; and not by a signal, since all of them
 * belong to the application.  MPI_Abort might need a lock that the call holds.
 */
static void give_up(union sigval value)
{
    const hxi_watch *watch = value.sival_ptr;
    const char *sentence = atomic_load(&watch->sentence);
    if (!sentence || nanoseconds_now() < atomic_load(&watch->until)) {
        return; /* the call has returned */
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

hx_status hxi_watchdog_make(hxi_watchdog *deadline, const hx_options *options)
{
    *deadline = (hxi_watchdog){.seconds = 0.0};
    if (!options->deadline_exit || !(options->deadline > 0.0)) {
        return HX_OK;
    }
    hxi_watch *watch = take_watch();
    if (!watch) {
        return HX_ERR_MEMORY;
    }
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = give_up};
    event.sigev_value.sival_ptr = watch;
    if (timer_create(CLOCK_MONOTONIC, &event, &deadline->timer) != 0) {
        give_watch(watch);
        return hxi_fail(HX_ERR_LIMIT,
                        "The system has no timer for the option deadline_exit (%s); set deadline_exit to 0.",
                        strerror(errno));
    }
    deadline->seconds = options->deadline < LONGEST ? options->deadline : LONGEST;
    deadline->watch = watch;
    return HX_OK;
}

/* When it passes; 0 stops it. */
static void set_timer(const hxi_watchdog *deadline, int64_t until)
{
    const struct itimerspec when = {.it_value = {(time_t)(until / 1000000000), (long)(until % 1000000000)}};
    timer_settime(deadline->timer, TIMER_ABSTIME, &when, NULL);
}

void hxi_watchdog_arm(hxi_watchdog *deadline, const char *sentence)
{
    if (deadline->seconds > 0.0) {
        const int64_t until = nanoseconds_now() + (int64_t)(deadline->seconds * 1e9);
        atomic_store(&deadline->watch->until, until);
        atomic_store(&deadline->watch->sentence, sentence);
        set_timer(deadline, until);
    }
}

void hxi_watchdog_disarm(hxi_watchdog *deadline)
{
    if (deadline->seconds > 0.0) {
        atomic_store(&deadline->watch->sentence, NULL);
        set_timer(deadline, 0);
    }
}

void hxi_watchdog_free(hxi_watchdog *deadline)
{
    if (deadline->seconds > 0.0) {
        hxi_watchdog_disarm(deadline);
        timer_delete(deadline->timer);
        give_watch(deadline->watch);
        deadline->seconds = 0.0;
    }
}
