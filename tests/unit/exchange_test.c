/*
 * Whole exchanges on 1 to 4 ranks: every ghost point that has a source gets its value, every other stays as
 * it was. The oracle knows positions and periodicity, and nothing of links or plans.
 */
#include "example.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64 };

typedef struct world {
    example e;
    int cells[HX_MAX_AXES];
    int blocks;
    example_shape shape[MOST_BLOCKS];
    example_fields fields[MOST_BLOCKS];
} world;

static world w;
static int by_dimension; /* handles that had an exchange go so */
static int in_place;

/* A different number for each cell of the grid. */
static int value_of(const int cell[])
{
    int value = 0;
    for (int a = w.e.spec.axes - 1; a >= 0; --a) {
        value = value * w.cells[a] + cell[a];
    }
    return value + 1;
}

/* What stands in ghost points before; it differs from point to point, so that copies of it are seen, too. */
static int untouched(const int index[])
{
    int value = -1;
    for (int a = 0; a < w.e.spec.axes; ++a) {
        value = 40 * value - index[a] - 10;
    }
    return value;
}

/* The value that a point is to have. */
static int expected(const example_shape *shape, const int index[], int field, int star)
{
    int cell[HX_MAX_AXES] = {0};
    int outside = 0;
    for (int a = 0; a < w.e.spec.axes; ++a) {
        outside += index[a] < 0 || index[a] >= shape->part.n[a];
        cell[a] = shape->part.first[a] + index[a];
        if (cell[a] < 0 || cell[a] >= w.cells[a]) {
            if (!w.e.spec.periodic[a]) {
                return untouched(index);
            }
            cell[a] = (cell[a] % w.cells[a] + w.cells[a]) % w.cells[a];
        }
    }
    return outside > 0 && star && (outside > 1 || field == EXAMPLE_B) ? untouched(index) : value_of(cell);
}

/* Calls for every point of a field, halo included; returns how many it got wrong. */
static int sweep(int block, int field, int (*at)(int block, int field, const int index[], int argument),
                 int argument)
{
    const hx_part *part = &w.shape[block].part;
    const int axes = w.e.spec.axes;
    const hx_field *f = &w.e.field[field];
    int index[HX_MAX_AXES] = {0};
    for (int a = 0; a < axes; ++a) {
        index[a] = -f->halo_lo[a];
    }
    int wrong = 0;
    for (;;) {
        wrong += at(block, field, index, argument);
        int a = 0;
        while (a < axes && ++index[a] == part->n[a] + f->halo_hi[a]) {
            index[a] = -f->halo_lo[a];
            ++a;
        }
        if (a == axes) {
            return wrong;
        }
    }
}

static int fill_point(int block, int field, const int index[], int unused)
{
    (void)unused;
    const ptrdiff_t at = example_at(&w.e, &w.shape[block], field, index);
    int owned = 1;
    for (int a = 0; a < w.e.spec.axes; ++a) {
        owned = owned && index[a] >= 0 && index[a] < w.shape[block].part.n[a];
    }
    const int value = owned ? expected(&w.shape[block], index, field, 0) : untouched(index);
    if (field == EXAMPLE_A) {
        w.fields[block].a[at] = value;
    } else {
        w.fields[block].b[at] = value;
    }
    return 0;
}

static int check_point(int block, int field, const int index[], int star)
{
    const ptrdiff_t at = example_at(&w.e, &w.shape[block], field, index);
    const int found = field == EXAMPLE_A ? (int)w.fields[block].a[at] : w.fields[block].b[at];
    return found != expected(&w.shape[block], index, field, star);
}

static void fill(void)
{
    for (int b = 0; b < w.blocks; ++b) {
        sweep(b, EXAMPLE_A, fill_point, 0);
        sweep(b, EXAMPLE_B, fill_point, 0);
    }
}

static int count_wrong(int star)
{
    int wrong = 0;
    for (int b = 0; b < w.blocks; ++b) {
        wrong += sweep(b, EXAMPLE_A, check_point, star) + sweep(b, EXAMPLE_B, check_point, star);
    }
    return wrong;
}

/* Blocks are dealt out in turn. */
static int deal(void *ranks, int tile, int block)
{
    (void)tile;
    return block % *(const int *)ranks;
}

static void make_blocks(const hx_partition *p, int blocks)
{
    w.blocks = 0;
    for (int b = 0; b < blocks; ++b) {
        if (b % harness_ranks == harness_rank) {
            hx_part part;
            expect_ok(hx_part_of(p, 0, b, &part));
            w.shape[w.blocks] = example_shape_of(&w.e, &part, b % 3);
            w.fields[w.blocks] = example_alloc(&w.e, &w.shape[w.blocks]);
            w.blocks++;
        }
    }
}

static void free_blocks(void)
{
    for (int b = 0; b < w.blocks; ++b) {
        example_free(&w.fields[b]);
    }
}

/* Both exchanges, twice, finished in an order that differs from rank to rank. */
static void run(hx_handle *handle)
{
    fill();
    expect_ok(hx_start(handle, EXAMPLE_STAR, w.fields));
    expect_ok(hx_finish(handle, EXAMPLE_STAR));
    expect(count_wrong(1) == 0);
    for (int round = 0; round < 2; ++round) {
        expect_ok(hx_start(handle, EXAMPLE_BOTH, w.fields));
        expect_ok(hx_start(handle, EXAMPLE_STAR, w.fields));
        expect_ok(hx_finish(handle, harness_rank % 2 ? EXAMPLE_BOTH : EXAMPLE_STAR));
        expect_ok(hx_finish(handle, harness_rank % 2 ? EXAMPLE_STAR : EXAMPLE_BOTH));
        expect(count_wrong(0) == 0);
    }
    hx_traffic traffic;
    expect_ok(hx_traffic_of(handle, EXAMPLE_BOTH, &traffic));
    expect(traffic.exchanges == 2);
    expect(hx_describe(handle)[0] == 'e');
    expect(!strstr(hx_describe(handle), "not as chosen"));
    by_dimension += traffic.phases > 1;
    in_place += strstr(hx_describe(handle), " in place") != NULL;
}

static void test_blocks(const int parts[], const char *transport, const char *schedule, int check)
{
    hx_partition p = example_partition(&w.e, w.cells);
    int blocks = 1;
    for (int a = 0; a < w.e.spec.axes; ++a) {
        p.ranks[a] = parts[a] < w.cells[a] ? parts[a] : w.cells[a];
        blocks *= p.ranks[a];
    }
    make_blocks(&p, blocks);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = transport;
    options.schedule = schedule;
    options.check = check;
    options.deadline = 60.0;
    const hx_blocks given = {MPI_COMM_WORLD, 1, &p, deal, &harness_ranks, w.blocks, NULL};
    hx_handle *handle = NULL;
    expect_ok(hx_create(&w.e.spec, &given, w.shape, &options, &handle));
    if (handle) {
        run(handle);
    }
    expect_ok(hx_destroy(handle));
    free_blocks();
}

static void test_one_block_a_rank(void)
{
    hx_partition p = example_partition(&w.e, w.cells);
    hx_part mine;
    expect_ok(hx_decompose(MPI_COMM_WORLD, &p, &mine));
    w.blocks = 1;
    w.shape[0] = example_shape_of(&w.e, &mine, 0);
    w.fields[0] = example_alloc(&w.e, &w.shape[0]);
    const hx_blocks given = {MPI_COMM_WORLD, 1, &mine.partition, NULL, NULL, 1, NULL};
    hx_handle *handle = NULL;
    expect_ok(hx_create(&w.e.spec, &given, w.shape, NULL, &handle));
    if (handle) {
        run(handle);
    }
    expect_ok(hx_destroy(handle));
    free_blocks();
}

/* Blocks along each axis, as far as there are cells. */
static const int cuttings[][HX_MAX_AXES] = {
    {1, 1, 1, 1}, {2, 1, 3, 1}, {6, 2, 1, 1}, {2, 2, 2, 1}, {3, 1, 1, 1},
};

/* Portions of "partitioned", which "mixed" has with MPI 4, are longer than what counts as long. */
#if defined(EVERY_MESSAGE_IS_LONG) && MPI_VERSION >= 4
static const char *const transports[] = {"persistent", "p2p", "neighbor", "shared"};
#else
static const char *const transports[] = {"persistent", "p2p", "neighbor", "shared", "mixed"};
#endif

static const char *const schedules[] = {"one-phase", "by-dimension"};

enum { TRANSPORTS = sizeof transports / sizeof transports[0] };
enum { CUTTINGS = sizeof cuttings / sizeof cuttings[0] };

int main(int argc, char **argv)
{
    int turn = 0; /* an odd number of them for each mask: those of the next are the other way round */
    harness_begin(&argc, &argv);
    for (int axes = 1; axes <= 3; ++axes) {
        for (int mask = 0; mask < 1 << axes; ++mask) {
            example_make(&w.e, axes, mask);
            for (int size = 1; size <= 9; size += size < 6 ? 1 : 3) {
                for (int a = 0; a < axes; ++a) {
                    w.cells[a] = size + (a == 1 ? harness_ranks : 0);
                }
                for (int i = 0; i < CUTTINGS; ++i) {
                    test_blocks(cuttings[i], transports[(size + i) % TRANSPORTS], schedules[turn++ % 2],
                                i > 1);
                }
            }
            for (int a = 0; a < axes; ++a) {
                w.cells[a] = 7 + a;
            }
            test_one_block_a_rank();
        }
    }
    expect(by_dimension > 0);
#ifdef HX_IN_PLACE_SHORTEST
    expect(harness_ranks == 1 || in_place > 0);
#endif
    return harness_end();
}
