/*
 * hx_gather and hx_scatter in several pieces, a tile each: an axis with one point may have any stride; a rank that
 * leaves in a piece, as its deadline passes, leaves no other one waiting.  Runs on 2 ranks.
 *
 * One of them stands still before it sends, until the other one has left: MPI_Isend waits for that here.
 */
#include "check.h"
#include "connected.h"
#include "exchange/handle.h"
#include "layout.h"
#include "specs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILES = 6, CELLS = 12, POINTS = CELLS * CELLS, LEFT = 9, LEAST = 500 };

typedef struct world {
    layout l;
    hx_handle *handle;
    unsigned char *pointers;
    double whole[TILES][POINTS];
    hx_strided_array array[TILES];
} world;

static int rank;
static hx_handle *watched; /* the next piece is the one in which a rank leaves; NULL: none does */

/* Deadlines are short only from here on: until then all have to come, however busy the machine is. */
static bool is_piece(int bytes)
{
    const bool piece = watched && bytes >= LEAST;
    if (piece) {
        watched->options.deadline = 0.2;
        watched = NULL;
    }
    return piece;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    is_piece(count);
    return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const struct timespec soon = {.tv_nsec = 5000000};
    for (int left = !is_piece(count); !left; nanosleep(&soon, NULL)) {
        PMPI_Iprobe(to, LEFT, MPI_COMM_WORLD, &left, MPI_STATUS_IGNORE);
    }
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

static int owner_of(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block;
}

static double value_at(int tile, int x, int y)
{
    return 1000.0 * tile + CELLS * y + x;
}

/* Writes what owned points of field 0 hold, or compares it. */
static void visit(const world *w, bool compares)
{
    for (int b = 0; b < w->l.blocks.count; ++b) {
        const hx_part *part = &w->l.part[b];
        double *array;
        memcpy(&array, w->pointers + (size_t)b * w->l.spec->fields_size + w->l.spec->field[0].pointer,
               sizeof array);
        const box owned = layout_owned(&w->l, b, 0);
        int p[HX_MAX_AXES] = {0};
        do {
            double *at = &array[layout_at(&w->l, b, 0, p)];
            const double value = value_at(part->tile, part->first[0] + p[0], part->first[1] + p[1]);
            CHECK(!compares || *at == value, "%g in place of %g in block %d at (%d, %d)", *at, value, b, p[0],
                  p[1]);
            *at = compares ? 0.0 : value;
        } while (box_next(&owned, w->l.spec->axes, p));
    }
}

static void begin(world *w)
{
    hx_partition partition[TILES];
    for (int t = 0; t < TILES; ++t) {
        partition[t] = (hx_partition){.axes = 3, .cells = {CELLS, CELLS, 1}, .ranks = {2, 1, 1}};
        w->array[t] = (hx_strided_array){.base = w->whole[t],
                                         .bytes = sizeof(double),
                                         .extent = {CELLS, CELLS, 1},
                                         .stride = {8, 8 * (ptrdiff_t)CELLS, 8},
                                         .components = 1};
    }
    layout_make(&w->l, &(layout_request){.spec = specs[0],
                                         .comm = MPI_COMM_WORLD,
                                         .partition = partition,
                                         .owner = owner_of,
                                         .faces = connected_find(specs[0])->faces});
    hx_options options = HX_OPTIONS_INIT;
    options.deadline = 60.0;
    options.transport = "p2p"; /* pieces travel in messages of MPI */
    CHECK_STATUS(hx_create(specs[0], &w->l.blocks, w->l.shapes, &options, &w->handle), HX_OK);
    w->pointers = calloc((size_t)w->l.blocks.count, specs[0]->fields_size);
    CHECK_STATUS(hx_alloc(w->handle, w->pointers), HX_OK);
    visit(w, false);
}

static void end(world *w)
{
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STATUS(hx_destroy(w->handle), HX_OK);
    free(w->pointers);
    layout_free(&w->l);
}

static void takes_any_stride(ptrdiff_t stride)
{
    check_about("stride %td along an axis with one point", stride);
    static world w;
    begin(&w);
    for (int t = 0; t < TILES; ++t) {
        w.array[t].stride[2] = stride;
    }
    memset(w.whole, 0, sizeof w.whole);
    CHECK_STATUS(hx_gather(w.handle, w.pointers, 0, 0, w.array), HX_OK);
    for (int i = 0; i < TILES * POINTS && rank == 0; ++i) {
        const int tile = i / POINTS, point = i % POINTS;
        const double value = value_at(tile, point % CELLS, point / CELLS);
        CHECK(w.whole[tile][point] == value, "%g in place of %g, element %d of tile %d", w.whole[tile][point],
              value, point, tile);
    }
    visit(&w, true); /* and they are zeros */
    CHECK_STATUS(hx_scatter(w.handle, w.pointers, 0, 0, w.array), HX_OK);
    visit(&w, true);
    end(&w);
}

/* receiver: it waits for what does not come. */
static void leaves(bool scatters, int receiver)
{
    check_about("rank %d leaves a %s", receiver, scatters ? "scatter" : "gather");
    static world w;
    begin(&w);
    watched = w.handle;
    const hx_status status = scatters ? hx_scatter(w.handle, w.pointers, 0, 0, w.array)
                                      : hx_gather(w.handle, w.pointers, 0, 0, w.array);
    CHECK_STATUS(status, HX_ERR_DEADLINE);
    const char *words =
        rank == receiver ? "still waits for 1 message." : "still waits for other ranks to call it.";
    CHECK(strstr(hx_last_error(), words) != NULL, "\"%s\" is not in: %s", words, hx_last_error());
    char nothing = 0;
    if (rank == receiver) {
        MPI_Send(&nothing, 1, MPI_BYTE, 1 - rank, LEFT, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&nothing, 1, MPI_BYTE, receiver, LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end(&w);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    takes_any_stride(3);
    takes_any_stride(-1000008);
    leaves(false, 0);
    leaves(true, 1);
    return check_verdict("gathers in pieces");
}
