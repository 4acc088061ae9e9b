/*
 * Mistakes, of one rank or of all: each is refused in words, create fails on all ranks alike, and what is not
 * touched by a mistake goes on working.  Runs on any number of ranks from 2 on.
 */
#include "arrays.h"
#include "check.h"
#include "exchange/handle.h"
#include "specs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int ranks;

/* specs[0] is the spec of all tests (two axes, both periodic); specs[1] differs from it in topology alone. */

static hx_partition partition_of(const hx_spec *spec)
{
    hx_partition p = {.axes = spec->axes};
    for (int a = 0; a < spec->axes; ++a) {
        p.cells[a] = a == 0 ? 2 * ranks + 1 : 5;
        p.ranks[a] = a == 0 ? ranks : 1;
        p.periodic[a] = spec->periodic[a];
    }
    return p;
}

/* ---- create ---------------------------------------------------------------------------------- */

/* One try to create, with everything right until a case spoils it. */
typedef struct attempt {
    const hx_spec *spec;
    layout layout;
    hx_partition wrong;
    hx_options options;
    ptrdiff_t *stride; /* of the first field of the first block */
    hx_part *part;     /* inside the shape of the first block */
} attempt;

static void attempt_make(attempt *t)
{
    const hx_partition p = partition_of(specs[0]);
    t->spec = specs[0];
    t->options = (hx_options)HX_OPTIONS_INIT;
    layout_make(&t->layout, &(layout_request){t->spec, MPI_COMM_WORLD, &p, NULL, NULL, NULL, 0});
    t->wrong = t->layout.partition[0];
    t->part = (hx_part *)(void *)t->layout.shapes;
    t->stride = (ptrdiff_t *)(void *)(t->layout.shapes + t->spec->shape_stride);
}

static void other_spec(attempt *t)
{
    t->spec = specs[1];
}

static void other_cells(attempt *t)
{
    const hx_partition p = {.axes = 2, .cells = {2 * ranks + 1, 6}, .ranks = {ranks, 1}, .periodic = {1, 1}};
    layout_free(&t->layout);
    layout_make(&t->layout, &(layout_request){t->spec, MPI_COMM_WORLD, &p, NULL, NULL, NULL, 0});
}

static void other_transport(attempt *t)
{
    t->options.transport = "p2p";
}

static void other_schedule(attempt *t)
{
    t->options.schedule = "one-phase";
}

static void unknown_schedule(attempt *t)
{
    t->options.schedule = "weekly";
}

static void other_check(attempt *t)
{
    t->options.check = 1;
}

static void unknown_transport(attempt *t)
{
    t->options.transport = "pigeon";
}

static void options_of_another_time(attempt *t)
{
    t->options.version = 77;
}

static void options_without_size(attempt *t)
{
    t->options.size = 0;
}

static void negative_deadline(attempt *t)
{
    t->options.deadline = -1.0;
}

static void too_few_parts(attempt *t)
{
    t->wrong.ranks[0] = 1;
    t->layout.blocks.partition = &t->wrong;
}

static void too_many_parts(attempt *t)
{
    t->wrong.ranks[1] = 2;
    t->layout.blocks.partition = &t->wrong;
}

static void no_cells(attempt *t)
{
    t->wrong.cells[1] = 0;
    t->layout.blocks.partition = &t->wrong;
}

static void fewer_cells_than_parts(attempt *t)
{
    t->wrong.cells[0] = ranks - 1;
    t->layout.blocks.partition = &t->wrong;
}

static void other_axes(attempt *t)
{
    t->wrong.axes = 3;
    t->wrong.cells[2] = 1;
    t->wrong.ranks[2] = 1;
    t->layout.blocks.partition = &t->wrong;
}

static void falling_cuts(attempt *t)
{
    static const int cuts[] = {0, 9, 5, 7, 8, 9, 10, 11, 12};
    t->wrong.cuts[0] = cuts;
    t->layout.blocks.partition = &t->wrong;
}

static void no_partition(attempt *t)
{
    t->layout.blocks.partition = NULL;
}

static void no_communicator(attempt *t)
{
    t->layout.blocks.comm = MPI_COMM_NULL;
}

static void tiles_too_many(attempt *t)
{
    t->layout.blocks.tiles = 2;
}

static void negative_count(attempt *t)
{
    t->layout.blocks.count = -1;
}

static void block_forgotten(attempt *t)
{
    t->layout.blocks.count = 0;
}

static void block_too_many(attempt *t)
{
    t->layout.blocks.count = 2;
}

static void wrong_extent(attempt *t)
{
    t->part->n[1] += 1;
}

static void wrong_first(attempt *t)
{
    t->part->first[0] += 1;
}

static void wrong_tile(attempt *t)
{
    t->part->tile = 1;
}

static void overlapping_rows(attempt *t)
{
    t->stride[0] -= 1;
}

static void loose_points(attempt *t)
{
    t->stride[1] = 2;
}

static void endless_stride(attempt *t)
{
    t->stride[0] = PTRDIFF_MAX / 2;
}

static int owner_nobody(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block == 0 ? -2 : block;
}

static int owner_left_out(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block == 0 ? HX_NO_OWNER : block;
}

static void a_block_left_out(attempt *t)
{
    t->layout.blocks.owner = owner_left_out;
}

static void owner_out_of_range(attempt *t)
{
    t->layout.blocks.owner = owner_nobody;
}

static int owner_me(void *context, int tile, int block)
{
    (void)tile;
    (void)block;
    return *(const int *)context;
}

static void owner_of_everything(attempt *t)
{
    t->layout.blocks.owner = owner_me;
    t->layout.blocks.context = &rank;
}

static int owner_one_each(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block;
}

static void more_than_all_blocks(attempt *t)
{
    t->layout.blocks.owner = owner_one_each;
    t->layout.blocks.count = ranks + 1;
}

static int owner_exchanged(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block == 0 ? 2 : block == 2 ? 0 : block;
}

static void owners_exchanged(attempt *t)
{
    t->layout.blocks.owner = owner_exchanged;
}

static int owners[64];

static void table_of_owners(attempt *t)
{
    for (int r = 0; r < ranks; ++r) {
        owners[r] = r;
    }
    t->layout.blocks.owners = owners;
}

static void table_out_of_range(attempt *t)
{
    table_of_owners(t);
    owners[ranks - 1] = ranks;
}

static void table_exchanged(attempt *t)
{
    table_of_owners(t);
    owners[0] = 2;
    owners[2] = 0;
}

static void table_and_function(attempt *t)
{
    table_of_owners(t);
    t->layout.blocks.owner = owner_me;
    t->layout.blocks.context = &rank;
}

typedef struct mistake {
    const char *name;
    void (*spoil)(attempt *t);
    hx_status status;
    const char *words;
} mistake;

/* Made by rank 1 alone, and refused on every rank. */
static const mistake of_one_rank[] = {
    {"a different spec", other_spec, HX_ERR_MISMATCH, "All ranks make the same calls"},
    {"different cells", other_cells, HX_ERR_MISMATCH, "cells"},
    {"a different transport", other_transport, HX_ERR_MISMATCH, "transport"},
    {"a different schedule", other_schedule, HX_ERR_MISMATCH, "schedule \"one-phase\""},
    {"an unknown schedule", unknown_schedule, HX_ERR_ARGUMENT, "weekly"},
    {"a different check mode", other_check, HX_ERR_MISMATCH, "check"},
    {"an unknown transport", unknown_transport, HX_ERR_ARGUMENT, "pigeon"},
    {"options of another version", options_of_another_time, HX_ERR_ARGUMENT, "77"},
    {"options without a size", options_without_size, HX_ERR_ARGUMENT, "0 bytes"},
    {"a negative deadline", negative_deadline, HX_ERR_ARGUMENT, "deadline"},
    {"too few parts", too_few_parts, HX_ERR_PARTITION, ""},
    {"no cells", no_cells, HX_ERR_PARTITION, "cells"},
    {"no partition", no_partition, HX_ERR_PARTITION, "partition"},
    {"a tile too many", tiles_too_many, HX_ERR_PARTITION, "tile"},
    {"a negative count", negative_count, HX_ERR_ARGUMENT, "-1"},
    {"a block forgotten", block_forgotten, HX_ERR_PARTITION, "block"},
    {"a block too many", block_too_many, HX_ERR_PARTITION, "shapes for 2 blocks and owns 1"},
    {"more blocks than there are", more_than_all_blocks, HX_ERR_PARTITION, "the partition has"},
    {"a wrong extent", wrong_extent, HX_ERR_PARTITION, ""},
    {"a wrong first cell", wrong_first, HX_ERR_PARTITION, ""},
    {"a wrong tile", wrong_tile, HX_ERR_PARTITION, "tile"},
    {"rows that overlap", overlapping_rows, HX_ERR_ARGUMENT, "stride"},
    {"a fastest axis with gaps", loose_points, HX_ERR_ARGUMENT, "stride"},
    {"a stride beyond memory", endless_stride, HX_ERR_LIMIT, ""},
    {"an owner out of range", owner_out_of_range, HX_ERR_PARTITION, "-2"},
    {"owners in a table on one rank", table_of_owners, HX_ERR_MISMATCH, "owners"},
    {"a block without an owner for one rank", a_block_left_out, HX_ERR_MISMATCH, "owner"},
    {"an owner out of range in a table", table_out_of_range, HX_ERR_PARTITION, "hx_blocks.owners gives"},
    {"owners by table and by function", table_and_function, HX_ERR_ARGUMENT, "both"},
    {"a block without a shape", owner_of_everything, HX_ERR_PARTITION, "block"},
};

/* The same, among three ranks or more. */
static const mistake of_one_in_three[] = {
    {"owners that disagree", owners_exchanged, HX_ERR_MISMATCH, "owner"},
    {"tables of owners that disagree", table_exchanged, HX_ERR_MISMATCH, "owners"},
};

/* Made by all ranks alike. */
static const mistake of_all_ranks[] = {
    {"too few parts", too_few_parts, HX_ERR_PARTITION, ""},
    {"too many parts", too_many_parts, HX_ERR_PARTITION, ""},
    {"no cells", no_cells, HX_ERR_PARTITION, "cells"},
    {"fewer cells than parts", fewer_cells_than_parts, HX_ERR_PARTITION, ""},
    {"other axes", other_axes, HX_ERR_PARTITION, "axes"},
    {"cuts that fall", falling_cuts, HX_ERR_PARTITION, "ut"},
    {"no communicator", no_communicator, HX_ERR_ARGUMENT, "communicator"},
    {"an unknown transport", unknown_transport, HX_ERR_ARGUMENT, "pigeon"},
};

static void try_mistake(const mistake *m, int guilty)
{
    attempt t;
    hx_handle *handle = NULL;
    check_about("%s of %s", m->name, guilty < 0 ? "all ranks" : "one rank");
    attempt_make(&t);
    if (guilty < 0 || guilty == rank) {
        m->spoil(&t);
    }
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create(t.spec, &t.layout.blocks, t.layout.shapes, &t.options, &handle),
                  m->status, m->words);
    CHECK(handle == NULL, "a handle although create failed");
    layout_free(&t.layout);
}

static void refused_creates(void)
{
    for (size_t i = 0; i < sizeof of_one_rank / sizeof *of_one_rank; ++i) {
        try_mistake(&of_one_rank[i], 1);
    }
    for (size_t i = 0; ranks >= 3 && i < sizeof of_one_in_three / sizeof *of_one_in_three; ++i) {
        try_mistake(&of_one_in_three[i], 1);
    }
    for (size_t i = 0; i < sizeof of_all_ranks / sizeof *of_all_ranks; ++i) {
        try_mistake(&of_all_ranks[i], -1);
    }
}

static void refused_communicators(void)
{
    attempt t;
    hx_handle *handle = NULL;
    MPI_Comm half;
    MPI_Comm both;
    check_about("a communicator between two groups");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both);
    attempt_make(&t);
    t.layout.blocks.comm = both;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create(t.spec, &t.layout.blocks, t.layout.shapes, NULL, &handle),
                  HX_ERR_ARGUMENT, "communicator");
    layout_free(&t.layout);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

static void refused_decompositions(void)
{
    hx_part mine;
    hx_partition p = {.axes = 2, .cells = {1, 1}};
    check_about("partitions that cannot be");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_decompose(MPI_COMM_WORLD, &p, &mine), HX_ERR_PARTITION, "1");
    p.cells[0] = 100;
    p.ranks[0] = ranks + 1;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_decompose(MPI_COMM_WORLD, &p, &mine), HX_ERR_PARTITION, "rank");
    p.ranks[0] = 0;
    p.axes = HX_MAX_AXES + 1;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_decompose(MPI_COMM_WORLD, &p, &mine), HX_ERR_PARTITION,
                  "The partition has 5 axes; libhx knows grids of 1 to 4.");
    p.axes = 2;
    p.ranks[0] = -1;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_decompose(MPI_COMM_WORLD, &p, &mine), HX_ERR_PARTITION,
                  "The partition has ranks[0] = -1; it takes the number of parts, or 0 to have it chosen.");
    p.ranks[0] = 0;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_decompose(MPI_COMM_NULL, &p, &mine), HX_ERR_ARGUMENT, "communicator");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_decompose(MPI_COMM_WORLD, NULL, &mine), HX_ERR_ARGUMENT, "null");

    const int n[] = {1};
    CHECK_REFUSED(MPI_COMM_WORLD, hx_partition_from_cart(MPI_COMM_WORLD, n, &mine), HX_ERR_ARGUMENT,
                  "Cartesian");
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &(int){1}, 0, &line);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_partition_from_cart(line, &(int){rank == 1 ? 0 : 3}, &mine),
                  HX_ERR_PARTITION, "0");
    MPI_Comm_free(&line);

    int dims[] = {2, ranks / 2};
    const int periods[] = {0, 0};
    MPI_Comm plane;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &plane);
    if (plane != MPI_COMM_NULL && ranks == 4) {
        const int uneven[] = {rank == 3 ? 5 : 3, 2}; /* the two ranks of a row disagree about its cells */
        CHECK_REFUSED(plane, hx_partition_from_cart(plane, uneven, &mine), HX_ERR_PARTITION, "5");
    }
    if (plane != MPI_COMM_NULL) {
        MPI_Comm_free(&plane);
    }
}

/* ---- start, finish, destroy ------------------------------------------------------------------ */

typedef struct grid {
    layout layout;
    arrays arrays;
    hx_handle *handle;
} grid;

static void grid_open(grid *g, const char *transport, double deadline, int check)
{
    const hx_partition p = partition_of(specs[0]);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.deadline = deadline;
    options.check = check;
    layout_make(&g->layout, &(layout_request){specs[0], MPI_COMM_WORLD, &p, NULL, NULL, NULL, 0});
    arrays_make(&g->arrays, &g->layout, oracle_cartesian);
    arrays_fill(&g->arrays, 1);
    CHECK_STATUS(hx_create(specs[0], &g->layout.blocks, g->layout.shapes, &options, &g->handle), HX_OK);
}

static void grid_close(grid *g)
{
    CHECK_STATUS(hx_destroy(g->handle), HX_OK);
    arrays_free(&g->arrays);
    layout_free(&g->layout);
}

static void calls_out_of_order(const char *transport)
{
    grid g;
    hx_traffic traffic;
    check_about("calls out of order, %s", transport);
    grid_open(&g, transport, 60.0, 0);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 0), HX_ERR_STATE, specs[0]->exchange[0].name);
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start(g.handle, 0, g.arrays.pointers), HX_ERR_STATE,
                  specs[0]->exchange[0].name);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_destroy(g.handle), HX_ERR_STATE, specs[0]->exchange[0].name);
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 1), HX_ERR_STATE, specs[0]->exchange[1].name);
    CHECK_STATUS(hx_finish(g.handle, 0), HX_OK);
    arrays_expect(&g.arrays, 0);
    arrays_check(&g.arrays, "after mistakes");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 0), HX_ERR_STATE, specs[0]->exchange[0].name);

    CHECK_REFUSED(MPI_COMM_WORLD, hx_start(g.handle, -1, g.arrays.pointers), HX_ERR_ARGUMENT, "-1");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start(g.handle, 99, g.arrays.pointers), HX_ERR_ARGUMENT, "99");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 99), HX_ERR_ARGUMENT, "99");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_traffic_of(g.handle, 99, &traffic), HX_ERR_ARGUMENT, "99");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start(g.handle, 0, NULL), HX_ERR_ARGUMENT, "null");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_start(NULL, 0, g.arrays.pointers), HX_ERR_ARGUMENT, "null");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(NULL, 0), HX_ERR_ARGUMENT, "null");
    CHECK_STATUS(hx_destroy(NULL), HX_OK);

    CHECK_STATUS(hx_traffic_of(g.handle, 0, &traffic), HX_OK);
    CHECK(traffic.exchanges == 1, "%d exchanges counted, expected 1", (int)traffic.exchanges);
    CHECK(strlen(hx_describe(g.handle)) > 0, "nothing to describe");
    grid_close(&g);
}

/* A pointer of an exchange's field is null or crooked: refused at once, with its name, and nothing is under
 * way. */
static void bad_pointers(const char *transport)
{
    grid g;
    check_about("bad pointers, %s", transport);
    grid_open(&g, transport, 60.0, 0);
    const hx_exchange *x = &specs[0]->exchange[0];
    for (int i = 0; i < x->fields; ++i) {
        const hx_field *f = &specs[0]->field[x->field[i].field];
        unsigned char *pointer = g.arrays.pointers + f->pointer;
        char *good;
        memcpy(&good, pointer, sizeof good);
        memset(pointer, 0, sizeof good);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_start(g.handle, 0, g.arrays.pointers), HX_ERR_ARGUMENT, f->name);
        if (f->alignment > 1) {
            memcpy(pointer, &(char *){good + 1}, sizeof good);
            CHECK_REFUSED(MPI_COMM_WORLD, hx_start(g.handle, 0, g.arrays.pointers), HX_ERR_ARGUMENT, f->name);
        }
        memcpy(pointer, &good, sizeof good);
    }
    CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 0), HX_ERR_STATE, x->name);
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    CHECK_STATUS(hx_finish(g.handle, 0), HX_OK);
    arrays_expect(&g.arrays, 0);
    arrays_check(&g.arrays, "after bad pointers");
    grid_close(&g);
}

/* Rank 0 never starts: its neighbors give up in words, and every rank can destroy and go on. */
static void deadline(const char *transport)
{
    grid g;
    check_about("deadline, %s", transport);
    grid_open(&g, transport, 60.0, 0);
    const int neighbor = rank == 1 || rank == ranks - 1;
    if (neighbor && g.handle) {
        g.handle->options.deadline = 0.3; /* of what comes after create; others wait for ranks that come */
    }
    if (rank != 0) {
        CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
        const double before = MPI_Wtime();
        const hx_status status = hx_finish(g.handle, 0);
        const double waited = MPI_Wtime() - before;
        if (neighbor && CHECK_STATUS(status, HX_ERR_DEADLINE)) {
            CHECK(strstr(hx_last_error(), "rank 0") != NULL, "the deadline does not name rank 0: %s",
                  hx_last_error());
            CHECK(strstr(hx_last_error(), specs[0]->exchange[0].name) != NULL,
                  "the deadline does not name its exchange: %s", hx_last_error());
            CHECK(waited > 0.2 && waited < 20.0, "a deadline of 0.3 s took %g s", waited);
            const hx_status next = hx_start(g.handle, 1, g.arrays.pointers);
            CHECK(next == HX_ERR_DEADLINE || next == HX_ERR_STATE, "a dead handle started: %s",
                  hx_status_name(next));
        }
        CHECK(neighbor || status == HX_OK, "rank %d does not wait for rank 0: %s", rank, hx_last_error());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    grid_close(&g);

    grid_open(&g, transport, 60.0, 0);
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    CHECK_STATUS(hx_finish(g.handle, 0), HX_OK);
    arrays_expect(&g.arrays, 0);
    arrays_check(&g.arrays, "after a deadline");
    grid_close(&g);
}

/* Transports that wait for one exchange after the other; the way out is in the sentence, and works. */
static void finishes_out_of_order(const char *transport)
{
    grid g;
    check_about("finishes out of order, %s", transport);
    grid_open(&g, transport, 0.0, 0);
    CHECK_STATUS(hx_start(g.handle, 1, g.arrays.pointers), HX_OK);
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    for (int tries = 0; tries < 2; ++tries) {
        CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 0), HX_ERR_STATE, specs[0]->exchange[0].name);
        CHECK_REFUSED(MPI_COMM_WORLD, hx_finish(g.handle, 0), HX_ERR_STATE, specs[0]->exchange[1].name);
    }
    CHECK_STATUS(hx_finish(g.handle, 1), HX_OK);
    CHECK_STATUS(hx_finish(g.handle, 0), HX_OK);

    arrays_fill(&g.arrays, 2);
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    CHECK_STATUS(hx_finish(g.handle, 0), HX_OK);
    arrays_expect(&g.arrays, 0);
    arrays_check(&g.arrays, "after finishes out of order");
    grid_close(&g);
}

/* ---- MPI before and after -------------------------------------------------------------------- */

static void without_mpi(const char *when)
{
    hx_handle *handle = NULL;
    hx_part mine;
    const hx_partition p = {.axes = 1, .cells = {1}};
    hx_partition none = p;
    const hx_blocks blocks = {MPI_COMM_WORLD, 1, &none, NULL, NULL, 0, NULL};
    char shape[4096] = {0};
    check_about("calls %s", when);
    CHECK_STATUS(hx_create(specs[0], &blocks, shape, NULL, &handle), HX_ERR_STATE);
    CHECK(strstr(hx_last_error(), "MPI_") != NULL, "no word about MPI: %s", hx_last_error());
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &p, &mine), HX_ERR_STATE);
    CHECK_STATUS(hx_decompose_as(0, 1, &p, &mine), HX_OK);
}

int main(int argc, char **argv)
{
    static const char *const transports[] = {"p2p",     "persistent", "neighbor", "rma",
                                             "rma-get", "shared",     "mixed"};
    static const char *const ordered[] = {"rma-fence", "rma-pscw"};
    grid left;
    without_mpi("before MPI_Init");
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    refused_creates();
    refused_communicators();
    refused_decompositions();
    for (size_t t = 0; t < sizeof transports / sizeof *transports; ++t) {
        calls_out_of_order(transports[t]);
        bad_pointers(transports[t]);
        deadline(transports[t]);
    }
    for (size_t t = 0; t < sizeof ordered / sizeof *ordered; ++t) {
        calls_out_of_order(ordered[t]);
        bad_pointers(ordered[t]);
        finishes_out_of_order(ordered[t]);
    }
    check_about("a handle that outlives MPI");
    grid_open(&left, "persistent", 60.0, 0);
    const int before = check_verdict("mistakes");

    without_mpi("after MPI_Finalize");
    CHECK_STATUS(hx_start(left.handle, 0, left.arrays.pointers), HX_ERR_STATE);
    CHECK_STATUS(hx_finish(left.handle, 0), HX_ERR_STATE);
    grid_close(&left);
    return before != 0 || check_failures() > 0;
}
