/*
 * Handles in the memory of a device that are given up: ranks that come late, what cannot be closed, and
 * threads that are busy with another device.
 *
 * usage: cuda_destroy, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const hx_spec cube_xz_spec;

static int rank;

/* libhx's clock, which may run faster than others. */
double __real_hxi_clock(void);
double __wrap_hxi_clock(void);

static double pace = 1.0;

double __wrap_hxi_clock(void)
{
    return pace * __real_hxi_clock();
}

/* ---- what is logged ------------------------------------------------------------------------------------ */

typedef struct warnings {
    int count;
    char last[1024];
} warnings;

static void note(void *context, int level, const char *text)
{
    warnings *w = context;
    if (level == HX_LOG_WARNING) {
        ++w->count;
        snprintf(w->last, sizeof w->last, "%s", text);
    }
}

static hx_handle *create(const layout *l, double deadline, warnings *w)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "ipc";
    options.deadline = deadline;
    options.log_level = HX_LOG_WARNING;
    options.log = note;
    options.log_context = w;
    hx_handle *handle = NULL;
    CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK);
    return handle;
}

/* Nothing, or one warning that says this. */
static void check_warning(const warnings *w, const char *expected)
{
    CHECK(w->count == (expected != NULL), "%d warnings, the last one: %s", w->count, w->last);
    CHECK(!expected || strstr(w->last, expected), "the warning is: %s", w->last);
}

/* ---- ranks that come late ------------------------------------------------------------------------------ */

/* The other one has waited for long enough, and leaves its memory where it is. */
static void come_late(const layout *l)
{
    warnings w = {0};
    check_about("late, with a deadline");
    const long before = fake_left();
    hx_handle *handle = create(l, 0.3, &w);
    if (rank == 1) {
        sleep(1);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    check_warning(
        &w, rank == 0 ? "cube_xz_destroy: after 0.3 seconds rank 0 still waits for rank 1 to call it; memory "
                        "of device 0, which they write messages into, stays until this process ends."
                      : NULL);
    CHECK(fake_left() - before == (rank == 0), "%ld things are left", fake_left() - before);
    fake_forget();
}

/* Without a deadline it waits on, but not without a word. */
static void come_late_unlimited(const layout *l)
{
    warnings w = {0};
    check_about("late, without a deadline");
    const long before = fake_left();
    hx_handle *handle = create(l, 0.0, &w);
    pace = 100.0;
    if (rank == 1) {
        sleep(1);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    pace = 1.0;
    check_warning(
        &w, rank == 0 ? "still waits for rank 1 to call it; memory of device 0, which they write messages "
                        "into, is not freed before; the option deadline, which is 0, ends that."
                      : NULL);
    CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
}

/* ---- devices that are late ---------------------------------------------------------------------------- */

/* What held a stream ends when somebody complains of that. */
static void note_and_release(void *context, int level, const char *text)
{
    note(context, level, text);
    fake_release();
    pace = 1.0; /* the other rank may take its time */
}

/* Destroy waits for what finish has put into streams; without a deadline not without a word, either. */
static void wait_unlimited(const layout *l)
{
    warnings w = {0};
    arrays s;
    mirror m;
    hx_handle *handle = NULL;
    cudaStream_t stream = NULL;
    hx_options options = HX_OPTIONS_INIT;
    options.log_level = HX_LOG_WARNING;
    options.log = note_and_release;
    options.log_context = &w;
    check_about("a device that is late, without a deadline");
    arrays_make(&s, l, oracle_cartesian);
    mirror_make(&m, &s);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == 0, "no stream");
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        CHECK_STATUS(hx_start_on(handle, 0, m.pointers, stream), HX_OK);
        CHECK(fake_hold(stream) == 0, "no work");
        CHECK_STATUS(hx_finish_on(handle, 0, stream), HX_OK);
        pace = 100.0;
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        check_warning(
            &w, "cube_xz: after 5 seconds device 0 still has to do what its streams were given before, for "
                "what destroy frees; the option deadline, which is 0, ends such waits.");
    }
    CHECK(cudaStreamDestroy(stream) == 0, "a stream failed");
    mirror_free(&m);
    arrays_free(&s);
}

/* ---- what fails ---------------------------------------------------------------------------------------- */

/* Destroy on rank 1 without its n-th call; whether it got so far.  *told: it spoke of memory of rank 0. */
static bool fail_call(const layout *l, long n, int *told)
{
    warnings w = {0};
    const long before = fake_left();
    hx_handle *handle = create(l, 60.0, &w);
    const long calls = fake_calls();
    fake_fail(rank == 1 ? n : 0);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    fake_fail(0);
    int reached = rank == 1 && fake_calls() - calls >= n;
    MPI_Bcast(&reached, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (w.count > 0) {
        check_warning(&w,
                      "cube_xz_destroy on rank 1: Leaving memory of the device of rank 0 failed: \"unknown "
                      "error\"");
        ++*told;
    }
    CHECK(fake_left() - before <= reached, "%ld things are left", fake_left() - before);
    fake_forget();
    return reached;
}

static void fail_calls(const layout *l)
{
    int told = 0;
    long n = 1;
    do {
        check_about("destroy, call %ld", n);
    } while (fail_call(l, n++, &told));
    CHECK(n > 8, "destroy made %ld calls", n);
    CHECK(told == (rank == 1), "memory of another rank that stayed was told %d times", told);
}

/* ---- another device ------------------------------------------------------------------------------------ */

/* What is called is called on the handle's, and the caller finds its own as it was. */
static void check_elsewhere(long before, long expected)
{
    int current = 0;
    CHECK(cudaGetDevice(&current) == 0 && current == 1, "device %d is current", current);
    CHECK(fake_calls_on(1) - before == expected, "%ld calls on another device", fake_calls_on(1) - before);
}

static void give_up_elsewhere(const layout *l)
{
    warnings w = {0};
    arrays s;
    mirror m;
    check_about("another device");
    const long things = fake_left();
    arrays_make(&s, l, oracle_cartesian);
    hx_handle *handle = create(l, 60.0, &w);
    mirror_alloc(&m, &s, handle);
    CHECK(cudaSetDevice(1) == 0, "no second device");
    long before = fake_calls_on(1);
    mirror_free(&m);
    check_elsewhere(before, 3);
    before = fake_calls_on(1);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    check_elsewhere(before, 5); /* it goes there twice */
    CHECK(cudaSetDevice(0) == 0, "no first device");
    CHECK(fake_left() == things, "%ld things are left", fake_left() - things);
    arrays_free(&s);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    layout l;
    fake_set_devices(2);
    pair_layout(&l, &cube_xz_spec);
    come_late(&l);
    come_late_unlimited(&l);
    wait_unlimited(&l);
    fail_calls(&l);
    give_up_elsewhere(&l);
    layout_free(&l);
    return check_verdict("handles that are given up");
}
