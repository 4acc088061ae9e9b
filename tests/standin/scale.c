/*
 * What a rank does when a handle is made, and what it has of memory afterwards, on 10^3 to 10^6 ranks: for some ranks of
 * each number, one after the other, each the only one that exists (lone.h).  Every rank has 16^3 cells.  And the same on
 * 10^5 ranks for other numbers of fields, blocks and tiles.
 *
 *   scale            prints a table; ./dev bench scale draws it, ../bench/plot_scale.lua makes a picture of it
 *   scale check      only the ends of it: memory does not rise with the ranks, nor does time but to read tables of the
 *                    application's
 */
#include "ball.h"
#include "box1.h"
#include "box2.h"
#include "box4.h"
#include "box8.h"
#include "lone.h"
#include "ring1.h"
#include "ring2.h"
#include "ring4.h"
#include "ring8.h"

#include <hx/abi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CELLS = 16,
    LEVELS = 5,
    NODE = 64,
    SAMPLES = 5,
    TRIES = 5,
    MOST_BLOCKS = 8,
    MOST_TILES = 8,
    SIZES = 4
};

typedef enum owners { ONE_EACH, FUNCTION, TABLE } owners;

/* A spec, and how many tiles it has. */
typedef struct kind {
    int tiles;
    bool flat; /* few levels, which are not cut */
    hx_partition (*cut)(void);
    hx_handle *(*create)(const hx_blocks *blocks, const hx_part *part, const hx_options *options);
} kind;

typedef struct subject {
    const char *name;
    const kind *kind;
    int blocks; /* of each rank, one beside the other along the last axis */
    owners owners;
    bool row; /* ranks are cut along one axis only */
} subject;

/* Of one rank. */
typedef struct figures {
    double partition_us;
    double create_us;
    double describe_us;
    long bytes; /* of the handle */
    long most;  /* while it was made */
    long collectives;
    long messages;
} figures;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "scale: %s: %s\n", what, hx_last_error());
    exit(1);
}

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void keep_least(double *least, double value)
{
    *least = *least > 0.0 && *least < value ? *least : value;
}

/* ---- the specs ----------------------------------------------------------------------------------------------------- */

/* Behind FLAT: what NAME_partition takes. */
#define SCALE_KIND(NAME, TILES, FLAT, ...)                                                                   \
    static hx_partition cut_##NAME(void)                                                                     \
    {                                                                                                        \
        return NAME##_partition(__VA_ARGS__);                                                                \
    }                                                                                                        \
    static hx_handle *create_##NAME(const hx_blocks *blocks, const hx_part *part, const hx_options *options) \
    {                                                                                                        \
        NAME##_shape shape[MOST_BLOCKS];                                                                     \
        NAME *made = NULL;                                                                                   \
        for (int b = 0; b < blocks->count; ++b) {                                                            \
            shape[b] = NAME##_shape_dense(&part[b]);                                                         \
        }                                                                                                    \
        if (NAME##_create_blocks(blocks, shape, options, &made) != HX_OK) {                                  \
            die(#NAME "_create_blocks");                                                                     \
        }                                                                                                    \
        return (hx_handle *)made;                                                                            \
    }                                                                                                        \
    static const kind NAME##_kind = {TILES, FLAT, cut_##NAME, create_##NAME};
SCALE_KIND(ball, 6, true, 1, 1)
SCALE_KIND(box1, 1, false, 1, 1, 1)
SCALE_KIND(box2, 1, false, 1, 1, 1)
SCALE_KIND(box4, 1, false, 1, 1, 1)
SCALE_KIND(box8, 1, false, 1, 1, 1)
SCALE_KIND(ring1, 1, false, 1, 1, 1)
SCALE_KIND(ring2, 2, false, 1, 1, 1)
SCALE_KIND(ring4, 4, false, 1, 1, 1)
SCALE_KIND(ring8, 8, false, 1, 1, 1)

/* By the number of ranks. */
static const subject subjects[] = {
    {"box, 1 field", &box1_kind, 1, ONE_EACH, false},
    {"box, 8 fields", &box8_kind, 1, ONE_EACH, false},
    {"box in a row", &box1_kind, 1, ONE_EACH, true},
    {"sphere, 3 fields", &ball_kind, 1, ONE_EACH, false},
    {"8 blocks, function", &box1_kind, MOST_BLOCKS, FUNCTION, false},
    {"8 blocks, table", &box1_kind, MOST_BLOCKS, TABLE, false},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* By something else. */
static const subject others[] = {
    {"fields 1", &box1_kind, 1, ONE_EACH, false}, {"fields 2", &box2_kind, 1, ONE_EACH, false},
    {"fields 4", &box4_kind, 1, ONE_EACH, false}, {"fields 8", &box8_kind, 1, ONE_EACH, false},
    {"blocks 1", &box1_kind, 1, FUNCTION, false}, {"blocks 2", &box1_kind, 2, FUNCTION, false},
    {"blocks 4", &box1_kind, 4, FUNCTION, false}, {"blocks 8", &box1_kind, 8, FUNCTION, false},
    {"tiles 1", &ring1_kind, 1, ONE_EACH, false}, {"tiles 2", &ring2_kind, 1, ONE_EACH, false},
    {"tiles 4", &ring4_kind, 1, ONE_EACH, false}, {"tiles 8", &ring8_kind, 1, ONE_EACH, false},
};
enum { OTHERS = sizeof others / sizeof *others, OTHERS_SIZE = 2 };

/* ---- the grid ------------------------------------------------------------------------------------------------------ */

static int blocks_of_rank;

static int owner_of(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block / blocks_of_rank;
}

/* Of tiles that have as many ranks along each axis that is cut, the most along one of them. */
static int side_of(const kind *k, int64_t ranks)
{
    int64_t side = 1;
    while (k->tiles * (side + 1) * (side + 1) * (k->flat ? 1 : side + 1) <= ranks) {
        ++side;
    }
    return (int)side;
}

/* The cells of a tile: cubes of ranks, as near as that goes. */
static hx_partition request_of(const subject *s, int ranks)
{
    hx_partition p = s->kind->cut();
    const int side = side_of(s->kind, ranks);
    for (int a = 0; a < 3; ++a) {
        p.cells[a] = s->row ? (a == 0 ? CELLS * ranks : CELLS) : CELLS * side;
        p.ranks[a] = s->row ? (a == 0 ? ranks : 1) : side;
    }
    if (s->kind->flat) {
        p.cells[2] = LEVELS;
        p.ranks[2] = 1;
    }
    if (s->blocks > 1) { /* the blocks of a rank have numbers that follow each other */
        p.cells[2] *= s->blocks;
        p.ranks[2] *= s->blocks;
    }
    return p;
}

/* Near a power of ten, and of equal sides. */
static int ranks_of(const subject *s, int size)
{
    static const int near[SIZES] = {1014, 10648, 99846, 1000000};
    const int side = side_of(s->kind, near[size]);
    return s->kind->tiles * side * side * (s->kind->flat ? 1 : side);
}

/* ---- a rank -------------------------------------------------------------------------------------------------------- */

typedef struct place {
    int rank;
    int ranks;
    hx_partition partition[MOST_TILES];
    hx_part part[MOST_BLOCKS];
} place;

static void find_place(const subject *s, place *p, figures *f)
{
    hx_partition request = request_of(s, p->ranks);
    const double began = cpu_us();
    if (s->kind->tiles == 1 && s->blocks == 1) {
        hx_partition choose = request;
        memset(choose.ranks, 0, s->row ? 0 : sizeof choose.ranks);
        if (hx_decompose_as(p->rank, p->ranks, &choose, &p->part[0]) != HX_OK) {
            die("hx_decompose_as");
        }
        request = p->part[0].partition;
    }
    for (int b = 0; b < s->blocks; ++b) {
        const int block = p->rank * s->blocks + b;
        const int in_tile = p->ranks * s->blocks / s->kind->tiles;
        if (hx_part_of(&request, block / in_tile, block % in_tile, &p->part[b]) != HX_OK) {
            die("hx_part_of");
        }
    }
    keep_least(&f->partition_us, cpu_us() - began);
    for (int t = 0; t < s->kind->tiles; ++t) {
        p->partition[t] = request;
    }
}

static void try_rank(const subject *s, const int *table, place *p, figures *f)
{
    lone_set(p->rank, p->ranks, NODE);
    find_place(s, p, f);
    blocks_of_rank = s->blocks;
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD,
                              .tiles = s->kind->tiles,
                              .partition = p->partition,
                              .owner = s->owners == FUNCTION ? owner_of : NULL,
                              .count = s->blocks,
                              .owners = s->owners == TABLE ? table : NULL};
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "persistent"; /* others of the node have no mailboxes here */
    const long before = lone_bytes();
    lone_watch();
    double began = cpu_us();
    hx_handle *handle = s->kind->create(&blocks, p->part, &options);
    keep_least(&f->create_us, cpu_us() - began);
    f->bytes = lone_bytes() - before;
    f->most = lone_most() - before;
    f->collectives = lone_called().collectives;
    f->messages = lone_called().messages;
    began = cpu_us();
    if (!strstr(hx_describe(handle), "persistent")) {
        die("hx_describe");
    }
    keep_least(&f->describe_us, cpu_us() - began);
    if (hx_destroy(handle) != HX_OK) {
        die("hx_destroy");
    }
}

/* The most of some ranks. */
static figures try_ranks(const subject *s, int ranks)
{
    figures worst = {0};
    int *table = NULL;
    if (s->owners == TABLE) {
        table = malloc((size_t)ranks * (size_t)s->blocks * sizeof *table);
        for (int b = 0; table && b < ranks * s->blocks; ++b) {
            table[b] = b / s->blocks;
        }
    }
    for (int i = 0; i < SAMPLES; ++i) {
        figures f = {0};
        place p = {.rank = (int)((int64_t)(ranks - 1) * i / (SAMPLES - 1)), .ranks = ranks};
        for (int t = 0; t < TRIES; ++t) {
            try_rank(s, table, &p, &f);
        }
        worst.partition_us = f.partition_us > worst.partition_us ? f.partition_us : worst.partition_us;
        worst.create_us = f.create_us > worst.create_us ? f.create_us : worst.create_us;
        worst.describe_us = f.describe_us > worst.describe_us ? f.describe_us : worst.describe_us;
        worst.bytes = f.bytes > worst.bytes ? f.bytes : worst.bytes;
        worst.most = f.most > worst.most ? f.most : worst.most;
        worst.collectives = f.collectives > worst.collectives ? f.collectives : worst.collectives;
        worst.messages = f.messages > worst.messages ? f.messages : worst.messages;
    }
    free(table);
    return worst;
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

static void print_row(const subject *s, int size)
{
    const int ranks = ranks_of(s, size);
    const figures f = try_ranks(s, ranks);
    printf("| %s | %d | %.1f | %.0f | %.0f | %.1f | %.1f | %ld |\n", s->name, ranks, f.partition_us,
           f.create_us, f.describe_us, (double)f.bytes / 1024, (double)f.most / 1024, f.collectives);
    fflush(stdout);
}

static void print_table(void)
{
    printf(
        "| grid | ranks | partition, us | create, us | describe, us | handle, KiB | at most, KiB | collectives |\n");
    printf("|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < SUBJECTS; ++i) {
        for (int size = 0; size < SIZES; ++size) {
            print_row(&subjects[i], size);
        }
    }
    for (int i = 0; i < OTHERS; ++i) {
        print_row(&others[i], OTHERS_SIZE);
    }
}

static int check(const char *name, const char *what, double small, double large, double allowed)
{
    const bool flat = large <= allowed;
    if (!flat) {
        printf("%s: %s: %.0f on 10^3 ranks, %.0f on 10^6, allowed are %.0f\n", name, what, small, large,
               allowed);
    }
    return !flat;
}

/* Time: of a busy machine, so only what rises by the ranks is far from it. */
static int check_all(void)
{
    enum { ROOM = 4096, TIMES = 5, SLACK_US = 300, COLLECTIVES = 6 };
    int failures = 0;
    for (int i = 0; i < SUBJECTS; ++i) {
        const subject *s = &subjects[i];
        const figures a = try_ranks(s, ranks_of(s, 0));
        const figures b = try_ranks(s, ranks_of(s, SIZES - 1));
        failures +=
            check(s->name, "bytes of the handle", (double)a.bytes, (double)b.bytes, (double)a.bytes + ROOM);
        failures += check(s->name, "bytes at most", (double)a.most, (double)b.most, (double)a.most + ROOM);
        failures += check(s->name, "microseconds of the partition", a.partition_us, b.partition_us,
                          TIMES * a.partition_us + SLACK_US);
        failures += check(s->name, "microseconds of describe", a.describe_us, b.describe_us,
                          TIMES * a.describe_us + SLACK_US);
        failures += check(s->name, "collectives", (double)a.collectives, (double)b.collectives, COLLECTIVES);
        if (s->owners != TABLE) {
            failures += check(s->name, "microseconds of create", a.create_us, b.create_us,
                              TIMES * a.create_us + SLACK_US);
        }
    }
    printf("%d failures\n", failures);
    return failures != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "check") == 0) {
        return check_all();
    }
    print_table();
    return 0;
}
