/*
 * Starts and finishes that all threads of a parallel region call, and teams of threads that really run at once.
 *
 * MPI initialised at the thread level given as an argument: "single", where threads are refused, or "funneled".
 * Compiled with HX_DIVIDE_LEAST as 1, so all work is divided.  Any number of ranks.
 */
#include "arrays.h"
#include "check.h"
#include "specs.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 20, MOST = 4 };

typedef struct grid {
    layout layout;
    arrays arrays;
    hx_handle *handle;
} grid;

static void open_grid(grid *g, MPI_Comm comm, const hx_options *options)
{
    const hx_spec *spec = specs[0];
    hx_partition request = {.axes = spec->axes};
    hx_part mine;
    for (int a = 0; a < spec->axes; ++a) {
        request.cells[a] = 7 + a;
    }
    CHECK_STATUS(hx_decompose(comm, &request, &mine), HX_OK);
    layout_make_single(&g->layout, spec, comm, &mine, 0);
    CHECK_STATUS(hx_create(spec, &g->layout.blocks, g->layout.shapes, options, &g->handle), HX_OK);
}

static void close_grid(grid *g)
{
    CHECK_STATUS(hx_destroy(g->handle), HX_OK);
    layout_free(&g->layout);
}

/* ---- a region ------------------------------------------------------------------------------------------ */

/* What a thread of it is to give, and what it got. */
typedef struct member {
    grid *grid;
    int exchange;
    const void *fields;
    int thread;
    int threads;
    pthread_barrier_t *begin; /* NULL: at once */
    hx_status started;
    hx_status finished;
    char sentence[512];
} member;

static void *take_part(void *data)
{
    member *m = data;
    if (m->begin) {
        pthread_barrier_wait(m->begin);
    }
    m->started = hx_start_team(m->grid->handle, m->exchange, m->fields, m->thread, m->threads);
    snprintf(m->sentence, sizeof m->sentence, "%s", hx_last_error());
    m->finished = m->started == HX_OK ? hx_finish_team(m->grid->handle, m->exchange, m->thread, m->threads)
                                      : m->started;
    return NULL;
}

/* This thread is the first of them. */
static void run_region(member m[], int threads)
{
    pthread_t thread[MOST];
    for (int i = 1; i < threads; ++i) {
        CHECK(pthread_create(&thread[i], NULL, take_part, &m[i]) == 0, "no thread %d", i);
    }
    take_part(&m[0]);
    for (int i = 1; i < threads; ++i) {
        pthread_join(thread[i], NULL);
    }
}

static void set_members(member m[], grid *g, int threads, int exchange)
{
    for (int i = 0; i < threads; ++i) {
        m[i] = (member){
            .grid = g, .exchange = exchange, .fields = g->arrays.pointers, .thread = i, .threads = threads};
    }
}

static void expect_all(const member m[], int threads, hx_status expected, const char *words)
{
    for (int i = 0; i < threads; ++i) {
        CHECK(m[i].started == expected && m[i].finished == expected, "thread %d of %d: %s and %s: %s", i,
              threads, hx_status_name(m[i].started), hx_status_name(m[i].finished), m[i].sentence);
        CHECK(strstr(m[i].sentence, words) || !*words, "thread %d: %s", i, m[i].sentence);
    }
}

/* parts: as many as the option says, whatever the number of threads that come. */
static void exchange_in_regions(int parts)
{
    hx_options options = HX_OPTIONS_INIT;
    options.threads = parts;
    options.team = check_team();
    options.deadline = 60.0;
    grid g;
    member m[MOST];
    check_about("%d parts in regions", parts);
    open_grid(&g, MPI_COMM_WORLD, &options);
    arrays_alloc(&g.arrays, &g.layout, oracle_cartesian, g.handle);
    for (int step = 0; step < STEPS; ++step) {
        const int threads = 1 + step % MOST;
        const int exchange = step % specs[0]->exchanges;
        if (HX_RETURNS(specs[0]->exchange[exchange].operation)) {
            continue;
        }
        arrays_fill(&g.arrays, step % 8);
        set_members(m, &g, threads, exchange);
        run_region(m, threads);
        expect_all(m, threads, HX_OK, "");
        arrays_expect(&g.arrays, exchange);
        arrays_check(&g.arrays, "in a region");
    }
    arrays_free(&g.arrays);
    close_grid(&g);
}

/* Faults: all threads get the same answer, and the handle goes on. */
static void refuse_in_regions(grid *g)
{
    member m[MOST];
    check_about("regions with faults");
    set_members(m, g, 3, specs[0]->exchanges);
    run_region(m, 3);
    expect_all(m, 3, HX_ERR_ARGUMENT, "there is no exchange");
    set_members(m, g, 3, 0);
    m[2].threads = 4;
    run_region(m, 3);
    expect_all(m, 3, HX_ERR_ARGUMENT, "another one says other numbers");
    CHECK_STATUS(hx_start(g->handle, 0, g->arrays.pointers), HX_OK);
    set_members(m, g, 2, 0);
    run_region(m, 2);
    expect_all(m, 2, HX_ERR_STATE, "started again");
    CHECK_STATUS(hx_finish(g->handle, 0), HX_OK);
    CHECK_STATUS(hx_start_team(g->handle, 0, g->arrays.pointers, 2, 2), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_start_team(g->handle, 0, g->arrays.pointers, -1, 2), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_start_team(g->handle, 0, g->arrays.pointers, 0, 0), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_start_team(g->handle, 0, g->arrays.pointers, 0, HX_MOST_THREADS + 1), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_finish_team(NULL, 0, 0, 1), HX_ERR_ARGUMENT);
    CHECK_STATUS(hx_start_team(g->handle, 0, g->arrays.pointers, 0, 1), HX_OK);
    CHECK_STATUS(hx_finish_team(g->handle, 0, 0, 1), HX_OK);
}

/* Another thread has come as the first one already, and waits: this one is refused. */
static void refuse_two_leaders(grid *g)
{
    member m[3];
    pthread_t thread[2];
    check_about("two threads as the first one");
    set_members(m, g, 2, 0);
    m[2] = m[0];
    CHECK(pthread_create(&thread[0], NULL, take_part, &m[2]) == 0, "no thread");
    do {
        const struct timespec pause = {.tv_nsec = 50000000}; /* so that it is the first one */
        nanosleep(&pause, NULL);
        m[0].started = hx_start_team(g->handle, 1000, m[0].fields, 0, 1);
        snprintf(m[0].sentence, sizeof m[0].sentence, "%s", hx_last_error());
    } while (!strstr(m[0].sentence, "as thread 0"));
    CHECK_STATUS(m[0].started, HX_ERR_ARGUMENT);
    CHECK(pthread_create(&thread[1], NULL, take_part, &m[1]) == 0, "no thread");
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    /* It is not the one that made the handle, where MPI is for one. */
    expect_all(&m[1], 2, HX_ERR_STATE, "made by another thread");
}

/*
 * One thread does not come: the others leave, and it is told when it comes.  Each rank by itself: else the deadline,
 * which is short, is also that of ranks that make the handle together.
 */
static void miss_one(void)
{
    hx_options options = HX_OPTIONS_INIT;
    options.threads = 3;
    options.team = check_team();
    options.deadline = 2.0;
    grid g;
    member m[3];
    check_about("a thread that does not come");
    open_grid(&g, MPI_COMM_SELF, &options);
    arrays_make(&g.arrays, &g.layout, oracle_cartesian);
    set_members(m, &g, 3, 0);
    run_region(m, 2);
    expect_all(m, 2, HX_ERR_DEADLINE, "had come");
    take_part(&m[2]);
    expect_all(&m[2], 1, HX_ERR_DEADLINE, "have left");
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_ERR_DEADLINE);
    run_region(m, 2); /* once more: nobody waits */
    expect_all(m, 1, HX_ERR_DEADLINE, "can only be destroyed");
    expect_all(&m[1], 1, HX_ERR_DEADLINE, "have left");
    arrays_free(&g.arrays);
    close_grid(&g);
}

static void refuse(void)
{
    hx_options options = HX_OPTIONS_INIT;
    options.threads = 3;
    options.team = check_team();
    options.deadline = 60.0;
    grid g;
    open_grid(&g, MPI_COMM_WORLD, &options);
    arrays_make(&g.arrays, &g.layout, oracle_cartesian);
    arrays_fill(&g.arrays, 0);
    refuse_in_regions(&g);
    refuse_two_leaders(&g);
    arrays_free(&g.arrays);
    close_grid(&g);
}

/* ---- the library's own threads ------------------------------------------------------------------------- */

/* Two handles have them in turn. */
static void exchange_by_own_threads(void)
{
    hx_options options = HX_OPTIONS_INIT;
    options.threads = 2;
    options.deadline = 60.0;
    grid g[2];
    check_about("threads of the library");
    for (int i = 0; i < 2; ++i) {
        open_grid(&g[i], MPI_COMM_WORLD, &options);
        arrays_alloc(&g[i].arrays, &g[i].layout, oracle_cartesian, g[i].handle);
    }
    CHECK(strstr(hx_describe(g[0].handle), "  threads: "), "%s", hx_describe(g[0].handle));
    for (int step = 0; step < STEPS; ++step) {
        const int exchange = step % specs[0]->exchanges;
        for (int i = 0; i < 2 && !HX_RETURNS(specs[0]->exchange[exchange].operation); ++i) {
            arrays_fill(&g[i].arrays, (step + i) % 8);
            CHECK_STATUS(hx_start(g[i].handle, exchange, g[i].arrays.pointers), HX_OK);
            CHECK_STATUS(hx_finish(g[i].handle, exchange), HX_OK);
            arrays_expect(&g[i].arrays, exchange);
            arrays_check(&g[i].arrays, "by threads of the library");
        }
    }
    CHECK_STATUS(hx_start(g[0].handle, 0, g[0].arrays.pointers), HX_OK);
    CHECK_STATUS(hx_destroy(g[0].handle), HX_ERR_STATE); /* under way: threads stay */
    CHECK_STATUS(hx_finish(g[0].handle, 0), HX_OK);
    for (int i = 0; i < 2; ++i) {
        arrays_free(&g[i].arrays);
        close_grid(&g[i]);
    }
}

/* ---- where pages lie ----------------------------------------------------------------------------------- */

/* Bytes of the process that are in memory, before and after its threads have worked. */
typedef struct resident {
    long before;
    long after;
} resident;

static long find_resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%*d %ld", &pages) == 1, "no /proc/self/statm");
    if (file) {
        fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

static void note_resident(void *state, int threads, hx_team_work_fn *work, void *data)
{
    resident *r = state;
    r->before = find_resident();
    for (int thread = 0; thread < threads; ++thread) {
        work(data, thread, threads);
    }
    r->after = find_resident();
}

/* Pages of arrays get their places when the threads touch them, where no other rank reaches them. */
static void place_pages(void)
{
    resident seen = {0};
    const hx_team team = {note_resident, &seen};
    const hx_spec *spec = specs[0];
    hx_options options = HX_OPTIONS_INIT;
    hx_partition request = {.axes = spec->axes, .cells = {80, 80, 80}};
    hx_part mine;
    layout l;
    hx_handle *handle;
    void *fields[64] = {NULL};
    long bytes = 0;
    check_about("pages");
    options.threads = 2;
    options.team = &team;
    CHECK_STATUS(hx_decompose(MPI_COMM_SELF, &request, &mine), HX_OK);
    layout_make_single(&l, spec, MPI_COMM_SELF, &mine, 0);
    CHECK_STATUS(hx_create(spec, &l.blocks, l.shapes, &options, &handle), HX_OK);
    for (int f = 0; f < spec->fields; ++f) {
        bytes += (long)hx_points(spec, l.shapes, f) * spec->field[f].size;
    }
    CHECK((size_t)spec->fields_size <= sizeof fields, "%d fields", spec->fields);
    CHECK_STATUS(hx_alloc(handle, fields), HX_OK);
    CHECK(seen.after - seen.before > bytes / 2, "%ld of %ld bytes", seen.after - seen.before, bytes);
    CHECK_STATUS(hx_free(handle, fields), HX_OK);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    layout_free(&l);
}

/* ---- a process of one thread --------------------------------------------------------------------------- */

static void refuse_threads(void)
{
    hx_options options = HX_OPTIONS_INIT;
    options.threads = 3;
    grid g;
    check_about("a process of one thread");
    open_grid(&g, MPI_COMM_WORLD, &options);
    arrays_make(&g.arrays, &g.layout, oracle_cartesian);
    arrays_fill(&g.arrays, 0);
    const char *text = hx_describe(g.handle);
    CHECK(strstr(text, "threads: 1 of 3, since MPI") && strstr(text, "MPI_THREAD_FUNNELED"), "%s", text);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start_team(g.handle, 0, g.arrays.pointers, 0, 2), HX_ERR_STATE,
                  "MPI_THREAD_FUNNELED");
    CHECK_STATUS(hx_start_team(g.handle, 0, g.arrays.pointers, 0, 1), HX_OK);
    CHECK_STATUS(hx_finish_team(g.handle, 0, 0, 1), HX_OK);
    arrays_expect(&g.arrays, 0);
    arrays_check(&g.arrays, "by one thread");
    arrays_free(&g.arrays);
    close_grid(&g);
}

int main(int argc, char **argv)
{
    const int single = argc > 1 && strcmp(argv[1], "single") == 0;
    check_init(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED);
    if (single) {
        refuse_threads();
    } else {
        exchange_in_regions(1);
        exchange_in_regions(3);
        exchange_in_regions(4);
        refuse();
        exchange_by_own_threads();
        place_pages();
        miss_one();
    }
    return check_verdict("regions");
}
