/*
 * gather [-r ROUNDS] [-t SECONDS] [-c CASE] [-o FILE] [-s]
 *
 * Runs on 2 ranks or more.  Measures bringing a field of n^3 cells, in slabs across the second axis, to an array on rank 0,
 * and back:
 *
 *   gather   to an array in the memory order of the field
 *   turned   to one in the opposite order
 *   scatter  from an array in the memory order of the field
 *
 * Ways:
 *
 *   subarray  MPI_Isend and MPI_Irecv with subarray datatypes
 *   packed    by hand: points are copied into one message for each rank, and from there
 *   libhx     bench_..._gather, bench_..._scatter
 *
 * All ways move the same arrays, in turn, ROUNDS times, SECONDS for each.  Of the first two the faster one of each round
 * counts; the last number is its time over that of libhx, the median of all rounds and, in brackets, the middle half.  All
 * ways are verified before.
 *
 * Then, as case "setup", what a redistribution takes from so many slabs a rank to as many across another axis: the first
 * one into a handle, which gets memory for messages, too; the same again; and one from another source, which makes a new
 * plan.  Beside it, a create of the target.  128^3 cells.
 *
 *   -c  only this case
 *   -o  write the numbers to FILE, too
 *   -s  smoke: one short round of small grids
 *
 * Ends with 2 if a way is wrong.
 */
#include "bench.h"

#include "bench_h1f1.h"

#include <hx/abi.h>

#include <stdlib.h>
#include <string.h>

enum { SUBARRAY, PACKED, LIBHX, WAYS, MOST_RANKS = 64, MOST_SLABS = 32, OF_SETUP = 128 };

typedef struct task {
    const char *name;
    bool scatters, turned;
    int n;
    bool smoke; /* also in short runs */
} task;

typedef struct contest {
    const task *task;
    const rounds *rounds;
    int first[MOST_RANKS + 1]; /* where slabs begin */
    int around[3];             /* points of this rank's array */
    bench_h1f1_fields field;
    hx_handle *handle;
    double *whole; /* of rank 0 */
    double *message;
    MPI_Datatype mine, there[MOST_RANKS]; /* of slabs: here, and in the whole array */
    double time[WAYS][MAX_ROUNDS];
} contest;

static int rank, ranks;

/* ---- arrays --------------------------------------------------------------------------------------------- */

/* A slab across an axis, with a halo of one point. */
static hx_handle *make_handle(int n, int axis, int slabs, const int owners[], bench_h1f1_fields fields[])
{
    static int cut[MOST_RANKS * MOST_SLABS + 1];
    static bench_h1f1_shape shapes[MOST_SLABS];
    hx_partition p = {.axes = 3, .cells = {n, n, n}, .ranks = {1, 1, 1}, .periodic = {1, 1, 1}};
    p.ranks[axis] = slabs;
    for (int s = 0; s <= slabs; ++s) {
        cut[s] = n * s / slabs;
    }
    p.cuts[axis] = cut;
    hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &p, .owners = owners};
    for (int s = 0; s < slabs; ++s) {
        hx_part part;
        if (owners[s] == rank) {
            must(hx_part_of(&p, 0, s, &part));
            shapes[blocks.count++] = bench_h1f1_shape_dense(&part);
        }
    }
    hx_handle *made;
    must(hx_create(&bench_h1f1_spec, &blocks, shapes, NULL, &made));
    if (fields) {
        must(hx_alloc(made, fields));
    }
    return made;
}

static double value(const contest *c, int x, int y, int z, int seed)
{
    return (double)(((int64_t)x * c->task->n + y) * c->task->n + z) + 0.25 * seed;
}

static size_t here(const contest *c, int x, int y, int z)
{
    return (size_t)(((x + 1) * c->around[1] + y - c->first[rank] + 1) * c->around[2] + z + 1);
}

static size_t there(const contest *c, int x, int y, int z)
{
    const size_t n = (size_t)c->task->n;
    const size_t a = (size_t)(c->task->turned ? z : x), b = (size_t)y, d = (size_t)(c->task->turned ? x : z);
    return (a * n + b) * n + d;
}

static hx_strided_array whole_of(const contest *c)
{
    const int n = c->task->n;
    const ptrdiff_t slow = 8 * (ptrdiff_t)n * n, middle = 8 * (ptrdiff_t)n;
    hx_strided_array a = {.base = c->whole, .bytes = 8, .extent = {n, n, n}, .components = 1};
    a.stride[0] = c->task->turned ? 8 : slow;
    a.stride[1] = middle;
    a.stride[2] = c->task->turned ? slow : 8;
    return a;
}

/* ---- ways ----------------------------------------------------------------------------------------------- */

static void libhx(void *opaque)
{
    contest *c = opaque;
    const hx_strided_array whole = whole_of(c);
    must((c->task->scatters ? hx_scatter : hx_gather)(c->handle, &c->field, 0, 0, &whole));
}

/* Turned, a datatype takes the points of the whole array one by one. */
static void make_types(contest *c)
{
    const int n = c->task->n;
    const int own[3] = {n, c->first[rank + 1] - c->first[rank], n}, begin[3] = {1, 1, 1};
    MPI_Type_create_subarray(3, c->around, own, begin, MPI_ORDER_C, MPI_DOUBLE, &c->mine);
    MPI_Type_commit(&c->mine);
    for (int r = 0; r < ranks && rank == 0; ++r) {
        const int all[3] = {n, n, n}, part[3] = {n, c->first[r + 1] - c->first[r], n},
                  from[3] = {0, c->first[r], 0};
        if (c->task->turned) {
            MPI_Datatype row, plane;
            MPI_Type_create_hvector(n, 1, 8 * (MPI_Aint)n * n, MPI_DOUBLE, &row);
            MPI_Type_create_hvector(part[1], 1, 8 * (MPI_Aint)n, row, &plane);
            MPI_Type_create_hvector(n, 1, 8, plane, &c->there[r]);
            MPI_Type_free(&row);
            MPI_Type_free(&plane);
        } else {
            MPI_Type_create_subarray(3, all, part, from, MPI_ORDER_C, MPI_DOUBLE, &c->there[r]);
        }
        MPI_Type_commit(&c->there[r]);
    }
}

static void subarray(void *opaque)
{
    contest *c = opaque;
    MPI_Request request[MOST_RANKS + 1];
    int count = 0;
    for (int r = 0; r < ranks && rank == 0; ++r) {
        double *at = c->whole + (c->task->turned ? (size_t)c->first[r] * (size_t)c->task->n : 0);
        if (c->task->scatters) {
            MPI_Isend(at, 1, c->there[r], r, 1, MPI_COMM_WORLD, &request[count++]);
        } else {
            MPI_Irecv(at, 1, c->there[r], r, 1, MPI_COMM_WORLD, &request[count++]);
        }
    }
    if (c->task->scatters) {
        MPI_Irecv(c->field.f0, 1, c->mine, 0, 1, MPI_COMM_WORLD, &request[count++]);
    } else {
        MPI_Isend(c->field.f0, 1, c->mine, 0, 1, MPI_COMM_WORLD, &request[count++]);
    }
    MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
}

/* The points of a rank, between its array, the whole one and a message; NULL: it is one of the first two. */
static void copy(const contest *c, int of, double *message, bool out)
{
    const int n = c->task->n;
    for (int x = 0; x < n; ++x) {
        for (int y = c->first[of]; y < c->first[of + 1]; ++y) {
            double *own = of == rank ? c->field.f0 + here(c, x, y, 0) : message;
            double *place = rank == 0 ? c->whole + there(c, x, y, 0) : message;
            double *from = out ? own : place;
            double *to = out ? place : own;
            const ptrdiff_t step = c->task->turned && rank == 0 ? (ptrdiff_t)n * n : 1;
            if (step == 1) {
                memcpy(to, from, (size_t)n * sizeof *to);
            } else {
                for (int z = 0; z < n; ++z) {
                    to[out ? z * step : z] = from[out ? z : z * step];
                }
            }
            message += message ? n : 0;
        }
    }
}

/* Elements of the message of a rank, which lie behind those of the ranks before it. */
static int elements(const contest *c, int of)
{
    return c->task->n * c->task->n * (c->first[of + 1] - c->first[of]);
}

static void packed(void *opaque)
{
    contest *c = opaque;
    MPI_Request request[MOST_RANKS];
    const size_t plane = (size_t)c->task->n * (size_t)c->task->n;
    const bool scatters = c->task->scatters;
    if (rank > 0) {
        if (scatters) {
            MPI_Recv(c->message, elements(c, rank), MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            copy(c, rank, c->message, false);
        } else {
            copy(c, rank, c->message, true);
            MPI_Send(c->message, elements(c, rank), MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        }
        return;
    }
    for (int r = 1; r < ranks; ++r) {
        double *message = c->message + plane * (size_t)c->first[r];
        if (scatters) {
            copy(c, r, message, false);
            MPI_Isend(message, elements(c, r), MPI_DOUBLE, r, 1, MPI_COMM_WORLD, &request[r]);
        } else {
            MPI_Irecv(message, elements(c, r), MPI_DOUBLE, r, 1, MPI_COMM_WORLD, &request[r]);
        }
    }
    copy(c, 0, NULL, !scatters);
    for (int left = ranks - 1; left > 0; --left) {
        int number;
        MPI_Waitany(ranks - 1, request + 1, &number, MPI_STATUS_IGNORE);
        if (!scatters) {
            copy(c, number + 1, c->message + plane * (size_t)c->first[number + 1], true);
        }
    }
}

static void (*const ways[WAYS])(void *) = {subarray, packed, libhx};
static const char *const names[WAYS] = {"subarray", "packed", "libhx"};

/* ---- measuring ------------------------------------------------------------------------------------------ */

/* Writes the points of this rank's array, or of the whole one; or counts those that hold something else. */
static long visit(const contest *c, bool whole, int seed, bool compares)
{
    const int n = c->task->n;
    long wrong = 0;
    for (int x = 0; x < n && (!whole || rank == 0); ++x) {
        for (int y = whole ? 0 : c->first[rank]; y < (whole ? n : c->first[rank + 1]); ++y) {
            for (int z = 0; z < n; ++z) {
                double *at = whole ? &c->whole[there(c, x, y, z)] : &c->field.f0[here(c, x, y, z)];
                wrong += compares && *at != value(c, x, y, z, seed);
                *at = compares ? 0.0 : value(c, x, y, z, seed);
            }
        }
    }
    return wrong;
}

static void verify(contest *c)
{
    for (int w = 0; w < WAYS; ++w) {
        visit(c, c->task->scatters, w + 1, false);
        visit(c, !c->task->scatters, 0, false);
        ways[w](c);
        const long wrong = visit(c, !c->task->scatters, w + 1, true);
        if (wrong > 0) {
            give_up("%s: %s is wrong in %ld points", c->task->name, names[w], wrong);
        }
    }
}

static void nothing(void *opaque)
{
    (void)opaque;
}

static void measure(void *work, int way, int round)
{
    contest *c = work;
    c->time[way][round] = measure_dirty(nothing, c, ways[way], c, c->rounds->seconds);
}

static void report(const contest *c)
{
    double best[MAX_ROUNDS];
    for (int i = 0; i < c->rounds->count; ++i) {
        best[i] = c->time[SUBARRAY][i] < c->time[PACKED][i] ? c->time[SUBARRAY][i] : c->time[PACKED][i];
    }
    const ratio x = rounds_ratio(c->rounds, best, c->time[LIBHX]);
    printf("%-8s %4d  ", c->task->name, c->task->n);
    for (int w = 0; w < WAYS; ++w) {
        printf("%s %.1f us  ", names[w], rounds_median(c->rounds, c->time[w]));
    }
    printf("speed %.2f (%.2f-%.2f)\n", x.middle, x.low, x.high);
    fflush(stdout);
    if (c->rounds->numbers) {
        fprintf(c->rounds->numbers, "case=%s n=%d subarray=%.2f packed=%.2f libhx=%.2f speed=%.4f\n",
                c->task->name, c->task->n, rounds_median(c->rounds, c->time[SUBARRAY]),
                rounds_median(c->rounds, c->time[PACKED]), rounds_median(c->rounds, c->time[LIBHX]),
                x.middle);
    }
}

static void run(const task *t, const rounds *set)
{
    static contest c;
    int owners[MOST_RANKS];
    c = (contest){.task = t, .rounds = set};
    for (int r = 0; r <= ranks; ++r) {
        c.first[r] = t->n * r / ranks;
        owners[r < ranks ? r : 0] = r < ranks ? r : 0;
    }
    c.around[0] = c.around[2] = t->n + 2;
    c.around[1] = c.first[rank + 1] - c.first[rank] + 2;
    c.handle = make_handle(t->n, 1, ranks, owners, &c.field);
    const size_t bytes = (size_t)t->n * (size_t)t->n * (size_t)t->n * sizeof(double);
    c.whole = rank == 0 ? allocate(bytes) : NULL;
    c.message = allocate(bytes);
    make_types(&c);
    verify(&c);
    rounds_run(set, WAYS, measure, &c);
    if (rank == 0) {
        report(&c);
    }
    for (int r = 0; r < ranks && rank == 0; ++r) {
        MPI_Type_free(&c.there[r]);
    }
    MPI_Type_free(&c.mine);
    free(c.whole);
    free(c.message);
    must(hx_destroy(c.handle));
}

/* ---- set-up --------------------------------------------------------------------------------------------- */

static double slowest(double mine)
{
    double all = 0.0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* From so many slabs a rank, across the first axis, to as many across the second one. */
static void set_up(int slabs, const rounds *set)
{
    enum { CREATE, FIRST, AGAIN, OTHER, PARTS };
    static int owners[MOST_RANKS * MOST_SLABS];
    static bench_h1f1_fields f[MOST_SLABS], g[MOST_SLABS];
    double time[PARTS][MAX_ROUNDS];
    for (int s = 0; s < slabs * ranks; ++s) {
        owners[s] = s / slabs;
    }
    for (int i = 0; i < set->count; ++i) {
        hx_handle *from = make_handle(OF_SETUP, 0, slabs * ranks, owners, f);
        hx_handle *other = make_handle(OF_SETUP, 0, slabs * ranks, owners, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now();
        hx_handle *to = make_handle(OF_SETUP, 1, slabs * ranks, owners, NULL);
        time[CREATE][i] = slowest(now() - start);
        must(hx_alloc(to, g));
        must(hx_redistribute(to, g, from, f)); /* all pages of arrays are there */
        for (int part = FIRST; part < PARTS; ++part) {
            MPI_Barrier(MPI_COMM_WORLD);
            start = now();
            must(hx_redistribute(part == OTHER ? other : from, f, to, g));
            time[part][i] = slowest(now() - start);
        }
        must(hx_destroy(to));
        must(hx_destroy(other));
        must(hx_destroy(from));
    }
    if (rank == 0) {
        printf("setup    %4d slab%s a rank  create %.1f us  first %.1f us  again %.1f us  another %.1f us\n",
               slabs, slabs > 1 ? "s" : " ", rounds_median(set, time[CREATE]),
               rounds_median(set, time[FIRST]), rounds_median(set, time[AGAIN]),
               rounds_median(set, time[OTHER]));
        fflush(stdout);
        if (set->numbers) {
            fprintf(set->numbers, "case=setup slabs=%d create=%.2f first=%.2f again=%.2f another=%.2f\n",
                    slabs, rounds_median(set, time[CREATE]), rounds_median(set, time[FIRST]),
                    rounds_median(set, time[AGAIN]), rounds_median(set, time[OTHER]));
        }
    }
}

int main(int argc, char **argv)
{
    const session usual = {.program = "gather", .rounds = {.count = 15, .seconds = 0.05}};
    const session s = session_begin(argc, argv, &usual, MOST_RANKS);
    rank = s.rank;
    ranks = s.ranks;
    static const task tasks[] = {
        {"gather", false, false, 32, true},   {"gather", false, false, 64, false},
        {"gather", false, false, 128, false}, {"gather", false, false, 256, false},
        {"turned", false, true, 32, true},    {"turned", false, true, 128, false},
        {"scatter", true, false, 32, true},   {"scatter", true, false, 128, false},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; ++i) {
        if ((!s.smoke || tasks[i].smoke) && (!s.only || strcmp(s.only, tasks[i].name) == 0)) {
            run(&tasks[i], &s.rounds);
        }
    }
    for (int slabs = 1; slabs <= MOST_SLABS && (!s.only || strcmp(s.only, "setup") == 0);
         slabs *= s.smoke ? 64 : 4) {
        set_up(slabs, &s.rounds);
    }
    return session_end(&s, 0);
}
