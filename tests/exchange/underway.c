/*
 * Exchanges as programs use them: several under way, finished in different orders on different ranks, with
 * other pointers from call to call, on all sorts of communicators, and with several handles at once.
 */
#include "arrays.h"
#include "check.h"
#include "specs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank;

/* A handle, its blocks and their fields. */
typedef struct grid {
    layout layout;
    arrays arrays;
    hx_handle *handle;
} grid;

/* What each of the tests is run with. */
typedef struct way {
    const char *transport;
    const char *schedule;
    bool allocated; /* arrays of hx_alloc */
} way;

static hx_options options_of(const way *travel)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = travel->transport;
    options.schedule = travel->schedule;
    options.deadline = 60.0;
    return options;
}

static void make_arrays(grid *g, arrays *made, const way *travel)
{
    if (travel->allocated) {
        arrays_alloc(made, &g->layout, oracle_cartesian, g->handle);
    } else {
        arrays_make(made, &g->layout, oracle_cartesian);
    }
}

static void grid_open_part(grid *g, const hx_spec *spec, MPI_Comm comm, const hx_part *mine,
                           const way *travel)
{
    const hx_options options = options_of(travel);
    layout_make_single(&g->layout, spec, comm, mine, 1);
    CHECK_STATUS(hx_create(spec, &g->layout.blocks, g->layout.shapes, &options, &g->handle), HX_OK);
    make_arrays(g, &g->arrays, travel);
}

static void grid_open(grid *g, const hx_spec *spec, MPI_Comm comm, const way *travel)
{
    hx_partition request = {.axes = spec->axes};
    for (int a = 0; a < spec->axes; ++a) {
        request.cells[a] = 11 - 2 * a;
        request.periodic[a] = spec->periodic[a];
        request.face_bytes[a] = 8.0;
    }
    hx_part mine;
    CHECK_STATUS(hx_decompose(comm, &request, &mine), HX_OK);
    grid_open_part(g, spec, comm, &mine, travel);
}

static void grid_close(grid *g)
{
    arrays_free(&g->arrays);
    CHECK_STATUS(hx_destroy(g->handle), HX_OK);
    layout_free(&g->layout);
}

static void grid_check_all(grid *g, const char *when)
{
    for (int x = 0; x < g->layout.spec->exchanges; ++x) {
        CHECK_STATUS(hx_start(g->handle, x, g->arrays.pointers), HX_OK);
        CHECK_STATUS(hx_finish(g->handle, x), HX_OK);
        arrays_expect(&g->arrays, x);
        arrays_check(&g->arrays, when);
    }
}

/* The i-th exchange to finish: every rank has another order, and another one next time. */
static int turn(int i, int shift, int exchanges)
{
    const int k = (i + shift) % exchanges;
    return shift / exchanges % 2 == 0 ? k : exchanges - 1 - k;
}

static void finish_in_any_order(const hx_spec *spec, const way *travel)
{
    grid g;
    grid_open(&g, spec, MPI_COMM_WORLD, travel);
    for (int step = 0; step < 24; ++step) {
        arrays_fill(&g.arrays, step % 8);
        for (int x = 0; x < spec->exchanges; ++x) {
            CHECK_STATUS(hx_start(g.handle, x, g.arrays.pointers), HX_OK);
        }
        for (int i = 0; i < spec->exchanges; ++i) {
            const int x = turn(i, rank + step, spec->exchanges);
            CHECK_STATUS(hx_finish(g.handle, x), HX_OK);
            arrays_expect(&g.arrays, x);
        }
        arrays_check(&g.arrays, "finished in any order");
    }
    grid_close(&g);
}

/* Nothing but the exchange itself holds the ranks together: some are a step ahead, some behind. */
static void run_ahead(const hx_spec *spec, const way *travel)
{
    grid g;
    unsigned random = (unsigned)rank * 2654435761U + 1;
    grid_open(&g, spec, MPI_COMM_WORLD, travel);
    for (int step = 0; step < 40; ++step) {
        random = random * 1664525U + 1013904223U;
        const struct timespec pause = {0, (long)(random >> 24) * 8000};
        nanosleep(&pause, NULL);
        arrays_fill(&g.arrays, step % 8);
        const int x = step / 5 % spec->exchanges;
        CHECK_STATUS(hx_start(g.handle, x, g.arrays.pointers), HX_OK);
        CHECK_STATUS(hx_finish(g.handle, x), HX_OK);
        arrays_expect(&g.arrays, x);
        arrays_check(&g.arrays, "ranks that run ahead");
    }
    grid_close(&g);
}

/* Two sets of fields take turns, also while the other's exchange is under way; the caller's struct may be
 * reused. */
static void change_pointers(const hx_spec *spec, const way *travel)
{
    grid g;
    arrays other;
    grid_open(&g, spec, MPI_COMM_WORLD, travel);
    make_arrays(&g, &other, travel);
    const size_t size = (size_t)g.layout.blocks.count * spec->fields_size;
    void *argument = malloc(size);
    for (int step = 0; argument != NULL && step < 12; ++step) {
        arrays *first = step % 2 == 0 ? &g.arrays : &other;
        arrays *second = step % 2 == 0 ? &other : &g.arrays;
        arrays_fill(first, step % 8);
        arrays_fill(second, (step + 3) % 8);
        for (int x = 0; x < spec->exchanges; ++x) {
            memcpy(argument, x % 2 == 0 ? first->pointers : second->pointers, size);
            CHECK_STATUS(hx_start(g.handle, x, argument), HX_OK);
            memset(argument, 0xff, size);
            arrays_expect(x % 2 == 0 ? first : second, x);
        }
        for (int x = 0; x < spec->exchanges; ++x) {
            CHECK_STATUS(hx_finish(g.handle, x), HX_OK);
        }
        arrays_check(first, "the first set of pointers");
        arrays_check(second, "the second set of pointers");
    }
    free(argument);
    arrays_free(&other);
    grid_close(&g);
}

/* Handles of one and of different specs on one communicator, created, used and destroyed crosswise. */
static void several_handles(const way *travel)
{
    enum { HANDLES = 3 };
    const way other = {"p2p", travel->schedule, false};
    grid g[HANDLES];
    for (int h = 0; h < HANDLES; ++h) {
        grid_open(&g[h], specs[h % specs_count], MPI_COMM_WORLD, h == 1 ? &other : travel);
    }
    for (int step = 0; step < 12; ++step) {
        for (int h = 0; h < HANDLES; ++h) {
            arrays_fill(&g[h].arrays, (step + h) % 8);
            CHECK_STATUS(hx_start(g[h].handle, 0, g[h].arrays.pointers), HX_OK);
        }
        for (int i = 0; i < HANDLES; ++i) {
            const int h = turn(i, rank + step, HANDLES);
            CHECK_STATUS(hx_start(g[h].handle, 1, g[h].arrays.pointers), HX_OK);
            CHECK_STATUS(hx_finish(g[h].handle, 0), HX_OK);
        }
        for (int h = 0; h < HANDLES; ++h) {
            CHECK_STATUS(hx_finish(g[h].handle, 1), HX_OK);
            arrays_expect(&g[h].arrays, 0);
            arrays_expect(&g[h].arrays, 1);
            arrays_check(&g[h].arrays, "several handles");
        }
    }
    grid_close(&g[1]);
    arrays_fill(&g[2].arrays, 5);
    grid_check_all(&g[2], "after another handle's end");
    grid_close(&g[2]);
    grid_close(&g[0]);
}

static void on_communicator(const hx_spec *spec, MPI_Comm comm, const way *travel, const char *name)
{
    grid g;
    check_about("%s, %s, %s, %s", spec->name, travel->transport, travel->schedule, name);
    grid_open(&g, spec, comm, travel);
    arrays_fill(&g.arrays, 2);
    grid_check_all(&g, name);
    grid_close(&g);
}

/* Ranks the other way round, two halves at the same time, and each rank for itself. */
static void on_communicators(const hx_spec *spec, const way *travel)
{
    MPI_Comm reversed;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    on_communicator(spec, reversed, travel, "a reversed communicator");
    on_communicator(spec, half, travel, "half of the ranks");
    on_communicator(spec, MPI_COMM_SELF, travel, "one rank by itself");
    MPI_Comm_free(&half);
    MPI_Comm_free(&reversed);
}

/* Cells of a rank at these coordinates of the host's own Cartesian communicator. */
static int cells_at(int axis, int coordinate)
{
    return 1 + axis + (coordinate * 2 + axis) % 3;
}

static void on_cartesian(const hx_spec *spec, int ranks, const way *travel)
{
    int dims[HX_MAX_AXES] = {0};
    const int periods[HX_MAX_AXES] = {0};
    int coordinates[HX_MAX_AXES];
    int n[HX_MAX_AXES];
    int cart_rank = 0;
    MPI_Comm cart;
    MPI_Dims_create(ranks, spec->axes, dims);
    MPI_Cart_create(MPI_COMM_WORLD, spec->axes, dims, periods, 1, &cart);
    MPI_Comm_rank(cart, &cart_rank);
    MPI_Cart_coords(cart, cart_rank, spec->axes, coordinates);
    for (int a = 0; a < spec->axes; ++a) {
        n[a] = cells_at(a, coordinates[a]);
    }
    hx_part mine;
    check_about("%s, %s, %s, a Cartesian communicator", spec->name, travel->transport, travel->schedule);
    if (CHECK_STATUS(hx_partition_from_cart(cart, n, &mine), HX_OK)) {
        grid g;
        for (int a = 0; a < spec->axes; ++a) {
            int first = 0;
            for (int c = 0; c < coordinates[a]; ++c) {
                first += cells_at(a, c);
            }
            CHECK(mine.index[a] == coordinates[a] && mine.first[a] == first && mine.n[a] == n[a],
                  "part %d of axis %d begins at %d with %d cells, expected part %d at %d with %d",
                  mine.index[a], a, mine.first[a], mine.n[a], coordinates[a], first, n[a]);
        }
        grid_open_part(&g, spec, cart, &mine, travel);
        arrays_fill(&g.arrays, 4);
        grid_check_all(&g, "a Cartesian communicator");
        grid_close(&g);
        hx_partition_free(&mine.partition);
    }
    MPI_Comm_free(&cart);
}

int main(int argc, char **argv)
{
    static const way ways[] = {{"p2p", "one-phase", false},
                               {"p2p", "by-dimension", false},
                               {"persistent", "one-phase", false},
                               {"persistent", "by-dimension", false},
                               {"neighbor", "by-dimension", false},
                               {"rma", "one-phase", false},
                               {"rma-get", "by-dimension", false},
                               {"auto", "auto", false},
                               {"auto", "auto", true},
                               {"shared", "one-phase", true}};
    int ranks = 0;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t t = 0; t < sizeof ways / sizeof *ways; ++t) {
        for (int i = 0; i < specs_count; ++i) {
            check_about("%s, %s, %s", specs[i]->name, ways[t].transport, ways[t].schedule);
            finish_in_any_order(specs[i], &ways[t]);
            run_ahead(specs[i], &ways[t]);
            change_pointers(specs[i], &ways[t]);
            on_communicators(specs[i], &ways[t]);
            on_cartesian(specs[i], ranks, &ways[t]);
        }
        check_about("%s, %s", ways[t].transport, ways[t].schedule);
        several_handles(&ways[t]);
    }
    return check_verdict("exchanges under way");
}
