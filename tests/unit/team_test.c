/*
 * Teams: each part runs once, whatever runs them; threads of the library come, sleep and go; functions of an
 * application that run fewer threads, or others than asked for.
 *
 * Replaced: sched_getaffinity says how many processors there are, and pthread_create may fail.  The same file is
 * compiled for ThreadSanitizer, too.
 */
#define _GNU_SOURCE /* cpu_set_t */
#include "base/memory.h"
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static int processors = 4;
static int threads_left = 1000;
static atomic_int threads_alive;

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid;
    memset(set, 0, size);
    for (size_t i = 0; i < (size_t)processors; ++i) {
        CPU_SET(i, set);
    }
    return 0;
}

typedef struct begun {
    void *(*function)(void *);
    void *argument;
} begun;

static void *run_counted(void *data)
{
    static _Thread_local begun mine;
    mine = *(begun *)data;
    hxi_memory_free(data);
    void *const found = mine.function(mine.argument);
    atomic_fetch_sub(&threads_alive, 1);
    return found;
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument)
{
    if (threads_left-- <= 0) {
        return 11; /* EAGAIN */
    }
    begun *b = hxi_memory_get(1, sizeof *b, "a thread of the test");
    *b = (begun){function, argument};
    atomic_fetch_add(&threads_alive, 1);
    return __real_pthread_create(thread, attributes, run_counted, b);
}

/* ---- work ---------------------------------------------------------------------------------------------- */

typedef struct job {
    int expected;
    atomic_int ran[HX_MOST_THREADS];
    pthread_t by[HX_MOST_THREADS];
    int slow;                   /* microseconds of a part */
    int plain[HX_MOST_THREADS]; /* no two parts touch the same */
} job;

static void sleep_for(int microseconds)
{
    const struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    nanosleep(&t, NULL);
}

static void run_part(void *data, int part, int parts)
{
    job *j = data;
    if (j->slow > 0) {
        sleep_for(j->slow);
    }
    if (parts == j->expected && part >= 0 && part < parts) {
        atomic_fetch_add(&j->ran[part], 1);
        j->plain[part]++;
        j->by[part] = pthread_self();
    }
}

static void expect_run(hxi_team *team, job *j)
{
    memset(j, 0, sizeof *j);
    j->expected = team->parts;
    hxi_team_run(team, run_part, j);
    for (int part = 0; part < HX_MOST_THREADS; ++part) {
        assert_int_equal(atomic_load(&j->ran[part]), part < team->parts ? 1 : 0);
        assert_int_equal(j->plain[part], part < team->parts ? 1 : 0);
    }
}

static hxi_team open_team(int threads, const hx_team *given)
{
    const hxi_team_request request = {.threads = threads, .given = given};
    hxi_team team;
    hxi_team_open(&request, &team);
    return team;
}

/* ---- threads of the library ---------------------------------------------------------------------------- */

static void one_thread_has_no_team(void **state)
{
    (void)state;
    job j;
    hxi_team team = open_team(1, NULL);
    assert_int_equal(team.parts, 1);
    assert_string_equal(team.why, "");
    expect_run(&team, &j);
    hxi_team_close(&team);
    assert_int_equal(atomic_load(&threads_alive), 0);
}

static void each_part_runs_once(void **state)
{
    (void)state;
    job j;
    for (int threads = 2; threads <= 4; ++threads) {
        hxi_team team = open_team(threads, NULL);
        assert_int_equal(team.parts, threads);
        assert_int_equal(atomic_load(&threads_alive), threads - 1);
        for (int round = 0; round < 300; ++round) {
            expect_run(&team, &j);
            if (round % 30 == 0) {
                sleep_for(2000); /* now they sleep */
            }
        }
        hxi_team_close(&team);
        assert_int_equal(atomic_load(&threads_alive), 0);
    }
}

/* While one part takes long, another thread has come and done its own. */
static void threads_really_come(void **state)
{
    (void)state;
    job j;
    int others = 0;
    hxi_team team = open_team(2, NULL);
    for (int round = 0; round < 50 && others == 0; ++round) {
        memset(&j, 0, sizeof j);
        j.expected = 2;
        j.slow = 20000;
        hxi_team_run(&team, run_part, &j);
        assert_int_equal(atomic_load(&j.ran[0]) + atomic_load(&j.ran[1]), 2);
        others += !pthread_equal(j.by[1], pthread_self());
    }
    assert_true(others > 0);
    hxi_team_close(&team);
}

/* Threads are the same for all handles, as many as the one with the most wants; they go with the last one. */
static void handles_share_threads(void **state)
{
    (void)state;
    job j;
    hxi_team small = open_team(2, NULL);
    hxi_team large = open_team(4, NULL);
    assert_int_equal(atomic_load(&threads_alive), 3);
    expect_run(&small, &j);
    expect_run(&large, &j);
    hxi_team_close(&small);
    assert_int_equal(atomic_load(&threads_alive), 3);
    expect_run(&large, &j);
    hxi_team_close(&large);
    hxi_team_close(&large); /* does nothing */
    assert_int_equal(atomic_load(&threads_alive), 0);
    hxi_team again = open_team(3, NULL);
    expect_run(&again, &j);
    hxi_team_close(&again);
    assert_int_equal(atomic_load(&threads_alive), 0);
}

static void *use(void *data)
{
    hxi_team *team = data;
    job *j = hxi_memory_get(1, sizeof *j, "a job");
    int wrong = 0;
    for (int round = 0; round < 200; ++round) {
        memset(j, 0, sizeof *j);
        j->expected = team->parts;
        hxi_team_run(team, run_part, j);
        for (int part = 0; part < team->parts; ++part) {
            wrong += j->plain[part] != 1;
        }
    }
    hxi_memory_free(j);
    return wrong > 0 ? data : NULL;
}

/* Of two at once, one works alone. */
static void two_threads_use_them_at_once(void **state)
{
    (void)state;
    hxi_team team[2] = {open_team(3, NULL), open_team(4, NULL)};
    pthread_t thread;
    void *wrong = NULL;
    assert_int_equal(pthread_create(&thread, NULL, use, &team[0]), 0);
    assert_null(use(&team[1]));
    pthread_join(thread, &wrong);
    assert_null(wrong);
    hxi_team_close(&team[0]);
    hxi_team_close(&team[1]);
    assert_int_equal(atomic_load(&threads_alive), 0);
}

static void there_are_no_more_than_processors(void **state)
{
    (void)state;
    job j;
    hxi_team team = open_team(9, NULL);
    assert_int_equal(team.parts, processors);
    assert_non_null(strstr(team.why, "processors"));
    expect_run(&team, &j);
    hxi_team_close(&team);
    processors = 0; /* the system does not say */
    team = open_team(3, NULL);
    assert_int_equal(team.parts, 3);
    hxi_team_close(&team);
    processors = 4;
}

static void threads_that_cannot_be_had_are_done_without(void **state)
{
    (void)state;
    job j;
    for (int left = 0; left < 3; ++left) {
        threads_left = left;
        hxi_team team = open_team(4, NULL);
        assert_int_equal(team.parts, left + 1);
        assert_non_null(strstr(team.why, "no more threads"));
        expect_run(&team, &j);
        hxi_team_close(&team);
        assert_int_equal(atomic_load(&threads_alive), 0);
    }
    threads_left = 1000;
}

static void a_process_of_one_thread_gets_none(void **state)
{
    (void)state;
    const hxi_team_request request = {.threads = 4, .single = true};
    hxi_team team;
    hxi_team_open(&request, &team);
    assert_int_equal(team.parts, 1);
    assert_non_null(strstr(team.why, "MPI_THREAD_FUNNELED"));
    assert_int_equal(atomic_load(&threads_alive), 0);
    hxi_team_close(&team);
}

static void without_patience_threads_sleep_at_once(void **state)
{
    (void)state;
    job j;
    const hxi_team_request request = {.threads = 4, .crowded = true};
    hxi_team team;
    hxi_team_open(&request, &team);
    for (int round = 0; round < 300; ++round) {
        expect_run(&team, &j);
    }
    hxi_team_close(&team);
}

/* ---- functions of an application ----------------------------------------------------------------------- */

static int asked; /* how many threads the last call wanted */

static void in_turn(void *state, int threads, hx_team_work_fn *work, void *data)
{
    const int *most = state;
    asked = threads;
    const int n = *most < threads ? *most : threads;
    for (int thread = n - 1; thread >= 0; --thread) {
        work(data, thread, n);
    }
}

static void nobody(void *state, int threads, hx_team_work_fn *work, void *data)
{
    (void)state, (void)threads, (void)work, (void)data;
}

/* All that a function may get wrong but for coming back early. */
static void wrongly(void *state, int threads, hx_team_work_fn *work, void *data)
{
    (void)state;
    work(data, threads, threads);
    work(data, -1, threads);
    work(data, 0, 0);
    work(data, 1, threads);
    work(data, 1, threads);
    work(data, 2147483647, 2147483647);
    work(data, 3, 2147483647);
}

static void functions_may_run_fewer_threads(void **state)
{
    (void)state;
    job j;
    for (int most = 1; most <= 12; ++most) {
        const hx_team given = {in_turn, &most};
        hxi_team team = open_team(9, &given);
        assert_int_equal(team.parts, 9); /* its own affair */
        expect_run(&team, &j);
        assert_int_equal(asked, 9);
        hxi_team_close(&team);
    }
    assert_int_equal(atomic_load(&threads_alive), 0);
}

static void what_a_function_leaves_is_done(void **state)
{
    (void)state;
    job j;
    const hx_team none = {nobody, NULL};
    const hx_team wrong = {wrongly, NULL};
    hxi_team team = open_team(HX_MOST_THREADS, &none);
    expect_run(&team, &j);
    assert_int_equal(team.alone, 1);
    hxi_team_close(&team);
    team = open_team(HX_MOST_THREADS, &wrong);
    expect_run(&team, &j);
    hxi_team_close(&team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_has_no_team),
        cmocka_unit_test(each_part_runs_once),
        cmocka_unit_test(threads_really_come),
        cmocka_unit_test(handles_share_threads),
        cmocka_unit_test(two_threads_use_them_at_once),
        cmocka_unit_test(there_are_no_more_than_processors),
        cmocka_unit_test(threads_that_cannot_be_had_are_done_without),
        cmocka_unit_test(a_process_of_one_thread_gets_none),
        cmocka_unit_test(without_patience_threads_sleep_at_once),
        cmocka_unit_test(functions_may_run_fewer_threads),
        cmocka_unit_test(what_a_function_leaves_is_done),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
