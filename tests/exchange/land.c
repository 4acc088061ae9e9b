/*
 * A worked example, in numbers, of a block without an owner: six blocks of two cells by two, of which number 3,
 * the upper one in the middle, is land.
 *
 *      y  3 | 1 1 | # # | 5 5 |
 *         2 | 1 1 | # # | 5 5 |
 *         1 | 0 0 | 2 2 | 4 4 |
 *         0 | 0 0 | 2 2 | 4 4 |
 *        x    0 1   2 3   4 5
 *
 * A cell holds 10 x + y.
 */
#include "check.h"
#include "isle.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCKS = 6, LAND = 3, UNTOUCHED = -7 };

typedef struct world {
    int rank;
    int ranks;
    int owner[BLOCKS];
    hx_partition partition;
    hx_blocks blocks;
    int number[BLOCKS]; /* of the blocks of this rank */
    isle_shape shape[BLOCKS];
    isle_fields fields[BLOCKS];
    isle *halo;
} world;

static int owner_of(void *context, int tile, int block)
{
    (void)tile;
    return ((const int *)context)[block];
}

static void make_blocks(world *h)
{
    h->partition = isle_partition(6, 4);
    h->partition.ranks[ISLE_AXIS_X] = 3;
    h->partition.ranks[ISLE_AXIS_Y] = 2;
    h->blocks = (hx_blocks){.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &h->partition};
    for (int b = 0; b < BLOCKS; ++b) {
        h->owner[b] = b == LAND ? HX_NO_OWNER : b % h->ranks;
        if (h->owner[b] == h->rank) {
            hx_part part;
            CHECK_STATUS(hx_part_of(&h->partition, 0, b, &part), HX_OK);
            h->number[h->blocks.count] = b;
            h->shape[h->blocks.count++] = isle_shape_dense(&part);
        }
    }
}

static double *cell(const world *h, int b, int x, int y)
{
    const hx_part *part = &h->shape[b].part;
    return &h->fields[b].t[isle_t_at(&h->shape[b], x - part->first[0], y - part->first[1])];
}

static void fill(world *h)
{
    for (int b = 0; b < h->blocks.count; ++b) {
        const hx_part *part = &h->shape[b].part;
        for (int x = -1; x < 3; ++x) {
            for (int y = -1; y < 3; ++y) {
                const int gx = part->first[0] + x, gy = part->first[1] + y;
                const bool owned = x >= 0 && x < 2 && y >= 0 && y < 2;
                *cell(h, b, gx, gy) = owned ? 10 * gx + gy : UNTOUCHED;
            }
        }
        for (int x = 0; x < 3; ++x) {
            for (int y = 0; y < 3; ++y) {
                if (y < 2) {
                    h->fields[b].v[isle_v_at(&h->shape[b], x, y)] = 1 << h->number[b];
                }
                h->fields[b].w[isle_w_at(&h->shape[b], x, y)] = 3 << h->number[b];
            }
        }
    }
}

/* What a cell of a block should hold; the block may be of another rank. */
static void expect(const world *h, const char *exchange, int number, int x, int y, double wanted)
{
    for (int b = 0; b < h->blocks.count; ++b) {
        if (h->number[b] == number) {
            const double found = *cell(h, b, x, y);
            CHECK(found == wanted, "%s: block %d holds %g at %d, %d; expected %g", exchange, number, found, x,
                  y, wanted);
        }
    }
}

/* The same for faces and corners, counted in the block. */
static void expect_shared(const world *h, int number, int x, int y, double face, double corner)
{
    for (int b = 0; b < h->blocks.count; ++b) {
        if (h->number[b] == number) {
            const double v = h->fields[b].v[isle_v_at(&h->shape[b], x, y)];
            const double w = h->fields[b].w[isle_w_at(&h->shape[b], x, y)];
            CHECK(v == face && w == corner, "block %d holds %g and %g at %d, %d; expected %g and %g", number,
                  v, w, x, y, face, corner);
        }
    }
}

static void check_ghosts(world *h)
{
    fill(h);
    CHECK_STATUS(isle_plain(h->halo, h->fields), HX_OK);
    expect(h, "plain", 1, 2, 2, UNTOUCHED); /* beside land */
    expect(h, "plain", 1, 2, 1, 21);        /* the corner past it */
    expect(h, "plain", 2, 2, 2, UNTOUCHED); /* below land */
    expect(h, "plain", 2, 1, 2, 12);
    expect(h, "plain", 2, 4, 2, 42);
    expect(h, "plain", 0, 2, 2, UNTOUCHED); /* land across a corner */
    expect(h, "plain", 0, 2, 1, 21);
    fill(h);
    CHECK_STATUS(isle_filled(h->halo, h->fields), HX_OK);
    expect(h, "filled", 1, 2, 2, 12);
    expect(h, "filled", 1, 2, 3, 13);
    expect(h, "filled", 1, 2, 4, 13); /* beyond the wall, too */
    expect(h, "filled", 1, 1, 4, 13);
    expect(h, "filled", 1, 2, 1, 21);
    expect(h, "filled", 2, 2, 2, 21);
    expect(h, "filled", 2, 3, 2, 31);
    expect(h, "filled", 2, 4, 2, 42);
    expect(h, "filled", 5, 3, 2, 42);
    expect(h, "filled", 5, 3, 4, 43);
    expect(h, "filled", 0, 2, 2, 12); /* across the first axis */
    expect(h, "filled", 4, 3, 2, 42);
    fill(h);
    CHECK_STATUS(isle_mirrored(h->halo, h->fields), HX_OK);
    expect(h, "mirrored", 1, 2, 3, -13);
    expect(h, "mirrored", 2, 3, 2, -31);
    expect(h, "mirrored", 1, 2, 4, 13);
    fill(h);
    CHECK_STATUS(isle_added(h->halo, h->fields), HX_OK);
    expect(h, "added", 2, 3, 1, 31 + 2 * UNTOUCHED); /* from two blocks; others have three around a corner */
    expect(h, "added", 0, 1, 1, 11 + 2 * UNTOUCHED);
    expect(h, "added", 4, 4, 1, 41 + 2 * UNTOUCHED);
    expect(h, "added", 1, 1, 2, 12 + 2 * UNTOUCHED);
}

static void check_shared(world *h)
{
    fill(h);
    CHECK_STATUS(isle_sum(h->halo, h->fields), HX_OK);
    expect_shared(h, 1, 2, 1, 2, 3 * 2); /* beside land nobody shares a face */
    expect_shared(h, 2, 0, 1, 1 + 4, 3 * 5);
    expect_shared(h, 0, 2, 0, 1 + 4, 3 * 5);
    fill(h);
    CHECK_STATUS(isle_mean(h->halo, h->fields), HX_OK);
    expect_shared(h, 0, 2, 1, 2.5, 7.5);
    for (int b = 0; b < h->blocks.count; ++b) { /* the corner that three blocks hold: 3, 6 and 12 */
        const int number = h->number[b];
        const int x = number < 2 ? 2 : 0, y = number % 2 == 0 ? 2 : 0;
        if (number < 3) {
            const double w = h->fields[b].w[isle_w_at(&h->shape[b], x, y)];
            CHECK(w == 7, "the mean of 3, 6 and 12 is %g in block %d", w, number);
        }
    }
}

/* Copies of a corner differ by blocks: 100 times the number. */
static double corner_of(const hx_part *part, int number, int x, int y)
{
    return 100 * number + 10 * (part->first[0] + x) + part->first[1] + y;
}

static void fill_corners(world *h, bool untouched)
{
    for (int b = 0; b < h->blocks.count; ++b) {
        for (int x = 0; x < 3; ++x) {
            for (int y = 0; y < 3; ++y) {
                h->fields[b].w[isle_w_at(&h->shape[b], x, y)] =
                    untouched ? UNTOUCHED : corner_of(&h->shape[b].part, h->number[b], x, y);
            }
        }
    }
}

static void expect_gathered(double corner[5][7], int x, int y, double wanted)
{
    CHECK(corner[y][x] == wanted, "the gathered corner %d, %d is %g; expected %g", x, y, corner[y][x],
          wanted);
}

/* What land holds with others comes from the upper one of these; what it holds alone stays. */
static void check_moved(world *h)
{
    double corner[5][7];
    const hx_strided_array whole = {
        .base = corner, .bytes = 8, .extent = {7, 5}, .stride = {8, 56}, .components = 1};
    for (int i = 0; i < 35; ++i) {
        corner[i / 7][i % 7] = UNTOUCHED;
    }
    fill_corners(h, false);
    CHECK_STATUS(isle_gather(h->halo, h->fields, ISLE_W, 0, &whole), HX_OK);
    if (h->rank == 0) {
        expect_gathered(corner, 2, 3, 123); /* on the left of land */
        expect_gathered(corner, 2, 4, 124);
        expect_gathered(corner, 3, 2, 232); /* below it */
        expect_gathered(corner, 2, 2, 122); /* of blocks 0, 1 and 2 */
        expect_gathered(corner, 4, 2, 542); /* block 5 is above land */
        expect_gathered(corner, 4, 4, 544);
        expect_gathered(corner, 3, 3, UNTOUCHED);
        expect_gathered(corner, 3, 4, UNTOUCHED);
    }
    fill_corners(h, true);
    CHECK_STATUS(isle_scatter(h->halo, h->fields, ISLE_W, 0, &whole), HX_OK);
    expect_shared(h, 1, 2, 1, 1 << 1, 123);
    expect_shared(h, 1, 2, 0, 1 << 1, 122);
}

static void check_words(world *h)
{
    const char *text = isle_describe(h->halo);
    CHECK(strstr(text, "1 block of it without an owner: ghost points there are walls"), "%s", text);
    CHECK(strstr(text, "corners do not pass through blocks without an owner"), "%s", text);
    CHECK(!strstr(text, "by dimension:"), "%s", text);
    const char *json = isle_describe_json(h->halo);
    CHECK(json && strstr(json, "\"without_owner\": 1"), "%s", json);
}

static void check_refusal(world *h, hx_status wanted, const char *words)
{
    isle *none = NULL;
    CHECK_STATUS(isle_create_blocks(&h->blocks, h->shape, NULL, &none), wanted);
    CHECK(strstr(hx_last_error(), words), "%s", hx_last_error());
}

static void check_mistakes(const world *h)
{
    world w = *h;
    w.blocks.owner = NULL;
    w.blocks.owners = w.owner;
    for (int b = 0; b < BLOCKS; ++b) {
        w.owner[b] = HX_NO_OWNER;
    }
    check_refusal(&w, HX_ERR_PARTITION,
                  "gives all 6 blocks of the partition no owner (-1); some block needs a rank");
    memcpy(w.owner, h->owner, sizeof w.owner);
    w.owner[LAND] = -2;
    check_refusal(&w, HX_ERR_PARTITION, "gives block 3 of tile 0 to rank -2; the communicator has");
    w.owner[LAND] = w.ranks;
    check_refusal(&w, HX_ERR_PARTITION, "numbered from 0, and -1 stands for no owner");
    w.owner[LAND] = HX_NO_OWNER;
    w.owner[0] = HX_NO_OWNER; /* whose shape rank 0 gives all the same */
    w.blocks.owners = NULL;
    w.blocks.owner = owner_of;
    w.blocks.context = w.owner;
    isle *none = NULL;
    CHECK_STATUS(isle_create_blocks(&w.blocks, w.shape, NULL, &none), HX_ERR_PARTITION);
    CHECK(strstr(hx_last_error(), "Rank 0 gave the shape of block 0 of tile 0, which has no owner (-1)"),
          "%s", hx_last_error());
}

int main(int argc, char **argv)
{
    world h = {.rank = 0};
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &h.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &h.ranks);
    make_blocks(&h);
    static const char *const transports[] = {"shared", "persistent", "p2p", "neighbor", "rma", "mixed"};
    for (int i = 0; i < 2 * (int)(sizeof transports / sizeof *transports); ++i) {
        hx_options options = HX_OPTIONS_INIT;
        options.transport = transports[i / 2];
        options.schedule = i % 2 ? "by-dimension" : "auto";
        h.blocks.owner = i % 2 ? owner_of : NULL;
        h.blocks.context = h.owner;
        h.blocks.owners = i % 2 ? NULL : h.owner;
        check_about("%s", transports[i / 2]);
        CHECK_STATUS(isle_create_blocks(&h.blocks, h.shape, &options, &h.halo), HX_OK);
        CHECK_STATUS(isle_alloc(h.halo, h.fields), HX_OK);
        check_ghosts(&h);
        check_shared(&h);
        check_moved(&h);
        check_words(&h);
        CHECK_STATUS(isle_destroy(h.halo), HX_OK);
    }
    check_mistakes(&h);
    return check_verdict("a block without an owner");
}
