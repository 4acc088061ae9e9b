/*
 * hx_rebalance and hx_create_like: where blocks should go, by loads that this program adds up itself; mistakes, refused
 * in words on all ranks alike, after which all goes on; and what a handle keeps of the one that it is made like.  That
 * exchanges of such handles are right is tested with random specs, in ../random.  Runs on any number of ranks from 2 on.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "arrays.h"
#include "check.h"
#include "exchange/handle.h"
#include "specs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 6, BLOCKS = PARTS * PARTS };

static int rank;
static int ranks;

/* specs[0] is the spec of all tests: two axes, both periodic. */
typedef struct grid {
    int owner[BLOCKS];
    layout layout;
    hx_handle *handle;
} grid;

static int owner_of(void *context, int tile, int block)
{
    (void)tile;
    return ((const grid *)context)->owner[block];
}

/* Shapes for its owners. */
static void lay_out_padded(grid *g, int padding)
{
    hx_partition p = {.axes = 2, .cells = {2 * PARTS + 1, 3 * PARTS}, .ranks = {PARTS, PARTS}};
    p.periodic[0] = specs[0]->periodic[0];
    p.periodic[1] = specs[0]->periodic[1];
    layout_make(&g->layout, &(layout_request){specs[0], MPI_COMM_WORLD, &p, owner_of, g, NULL, padding});
    g->layout.blocks.owner = NULL;
    g->layout.blocks.owners = g->owner;
}

static void lay_out(grid *g)
{
    lay_out_padded(g, 0);
}

/* The last block first. */
static void reverse(layout *l)
{
    const size_t size = l->spec->shape_size;
    unsigned char *shape = malloc(size + 1);
    for (int b = 0, c = l->blocks.count - 1; b < c; ++b, --c) {
        const hx_part part = l->part[b];
        l->part[b] = l->part[c];
        l->part[c] = part;
        memcpy(shape, l->shapes + (size_t)b * size, size);
        memcpy(l->shapes + (size_t)b * size, l->shapes + (size_t)c * size, size);
        memcpy(l->shapes + (size_t)c * size, shape, size);
    }
    free(shape);
}

static void grid_open(grid *g)
{
    lay_out(g);
    CHECK_STATUS(hx_create(specs[0], &g->layout.blocks, g->layout.shapes, NULL, &g->handle), HX_OK);
}

static void grid_close(grid *g)
{
    CHECK_STATUS(hx_destroy(g->handle), HX_OK);
    layout_free(&g->layout);
}

/* All its exchanges fill what they should. */
static void check_exchanges(const grid *g, const char *when)
{
    arrays s;
    arrays_make(&s, &g->layout, oracle_cartesian);
    for (int x = 0; x < specs[0]->exchanges; ++x) {
        arrays_fill(&s, x);
        CHECK_STATUS(hx_start(g->handle, x, s.pointers), HX_OK);
        CHECK_STATUS(hx_finish(g->handle, x), HX_OK);
        arrays_expect(&s, x);
        arrays_check(&s, when);
    }
    arrays_free(&s);
}

/* ---- where blocks should go ------------------------------------------------------------------------------------ */

/* Work of all blocks, and of this rank's in the order of its shapes. */
typedef struct work {
    double all[BLOCKS];
    double mine[BLOCKS];
} work;

static void share_work(work *w, const grid *g)
{
    for (int b = 0, local = 0; b < BLOCKS; ++b) {
        if (g->owner[b] == rank) {
            w->mine[local++] = w->all[b];
        }
    }
}

static void add_loads(const work *w, const int owner[], double load[])
{
    memset(load, 0, (size_t)ranks * sizeof *load);
    for (int b = 0; b < BLOCKS; ++b) {
        if (owner[b] >= 0) {
            load[owner[b]] += w->all[b];
        }
    }
}

static int busiest(const double load[])
{
    int most = 0;
    for (int r = 1; r < ranks; ++r) {
        most = load[r] > load[most] ? r : most;
    }
    return most;
}

/* No block that the busiest rank has would help by more than a hundredth of the mean, wherever it went. */
static void check_balanced(const work *w, const int owner[])
{
    double load[64];
    double mean = 0.0;
    add_loads(w, owner, load);
    for (int r = 0; r < ranks; ++r) {
        mean += load[r] / ranks;
    }
    const int most = busiest(load);
    for (int b = 0; b < BLOCKS; ++b) {
        for (int r = 0; r < ranks && owner[b] == most; ++r) {
            const double after = fmax(load[most] - w->all[b], load[r] + w->all[b]);
            CHECK(r == most || after > load[most] - 0.0101 * mean, "block %d would help rank %d on rank %d",
                  b, most, r);
        }
    }
}

static void check_owners(const work *w, const grid *before, const int owner[], int moved)
{
    double load[2][64];
    int changed = 0;
    int first[BLOCKS];
    memcpy(first, owner, sizeof first);
    MPI_Bcast(first, BLOCKS, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK(memcmp(first, owner, sizeof first) == 0, "ranks got different owners");
    for (int b = 0; b < BLOCKS; ++b) {
        changed += owner[b] != before->owner[b];
        CHECK((owner[b] < 0) == (before->owner[b] < 0) && owner[b] < ranks,
              "block %d went from rank %d to %d", b, before->owner[b], owner[b]);
        CHECK(owner[b] == before->owner[b] || w->all[b] > 0.0, "block %d moved without work", b);
    }
    CHECK(moved == changed, "%d blocks moved, and %d were told", changed, moved);
    add_loads(w, before->owner, load[0]);
    add_loads(w, owner, load[1]);
    CHECK(load[1][busiest(load[1])] <= load[0][busiest(load[0])],
          "the busiest rank has more work than before");
    check_balanced(w, owner);
}

static uint64_t dice = 88172645463325252u;

static int throw(int sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (int)(dice % (uint64_t)sides);
}

static void random_owners(grid *g, bool land)
{
    for (int b = 0; b < BLOCKS; ++b) {
        g->owner[b] = land && throw(4) == 0 ? HX_NO_OWNER : throw(ranks);
    }
    g->owner[0] = 0;
}

/* From owners by chance, by work by chance, and once more with what came of it: then nothing is left to do. */
static void balances(bool land)
{
    check_about("work by chance, land %d", land);
    grid g;
    work w;
    random_owners(&g, land);
    for (int b = 0; b < BLOCKS; ++b) {
        w.all[b] = throw(3) == 0 ? 0.0 : 0.001 * throw(100000);
    }
    w.all[0] = 1.0;
    grid_open(&g);
    share_work(&w, &g);
    int owner[BLOCKS], again[BLOCKS], moved = -1;
    CHECK_STATUS(hx_rebalance(g.handle, w.mine, owner, &moved), HX_OK);
    check_owners(&w, &g, owner, moved);
    grid next;
    memcpy(next.owner, owner, sizeof owner);
    lay_out(&next);
    CHECK_STATUS(hx_create_like(g.handle, &next.layout.blocks, next.layout.shapes, &next.handle), HX_OK);
    grid_close(&g);
    check_exchanges(&next, "after blocks moved");
    share_work(&w, &next);
    CHECK_STATUS(hx_rebalance(next.handle, w.mine, again, &moved), HX_OK);
    CHECK(moved == 0 && memcmp(again, owner, sizeof again) == 0, "%d blocks moved again", moved);
    grid_close(&next);
}

/* Of equal blocks on one rank, all ranks get as many. */
static void spreads(void)
{
    check_about("all blocks on one rank");
    grid g;
    work w;
    for (int b = 0; b < BLOCKS; ++b) {
        g.owner[b] = ranks - 1;
        w.all[b] = 2.5;
    }
    grid_open(&g);
    share_work(&w, &g);
    int owner[BLOCKS], moved;
    double load[64];
    CHECK_STATUS(hx_rebalance(g.handle, w.mine, owner, &moved), HX_OK);
    add_loads(&w, owner, load);
    CHECK(load[busiest(load)] == 2.5 * ((BLOCKS + ranks - 1) / ranks), "the busiest rank has %g",
          load[busiest(load)]);
    CHECK(moved <= BLOCKS - BLOCKS / ranks, "%d blocks moved", moved);
    grid_close(&g);
}

/* ---- mistakes -------------------------------------------------------------------------------------------------- */

static grid here;

static void bad_work(double bad, const char *words)
{
    work w;
    int owner[BLOCKS], moved = -7;
    memset(owner, 0x5a, sizeof owner);
    for (int b = 0; b < BLOCKS; ++b) {
        w.mine[b] = bad == 0.0 || bad > 1e300 || (rank == 1 && b == 0) ? bad : 1.0;
    }
    CHECK_REFUSED(MPI_COMM_WORLD, hx_rebalance(here.handle, w.mine, owner, &moved), HX_ERR_ARGUMENT, words);
    for (int b = 0; b < BLOCKS; ++b) {
        CHECK(owner[b] == 0x5a5a5a5a && moved == -7, "owners were written");
    }
}

static void refuses_work(void)
{
    check_about("work that is none");
    int owner[BLOCKS], moved;
    double w[BLOCKS] = {1.0};
    bad_work(NAN, "on rank 1: the work of block 0 is");
    bad_work(-0.5, "on rank 1: the work of block 0 is -0.5");
    bad_work(INFINITY, "the work of block 0 is inf");
    bad_work(0.0, "together is 0");
    bad_work(1.7e308, "together is inf");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_rebalance(here.handle, rank == 1 ? NULL : w, owner, &moved),
                  HX_ERR_ARGUMENT, "the work is a null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_rebalance(here.handle, w, rank == 1 ? NULL : owner, &moved),
                  HX_ERR_ARGUMENT, "the owners are a null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_rebalance(here.handle, w, owner, rank == 1 ? NULL : &moved),
                  HX_ERR_ARGUMENT, "how many move is a null pointer");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_rebalance(NULL, w, owner, &moved), HX_ERR_ARGUMENT, "null pointer");
}

/* On all ranks, or on one: the blocks of `there` with a change. */
static void bad_blocks(const grid *there, const hx_blocks *bad, hx_status status, const char *words)
{
    hx_handle *made = (hx_handle *)&here;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create_like(here.handle, bad, there->layout.shapes, &made), status,
                  words);
    CHECK(made == NULL, "a handle is left");
}

static void refuses_blocks(void)
{
    check_about("blocks that are none");
    grid there = here;
    there.owner[3] = (there.owner[3] + 1) % ranks;
    lay_out(&there);
    const hx_blocks good = there.layout.blocks;
    hx_blocks bad = good;
    bad.owner = owner_of;
    bad_blocks(&there, &bad, HX_ERR_ARGUMENT, "hx_blocks.owner is a function");
    bad = good;
    bad.count -= rank == 1;
    bad_blocks(&there, &bad, HX_ERR_PARTITION, "Each rank gives the shapes of all");
    bad_blocks(&there, rank == 1 ? NULL : &good, HX_ERR_ARGUMENT, "the blocks are a null pointer");
    bad = good;
    bad.tiles = 2;
    bad_blocks(&there, &bad, HX_ERR_PARTITION, "partitions for 2 tiles");
    int wrong[BLOCKS];
    memcpy(wrong, there.owner, sizeof wrong);
    wrong[1] = ranks;
    bad = good;
    bad.owners = wrong;
    bad_blocks(&there, &bad, HX_ERR_PARTITION, "the communicator has");
    memcpy(wrong, there.owner, sizeof wrong);
    for (int b = 0; b < BLOCKS && rank == 1;
         ++b) { /* of blocks that are not its own this rank says something else */
        wrong[b] = wrong[b] != 1 ? (wrong[b] == 0 ? ranks - 1 : 0) : 1;
        wrong[b] = wrong[b] == 1 && there.owner[b] != 1 ? HX_NO_OWNER : wrong[b];
    }
    bad_blocks(&there, &bad, HX_ERR_MISMATCH, "hx_blocks.owners (fingerprint");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create_like(here.handle, &good, there.layout.shapes, NULL),
                  HX_ERR_ARGUMENT, "the place for the handle is a null pointer");
    hx_handle *made = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_create_like(NULL, &good, there.layout.shapes, &made), HX_ERR_ARGUMENT,
                  "null pointer");
    layout_free(&there.layout);
    check_exchanges(&here, "after refusals");
}

/* ---- what is kept ---------------------------------------------------------------------------------------------- */

/* Another partition, too: then the new handle is cut anew. */
static void divides_anew(void)
{
    check_about("other cuts");
    grid other = {.handle = NULL};
    hx_partition p = {.axes = 2, .cells = {2 * PARTS + 1, 3 * PARTS}, .ranks = {ranks, 1}};
    p.periodic[0] = specs[0]->periodic[0];
    p.periodic[1] = specs[0]->periodic[1];
    layout_make(&other.layout, &(layout_request){specs[0], MPI_COMM_WORLD, &p, NULL, NULL, NULL, 0});
    CHECK_STATUS(hx_create_like(here.handle, &other.layout.blocks, other.layout.shapes, &other.handle),
                 HX_OK);
    check_exchanges(&other, "with other cuts");
    check_exchanges(&here, "beside other cuts");
    grid_close(&other);
}

/* Two handles are under way at once, each with its own messages. */
static void goes_on_beside(void)
{
    check_about("both at once");
    grid there = here;
    arrays a, b;
    for (int i = 0; i < BLOCKS; i += 3) {
        there.owner[i] = (there.owner[i] + 1) % ranks;
    }
    lay_out(&there);
    CHECK_STATUS(hx_create_like(here.handle, &there.layout.blocks, there.layout.shapes, &there.handle),
                 HX_OK);
    arrays_make(&a, &here.layout, oracle_cartesian);
    arrays_make(&b, &there.layout, oracle_cartesian);
    arrays_fill(&a, 1);
    arrays_fill(&b, 2);
    CHECK_STATUS(hx_start(here.handle, 0, a.pointers), HX_OK);
    CHECK_STATUS(hx_start(there.handle, 0, b.pointers), HX_OK);
    CHECK_STATUS(hx_finish(here.handle, 0), HX_OK);
    CHECK_STATUS(hx_finish(there.handle, 0), HX_OK);
    arrays_expect(&a, 0);
    arrays_expect(&b, 0);
    arrays_check(&a, "of the first");
    arrays_check(&b, "of the second");
    arrays_free(&a);
    arrays_free(&b);
    grid_close(&there);
}

/* From handle to handle: arrays of some lie otherwise in memory, and shapes of some come in another order. */
static void goes_from_hand_to_hand(void)
{
    enum { HANDLES = 8 };
    check_about("one after the other");
    static grid g[HANDLES];
    g[0] = here;
    grid_open(&g[0]);
    check_exchanges(&g[0], "of the first one");
    for (int i = 1; i < HANDLES; ++i) {
        memcpy(g[i].owner, g[i - 1].owner, sizeof g[i].owner);
        g[i].owner[throw(BLOCKS)] = throw(ranks);
        lay_out_padded(&g[i], i % 4 == 3 ? 2 : 0);
        if (i % 3 == 2) {
            reverse(&g[i].layout);
        }
        CHECK_STATUS(hx_create_like(g[i - 1].handle, &g[i].layout.blocks, g[i].layout.shapes, &g[i].handle),
                     HX_OK);
        grid_close(&g[i - 1]);
        check_exchanges(&g[i], "of one that is like the one before");
    }
    grid_close(&g[HANDLES - 1]);
}

/* A block goes to and fro.  The second handle and all later ones ask the system for no memory that the node shares. */
static void takes_memory_again(void)
{
    enum { HANDLES = 5 };
    check_about("memory that is handed on");
    static grid g[HANDLES];
    g[0] = here;
    grid_open(&g[0]);
    for (int i = 0; i < HANDLES; ++i) {
        check_exchanges(&g[i], "in memory that is handed on");
        const hxi_node_memory *memory = &g[i].handle->board.memory;
        CHECK(memory->again == (memory->shared && i >= 1), "handle %d %s", i,
              memory->again ? "took the memory of another one" : "asked for memory");
        if (i + 1 < HANDLES) {
            memcpy(g[i + 1].owner, here.owner, sizeof here.owner);
            g[i + 1].owner[7] = (here.owner[7] + (i + 1) % 2) % ranks;
            lay_out(&g[i + 1]);
            CHECK_STATUS(hx_create_like(g[i].handle, &g[i + 1].layout.blocks, g[i + 1].layout.shapes,
                                        &g[i + 1].handle),
                         HX_OK);
        }
        grid_close(&g[i]);
    }
}

/* What was measured, if the machine had time for that. */
static void keeps_choices(void)
{
    check_about("what was measured");
    setenv("HX_TUNE", "1", 1);
    grid measured = here, there = here;
    grid_open(&measured);
    setenv("HX_TUNE", "0", 1);
    lay_out(&there);
    CHECK_STATUS(hx_create_like(measured.handle, &there.layout.blocks, there.layout.shapes, &there.handle),
                 HX_OK);
    const char *about = strstr(hx_describe(measured.handle), "measured: ");
    char figures[200] = "";
    if (about) {
        memcpy(figures, about,
               strcspn(about, "\n") < sizeof figures ? strcspn(about, "\n") : sizeof figures - 1);
        CHECK(strstr(hx_describe(there.handle), figures) != NULL, "\"%s\" is not in %s", figures,
              hx_describe(there.handle));
    }
    grid_close(&measured);
    check_exchanges(&there, "like a handle that is gone");
    grid_close(&there);
    unsetenv("HX_TUNE");
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2) {
        CHECK(false, "blocks move between ranks: run this on 2 or more, not on %d", ranks);
        return check_verdict("blocks that move");
    }
    for (int i = 0; i < 6; ++i) {
        balances(i % 2 == 1);
    }
    spreads();
    random_owners(&here, false);
    here.owner[1] = 1;
    grid_open(&here);
    refuses_work();
    refuses_blocks();
    divides_anew();
    goes_on_beside();
    goes_from_hand_to_hand();
    takes_memory_again();
    keeps_choices();
    grid_close(&here);
    return check_verdict("blocks that move");
}
