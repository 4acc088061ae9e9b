/*
 * Windows, groups of shared arrays and other collective calls where ranks come too late, or for something
 * else: all ranks are told, nobody waits for ever, and what is left can be given up.
 */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "short_deadline.h"

#include <hx/pool.h>
#include <hx/shared_array.h>
#include <hx/window.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;
static int ranks;

enum { TAG = 7 };

static const char left[] = " waited for other ranks to call it until its deadline, and left.";
static const char waits[] = " still waits for other ranks to call it.";

static void expect_words(const char *words)
{
    CHECK(strstr(hx_last_error(), words), "not in words \"%s\": %s", words, hx_last_error());
}

/* The late rank goes on when all others have given up, and have said so. */
static void let_others_give_up(int late)
{
    for (int from = 0; from < ranks && rank == late; ++from) {
        if (from != late) {
            MPI_Recv(NULL, 0, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

static void give_up(int late)
{
    if (rank != late) {
        MPI_Send(NULL, 0, MPI_INT, late, TAG, MPI_COMM_WORLD);
    }
}

/* ---- windows ------------------------------------------------------------------------------------------- */

static hx_window *make_window(const char *name, hx_window_memory memory)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.name = name;
    request.memory = memory;
    request.element = sizeof(int64_t);
    request.axes = 1;
    request.extent[0] = 100;
    request.deadline = 30.0;
    hx_window *window = NULL;
    CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &window), HX_OK);
    return window;
}

/* A rank frees a window when all others have given it up. */
static void test_late_free(int late, hx_window_memory memory)
{
    check_about("rank %d is late to free a window, memory %d", late, (int)memory);
    hx_window *window = make_window("w", memory);
    short_deadline_of_window(window, 0.02);
    let_others_give_up(late);
    CHECK_STATUS(hx_window_free(&window), HX_ERR_DEADLINE);
    expect_words("hx_window_free of \"w\": ");
    if (rank == late) {
        expect_words(left);
    }
    expect_words("The window is given up, and its memory stays where it is.");
    CHECK(!window, "the window is still there");
    give_up(late);
}

/* Whoever has a pool in a window keeps it until the pool is gone, and then waits for nobody. */
static void test_late_in_use(int late)
{
    check_about("rank %d is late to free a window with pools", late);
    hx_window *window = make_window("pooled", HX_WINDOW_PRIVATE);
    hx_pool *pool = NULL;
    CHECK_STATUS(hx_pool_create_in(window, 0, &pool), HX_OK);
    short_deadline_of_window(window, 0.02);
    let_others_give_up(late);
    CHECK_STATUS(hx_window_free(&window), HX_ERR_DEADLINE);
    CHECK(window, "the window is gone, and a pool lies in it");
    CHECK_STATUS(hx_window_free(&window), HX_ERR_STATE);
    CHECK_STATUS(hx_pool_destroy(pool), HX_OK);
    CHECK_STATUS(hx_window_free(&window), HX_OK);
    CHECK(!window, "the window is still there");
    give_up(late);
}

/* One rank frees two windows in the other order. */
static void test_orders(int odd)
{
    check_about("rank %d has another order", odd);
    hx_window *window[] = {make_window("one", HX_WINDOW_PRIVATE), make_window("two", HX_WINDOW_PRIVATE)};
    for (int i = 0; i < 2; ++i) {
        hx_window *it = window[rank == odd ? 1 - i : i];
        CHECK_REFUSED(MPI_COMM_SELF, hx_window_free(&it), HX_ERR_MISMATCH, " for another window.");
        expect_words("hx_window_free of \"one\"");
        expect_words("hx_window_free of \"two\"");
        CHECK(it, "a window is gone");
    }
    CHECK_STATUS(hx_window_free(&window[0]), HX_OK);
    CHECK_STATUS(hx_window_free(&window[1]), HX_OK);
}

/* Programs compiled before requests had deadlines. */
static void test_old_request(void)
{
    check_about("a request without a deadline");
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.size = offsetof(hx_window_request, deadline);
    request.deadline = -1.0;
    hx_window *window = NULL;
    CHECK_STATUS(hx_window_create(MPI_COMM_WORLD, &request, &window), HX_OK);
    CHECK_STATUS(hx_window_free(&window), HX_OK);
    request.size = sizeof request;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_window_create(MPI_COMM_WORLD, &request, &window), HX_ERR_ARGUMENT,
                  "The option deadline (or HX_DEADLINE) is -1; it takes a number of seconds");
}

/* ---- groups of shared arrays --------------------------------------------------------------------------- */

static hx_shared_arrays *make_group(void)
{
    hx_shared_arrays *group = NULL;
    CHECK_STATUS(hx_shared_arrays_create_within(MPI_COMM_WORLD, 30.0, &group), HX_OK);
    return group;
}

static hx_status share(hx_shared_arrays *group)
{
    const int number = 42;
    const hx_array given = {.data = &number, .size = sizeof number};
    hx_array shared;
    const hx_status status = hx_shared_array(group, 0, &given, &shared, NULL);
    CHECK(status != HX_OK || *(const int *)shared.data == 42, "another number has come");
    return status;
}

static const struct {
    const char *name;
    hx_status (*call)(hx_shared_arrays *group);
} calls[] = {{"hx_shared_array", share},
             {"hx_shared_arrays_sync", hx_shared_arrays_sync},
             {"hx_shared_arrays_release", hx_shared_arrays_release},
             {"hx_shared_arrays_destroy", hx_shared_arrays_destroy}};

enum { CALLS = sizeof calls / sizeof calls[0], DESTROY = CALLS - 1 };

static void test_late_call(int late, int number)
{
    check_about("rank %d is late to %s", late, calls[number].name);
    hx_shared_arrays *group = make_group();
    CHECK_STATUS(share(group), HX_OK);
    short_deadline_of_group(group, 0.02);
    let_others_give_up(late);
    CHECK_STATUS(calls[number].call(group), HX_ERR_DEADLINE);
    expect_words(calls[number].name);
    if (rank == late) {
        expect_words(left);
    }
    expect_words("The group can only be destroyed now.");
    give_up(late);
    for (int i = 0; i < DESTROY && number != DESTROY; ++i) {
        CHECK_STATUS(calls[i].call(group), HX_ERR_DEADLINE);
        expect_words("this group can only be destroyed.");
    }
    if (number != DESTROY) {
        CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    }
}

static void test_other_calls(int odd)
{
    hx_shared_arrays *group = make_group();
    for (int i = 0; i < CALLS; ++i) {
        const int other = (i + 1) % CALLS;
        check_about("rank %d calls %s, the others %s", odd, calls[i].name, calls[other].name);
        CHECK_REFUSED(MPI_COMM_WORLD, calls[rank == odd ? i : other].call(group), HX_ERR_MISMATCH,
                      "All ranks make the same calls, in the same order.");
        expect_words(calls[i].name);
        expect_words(calls[other].name);
    }
    CHECK_STATUS(share(group), HX_OK);
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
}

/* ---- calls for a communicator of the application ------------------------------------------------------- */

static hx_status create_window(void)
{
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    hx_window *window = NULL;
    return hx_window_create(MPI_COMM_WORLD, &request, &window);
}

static hx_status create_group(void)
{
    hx_shared_arrays *group = NULL;
    return hx_shared_arrays_create(MPI_COMM_WORLD, &group);
}

static hx_status broadcast(void)
{
    const hx_array given = {.data = &rank, .size = sizeof rank};
    hx_array received;
    return hx_broadcast(MPI_COMM_WORLD, 0, &given, &received);
}

static hx_status take_cart(void)
{
    const int cells[] = {3};
    hx_part part;
    return hx_partition_from_cart(MPI_COMM_WORLD, cells, &part);
}

static hx_status list_ids(void)
{
    const hx_ids ids = {0};
    hx_index_list *list = NULL;
    return hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &list);
}

static const struct {
    const char *name;
    hx_status (*call)(void);
} makers[] = {{"hx_window_create", create_window},
              {"hx_shared_arrays_create", create_group},
              {"hx_broadcast", broadcast},
              {"hx_partition_from_cart", take_cart},
              {"hx_index_list_of_ids", list_ids}};

enum { MAKERS = sizeof makers / sizeof makers[0] };

/* With more than two ranks those that left take part when they are next in MPI. */
static void test_late_maker(int late, int number)
{
    check_about("rank %d is late to %s", late, makers[number].name);
    MPI_Barrier(MPI_COMM_WORLD);
    let_others_give_up(late);
    CHECK_STATUS(makers[number].call(), HX_ERR_DEADLINE);
    expect_words(makers[number].name);
    if (rank != late) {
        expect_words(waits);
    } else if (ranks == 2) {
        expect_words(left);
    }
    give_up(late);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_other_makers(int odd)
{
    for (int i = 0; i < MAKERS; ++i) {
        const int other = (i + 1) % MAKERS;
        check_about("rank %d calls %s, the others %s", odd, makers[i].name, makers[other].name);
        CHECK_REFUSED(MPI_COMM_WORLD, makers[rank == odd ? i : other].call(), HX_ERR_MISMATCH,
                      "All ranks make the same calls, in the same order.");
        expect_words(makers[i].name);
        expect_words(makers[other].name);
    }
}

/* MPICH with UCX does not get through MPI_Finalize where windows were given up. */
static int end(void)
{
#ifdef MPICH
    const int mine = check_failures() > 0;
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(all > 0);
#endif
    return check_verdict("calls that come late");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    unsetenv("HX_DEADLINE");
    test_old_request();
    for (int r = 0; r < ranks && ranks > 1; r += ranks - 1) {
        test_orders(r);
        test_other_calls(r);
        test_other_makers(r);
        test_late_free(r, HX_WINDOW_PRIVATE);
        test_late_free(r, HX_WINDOW_AUTO);
        test_late_in_use(r);
        for (int i = 0; i < CALLS; ++i) {
            test_late_call(r, i);
        }
        setenv("HX_DEADLINE", "0.05", 1);
        for (int i = 0; i < MAKERS; ++i) {
            test_late_maker(r, i);
        }
        unsetenv("HX_DEADLINE");
    }
    check_about("the end");
    hx_window *window = make_window("last", HX_WINDOW_AUTO);
    CHECK_STATUS(hx_window_free(&window), HX_OK);
    return end();
}
