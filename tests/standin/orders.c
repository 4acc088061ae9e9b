/*
 * Exchanges of random specs by a thousand orders of delivery, all different and all repeatable.
 *
 *   orders [--seed N] [--orders N] [--parallel]
 *
 * Order number N chooses specs, ways to divide their grids, the number of ranks, transport, schedule (or that
 * create measures them) and check mode, and then who runs when and what arrives when.  What fails says which;
 * --seed N alone repeats it.  Some orders have two handles a rank, used crosswise by one thread and then by a
 * thread each.
 */
#include "../random/session.h"
#include "check.h"
#include "standin.h"

#include <hx/abi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TUNED = 20 }; /* of so many orders one has what create measures to be best */

/* One handle. */
typedef struct task {
    const random_spec *spec;
    int way;
    int variant;
    int padding;
    hx_options options;
} task;

typedef struct order {
    long seed;
    int ranks;
    int tasks; /* a thread each */
    task task[2];
    char about[400];
} order;

static order order_of(long seed)
{
    static const int ranks[] = {2, 3, 4, 2, 3, 4, 2, 6};
    uint64_t state = (uint64_t)seed;
    order o = {.seed = seed, .ranks = ranks[world_range(&state, 0, 7)]};
    o.tasks = world_range(&state, 0, 3) == 0 ? 2 : 1;
    size_t length = (size_t)snprintf(o.about, sizeof o.about, "--seed %ld: %d ranks", seed, o.ranks);
    for (int i = 0; i < o.tasks; ++i) {
        task *t = &o.task[i];
        t->spec = random_specs[world_range(&state, 0, random_specs_count - 1)];
        t->way = world_range(&state, 0, 9);
        t->variant = world_range(&state, 0, SESSION_VARIANTS - 1);
        t->padding = world_range(&state, 0, 1) * 3;
        t->options = session_options(t->variant);
        t->options.check = world_range(&state, 0, 1);
        if (seed % TUNED == TUNED - 1) {
            t->options.transport = t->options.schedule = "auto";
            t->options.tune = 1;
        }
        length += (size_t)snprintf(
            o.about + length, sizeof o.about - length, "; %s, way %d, %s, %s%s, padding %d", t->spec->name,
            t->way, t->options.transport, t->options.schedule, t->options.check ? ", check" : "", t->padding);
    }
    return o;
}

/* A task on one rank. */
typedef struct worker {
    const order *order;
    world world;
    arrays arrays;
    session session;
    bool works;
} worker;

static void open_worker(worker *w, const order *o, const task *t, int rank)
{
    char why[200] = "";
    *w = (worker){.order = o};
    world_make(&w->world, t->spec, t->way, rank, o->ranks);
    if (!arrays_make(&w->arrays, &w->world, t->padding, (unsigned)t->variant)) {
        CHECK(0, "the grid is too large for the test's values");
        return;
    }
    /* Messages in place of two exchanges that share a field may be received into the same points. */
    const bool apart = !t->options.check && strcmp(t->options.transport, "neighbor") != 0;
    const session_plan plan = {&w->world,      MPI_COMM_WORLD, t->options, t->padding,
                               t->variant % 2, apart,          NULL,       0};
    const int accepts = oracle_accepts(&w->world, why, sizeof why);
    const hx_status status = session_make(&w->session, &plan, &w->arrays);
    CHECK_STATUS(status, accepts ? HX_OK : HX_ERR_PARTITION);
    w->works = status == HX_OK;
}

static void close_worker(worker *w)
{
    session_free(&w->session);
    arrays_free(&w->arrays);
}

/* ---- what ranks do ------------------------------------------------------------------------------- */

hx_status __real_hx_start(hx_handle *handle, int exchange, const void *fields);
hx_status __wrap_hx_start(hx_handle *handle, int exchange, const void *fields);

/*
 * The application computes for a while, and others go on; also those who move this handle on while it is
 * asked for corners, which no exchange here has.
 */
hx_status __wrap_hx_start(hx_handle *handle, int exchange, const void *fields)
{
    const hx_status status = __real_hx_start(handle, exchange, fields);
    for (int i = exchange % 3 * 10; i > 0; --i) {
        standin_yield();
        if (status == HX_OK) {
            CHECK_STATUS(hx_fill_corners(handle, exchange, 0, fields), HX_ERR_ARGUMENT);
        }
    }
    return status;
}

/*
 * Exchange after exchange, no rank waiting for another in between; then all that can be under way together.
 */
static void work(void *argument)
{
    worker *w = argument;
    const unsigned salt = (unsigned)w->order->seed;
    check_about("%s", w->order->about);
    for (int x = 0; w->works && x < w->world.spec->exchanges; ++x) {
        session_try_exchange(&w->session, x, salt + (unsigned)x);
    }
    if (w->works) {
        session_try_together(&w->session, salt + 3);
    }
}

/* Both handles under way at once in one thread, and finished in another order on every other rank. */
static void work_crosswise(worker *w, int rank)
{
    const int exchanges = w[0].works && w[1].works ? 3 : 0;
    for (int x = 0; x < exchanges; ++x) {
        int number[2];
        for (int i = 0; i < 2; ++i) {
            const random_spec *spec = w[i].world.spec;
            number[i] = x % spec->exchanges;
            arrays_fill(&w[i].arrays, (unsigned)x, spec->exchange[number[i]].add);
            oracle_expect(&w[i].arrays, number[i]);
            CHECK_STATUS(spec->begin(w[i].session.handle, number[i], w[i].session.pointers), HX_OK);
        }
        for (int k = 0; k < 2; ++k) {
            const int i = (k + rank) % 2;
            CHECK_STATUS(w[i].world.spec->complete(w[i].session.handle, number[i]), HX_OK);
            session_check(&w[i].session, "crosswise");
        }
    }
}

static void run_rank(void *context, int rank)
{
    const order *o = context;
    worker w[2];
    check_init(NULL, NULL, MPI_THREAD_MULTIPLE);
    check_about("%s", o->about);
    for (int i = 0; i < o->tasks; ++i) {
        open_worker(&w[i], o, &o->task[i], rank);
    }
    if (o->tasks > 1) {
        work_crosswise(w, rank);
    }
    standin_lane *second = o->tasks > 1 ? standin_fork(work, &w[1]) : NULL;
    work(&w[0]);
    if (second) {
        standin_join(second);
    }
    for (int i = 0; i < o->tasks; ++i) {
        close_worker(&w[i]);
    }
    MPI_Finalize();
}

/* What came of an order, but for failures: the same for the same seed, unless ranks run in parallel. */
static uint64_t run_order(long seed, bool parallel)
{
    order o = order_of(seed);
    return standin_run(&(standin_setting){o.ranks, (uint64_t)seed, parallel, o.about}, run_rank, &o);
}

int main(int argc, char **argv)
{
    long first = 1;
    long last = 1000;
    bool parallel = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--parallel") == 0) {
            parallel = true;
        } else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
            first = last = strtol(argv[++i], NULL, 10);
        } else if (i + 1 < argc && strcmp(argv[i], "--orders") == 0) {
            last = strtol(argv[++i], NULL, 10);
        }
    }
    const char *every = getenv("STANDIN_EVERY");
    const long step = every && last > first ? strtol(every, NULL, 10) : 1;
    for (long seed = first; seed <= last && check_failures() == 0; seed += step) {
        const uint64_t print = run_order(seed, parallel);
        if (!parallel && seed % 100 == 1) {
            CHECK(run_order(seed, parallel) == print, "--seed %ld does not repeat itself", seed);
        }
    }
    printf("orders of delivery %ld to %ld, every %ld: %ld failures\n", first, last, step, check_failures());
    return check_failures() != 0;
}
