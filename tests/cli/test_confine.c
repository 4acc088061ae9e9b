/* Signals that tell of time, in a child each: when it is up, and how it ends. */
#include "check.h"

#include "confine.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FINE = 40, LOST = 41 };

static volatile sig_atomic_t ups;

static void time_is_up(int signal)
{
    (void)signal;
    ++ups;
}

/* One that another signal of time meets. */
static void time_is_up_twice(int number)
{
    (void)number;
    if (++ups == 1) {
        raise(SIGALRM);
        raise(SIGXCPU);
    }
    confine_for_last_words();
}

/* What a child does; the status that it ends with, or minus the signal. */
static int end_of(void (*body)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsetenv("HALOGEN_PATIENCE");
        body();
        _exit(FINE);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* So long that the child is not one that sleeps. */
static void use_time(void)
{
    const clock_t enough = CLOCKS_PER_SEC / 1000 * (2 * SERVED_MILLISECONDS);
    while (clock() < enough) {
    }
}

static void look_served(void)
{
    confine_time(time_is_up, getppid());
    use_time();
    raise(SIGALRM);
    _exit(ups == 0 ? FINE : LOST);
}

static void look_asleep(void)
{
    confine_time(time_is_up, getppid());
    raise(SIGALRM);
    _exit(ups == 1 ? FINE : LOST);
}

/* Its parent ended before it could ask for its number. */
static void look_alone(void)
{
    confine_time(time_is_up, getpid());
    use_time();
    raise(SIGALRM);
    _exit(ups == 1 ? FINE : LOST);
}

static void clock_ends_who_sleeps_or_is_alone(void **state)
{
    (void)state;
    assert_int_equal(end_of(look_served), FINE);
    assert_int_equal(end_of(look_asleep), FINE);
    assert_int_equal(end_of(look_alone), FINE);
}

/* Twice a fifth of the moment that is left: neither signal ends it, nor is the handler called again. */
static void say_last_words(void)
{
    struct timespec moment = {.tv_nsec = 200000000};
    nanosleep(&moment, NULL);
    nanosleep(&moment, NULL);
    if (ups != 1) {
        _exit(LOST);
    }
}

static void meet_by_clock(void)
{
    confine_time(time_is_up_twice, getppid());
    raise(SIGALRM);
    say_last_words();
}

static void meet_by_limit(void)
{
    confine_time(time_is_up_twice, getppid());
    raise(SIGXCPU);
    say_last_words();
}

/* Who goes on talking is ended, well before the alarm that was set at first. */
static void talk_on(void)
{
    meet_by_limit();
    sleep(ALARM_SECONDS / 2);
    _exit(LOST);
}

static void last_words_are_heard(void **state)
{
    (void)state;
    assert_int_equal(end_of(meet_by_clock), FINE);
    assert_int_equal(end_of(meet_by_limit), FINE);
    assert_int_equal(end_of(talk_on), -SIGALRM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_ends_who_sleeps_or_is_alone),
        cmocka_unit_test(last_words_are_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
