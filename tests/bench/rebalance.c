/*
 * rebalance [-r ROUNDS] [-c CASE] [-o FILE] [-s], and -t, which counts for nothing here
 *
 * Runs on 2 ranks or more.  Measures a new handle after one block of 96 has got another owner, of 16 cells along each
 * axis of the block:
 *
 *   wave    a box of 4 x 4 x 6 blocks, the spec of specs/wave
 *   sphere  six tiles of 4 x 4 blocks, the spec of specs/sphere
 *
 * Ways:
 *
 *   create  wave_create_blocks, from nothing
 *   like    wave_create_like, from the handle before
 *
 * Both make the same handle, in turn, ROUNDS times.  The one before it is gone, so "like" finds its memory; in the first
 * round, which -r 1 shows alone, it finds what create has made.  The last number is the time of "like" over that of "create", the median of all
 * rounds and, in brackets, the middle half.  The bar is 0.25.
 *
 *   -c  only this case
 *   -o  write the numbers to FILE, too
 *   -s  smoke: one round, without the bar
 *
 * Ends with 1 where the bar is missed.
 */
#include "bench.h"

#include <hx/hx.h>

#include <stdlib.h>
#include <string.h>

enum { CREATE, LIKE, WAYS, BLOCKS = 96, CELLS = 16, TILES = 6 };

/* Of emitted code, whose other parts nobody needs here. */
extern const struct hx_spec wave_spec;
extern const struct hx_spec sphere_spec;

typedef struct task {
    const char *name;
    const struct hx_spec *spec;
    int parts[3]; /* of a tile */
} task;

static const task tasks[] = {
    {"wave", &wave_spec, {4, 4, 6}},
    {"sphere", &sphere_spec, {4, 4, 1}},
};

typedef struct contest {
    const task *task;
    hx_spec_facts facts;
    hx_partition partition[TILES];
    int owner[2][BLOCKS]; /* before, and after one block has moved */
    hx_blocks blocks[2];
    unsigned char *shapes[2];
    hx_handle *before;
    double time[WAYS][MAX_ROUNDS];
} contest;

static int rank, ranks;

/* The blocks and shapes of one of the two tables of owners. */
static void divide(contest *c, int which)
{
    const int each = BLOCKS / c->facts.tiles;
    hx_blocks *b = &c->blocks[which];
    *b = (hx_blocks){.comm = MPI_COMM_WORLD,
                     .tiles = c->facts.tiles,
                     .partition = c->partition,
                     .owners = c->owner[which]};
    c->shapes[which] = malloc(BLOCKS * c->facts.shape_size);
    for (int i = 0; i < BLOCKS; ++i) {
        hx_part part;
        c->owner[which][i] = i == BLOCKS / 3 && which == 1 ? ranks - 1 : i * ranks / BLOCKS;
        if (c->owner[which][i] == rank) {
            must(hx_part_of(&c->partition[i / each], i / each, i % each, &part));
            must(hx_spec_shape(c->task->spec, &part,
                               c->shapes[which] + (size_t)b->count++ * c->facts.shape_size));
        }
    }
}

static void measure(void *work, int way, int round)
{
    contest *c = work;
    hx_handle *made;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    must(way == LIKE ? hx_create_like(c->before, &c->blocks[1], c->shapes[1], &made)
                     : hx_create(c->task->spec, &c->blocks[1], c->shapes[1], NULL, &made));
    double mine = now() - start;
    MPI_Allreduce(&mine, &c->time[way][round], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    must(hx_destroy(made));
}

static bool run(const task *t, const rounds *set)
{
    static contest c;
    c = (contest){.task = t};
    must(hx_spec_query(t->spec, &c.facts));
    for (int i = 0; i < c.facts.tiles; ++i) {
        c.partition[i] = (hx_partition){.axes = c.facts.axes};
        for (int a = 0; a < c.partition[i].axes; ++a) {
            c.partition[i].ranks[a] = t->parts[a];
            c.partition[i].cells[a] = t->parts[a] * CELLS;
        }
    }
    divide(&c, 0);
    divide(&c, 1);
    must(hx_create(t->spec, &c.blocks[0], c.shapes[0], NULL, &c.before));
    rounds_run(set, WAYS, measure, &c);
    must(hx_destroy(c.before));
    const ratio r = rounds_ratio(set, c.time[LIKE], c.time[CREATE]);
    const double create = rounds_median(set, c.time[CREATE]);
    const double like = rounds_median(set, c.time[LIKE]);
    if (rank == 0) {
        printf("%-8s create %8.1f us   like %8.1f us   %.2f [%.2f %.2f]\n", t->name, create, like, r.middle,
               r.low, r.high);
    }
    if (set->numbers) {
        fprintf(set->numbers, "%s %g %g\n", t->name, create, like);
    }
    free(c.shapes[0]);
    free(c.shapes[1]);
    return r.middle <= 0.25;
}

int main(int argc, char **argv)
{
    const session usual = {.program = "rebalance", .rounds = {.count = 60}};
    const session s = session_begin(argc, argv, &usual, BLOCKS);
    rank = s.rank;
    ranks = s.ranks;
    int missed = 0;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; ++i) {
        if (!s.only || strcmp(s.only, tasks[i].name) == 0) {
            missed += !run(&tasks[i], &s.rounds);
        }
    }
    return session_end(&s, missed);
}
