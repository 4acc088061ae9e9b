/*
 * hx_gather and its like in many rounds: an axis with one point may have any stride, arrays may be larger than 2 GiB,
 * a rank needs little memory beside them, however many ranks ask; what is refused, in words, and for all; a rank that leaves in a round, as its
 * deadline passes, leaves no other one waiting.  Runs on 2 ranks or more, of which the first two have blocks.
 *
 * One of these stands still before it sends, until the other one has left: MPI_Isend waits for that here.
 */
#include "base/memory.h"
#include "check.h"
#include "connected.h"
#include "exchange/handle.h"
#include "layout.h"
#include "redistribution/moving.h"
#include "specs.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { TILES = 6, CELLS = 48, POINTS = CELLS * CELLS, LEFT = 9, LEAST = 200, SHORTEST = 100, TURNS = 2 };

typedef struct world {
    layout l;
    hx_handle *handle;
    unsigned char *pointers;
    double whole[TILES][POINTS];
    hx_strided_array array[TILES];
} world;

static int rank, ranks;
static bool starts;        /* a round does */
static int sent;           /* its pieces, one for each rank, ... */
static int most_sent;      /* ... and those of any round */
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
    sent += starts && count >= SHORTEST;
    most_sent = sent > most_sent ? sent : most_sent;
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
    return 10000.0 * tile + CELLS * y + x;
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

/* All points of a tile, in the array of the world. */
static hx_selection all_of(world *w, int tile)
{
    return (hx_selection){.tile = tile, .n = {HX_REST, HX_REST, HX_REST}, .array = w->array[tile]};
}

/* Two ranks ask, and later give: the first one every third column, the last one all between them. */
static void several_ranks(void)
{
    check_about("several ranks");
    static world w;
    begin(&w);
    memset(w.whole, 0, sizeof w.whole);
    hx_selection mine[2 * TILES];
    for (int i = 0; i < 2 * TILES; ++i) {
        mine[i] = all_of(&w, i / 2);
        mine[i].first[0] = rank == 0 ? 0 : 1 + i % 2;
        mine[i].step[0] = 3;
        mine[i].array.base = w.whole[i / 2] + mine[i].first[0];
        mine[i].array.stride[0] = 24;
    }
    for (int i = 0; i < TILES && rank == 0; ++i) {
        mine[i] = mine[2 * i];
    }
    const int own = rank == 0 ? TILES : rank == ranks - 1 ? 2 * TILES : 0;
    CHECK_STATUS(hx_gather_selected(w.handle, w.pointers, mine, own), HX_OK);
    for (int i = 0; i < TILES * POINTS; ++i) {
        const int tile = i / POINTS, point = i % POINTS, x = point % CELLS;
        const bool asked = own > 0 && (x % 3 == 0) == (rank == 0);
        const double value = asked ? value_at(tile, x, point / CELLS) : 0.0;
        CHECK(w.whole[tile][point] == value, "%g in place of %g, element %d of tile %d", w.whole[tile][point],
              value, point, tile);
    }
    visit(&w, true);
    CHECK_STATUS(hx_scatter_selected(w.handle, w.pointers, mine, own), HX_OK);
    visit(&w, true);
    CHECK_STATUS(hx_gather_selected(w.handle, w.pointers, NULL, 0), HX_OK); /* nobody asks */
    end(&w);
}

/* Points of an array lie 3 GiB apart; pages that nobody touches take no memory. */
static void far_apart(void)
{
    check_about("an array of 6 GiB");
    static world w;
    begin(&w);
    const ptrdiff_t far = (ptrdiff_t)3 << 30;
    const size_t bytes = 2 * (size_t)far + CELLS * sizeof(double);
    double *array =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    hx_selection rows = all_of(&w, 3);
    rows.first[1] = 1;
    rows.step[1] = 4;
    rows.n[1] = 3;
    rows.array = (hx_strided_array){
        .base = array, .bytes = 8, .extent = {CELLS, 3, 1}, .stride = {8, far, 8}, .components = 1};
    CHECK(array != MAP_FAILED, "no address space for %zu bytes", bytes);
    if (array != MAP_FAILED) {
        CHECK_STATUS(hx_gather_selected(w.handle, w.pointers, &rows, 1), HX_OK);
        for (int i = 0; i < 3 * CELLS; ++i) {
            const double found = array[i / CELLS * (far / 8) + i % CELLS];
            CHECK(found == value_at(3, i % CELLS, 1 + 4 * (i / CELLS)), "%g in row %d", found, i / CELLS);
        }
        munmap(array, bytes);
    }
    end(&w);
}

/* Without strides points lie side by side, as in the field. */
static void dense(void)
{
    check_about("a dense array");
    static world w;
    begin(&w);
    double few[6] = {0};
    hx_selection s = {
        .tile = 2, .first = {0, 3}, .n = {3, 2, HX_REST}, .step = {5, 7}, .array = {.base = few}};
    CHECK_STATUS(hx_gather_selected(w.handle, w.pointers, &s, rank == 1), HX_OK);
    for (int i = 0; i < 6; ++i) {
        const double value = rank == 1 ? value_at(2, i % 3 * 5, 3 + i / 3 * 7) : 0.0;
        CHECK(few[i] == value, "%g in place of %g, element %d", few[i], value, i);
    }
    end(&w);
}

/* ---- what is refused ------------------------------------------------------------------------------------ */

typedef struct mistake {
    const char *words;
    bool scatters;
    int count;
    hx_selection s[2];
} mistake;

/* Only one rank makes the mistake; all are told, nothing is written, and the next call works. */
static void refuses(void)
{
    static world w;
    begin(&w);
    const hx_selection good = all_of(&w, 0);
    mistake m[] = {
        {"field 99 is none of the", false, 1, {good}},
        {"selection 0 is of tile 6; ", false, 1, {good}},
        {"along axis x selection 0 has -5 points from 0 on, 1 apart", false, 1, {good}},
        {"along axis y selection 1 has 2 points from 47 on, 1 apart", false, 2, {good, good}},
        {"along axis y selection 0 has all points from 48 on, 1 apart", false, 1, {good}},
        {"along axis x selection 0 has points -2 apart; a step is 1 or more", false, 1, {good}},
        {"along axis x selection 0 has 3 points from 0 on, 24 apart", false, 1, {good}},
        {"selection 0 has 0 points along all axes", false, 1, {good}},
        {"the array of selection 0 on rank 1 is a null pointer", false, 1, {good}},
        {"and has elements of 4 bytes", true, 1, {good}},
        {"the array of selection 0 has 2 components", true, 1, {good}},
        {"the array of selection 0 has 47 points, 8 bytes apart; it selects 48", false, 1, {good}},
        {"points lie 376 bytes apart along axis y, and shorter steps reach 384 bytes", false, 1, {good}},
        {"the array of selection 0", false, 2, {good, good}},
        {"selections of field", true, 2, {good, good}},
        {"there are -1 selections; give 0 to", false, -1, {good}},
        {"there are 2 selections, and their pointer is null", false, 2, {good}},
        {"the array of field", false, 1, {good}},
        {"along axis y selection 0 has points -1 apart; a step is 1 or more",
         false,
         1,
         {good}}, /* the rest of them */
    };
    enum { MISTAKES = sizeof m / sizeof m[0] };
    m[0].s[0].field = 99;
    m[1].s[0].tile = TILES;
    m[2].s[0].n[0] = -5;
    m[3].s[1] = all_of(&w, 1);
    m[3].s[1].first[1] = CELLS - 1;
    m[3].s[1].n[1] = 2;
    m[4].s[0].first[1] = CELLS;
    m[5].s[0].n[0] = 3;
    m[5].s[0].step[0] = -2;
    m[6].s[0].n[0] = 3;
    m[6].s[0].step[0] = 24;
    memset(m[7].s[0].n, 0, sizeof m[7].s[0].n);
    m[8].s[0].array.base = NULL;
    m[9].s[0].array.bytes = 4;
    m[10].s[0].array.components = 2;
    m[11].s[0].array.extent[0] = CELLS - 1;
    m[12].s[0].array.stride[1] = 376;
    m[13].s[1].first[0] = 3; /* other points, in the same memory */
    m[13].s[1].n[0] = 2;
    m[14].s[1].first[0] = 1; /* and these twice */
    m[14].s[1].step[0] = 4;
    memcpy(&m[17].s[0].array.base, w.pointers + specs[0]->field[0].pointer, sizeof m[17].s[0].array.base);
    m[18].s[0].step[1] = -1;
    memset(w.whole, 0, sizeof w.whole);
    for (int i = 0; i < MISTAKES; ++i) {
        check_about("refused: %s", m[i].words);
        const bool null = strstr(m[i].words, "pointer is null") != NULL;
        const bool errs = rank == 1;
        const hx_selection *given = !errs ? &good : null ? NULL : m[i].s;
        const int count = errs ? m[i].count : 0;
        const hx_status status = m[i].scatters ? hx_scatter_selected(w.handle, w.pointers, given, count)
                                               : hx_gather_selected(w.handle, w.pointers, given, count);
        CHECK_REFUSED(MPI_COMM_WORLD, status, HX_ERR_ARGUMENT, m[i].words);
    }
    for (int i = 0; i < TILES * POINTS; ++i) {
        CHECK(w.whole[i / POINTS][i % POINTS] == 0.0, "element %d was written", i);
    }
    visit(&w, true);
    end(&w);
}

/* ---- little memory -------------------------------------------------------------------------------------- */

static size_t most_bytes;

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    most_bytes = count * size > most_bytes ? count * size : most_bytes;
    return __real_hxi_memory_get(count, size, purpose);
}

/* Pieces are of 1024 bytes here: no table or buffer is as large as the whole. */
static void takes_little(void)
{
    check_about("memory");
    static world w;
    begin(&w);
    hx_selection mine[TILES];
    for (int t = 0; t < TILES; ++t) {
        mine[t] = all_of(&w, t);
    }
    most_bytes = 0;
    CHECK_STATUS(hx_gather_selected(w.handle, w.pointers, mine, rank == 0 ? TILES : 0), HX_OK);
    CHECK(most_bytes < sizeof w.whole / 2, "%zu bytes in one piece, for %zu that moved", most_bytes,
          sizeof w.whole);
    end(&w);
}

hx_status __real_hxi_moving_start(hx_handle *h, hxi_moving *m, const char *caller);
hx_status __wrap_hxi_moving_start(hx_handle *h, hxi_moving *m, const char *caller);

/* A round begins. */
hx_status __wrap_hxi_moving_start(hx_handle *h, hxi_moving *m, const char *caller)
{
    sent = 0;
    starts = true;
    const hx_status status = __real_hxi_moving_start(h, m, caller);
    starts = false;
    return status;
}

/* All ranks ask for all, and then give rows of their own; each in its turn, with at most one other one. */
static void takes_turns(void)
{
    check_about("turns");
    static world w;
    begin(&w);
    memset(w.whole, 0, sizeof w.whole);
    hx_selection mine[TILES];
    for (int t = 0; t < TILES; ++t) {
        mine[t] = all_of(&w, t);
    }
    most_sent = 0;
    CHECK_STATUS(hx_gather_selected(w.handle, w.pointers, mine, TILES), HX_OK);
    for (int i = 0; i < TILES * POINTS; ++i) {
        const int tile = i / POINTS, point = i % POINTS;
        const double value = value_at(tile, point % CELLS, point / CELLS);
        CHECK(w.whole[tile][point] == value, "%g in place of %g, element %d of tile %d", w.whole[tile][point],
              value, point, tile);
    }
    CHECK(most_sent <= TURNS && (most_sent > 0 || rank > 1), "%d pieces in a round", most_sent);
    visit(&w, true);
    for (int t = 0; t < TILES; ++t) {
        mine[t].first[1] = rank; /* every so many rows */
        mine[t].step[1] = ranks;
        mine[t].array.base = w.whole[t] + (ptrdiff_t)CELLS * rank;
        mine[t].array.stride[1] *= ranks;
    }
    CHECK_STATUS(hx_scatter_selected(w.handle, w.pointers, mine, TILES), HX_OK);
    visit(&w, true);
    end(&w);
}

/* ---- deadlines ------------------------------------------------------------------------------------------ */

/* The rank that does not leave: it is told when it may go on. */
static void leave(world *w, int receiver)
{
    char nothing = 0;
    watched = NULL; /* ranks without blocks had no piece */
    if (rank == receiver) {
        MPI_Send(&nothing, 1, MPI_BYTE, 1 - rank, LEFT, MPI_COMM_WORLD);
    } else if (rank == 1 - receiver) {
        MPI_Recv(&nothing, 1, MPI_BYTE, receiver, LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end(w);
}

/* receiver: it waits for what does not come, and so for the other one before the next round. */
static void leaves(bool scatters, int receiver)
{
    check_about("rank %d leaves a %s", receiver, scatters ? "scatter" : "gather");
    static world w;
    begin(&w);
    watched = w.handle;
    const hx_status status = scatters ? hx_scatter(w.handle, w.pointers, 0, 0, w.array)
                                      : hx_gather(w.handle, w.pointers, 0, 0, w.array);
    CHECK_STATUS(status, HX_ERR_DEADLINE);
    const char *words = rank == receiver ? "still waits for other ranks to call it."
                                         : "waited for other ranks to call it until its deadline, and left.";
    CHECK(strstr(hx_last_error(), words) != NULL, "\"%s\" is not in: %s", words, hx_last_error());
    leave(&w, receiver);
}

/* The same in the last round, after which nobody waits for anybody. */
static void leaves_last(int receiver)
{
    check_about("rank %d leaves the last round", receiver);
    static world w;
    begin(&w);
    watched = w.handle;
    hx_selection s = all_of(&w, 1);
    s.n[1] = 2;
    const hx_status status = hx_gather_selected(w.handle, w.pointers, &s, rank == receiver);
    CHECK_STATUS(status, rank == receiver ? HX_ERR_DEADLINE : HX_OK);
    CHECK(rank != receiver || strstr(hx_last_error(), "still waits for 1 message.") != NULL, "%s",
          hx_last_error());
    leave(&w, receiver);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    takes_any_stride(3);
    takes_any_stride(-1000008);
    several_ranks();
    far_apart();
    dense();
    refuses();
    takes_little();
    takes_turns();
    leaves(false, 0);
    leaves(true, 1);
    leaves_last(0);
    leaves_last(1);
    return check_verdict("gathers in pieces");
}
