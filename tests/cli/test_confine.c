/* Signals that tell of time, in a child each: when it is up, and how it ends. */
#include "check.h"

#include "child/confine.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FINE = 40, LOST = 41 };

static volatile sig_atomic_t ups;

static void time_is_up(int signal)
{
    (void)signal;
    ++ups;
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

/* The first signal leaves time for last words, on the wall any; the second ends the process. */
static void say_last_words(void)
{
    confine_time(time_is_up);
    raise(SIGXCPU);
    if (ups != 1) {
        _exit(LOST);
    }
}

static void talk_on(void)
{
    say_last_words();
    raise(SIGXCPU);
    _exit(LOST);
}

static void last_words_are_heard(void **state)
{
    (void)state;
    assert_int_equal(end_of(say_last_words), FINE);
    assert_int_equal(end_of(talk_on), -SIGXCPU);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_words_are_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
