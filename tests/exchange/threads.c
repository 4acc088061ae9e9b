/*
 * MPI initialised by the host at the thread level given as an argument.  Where MPI allows it, two threads of
 * every rank use a handle each at the same time.  Ranks wait for the exchanges of two handles in different
 * orders, too, and for those of one in a function that finish of the other calls.  Any even number of ranks.
 */
#include "arrays.h"
#include "check.h"
#include "specs.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { STEPS = 60, THREADS = 2 };

typedef struct worker {
    layout layout;
    arrays arrays;
    hx_handle *handle;
    int number;
    pthread_barrier_t *together; /* where both threads wait for each other; NULL if there is one */
} worker;

static void open_worker(worker *w, const hx_spec *spec, int number, const char *schedule)
{
    hx_partition request = {.axes = spec->axes};
    hx_options options = HX_OPTIONS_INIT;
    hx_part mine;
    options.transport = number == 0 ? "persistent" : "p2p";
    options.schedule = schedule;
    options.deadline = 30.0;
    for (int a = 0; a < spec->axes; ++a) {
        request.cells[a] = 7 + a + number;
    }
    request.ranks[0] = 2; /* neighbors in two phases */
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &request, &mine), HX_OK);
    w->number = number;
    w->together = NULL;
    layout_make_single(&w->layout, spec, MPI_COMM_WORLD, &mine, 0);
    arrays_make(&w->arrays, &w->layout, oracle_cartesian);
    CHECK_STATUS(hx_create(spec, &w->layout.blocks, w->layout.shapes, &options, &w->handle), HX_OK);
}

static void close_worker(worker *w)
{
    CHECK_STATUS(hx_destroy(w->handle), HX_OK);
    arrays_free(&w->arrays);
    layout_free(&w->layout);
}

static void *work(void *argument)
{
    worker *w = argument;
    check_about("thread %d", w->number);
    for (int step = 0; step < STEPS; ++step) {
        arrays_fill(&w->arrays, (step + w->number) % 8);
        for (int x = 0; x < w->layout.spec->exchanges; ++x) {
            CHECK_STATUS(hx_start(w->handle, x, w->arrays.pointers), HX_OK);
        }
        for (int x = w->layout.spec->exchanges - 1; x >= 0; --x) {
            CHECK_STATUS(hx_finish(w->handle, x), HX_OK);
            arrays_expect(&w->arrays, x);
        }
        arrays_check(&w->arrays, "in a thread");
    }
    /* The last error is the thread's own: both fail, and then both look. */
    CHECK_STATUS(hx_finish(w->handle, w->number), HX_ERR_STATE);
    if (w->together) {
        pthread_barrier_wait(w->together);
    }
    CHECK(strstr(hx_last_error(), w->layout.spec->file) != NULL, "another thread's error: %s",
          hx_last_error());
    return NULL;
}

/* In one thread: even and odd ranks finish in different orders. */
static void work_crosswise(worker w[THREADS])
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check_about("crosswise");
    for (int step = 0; step < STEPS; ++step) {
        for (int i = 0; i < THREADS; ++i) {
            arrays_fill(&w[i].arrays, (step + i) % 8);
            CHECK_STATUS(hx_start(w[i].handle, 0, w[i].arrays.pointers), HX_OK);
        }
        for (int i = 0; i < THREADS; ++i) {
            worker *next = &w[(i + rank + step) % THREADS];
            CHECK_STATUS(hx_finish(next->handle, 0), HX_OK);
            arrays_expect(&next->arrays, 0);
            arrays_check(&next->arrays, "crosswise");
        }
    }
}

/* ---- in a function for walls --------------------------------------------------------------------------- */

enum { HOOKED = 0, LATE = 2, MOST = 8 }; /* exchanges of the spec; boxes, so both go by dimension */

/* As the spec, but a function fills what lies beyond walls across y in the first exchange. */
static const hx_spec *with_hook(const hx_spec *spec)
{
    static hx_spec copy;
    static hx_exchange exchange[MOST];
    copy = *spec;
    copy.sum = 0; /* nobody emitted it */
    memcpy(exchange, spec->exchange, (size_t)spec->exchanges * sizeof *exchange);
    exchange[HOOKED].wall[1][0] = exchange[HOOKED].wall[1][1] = HX_FILL_HOOK;
    copy.exchange = exchange;
    return &copy;
}

static void exchange_once(worker *w, int exchange)
{
    CHECK_STATUS(hx_start(w->handle, exchange, w->arrays.pointers), HX_OK);
    CHECK_STATUS(hx_finish(w->handle, exchange), HX_OK);
    arrays_expect(&w->arrays, exchange);
}

/* The function for walls: the first time in a finish it runs an exchange of another handle. */
static void exchange_in_hook(void *context, const hx_wall *wall)
{
    worker **next = context;
    (void)wall;
    if (*next) {
        worker *other = *next;
        *next = NULL;
        exchange_once(other, 0);
    }
}

/*
 * Ranks of one half exchange by the second handle while finish of the first one calls them; their neighbors
 * do so only when another exchange of the first handle is through, which they start later.  So who waits in
 * the function has to move that on.
 */
static void work_in_hook(worker w[THREADS])
{
    const struct timespec pause = {.tv_nsec = 100000000};
    worker *next = NULL;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int early = ((rank ^ rank >> 1) & 1) == 0; /* of four, the neighbors of those that are not */
    check_about("in a function for walls");
    CHECK_STATUS(hx_set_boundary(w[0].handle, exchange_in_hook, &next), HX_OK);
    for (int i = 0; i < THREADS; ++i) {
        arrays_fill(&w[i].arrays, i);
    }
    CHECK_STATUS(hx_start(w[0].handle, HOOKED, w[0].arrays.pointers), HX_OK);
    if (early) {
        CHECK_STATUS(hx_start(w[0].handle, LATE, w[0].arrays.pointers), HX_OK);
        next = &w[1];
        CHECK_STATUS(hx_finish(w[0].handle, HOOKED), HX_OK);
        CHECK_STATUS(hx_finish(w[0].handle, LATE), HX_OK);
        arrays_expect(&w[0].arrays, LATE);
    } else {
        CHECK_STATUS(hx_finish(w[0].handle, HOOKED), HX_OK);
        nanosleep(&pause, NULL);
        exchange_once(&w[0], LATE);
        exchange_once(&w[1], 0);
    }
    arrays_expect(&w[0].arrays, HOOKED);
    for (int i = 0; i < THREADS; ++i) {
        arrays_check(&w[i].arrays, "with a function for walls");
    }
}

static void try_hook(void)
{
    worker w[THREADS];
    open_worker(&w[0], with_hook(specs[0]), 0, "by-dimension");
    open_worker(&w[1], specs[0], 1, "by-dimension");
    work_in_hook(w);
    for (int i = 0; i < THREADS; ++i) {
        close_worker(&w[i]);
    }
}

static void work_at_once(worker w[THREADS])
{
    pthread_t thread;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, THREADS);
    w[0].together = w[1].together = &barrier;
    CHECK(pthread_create(&thread, NULL, work, &w[1]) == 0, "no second thread");
    work(&w[0]);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {
        {"single", MPI_THREAD_SINGLE},
        {"funneled", MPI_THREAD_FUNNELED},
        {"serialized", MPI_THREAD_SERIALIZED},
        {"multiple", MPI_THREAD_MULTIPLE},
    };
    static const char *const schedules[] = {"one-phase", "by-dimension"};
    int wanted = MPI_THREAD_SINGLE;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
        if (argc > 1 && strcmp(argv[1], levels[i].name) == 0) {
            wanted = levels[i].level;
        }
    }
    const int provided = check_init(&argc, &argv, wanted);
    const int at_once = wanted == MPI_THREAD_MULTIPLE && provided == MPI_THREAD_MULTIPLE;
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; ++s) {
        worker w[THREADS];
        for (int i = 0; i < THREADS; ++i) {
            open_worker(&w[i], specs[i % specs_count], i, schedules[s]);
        }
        if (at_once) {
            work_at_once(w);
        } else {
            work(&w[0]);
            work(&w[1]);
        }
        work_crosswise(w);
        for (int i = 0; i < THREADS; ++i) {
            close_worker(&w[i]);
        }
    }
    try_hook();
    return check_verdict(at_once ? "two threads" : "one thread");
}
