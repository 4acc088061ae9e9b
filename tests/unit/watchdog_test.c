/*
 * The deadline of calls that cannot be given up, in children that it may end.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "transport/watchdog.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { WELL = 7 };

/* In a build that counts lines only exit stores the counts. */
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status)
{
    exit(status);
}

static int no_timers;
static struct sigevent event; /* of the last timer */

int __real_timer_create(clockid_t clock, struct sigevent *given, timer_t *timer);
int __wrap_timer_create(clockid_t clock, struct sigevent *given, timer_t *timer);

int __wrap_timer_create(clockid_t clock, struct sigevent *given, timer_t *timer)
{
    event = *given;
    if (!no_timers) {
        return __real_timer_create(clock, given, timer);
    }
    errno = EAGAIN;
    return -1;
}

static hx_options options_of(double seconds, int deadline_exit)
{
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = seconds;
    options.deadline_exit = deadline_exit;
    return options;
}

static void pass(double seconds)
{
    const struct timespec span = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&span, NULL);
}

/* The status of a child, and what it wrote to standard error. */
static int run(void (*body)(void), char *said, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        body();
        _exit(WELL);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length<size - 1; length += got> 0 ? (size_t)got : 0) {
        got = read(ends[0], said + length, size - 1 - length);
    }
    said[length] = '\0';
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void waits_too_long(void)
{
    const hx_options options = options_of(0.2, 1);
    hxi_watchdog deadline;
    if (hxi_watchdog_make(&deadline, &options) == HX_OK) {
        hxi_watchdog_arm(&deadline, "Rank 3 waits in MPI_Win_fence.");
        pass(20.0);
    }
}

static void the_process_ends_in_words(void **state)
{
    (void)state;
    char said[HX_SENTENCE];
    assert_int_equal(run(waits_too_long, said, sizeof said), HX_DEADLINE_EXIT_STATUS);
    assert_string_equal(
        said, "libhx: Rank 3 waits in MPI_Win_fence.  The option deadline_exit ends this process.\n");
}

static double pace; /* seconds */

/* Each call has the whole time, and time outside of calls does not count. */
static void waits_often(void)
{
    const hx_options options = options_of(8.0 * pace, 1);
    hxi_watchdog deadline;
    if (hxi_watchdog_make(&deadline, &options) != HX_OK) {
        return;
    }
    for (int i = 0; i < 4; ++i) {
        hxi_watchdog_arm(&deadline, "too early");
        pass(3.0 * pace);
        hxi_watchdog_disarm(&deadline);
    }
    pass(12.0 * pace);
    hxi_watchdog_arm(&deadline, "too early");
    hxi_watchdog_free(&deadline);
    hxi_watchdog_free(&deadline);
    pass(12.0 * pace);
}

static void a_call_that_returns_in_time_goes_on(void **state)
{
    (void)state;
    char said[HX_SENTENCE];
    int code = 0;
    for (pace = 0.05; code != WELL && pace < 1.0;
         pace *= 4.0) { /* a busy machine may keep the process in a call */
        code = run(waits_often, said, sizeof said);
    }
    assert_int_equal(code, WELL);
    assert_string_equal(said, "");
}

/* The timer's thread begins, and before it looks the call has returned; the next may be under way. */
static void returns_at_the_last_moment(void)
{
    const hx_options options = options_of(20.0, 1);
    hxi_watchdog *deadline = malloc(sizeof *deadline);
    if (deadline && hxi_watchdog_make(deadline, &options) == HX_OK) {
        hxi_watchdog_arm(deadline, "too late");
        hxi_watchdog_disarm(deadline);
        event.sigev_notify_function(event.sigev_value);
        hxi_watchdog_arm(deadline, "in time");
        event.sigev_notify_function(event.sigev_value);
        hxi_watchdog_free(deadline);
        memset(deadline, 1, sizeof *deadline); /* its memory is somebody else's */
        event.sigev_notify_function(event.sigev_value);
    }
    free(deadline);
}

static void a_call_that_returns_at_the_last_moment_goes_on(void **state)
{
    (void)state;
    char said[HX_SENTENCE];
    assert_int_equal(run(returns_at_the_last_moment, said, sizeof said), WELL);
    assert_string_equal(said, "");
}

static void a_system_without_timers_is_refused(void **state)
{
    (void)state;
    const hx_options options = options_of(1.0, 1);
    hxi_watchdog deadline;
    no_timers = 1;
    assert_int_equal(hxi_watchdog_make(&deadline, &options), HX_ERR_LIMIT);
    no_timers = 0;
    assert_string_equal(hx_last_error(), "The system has no timer for the option deadline_exit (Resource "
                                         "temporarily unavailable); set deadline_exit to 0.");
    hxi_watchdog_free(&deadline);
}

static void waits_without(void)
{
    const hx_options options[] = {options_of(0.1, 0), options_of(0.0, 1)};
    for (int i = 0; i < 2; ++i) {
        hxi_watchdog deadline;
        if (hxi_watchdog_make(&deadline, &options[i]) == HX_OK) {
            hxi_watchdog_arm(&deadline, "nobody asked");
            pass(0.4);
            hxi_watchdog_disarm(&deadline);
            hxi_watchdog_free(&deadline);
        }
    }
}

static void without_the_option_nothing_ends(void **state)
{
    (void)state;
    char said[HX_SENTENCE];
    assert_int_equal(run(waits_without, said, sizeof said), WELL);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_process_ends_in_words),
        cmocka_unit_test(a_call_that_returns_in_time_goes_on),
        cmocka_unit_test(a_call_that_returns_at_the_last_moment_goes_on),
        cmocka_unit_test(a_system_without_timers_is_refused),
        cmocka_unit_test(without_the_option_nothing_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
