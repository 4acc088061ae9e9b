/*
 * Messages that devices write straight into arrays of NAME_alloc on another rank: what fails is told, and
 * loses nothing.  order.c has the rest.
 *
 * usage: cuda_straight, on 2 ranks
 */
#include "check.h"
#include "exchange/handle.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const hx_spec cube_xz_spec;

static int rank;

/* libhx gets all its memory by these, ... */
void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);

static long requests;
static long refused; /* which request is not met; 0: all are */

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? __real_hxi_memory_get(SIZE_MAX, 2, purpose)
                                 : __real_hxi_memory_get(count, size, purpose);
}

/* ... and what processes share by this. */
int __real_shm_open(const char *name, int flags, mode_t mode);
int __wrap_shm_open(const char *name, int flags, mode_t mode);

static bool unshared;

int __wrap_shm_open(const char *name, int flags, mode_t mode)
{
    if (unshared) {
        errno = ENOSYS;
        return -1;
    }
    return __real_shm_open(name, flags, mode);
}

static int warnings;

static void note(void *context, int level, const char *text)
{
    (void)context;
    (void)text;
    warnings += level == HX_LOG_WARNING;
}

static hx_handle *create(const layout *l, double deadline)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "ipc";
    options.deadline = 60.0;
    options.log_level = HX_LOG_WARNING;
    options.log = note;
    hx_handle *handle = NULL;
    warnings = 0;
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        handle->options.deadline = deadline; /* of what comes after create */
    }
    return handle;
}

/* ---- what fails ---------------------------------------------------------------------------------------- */

/* Ghost points are right, however they came. */
static void exchange_once(hx_handle *handle, const mirror *m, bool written)
{
    arrays_fill(m->here, 0);
    mirror_up(m, NULL);
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_OK);
    mirror_down(m, NULL);
    arrays_expect(m->here, 0);
    arrays_check(m->here, "once");
    CHECK(pair_written(handle) == written, "%s", hx_describe(handle));
}

/*
 * What came of an alloc in which something failed.  Where ranks cannot reach each other's arrays they are
 * told, and use boxes.
 */
static void check_alloc(hx_handle *handle, mirror *m, hx_status status, hx_status error, const char *words,
                        int *fallbacks)
{
    if (status != HX_OK) {
        CHECK_REFUSED(MPI_COMM_WORLD, status, error, words);
        return;
    }
    const char *why = strstr(hx_describe(handle), "which other ranks of the node cannot write into: ");
    CHECK(warnings == (why != NULL), "%d warnings", warnings);
    CHECK(!why || strstr(why, words), "%s", hx_describe(handle));
    *fallbacks += why != NULL;
    exchange_once(handle, m, !why);
    mirror_free(m);
}

/* Alloc without its n-th call of the device; whether it got so far. */
static bool fail_alloc(const layout *l, arrays *s, int on, long n, int *fallbacks)
{
    const long before = fake_left();
    hx_handle *handle = create(l, 60.0);
    const long calls = fake_calls();
    fake_fail(rank == on ? n : 0);
    mirror m;
    const hx_status status = mirror_try_alloc(&m, s, handle);
    fake_fail(0);
    int reached = rank == on && fake_calls() - calls >= n;
    MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check_alloc(handle, &m, status, HX_ERR_DEVICE, "unknown", fallbacks);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
    return reached != 0;
}

static void fail_allocs(const layout *l, arrays *s)
{
    for (int on = 0; on < 2; ++on) {
        int fallbacks = 0;
        long n = 1;
        do {
            check_about("alloc on rank %d, call %ld", on, n);
        } while (fail_alloc(l, s, on, n++, &fallbacks));
        CHECK(n > 6 && fallbacks == 2, "alloc made %ld calls, and did without %d of them", n, fallbacks);
    }
}

/* Each piece of memory that alloc asks for, and memory that processes share. */
static void refuse_allocs(const layout *l, arrays *s)
{
    int fallbacks = 0;
    hx_status status = HX_ERR_MEMORY;
    for (long n = 1; status != HX_OK; ++n) {
        const long before = fake_left();
        check_about("alloc, memory %ld", n);
        hx_handle *handle = create(l, 60.0);
        requests = 0;
        refused = rank == 1 ? n : 0;
        mirror m;
        status = mirror_try_alloc(&m, s, handle);
        refused = 0;
        check_alloc(handle, &m, status, HX_ERR_MEMORY, "Rank 1 of 2: ", &fallbacks);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
    }
    check_about("alloc, nothing is shared");
    hx_handle *handle = create(l, 60.0);
    mirror m;
    unshared = true;
    status = mirror_try_alloc(&m, s, handle);
    unshared = false;
    check_alloc(handle, &m, status, HX_OK, "shared memory", &fallbacks);
    CHECK(fallbacks == 1, "%d sets without", fallbacks);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
}

/* On both ranks, so that none waits for the other.  Which call failed: alloc or free 0, start 1, finish 2. */
static int fail_exchange(const layout *l, arrays *s, long n)
{
    mirror m;
    hx_handle *handle = create(l, 60.0);
    if (!CHECK_STATUS(mirror_try_alloc(&m, s, handle), HX_OK)) {
        return 0;
    }
    mirror_up(&m, NULL);
    fake_fail(n);
    hx_status status = hx_start_on(handle, 0, m.pointers, NULL);
    int failed = status != HX_OK ? 1 : 0;
    status = status == HX_OK ? hx_finish_on(handle, 0, NULL) : status;
    failed = status != HX_OK && failed == 0 ? 2 : failed;
    fake_fail(0);
    if (status != HX_OK) {
        CHECK_STATUS(status, HX_ERR_DEVICE);
        CHECK(strstr(hx_last_error(), "unknown"), "%s", hx_last_error());
    }
    if (failed == 2) { /* what finish asks before it does anything can be asked again */
        hx_finish_on(handle, 0, NULL);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    mirror_drop(&m);
    fake_forget(); /* what a failure leaves where it is */
    return failed;
}

static void fail_exchanges(const layout *l, arrays *s)
{
    int seen[3] = {0};
    arrays_fill(s, 0);
    for (long n = 1; n < 40; ++n) {
        check_about("call %ld of an exchange", n);
        seen[fail_exchange(l, s, n)]++;
    }
    CHECK(seen[1] >= 4 && seen[2] >= 4, "%d calls of start failed, %d of finish", seen[1], seen[2]);
}

/*
 * Free, or destroy, on rank 1 without its n-th call; whether it got so far.  What it cannot close rank 0
 * keeps, and what it cannot free itself.
 */
static bool fail_end(const layout *l, arrays *s, long n, bool frees)
{
    mirror m;
    const long before = fake_left();
    hx_handle *handle = create(l, 60.0);
    CHECK_STATUS(mirror_try_alloc(&m, s, handle), HX_OK);
    exchange_once(handle, &m, true);
    const long calls = fake_calls();
    fake_fail(rank == 1 ? n : 0);
    if (frees) {
        mirror_free(&m);
        fake_fail(0);
    } else {
        mirror_drop(&m);
    }
    int reached = rank == 1 && fake_calls() - calls >= n;
    MPI_Bcast(&reached, 1, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    fake_fail(0);
    reached = reached || (rank == 1 && fake_calls() - calls >= n);
    MPI_Bcast(&reached, 1, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK(fake_left() - before <= reached, "%ld things are left", fake_left() - before);
    fake_forget();
    return reached != 0;
}

static void fail_ends(const layout *l, arrays *s)
{
    for (long n = 1; n <= 4; ++n) {
        check_about("free, call %ld", n);
        fail_end(l, s, n, true);
    }
    long n = 1;
    do {
        check_about("destroy, call %ld", n);
    } while (fail_end(l, s, n++, false));
    CHECK(n > 10, "destroy made %ld calls", n);
}

/* ---- ranks that do not come ---------------------------------------------------------------------------- */

/* What the other rank has not closed stays; so do its boxes. */
static void leave_late(const layout *l, arrays *s)
{
    mirror m;
    check_about("late");
    const long before = fake_left();
    hx_handle *handle = create(l, 0.3);
    CHECK_STATUS(mirror_try_alloc(&m, s, handle), HX_OK);
    exchange_once(handle, &m, true);
    mirror_drop(&m);
    sleep(rank == 1);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(warnings == (rank == 0), "%d warnings", warnings);
    CHECK(fake_left() - before == (rank == 0 ? 2 : 0), "%ld things are left", fake_left() - before);
    fake_forget();
}

/* A receiver that never starts; what it is waited for with stays. */
static void pass_deadline(const layout *l, arrays *s)
{
    mirror m;
    check_about("a deadline");
    hx_handle *handle = create(l, 0.3);
    CHECK_STATUS(mirror_try_alloc(&m, s, handle), HX_OK);
    mirror_up(&m, NULL);
    if (rank == 0) {
        CHECK_STATUS(hx_start_on(handle, 0, m.pointers, NULL), HX_OK);
        CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_ERR_DEADLINE);
        CHECK(strstr(hx_last_error(), "still waits for messages from rank 1"), "%s", hx_last_error());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    mirror_drop(&m);
    fake_forget();
}

/* Another set in the place of one that is freed, on the same handle. */
static void alloc_again(const layout *l, arrays *s)
{
    check_about("sets that come and go");
    const long before = fake_left();
    hx_handle *handle = create(l, 60.0);
    for (int i = 1; i <= 3; ++i) {
        mirror m;
        CHECK_STATUS(mirror_try_alloc(&m, s, handle), HX_OK);
        arrays_fill(s, i);
        mirror_up(&m, NULL);
        CHECK_STATUS(hx_start_on(handle, 0, m.pointers, NULL), HX_OK);
        CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_OK);
        mirror_down(&m, NULL);
        arrays_expect(s, 0);
        arrays_check(s, "again");
        CHECK(pair_written(handle) == i, "%s", hx_describe(handle));
        mirror_free(&m);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mirror_need_device();
    layout l;
    arrays s;
    pair_layout(&l, &cube_xz_spec);
    arrays_make(&s, &l, oracle_cartesian);
    fail_allocs(&l, &s);
    refuse_allocs(&l, &s);
    alloc_again(&l, &s);
    fail_exchanges(&l, &s);
    fail_ends(&l, &s);
    leave_late(&l, &s);
    pass_deadline(&l, &s);
    arrays_free(&s);
    layout_free(&l);
    return check_verdict("straight into arrays");
}
