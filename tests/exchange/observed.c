/*
 * What an observer is told (hx/observe.h): the order of the events, and messages, bytes and peers as hx_traffic_of
 * and the other end have them, for each transport and schedule.
 */
#include "check.h"
#include "exchange/handle.h"
#include "numbers.h"
#include "specs.h"

#include <hx/observe.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 3, RANKS = 8, MOST = 8 /* exchanges */ };

typedef struct seen {
    const hx_observed *handle;
    double last; /* event's seconds */
    int events;
    int inside;    /* HX_EVENT_START or HX_EVENT_FINISH of the call under way; 0: none */
    double called; /* when that was */
    int waits;     /* 1 + the exchange whose finish does; 0: none */
    bool destroyed;
    long starts[MOST], finishes[MOST], failures, refused;
    long sent[MOST], sent_bytes[MOST], copied[MOST], direct;
    /* By peer: messages and bytes, of all exchanges. */
    double to[RANKS][2], from[RANKS][2];
} seen;

static int rank;
static int ranks;

static void see_call(seen *s, const hx_event *e)
{
    const bool begins = e->kind == HX_EVENT_START || e->kind == HX_EVENT_FINISH;
    const int pair = e->kind == HX_EVENT_STARTED ? HX_EVENT_START : HX_EVENT_FINISH;
    if (begins) {
        CHECK(s->inside == 0, "a call begins in another one");
        s->inside = e->kind;
        s->called = e->seconds;
    } else {
        CHECK(s->inside == pair, "a call ends that did not begin");
        CHECK(e->since == s->called, "a call began at %g, not at %g", s->called, e->since);
        s->inside = 0;
    }
    long *count = pair == HX_EVENT_START ? s->starts : s->finishes;
    if (!begins && e->status == HX_OK) {
        CHECK(e->start == (uint64_t)count[e->exchange], "this is start %llu", (unsigned long long)e->start);
        count[e->exchange]++;
    }
    s->refused += !begins && e->status != HX_OK;
}

static void see_message(seen *s, const hx_event *e)
{
    CHECK(e->peer >= 0 && e->peer < s->handle->ranks && e->peer != s->handle->rank, "peer %d", e->peer);
    CHECK(e->bytes > 0 && e->transport && e->transport[0] != '\0', "a message of nothing");
    CHECK(s->inside != 0, "a message outside of a call");
    if (e->kind == HX_EVENT_SENT) {
        s->sent[e->exchange]++;
        s->sent_bytes[e->exchange] += (long)e->bytes;
        s->to[e->peer][0]++;
        s->to[e->peer][1] += (double)e->bytes;
        s->direct += e->direct;
    } else if (e->kind == HX_EVENT_UNPACKED) {
        CHECK(s->inside == HX_EVENT_FINISH, "unpacked outside of finish");
        CHECK(s->waits != 1 + e->exchange, "unpacked while it waits");
        s->from[e->peer][0]++;
        s->from[e->peer][1] += (double)e->bytes;
    }
}

static void see_wait(seen *s, const hx_event *e)
{
    CHECK(s->inside == HX_EVENT_FINISH, "a wait outside of finish");
    CHECK((s->waits != 0) == (e->kind == HX_EVENT_WAITED), "waits do not alternate");
    s->waits = e->kind == HX_EVENT_WAIT ? 1 + e->exchange : 0;
}

static void see(void *context, const hx_event *e)
{
    seen *s = context;
    CHECK(s->events++ == 0 ? e->kind == HX_EVENT_CREATED : e->kind != HX_EVENT_CREATED,
          "create is not first");
    s->handle = e->kind == HX_EVENT_CREATED ? e->handle : s->handle;
    CHECK(e->size == sizeof *e && e->handle == s->handle && !s->destroyed, "no event of this handle");
    /* Spans are told when they end. */
    CHECK(e->since <= e->seconds, "an event ends before it began");
    CHECK(e->seconds >= s->last, "time goes back");
    s->last = e->seconds;
    switch (e->kind) {
    case HX_EVENT_START:
    case HX_EVENT_STARTED:
    case HX_EVENT_FINISH:
    case HX_EVENT_FINISHED:
        see_call(s, e);
        break;
    case HX_EVENT_PACKED:
    case HX_EVENT_SENT:
    case HX_EVENT_UNPACKED:
        see_message(s, e);
        break;
    case HX_EVENT_COPIED:
        s->copied[e->exchange] += (long)e->bytes;
        break;
    case HX_EVENT_WAIT:
    case HX_EVENT_WAITED:
        see_wait(s, e);
        break;
    case HX_EVENT_FAILED:
        s->failures++;
        CHECK(e->status == HX_ERR_DEADLINE && strstr(hx_last_error(), "waits"), "failed: %s",
              hx_last_error());
        break;
    case HX_EVENT_DESTROYED:
        s->destroyed = true;
        break;
    default:
        break;
    }
}

/* What this rank saw of the others is what they saw of it. */
static void compare_ends(const seen *s)
{
    for (int r = 0; r < ranks; ++r) {
        double theirs[2] = {0.0, 0.0};
        MPI_Sendrecv(s->from[r], 2, MPI_DOUBLE, r, 0, theirs, 2, MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        CHECK(theirs[0] == s->to[r][0] && theirs[1] == s->to[r][1],
              "rank %d unpacked %g messages of %g bytes; %g of %g were sent", r, theirs[0], theirs[1],
              s->to[r][0], s->to[r][1]);
    }
}

static void compare_traffic(const seen *s, hx_handle *handle, int exchange)
{
    hx_traffic t;
    CHECK_STATUS(hx_traffic_of(handle, exchange, &t), HX_OK);
    CHECK(s->starts[exchange] == CALLS && s->finishes[exchange] == CALLS, "%ld starts", s->starts[exchange]);
    CHECK(s->sent[exchange] == CALLS * t.messages, "%ld messages, not %d times %d", s->sent[exchange], CALLS,
          t.messages);
    CHECK(s->sent_bytes[exchange] == CALLS * (long)t.bytes_sent, "%ld bytes sent", s->sent_bytes[exchange]);
    CHECK(s->copied[exchange] == CALLS * (long)t.bytes_copied, "%ld bytes copied", s->copied[exchange]);
}

static void make_layout(layout *l)
{
    hx_partition partition[LAYOUT_TILES];
    partition[0] = (hx_partition){.axes = 3, .cells = {20, 20 * ranks, 20}, .ranks = {1, ranks, 1}};
    layout_make(l, &(layout_request){.spec = specs[0], .comm = MPI_COMM_WORLD, .partition = partition});
}

/* Two messages on their way at once, and several calls. */
static void exchange_all(hx_handle *handle, const hx_spec *spec, const void *pointers)
{
    for (int i = 0; i < CALLS; ++i) {
        for (int e = 0; e < spec->exchanges; ++e) {
            CHECK_STATUS(hx_start(handle, e, pointers), HX_OK);
        }
        for (int e = 0; e < spec->exchanges; ++e) {
            CHECK_STATUS(hx_finish(handle, e), HX_OK);
        }
    }
}

static void observe_run(const char *transport, const char *schedule, int check)
{
    check_about("%s, %s, check %d", transport, schedule, check);
    static layout l;
    static seen s;
    static seen other; /* which is not told: it was taken away */
    s = (seen){0};
    hx_handle *handle = NULL;
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.schedule = schedule;
    options.check = check;
    make_layout(&l);
    CHECK_STATUS(hx_observe(see, &other), HX_OK);
    CHECK_STATUS(hx_observe(see, &s), HX_OK);
    CHECK_STATUS(hx_unobserve(see, &other), HX_OK);
    if (CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK)) {
        CHECK_STATUS(hx_unobserve(see, &s), HX_OK);
        void *pointers = calloc((size_t)l.blocks.count, l.spec->fields_size);
        CHECK_STATUS(hx_alloc(handle, pointers), HX_OK);
        exchange_all(handle, l.spec, pointers);
        for (int e = 0; e < l.spec->exchanges; ++e) {
            compare_traffic(&s, handle, e);
        }
        compare_ends(&s);
        CHECK(s.handle->spec == l.spec && s.handle->rank == rank && s.handle->ranks == ranks,
              "another handle");
        CHECK(ranks == 1 || strcmp(transport, "shared") != 0 || check || s.direct > 0,
              "no message went straight into arrays");
        CHECK_STATUS(hx_start(handle, 0, pointers), HX_OK);
        CHECK_STATUS(hx_start(handle, 0, pointers), HX_ERR_STATE);
        CHECK_STATUS(hx_finish(handle, 0), HX_OK);
        free(pointers);
        CHECK(s.refused == 1 && s.failures == 0, "%ld refused, %ld failed", s.refused, s.failures);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        CHECK(s.destroyed && other.events == 0, "%d events of one that was taken away", other.events);
    }
    layout_free(&l);
}

/* ---- some kinds only ----------------------------------------------------------------------------------- */

typedef struct few {
    uint64_t kinds;
    double begun; /* before create */
    long told;
    size_t bytes;
} few;

/* Also where nobody wants the events before it, an event has its times. */
static void see_few(void *context, const hx_event *e)
{
    static const uint64_t spans =
        HX_EVENT_BIT(HX_EVENT_CREATED) | HX_EVENT_BIT(HX_EVENT_PACKED) | HX_EVENT_BIT(HX_EVENT_SENT) |
        HX_EVENT_BIT(HX_EVENT_COPIED) | HX_EVENT_BIT(HX_EVENT_STARTED) | HX_EVENT_BIT(HX_EVENT_WAITED) |
        HX_EVENT_BIT(HX_EVENT_UNPACKED) | HX_EVENT_BIT(HX_EVENT_FILLED) | HX_EVENT_BIT(HX_EVENT_FINISHED);
    few *f = context;
    const uint64_t kind = HX_EVENT_BIT(e->kind);
    CHECK((f->kinds & kind) != 0, "kind %d, which was not asked for", e->kind);
    CHECK(e->seconds > f->begun && e->since <= e->seconds, "from %g to %g", e->since, e->seconds);
    CHECK((kind & spans) == 0 || e->since > f->begun, "a span from %g on", e->since);
    f->told++;
    f->bytes += e->bytes;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* How often a kind is told, of all exchanges, with how many bytes; -1, SIZE_MAX: it is not known. */
static long expect_events(hx_handle *handle, int kind, size_t *bytes)
{
    long messages = 0;
    long copies = 0;
    *bytes = 0;
    for (int e = 0; e < specs[0]->exchanges; ++e) {
        hx_traffic t;
        CHECK_STATUS(hx_traffic_of(handle, e, &t), HX_OK);
        messages += CALLS * t.messages;
        copies += t.bytes_copied > 0 ? CALLS : 0;
        *bytes += CALLS * (kind == HX_EVENT_COPIED ? t.bytes_copied : t.bytes_sent);
    }
    switch (kind) {
    case HX_EVENT_CREATED:
    case HX_EVENT_DESTROYED:
        *bytes = 0;
        return 1;
    case HX_EVENT_PACKED:
    case HX_EVENT_SENT:
        return messages;
    case HX_EVENT_UNPACKED: /* as many come as go, since ranks lie in a ring; compare_ends() looks at bytes */
        *bytes = SIZE_MAX;
        return messages;
    case HX_EVENT_COPIED:
        return copies;
    case HX_EVENT_WAIT:
    case HX_EVENT_WAITED:
        *bytes = 0;
        return -1;
    case HX_EVENT_FILLED: /* nothing to be filled */
    case HX_EVENT_FAILED:
        *bytes = 0;
        return 0;
    default:
        *bytes = 0;
        return (long)CALLS * specs[0]->exchanges;
    }
}

static void observe_few(uint64_t kinds, int kind)
{
    check_about("kind %d alone", kind);
    static layout l;
    static few f;
    f = (few){.kinds = kinds, .begun = now()};
    size_t bytes = 0;
    hx_handle *handle = NULL;
    hx_options options = HX_OPTIONS_INIT;
    options.schedule = "one-phase";
    make_layout(&l);
    CHECK_STATUS(hx_observe(see_few, &f), HX_OK);
    CHECK_STATUS(hx_observe_kinds(see_few, &f, kinds), HX_OK); /* which takes the place of all */
    if (CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK)) {
        void *pointers = calloc((size_t)l.blocks.count, l.spec->fields_size);
        CHECK_STATUS(hx_alloc(handle, pointers), HX_OK);
        exchange_all(handle, l.spec, pointers);
        free(pointers);
        const long expected = expect_events(handle, kind, &bytes);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
        CHECK(expected < 0 || f.told == expected, "%ld events, not %ld", f.told, expected);
        CHECK(bytes == SIZE_MAX || f.bytes == bytes, "%zu bytes, not %zu", f.bytes, bytes);
    }
    CHECK_STATUS(hx_unobserve(see_few, &f), HX_OK);
    layout_free(&l);
}

/* Rank 0 waits for others that do not come. */
static void observe_failure(void)
{
    check_about("a deadline");
    static layout l;
    static seen s;
    hx_handle *handle = NULL;
    make_layout(&l);
    numbers n;
    numbers_make(&n, &l);
    CHECK_STATUS(hx_observe(see, &s), HX_OK);
    CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, NULL, &handle), HX_OK);
    CHECK_STATUS(hx_unobserve(see, &s), HX_OK);
    if (rank == 0) {
        handle->options.deadline = 0.2; /* of what comes after create */
        CHECK_STATUS(hx_start(handle, 0, n.pointers), HX_OK);
        CHECK_STATUS(hx_finish(handle, 0), HX_ERR_DEADLINE);
        CHECK(s.failures == 1 && s.refused == 1 && !s.waits, "%ld failures", s.failures);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    CHECK(s.destroyed, "destroy is not told");
    numbers_free(&n);
    layout_free(&l);
}

static void check_arguments(void)
{
    static int places[5];
    check_about("arguments");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_observe(NULL, NULL), HX_ERR_ARGUMENT, "null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_unobserve(see, NULL), HX_ERR_ARGUMENT, "was not given");
    for (int i = 0; i < 4; ++i) {
        CHECK_STATUS(hx_observe(see, &places[i]), HX_OK);
        CHECK_STATUS(hx_observe(see, &places[i]), HX_OK); /* once is enough */
    }
    CHECK_REFUSED(MPI_COMM_WORLD, hx_observe(see, &places[4]), HX_ERR_LIMIT, "more than 4");
    for (int i = 0; i < 4; ++i) {
        CHECK_STATUS(hx_unobserve(see, &places[i]), HX_OK);
    }
}

int main(int argc, char **argv)
{
    static const char *const transports[] = {"shared", "persistent", "p2p",  "neighbor",
                                             "rma",    "rma-fence",  "mixed"};
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check_arguments();
    for (size_t i = 0; i < sizeof transports / sizeof transports[0]; ++i) {
        observe_run(transports[i], i % 2 == 0 ? "one-phase" : "by-dimension", i % 3 == 0);
        observe_run(transports[i], i % 2 == 0 ? "by-dimension" : "one-phase", 0);
    }
    for (int kind = HX_EVENT_CREATED; kind <= HX_EVENT_DESTROYED; ++kind) {
        observe_few(HX_EVENT_BIT(kind), kind);
    }
    observe_failure();
    return check_verdict("observed");
}
