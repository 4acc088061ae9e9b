/*
 * The list of handles with exchanges under way: who is on it is visited, by one thread at a time.
 */
#define _POSIX_C_SOURCE 200809L
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

static int visits;

static void count(hx_handle *handle)
{
    (void)handle;
    visits++;
}

static void handles_are_listed_once_and_not_visited_by_themselves(void **state)
{
    (void)state;
    hx_handle handles[3] = {{.listed = false}};
    for (int i = 0; i < 3; ++i) {
        hxi_progress_add(&handles[i]);
        hxi_progress_add(&handles[i]);
    }
    visits = 0;
    hxi_progress_visit(&handles[1], count);
    assert_int_equal(visits, 2);
    hxi_progress_remove(&handles[1]);
    hxi_progress_remove(&handles[1]);
    visits = 0;
    hxi_progress_visit(NULL, count);
    assert_int_equal(visits, 2);
    hxi_progress_remove(&handles[0]);
    hxi_progress_remove(&handles[2]);
    hxi_progress_visit(NULL, count);
    assert_int_equal(visits, 2);
}

static void count_and_visit(hx_handle *handle)
{
    count(handle);
    hxi_progress_visit(NULL, count_and_visit);
}

/* Another thread would be sent away in the same way. */
static void who_comes_during_a_visit_goes_at_once(void **state)
{
    (void)state;
    hx_handle handle = {.listed = false};
    hxi_progress_add(&handle);
    visits = 0;
    hxi_progress_visit(NULL, count_and_visit);
    assert_int_equal(visits, 1);
    hxi_progress_remove(&handle);
}

static void *visit_all(void *unused)
{
    visits = 0;
    hxi_progress_visit(NULL, count);
    return unused;
}

static int visits_of_another_thread(void)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, visit_all, NULL), 0);
    pthread_join(thread, NULL);
    return visits;
}

/* In a function for walls its thread may wait for another handle; other threads stay out. */
static void a_handle_that_is_held_is_visited_by_its_own_thread(void **state)
{
    (void)state;
    hxi_plan plan = {.steps = true};
    hx_handle handle = {.plan = &plan, .plans = 1};
    hxi_progress_open(&handle);
    hxi_progress_hold(&handle);
    hxi_progress_add(&handle);
    hxi_progress_hold(&handle);
    hxi_progress_release(&handle);
    visit_all(NULL);
    assert_int_equal(visits, 1);
    assert_int_equal(visits_of_another_thread(), 0);
    hxi_progress_release(&handle);
    assert_int_equal(visits_of_another_thread(), 1);
    hxi_progress_close(&handle);
}

static atomic_int filled;

static void *fill_corners(void *handle)
{
    const hx_status status = hx_fill_corners(handle, 0, 0, NULL);
    atomic_store(&filled, status == HX_ERR_ARGUMENT ? 1 : -1); /* there is no exchange */
    return NULL;
}

/* A visitor may be unpacking what the corners are filled from. */
static void corners_are_filled_when_visitors_have_left(void **state)
{
    (void)state;
    const hx_spec spec = {.file = "none.lua"};
    hxi_plan plan = {.steps = true};
    hx_handle handle = {.spec = &spec, .plan = &plan, .plans = 1};
    hxi_owner_take(&handle, false);
    hxi_progress_open(&handle);
    hxi_progress_hold(&handle); /* as a visitor does */
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fill_corners, &handle), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    const int before = atomic_load(&filled);
    hxi_progress_release(&handle);
    pthread_join(thread, NULL);
    assert_int_equal(before, 0);
    assert_int_equal(atomic_load(&filled), 1);
    hxi_progress_close(&handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_listed_once_and_not_visited_by_themselves),
        cmocka_unit_test(who_comes_during_a_visit_goes_at_once),
        cmocka_unit_test(a_handle_that_is_held_is_visited_by_its_own_thread),
        cmocka_unit_test(corners_are_filled_when_visitors_have_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
