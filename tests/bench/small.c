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

enum { ROUNDS = 101, ROW = 16, WAYS = 8, LARGEST_BACK_TO_BACK = 16 };

typedef struct settings {
    int rounds;
    double seconds;
    const char *only; /* case, or NULL: all */
    const char *way;  /* likewise */
    FILE *numbers;    /* of rank 0, or NULL */
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
    double time[ROUNDS];
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

static void must(hx_status status)
{
    if (status != HX_OK) {
        give_up("%s: %s", hx_status_name(status), hx_last_error());
    }
}

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

static double measure(const settings *set, contender *c)
{
    return c->task->n <= LARGEST_BACK_TO_BACK ? measure_back_to_back(c->way->exchange, c, set->seconds)
                                              : measure_dirty(sweep, c, c->way->exchange, c, set->seconds);
}

static void report(const settings *set, const contender list[], int count)
{
    double first[ROUNDS];
    memcpy(first, list[0].time, sizeof first);
    printf("%-4s %5d points  %s %.2f us", list[0].task->name, list[0].task->count, list[0].way->name,
           median(first, set->rounds));
    for (int w = 1; w < count; ++w) {
        double each[ROUNDS], own[ROUNDS];
        memcpy(own, list[w].time, sizeof own);
        for (int round = 0; round < set->rounds; ++round) {
            each[round] = list[w].time[round] / list[0].time[round];
        }
        const double time = median(own, set->rounds), middle = median(each, set->rounds),
                     low = quantile(each, set->rounds, 0.25), high = quantile(each, set->rounds, 0.75);
        printf("  %s %.2f: %.2f (%.2f-%.2f)", list[w].way->name, time, middle, low, high);
        if (set->numbers) {
            fprintf(set->numbers, "case=%s way=%s us=%.4f ratio=%.4f low=%.4f high=%.4f\n",
                    list[0].task->name, list[w].way->name, time, middle, low, high);
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
    static contender list[WAYS];
    int count = 0;
    for (int w = 0; w < WAYS; ++w) {
        if (!set->way || strcmp(set->way, ways[w].name) == 0) {
            list[count] = (contender){.task = t, .way = &ways[w]};
            ways[w].create(&list[count]);
            verify(&list[count++], w, "before");
        }
    }
    for (int round = 0; round < set->rounds; ++round) {
        for (int i = 0; i < count; ++i) {
            contender *c = &list[round % 2 ? count - 1 - i : i];
            c->time[round] = measure(set, c);
        }
    }
    for (int i = 0; i < count; ++i) {
        verify(&list[i], WAYS + i, "after");
        list[i].way->destroy(&list[i]);
    }
    if (rank == 0) {
        report(set, list, count);
    }
    free(t->send);
    free(t->receive);
}

static settings parse(int argc, char **argv)
{
    settings set = {.rounds = 15, .seconds = 0.02};
    int option;
    while ((option = getopt(argc, argv, "r:t:c:w:o:s")) != -1) {
        switch (option) {
        case 'r':
            set.rounds = atoi(optarg);
            break;
        case 't':
            set.seconds = atof(optarg);
            break;
        case 'c':
            set.only = optarg;
            break;
        case 'w':
            set.way = optarg;
            break;
        case 'o':
            set.numbers = rank == 0 ? fopen(optarg, "w") : NULL;
            if (rank == 0 && !set.numbers) {
                give_up("-o %s: cannot be written", optarg);
            }
            break;
        case 's':
            set.rounds = 1;
            set.seconds = 0.0002;
            break;
        default:
            give_up("usage: small [-r ROUNDS] [-t SECONDS] [-c CASE] [-w WAY] [-o FILE] [-s]");
        }
    }
    if (set.rounds < 1 || set.rounds > ROUNDS) {
        give_up("-r %d: 1 to %d rounds are possible", set.rounds, ROUNDS);
    }
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
    if (set.numbers) {
        fclose(set.numbers);
    }
    measure_close();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
