/*
 * bench [-r ROUNDS] [-t SECONDS] [-c N,KIND] [-w WAY] [-p PLACE] [-o FILE] [-m] [-s]
 *
 * Runs on 2 ranks.  For each case and split all variants are measured in turn, ROUNDS times, in reversed
 * order every other time, SECONDS for each.  A variant's ratio to (a) is taken within a round; the report has
 * the median of the rounds and, in brackets, the middle half.  Every variant is verified before and after.
 *
 *   -c  only this case: cells along an axis of a block, and a kind as below, as in 64,3,8 or 64,3,8,together
 *   -w  only this way, as hx-shared; times instead of ratios, no judgment
 *   -p  where in a page arrays begin, 0 to 6: some exchanges take twice as long at one place as at another
 *   -o  write the numbers to FILE, too
 *   -m  the cases from which fit_machine.lua finds the figures of a machine file; none of them is among the others
 *   -s  smoke: small sizes, one short round, no judgment
 *
 * Ends with 1 if a bar is missed, with 2 if an exchange is wrong.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct split {
    const char *name;
    int ranks[3];
} split;

/* With the last one, which is for machine files only, each rank exchanges with itself, both at the same time. */
static const split splits[] = {{"2x1x1", {2, 1, 1}}, {"1x1x2", {1, 1, 2}}, {"1x1x1", {1, 1, 1}}};
enum { SPLITS = 2, MACHINE_SPLITS = 3 };

static const kind h1f1 = {"1,1", 1, {{DOUBLE, 1}}, 0, 1, false};
static const kind h3f1 = {"3,1", 1, {{DOUBLE, 3}}, 0, 1, false};
static const kind h2f4 = {"2,4", 4, {{DOUBLE, 2}, {DOUBLE, 2}, {DOUBLE, 2}, {DOUBLE, 2}}, 0, 1, false};
#define EIGHT(type)                                                                                          \
    {                                                                                                        \
        {type, 3}, {type, 3}, {type, 3}, {type, 3}, {type, 3}, {type, 3}, {type, 3},                         \
        {                                                                                                    \
            type, 3                                                                                          \
        }                                                                                                    \
    }
static const kind h3f8 = {"3,8", 8, EIGHT(DOUBLE), 0, 1, false};
static const kind h1f1_float = {"1,1,float", 1, {{FLOAT, 1}}, 0, 1, false};
static const kind h3f8_float = {"3,8,float", 8, EIGHT(FLOAT), 0, 1, false};
/* Fewer layers than there are. */
static const kind h3f1_width1 = {"3,1,width1", 1, {{DOUBLE, 3}}, 1, 1, false};
/* Fields that have little in common. */
static const kind mixed = {"mixed", 4, {{DOUBLE, 3}, {FLOAT, 1}, {INT32, 2}, {COMPLEX128, 1}}, 0, 1, false};
static const kind h1f1_blocks = {"1,1,blocks", 1, {{DOUBLE, 1}}, 0, 4, false};
static const kind h3f8_blocks = {"3,8,blocks", 8, EIGHT(DOUBLE), 0, 4, false};
/* (a) has separate arrays here, too. */
static const kind h3f8_together = {"3,8,together", 8, EIGHT(DOUBLE), 0, 1, true};
static const kind h2f4_together = {
    "2,4,together", 4, {{DOUBLE, 2}, {DOUBLE, 2}, {DOUBLE, 2}, {DOUBLE, 2}}, 0, 1, true};

static const kind *const kinds[] = {&h1f1,        &h3f1,        &h2f4,          &h3f8,
                                    &h1f1_float,  &h3f8_float,  &h3f1_width1,   &mixed,
                                    &h1f1_blocks, &h3f8_blocks, &h3f8_together, &h2f4_together};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A case and, per split, the aims of those that are judged; 0: only not slower. */
typedef struct work {
    int n;
    const kind *kind;
    double aim[SPLITS][JUDGED];
} work;

static const work works[] = {
    {32, &h1f1, {{0.40, 0.16, 0.16}, {0.50, 0.26, 0.25}}},
    {64, &h1f1, {{0.55, 0.31, 0.30}, {0.63, 0.42, 0.40}}},
    {64, &h3f1, {{0.60, 0.31, 0.30}, {0.80, 0.49, 0.46}}},
    {64, &h3f8, {{0.70, 0.43, 0.38}, {0.88, 0.62, 0.55}}},
    {128, &h3f1, {{0.60, 0.42, 0.36}, {1.00, 0.71, 0.58}}},
    {128, &h3f8, {{0.75, 0.43, 0.35}, {0.95, 0.70, 0.52}}},
    {256, &h2f4, {{0.60, 0.39, 0.32}, {0.90, 0.63, 0.50}}},
    {64, &h3f8_together, {{0, 0, 0.25}, {0, 0, 0.25}}},
    {128, &h3f8_together, {{0, 0, 0.25}, {0, 0, 0.25}}},
    {256, &h2f4_together, {{0, 0, 0.25}, {0, 0, 0.25}}},
    {4, &h1f1, {{0}}},
    {8, &h1f1, {{0}}},
    {16, &h1f1, {{0}}},
    {4, &h3f1, {{0}}},
    {8, &h3f1, {{0}}},
    {16, &h3f1, {{0}}},
    {32, &h3f1, {{0}}},
    {4, &h3f8, {{0}}},
    {16, &h3f8, {{0}}},
    {8, &h2f4, {{0}}},
    {32, &h2f4, {{0}}},
    {32, &h1f1_float, {{0}}},
    {64, &h1f1_float, {{0}}},
    {64, &h3f8_float, {{0}}},
    {64, &h3f1_width1, {{0}}},
    {128, &h3f1_width1, {{0}}},
    {32, &mixed, {{0}}},
    {64, &mixed, {{0}}},
    {128, &mixed, {{0}}},
    {16, &h1f1_blocks, {{0}}},
    {32, &h1f1_blocks, {{0}}},
    {64, &h1f1_blocks, {{0}}},
    {32, &h3f8_blocks, {{0}}},
    {64, &h3f8_blocks, {{0}}},
};

static const work smoke_works[] = {
    {4, &h1f1, {{0}}},        {5, &h3f1, {{0}}},          {6, &h3f8, {{0}}},
    {16, &h2f4, {{0}}},       {7, &h1f1_float, {{0}}},    {5, &h3f8_float, {{0}}},
    {5, &h3f1_width1, {{0}}}, {6, &mixed, {{0}}},         {5, &h1f1_blocks, {{0}}},
    {4, &h3f8_blocks, {{0}}}, {6, &h3f8_together, {{0}}}, {5, &h2f4_together, {{0}}},
};

/* Arrays from some KiB to some hundred MiB; messages of few bytes and many, of short runs and long ones. */
static const work machine_works[] = {
    {5, &h1f1, {{0}}},
    {10, &h1f1, {{0}}},
    {20, &h1f1, {{0}}},
    {40, &h1f1, {{0}}},
    {60, &h1f1, {{0}}},
    {80, &h1f1, {{0}}},
    {100, &h1f1, {{0}}},
    {120, &h1f1, {{0}}},
    {160, &h1f1, {{0}}},
    {5, &h3f1, {{0}}},
    {10, &h3f1, {{0}}},
    {20, &h3f1, {{0}}},
    {40, &h3f1, {{0}}},
    {60, &h3f1, {{0}}},
    {80, &h3f1, {{0}}},
    {100, &h3f1, {{0}}},
    {140, &h3f1, {{0}}},
    {6, &h2f4, {{0}}},
    {12, &h2f4, {{0}}},
    {24, &h2f4, {{0}}},
    {36, &h2f4, {{0}}},
    {48, &h2f4, {{0}}},
    {72, &h2f4, {{0}}},
    {96, &h2f4, {{0}}},
    {144, &h2f4, {{0}}},
    {192, &h2f4, {{0}}},
    /* Runs that are long for as many bytes: they tell what a run costs from what a byte does. */
    {12, &h3f8_together, {{0}}},
    {24, &h3f8_together, {{0}}},
    {48, &h3f8_together, {{0}}},
    {96, &h3f8_together, {{0}}},
    {20, &h2f4_together, {{0}}},
    {40, &h2f4_together, {{0}}},
    {80, &h2f4_together, {{0}}},
    {160, &h2f4_together, {{0}}},
};

/* Places in a page are so many bytes apart: nine cache lines, so seven of them are spread over all of it. */
enum { PLACES = 7, PLACE_BYTES = 9 * 64 };

typedef struct settings {
    rounds rounds;
    bool smoke, machine;
    const char *way; /* NULL: all */
    work only;       /* n 0: all */
    int place;
} settings;

static int rank;

static void verify(problem *of[VARIANTS], void *state[VARIANTS], const char *when)
{
    for (int v = 0; v < VARIANTS; ++v) {
        if (!state[v]) {
            continue;
        }
        problem_fill(of[v], v);
        variants[v]->exchange(state[v]);
        const long wrong = problem_wrong_points(of[v], v);
        if (wrong) {
            give_up("%s is wrong in %ld points %s timing (%d,%s)", variants[v]->name, wrong, when, of[v]->n,
                    of[v]->kind->name);
        }
    }
}

typedef struct measurement {
    result *r;
    problem *of[VARIANTS];
    void *state[VARIANTS];
} measurement;

static void measure_one(void *all, int v, int round)
{
    const measurement *m = all;
    if (m->r->done[v]) {
        m->r->time[v][round] =
            measure_dirty(problem_sweep, m->of[v], variants[v]->exchange, m->state[v], m->r->rounds->seconds);
    }
}

static bool is_wanted(const char *way, int v)
{
    return !way || strcmp(way, variants[v]->name) == 0;
}

static void measure(const split *s, const settings *set, result *r)
{
    const char *way = set->way;
    const size_t shift = (size_t)set->place * PLACE_BYTES;
    problem plain, together;
    measurement m = {.r = r};
    problem_create(&plain, r->kind, r->n, s->ranks, false, shift);
    if (r->kind->together) {
        problem_create(&together, r->kind, r->n, s->ranks, true, shift);
    }
    for (int v = 0; v < VARIANTS; ++v) {
        m.of[v] = r->kind->together && variants[v]->emitted ? &together : &plain;
        m.state[v] = is_wanted(way, v) ? variants[v]->create(m.of[v]) : NULL;
        r->done[v] = m.state[v] != NULL;
        m.of[v] = m.state[v] && variants[v]->own ? variants[v]->own(m.state[v]) : m.of[v];
    }
    verify(m.of, m.state, "before");
    r->flag = way ? measure_flag() : 0;
    rounds_run(r->rounds, VARIANTS, measure_one, &m);
    const double after = way ? measure_flag() : 0;
    r->flag = after > r->flag ? after : r->flag;
    verify(m.of, m.state, "after");
    for (int v = 0; v < VARIANTS; ++v) {
        if (m.state[v]) {
            variants[v]->destroy(m.state[v]);
        }
    }
    problem_destroy(&plain);
    if (r->kind->together) {
        problem_destroy(&together);
    }
}

/* How many of the rows missed their bars, on rank 0. */
static int run(const settings *set, const work *list, size_t count)
{
    static result r;
    int missed = 0;
    const size_t ways = set->machine ? MACHINE_SPLITS : SPLITS;
    for (size_t i = 0; i < count * ways; ++i) {
        const work *w = &list[i / ways];
        const split *s = &splits[i % ways];
        r = (result){
            .n = w->n, .kind = w->kind, .split = s->name, .aim = w->aim[i % SPLITS], .rounds = &set->rounds};
        measure(s, set, &r);
        if (rank == 0) {
            missed += !(set->way ? report_time(&r) : report_row(&r, set->smoke));
            fflush(stdout);
        }
        if (set->rounds.numbers) {
            report_numbers(&r);
            fflush(set->rounds.numbers);
        }
    }
    return missed;
}

static const kind *kind_called(const char *name)
{
    for (int i = 0; i < KINDS; ++i) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

static _Noreturn void refuse_case(const char *text)
{
    char names[256] = "";
    for (int i = 0; i < KINDS; ++i) {
        snprintf(names + strlen(names), sizeof names - strlen(names), "  %s", kinds[i]->name);
    }
    give_up("-c %s: needed are n, from the halo to %d, and a kind, as in -c 64,3,8; kinds are%s", text,
            LARGEST, names);
}

/* The case of -c with its aims, if it has some. */
static work parse_case(const char *text)
{
    char *rest;
    const long n = strtol(text, &rest, 10);
    const kind *k = *rest == ',' ? kind_called(rest + 1) : NULL;
    if (!k || n > LARGEST || n < 1) {
        refuse_case(text);
    }
    for (int f = 0; f < k->fields; ++f) {
        if (n < k->field[f].halo) {
            refuse_case(text);
        }
    }
    for (size_t i = 0; i < sizeof works / sizeof works[0]; ++i) {
        if (works[i].n == n && works[i].kind == k) {
            return works[i];
        }
    }
    return (work){.n = (int)n, .kind = k};
}

static const char *parse_way(const char *name)
{
    for (int v = 0; v < VARIANTS; ++v) {
        if (is_wanted(name, v)) {
            return variants[v]->name;
        }
    }
    give_up("-w %s: the ways are those that the table lists, as in -w hx-shared", name);
}

static int parse_place(const char *text)
{
    char *rest;
    const long place = strtol(text, &rest, 10);
    if (*text == '\0' || *rest != '\0' || place < 0 || place >= PLACES) {
        give_up("-p %s: places are 0 to %d", text, PLACES - 1);
    }
    return (int)place;
}

static settings parse(int argc, char **argv)
{
    settings set = {.rounds = {.count = 7, .seconds = 0.1}};
    int option;
    while ((option = getopt(argc, argv, "r:t:c:w:p:o:ms")) != -1) {
        if (option == 'c') {
            set.only = parse_case(optarg);
        } else if (option == 'w') {
            set.way = parse_way(optarg);
        } else if (option == 'p') {
            set.place = parse_place(optarg);
        } else if (option == 'm') {
            set.machine = true;
        } else if (option == 's') {
            set.smoke = true;
            set.rounds.count = 1;
            set.rounds.seconds = 0.001;
        } else if (!rounds_option(&set.rounds, option, optarg)) {
            give_up("usage: bench [-r ROUNDS] [-t SECONDS] [-c N,KIND] [-w WAY] [-p PLACE] [-o FILE] "
                    "[-m] [-s]");
        }
    }
    rounds_check(&set.rounds);
    return set;
}

static int run_all(const settings *set)
{
    if (set->only.n) {
        return run(set, &set->only, 1);
    }
    if (set->machine) {
        return run(set, machine_works, sizeof machine_works / sizeof machine_works[0]);
    }
    if (set->smoke) {
        return run(set, smoke_works, sizeof smoke_works / sizeof smoke_works[0]);
    }
    return run(set, works, sizeof works / sizeof works[0]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2) {
        give_up("runs on 2 ranks, not %d", ranks);
    }
    const settings set = parse(argc, argv);
    measure_open();
    if (rank == 0) {
        report_heading(&set.rounds, set.way != NULL);
    }
    int missed = run_all(&set);
    if (missed) {
        printf("\n%d bars missed.\n", missed);
    }
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    rounds_close(&set.rounds);
    measure_close();
    MPI_Finalize();
    return missed ? EXIT_FAILURE : EXIT_SUCCESS;
}
