/*
 * small [-r ROUNDS] [-t SECONDS] [-c CASE] [-w WAY] [-o FILE] [-s]
 *
 * Runs on 2 ranks.  Measures exchanges that take a microsecond or a few, and those of solvers on lists of
 * points.
 *
 *   row          16 points each way at the end of a row, a box
 *   x4, z32 ...  a vector on the cells of a box of n^3 cells, as the HPCG benchmark has it on 2 ranks: the
 * face lies across x, where its cells are apart in memory, or across z, where they are one run; what is
 *                received lies at the end of the vector
 *
 * Ways: "hand" is HPCG's own, values gathered by an index array, MPI_Irecv into the vector, MPI_Send,
 * MPI_Wait; "requests" the same with persistent requests; the others are emitted code and libhx, with vectors
 * of the program's or of NAME_alloc.
 *
 * Up to 16^3 cells exchanges follow each other at once, as on the coarse levels of a multigrid; for larger
 * boxes a sweep over the vector comes before each, as measure_dirty has it.  All ways are measured in turn,
 * ROUNDS times, in reversed order every other time, SECONDS for each.  Ratios are taken within a round; the
 * report has the median of the rounds and, in brackets, the middle half.  Every way is verified before and
 * after.
 *
 *   -c  only this case
 *   -w  only this way, for profilers
 *   -o  write the numbers to FILE, too
 *   -s  smoke: one short round
 *
 * Ends with 2 if an exchange is wrong.
 */
#include "bench.h"

#include "bench_list.h"
#include "bench_row.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROW = 16, WAYS = 8, LARGEST_BACK_TO_BACK = 16 };

typedef struct settings {
    rounds rounds;
    const char *only; /* case, or NULL: all */
    const char *way;  /* likewise */
} settings;

/* Which points travel: those of a vector of `owned` points and, behind them, as many as come. */
typedef struct task {
    const char *name;
    bool row;
    int n, owned, count;
    int *send;    /* numbers of points */
    int *receive; /* likewise, one run */
} task;

typedef struct way way;

/* A way with all that it needs. */
typedef struct contender {
    const task *task;
    const way *way;
    double *x;
    double *packed;
    MPI_Request request[2];
    bench_list *list;
    bench_list_fields listed;
    bench_row *row;
    bench_row_fields rowed;
    double time[MAX_ROUNDS];
} contender;

struct way {
    const char *name;
    void (*create)(contender *c);
    void (*exchange)(void *contender);
    void (*destroy)(contender *c);
    const char *transport; /* of libhx */
    bool allocated;        /* vectors of NAME_alloc */
};

static int rank;

/* ---- by hand ---- */

static void get_plain(contender *c)
{
    c->x = allocate((size_t)(c->task->owned + c->task->count) * sizeof *c->x);
    c->packed = allocate((size_t)c->task->count * sizeof *c->packed);
}

static void free_plain(contender *c)
{
    free(c->x);
    free(c->packed);
}

static void gather(const contender *c)
{
    for (int i = 0; i < c->task->count; ++i) {
        c->packed[i] = c->x[c->task->send[i]];
    }
}

static void exchange_by_hand(void *opaque)
{
    contender *c = opaque;
    const int count = c->task->count;
    MPI_Irecv(c->x + c->task->receive[0], count, MPI_DOUBLE, 1 - rank, 99, MPI_COMM_WORLD, c->request);
    gather(c);
    MPI_Send(c->packed, count, MPI_DOUBLE, 1 - rank, 99, MPI_COMM_WORLD);
    MPI_Wait(c->request, MPI_STATUS_IGNORE);
}

static void create_requests(contender *c)
{
    get_plain(c);
    MPI_Recv_init(c->x + c->task->receive[0], c->task->count, MPI_DOUBLE, 1 - rank, 98, MPI_COMM_WORLD,
                  c->request);
    MPI_Send_init(c->packed, c->task->count, MPI_DOUBLE, 1 - rank, 98, MPI_COMM_WORLD, c->request + 1);
}

static void exchange_by_requests(void *opaque)
{
    contender *c = opaque;
    gather(c);
    MPI_Startall(2, c->request);
    MPI_Waitall(2, c->request, MPI_STATUSES_IGNORE);
}

static void destroy_requests(contender *c)
{
    MPI_Request_free(c->request);
    MPI_Request_free(c->request + 1);
    free_plain(c);
}

/* ---- emitted code ---- */

static void create_list(contender *c, const hx_options *options)
{
    const task *t = c->task;
    const hx_part part = bench_list_part(t->owned + t->count);
    const bench_list_shape shape = bench_list_shape_dense(&part);
    const hx_peer peer = {1 - rank, t->count, t->send, t->count, t->receive};
    const hx_index_list given = {1, &peer};
    must(bench_list_create(MPI_COMM_WORLD, &shape, &given, options, &c->list));
    if (c->way->allocated) {
        must(bench_list_alloc(c->list, &c->listed));
    } else {
        get_plain(c);
        c->listed.x = c->x;
    }
    c->x = c->listed.x;
}

static void create_row(contender *c, const hx_options *options)
{
    const hx_partition grid = bench_row_partition(2 * c->task->n);
    hx_part part;
    must(hx_decompose(MPI_COMM_WORLD, &grid, &part));
    const bench_row_shape shape = bench_row_shape_dense(&part);
    must(bench_row_create(MPI_COMM_WORLD, &shape, options, &c->row));
    if (c->way->allocated) {
        must(bench_row_alloc(c->row, &c->rowed));
    } else {
        get_plain(c);
        c->rowed.u = c->x;
    }
    c->x = c->rowed.u;
}

static void create_emitted(contender *c)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = c->way->transport;
    (c->task->row ? create_row : create_list)(c, &options);
}

static void exchange_emitted(void *opaque)
{
    contender *c = opaque;
    if (c->task->row) {
        must(bench_row_halo_start(c->row, &c->rowed));
        must(bench_row_halo_finish(c->row));
    } else {
        must(bench_list_halo_start(c->list, &c->listed));
        must(bench_list_halo_finish(c->list));
    }
}

static void destroy_emitted(contender *c)
{
    must(bench_list_destroy(c->list));
    must(bench_row_destroy(c->row));
    if (!c->way->allocated) {
        free_plain(c);
    }
}

static const way ways[WAYS] = {
    {"hand", get_plain, exchange_by_hand, free_plain, NULL, false},
    {"requests", create_requests, exchange_by_requests, destroy_requests, NULL, false},
    {"shared", create_emitted, exchange_emitted, destroy_emitted, "shared", false},
    {"alloc", create_emitted, exchange_emitted, destroy_emitted, "shared", true},
    {"persistent", create_emitted, exchange_emitted, destroy_emitted, "persistent", false},
    {"p2p", create_emitted, exchange_emitted, destroy_emitted, "p2p", false},
    {"auto", create_emitted, exchange_emitted, destroy_emitted, "auto", false},
    {"auto-alloc", create_emitted, exchange_emitted, destroy_emitted, "auto", true},
};

/* ---- tasks ---- */

/* Row: rank 0 has 16 points that nobody fills before its own, rank 1 behind them. */
static void make_row(task *t)
{
    t->row = true;
    t->owned = t->n + ROW;
    t->count = ROW;
    t->send = allocate(ROW * sizeof(int));
    t->receive = allocate(ROW * sizeof(int));
    for (int i = 0; i < ROW; ++i) {
        t->send[i] = rank == 0 ? t->n + i : ROW + i;
        t->receive[i] = rank == 0 ? ROW + t->n + i : i;
    }
}

/* Across x or z: the cells with the highest index along it on rank 0, the lowest on rank 1. */
static void make_face(task *t, bool across_x)
{
    const int n = t->n;
    const int step = across_x ? n : 1;
    const int far = across_x ? n - 1 : n * n * (n - 1);
    t->owned = n * n * n;
    t->count = n * n;
    t->send = allocate((size_t)t->count * sizeof(int));
    t->receive = allocate((size_t)t->count * sizeof(int));
    for (int i = 0; i < t->count; ++i) {
        t->send[i] = i * step + (rank == 0 ? far : 0);
        t->receive[i] = t->owned + i;
    }
}

static double value(int from, int point, int seed)
{
    return from * 1e6 + point + 0.125 * seed;
}

static void verify(contender *c, int seed, const char *when)
{
    const task *t = c->task;
    const int points = t->owned + t->count;
    for (int i = 0; i < points; ++i) {
        c->x[i] = value(rank, i, seed);
    }
    int theirs[2 * LARGEST]; /* numbers of the other rank's points */
    MPI_Sendrecv(t->send, t->count, MPI_INT, 1 - rank, 97, theirs, t->count, MPI_INT, 1 - rank, 97,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    c->way->exchange(c);
    int wrong = 0;
    for (int i = 0, got = 0; i < points; ++i) {
        const bool came = got < t->count && i == t->receive[got];
        wrong += c->x[i] != (came ? value(1 - rank, theirs[got], seed) : value(rank, i, seed));
        got += came;
    }
    if (wrong > 0) {
        give_up("%s: %s is wrong in %d points %s timing", t->name, c->way->name, wrong, when);
    }
}

/* ---- measuring ---- */

/* What an iteration does between two exchanges: reads and writes the whole vector. */
static void sweep(void *opaque)
{
    contender *c = opaque;
    for (int i = 0; i < c->task->owned; ++i) {
        c->x[i] = 0.5 * c->x[i] + 1.0;
    }
}

typedef struct contest {
    const rounds *rounds;
    int count;
    contender list[WAYS];
} contest;

static void measure(void *work, int number, int round)
{
    contest *all = work;
    contender *c = &all->list[number];
    c->time[round] = c->task->n <= LARGEST_BACK_TO_BACK
                         ? measure_back_to_back(c->way->exchange, c, all->rounds->seconds)
                         : measure_dirty(sweep, c, c->way->exchange, c, all->rounds->seconds);
}

static void report(const contest *all)
{
    const contender *first = &all->list[0];
    printf("%-4s %5d points  %s %.2f us", first->task->name, first->task->count, first->way->name,
           rounds_median(all->rounds, first->time));
    for (int w = 1; w < all->count; ++w) {
        const contender *c = &all->list[w];
        const double time = rounds_median(all->rounds, c->time);
        const ratio x = rounds_ratio(all->rounds, c->time, first->time);
        printf("  %s %.2f: %.2f (%.2f-%.2f)", c->way->name, time, x.middle, x.low, x.high);
        if (all->rounds->numbers) {
            fprintf(all->rounds->numbers, "case=%s way=%s us=%.4f ratio=%.4f low=%.4f high=%.4f\n",
                    c->task->name, c->way->name, time, x.middle, x.low, x.high);
        }
    }
    printf("\n");
    fflush(stdout);
}

static void run(const settings *set, task *t)
{
    if (set->only && strcmp(set->only, t->name) != 0) {
        return;
    }
    if (t->name[0] == 'r') {
        make_row(t);
    } else {
        make_face(t, t->name[0] == 'x');
    }
    static contest all;
    all = (contest){.rounds = &set->rounds};
    for (int w = 0; w < WAYS; ++w) {
        if (!set->way || strcmp(set->way, ways[w].name) == 0) {
            contender *c = &all.list[all.count++];
            *c = (contender){.task = t, .way = &ways[w]};
            ways[w].create(c);
            verify(c, w, "before");
        }
    }
    rounds_run(&set->rounds, all.count, measure, &all);
    for (int i = 0; i < all.count; ++i) {
        verify(&all.list[i], WAYS + i, "after");
        all.list[i].way->destroy(&all.list[i]);
    }
    if (rank == 0) {
        report(&all);
    }
    free(t->send);
    free(t->receive);
}

static settings parse(int argc, char **argv)
{
    settings set = {.rounds = {.count = 15, .seconds = 0.02}};
    int option;
    while ((option = getopt(argc, argv, "r:t:c:w:o:s")) != -1) {
        if (option == 'c') {
            set.only = optarg;
        } else if (option == 'w') {
            set.way = optarg;
        } else if (option == 's') {
            set.rounds.count = 1;
            set.rounds.seconds = 0.0002;
        } else if (!rounds_option(&set.rounds, option, optarg)) {
            give_up("usage: small [-r ROUNDS] [-t SECONDS] [-c CASE] [-w WAY] [-o FILE] [-s]");
        }
    }
    rounds_check(&set.rounds);
    return set;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2) {
        give_up("small runs on 2 ranks, not on %d", ranks);
    }
    const settings set = parse(argc, argv);
    measure_open();
    static task tasks[] = {
        {.name = "row", .n = 16}, {.name = "x2", .n = 2},   {.name = "x4", .n = 4},   {.name = "x8", .n = 8},
        {.name = "x16", .n = 16}, {.name = "x32", .n = 32}, {.name = "x64", .n = 64}, {.name = "z4", .n = 4},
        {.name = "z16", .n = 16}, {.name = "z32", .n = 32}, {.name = "z64", .n = 64},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; ++i) {
        run(&set, &tasks[i]);
    }
    rounds_close(&set.rounds);
    measure_close();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
