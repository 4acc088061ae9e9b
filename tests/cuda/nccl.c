/*
 * Messages between devices by NCCL, of which this has a stand-in: what it cannot do is told and done without, what fails is a
 * status on all ranks, and nothing hangs.  That what comes is right exchange.c and lists_exchange.c see.
 *
 * usage: cuda_nccl, on 2 ranks, with HX_NCCL_LIBRARY as the stand-in
 */
#include "check.h"
#include "exchange/handle.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>
#include <fake_nccl.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const hx_spec cube_xz_spec, mixed_spec, upwind_spec;

static int rank;
static char library[512];

/* libhx's clock, which goes on with what exchanges are to take, where the test says so. */
double __real_hxi_clock(void);
double __wrap_hxi_clock(void);
hx_status __real_hx_finish_on(hx_handle *h, int exchange, hx_stream stream);
hx_status __wrap_hx_finish_on(hx_handle *h, int exchange, hx_stream stream);

static bool measures;
static double now;
static double by_nccl; /* microseconds */
static double by_mpi;

double __wrap_hxi_clock(void)
{
    return measures ? now : __real_hxi_clock();
}

hx_status __wrap_hx_finish_on(hx_handle *h, int exchange, hx_stream stream)
{
    const hx_status status = __real_hx_finish_on(h, exchange, stream);
    now += 1e-6 * (hxi_plan_wants_stream(&h->plan[exchange]) ? by_nccl : by_mpi);
    return status;
}

/* libhx gets its memory by this; what it wants for NCCL may be refused. */
void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);

static long refused; /* requests until one is not met; 0: all are */

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    const bool meant = strstr(purpose, "NCCL") || strstr(purpose, "the peers of exchanges");
    const bool now_one = meant && refused > 0 && --refused == 0;
    return __real_hxi_memory_get(now_one ? SIZE_MAX : count, now_one ? 2 : size, purpose);
}

/* ---- handles ------------------------------------------------------------------------------------------- */

static int warnings;
static char warning[1024];

static void note(void *context, int level, const char *text)
{
    (void)context;
    if (level == HX_LOG_WARNING) {
        ++warnings;
        snprintf(warning, sizeof warning, "%s", text);
    }
}

static hx_options options_of(const char *transport, double deadline)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = deadline;
    options.log_level = HX_LOG_WARNING;
    options.log = note;
    warnings = 0;
    return options;
}

/* The deadline is for what comes after create. */
static hx_handle *create(const layout *l, double deadline)
{
    const hx_options options = options_of("nccl", 60.0);
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        handle->options.deadline = deadline;
    }
    return handle;
}

static bool is_usable(hx_handle *handle)
{
    return strstr(hx_describe(handle), "    messages by nccl: device ") != NULL;
}

/* Nothing is left of NCCL, nor of the device but for what is allowed. */
static void destroy(hx_handle *handle, long before, long allowed)
{
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(fake_nccl_left() == 0, "%d communicators are left", fake_nccl_left());
    CHECK(fake_left() - before <= allowed, "%ld things are left", fake_left() - before);
    fake_forget();
}

/* ---- what it cannot do --------------------------------------------------------------------------------- */

/* Both ranks say why, in the log and where the handle is described, and go by persistent. */
static void do_without(const layout *l, const char *why, long left)
{
    const long before = fake_left();
    hx_handle *handle = create(l, 60.0);
    if (!handle) {
        return;
    }
    CHECK(!is_usable(handle) && strstr(hx_describe(handle), "by persistent, not as chosen: Rank ") &&
              strstr(hx_describe(handle), why),
          "not \"%s\" in %s", why, hx_describe(handle));
    CHECK(warnings >= 1 && strstr(warning, " travels by persistent, not by nccl: Rank ") &&
              strstr(warning, why),
          "%d warnings, the last: %s", warnings, warning);
    pair_exchange_once(l, handle, 0);
    destroy(handle, before, left);
}

static void refuse_libraries(const layout *l)
{
    check_about("no library");
    setenv("HX_NCCL_LIBRARY", "/nowhere/libnccl.so.2", 1);
    do_without(l, "Rank 0 of 2: NCCL cannot be opened: \"/nowhere/libnccl.so.2: ", 0);
    do_without(l, "Name its libnccl.so.2 in HX_NCCL_LIBRARY, or take another transport than \"nccl\".", 0);
    check_about("no library on one rank");
    setenv("HX_NCCL_LIBRARY", rank == 0 ? library : "/nowhere/libnccl.so.2", 1);
    do_without(l, "Rank 1 of 2: NCCL cannot be opened: ", 0);
    check_about("another library");
    setenv("HX_NCCL_LIBRARY", "libm.so.6", 1);
    do_without(l, "\"libm.so.6\" has no nccl", 0);
    setenv("HX_NCCL_LIBRARY", library, 1);
    check_about("an old one");
    fake_nccl_be(2604);
    do_without(l, "This is NCCL 2.6.4, and libhx needs 2.7 or newer", 0);
    fake_nccl_be(0);
}

static void refuse_devices(const layout *l)
{
    check_about("two ranks on a device");
    CHECK(cudaSetDevice(0) == cudaSuccess, "no device");
    do_without(l, "which takes one rank a device (do two share one?), failed: \"invalid usage ", 0);
    do_without(l, "Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 0", 0);
    CHECK(cudaSetDevice(rank) == cudaSuccess, "no device");
}

static void refuse_bytes(const layout *l)
{
    check_about("other bytes");
    fake_nccl_spoil(rank == 1);
    do_without(l, "Rank 1 of 2: The probe of NCCL got ", 2);
    fake_nccl_spoil(0);
}

/* Exchanges that the host has a part in. */
static void leave_to_others(void)
{
    layout l;
    pair_layout(&l, &mixed_spec);
    check_about("fields of the host");
    long before = fake_left();
    hx_handle *handle = create(&l, 60.0);
    const char *about = hx_describe(handle);
    CHECK(strstr(about, "by persistent in place of nccl: the same messages carry fields of the host\n") &&
              strstr(about, "by shared in place of nccl: no field of it lies on a device\n") &&
              strstr(about, "  NCCL 2.28.9: one communicator; ") && is_usable(handle),
          "%s", about);
    CHECK(warnings == 0, "%s", warning);
    destroy(handle, before, 0);
    check_about("headers");
    before = fake_left();
    hx_options options = options_of("nccl", 60.0);
    options.check = 1;
    CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK);
    CHECK(strstr(hx_describe(handle),
                 "by persistent in place of nccl: with option check the host writes and reads headers of "
                 "messages\n") &&
              !is_usable(handle),
          "%s", hx_describe(handle));
    destroy(handle, before, 0);
    layout_free(&l);
}

/* ---- calls that fail ----------------------------------------------------------------------------------- */

/* Create without its n-th call of NCCL on one rank; did it get so far? */
static bool fail_create(const layout *l, int on, long n)
{
    const long before = fake_left();
    const long calls = fake_nccl_calls();
    fake_nccl_fail(rank == on ? n : 0);
    hx_handle *handle = create(l, 60.0);
    fake_nccl_fail(0);
    int reached = rank == on && fake_nccl_calls() - calls >= n;
    MPI_Bcast(&reached, 1, MPI_INT, on, MPI_COMM_WORLD);
    if (handle) {
        CHECK(is_usable(handle) != reached, "%s", hx_describe(handle));
        CHECK(!reached || strstr(hx_describe(handle), "result "), "%s", hx_describe(handle));
        pair_exchange_once(l, handle, 0);
    }
    destroy(handle, before, reached ? 3 : 0); /* what the probe leaves where the device may write */
    return reached;
}

static void fail_creates(const layout *l)
{
    for (int on = 0; on < 2; ++on) {
        long n = 0;
        do {
            check_about("create on rank %d, call %ld", on, ++n);
        } while (fail_create(l, on, n));
        CHECK(n > 6, "create made %ld calls", n);
    }
}

/* Create without a piece of memory on one rank fails on both. */
static void refuse_memory(const layout *l)
{
    for (int on = 0; on < 2; ++on) {
        long n = 0;
        hx_status status = HX_ERR_MEMORY;
        while (status != HX_OK) {
            const long before = fake_left();
            const hx_options options = options_of("nccl", 60.0);
            hx_handle *handle = NULL;
            check_about("create on rank %d, memory %ld", on, ++n);
            refused = rank == on ? n : 0;
            status = hx_create(l->spec, &l->blocks, l->shapes, &options, &handle);
            refused = 0;
            if (status != HX_OK) {
                CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_MEMORY,
                              on == 0 ? "Rank 0 of 2: " : "Rank 1 of 2: ");
            }
            destroy(handle, before, 0);
        }
        CHECK(n == 5, "create asked %ld times", n); /* peers, what is known, its end, the probe */
    }
}

/* An exchange without its n-th call on rank `on`, or -1: on both; the other one waits until the deadline. */
static bool fail_exchange(const layout *l, const mirror *m, int on, long n)
{
    const long before = fake_left();
    const int aborted = fake_nccl_aborted();
    hx_handle *handle = create(l, on < 0 ? 60.0 : 0.2);
    const long calls = fake_nccl_calls();
    const bool fails = on < 0 || rank == on;
    fake_nccl_fail(fails ? n : 0);
    hx_status status = hx_start_on(handle, 0, m->pointers, NULL);
    status = status == HX_OK ? hx_finish_on(handle, 0, NULL) : status;
    fake_nccl_fail(0);
    int reached = fails && fake_nccl_calls() - calls >= n;
    MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (reached) {
        CHECK_STATUS(status, fails ? HX_ERR_DEVICE : HX_ERR_DEADLINE);
        CHECK(!fails || strstr(hx_last_error(), "\"it fails by design\""), "%s", hx_last_error());
    } else {
        CHECK_STATUS(status, HX_OK);
    }
    CHECK(cudaStreamSynchronize(NULL) == cudaSuccess, "a stream failed");
    destroy(handle, before, reached ? LONG_MAX : 0);
    CHECK(fake_nccl_aborted() - aborted == reached, "%d were aborted", fake_nccl_aborted() - aborted);
    return reached;
}

static void fail_exchanges(const layout *l, const mirror *m)
{
    for (int on = -1; on < 2; ++on) {
        long n = 0;
        do {
            check_about("exchange on rank %d, call %ld", on, ++n);
        } while (n < 5 && fail_exchange(l, m, on, n)); /* group, send, receive, group */
        CHECK(n == 5, "an exchange made %ld calls", n);
    }
}

/* What NCCL finds in a stream. */
static void fail_later(const layout *l, const mirror *m)
{
    const long before = fake_left();
    check_about("an error of a stream");
    hx_handle *handle = create(l, 60.0);
    fake_nccl_break(6);
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish_on(handle, 0, NULL), HX_ERR_DEVICE,
                  "Moving messages by NCCL in a stream failed: \"remote process exited");
    CHECK(cudaStreamSynchronize(NULL) == cudaSuccess, "a stream failed");
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_ERR_DEVICE);
    destroy(handle, before, LONG_MAX);
    fake_nccl_break(0);
}

/* ---- ranks that do not come ---------------------------------------------------------------------------- */

/* The stream of one that waited goes on, and the other one hears of it by its own deadline. */
static void come_late(const layout *l, const mirror *m)
{
    const long before = fake_left();
    const int aborted = fake_nccl_aborted();
    check_about("a rank that does not come");
    hx_handle *handle = create(l, 0.3);
    if (rank == 1) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_STATUS(hx_start_on(handle, 0, m->pointers, NULL), HX_OK);
    const hx_status status = hx_finish_on(handle, 0, NULL);
    if (rank == 0) {
        CHECK_STATUS(status, HX_ERR_DEADLINE);
        CHECK(strstr(hx_last_error(), "rank 0 still waits for messages from rank 1 ("), "%s",
              hx_last_error());
        CHECK(cudaStreamSynchronize(NULL) == cudaSuccess, "a stream failed");
        CHECK(fake_nccl_aborted() == aborted + 1, "nothing was aborted");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK(fake_waiting() == 0, "streams still wait");
    destroy(handle, before, LONG_MAX);
}

/* ---- orders -------------------------------------------------------------------------------------------- */

/* Two exchanges under way, which ranks finish in different orders, on streams that run as they like. */
static void try_two(void)
{
    layout l;
    pair_layout(&l, &mixed_spec);
    arrays s;
    mirror m;
    arrays_make(&s, &l, oracle_cartesian);
    mirror_make(&m, &s);
    const int star = 3; /* of all fields, its are all of the device */
    for (int seed = 0; seed < 6; ++seed) {
        const long before = fake_left();
        check_about("two handles, order %d", seed);
        fake_set_order(seed == 0 ? FAKE_LAZY : FAKE_SHUFFLED, (unsigned)(2 * seed + rank));
        hx_handle *one = create(&l, 60.0);
        hx_handle *two = create(&l, 60.0);
        arrays_fill(&s, seed);
        mirror_up(&m, NULL);
        for (int step = 0; step < 3; ++step) {
            CHECK_STATUS(hx_start_on(one, star, m.pointers, NULL), HX_OK);
            CHECK_STATUS(hx_start_on(two, star, m.pointers, NULL), HX_OK);
            CHECK_STATUS(hx_finish_on(rank == 0 ? one : two, star, NULL), HX_OK);
            CHECK_STATUS(hx_finish_on(rank == 0 ? two : one, star, NULL), HX_OK);
        }
        mirror_down(&m, NULL);
        arrays_expect(&s, star);
        arrays_check(&s, "two under way");
        CHECK_STATUS(hx_destroy(two), HX_OK);
        destroy(one, before, 0);
    }
    fake_set_order(FAKE_EAGER, 0);
    mirror_free(&m);
    arrays_free(&s);
    layout_free(&l);
}

/* ---- measuring ----------------------------------------------------------------------------------------- */

/* Messages that go one way are in no boxes, as those between nodes. */
static void measure(const char *name, double nccl, double mpi, const char *expected, bool taken)
{
    layout l;
    pair_layout(&l, &upwind_spec);
    const long before = fake_left();
    hx_options options = options_of("auto", 0.0);
    hx_handle *handle = NULL;
    options.tune = 1;
    check_about("measured, %s", name);
    by_nccl = nccl;
    by_mpi = mpi;
    measures = true;
    CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK);
    measures = false;
    const char *found = strstr(hx_describe(handle), "    measured: ");
    CHECK(found && strncmp(found, expected, strlen(expected)) == 0, "not \"%s\" in %s", expected,
          hx_describe(handle));
    CHECK(is_usable(handle) == taken && fake_nccl_left() == taken, "%d communicators; %s", fake_nccl_left(),
          hx_describe(handle));
    CHECK(warnings == 0, "%s", warning);
    pair_exchange_once(&l, handle, 0);
    destroy(handle, before, 0);
    layout_free(&l);
}

/* What was measured before is in a file.  NCCL is joined, which takes long, only where the file says that it is the fastest. */
static void read_figures(const char *file, const char *expected, bool joins, bool taken)
{
    layout l;
    pair_layout(&l, &upwind_spec);
    const long before = fake_left();
    hx_options options = options_of("auto", 0.0);
    hx_handle *handle = NULL;
    options.tune = 1;
    options.tune_file = file;
    const long called = fake_nccl_calls();
    measures = true;
    CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK);
    measures = false;
    CHECK((fake_nccl_calls() > called) == joins, "%ld calls of NCCL", fake_nccl_calls() - called);
    CHECK(strstr(hx_describe(handle), expected), "not \"%s\" in %s", expected, hx_describe(handle));
    CHECK(is_usable(handle) == taken && fake_nccl_left() == taken, "%d communicators; %s", fake_nccl_left(),
          hx_describe(handle));
    pair_exchange_once(&l, handle, 0);
    destroy(handle, before, 0);
    layout_free(&l);
}

static void read_what_was_measured(void)
{
    char file[] = "/tmp/hx-nccl-XXXXXX";
    char said[128];
    CHECK(close(mkstemp(file)) == 0, "no file %s", file);
    check_about("figures in a file");
    by_nccl = 19.5;
    by_mpi = 20.0;
    read_figures(file, "measured: mapped 20.0 us, copied 20.0 us, nccl 19.5 us", true, false);
    CHECK(warnings == 0, "%s", warning);
    snprintf(said, sizeof said, "measured before: mapped 20.0 us, copied 20.0 us, nccl 19.5 us (%s)",
             rank == 0 ? file : "tune_file of rank 0");
    read_figures(file, said, false, false);
    remove(file);
    by_nccl = 5.0;
    read_figures(file, "measured: nccl 5.0 us, mapped 20.0 us, copied 20.0 us", true, true);
    read_figures(file, "measured before: nccl 5.0 us", true, true);
    CHECK(warnings == 0, "%s", warning);
    setenv("HX_NCCL_LIBRARY", "/nowhere/libnccl.so.2", 1);
    read_figures(file, "measured: mapped 20.0 us, copied 20.0 us", false, false);
    CHECK(warnings == (rank == 0) && (rank != 0 || strstr(warning, "it is measured again")),
          "%d warnings: %s", warnings, warning);
    setenv("HX_NCCL_LIBRARY", library, 1);
    remove(file);
}

static void measure_all(void)
{
    measure("the fastest", 5.0, 20.0, "    measured: nccl 5.0 us, mapped 20.0 us, copied 20.0 us\n", true);
    measure("no faster", 19.5, 20.0, "    measured: mapped 20.0 us, copied 20.0 us, nccl 19.5 us\n", false);
    setenv("HX_NCCL_LIBRARY", "/nowhere/libnccl.so.2", 1);
    measure("not there", 5.0, 20.0, "    measured: mapped 20.0 us, copied 20.0 us\n", false);
    setenv("HX_NCCL_LIBRARY", library, 1);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(library, sizeof library, "%s", getenv("HX_NCCL_LIBRARY") ? getenv("HX_NCCL_LIBRARY") : "");
    fake_set_devices(2);
    CHECK(cudaSetDevice(rank) == cudaSuccess, "no device");
    layout l;
    arrays s;
    mirror m;
    pair_layout(&l, &cube_xz_spec);
    arrays_make(&s, &l, oracle_cartesian);
    arrays_fill(&s, 0);
    mirror_make(&m, &s);
    refuse_libraries(&l);
    leave_to_others();
    fail_creates(&l);
    refuse_memory(&l);
    fail_exchanges(&l, &m);
    fail_later(&l, &m);
    come_late(&l, &m);
    try_two();
    measure_all();
    read_what_was_measured();
    mirror_free(&m);
    refuse_devices(&l);
    refuse_bytes(&l);
    arrays_free(&s);
    layout_free(&l);
    return check_verdict("NCCL");
}
