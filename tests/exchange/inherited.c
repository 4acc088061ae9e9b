/*
 * What hx_create_like does with the links of blocks that move.  How much is copied grows as their number does, not as
 * its square; a rank that stands still while they travel keeps no other one beyond its deadline.  Runs on 3 ranks.
 *
 * Linked with --wrap, so that what libhx copies to grow a table, and the beginning of each step, pass through here.
 */
#include "check.h"
#include "comm/peer_round.h"
#include "exchange/handle.h"
#include "layout.h"
#include "specs.h"

#include <stddef.h>
#include <string.h>

enum { LEFT = 9, FIRST = 0, REST = 1, GIVER = 0, HEIR = 1, THIRD = 2, RANKS };

static int rank;

static size_t copied; /* elements */

void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    copied += used;
    return __real_hxi_memory_grow(old, used, count, size, purpose);
}

static hx_handle *watched; /* NULL: none */
static int still;          /* the rank that stands still until all others have left, ... */
static int step;           /* ... before so many more steps are done */

hx_status __real_hxi_peer_round_begin(hxi_peer_round *round);
hx_status __wrap_hxi_peer_round_begin(hxi_peer_round *round);

/* Deadlines are short only from here on: until then all have to come, however busy the machine is. */
hx_status __wrap_hxi_peer_round_begin(hxi_peer_round *round)
{
    if (watched && step-- == 0) {
        watched->options.deadline = 0.2;
        watched = NULL;
        for (int left = 1; left < RANKS && rank == still; ++left) {
            MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return __real_hxi_peer_round_begin(round);
}

/* specs[0]: two axes, both periodic. */
typedef struct grid {
    int owner; /* of all blocks */
    layout layout;
    int owners[256];
    hx_handle *handle;
} grid;

static int owner_of(void *context, int tile, int block)
{
    (void)tile;
    (void)block;
    return ((const grid *)context)->owner;
}

/* So many blocks along each axis, all on one rank. */
static void lay_out(grid *g, int parts, int owner)
{
    hx_partition p = {.axes = 2, .cells = {4 * parts, 4 * parts}, .ranks = {parts, parts}};
    p.periodic[0] = specs[0]->periodic[0];
    p.periodic[1] = specs[0]->periodic[1];
    g->owner = owner;
    layout_make(&g->layout, &(layout_request){specs[0], MPI_COMM_WORLD, &p, owner_of, g, NULL, 0});
    for (int b = 0; b < parts * parts; ++b) {
        g->owners[b] = owner;
    }
    g->layout.blocks.owner = NULL;
    g->layout.blocks.owners = g->owners;
}

static void open_both(grid *from, grid *to, int parts)
{
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = 60.0;
    lay_out(from, parts, GIVER);
    lay_out(to, parts, HEIR);
    CHECK_STATUS(hx_create(specs[0], &from->layout.blocks, from->layout.shapes, &options, &from->handle),
                 HX_OK);
}

static void close_both(grid *from, grid *to)
{
    CHECK_STATUS(hx_destroy(from->handle), HX_OK);
    layout_free(&from->layout);
    layout_free(&to->layout);
}

static size_t copied_for(int parts)
{
    static grid from, to;
    open_both(&from, &to, parts);
    copied = 0;
    CHECK_STATUS(hx_create_like(from.handle, &to.layout.blocks, to.layout.shapes, &to.handle), HX_OK);
    const size_t found = copied;
    CHECK_STATUS(hx_destroy(to.handle), HX_OK);
    close_both(&from, &to);
    return found;
}

/* Four times as many blocks, at most eight times as much, where tables double. */
static void copies_little(void)
{
    check_about("all blocks move");
    const size_t few = copied_for(8);
    const size_t many = copied_for(16);
    CHECK(many <= 9 * few + 64, "%zu elements were copied for 64 blocks, and %zu for 256", few, many);
}

static void leaves(int stands_still, int before)
{
    check_about("rank %d stands still before step %d", stands_still, before);
    static grid from, to;
    open_both(&from, &to, 4);
    watched = from.handle;
    still = stands_still;
    step = before;
    CHECK_STATUS(hx_create_like(from.handle, &to.layout.blocks, to.layout.shapes, &to.handle),
                 HX_ERR_DEADLINE);
    const bool waits = rank == HEIR && still == GIVER; /* for what is to come */
    const char *words = waits ? "still waits for ranks that give or get blocks" : "other ranks to call it";
    CHECK(rank == GIVER || rank == still || strstr(hx_last_error(), words), "\"%s\" is not in: %s", words,
          hx_last_error());
    CHECK(to.handle == NULL, "a handle is left");
    if (rank != still) {
        MPI_Send(NULL, 0, MPI_BYTE, still, LEFT, MPI_COMM_WORLD);
    }
    CHECK_STATUS(hx_create_like(from.handle, &to.layout.blocks, to.layout.shapes, &to.handle),
                 HX_ERR_DEADLINE);
    MPI_Barrier(MPI_COMM_WORLD);
    close_both(&from, &to);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    copies_little();
    leaves(THIRD, FIRST);
    leaves(GIVER, FIRST);
    leaves(GIVER, REST);
    leaves(HEIR, REST);
    return check_verdict("links of blocks that move");
}
