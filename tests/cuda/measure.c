/*
 * What create makes of what it measures of messages of devices: each rank has a clock of its own, which goes
 * on when an exchange is finished, by as much as the test says.
 *
 * usage: cuda_measure, on 2 ranks
 */
#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "check.h"
#include "exchange/handle.h"
#include "pair.h"

#include <fake.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hx_spec mixed_spec, upwind_spec;

enum { ALL, BOTH, HOST, STAR }; /* exchanges of mixed.lua; all fields of the last lie on the device */

static int rank;
static layout grid;
static char path[64];

/* ---- time ---------------------------------------------------------------------------------------------- */

static double now;
static double mapped; /* microseconds of an exchange, on this rank */
static double copied;
static int started;  /* exchanges */
static int fails_at; /* the start that fails on rank 1; 0: none */

double __wrap_hxi_clock(void);
hx_status __real_hx_start_on(hx_handle *h, int exchange, const void *fields, hx_stream stream);
hx_status __wrap_hx_start_on(hx_handle *h, int exchange, const void *fields, hx_stream stream);
hx_status __real_hx_finish_on(hx_handle *h, int exchange, hx_stream stream);
hx_status __wrap_hx_finish_on(hx_handle *h, int exchange, hx_stream stream);

double __wrap_hxi_clock(void)
{
    now += fails_at > 0 && started >= fails_at ? 0.1 : 0.0; /* who waits for a rank that failed gives up */
    return now;
}

hx_status __wrap_hx_start_on(hx_handle *h, int exchange, const void *fields, hx_stream stream)
{
    return ++started == fails_at && rank == 1 ? hxi_fail(HX_ERR_DEVICE, "This start fails by design.")
                                              : __real_hx_start_on(h, exchange, fields, stream);
}

hx_status __wrap_hx_finish_on(hx_handle *h, int exchange, hx_stream stream)
{
    const hx_status status = __real_hx_finish_on(h, exchange, stream);
    const hxi_messages messages = h->plan[exchange].placing.messages;
    now += 1e-6 * (messages == HX_MESSAGES_COPIED ? copied : mapped);
    return status;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

static const char *large; /* the fields whose arrays have 1.5 GiB in words, by their first letters */

size_t __real_hxi_block_bytes(const hx_spec *spec, const hxi_block *block, int field);
size_t __wrap_hxi_block_bytes(const hx_spec *spec, const hxi_block *block, int field);

size_t __wrap_hxi_block_bytes(const hx_spec *spec, const hxi_block *block, int field)
{
    return large && strchr(large, spec->field[field].name[0]) ? (size_t)3 << 29
                                                              : __real_hxi_block_bytes(spec, block, field);
}

/* ---- handles ------------------------------------------------------------------------------------------- */

static hx_options options_of(const char *messages, const char *file)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "persistent";
    options.tune = 1;
    options.device_messages = messages;
    options.tune_file = file;
    return options;
}

static hx_handle *create(const hx_options *options)
{
    hx_handle *handle = NULL;
    started = 0;
    CHECK_STATUS(hx_create(grid.spec, &grid.blocks, grid.shapes, options, &handle), HX_OK);
    return handle;
}

static void destroy(hx_handle *handle)
{
    pair_exchange_once(&grid, handle, STAR);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
}

/* Does the description of an exchange have this? */
static bool tells(hx_handle *handle, int exchange, const char *text)
{
    char title[64];
    snprintf(title, sizeof title, "  exchange %s (", grid.spec->exchange[exchange].name);
    const char *begin = strstr(hx_describe(handle), title);
    const char *end = begin ? strstr(begin + 1, "\n  exchange ") : NULL;
    const char *found = begin ? strstr(begin, text) : NULL;
    return found && (!end || found < end);
}

static void expect(hx_handle *handle, int exchange, const char *text)
{
    CHECK(tells(handle, exchange, text), "not \"%s\" of exchange %d in %s", text, exchange,
          hx_describe(handle));
}

/* ---- what came of it ----------------------------------------------------------------------------------- */

static void take_the_fastest(void)
{
    const hx_options options = options_of("auto", NULL);
    check_about("the fastest");
    mapped = 20.0;
    copied = 10.0;
    hx_handle *handle = create(&options);
    expect(handle, STAR, "    measured: copied 10.0 us, mapped 20.0 us\n");
    expect(handle, STAR,
           "    messages copied: device 0 writes and reads them in 2560 bytes of its memory, 1 copy to ");
    expect(handle, STAR, "and 1 back (as was measured)\n");
    expect(handle, ALL, "which MPI sends (the default)\n");
    CHECK(!tells(handle, ALL, "measured: ") && !tells(handle, BOTH, "measured: "), "%s", hx_describe(handle));
    expect(handle, HOST, "measured: ");
    destroy(handle);
    copied = 19.5; /* not so much faster */
    handle = create(&options);
    expect(handle, STAR, "    measured: mapped 20.0 us, copied 19.5 us\n");
    expect(handle, STAR, "    messages mapped: ");
    expect(handle, STAR, "which MPI sends (as was measured)\n");
    destroy(handle);
}

/* The slowest rank counts. */
static void agree(void)
{
    const hx_options options = options_of("auto", NULL);
    check_about("ranks that differ");
    mapped = rank == 0 ? 10.0 : 50.0;
    copied = rank == 0 ? 30.0 : 20.0;
    hx_handle *handle = create(&options);
    expect(handle, STAR, "    measured: copied 30.0 us, mapped 50.0 us\n");
    destroy(handle);
}

static void measure_no_more_than_asked_for(void)
{
    mapped = 10.0;
    copied = 1.0;
    static const char *const ways[] = {"mapped", "copied", "aware"};
    for (int i = 0; i < 3; ++i) {
        char why[100];
        const hx_options options = options_of(ways[i], NULL);
        check_about("%s", ways[i]);
        fake_set_host_access(strcmp(ways[i], "aware") == 0);
        hx_handle *handle = create(&options);
        CHECK(started == 0, "%d exchanges of devices were run", started);
        snprintf(why, sizeof why, "    messages %s: ", ways[i]);
        expect(handle, STAR, why);
        expect(handle, STAR, "(option device_messages)\n");
        expect(handle, ALL,
               i == 0 ? "(option device_messages)\n"
                      : "which MPI sends (the same messages carry fields of the host)\n");
        destroy(handle);
    }
    fake_set_host_access(false);
    hx_options options = options_of("auto", NULL);
    options.tune = 0;
    hx_handle *handle = create(&options);
    expect(handle, STAR,
           "    messages mapped: device 0 writes and reads them in 2560 bytes of pinned memory of the host, "
           "which MPI sends (the default)\n");
    CHECK(started == 0, "%d exchanges of devices were run", started);
    destroy(handle);
}

/* Messages that are in no buffer lie in one way. */
static void measure_no_boxes(void)
{
    hx_options options = options_of("auto", NULL);
    options.transport = "auto";
    check_about("boxes");
    hx_handle *handle = create(&options);
    CHECK(started == 0, "%d exchanges of devices were run", started);
    expect(handle, STAR, "    messages by ipc: device 0 writes them into the memory of ");
    CHECK(strstr(hx_describe(handle),
                 "  device 0: messages have 0 bytes of pinned memory of the host, and those from "
                 "other ranks of the node 2097152 bytes of its own\n"),
          "%s", hx_describe(handle));
    CHECK(!tells(handle, STAR, "measured: ") && !tells(handle, STAR, "pinned"), "%s", hx_describe(handle));
    expect(handle, HOST, "measured: ");
    destroy(handle);
}

/*
 * Arrays that trials lend each other are not opened by other ranks: the trial that did so would be gone
 * before it closed them.  Some messages have buffers, which is measured, while others go both ways.
 */
static void measure_some_boxes(void)
{
    layout l;
    hx_handle *handle = NULL;
    hx_options options = options_of("auto", NULL);
    options.transport = "auto";
    check_about("buffers beside boxes");
    pair_layout(&l, &upwind_spec);
    const long before = fake_left();
    started = 0;
    if (CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK)) {
        const char *about = hx_describe(handle);
        CHECK(started > 0 && strstr(about, "measured: ") && strstr(about, "    messages by ipc: "), "%s",
              about);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
    layout_free(&l);
}

/* Whose arrays are too large is not measured; all others are, and have memory for theirs alone. */
static void leave_out_the_large(void)
{
    static const char device[] =
        "    not measured: its arrays, with those of what is measured, have more than "
        "2147483648 bytes on a rank's device\n";
    const hx_options options = options_of("auto", NULL);
    mapped = 20.0;
    copied = 10.0;
    check_about("large on the device");
    large = "uv";
    hx_handle *handle = create(&options);
    CHECK(started == 0, "%d exchanges of devices were run", started);
    expect(handle, STAR, device);
    expect(handle, STAR, "which MPI sends (the default)\n");
    expect(handle, HOST, "    measured: ");
    large = NULL;
    destroy(handle);
    check_about("large, but not measured");
    large = "q";
    handle = create(&options);
    expect(handle, STAR, "    measured: copied 10.0 us, mapped 20.0 us\n");
    expect(handle, HOST, "    measured: ");
    large = NULL;
    destroy(handle);
    check_about("large on the host");
    large = "r";
    handle = create(&options);
    expect(handle, STAR, "    measured: copied 10.0 us, mapped 20.0 us\n");
    expect(handle, HOST,
           "    not measured: its arrays, with those of what is measured, have more than 268435456 "
           "bytes on a rank\n");
    large = NULL;
    destroy(handle);
}

static void keep_in_file(void)
{
    const hx_options options = options_of("auto", path);
    check_about("the file");
    snprintf(path, sizeof path, "/tmp/hx-messages-%ld", (long)getpid());
    mapped = 20.0;
    copied = 10.0;
    destroy(create(&options));
    copied = 30.0; /* what is stored counts */
    hx_handle *handle = create(&options);
    CHECK(started == 0, "%d exchanges of devices were run", started);
    expect(handle, STAR, "    measured before: copied 10.0 us, mapped 20.0 us (");
    expect(handle, STAR, "and 1 back (as was measured before)\n");
    destroy(handle);
    unlink(path);
}

static void fail(void)
{
    const hx_options options = options_of("auto", NULL);
    mapped = 20.0;
    copied = 10.0;
    for (int n = 1; n < 12; n += 5) {
        check_about("start %d fails", n);
        fails_at = n;
        hx_handle *handle = create(&options);
        CHECK(strstr(hx_describe(handle), "  nothing was measured (option tune): Rank "), "%s",
              hx_describe(handle));
        expect(handle, STAR, "    messages mapped: ");
        fails_at = 0;
        destroy(handle);
        fake_forget(); /* what a failure leaves where it is */
    }
}

static void differ(void)
{
    const hx_options options = options_of(rank == 0 ? "auto" : "copied", NULL);
    hx_handle *handle = NULL;
    check_about("options that differ");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create(grid.spec, &grid.blocks, grid.shapes, &options, &handle),
                  HX_ERR_MISMATCH,
                  "option device_messages \"copied\".  Rank 0: option device_messages \"auto\"");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pair_layout(&grid, &mixed_spec);
    take_the_fastest();
    agree();
    measure_no_more_than_asked_for();
    measure_no_boxes();
    measure_some_boxes();
    leave_out_the_large();
    keep_in_file();
    differ();
    CHECK(fake_left() == 0, "%ld things of the device were not given back", fake_left());
    fail();
    layout_free(&grid);
    return check_verdict("what is measured of messages of devices");
}
