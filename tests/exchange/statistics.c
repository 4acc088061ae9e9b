/*
 * A run of known work, for statistics.py: when each rank came to each exchange and left it, by its own clock and by the
 * events of libhx, beside what HX_STATS tells.
 *
 * usage: statistics FOLDER STEPS WORK MORE [late|open|now]
 *
 * Each rank works WORK microseconds a step, and rank 1 MORE more.  A machine that does something else takes the
 * processor away at any moment, so for how long it did is written down, too.  late: rank 1 comes to MPI_Finalize when others
 * have given it up, after more than twice HX_DEADLINE.  open: the handle is never destroyed.  now: in the middle statistics go to FOLDER/now.json.
 */
#include "cases.h"
#include "check.h"
#include "numbers.h"
#include "specs.h"

#include <hx/observe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double late; /* seconds */

int MPI_Finalize(void)
{
    if (late > 0.0) {
        const time_t seconds = (time_t)late;
        nanosleep(&(struct timespec){.tv_sec = seconds, .tv_nsec = (long)(1e9 * (late - (double)seconds))},
                  NULL);
    }
    return PMPI_Finalize();
}

/* What libhx tells of a start and its finish, in seconds. */
typedef struct events {
    double start;
    double finish;
    double finished;
    double pack;
    double copy;
    double unpack;
    double busy; /* with these three between finish and finished */
} events;

/* What there is of a call. */
typedef struct call {
    int exchange;
    double started;
    double finishing;
    double ended;
    events told;
} call;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double stolen; /* seconds for which something else had this processor while it worked */

static void work(double seconds)
{
    const double begun = now();
    double last = begun;
    while (last < begun + seconds) {
        const double time = now();
        stolen += time - last > 1e-4 ? time - last : 0.0;
        last = time;
    }
}

static double move(double *of_kind, const hx_event *event)
{
    const double seconds = event->seconds - event->since;
    *of_kind += seconds;
    return seconds;
}

static void observe(void *context, const hx_event *event)
{
    events *e = context;
    switch (event->kind) {
    case HX_EVENT_START:
        *e = (events){.start = event->seconds};
        break;
    case HX_EVENT_PACKED:
        e->busy += move(&e->pack, event);
        break;
    case HX_EVENT_COPIED:
        e->busy += move(&e->copy, event);
        break;
    case HX_EVENT_UNPACKED:
    case HX_EVENT_FILLED:
        e->busy += move(&e->unpack, event);
        break;
    case HX_EVENT_FINISH:
        e->finish = event->seconds;
        e->busy = 0.0;
        break;
    case HX_EVENT_FINISHED:
        e->finished = event->seconds;
        break;
    default:
        break;
    }
}

static events under_way; /* one exchange at a time */

static call run_exchange(hx_handle *handle, int exchange, const numbers *n, double between)
{
    call c = {.exchange = exchange, .started = now()};
    CHECK_STATUS(hx_start(handle, exchange, n->pointers), HX_OK);
    work(between);
    c.finishing = now();
    CHECK_STATUS(hx_finish(handle, exchange), HX_OK);
    c.ended = now();
    c.told = under_way;
    return c;
}

/* Ranks whose messages it waits for, one for each link. */
static void print_peers(FILE *out, hx_handle *handle, int exchange)
{
    hx_traffic t;
    int count = 0;
    CHECK_STATUS(hx_traffic_of(handle, exchange, &t), HX_OK);
    CHECK_STATUS(hx_links(handle, exchange, NULL, &count), HX_OK);
    hx_link *link = calloc((size_t)count + 1, sizeof *link);
    CHECK(link && hx_links(handle, exchange, link, &count) == HX_OK, "no links");
    fprintf(out, "exchange %d %s %d %llu %llu", exchange, specs[0]->exchange[exchange].name, t.messages,
            (unsigned long long)t.bytes_sent, (unsigned long long)t.bytes_copied);
    for (int i = 0; i < count; ++i) {
        if (link[i].incoming) {
            fprintf(out, " %d", link[i].peer);
        }
    }
    fprintf(out, "\n");
    free(link);
}

static void print_calls(const char *folder, int rank, hx_handle *handle, const call *calls, int count)
{
    char path[512];
    snprintf(path, sizeof path, "%s/calls-%d", folder, rank);
    FILE *out = fopen(path, "w");
    if (!out) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int e = 0; e < specs[0]->exchanges; ++e) {
        print_peers(out, handle, e);
    }
    fprintf(out, "stolen %.9f\n", stolen);
    for (int i = 0; i < count; ++i) {
        const events *e = &calls[i].told;
        fprintf(out, "call %d %.9f %.9f %.9f", calls[i].exchange, calls[i].started, calls[i].finishing,
                calls[i].ended);
        fprintf(out, " %.9f %.9f %.9f %.9f %.9f %.9f %.9f\n", e->start, e->finish, e->finished, e->pack,
                e->copy, e->unpack, e->busy);
    }
    fclose(out);
}

static const char *now_asked; /* a folder */

/* Who asks for statistics that nobody counts is told so. */
static void ask_now(hx_handle *handle)
{
    char path[512];
    const char *counted = getenv("HX_STATS");
    snprintf(path, sizeof path, "%s/now.json", now_asked);
    if (counted && strcmp(counted, "0") != 0) {
        CHECK_STATUS(hx_stats(handle, path), HX_OK);
        CHECK_STATUS(hx_stats(handle, NULL), HX_OK);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_stats(handle, "/nowhere/now.json"), HX_ERR_ARGUMENT,
                      "/nowhere/now.json");
    } else {
        CHECK_REFUSED(MPI_COMM_WORLD, hx_stats(handle, path), HX_ERR_STATE, "set HX_STATS=1");
    }
}

/* The second exchange comes every third step; half of the work of a step lies between start and finish of the
 * first. */
static int run_steps(hx_handle *handle, const numbers *n, int steps, double seconds, call *calls)
{
    int count = 0;
    for (int step = 0; step < steps; ++step) {
        if (now_asked && step == steps / 2) {
            ask_now(handle);
        }
        work(seconds / 2.0);
        calls[count++] = run_exchange(handle, 0, n, seconds / 2.0);
        if (step % 3 == 0) {
            calls[count++] = run_exchange(handle, 1, n, 0.0);
        }
    }
    return count;
}

/* Of large cells, and along both axes, so that by dimension both phases have messages, if ranks suffice. */
static void choose_partition(cases *c, int ranks, hx_partition partition[])
{
    cases_make(c, specs[0], ranks);
    for (size_t i = 40; i < 100; ++i) {
        cases_get(c, i, 100, partition);
        if (ranks < 4 || (partition->ranks[0] > 1 && partition->ranks[1] > 1)) {
            return;
        }
    }
}

int main(int argc, char **argv)
{
    int rank = 0;
    int ranks = 0;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    if (argc < 5) {
        return 2;
    }
    const int steps = atoi(argv[2]);
    const char *mode = argc > 5 ? argv[5] : "";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    now_asked = strcmp(mode, "now") == 0 ? argv[1] : NULL;
    const char *deadline = getenv("HX_DEADLINE");
    late = rank == 1 && strcmp(mode, "late") == 0 && deadline ? 2.5 * atof(deadline) : 0.0;

    hx_partition partition[LAYOUT_TILES];
    cases c;
    layout l;
    numbers n;
    hx_handle *handle = NULL;
    choose_partition(&c, ranks, partition);
    CHECK_STATUS(hx_observe(observe, &under_way), HX_OK);
    layout_make(&l, &(layout_request){.spec = specs[0], .comm = MPI_COMM_WORLD, .partition = partition});
    if (CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, NULL, &handle), HX_OK)) {
        numbers_make(&n, &l);
        call *calls = calloc(2 * (size_t)steps + 1, sizeof *calls);
        const double seconds = 1e-6 * (atof(argv[3]) + (rank == 1 ? atof(argv[4]) : 0.0));
        const int count = run_steps(handle, &n, steps, seconds, calls);
        print_calls(argv[1], rank, handle, calls, count);
        free(calls);
        numbers_free(&n);
        if (strcmp(mode, "open") != 0) {
            CHECK_STATUS(hx_destroy(handle), HX_OK);
        }
    }
    layout_free(&l);
    return check_verdict("statistics");
}
