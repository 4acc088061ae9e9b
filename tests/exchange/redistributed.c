/*
 * Mistakes in calls of hx_redistribute, hx_gather and hx_scatter: refused in words, on all ranks alike, and nothing is written.  What it
 * moves is tested with random specs, in ../random.  Runs on any number of ranks from 2 on.
 */
#include "arrays.h"
#include "check.h"
#include "specs.h"

#include <string.h>

static int rank;
static int ranks;

/* specs[0] is the spec of all tests (two axes, both periodic); specs[1] differs from it in topology alone. */

typedef struct grid {
    layout layout;
    arrays arrays;
    hx_handle *handle;
} grid;

static void grid_open(grid *g, const hx_spec *spec, MPI_Comm comm, int cells)
{
    int size;
    MPI_Comm_size(comm, &size);
    hx_partition p = {.axes = 2, .cells = {2 * ranks + 1, cells}, .ranks = {size, 1}};
    p.periodic[0] = spec->periodic[0];
    p.periodic[1] = spec->periodic[1];
    layout_make(&g->layout, &(layout_request){spec, comm, &p, NULL, NULL, NULL, 0});
    arrays_make(&g->arrays, &g->layout, oracle_cartesian);
    arrays_fill(&g->arrays, 1);
    CHECK_STATUS(hx_create(spec, &g->layout.blocks, g->layout.shapes, NULL, &g->handle), HX_OK);
}

static void grid_close(grid *g)
{
    CHECK_STATUS(hx_destroy(g->handle), HX_OK);
    arrays_free(&g->arrays);
    layout_free(&g->layout);
}

static grid from, to;

static hx_status call(hx_handle *source)
{
    return hx_redistribute(source, from.arrays.pointers, to.handle, to.arrays.pointers);
}

/* Of one rank a pointer is another one; then it is as it was. */
static void bad_pointer(const unsigned char *pointers, int field, const void *wrong, hx_status status,
                        const char *words)
{
    unsigned char *pointer = (unsigned char *)pointers + specs[0]->field[field].pointer;
    void *good;
    memcpy(&good, pointer, sizeof good);
    if (rank == 1) {
        memcpy(pointer, &wrong, sizeof wrong);
    }
    CHECK_REFUSED(MPI_COMM_WORLD, call(from.handle), status, words);
    memcpy(pointer, &good, sizeof good);
}

static void pointers(void)
{
    check_about("pointers");
    const hx_field *field = &specs[0]->field[0];
    char *own;
    char *twin;
    memcpy(&own, to.arrays.pointers + field->pointer, sizeof own);
    memcpy(&twin, from.arrays.pointers + field->pointer, sizeof twin);
    bad_pointer(to.arrays.pointers, 0, NULL, HX_ERR_ARGUMENT, "null pointers in others");
    bad_pointer(from.arrays.pointers, 0, NULL, HX_ERR_ARGUMENT, field->name);
    bad_pointer(to.arrays.pointers, 0, own + 1, HX_ERR_ARGUMENT, "aligned");
    bad_pointer(to.arrays.pointers, 0, twin, HX_ERR_ARGUMENT, "one array");
    bad_pointer(to.arrays.pointers, 0, twin + field->size, HX_ERR_ARGUMENT, "have points in common");
    const void *nothing = rank == 1 ? NULL : to.arrays.pointers;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_redistribute(from.handle, from.arrays.pointers, to.handle, nothing),
                  HX_ERR_ARGUMENT, "null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, call(rank == 1 ? NULL : from.handle), HX_ERR_ARGUMENT, "null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_redistribute(from.handle, from.arrays.pointers, NULL, NULL),
                  HX_ERR_ARGUMENT, "null pointer");
}

static void handles(void)
{
    grid other;
    check_about("another spec");
    grid_open(&other, specs[1], MPI_COMM_WORLD, 5);
    CHECK_REFUSED(MPI_COMM_WORLD, call(other.handle), HX_ERR_MISMATCH, "model");
    grid_close(&other);
    check_about("another grid");
    grid_open(&other, specs[0], MPI_COMM_WORLD, 6);
    CHECK_REFUSED(MPI_COMM_WORLD, call(other.handle), HX_ERR_PARTITION,
                  "has 6 cells and the target 5; both divide the same grid.");
    CHECK_REFUSED(MPI_COMM_WORLD, call(rank == 1 ? other.handle : from.handle), HX_ERR_PARTITION, "6 cells");
    grid_close(&other);
    check_about("other ranks");
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    grid_open(&other, specs[0], reversed, 5);
    CHECK_REFUSED(MPI_COMM_WORLD, call(other.handle), HX_ERR_MISMATCH, "another order");
    grid_close(&other);
    MPI_Comm_free(&reversed);
    grid_open(&other, specs[0], MPI_COMM_SELF, 5);
    CHECK_REFUSED(MPI_COMM_WORLD, call(other.handle), HX_ERR_MISMATCH, "has 1 rank and");
    grid_close(&other);
}

/* ---- sources that differ --------------------------------------------------------------------------------- */

static int as_numbered(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block;
}

static int shifted(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return (block + 1) % ranks;
}

/* The cuts of the source; owners come from a table, or from a function. */
static void open_owned(grid *g, int (*owner)(void *, int, int), int table[])
{
    hx_partition p = {.axes = 2, .cells = {2 * ranks + 1, 5}, .ranks = {ranks, 1}};
    p.periodic[0] = specs[0]->periodic[0];
    p.periodic[1] = specs[0]->periodic[1];
    layout_make(&g->layout, &(layout_request){specs[0], MPI_COMM_WORLD, &p, owner, NULL, NULL, 0});
    for (int b = 0; table && b < ranks; ++b) {
        table[b] = owner(NULL, 0, b);
    }
    g->layout.blocks.owner = table ? NULL : owner;
    g->layout.blocks.owners = table;
    arrays_make(&g->arrays, &g->layout, oracle_cartesian);
    arrays_fill(&g->arrays, 1);
    CHECK_STATUS(hx_create(specs[0], &g->layout.blocks, g->layout.shapes, NULL, &g->handle), HX_OK);
}

static void mix(const grid *one, const grid *other, const char *words)
{
    const grid *source = rank == 1 ? other : one;
    CHECK_REFUSED(MPI_COMM_WORLD,
                  hx_redistribute(source->handle, source->arrays.pointers, to.handle, to.arrays.pointers),
                  HX_ERR_MISMATCH, words);
}

/* One rank gives another handle of equal cuts. */
static void sources(void)
{
    static int table[64];
    grid tabled, asked, asked_too;
    check_about("sources with other owners");
    open_owned(&tabled, shifted, table);
    open_owned(&asked, as_numbered, NULL);
    open_owned(&asked_too, shifted, NULL);
    mix(&from, &tabled, "or give its blocks to other ranks");
    mix(&from, &asked, "or give its blocks to other ranks");
    mix(&asked, &asked_too, "do all ranks give the same source?");
    grid_close(&tabled);
    grid_close(&asked);
    grid_close(&asked_too);
}

static void gathers(void)
{
    check_about("gathers");
    static double whole[4096];
    const int cells = 2 * ranks + 1;
    hx_strided_array a = {
        .base = whole, .bytes = 8, .extent = {cells, 5}, .stride = {8, 8 * cells}, .components = 1};
    int deep = 0;
    while (strcmp(specs[0]->field[deep].name, "deep") != 0) {
        ++deep;
    }
    const void *f = from.arrays.pointers;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, 99, 0, &a), HX_ERR_ARGUMENT, "field 99");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, deep, ranks, &a), HX_ERR_ARGUMENT, "no rank");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, deep, rank == 1, &a), HX_ERR_MISMATCH,
                  "one rank");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, deep, 1, NULL), HX_ERR_ARGUMENT, "null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, rank == 1 ? NULL : f, deep, 0, &a), HX_ERR_ARGUMENT,
                  "deep of block 0");
    hx_strided_array wrong = a;
    wrong.extent[1] = 4;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, deep, 0, &wrong), HX_ERR_ARGUMENT, "has 5 there");
    wrong = a;
    wrong.stride[0] = 12;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_scatter(from.handle, f, deep, 0, &wrong), HX_ERR_ARGUMENT, "multiple");
    wrong = a;
    wrong.bytes = 4;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, deep, 0, &wrong), HX_ERR_ARGUMENT,
                  "elements of 8");
    wrong = a;
    wrong.components = 2;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_gather(from.handle, f, deep, 0, &wrong), HX_ERR_ARGUMENT,
                  "2 components");
    for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i) {
        CHECK(whole[i] == 0.0, "element %zu was written", i);
    }
    CHECK_STATUS(hx_gather(from.handle, f, deep, 0, &a), HX_OK);
    CHECK_STATUS(hx_scatter(from.handle, f, deep, 0, &a), HX_OK);
    arrays_check(&from.arrays, "after gather and scatter");
}

/* Exchanges of other arrays may be under way. */
static void under_way(void)
{
    check_about("an exchange under way");
    CHECK_STATUS(hx_start(to.handle, 0, to.arrays.pointers), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, call(from.handle), HX_ERR_STATE, "finish it before");
    CHECK_STATUS(hx_finish(to.handle, 0), HX_OK);
    arrays_expect(&to.arrays, 0);
    arrays_check(&to.arrays, "after refusals");
    arrays_check(&from.arrays, "after refusals");
}

static void nothing_to_move(void)
{
    check_about("no field");
    unsigned char none[256] = {0};
    CHECK_STATUS(hx_redistribute(from.handle, none, to.handle, none), HX_OK);
    arrays_check(&to.arrays, "when nothing moves");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    grid_open(&from, specs[0], MPI_COMM_WORLD, 5);
    grid_open(&to, specs[0], MPI_COMM_WORLD, 5);
    pointers();
    handles();
    sources();
    nothing_to_move();
    gathers();
    under_way();
    check_about("without mistakes");
    CHECK_STATUS(call(from.handle), HX_OK);
    arrays_check(&from.arrays, "when all was moved");
    grid_close(&from);
    grid_close(&to);
    return check_verdict("mistakes of redistribution");
}
