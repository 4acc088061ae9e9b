#define _POSIX_C_SOURCE 200809L /* setenv */
#include "trial.h"

#include "arrays.h"
#include "carry.h"
#include "cases.h"
#include "check.h"
#include "values.h"

#include <hx/window.h>

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const transports[] = {"p2p", "persistent", "neighbor", "shared"};
/* Which take longer to make than to use. */
static const char *const windows[] = {
    "rma",         "rma-get", "rma-fence", "rma-pscw", "mixed",
#if MPI_VERSION >= 4
    "partitioned",
#endif
};
enum { TRANSPORTS = sizeof transports / sizeof *transports, WINDOWS = sizeof windows / sizeof *windows };
static const char *const schedules[] = {"one-phase", "by-dimension"};

static long runs;
static long runs_by_dimension;
static long trials;
static long swept; /* handles; see trial_count_sweeps */

/* Asks whether an exchange is through, without finish; transports that cannot tell say so. */
static void test_until_done(hx_handle *handle, int exchange)
{
    const double begin = MPI_Wtime();
    int done = 0;
    hx_status status = HX_OK;
    while (!done && status == HX_OK && MPI_Wtime() - begin < 60.0) {
        status = hx_test(handle, exchange, &done);
        sched_yield();
    }
    const bool waits = status == HX_ERR_STATE && strstr(hx_last_error(), "waits inside MPI, in finish");
    CHECK(done || waits, "tests of an exchange end with %s: %s", hx_status_name(status), hx_last_error());
}

/*
 * All exchanges of a handle, each on fields that no other has filled before; and each once more, because
 * exchanging twice is exchanging once.  The second time without the fields that it does not name.
 */
static void exchange_all(hx_handle *handle, arrays *s, int salt, bool by_hand)
{
    const hx_spec *spec = s->layout->spec;
    MPI_Comm comm = s->layout->blocks.comm;
    for (int x = 0; x < spec->exchanges; ++x) {
        if (HX_RETURNS(spec->exchange[x].operation)) {
            continue; /* see adjoint.h */
        }
        arrays_fill(s, (salt + x) % 8);
        CHECK_STATUS(hx_start(handle, x, s->pointers), HX_OK);
        CHECK(!by_hand || carry(handle, x, comm) >= 0, "%s", hx_last_error());
        CHECK_STATUS(hx_finish(handle, x), HX_OK);
        arrays_expect(s, x);
        arrays_check(s, spec->exchange[x].name);
        CHECK(!getenv("HX_AUDIT") || hx_audit(handle, x, s->pointers) == HX_OK, "%s", hx_last_error());
        CHECK_STATUS(hx_start(handle, x, arrays_of_exchange(s, x)), HX_OK);
        CHECK(!by_hand || carry(handle, x, comm) >= 0, "%s", hx_last_error());
        if (runs % 4 == 1) {
            test_until_done(handle, x);
        }
        CHECK_STATUS(hx_finish(handle, x), HX_OK);
        arrays_check(s, "twice");
    }
}

static int rounds_of(const hx_spec *spec)
{
    int rounds = 0;
    for (int f = 0; f < spec->fields; ++f) {
        const int wanted = value_rounds(&spec->field[f]);
        rounds = wanted > rounds ? wanted : rounds;
    }
    return rounds;
}

static void say_about(const layout *l, const char *transport, const char *schedule, const char *whose)
{
    char partition[LAYOUT_TILES][256] = {""};
    for (int t = 0; t < l->spec->tiles; ++t) {
        cases_print(&l->partition[t], partition[t], sizeof partition[t]);
    }
    check_about("%s, %s %s, padding %d, %s, %s, %s", l->spec->name, partition[0], partition[1], l->padding,
                transport, schedule, whose);
}

/* Does a line about copies tell of halos filled in one walk? */
static bool is_swept(const char *description)
{
    static const char copying[] = "    copying:";
    bool found = false;
    for (const char *line = description; (line = strstr(line, copying)) && !found; ++line) {
        const char *walk = strstr(line, "in one walk");
        found = walk && walk < strchr(line, '\n');
    }
    return found;
}

static hx_handle *create(const layout *l, const char *transport, const char *schedule)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.schedule = schedule;
    options.deadline = 60.0;
    options.check = (int)(runs % 3 == 0);
    options.threads = 1 + (int)(runs % 5); /* work is divided if it is enough: see property_eager */
    options.team = check_team();
    hx_handle *handle = NULL;
    if (CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        const char *description = hx_describe(handle);
        CHECK(!strstr(description, "not as chosen"), "%s", description);
        swept += is_swept(description);
    }
    return handle;
}

static void exchange_in_rounds(hx_handle *handle, arrays *s, bool by_hand)
{
    for (int round = 0; round < rounds_of(s->layout->spec); ++round) {
        exchange_all(handle, s, (int)(runs + round) % 8, by_hand);
    }
}

/* Whether an exchange went by dimension. */
static bool run_with(const layout *l, arrays *s, const char *transport, const char *schedule)
{
    bool by_dimension = false;
    say_about(l, transport, schedule, "arrays of the test");
    hx_handle *handle = create(l, transport, schedule);
    if (handle) {
        exchange_in_rounds(handle, s, strcmp(transport, "manual") == 0);
        for (int x = 0; x < l->spec->exchanges; ++x) {
            hx_traffic traffic = {0};
            CHECK_STATUS(hx_traffic_of(handle, x, &traffic), HX_OK);
            by_dimension = by_dimension || traffic.phases > 1;
        }
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    ++runs;
    runs_by_dimension += by_dimension;
    return by_dimension;
}

/* With arrays that libhx allocates. */
static void run_allocated(const layout *l, oracle_topology *topology, const char *transport,
                          const char *schedule)
{
    say_about(l, transport, schedule, "arrays of hx_alloc");
    hx_handle *handle = create(l, transport, schedule);
    if (handle) {
        arrays s;
        arrays_alloc(&s, l, topology, handle);
        exchange_in_rounds(handle, &s, false);
        arrays_free(&s);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    ++runs;
}

/* In a window that its handle knows, beginning anywhere: MPI's parts begin where the one before ends. */
static void run_in_window(const layout *l, oracle_topology *topology, const char *transport,
                          const char *schedule)
{
    enum { ALIGNMENT = 64 };
    say_about(l, transport, schedule, "arrays in a window");
    hx_window_request request = HX_WINDOW_REQUEST_INIT;
    request.memory = HX_WINDOW_PARTS;
    request.ways = HX_WINDOW_NODE;
    request.extent[0] = (int64_t)arrays_bytes(l) + ALIGNMENT;
    hx_window *window = NULL;
    CHECK_STATUS(hx_window_create(l->blocks.comm, &request, &window), HX_OK);
    hx_handle *handle = create(l, transport, schedule);
    if (handle && window && CHECK_STATUS(hx_register(handle, window), HX_OK)) {
        hx_window_facts facts;
        void *part = NULL;
        int64_t bytes = 0;
        hx_window_query(window, &facts);
        CHECK_STATUS(hx_window_pointer(window, facts.node_rank, &part, &bytes), HX_OK);
        arrays s;
        arrays_place(&s, l, topology,
                     (unsigned char *)part + (ALIGNMENT - (uintptr_t)part % ALIGNMENT) % ALIGNMENT);
        exchange_in_rounds(handle, &s, strcmp(transport, "manual") == 0);
        arrays_free(&s);
        CHECK_STATUS(hx_unregister(handle, window), HX_OK);
    }
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK_STATUS(hx_window_free(&window), HX_OK);
    ++runs;
}

/* By which transport arrays in a window travel: every other time as by default. */
static const char *transport_of(long number)
{
    static const char *const others[] = {
        "p2p",
        "persistent",
        "neighbor",
        "shared",
        "manual",
        "rma",
        "rma-get",
        "rma-fence",
        "rma-pscw",
        "mixed",
#if MPI_VERSION >= 4
        "partitioned",
#endif
    };
    return number % 2 == 0 ? "auto" : others[number / 2 % (long)(sizeof others / sizeof *others)];
}

void trial_run(const layout *l, oracle_topology *topology)
{
    arrays s;
    bool by_dimension = false;
    arrays_make(&s, l, topology);
    for (int t = 0; t < TRANSPORTS; ++t) {
        by_dimension = run_with(l, &s, transports[t], schedules[(t + trials) % 2]) || by_dimension;
    }
    if (trials % 16 == 0) {
        run_with(l, &s, windows[trials / 16 % WINDOWS], schedules[trials / 32 % 2]);
    }
    if (by_dimension) { /* else both schedules are the same */
        const int t = (int)(trials / 2 % TRANSPORTS);
        run_with(l, &s, transports[t], schedules[(t + trials + 1) % 2]);
    }
    if (trials % 4 == 2) {
        run_with(l, &s, "manual", schedules[trials / 4 % 2]);
    }
    if (trials % 32 == 8) {
        setenv("HX_TUNE", "1", 1);
        run_with(l, &s, "auto", "auto");
        unsetenv("HX_TUNE");
    }
    arrays_free(&s);
    const long k = trials / 8;
    if (trials % 8 == 0) {
        run_allocated(l, topology, "auto", schedules[k % 2]);
    } else if (trials % 8 == 4) {
        run_in_window(l, topology, transport_of(k), schedules[k % 2]);
    }
    ++trials;
}

long trial_count_by_dimension(void)
{
    return runs_by_dimension;
}

long trial_count(void)
{
    return runs;
}

long trial_count_sweeps(void)
{
    long all = 0;
    MPI_Allreduce(&swept, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
