/*
 * sphere [-r ROUNDS] [-t SECONDS] [-n CELLS] [-c CASE] [-f FASTEST] [-o FILE] [-s]
 *
 * Runs on any number of ranks.  For each case all ways are measured in turn, ROUNDS times, in reversed order
 * every other time, SECONDS for each, with dirty caches as in the other benchmark.  Ratios are taken within a
 * round; the report has the median of the rounds and, in brackets, the middle half.  Everything is verified
 * before and after, all points.
 *
 *   -n  only tiles of CELLS by CELLS cells; by default 96 and 384
 *   -c  only across-x, across-y (links) or sphere
 *   -f  only where level or x is the fastest axis
 *   -o  write the numbers to FILE, too
 *   -s  smoke: small tiles, one short round, no judgment
 *
 * Ends with 1 if a turned link costs more than it may, with 2 if an exchange is wrong.
 */
#include "sphere.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CONTENDERS = 3, LEVELS = 79, WITHOUT_SECOND_ARRAYS = 384 };

typedef struct settings {
    rounds rounds;
    int cells, levels;
    const char *only, *fastest; /* case and order, or NULL: all */
    bool smoke;
} settings;

typedef struct contender {
    const char *name;
    world *w;
    const method *way;
    void *state;
    double time[MAX_ROUNDS];
} contender;

/* Contenders, the first of which the others are compared with. */
typedef struct contest {
    const rounds *rounds;
    const char *name;
    int n, count;
    bool level_fastest;
    contender list[MOST_CONTENDERS];
    double most; /* ratio of the second; 0: not judged */
} contest;

static int rank, ranks;

static void verify(contest *c, const char *when)
{
    for (int i = 0; i < c->count; ++i) {
        contender *x = &c->list[i];
        world_fill(x->w, i);
        x->way->exchange(x->state);
        const long wrong = world_wrong_points(x->w, i);
        if (wrong) {
            give_up("%s: %s is wrong in %ld points %s timing (n = %d)", c->name, x->name, wrong, when, c->n);
        }
    }
}

static void measure_one(void *work, int way, int round)
{
    contest *c = work;
    contender *x = &c->list[way];
    x->time[round] = measure_dirty(world_sweep, x->w, x->way->exchange, x->state, c->rounds->seconds);
}

static void measure(contest *c)
{
    for (int i = 0; i < c->count; ++i) {
        c->list[i].state = c->list[i].way->create(c->list[i].w);
    }
    verify(c, "before");
    rounds_run(c->rounds, c->count, measure_one, c);
    verify(c, "after");
    for (int i = 0; i < c->count; ++i) {
        c->list[i].way->destroy(c->list[i].state);
    }
}

/* ---- the table ---- */

/* Whether the ratio is as it may be. */
static bool report(const settings *set, const contest *c)
{
    const char *order = c->level_fastest ? "level" : "x";
    const double base = rounds_median(c->rounds, c->list[0].time);
    bool met = true;
    printf("%-10s n=%-4d fastest=%-5s %s %.0f us", c->name, c->n, order, c->list[0].name, base);
    for (int i = 1; i < c->count; ++i) {
        const ratio x = rounds_ratio(c->rounds, c->list[i].time, c->list[0].time);
        printf("  %s %.2f (%.2f-%.2f)", c->list[i].name, x.middle, x.low, x.high);
        if (c->rounds->numbers) {
            fprintf(c->rounds->numbers,
                    "case=%s n=%d fastest=%s ranks=%d way=%s ratio=%.4f low=%.4f high=%.4f\n", c->name, c->n,
                    order, ranks, c->list[i].name, x.middle, x.low, x.high);
        }
        if (i == 1 && c->most > 0 && !set->smoke) {
            met = x.middle <= c->most;
            printf("  limit %.1f %s", c->most, met ? "pass" : "MISSED");
        }
    }
    printf("\n");
    fflush(stdout);
    return met;
}

static bool is_wanted(const char *only, const char *name)
{
    return !only || strcmp(only, name) == 0;
}

static int run(const settings *set, contest *c)
{
    c->rounds = &set->rounds;
    measure(c);
    return rank == 0 && !report(set, c);
}

/* ---- cases ---- */

/* All sides of all tiles. */
static int run_sphere(const settings *set, bool level_fastest, int n)
{
    const bool allocated = n < WITHOUT_SECOND_ARRAYS;
    world *plain = world_create(SPHERE, WHOLE, level_fastest, n, set->levels);
    world *own = allocated ? world_create(SPHERE, WHOLE, level_fastest, n, set->levels) : NULL;
    contest c = {.name = "sphere",
                 .n = n,
                 .level_fastest = level_fastest,
                 .count = allocated ? 3 : 2,
                 .list = {{"index-arrays", plain, &index_arrays, NULL, {0}},
                          {"hx", plain, &emitted_plain, NULL, {0}},
                          {"hx-alloc", own, &emitted_allocated, NULL, {0}}}};
    const int missed = run(set, &c);
    world_destroy(plain);
    if (own) {
        world_destroy(own);
    }
    return missed;
}

/* One link that turns, against one of the same size that does not. */
static int run_link(const settings *set, bool level_fastest, int n, claimed which)
{
    world *straight = world_create(STRAIGHT_LINKS, which, level_fastest, n, set->levels);
    world *turned = world_create(TURNED_LINKS, which, level_fastest, n, set->levels);
    contest c = {.name = which == ALONG_X ? "across-x" : "across-y",
                 .n = n,
                 .level_fastest = level_fastest,
                 .count = 3,
                 .most = level_fastest ? 1.5 : 2.5,
                 .list = {{"straight", straight, &emitted_plain, NULL, {0}},
                          {"turned", turned, &emitted_plain, NULL, {0}},
                          {"turned-by-index-arrays", turned, &index_arrays, NULL, {0}}}};
    const int missed = run(set, &c);
    world_destroy(straight);
    world_destroy(turned);
    return missed;
}

static int run_cases(const settings *set, bool level_fastest, int n)
{
    int missed = 0;
    if (is_wanted(set->only, "across-x")) {
        missed += run_link(set, level_fastest, n, ALONG_X);
    }
    if (is_wanted(set->only, "across-y")) {
        missed += run_link(set, level_fastest, n, ALONG_Y);
    }
    if (is_wanted(set->only, "sphere")) {
        missed += run_sphere(set, level_fastest, n);
    }
    return missed;
}

static int run_all(const settings *set)
{
    static const int sizes[] = {96, 384};
    int missed = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const int n = set->cells ? set->cells : sizes[i];
        for (int order = 0; order < 2; ++order) {
            const bool level_fastest = order == 0;
            if (is_wanted(set->fastest, level_fastest ? "level" : "x")) {
                missed += run_cases(set, level_fastest, n);
            }
        }
        if (set->cells) {
            break;
        }
    }
    return missed;
}

static settings parse(int argc, char **argv)
{
    settings set = {.rounds = {.count = 7, .seconds = 0.1}, .levels = LEVELS};
    int option;
    while ((option = getopt(argc, argv, "r:t:n:c:f:o:s")) != -1) {
        switch (option) {
        case 'n':
            set.cells = atoi(optarg);
            break;
        case 'c':
            set.only = optarg;
            break;
        case 'f':
            set.fastest = optarg;
            break;
        case 's':
            set.rounds.count = 1;
            set.rounds.seconds = 0.001;
            set.cells = 8;
            set.levels = 5;
            set.smoke = true;
            break;
        default:
            if (!rounds_option(&set.rounds, option, optarg)) {
                give_up("usage: sphere [-r ROUNDS] [-t SECONDS] [-n CELLS] [-c CASE] [-f FASTEST] [-o FILE] "
                        "[-s]");
            }
        }
    }
    rounds_check(&set.rounds);
    if ((set.cells && set.cells < HALO) || set.cells > LARGEST) {
        give_up("-n %d: %d to %d cells are possible", set.cells, HALO, LARGEST);
    }
    return set;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const settings set = parse(argc, argv);
    measure_open();
    if (rank == 0) {
        printf("Tiles of n by n cells, %d levels, wind and 5 scalars of double, %d layers; %d rank%s, a "
               "processor each.\nTimes of the first way; of the others relative to it: median of %d rounds "
               "of %g s, in brackets the middle half.\n\n",
               set.levels, HALO, ranks, ranks == 1 ? "" : "s", set.rounds.count, set.rounds.seconds);
    }
    int missed = run_all(&set);
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    rounds_close(&set.rounds);
    measure_close();
    MPI_Finalize();
    return missed ? EXIT_FAILURE : EXIT_SUCCESS;
}
