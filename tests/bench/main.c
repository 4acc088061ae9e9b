/*
 * bench [-r ROUNDS] [-t SECONDS] [-c N,HALO,FIELDS] [-o FILE] [-s]
 *
 * Runs on 2 ranks.  For each case and split all variants are measured in turn, ROUNDS times, in reversed
 * order every other time, SECONDS for each.  A variant's ratio to (a) is taken within a round; the report has
 * the median of the rounds and, in brackets, the middle half.  Every variant is verified before and after.
 *
 *   -c  only this case
 *   -o  write the numbers to FILE, too
 *   -s  smoke: small sizes, one short round, no judgment
 *
 * Ends with 1 if a bar is missed, with 2 if an exchange is wrong.
 */
#include "bench.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct split {
    const char *name;
    int ranks[3];
} split;

static const split splits[] = {{"2x1x1", {2, 1, 1}}, {"1x1x2", {1, 1, 2}}};
enum { SPLITS = sizeof splits / sizeof splits[0] };

/* A case and, per split, the aim of the first stage; 0: only not slower. */
typedef struct work {
    int n, halo, fields;
    double aim[SPLITS];
} work;

static const work works[] = {
    {32, 1, 1, {0.40, 0.50}},
    {64, 1, 1, {0.55, 0.63}},
    {64, 3, 1, {0.60, 0.80}},
    {64, 3, 8, {0.70, 0.88}},
    {128, 3, 1, {0.60, 1.00}},
    {128, 3, 8, {0.75, 0.95}},
    {256, 2, 4, {0.60, 0.90}},
    {4, 1, 1, {0}},
    {8, 1, 1, {0}},
    {16, 1, 1, {0}},
    {4, 3, 1, {0}},
    {8, 3, 1, {0}},
    {16, 3, 1, {0}},
    {32, 3, 1, {0}},
    {4, 3, 8, {0}},
    {16, 3, 8, {0}},
    {8, 2, 4, {0}},
    {32, 2, 4, {0}},
};

static const work smoke_works[] = {
    {4, 1, 1, {0}},
    {5, 3, 1, {0}},
    {6, 3, 8, {0}},
    {16, 2, 4, {0}},
};

typedef struct settings {
    int rounds;
    double seconds;
    bool smoke;
    FILE *numbers; /* of rank 0, or NULL */
    work only;     /* n 0: all */
} settings;

static int rank;

static void verify(problem *p, void *state[VARIANTS], const char *when)
{
    for (int v = 0; v < VARIANTS; ++v) {
        problem_fill(p, v);
        variants[v]->exchange(state[v]);
        const long wrong = problem_wrong_points(p, v);
        if (wrong) {
            give_up("%s is wrong in %ld points %s timing (n %d, halo %d, fields %d)", variants[v]->name,
                    wrong, when, p->n, p->halo, p->fields);
        }
    }
}

static void measure(const settings *set, const split *s, result *r)
{
    problem p;
    void *state[VARIANTS];
    problem_create(&p, r->n, r->halo, r->fields, s->ranks);
    for (int v = 0; v < VARIANTS; ++v) {
        state[v] = variants[v]->create(&p);
    }
    verify(&p, state, "before");
    for (int round = 0; round < set->rounds; ++round) {
        for (int i = 0; i < VARIANTS; ++i) {
            const int v = round % 2 ? VARIANTS - 1 - i : i;
            r->time[v][round] = measure_dirty(&p, variants[v], state[v], set->seconds);
        }
    }
    verify(&p, state, "after");
    for (int v = 0; v < VARIANTS; ++v) {
        variants[v]->destroy(state[v]);
    }
    problem_destroy(&p);
}

/* How many of the rows missed their bars, on rank 0. */
static int run(const settings *set, const work *list, size_t count)
{
    static result r;
    int missed = 0;
    for (size_t i = 0; i < count * SPLITS; ++i) {
        const work *w = &list[i / SPLITS];
        const split *s = &splits[i % SPLITS];
        r = (result){w->n, w->halo, w->fields, s->name, w->aim[i % SPLITS], set->rounds, {{0}}};
        measure(set, s, &r);
        if (rank == 0) {
            missed += !report_row(&r, set->smoke);
            fflush(stdout);
        }
        if (set->numbers) {
            report_numbers(&r, set->numbers);
        }
    }
    return missed;
}

/* The case of -c with its aims, if it has some. */
static work parse_case(const char *text)
{
    work w = {0};
    if (sscanf(text, "%d,%d,%d", &w.n, &w.halo, &w.fields) != 3 || !emitted_has(w.halo, w.fields) ||
        w.n < w.halo || w.n > LARGEST) {
        give_up("-c %s: needed are n, halo and fields, as in -c 64,3,8; n from the halo to %d; "
                "halo and fields 1,1 or 3,1 or 3,8 or 2,4",
                text, LARGEST);
    }
    for (size_t i = 0; i < sizeof works / sizeof works[0]; ++i) {
        if (works[i].n == w.n && works[i].halo == w.halo && works[i].fields == w.fields) {
            return works[i];
        }
    }
    return w;
}

static FILE *open_numbers(const char *name)
{
    FILE *file = rank == 0 ? fopen(name, "w") : NULL;
    if (rank == 0 && !file) {
        give_up("-o %s: cannot be written", name);
    }
    return file;
}

static settings parse(int argc, char **argv)
{
    settings set = {.rounds = 7, .seconds = 0.1};
    int option;
    while ((option = getopt(argc, argv, "r:t:c:o:s")) != -1) {
        switch (option) {
        case 'r':
            set.rounds = atoi(optarg);
            break;
        case 't':
            set.seconds = atof(optarg);
            break;
        case 'c':
            set.only = parse_case(optarg);
            break;
        case 'o':
            set.numbers = open_numbers(optarg);
            break;
        case 's':
            set.smoke = true;
            set.rounds = 1;
            set.seconds = 0.001;
            break;
        default:
            give_up("usage: bench [-r ROUNDS] [-t SECONDS] [-c N,HALO,FIELDS] [-o FILE] [-s]");
        }
    }
    if (set.rounds < 1 || set.rounds > MAX_ROUNDS) {
        give_up("-r %d: 1 to %d rounds are possible", set.rounds, MAX_ROUNDS);
    }
    return set;
}

static int run_all(const settings *set)
{
    if (set->only.n) {
        return run(set, &set->only, 1);
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
        report_heading(set.rounds, set.seconds);
    }
    int missed = run_all(&set);
    if (missed) {
        printf("\n%d bars missed.\n", missed);
    }
    MPI_Bcast(&missed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (set.numbers) {
        fclose(set.numbers);
    }
    measure_close();
    MPI_Finalize();
    return missed ? EXIT_FAILURE : EXIT_SUCCESS;
}
