/*
 * redistribute [-r ROUNDS] [-t SECONDS] [-c CASE] [-o FILE] [-s]
 *
 * Runs on 2 ranks or more.  Measures moving fields from one way to divide a grid of n^3 cells to another one.
 *
 *   slabs   from slabs across the first axis to slabs across the last one, as an FFT has it: runs are short
 *   turn    from slabs across the first axis to slabs across the second one
 *   shift   between slabs whose cuts differ, as after a rebalance: most points stay on their rank
 *
 * Behind the name: n and the number of fields.  Ways:
 *
 *   alltoallw  MPI_Alltoallw with subarray datatypes, a call for each field
 *   packed     by hand: rows are copied into one message for each rank; MPI_Isend, MPI_Irecv
 *   moved      bench_..._redistribute
 *
 * All ways move the same arrays, in turn, ROUNDS times, SECONDS for each, after a sweep over the source.  Of the first
 * two the faster one of each round counts; the last number is its time over that of "moved", the median of all rounds
 * and, in brackets, the middle half.  The bar is 0.8.  All ways are verified before and after.
 *
 *   -c  only this case
 *   -o  write the numbers to FILE, too
 *   -s  smoke: one short round, without the bar
 *
 * Ends with 1 where the bar is missed, with 2 if a way is wrong.
 */
#include "bench.h"

#include "bench_h1f1.h"
#include "bench_h2f4.h"

#include <hx/abi.h>

#include <stdlib.h>
#include <string.h>

enum { ALLTOALLW, PACKED, MOVED, WAYS, MOST_FIELDS = 4, MOST_RANKS = 64 };

typedef enum move { SLABS, TURN, SHIFT } move;

typedef struct task {
    const char *name;
    move move;
    int n;
    int fields;
    bool smoke; /* also in short runs */
} task;

/* Cells of a block of each rank, counted in the grid. */
typedef struct range {
    int first[3];
    int n[3];
} range;

typedef struct end {
    range all[MOST_RANKS];
    int halo;
    int whole[3]; /* of this rank's arrays */
    double *array[MOST_FIELDS];
    hx_handle *handle;
} end;

typedef struct contest {
    const task *task;
    const rounds *rounds;
    end from, to;
    MPI_Datatype sent[MOST_RANKS], received[MOST_RANKS];
    int counts[MOST_RANKS], counted[MOST_RANKS], nowhere[MOST_RANKS]; /* nowhere: zeros */
    double *out[MOST_RANKS], *in[MOST_RANKS];
    double time[WAYS][MAX_ROUNDS];
} contest;

static int rank, ranks;

/* ---- the two ends --------------------------------------------------------------------------------------- */

/* Slabs across an axis; shifted: the cuts lie an eighth of a slab behind those of even ones. */
static void divide(end *e, int n, int axis, bool shifted)
{
    const int shift = shifted ? n / ranks / 8 : 0;
    for (int r = 0; r < ranks; ++r) {
        const int low = r == 0 ? 0 : n * r / ranks + shift;
        const int high = r + 1 == ranks ? n : n * (r + 1) / ranks + shift;
        e->all[r] = (range){{0, 0, 0}, {n, n, n}};
        e->all[r].first[axis] = low;
        e->all[r].n[axis] = high - low;
    }
}

static void end_make(end *e, const task *t, int axis, bool shifted)
{
    const hx_spec *spec = t->fields == 1 ? &bench_h1f1_spec : &bench_h2f4_spec;
    divide(e, t->n, axis, shifted);
    int cut[MOST_RANKS + 1];
    hx_partition p = {.axes = 3, .cells = {t->n, t->n, t->n}, .ranks = {1, 1, 1}, .periodic = {1, 1, 1}};
    for (int r = 0; r < ranks; ++r) {
        cut[r] = e->all[r].first[axis];
    }
    cut[ranks] = t->n;
    p.ranks[axis] = ranks;
    p.cuts[axis] = cut;
    e->halo = spec->field[0].halo_lo[0];
    const range *mine = &e->all[rank];
    for (int a = 0; a < 3; ++a) {
        e->whole[a] = mine->n[a] + 2 * e->halo;
    }
    const size_t bytes = (size_t)e->whole[0] * (size_t)e->whole[1] * (size_t)e->whole[2] * sizeof(double);
    for (int f = 0; f < t->fields; ++f) {
        e->array[f] = allocate(bytes);
        memset(e->array[f], 0, bytes);
    }
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &p, .count = 1};
    char *shape = allocate(spec->shape_size);
    hx_part part;
    must(hx_part_of(&p, 0, rank, &part));
    memcpy(shape, &part, sizeof part);
    hx_dense_strides(spec, &part, (ptrdiff_t *)(void *)(shape + spec->shape_stride), NULL);
    must(hx_create(spec, &blocks, shape, NULL, &e->handle));
    free(shape);
}

static void end_free(end *e, const task *t)
{
    must(hx_destroy(e->handle));
    for (int f = 0; f < t->fields; ++f) {
        free(e->array[f]);
    }
}

/* Where an owned point of this rank lies, counted in the grid. */
static size_t at(const end *e, int x, int y, int z)
{
    const int *first = e->all[rank].first;
    return (size_t)(((x - first[0] + e->halo) * e->whole[1] + y - first[1] + e->halo) * e->whole[2] + z -
                    first[2] + e->halo);
}

/* What two blocks have in common; no: nothing. */
static bool common(const range *a, const range *b, range *both)
{
    bool any = true;
    for (int i = 0; i < 3; ++i) {
        const int enda = a->first[i] + a->n[i];
        const int endb = b->first[i] + b->n[i];
        both->first[i] = a->first[i] > b->first[i] ? a->first[i] : b->first[i];
        both->n[i] = (enda < endb ? enda : endb) - both->first[i];
        any = any && both->n[i] > 0;
    }
    return any;
}

/* ---- MPI_Alltoallw -------------------------------------------------------------------------------------- */

static void make_types(const end *mine, const end *others, MPI_Datatype made[], int counts[])
{
    for (int r = 0; r < ranks; ++r) {
        range both;
        counts[r] = common(&mine->all[rank], &others->all[r], &both);
        made[r] = MPI_DOUBLE;
        if (counts[r]) {
            int first[3];
            for (int a = 0; a < 3; ++a) {
                first[a] = both.first[a] - mine->all[rank].first[a] + mine->halo;
            }
            MPI_Type_create_subarray(3, mine->whole, both.n, first, MPI_ORDER_C, MPI_DOUBLE, &made[r]);
            MPI_Type_commit(&made[r]);
        }
    }
}

static void free_types(MPI_Datatype made[], const int counts[])
{
    for (int r = 0; r < ranks; ++r) {
        if (counts[r]) {
            MPI_Type_free(&made[r]);
        }
    }
}

static void alltoallw(void *opaque)
{
    contest *c = opaque;
    for (int f = 0; f < c->task->fields; ++f) {
        MPI_Alltoallw(c->from.array[f], c->counts, c->nowhere, c->sent, c->to.array[f], c->counted,
                      c->nowhere, c->received, MPI_COMM_WORLD);
    }
}

/* ---- by hand -------------------------------------------------------------------------------------------- */

static size_t volume(const range *r)
{
    return (size_t)r->n[0] * (size_t)r->n[1] * (size_t)r->n[2];
}

/* Room for the messages with each rank. */
static void make_messages(contest *c)
{
    for (int r = 0; r < ranks; ++r) {
        range both;
        const size_t bytes = (size_t)c->task->fields * sizeof(double);
        c->out[r] = c->in[r] = NULL;
        if (r != rank && common(&c->from.all[rank], &c->to.all[r], &both)) {
            c->out[r] = allocate(volume(&both) * bytes);
        }
        if (r != rank && common(&c->from.all[r], &c->to.all[rank], &both)) {
            c->in[r] = allocate(volume(&both) * bytes);
        }
    }
}

/* From array to array if message is NULL, else between an array and the message. */
static void copy_rows(const contest *c, const range *box, bool unpacks, double *message)
{
    const size_t row = (size_t)box->n[2] * sizeof(double);
    for (int f = 0; f < c->task->fields; ++f) {
        for (int x = box->first[0]; x < box->first[0] + box->n[0]; ++x) {
            for (int y = box->first[1]; y < box->first[1] + box->n[1]; ++y) {
                const double *from = c->from.array[f] + (unpacks ? 0 : at(&c->from, x, y, box->first[2]));
                double *to = c->to.array[f] + (message && !unpacks ? 0 : at(&c->to, x, y, box->first[2]));
                memcpy(message && !unpacks ? message : to, message && unpacks ? message : from, row);
                message += message ? box->n[2] : 0;
            }
        }
    }
}

static void packed(void *opaque)
{
    contest *c = opaque;
    MPI_Request request[2 * MOST_RANKS];
    int peer[MOST_RANKS];
    int count = 0;
    range both;
    for (int r = 0; r < ranks; ++r) {
        if (c->in[r]) {
            common(&c->from.all[r], &c->to.all[rank], &both);
            peer[count] = r;
            MPI_Irecv(c->in[r], (int)volume(&both) * c->task->fields, MPI_DOUBLE, r, 1, MPI_COMM_WORLD,
                      &request[count++]);
        }
    }
    int all = count;
    for (int i = 1; i < ranks; ++i) {
        const int r = (rank + i) % ranks;
        if (c->out[r]) {
            common(&c->from.all[rank], &c->to.all[r], &both);
            copy_rows(c, &both, false, c->out[r]);
            MPI_Isend(c->out[r], (int)volume(&both) * c->task->fields, MPI_DOUBLE, r, 1, MPI_COMM_WORLD,
                      &request[all++]);
        }
    }
    if (common(&c->from.all[rank], &c->to.all[rank], &both)) {
        copy_rows(c, &both, false, NULL);
    }
    for (int left = count; left > 0; --left) {
        int number;
        MPI_Waitany(count, request, &number, MPI_STATUS_IGNORE);
        common(&c->from.all[peer[number]], &c->to.all[rank], &both);
        copy_rows(c, &both, true, c->in[peer[number]]);
    }
    MPI_Waitall(all - count, request + count, MPI_STATUSES_IGNORE);
}

/* ---- libhx ---------------------------------------------------------------------------------------------- */

static void moved(void *opaque)
{
    contest *c = opaque;
    if (c->task->fields == 1) {
        const bench_h1f1_fields from = {c->from.array[0]};
        const bench_h1f1_fields to = {c->to.array[0]};
        must(hx_redistribute(c->from.handle, &from, c->to.handle, &to));
    } else {
        const bench_h2f4_fields from = {c->from.array[0], c->from.array[1], c->from.array[2],
                                        c->from.array[3]};
        const bench_h2f4_fields to = {c->to.array[0], c->to.array[1], c->to.array[2], c->to.array[3]};
        must(hx_redistribute(c->from.handle, &from, c->to.handle, &to));
    }
}

static void (*const ways[WAYS])(void *) = {alltoallw, packed, moved};
static const char *const names[WAYS] = {"alltoallw", "packed", "moved"};

/* ---- measuring ------------------------------------------------------------------------------------------ */

static double value(int field, int x, int y, int z, int seed)
{
    return 1e9 * field + 1e6 * x + 1e3 * y + z + 0.125 * seed;
}

/* Writes owned points of an end, or counts those that hold something else. */
static long visit(const end *e, int fields, int seed, bool compares)
{
    const range *r = &e->all[rank];
    long wrong = 0;
    for (int f = 0; f < fields; ++f) {
        for (int x = r->first[0]; x < r->first[0] + r->n[0]; ++x) {
            for (int y = r->first[1]; y < r->first[1] + r->n[1]; ++y) {
                for (int z = r->first[2]; z < r->first[2] + r->n[2]; ++z) {
                    double *point = &e->array[f][at(e, x, y, z)];
                    wrong += compares && *point != value(f, x, y, z, seed);
                    *point = compares ? 0.0 : value(f, x, y, z, seed);
                }
            }
        }
    }
    return wrong;
}

static void verify(contest *c, int seed)
{
    for (int w = 0; w < WAYS; ++w) {
        visit(&c->from, c->task->fields, seed + w, false);
        ways[w](c);
        const long wrong = visit(&c->to, c->task->fields, seed + w, true);
        if (wrong > 0) {
            give_up("%s: %s is wrong in %ld points", c->task->name, names[w], wrong);
        }
    }
}

static void sweep(void *opaque)
{
    const contest *c = opaque;
    for (int f = 0; f < c->task->fields; ++f) {
        const range *r = &c->from.all[rank];
        double *array = c->from.array[f];
        for (int x = r->first[0]; x < r->first[0] + r->n[0]; ++x) {
            for (int y = r->first[1]; y < r->first[1] + r->n[1]; ++y) {
                double *row = array + at(&c->from, x, y, 0);
                for (int z = 0; z < r->n[2]; ++z) {
                    row[z] = 0.5 * row[z] + 1.0;
                }
            }
        }
    }
}

static void measure(void *work, int way, int round)
{
    contest *c = work;
    c->time[way][round] = measure_dirty(sweep, c, ways[way], c, c->rounds->seconds);
}

/* True if the bar is met. */
static bool report(const contest *c)
{
    double best[MAX_ROUNDS];
    for (int i = 0; i < c->rounds->count; ++i) {
        best[i] = c->time[ALLTOALLW][i] < c->time[PACKED][i] ? c->time[ALLTOALLW][i] : c->time[PACKED][i];
    }
    const ratio x = rounds_ratio(c->rounds, best, c->time[MOVED]);
    printf("%-6s %4d %d field%s  ", c->task->name, c->task->n, c->task->fields,
           c->task->fields > 1 ? "s" : " ");
    for (int w = 0; w < WAYS; ++w) {
        printf("%s %.1f us  ", names[w], rounds_median(c->rounds, c->time[w]));
    }
    printf("speed %.2f (%.2f-%.2f)%s\n", x.middle, x.low, x.high, x.middle < 0.8 ? "  below 0.8" : "");
    fflush(stdout);
    if (c->rounds->numbers) {
        fprintf(
            c->rounds->numbers, "case=%s n=%d fields=%d alltoallw=%.2f packed=%.2f moved=%.2f speed=%.4f\n",
            c->task->name, c->task->n, c->task->fields, rounds_median(c->rounds, c->time[ALLTOALLW]),
            rounds_median(c->rounds, c->time[PACKED]), rounds_median(c->rounds, c->time[MOVED]), x.middle);
    }
    return x.middle >= 0.8;
}

static bool run(const task *t, const rounds *set)
{
    static contest c;
    c = (contest){.task = t, .rounds = set};
    end_make(&c.from, t, 0, false);
    end_make(&c.to, t, t->move == SLABS ? 2 : t->move == TURN ? 1 : 0, t->move == SHIFT);
    make_types(&c.from, &c.to, c.sent, c.counts);
    make_types(&c.to, &c.from, c.received, c.counted);
    make_messages(&c);
    verify(&c, 0);
    rounds_run(set, WAYS, measure, &c);
    verify(&c, WAYS);
    free_types(c.sent, c.counts);
    free_types(c.received, c.counted);
    for (int r = 0; r < ranks; ++r) {
        free(c.out[r]);
        free(c.in[r]);
    }
    end_free(&c.from, t);
    end_free(&c.to, t);
    return rank != 0 || report(&c);
}

int main(int argc, char **argv)
{
    const session usual = {.program = "redistribute", .rounds = {.count = 15, .seconds = 0.05}};
    const session s = session_begin(argc, argv, &usual, MOST_RANKS);
    rank = s.rank;
    ranks = s.ranks;
    static const task tasks[] = {
        {"slabs", SLABS, 32, 1, true},   {"slabs", SLABS, 64, 1, false},  {"slabs", SLABS, 64, 4, false},
        {"slabs", SLABS, 128, 1, false}, {"turn", TURN, 32, 4, true},     {"turn", TURN, 64, 1, false},
        {"turn", TURN, 64, 4, false},    {"turn", TURN, 128, 1, false},   {"shift", SHIFT, 64, 1, true},
        {"shift", SHIFT, 64, 4, false},  {"shift", SHIFT, 128, 1, false},
    };
    int missed = 0;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; ++i) {
        if (s.smoke ? tasks[i].smoke : !s.only || strcmp(s.only, tasks[i].name) == 0) {
            missed += !run(&tasks[i], &s.rounds);
        }
    }
    return session_end(&s, missed);
}
